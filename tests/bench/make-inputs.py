#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes generated traces for the benchmarks into a cache folder, if they are not there yet, and prints their paths,
one per line.

Usage: make-inputs.py CACHE KIND SIZE [FILES] [--gzip]. SIZE is the total size of all files: 1M, 100M, 1G (powers of
ten).

Kinds:

kineto: the format of PyTorch's profiler: nested operators, Python frames, launches, kernels, flows, about 240 bytes each

even: similar events, each on one line with few args, about 160 bytes; every rank has the same events at the same whole µs

composer: begin and end pairs and system counters, one event per line

smdebug: framework timelines in a profiler-output folder, complete events without tid

job: two files of a training job: its timeline with 112 spans per step, and the same number of system metrics samples

lean: complete events of about 140 bytes, one per line: as many events per byte as possible

deep: call stacks of 200 frames

wide: 2,000 threads

counters: only counters of four series

args: 2,000 bytes of args per event

disorder: like lean, with blocks and lines not in time order

The same arguments give the same bytes. The script generates a block of some thousand events once, and writes it repeatedly with
other times and ids, so that ten million events take only seconds."""

import argparse
import hashlib
import math
import multiprocessing
import random
import shutil
import sys
import zlib
from pathlib import Path

EPOCH_US = 1735632360 * 10**6
TIME, ID, STEP = range(3)  # kinds of placeholders: a time, an id or a step number
UNITS = {'K': 10**3, 'M': 10**6, 'G': 10**9}

AREAS = ('nn/modules/module.py', 'nn/modules/linear.py', 'nn/functional.py', 'optim/adamw.py', 'utils/data/dataloader.py')
OPERATORS = [f'aten::{name}' for name in (
    'linear addmm mm bmm matmul add add_ mul mul_ div sub softmax _softmax layer_norm native_layer_norm gelu dropout '
    'native_dropout copy_ to _to_copy clone empty empty_like empty_strided view reshape transpose t permute contiguous '
    'scaled_dot_product_attention _flash_attention_forward embedding index_select sum mean pow rsqrt cat split slice '
    'select unsqueeze expand fill_ zero_ zeros as_strided detach resize_ where masked_fill cross_entropy_loss').split()]
KERNELS = [f'void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_{m}x{n}_ldg8_f2f_stages_64x{s}_{t}_align8>'
           f'(cutlass_80_tensorop_bf16_s16816gemm::Params)' for m in (64, 128, 256) for n in (64, 128) for s in (3, 4)
           for t in ('nn', 'nt', 'tn')]
KERNELS += [f'void at::native::vectorized_elementwise_kernel<{n}, at::native::{name}<float>, at::detail::Array<char*, 3> >'
            f'(int, at::native::{name}<float>, at::detail::Array<char*, 3>)' for n in (2, 4)
            for name in ('CUDAFunctor_add', 'AddFunctor', 'MulFunctor', 'BUnaryFunctor', 'FillFunctor', 'GeluFunctor')]
SHAPES = ('[[8, 2048, 4096], [4096, 4096], []]', '[[16384, 4096], [4096]]', '[[8, 32, 2048, 128]]', '[]')


class Block:
    """A template text with placeholders. The value of a placeholder is a base (time, id or step) plus the placeholder's own offset."""

    def __init__(self):
        self.lines, self.holes, self.length_us = [], [], 0

    def add(self, line, *holes):
        """Adds an event; in its text %f is a time and %d an integer."""
        self.lines.append((line.replace('%f', '%.3f'), holes))

    def seal(self, separator=',\n'):
        self.text = separator.join(line for line, _ in self.lines) + separator
        self.holes = [hole for _, holes in self.lines for hole in holes]
        self.n_events = len(self.lines)
        return self

    def fill(self, time_us, first_id, step):
        base = (time_us, first_id, step)
        return (self.text % tuple([base[what] + offset for what, offset in self.holes])).encode()


# --- kinds of inputs: each function makes one block ---

def kineto_event(kind, name, pid, tid, long, args):
    return (f'  {{\n    "ph": "X", "cat": "{kind}", "name": "{name}", "pid": {pid}, "tid": {tid},\n'
            f'    "ts": %f, "dur": {long:.3f},\n    "args": {{\n      {args}\n    }}\n  }}')


