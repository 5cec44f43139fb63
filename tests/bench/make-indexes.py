#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes indexes of a run of many ranks into a cache folder, once, and prints the folder.

  make-indexes.py CACHE N TRACELOOM-CLI

Generates and indexes traces of 16 ranks. The N indexes are copies of these 16 in turn, in which rank, node (eight ranks each) and path
are replaced. src/index/README.md describes the format. All ranks take part in each collective; one rank of 16 (number 3) computes a
quarter longer than the others."""

import hashlib
import json
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

HEAD, CHECKSUM = struct.Struct('<8sIIQI'), struct.Struct('<I')
ABOUT, TEXTS, SOURCES, TRACKS = 1, 2, 4, 6
RANKS_PER_NODE, TEMPLATES, STEPS, LAYERS = 8, 16, 12, 8
SLOW, EPOCH_NS = 3, 1_750_000_000_000_000_000


def number(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def signed(value):
    return number(value << 1 if value >= 0 else (-value << 1) - 1)


def text(value):
    return number(len(value)) + value


class Bytes:
    def __init__(self, content):
        self.content, self.at = content, 0

    def take(self, n):
        self.at += n
        return self.content[self.at - n:self.at]

    def number(self):
        value = shift = 0
        while True:
            byte = self.content[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def text(self):
        return self.take(self.number())

    def skip(self, n):
        """Returns the bytes of the next `n` numbers."""
        begin = self.at
        for _ in range(n):
            self.number()
        return self.content[begin:self.at]

    def rest(self):
        return self.content[self.at:]


def read(path):
    """Returns the version of an index and its decompressed sections. The templates are too short to be packed with LZMA."""
    content = Path(path).read_bytes()
    _, version, n, _, _ = HEAD.unpack_from(content)
    table, rows, sections = Bytes(content), [], {}
    table.at = 32
    for _ in range(n):
        rows.append([table.number() for _ in range(4)])
        table.take(CHECKSUM.size)
    for kind, packing, length, _ in rows:
        part = table.take(length)
        sections[kind] = {0: bytes, 1: zlib.decompress}[packing](part)
    return version, sections


def write(path, version, sections):
    table = body = b''
    for kind, content in sections.items():
        packed = zlib.compress(content, 6)
        table += b''.join(map(number, (kind, 1, len(packed), len(content)))) + CHECKSUM.pack(zlib.crc32(packed))
        body += packed
    head = HEAD.pack(b'\x93LOOMIX\n', version, len(sections), 32 + len(table + body), zlib.crc32(table))
    path.write_bytes(head + CHECKSUM.pack(zlib.crc32(head)) + table + body)


def name_about(content, rank):
    """Replaces the paths in the section about the files by paths that contain the rank."""
    old = Bytes(content)
    out = text(old.text()) + text(old.text())
    n = old.number()
    out += number(n)
    for i in range(n):
        old.text()
        out += text(f'/run/rank-{rank}.{i}.pt.trace.json'.encode()) + old.skip(3) + old.take(32)
    return out + old.rest()


def add_text(content, added):
    """Appends a text to the section of texts; returns the section and the index of the text."""
    old = Bytes(content)
    n = old.number()
    return number(n + 1) + old.rest() + text(added), n


def name_sources(content, rank, node):
    old = Bytes(content)
    n = old.number()
    out = number(n)
    for _ in range(n):
        out += old.skip(1)
        old.skip(2)
        out += number(node + 1) + signed(rank) + old.skip(9)
        n_problems = old.number()
        out += number(n_problems) + old.skip(5 * n_problems)
    return out


def name_tracks(content, rank, node):
    old = Bytes(content)
    n = old.number()
    out = number(n)
    for _ in range(n):
        out += old.skip(3)
        old.skip(2)
        out += number(node + 1) + signed(rank) + old.skip(10)
    return out


def copy(template, rank, path):
    version, sections = template
    sections = dict(sections)
    sections[TEXTS], node = add_text(sections[TEXTS], f'node-{rank // RANKS_PER_NODE:04}'.encode())
    sections[ABOUT] = name_about(sections[ABOUT], rank)
    sections[SOURCES] = name_sources(sections[SOURCES], rank, node)
    sections[TRACKS] = name_tracks(sections[TRACKS], rank, node)
    write(path, version, sections)


def kernel(name, stream, begin, end, **args):
    return {'ph': 'X', 'cat': 'kernel', 'name': name, 'pid': 0, 'tid': stream, 'ts': begin, 'dur': round(end - begin, 3),
            'args': {'device': 0, 'stream': stream} | args}


def all_reduce(number, begin, end):
    return kernel('ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)', 24, begin, end,
                  **{'Collective name': 'allreduce', 'In msg nelems': 4194304, 'Out msg nelems': 4194304, 'Group size': TEMPLATES, 'dtype': 'BFloat16',
                     'Process Group Name': '0', 'Process Group Description': 'default_pg', 'Process Group Ranks': str(list(range(TEMPLATES))),
                     'Seq': number})


def make_run():
    """Returns the events of the 16 template ranks: in each step every layer computes and then calls a collective."""
    dice, events = random.Random(7), [[] for _ in range(TEMPLATES)]
    at = [1000.0 for _ in range(TEMPLATES)]
    for step in range(STEPS):
        begin = list(at)
        for layer in range(LAYERS):
            for rank in range(TEMPLATES):
                for i in range(4):
                    end = at[rank] + dice.uniform(90, 110) * (1.25 if rank == SLOW else 1)
                    events[rank].append(kernel(f'sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x{64 << i % 2}', 7, round(at[rank], 3), end))
                    at[rank] = end + 2
            end = max(at) + 150
            for rank in range(TEMPLATES):
                events[rank].append(all_reduce(step * LAYERS + layer, round(at[rank], 3), end))
                at[rank] = end + 5
        for rank in range(TEMPLATES):
            events[rank].append({'ph': 'X', 'cat': 'user_annotation', 'name': f'ProfilerStep#{step}', 'pid': 1000 + rank, 'tid': 1000 + rank,
                                 'ts': round(begin[rank], 3), 'dur': round(at[rank] - begin[rank], 3), 'args': {}})
    return events


def make_templates(folder, cli):
    """Writes and indexes the traces of the template ranks; returns the paths of the indexes in the order of ranks."""
    for rank, events in enumerate(make_run()):
        (folder / f'rank-{rank:02}.pt.trace.json').write_text(json.dumps(
            {'schemaVersion': 1, 'distributedInfo': {'backend': 'nccl', 'rank': rank, 'world_size': TEMPLATES}, 'baseTimeNanoseconds': EPOCH_NS,
             'traceEvents': events}))
    subprocess.run([cli, 'index', '--quiet', folder, '-o', folder / 'indexes'], check=True)
    return sorted((folder / 'indexes').iterdir())


def main():
    cache, n, cli = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    own = hashlib.sha256(Path(__file__).read_bytes() + Path(cli).read_bytes())
    folder = cache / f'indexes-{own.hexdigest()[:12]}-{n}'
    if not folder.is_dir():
        part = folder.with_suffix('.part')
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        with tempfile.TemporaryDirectory(dir=cache) as place:
            templates = [read(path) for path in make_templates(Path(place), cli)]
        for rank in range(n):
            copy(templates[rank % len(templates)], rank, part / f'rank-{rank:05}.loomidx')
        part.rename(folder)
    print(folder)


if __name__ == '__main__':
    main()
