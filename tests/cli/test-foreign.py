# SPDX-License-Identifier: Apache-2.0
"""Traces of other programs are refused by name, whatever their file is called, and it is said what to open instead."""

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


packet = field(1, b'\x08\x01\x12\x05hello') * 4
plane = field(1, b'\x08\x01' + field(2, b'/host:CPU') + field(3, b'\x08\x01')) + field(1, field(2, b'/device:GPU:0'))
page = '<!DOCTYPE html>\n<html><body>nothing</body></html>'

CASES = {
    'Perfetto': (content(packet), ['Perfetto', 'traceconv json']),
    'XPlane': (content(plane), ['XPlane', 'trace.json.gz']),
    'Nsight, exported': (lambda path: sqlite(path, 'CUPTI_ACTIVITY_KIND_KERNEL'), ['Nsight Systems', 'Chrome trace JSON']),
    'any SQLite': (lambda path: sqlite(path, 'songs'), ['SQLite']),
    'a page': (content(page), ['HTML', 'as JSON']),
    'a page with a blank before it': (content('\n ' + page), ['HTML']),
    'systrace': (content('<!DOCTYPE html>\n<script>// trace-viewer</script>\n# tracer: nop\n' + FTRACE), ['systrace', 'traceconv']),
    'ftrace': (content('# tracer: nop\n#\n' + FTRACE), ['ftrace', 'traceconv']),
    'ftrace without a head': (content(FTRACE * 3), ['ftrace', 'traceconv']),
    'ftrace of atrace': (content('TRACE:\n# tracer: nop\n' + FTRACE), ['ftrace']),
    'ftrace with groups': (content('  RenderThread-1234  (  987) [003] ...1  12.345678: tracing_mark_write: B|1|x\n'), ['ftrace']),
    'trace-cmd': (content(b'\x17\x08\x44tracing6\0' + bytes(100)), ['trace-cmd']),
}
for title, (write, words) in CASES.items():
    tap.case(title, refused, write, words)
for name, words in {'r.nsys-rep': ['Nsight Systems', 'nsys export'], 'r.qdrep': ['Nsight Systems'], 'r.ncu-rep': ['Nsight Compute'],
                    'h.xplane.pb': ['XPlane'], 'p.pftrace': ['Perfetto'], 'p.html': ['web page']}.items():
    tap.case(name, refused, content(bytes(range(256))), words, name)
tap.done()