def kineto_tree(block, dice, pid, tid, begin, end, depth, launches):
    """Adds nested operators and Python frames; the innermost ones launch kernels."""
    number, long = len(block.lines), end - begin
    if depth < 3:
        name = f'torch/{dice.choice(AREAS)}({dice.randrange(60)}): forward'
        block.add(kineto_event('python_function', name, pid, tid, long, '"Python parent id": %d, "Python id": %d, "Ev Idx": %d'),
                  (TIME, begin), (ID, number - 1), (ID, number), (ID, number))
    else:
        args = f'"External id": %d,"Record function id": 0, "Input Dims": {dice.choice(SHAPES)}, "Ev Idx": %d'
        block.add(kineto_event('cpu_op', dice.choice(OPERATORS), pid, tid, long, args), (TIME, begin), (ID, number), (ID, number))
    if depth == 6 or long < 12:
        launches.append(end - 6)
        return
    at = begin + 1
    while end - 1 - at > 8:
        room = dice.uniform(6, max(7, long / 2))
        kineto_tree(block, dice, pid, tid, at, min(at + room, end - 1), depth + 1, launches)
        at += room + dice.uniform(0.2, 3)


def kineto_launch(block, dice, pid, tid, at, number, gpu):
    """Adds a launch, its kernel on a stream, and the flow between them."""
    block.add(kineto_event('cuda_runtime', 'cudaLaunchKernel', pid, tid, 3.25, '"External id": %d, "cbid": 211, "correlation": %d'),
              (TIME, at), (ID, number), (ID, number))
    block.add(f'  {{\n    "ph": "s", "id": %d, "pid": {pid}, "tid": {tid}, "ts": %f,\n    "cat": "ac2g", "name": "ac2g"\n  }}',
              (ID, number), (TIME, at))
    begin, long = max(at + 5, gpu), dice.uniform(2, 30)
    args = ('"External id": %d, "device": 0, "context": 1,\n      "stream": 7, "correlation": %d,\n      "registers per thread": 96,'
            ' "shared memory": 49152,\n      "grid": [128, 4, 1],\n      "block": [256, 1, 1],\n      "est. achieved occupancy %%": 25')
    block.add(kineto_event('kernel', dice.choice(KERNELS), 0, 7, long, args), (TIME, begin), (ID, number), (ID, number))
    block.add('  {\n    "ph": "f", "id": %d, "pid": 0, "tid": 7, "ts": %f,\n    "cat": "ac2g", "name": "ac2g", "bp": "e"\n  }',
              (ID, number), (TIME, begin))
    return begin + long + 0.5


def kineto(dice, rank):
    block, pid, gpu = Block(), 70000 + rank, 0.0
    block.add(f'  {{\n    "ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d", "pid": {pid}, "tid": {pid},\n'
              '    "ts": %f, "dur": 1890.000,\n    "args": {\n      "External id": %d, "Ev Idx": %d\n    }\n  }',
              (STEP, 0), (TIME, 0), (ID, 0), (ID, 0))
    for tid in (pid, pid + 1):
        launches = []
        for at in range(10, 1700, 600):
            kineto_tree(block, dice, pid, tid, at, at + 580, 0, launches)
        for at in launches:
            gpu = kineto_launch(block, dice, pid, tid, at, len(block.lines), gpu)
    block.length_us = max(2000, int(gpu) + 100)
    return block


def even_event(kind, name, pid, tid, long, args):
    return f'{{"ph":"X","cat":"{kind}","name":"{name}","pid":{pid},"tid":{tid},"ts":%f,"dur":{long:.3f},"args":{{{args}}}}}'


