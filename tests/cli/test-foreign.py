# SPDX-License-Identifier: Apache-2.0
"""Tests that unsupported files of other programs are refused regardless of the file name, and that the message names the program
and what to open instead."""

import gzip
import pickle
import sqlite3
import sys
from pathlib import Path

from harness import FAILED, Cli, Tap, check, folder, same

cli = Cli(sys.argv[1])
tap = Tap()

FTRACE = '          <idle>-0     [001] d..2  9876.543210: sched_switch: prev_comm=swapper/1\n'


def field(number, data):
    assert len(data) < 128
    return bytes([number << 3 | 2, len(data)]) + data


def sqlite(path, table):
    with sqlite3.connect(path) as base:
        base.execute(f'create table {table} (start integer, end integer)')
        base.execute(f'insert into {table} values (1, 2)')


def refused(write, words, name='trace.json'):
    with folder() as where:
        path = Path(where) / name
        write(path)
        result = cli('info', path)
        same(result.returncode, FAILED, 'the status')
        line = next((line for line in result.stderr.splitlines() if f'{name}: ' in line), '')
        for word in words:
            check(word in line, result.stderr)
        check(line.count('. ') == 0, 'one sentence')


def content(data):
    return lambda path: path.write_bytes(data if isinstance(data, bytes) else data.encode())


message = field(1, b'\x08\x01\x12\x05hello') * 4
page = '<!DOCTYPE html>\n<html><body>nothing</body></html>'

CASES = {
    'protobuf': (content(message), ['protobuf', 'neither a Perfetto trace nor an XSpace']),
    'ROCm, of another kind': (lambda path: sqlite(path, 'rocpd_metadata'), ['ROCm', 'rocpd convert']),
    'rocprof-compute': (lambda path: sqlite(path, 'compute_kernel'), ['rocprof-compute', 'no timeline']),
    'any SQLite': (lambda path: sqlite(path, 'songs'), ['SQLite', 'not a known profile', 'songs']),
    'a page': (content(page), ['HTML', 'as JSON']),
    'a page with a blank before it': (content('\n ' + page), ['HTML']),
    'systrace': (content('<!DOCTYPE html>\n<script>// trace-viewer</script>\n# tracer: nop\n' + FTRACE), ['systrace', 'trace_processor_shell convert']),
    'ftrace': (content('# tracer: nop\n#\n' + FTRACE), ['ftrace', 'trace_processor_shell convert']),
    'ftrace without a head': (content(FTRACE * 3), ['ftrace', 'trace_processor_shell convert']),
    'ftrace of atrace': (content('TRACE:\n# tracer: nop\n' + FTRACE), ['ftrace']),
    'ftrace with groups': (content('  RenderThread-1234  (  987) [003] ...1  12.345678: tracing_mark_write: B|1|x\n'), ['ftrace']),
    'UTF-16': (content('[{"ph":"X","ts":1}]'.encode('utf-16')), ['UTF-16', 'UTF-8']),
    'UTF-32': (content('[{"ph":"X","ts":1}]'.encode('utf-32')), ['UTF-32', 'UTF-8']),
    'UTF-32 without a mark': (content('[{"ph":"X","ts":1}]'.encode('utf-32-le')), ['UTF-32', 'UTF-8']),
    'compressed twice': (content(gzip.compress(gzip.compress(b'[{"ph":"X","ts":1}]'))), ['compressed twice', 'decompress it once']),
    'a picture': (content(b'\x89PNG\r\n\x1a\n' + bytes(50)), ['a PNG image, not a trace']),
    '7z': (content(b'7z\xbc\xaf\x27\x1c\0\4' + bytes(50)), ['a 7z archive']),
    'a program': (content(b'\x7fELF\2\1\1' + bytes(50)), ['an ELF program']),
    **{f'pickle {n}': (content(pickle.dumps({'a': [1, 2]}, n)), ['a Python pickle, not a trace']) for n in (2, 3, 4, 5)},
    'a configuration': (content('{"ProfilingParameters": {}}'), ['a profiler configuration', 'traceloom-cli config show']),
    'a pointer': (content('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n'), ['Git LFS', 'git lfs pull']),
    'zeros': (content(bytes(300)), ['only zero bytes']),
    'a header cut off': (content('{"schemaVersion": 1, "deviceProp'), ['ends at byte 32']),
    'a first event cut off': (content('[{"ph":"X","na'), ['ends at byte 14']),
    'trace-cmd': (content(b'\x17\x08\x44tracing6\0' + bytes(100)), ['trace-cmd']),
}
for title, (write, words) in CASES.items():
    tap.case(title, refused, write, words)
for name, words in {'r.nsys-rep': ['Nsight Systems', 'nsys export'], 'r.qdrep': ['Nsight Systems'], 'r.ncu-rep': ['Nsight Compute'],
                    'h.xplane.pb': ['XSpace', 'damaged'], 'p.pftrace': ['Perfetto', 'damaged'], 'p.html': ['web page']}.items():
    tap.case(name, refused, content(bytes(range(256))), words, name)
tap.done()
