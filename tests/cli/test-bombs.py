# SPDX-License-Identifier: Apache-2.0
"""Tests decompression bombs and other files that are made to fill the memory: each is read with little memory, the problem is
reported, and other events of the file are kept. Limits are lowered so that the test takes a second; --real uses the real limits."""

import os
import subprocess
import sys
import tempfile
import zlib
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, FAILED, INCOMPLETE, Cli, Tap, check, folder, same  # noqa: E402

MIB = 1 << 20
REAL = '--real' in sys.argv
BOMB, STRING, EVENT_LIMIT, FREE = (1024, 190, 256, 256) if REAL else (96, 12, 16, 24)  # sizes in MiB
LEAST = 64  # MiB used in addition to the limits, see loom-limits.h
ENV = {} if REAL else {'LOOM_LIMIT_EVENT_BYTES': str(EVENT_LIMIT * MIB), 'LOOM_LIMIT_GZIP_FREE_BYTES': str(FREE * MIB)}

FIRST, LAST = b'{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"first"}', b'{"ph":"X","pid":1,"tid":1,"ts":9,"dur":1,"name":"last"}'
X = b'{"ph":"X","pid":1,"tid":1,"ts":5,"dur":1,'

# Each case: bytes before the repeated unit, the unit, bytes after it, exit status, number of events kept, words of the
# message.
BOMBS = {
    'blanks': (b'', b' ', b'', INCOMPLETE, 1, '200 times'),
    'zeros': (b'', b'\0', b',', INCOMPLETE, 1, '200 times'),
    'a string': (X + b'"name":"', b'a', b'"},', INCOMPLETE, 1, '200 times'),
    'brackets': (X + b'"args":', b'[', b'},', INCOMPLETE, 1, '200 times'),
    'braces': (X + b'"args":', b'{"a":', b'},', INCOMPLETE, 1, '200 times'),
    'events in events': (X + b'"name":"n","a":[', b'{"ph":"X","a":[', b']},', INCOMPLETE, 1, '200 times'),
    'members in members': (X + b'"name":"n","a":[', b'{"x":[1,', b']},', INCOMPLETE, 1, '200 times'),
    'no events': (b'', b'{},', b'', INCOMPLETE, 1, '200 times'),
}
STRINGS = {'alone': (b'"', b'",\n'), 'in args': (X + b'"args":{"s":"', b'"}},\n'), 'as a name': (X + b'"name":"', b'"},\n'),
           'as a key': (X + b'"', b'":1},\n')}