def even(dice, rank):
    """Returns a block of groups of four nested operators, a launch, its kernel and the flow between launch and kernel; the flow events
    of all ranks have equal times."""
    block, pid, order = Block(), 70000 + rank, random.Random(7)
    for number in range(60):
        at, long = number * 60, 50
        for level in range(4):
            block.add(even_event('cpu_op', order.choice(OPERATORS), pid, pid, long - 2 * level, '"External id":%d,"Ev Idx":%d'),
                      (TIME, at + level), (ID, number), (ID, number))
        block.add(even_event('cuda_runtime', 'cudaLaunchKernel', pid, pid, 3.5, '"correlation":%d'), (TIME, at + 4), (ID, number))
        block.add(f'{{"ph":"s","id":%d,"pid":{pid},"tid":{pid},"ts":%f,"cat":"ac2g","name":"ac2g"}}', (ID, number), (TIME, at + 4))
        args = '"stream":7,"correlation":%d,"grid":[128,1,1],"block":[256,1,1]'
        block.add(even_event('kernel', order.choice(KERNELS), 0, 7, 40, args), (TIME, at + 13), (ID, number))
        block.add('{"ph":"f","id":%d,"pid":0,"tid":7,"ts":%f,"cat":"ac2g","name":"ac2g","bp":"e"}', (ID, number), (TIME, at + 13))
    block.length_us = 60 * 60
    return block


def composer(dice, rank):
    block, tid = Block(), 6000 + rank

    def pair(name, cat, begin, end):
        for ph, at in (('B', begin), ('E', end)):
            moments.append((at, '{"name": "%s", "cat": "%s", "ph": "%s", "ts": %%d, "pid": %d, "tid": %d, '
                            '"args": {"epoch": 0, "batch": %%d}}' % (name, cat, ph, rank, tid), ((TIME, at), (STEP, 0))))

    moments = []
    pair('event/batch', '', 0, 99990)
    for i, name in enumerate(('dataloader', 'train_batch', 'forward', 'loss', 'backward')):
        pair(f'event/{name}', '', 10 + i * 19000, 18900 + i * 19000)
        for j in range(12):
            at = 20 + i * 19000 + j * 1500
            pair(f'callback/Monitor{j}/event/{name}', f'{name},Monitor{j}', at, at + dice.randrange(20, 1400))
    for i in range(20):
        at = 7 + i * 4999
        moments.append((at, f'{{"name": "cpu", "cat": "cpu", "ph": "C", "ts": %d, "pid": {rank}, "tid": {tid}, '
                        f'"args": {{"cpu_percent": {dice.uniform(0, 100):.1f}}}}}', ((TIME, at),)))
    for _, line, holes in sorted(moments, key=lambda moment: moment[0]):
        block.add(line, *holes)
    block.length_us = 100000
    return block


def smdebug(dice, rank):
    block = Block()
    for i in range(400):
        at = i * 50
        block.add('{"name": "%s", "ph": "X", "pid": %d, "ts": %%d, "dur": %d, "args": {"step_num": %%d, "layer_name": "block%d"}}'
                  % (dice.choice(('Step:ModeKeys.TRAIN', 'forward', 'backward', 'DataIterator::GetNext', 'Conv2D')),
                     i % 8 + 1, dice.randrange(1, 380), i % 60), (TIME, at), (STEP, 0))
    block.length_us = 20000
    return block


def job(dice, rank):
    """Returns a block of the timeline for rank 0, otherwise a block of system metrics; both have 112 lines for each 100 ms."""
    block, row = Block(), '{"name": "%s", "ph": "X", "pid": %d, "ts": %%d, "dur": %d, "args": {"step_num": "%%d", "layer_name": "%s"}}'
    if rank == 0:
        block.add(row % ('Step:ModeKeys.TRAIN', 1, dice.randrange(60000, 95000), 'Step:ModeKeys.TRAIN'), (TIME, 0), (STEP, 0))
        for i in range(111):
            name = dice.choice(('forward', 'backward', 'DataIterator::GetNext', 'Conv2D'))
            block.add(row % (name, i % 7 + 2, dice.randrange(1, 1800), f'block{i % 60}'), (TIME, 20 + i * 850), (STEP, 0))
        block.length_us = 100000
        return block
    devices = [(f'gpu{i}', 'gpu', ('GPUUtilization', 'GPUMemoryUtilization')) for i in range(8)]
    devices += [(f'cpu{i}', 'cpu', ('CPUUtilization', 'I/OWaitPercentage')) for i in range(48)]
    for name, kind, dimensions in devices:
        for dimension in dimensions:
            block.add('{"Type": "%s", "Name": "%s", "Dimension": "%s", "Value": %.2f, "NodeId": "algo-1", "Timestamp": %%f}'
                      % (kind, name, dimension, dice.choice((dice.uniform(0, 12), dice.uniform(0, 100)))), (TIME, dice.random() / 500))
    block.length_us = 0.1  # system metrics have times in seconds
    return block


