#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a generated Perfetto trace in PyTorch's layout into a cache folder, once, and prints its path.

  make-pftrace.py CACHE N      N slices, nested four deep on four threads

The file contains all begins of a group of slices, then all ends in the same order, so it is not sorted by time. The same
arguments give the same bytes."""

import functools
import hashlib
import sys
from pathlib import Path

THREADS, NAMES, GROUP, DEEP = 4, 200, 50_000, 4
EPOCH = 1_750_000_000_000_000_000


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


def describe():
    yield message(60, number(1, 1) + message(3, number(1, 77) + message(6, 'python3'))) + number(10, 1)
    for i in range(THREADS):
        yield message(60, number(1, 10 + i) + number(5, 1) + message(4, number(1, 77) + number(2, 77 + i) + message(5, f'thread {i}'))) + number(10, 1)
    texts = b''.join(message(2, number(1, 1 + i) + message(2, f'aten::operator_{i}')) for i in range(NAMES))
    texts += message(1, number(1, 1) + message(2, 'cpu_op')) + message(3, number(1, 1) + message(2, 'Sequence number'))
    yield number(10, 1) + number(13, 1) + message(12, texts)


def slices(n):
    """Yields (begin, end, thread, name) of spans in groups of four, each span inside the one before it."""
    for i in range(n):
        deep, thread = i % DEEP, i // DEEP % THREADS
        begin = EPOCH + i // DEEP // THREADS * 40_000 + deep * 1000
        yield begin, begin + 30_000 - deep * 3000 + i % 7 * 100, thread, 1 + i * 7 % NAMES


@functools.cache
def begin_of(thread, name):
    event = number(9, 1) + number(11, 10 + thread) + number(10, name) + number(3, 1) + message(4, number(1, 1) + number(4, name * 1000))
    return number(10, 1) + number(13, 2) + message(11, event)


@functools.cache
def end_of(thread):
    return number(10, 1) + message(11, number(9, 2) + number(11, 10 + thread))


def group(part):
    for begin, _, thread, name in part:
        yield number(8, begin) + begin_of(thread, name)
    for _, end, thread, _ in part:
        yield number(8, end) + end_of(thread)


def packets(n):
    yield from describe()
    part = []
    for one in slices(n):
        part.append(one)
        if len(part) == GROUP:
            yield from group(part)
            part = []
    yield from group(part)


def main():
    cache, n = Path(sys.argv[1]), int(sys.argv[2])
    recipe = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    path = cache / f'pytorch-{recipe}-{n}.pftrace'
    if not path.exists():
        part = path.with_suffix('.part')
        with open(part, 'wb') as file:
            for packet in packets(n):
                file.write(message(1, packet))
        part.rename(path)
    print(path)


main()
