# SPDX-License-Identifier: Apache-2.0
"""Reads an index (src/index/README.md) and converts it to version 8 or earlier, independently of the program. Versions before 9 state the
offset of each section, and have sums of names on devices. Versions before 7 have the names and sums row by row, versions before 5 state the duration of every span, and the times of collectives without reference to their spans."""

import bisect
import itertools
import lzma
import struct
import zlib

NAMES, STARTS, DURATIONS, SPAN_NAMES, MEETINGS, SUMS = 5, 7, 8, 9, 11, 15
DIFFERENCE, ENDS, CONTEXTS = 1, 2, 4
COLUMNS = 11
CONTEXT_NAMES, FACTOR, SPREAD, WRAP = 17, 0x5851F42D4C957F2D, 0x9E3779B97F4A7C15, 2**64


SHORT_TABLE, STORED, DEFLATED, LZMA = 9, 0, 1, 2


def take(data, at):
    """Returns the number at an offset, and the offset after it."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def read_table(data):
    """Returns a row for each section: number, packing, offset, length in the file, unpacked length, CRC-32."""
    version, n = struct.unpack_from('<II', data, 8)
    if version < SHORT_TABLE:
        return [struct.unpack_from('<IIQQQI', data, 32 + 40 * i) for i in range(n)]
    rows, at = [], 32
    for _ in range(n):
        row = []
        for _ in range(4):
            value, at = take(data, at)
            row.append(value)
        rows.append([*row, struct.unpack_from('<I', data, at)[0]])
        at += 4
    check_table(data, at)
    offsets = itertools.accumulate((row[2] for row in rows), initial=at)
    return [(*row[:2], offset, *row[2:]) for row, offset in zip(rows, offsets)]


def check_table(data, end):
    assert struct.unpack_from('<I', data, 24)[0] == zlib.crc32(data[32:end]), 'checksum of the table'


def unpack(data, packing, n_bytes):
    if packing == STORED:
        return data
    if packing == DEFLATED:
        return zlib.decompress(data)
    assert packing == LZMA, packing
    dictionary = min(max(n_bytes, 4096), 1 << 20)
    filters = [{'id': lzma.FILTER_LZMA1, 'dict_size': dictionary, 'lc': 3, 'lp': 0, 'pb': 0}]
    return lzma.decompress(data, format=lzma.FORMAT_RAW, filters=filters)


def read(path):
    """Returns the sections of an index, unpacked, by number."""
    data, found = path.read_bytes(), {}
    for number, packing, offset, length, n_bytes, checksum, *_ in read_table(data):
        packed = data[offset:offset + length]
        found[number] = unpack(packed, packing, n_bytes)
        assert zlib.crc32(packed) == checksum and len(found[number]) == n_bytes, number
    return found


def write(path, version, sections):
    """Writes an index of a version before 9, whose table states offsets."""
    assert version < SHORT_TABLE, version
    table, body, at = b'', b'', 32 + 40 * len(sections)
    for number, content in sections.items():
        table += struct.pack('<IIQQQII', number, 0, at + len(body), len(content), len(content), zlib.crc32(content), 0)
        body += content
    head = b'\x93LOOMIX\n' + struct.pack('<IIQI', version, len(sections), at + len(body), zlib.crc32(table))
    path.write_bytes(head + struct.pack('<I', zlib.crc32(head)) + table + body)


def numbers(content):
    """Returns all numbers of a section that consists of numbers only."""
    found, value, shift = [], 0, 0
    for byte in content:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append(value)
            value = shift = 0
    return found


def packed(values):
    out = bytearray()
    for value in values:
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        out.append(value)
    return bytes(out)


def signed(value):
    return value >> 1 if value % 2 == 0 else -(value >> 1) - 1


def unsigned(value):
    return value << 1 if value >= 0 else (-value << 1) - 1


class Times:
    """The known times: starts and ends of the spans of earlier tracks."""

    def __init__(self):
        self.known, self.new = [], []

    def learn(self):
        if self.new and len(self.new) >= len(self.known) // 4:
            self.known, self.new = sorted({*self.known, *self.new}), []

    def get(self, start, number):
        return self.known[bisect.bisect_right(self.known, start) + number - 1]


def hash_context(names):
    """Returns the key of a context: a hash of the names of the last spans, up to and including the current span.
    read_spans() keeps the last duration for each key."""
    code = sum((name + 1) * pow(FACTOR, age, WRAP) for age, name in enumerate(reversed(names[-CONTEXT_NAMES:]))) % WRAP
    return (code ^ code >> 32) * SPREAD % WRAP >> 50


def read_spans(sections):
    """Returns the start and the end of each span."""
    starts, durations, names = (numbers(sections.get(number, b'')) for number in (STARTS, DURATIONS, SPAN_NAMES))
    form, ends, last, slots, spans, times, at = durations[0], [0] * len(names), {}, {}, [], Times(), 0
    durations = iter(durations[2:] if form & ENDS else durations[1:])
    if form & ENDS:
        ends = [next(durations) for _ in names]
    while at < len(starts):
        end, n = 0, starts[at + 1]
        for value in starts[at + 2:at + 2 + n]:
            number, name, start = ends[len(spans)], names[len(spans)], end + signed(value)
            slot = hash_context(names[max(0, len(spans) + 1 - CONTEXT_NAMES):len(spans) + 1])
            other = last.get(name, 0) if form & (DIFFERENCE | CONTEXTS) else 0
            if form & CONTEXTS:
                other = slots.get(slot, other)
            duration = times.get(start, number) - start if number else signed(next(durations)) + other
            last[name], slots[slot], end = duration, duration, start + duration
            spans.append((start, end))
            times.new += start, end
        times.learn()
        at += 2 + n
    return spans


def make_meetings(content, spans):
    """Returns the section of collectives with their times in the form of version 4."""
    values, span, start = numbers(content), 0, 0
    n, starts, lengths = values[0], [], []
    columns = [values[1 + n * i:1 + n * (i + 1)] for i in range(COLUMNS)]
    for i in range(n):
        span, before = span + signed(columns[0][i]), start
        own = spans[span - 1] if span else None
        start = (own[0] if own else before) + signed(columns[1][i])
        end = (own[1] if own else start) + signed(columns[2][i])
        starts.append(unsigned(start - before))
        lengths.append(unsigned(end - start))
    return packed([n, *starts, *lengths, *(value for column in (*columns[3:10], columns[0], columns[10]) for value in column)])


def sums_of(values):
    """Returns the running sums of a list of differences, that is, the values that were encoded as differences."""
    return list(itertools.accumulate(signed(value) for value in values))


def make_names(content):
    """Returns the section of names row by row."""
    n, *values = numbers(content)
    return packed([n, *itertools.chain(*zip(*(sums_of(values[n * i:n * (i + 1)]) for i in range(3))))])


def make_sums(content):
    """Returns the section of sums row by row."""
    n, *values = numbers(content)
    names, counts, least = sums_of(values[:n]), values[n:2 * n], values[2 * n:3 * n]
    rest, rows = iter(values[3 * n:]), []
    most = [signed(low) + (signed(next(rest)) if count > 1 else 0) for low, count in zip(least, counts)]
    for name, count, low, high in zip(names, counts, map(signed, least), most):
        total = low + signed(next(rest)) if count > 2 else low + high if count == 2 else low
        check_sum(count, total, low, high)
        rows += name, 0, count, unsigned(total), unsigned(low), unsigned(high)
    assert next(rest, None) is None, 'more numbers than the counts require'
    return packed([n, *rows])


def check_sum(count, total, low, high):
    assert low <= high and count * low <= total <= count * high, (count, total, low, high)


def add_devices(content):
    """Returns the section of sums with the column that says whether a name is on a device, as before version 9."""
    n, *values = numbers(content)
    return packed([n, *values[:n], *[0] * n, *values[n:]])


def convert(path, version):
    """Replaces the index by an index of an earlier version with the same content; version 1 has no sections from 16 on."""
    sections = read(path)
    if version < 7:
        spans = read_spans(sections)
        sections[NAMES], sections[SUMS] = make_names(sections[NAMES]), make_sums(sections[SUMS])
        sections[DURATIONS] = packed([0, *(unsigned(end - start) for start, end in spans)])
        if MEETINGS in sections and version < 5:
            sections[MEETINGS] = make_meetings(sections[MEETINGS], spans)
    else:
        sections[SUMS] = add_devices(sections[SUMS])
    write(path, version, {number: content for number, content in sections.items() if version > 1 or number < 16})