def plain(dice, rank, threads, frames, args='', calls=40):
    """Returns a block of call stacks: complete events, one event per line."""
    block, pid = Block(), 1000 + rank
    for thread in range(threads):
        for call in range(calls):
            at, long = call * (frames * 3 + 20), frames * 2 + 10
            for level in range(frames):
                name = f'{dice.choice(AREAS)[:-3].replace("/", ".")}.f{dice.randrange(40)}'
                block.add('{"ph":"X","cat":"python","name":"%s","pid":%d,"tid":%d,"ts":%%f,"dur":%d.%03d,"args":{"id":%%d%s}}'
                          % (name, pid, pid + thread, long - 2 * level, dice.randrange(1000), args),
                          (TIME, at + level + dice.random() / 2), (ID, call))
    block.length_us = calls * (frames * 3 + 20)
    return block


def counters(dice, rank):
    block = Block()
    for i in range(1000):
        block.add('{"ph":"C","name":"gpu%d memory","pid":%d,"tid":0,"ts":%%f,"args":{"allocated":%%d,"reserved":%d,"active":%d,'
                  '"fragmentation":%.4f}}' % (i % 8, 1000 + rank, dice.randrange(10**10), dice.randrange(10**10), dice.random()),
                  (TIME, i * 10), (ID, dice.randrange(10**9)))
    block.length_us = 10000
    return block


def disorder(dice, rank):
    block = plain(dice, rank, 4, 5)
    dice.shuffle(block.lines)
    return block


MANY_ARGS = ',"stack":"' + ';'.join(f'site-packages/model/layer_{i}.py({i * 7}): forward' for i in range(45)) + '"'
KINDS = {
    'kineto': kineto, 'even': even, 'composer': composer, 'smdebug': smdebug, 'job': job, 'counters': counters, 'disorder': disorder,
    'lean': lambda dice, rank: plain(dice, rank, 4, 5, ',"stream":7'),
    'deep': lambda dice, rank: plain(dice, rank, 2, 200, calls=4),
    'wide': lambda dice, rank: plain(dice, rank, 2000, 3, calls=1),
    'args': lambda dice, rank: plain(dice, rank, 4, 5, MANY_ARGS),
}


def head(kind, rank, ranks):
    if kind in ('kineto', 'even'):
        return ('{\n  "schemaVersion": 1,\n  "deviceProperties": [\n    {\n      "id": 0, "name": "Made-up accelerator"\n    }\n  ],\n'
                f'  "distributedInfo": {{"backend": "nccl", "rank": {rank}, "world_size": {ranks}}},\n'
                f'  "displayTimeUnit": "ms",\n  "baseTimeNanoseconds": {EPOCH_US * 1000},\n  "traceEvents": [\n')
    if kind == 'composer':
        meta = (('process_name', f'"name": "Rank {rank} training loop process"'), ('global_rank', f'"value": {rank}'),
                ('clock_sync_timestamp_us', f'"value": {EPOCH_US + rank * 37}'), ('clock_sync_error_bound', '"value": 90'))
        return '[\n' + ''.join(f'{{"name": "{name}", "cat": "", "ph": "M", "ts": {EPOCH_US}, "pid": {rank}, "tid": {6000 + rank}, '
                               f'"args": {{{args}}}}},\n' for name, args in meta)
    if kind == 'job' and rank > 0:
        return ''
    if kind in ('smdebug', 'job'):
        names = ('Step:ModeKeys.TRAIN' if kind == 'job' else 'Step', 'Forward', 'Backward', 'DataIterator', 'Dataset', 'gpu_functions', 'cpu_functions', 'Other')
        return ('[\n{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": %d}},\n' % EPOCH_US
                + ''.join('{"name": "process_name", "ph": "M", "pid": %d, "args": {"name": "%s"}},\n' % pair
                          for pair in enumerate(names, 1)))
    return '{"displayTimeUnit":"ms","traceEvents":[\n'