def pack(path, before, unit, after, n_mib):
    """Compresses one megabyte and writes the result many times."""
    block = unit * (MIB // len(unit))
    head = zlib.compressobj(9, zlib.DEFLATED, -15)
    parts = [head.compress(before) + head.flush(zlib.Z_FULL_FLUSH), head.compress(block) + head.flush(zlib.Z_FULL_FLUSH)]
    checksum = zlib.crc32(before)
    for _ in range(n_mib):
        checksum = zlib.crc32(block, checksum)
    checksum = zlib.crc32(after, checksum)
    length = len(before) + len(block) * n_mib + len(after)
    with open(path, 'wb') as out:
        out.write(b'\x1f\x8b\x08\0\0\0\0\0\0\xff' + parts[0])
        for _ in range(n_mib):
            out.write(parts[1])
        tail = zlib.compressobj(9, zlib.DEFLATED, -15)
        out.write(tail.compress(after) + tail.flush() + checksum.to_bytes(4, 'little') + (length & 0xffffffff).to_bytes(4, 'little'))


def measure(cli, path, *options, env={}):
    """Returns the exit status, both outputs, and the peak memory in MiB. The peak is at least the memory of this test
    process, because the system counts from the fork on; so this process must not hold large texts."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        child = subprocess.Popen([cli.program, 'info', '--format', 'json', *options, str(path)], stdout=out, stderr=errors,
                                 env={**os.environ, **ENV, **env})
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), errors.seek(0)
        return child.returncode, out.read().decode(), errors.read().decode(), usage.ru_maxrss / 1024


@cache
def resting(cli):
    """Returns the peak memory in MiB for a tiny file, which other measurements subtract."""
    with folder() as place:
        small = Path(place) / 'small.json'
        small.write_bytes(b'[' + FIRST + b']')
        return measure(cli, small)[3]


def check_memory(cli, peak, floor, most):
    check(cli.is_sanitized() or peak - floor < most + LEAST, f'{peak:.0f} MiB, of which {floor:.0f} at rest; more than {most} + {LEAST}')


def bomb(cli, before, unit, after, status, n_events, words):
    import json
    with folder() as place:
        path = Path(place) / 'bomb.json.gz'
        pack(path, b'[' + FIRST + b',' + before, unit, after + LAST + b']', BOMB)
        code, out, errors, peak = measure(cli, path)
        same(code, status, errors)
        check(words in errors and str(path) in errors and 'byte' in errors, errors)
        same(json.loads(out)['sources'][0]['events'], n_events, 'events')
        check_memory(cli, peak, resting(cli), EVENT_LIMIT)


def without_a_beginning(cli):
    """A file is refused if its beginning, which is examined to recognize the format, contains only blanks or only zero bytes."""
    with folder() as place:
        for unit, words in ((b' ', 'only whitespace'), (b'\0', 'only zero bytes')):
            path = Path(place) / 'bomb.json.gz'
            pack(path, b'', unit, b'', BOMB)
            code, _, errors, peak = measure(cli, path)
            same(code, FAILED, errors)
            check(words in errors, errors)
            check_memory(cli, peak, resting(cli), 64)


def string(cli, before, after):
    """A long string that fits into the limit is kept, in plain and in compressed files."""
    import json
    with folder() as place:
        text = b'[' + FIRST + b',\n' + before + b'x' * (STRING * MIB) + after + LAST + b']'
        plain, packed = Path(place) / 'string.json', Path(place) / 'string.json.gz'
        plain.write_bytes(text)
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        packed.write_bytes(packer.compress(text) + packer.flush())
        for path in plain, packed:
            code, out, errors, peak = measure(cli, path)
            same(code, DONE, errors)
            same(json.loads(out)['sources'][0]['events'], 2 if before == b'"' else 3, f'events of {path}')
            if path == packed:  # pages of a mapped plain file count as memory too
                check_memory(cli, peak, resting(cli), EVENT_LIMIT)


def too_long(cli, mapped):
    """A string beyond the limit is skipped and its neighbours are kept, in mapped files and in copied ones."""
    import json
    with folder() as place:
        path = Path(place) / 'string.json'
        path.write_bytes(b'[' + FIRST + b',' + X + b'"args":{"s":"' + b'x' * (2 * EVENT_LIMIT * MIB) + b'"}},' + LAST + b']')
        code, out, errors, peak = measure(cli, path, env={'LOOM_MAP_BYTES': str(16 << 20) if mapped else '0'})
        same((code, json.loads(out)['sources'][0]['events']), (INCOMPLETE, 2), errors)
        check('too large' in errors and f'byte {len(FIRST) + 2})' in errors, errors)
        if not mapped:  # pages of a mapped file count as memory too
            check_memory(cli, peak, resting(cli), EVENT_LIMIT)


def little_memory(cli):
    """An event that does not fit into the memory budget is skipped, and its neighbours are kept."""
    import json
    with folder() as place:
        path = Path(place) / 'string.json.gz'
        pack(path, b'[' + FIRST + b',' + X + b'"args":{"s":"', b'x', b'"}},' + LAST + b']', 70)
        ENV['LOOM_LIMIT_EVENT_BYTES'] = str(256 * MIB)
        ENV['LOOM_LIMIT_GZIP_FREE_BYTES'] = str(256 * MIB)
        code, out, errors, _ = measure(cli, path, '--memory-budget', '20G')
        same((code, json.loads(out)['sources'][0]['events']), (DONE, 3), errors)
        if cli.is_sanitized():
            return 'skip: the memory budget would count the memory of the sanitizer'
        code, out, errors, peak = measure(cli, path, '--memory-budget', '50M')
        same((code, json.loads(out)['sources'][0]['events']), (INCOMPLETE, 2), errors)
        check('too large' in errors, errors)
        check_memory(cli, peak, resting(cli), 50)


def varint(number):
    text = b''
    while number >= 128:
        text += bytes([number & 127 | 128])
        number >>= 7
    return text + bytes([number])


def message(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def whole(number, value):
    return varint(number << 3) + varint(value)


def plane(statistics):
    """Returns a plane of an XSpace that contains one event with the given number of statistics."""
    event = whole(1, 1) + whole(2, 0) + whole(3, 5000000) + b''.join(message(4, whole(1, 1000 + i) + whole(3, 1)) for i in range(statistics))
    line = whole(1, 1) + message(2, b'python') + whole(3, 1700000000000000000) + message(4, event)
    return message(1, message(2, b'/host:CPU') + message(4, whole(1, 1) + message(2, whole(1, 1) + message(2, b'step'))) + message(3, line))


def many_planes(cli):
    """An empty plane of an XSpace needs two bytes in the file but half a kilobyte in memory: the memory budget stops the import."""
    if cli.is_sanitized():
        return 'skip: the memory budget would count the memory of the sanitizer'
    with folder() as place:
        path = Path(place) / 'host.xplane.pb'
        path.write_bytes(plane(1) + b'\x0a\x00' * 1000000)
        code, _, errors, peak = measure(cli, path, '--memory-budget', '64M')
        same(code, FAILED, errors)
        check('budget' in errors and str(path) in errors, errors)
        check_memory(cli, peak, resting(cli), 64)


def many_statistics(cli):
    """The time to read an event grows linearly with its number of statistics, not with the square."""
    with folder() as place:
        path = Path(place) / 'host.xplane.pb'
        path.write_bytes(plane(200000))
        cli.must('info', '--format', 'json', path, timeout=60)


def many_values(cli):
    """A NCCL flight recorder dump as JSON with very many values is refused before the values are in memory."""
    if cli.is_sanitized():
        return 'skip: the memory budget would count the memory of the sanitizer'
    with folder() as place:
        path = Path(place) / 'nccl_trace_rank_0'
        path.write_bytes(b'{"version":"2.9","pg_config":{},"pg_status":{},"entries":[0' + b',0' * 5000000 + b']}')
        code, _, errors, peak = measure(cli, path, '--memory-budget', '64M')
        same(code, FAILED, errors)
        check('memory' in errors and str(path) in errors, errors)
        check_memory(cli, peak, resting(cli), 64)


def many_counters(cli):
    """A trace with 60,000 counters is analyzed in time: the time grows linearly with the number of tracks, not with the square."""
    with folder() as place:
        path = Path(place, 'counters.json')
        path.write_text('[' + ','.join('{"ph":"C","pid":1,"ts":%d,"name":"c%d","args":{"v":1}}' % (i, i) for i in range(60000)) + ']')
        cli.must('report', '--format', 'json', '-o', Path(place, 'report.json'), path, timeout=60)


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for name, args in BOMBS.items():
        tap.case(f'bomb of {name}', bomb, cli, *args)
    tap.case('a bomb that begins with no trace', without_a_beginning, cli)
    for name, args in STRINGS.items():
        tap.case(f'a long string {name}', string, cli, *args)
    tap.case('a string above the limit', too_long, cli, True)
    tap.case('a string above the limit, copied', too_long, cli, False)
    tap.case('little memory', little_memory, cli)
    tap.case('many planes', many_planes, cli)
    tap.case('many statistics', many_statistics, cli)
    tap.case('many values', many_values, cli)
    tap.case('many counters', many_counters, cli)
    tap.done()


if __name__ == '__main__':
    main()
