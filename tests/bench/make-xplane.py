#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a generated XSpace file in JAX's layout into a cache folder, once, and prints its path.

  make-xplane.py CACHE N      N events: half of them kernels on a stream, half the host calls that launch them

The same arguments give the same bytes."""

import hashlib
import sys
from pathlib import Path

NAMES, STREAM, THREAD = 60, 7, 77
EPOCH = 1_750_000_000_000_000_000
CORRELATION, DETAILS, START = 1, 2, 3
STATS = {'correlation_id': CORRELATION, 'kernel_details': DETAILS, 'profile_start_time': START}


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def event(name, begin, end, stats):
    return message(4, number(1, name) + number(2, begin * 1000 + 250) + number(3, (end - begin) * 1000) + b''.join(message(4, stat) for stat in stats))


def line(number_of, name, events):
    return message(3, number(1, number_of) + message(2, name) + number(3, 100) + events)


def metadata(field, entries):
    return b''.join(message(field, number(1, i) + message(2, number(1, i) + message(2, name))) for name, i in entries.items())


def plane(number_of, name, lines, names):
    return message(1, number(1, number_of) + message(2, name) + lines + metadata(4, names) + metadata(5, STATS))


def kernels(n):
    details = number(1, DETAILS) + message(5, 'regs:64 grid:132,1,1 block:256,1,1')
    return b''.join(event(1 + i % NAMES, i * 8000 + 5000, i * 8000 + 11000 + i % 7 * 100, (number(1, CORRELATION) + number(4, 1 + i), details))
                    for i in range(n))


def calls(n):
    return b''.join(event(1, i * 8000, i * 8000 + 3500 + i % 5 * 100, (number(1, CORRELATION) + number(4, 1 + i),)) for i in range(n))


def space(n):
    names = {f'void kernel_{i}<float, {i}>(float *, int)': 1 + i for i in range(NAMES)}
    yield plane(1, '/device:GPU:0', line(STREAM, f'Stream #{STREAM}(Kernel)', kernels(n)), names)
    yield plane(0, '/host:CPU', line(THREAD, f'python/{THREAD}', calls(n)), {'cudaLaunchKernel': 1})
    yield message(1, number(1, 2) + message(2, 'Task Environment') + metadata(5, STATS) + message(6, number(1, START) + number(3, EPOCH)))


def main():
    cache, n = Path(sys.argv[1]), int(sys.argv[2])
    recipe = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    path = cache / f'jax-{recipe}-{n}.xplane.pb'
    if not path.exists():
        part = path.with_suffix('.part')
        with open(part, 'wb') as file:
            for content in space(n // 2):
                file.write(content)
        part.rename(path)
    print(path)


main()