def tail(kind, rank):
    """Returns a last metadata event, so that the list does not end with a comma."""
    if kind == 'job' and rank > 0:
        return ''
    pid = {'kineto': 70000, 'even': 70000, 'composer': 0}.get(kind, 1000) + rank
    last = f'{{"name": "process_sort_index", "ph": "M", "pid": {pid}, "tid": 0, "ts": 0, "args": {{"sort_index": {rank}}}}}\n]'
    return last + ('\n' if kind in ('composer', 'smdebug', 'job') else f',"traceName":"rank {rank}"}}\n')


def file_name(kind, rank):
    if kind == 'job':  # file names contain the time of the last event; this time is after the end of any generated job
        return ('profiler-output/framework/pevents/2024123108/%d_0-algo-1_pythontimeline.json' % (EPOCH_US + 10**11) if rank == 0
                else 'profiler-output/system/incremental/2024123108/%d.algo-1.json' % (EPOCH_US // 10**6))
    return {'kineto': f'rank-{rank}.pt.trace.json', 'even': f'rank-{rank}.pt.trace.json', 'composer': f'ep0-ba0-rank{rank}.json',
            'smdebug': f'profiler-output/framework/pevents/2024123108/{EPOCH_US + rank}_{rank}-algo-1_pythontimeline.json',
            }.get(kind, f'rank{rank}.json')


def write_file(task):
    kind, rank, ranks, n_bytes, folder = task
    dice = random.Random(rank * 1009 + 7)
    path, start = folder / file_name(kind, rank), EPOCH_US if kind == 'composer' else 1000
    is_samples = kind == 'job' and rank > 0
    if is_samples:
        start = EPOCH_US / 10**6
    blocks = [KINDS[kind](dice, rank).seal('\n' if is_samples else ',\n') for _ in range(1 if n_bytes < 5 * 10**6 else 4)]
    long, most = max(block.length_us for block in blocks), max(block.n_events for block in blocks)
    path.parent.mkdir(parents=True, exist_ok=True)
    n = max(1, round(n_bytes / (sum(len(block.fill(start, 10**6, 1)) for block in blocks) / len(blocks))))
    stride = next(k for k in range(n * 5 // 8 + 1, 2 * n + 2) if math.gcd(k, n) == 1) if kind == 'disorder' else 1
    with open(path, 'wb', buffering=1 << 20) as file:
        file.write(head(kind, rank, ranks).encode())
        for i in range(n):
            at = i * stride % n
            file.write(blocks[at % len(blocks)].fill(start + at * long, at * most + 1, at))
        file.write(tail(kind, rank).encode())
    return path


def pack(task):
    source, target = task
    target.parent.mkdir(parents=True, exist_ok=True)
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    with open(source, 'rb') as plain_file, open(target, 'wb') as packed:
        while text := plain_file.read(1 << 20):
            packed.write(packer.compress(text))
        packed.write(packer.flush())


def parse_size(text):
    return int(float(text.rstrip('KMG')) * UNITS.get(text[-1], 1))


def inputs(cache, kind, size, n_files=1, gzip=False):
    """Writes the files unless they exist, and returns their paths. Removes files of older versions of this script."""
    version = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]
    for old in Path(cache).glob('inputs-*'):
        if old.name != f'inputs-{version}':
            shutil.rmtree(old)
    folder = Path(cache) / f'inputs-{version}' / f'{kind}-{size}-{n_files}{"-gz" if gzip else ""}'
    if not folder.exists():
        part = folder.with_name(folder.name + '.part')
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        with multiprocessing.Pool() as pool:
            if gzip:
                sources = inputs(cache, kind, size, n_files)
                names = [Path(source).relative_to(folder.with_name(folder.name[:-3])) for source in sources]
                pool.map(pack, [(source, part / f'{name}.gz') for source, name in zip(sources, names)], 1)
            else:
                pool.map(write_file, [(kind, rank, n_files, parse_size(size) / n_files, part) for rank in range(n_files)], 1)
        part.rename(folder)
    return sorted(str(path) for path in folder.rglob('*') if path.is_file())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('cache')
    parser.add_argument('kind', choices=KINDS)
    parser.add_argument('size')
    parser.add_argument('files', nargs='?', type=int, default=1)
    parser.add_argument('--gzip', action='store_true')
    options = parser.parse_args()
    print(*inputs(options.cache, options.kind, options.size, options.files, options.gzip), sep='\n')


if __name__ == '__main__':
    sys.exit(main())
