# SPDX-License-Identifier: Apache-2.0
"""Tests a run whose ranks were recorded by different profilers, with system metrics: on the common timeline the collectives of all
ranks end at the same time, and merging loses nothing."""

import json
import re
import sys
import tempfile
from pathlib import Path

import harness
from harness import Cli, Tap, check, same

RANKS = 4
SKEW_NS = 30_000_000
ALIGNED_NS = 5000


def make(shared, folder, kind):
    return json.loads(harness.generate(folder, 'make-binary-traces.py', kind, harness.OUT, '--ranks', RANKS, '--events', 1000, '--skew', SKEW_NS, '--seed', 5))


def write_kineto(cli, source, target, rank):
    """Writes the events of a generated trace as a trace of PyTorch's profiler."""
    events = cli.dump(source)
    origin_ns = min(event['ts_ns'] for event in events)
    base_ns = origin_ns - origin_ns % 10**9
    tids = {}
    lines = [{'ph': 'M', 'name': 'process_labels', 'pid': 0, 'tid': 0, 'ts': 0, 'args': {'labels': 'GPU 0'}}]
    for event in events:
        if event['ph'] != 'X':
            continue
        device = 'Kernel' in event['name'] or 'kernel' in event['cat'] or 'GPU' in event['process'] or 'stream' in event['thread'].lower()
        tid = tids.setdefault((device, event['thread']), 7 + len(tids))
        since_ns = event['ts_ns'] - base_ns
        lines.append({'ph': 'X', 'cat': 'kernel' if device else 'cpu_op', 'name': event['name'], 'pid': 0 if device else 4000 + rank, 'tid': tid,
                      'ts': f'{since_ns // 1000}.{since_ns % 1000:03}', 'dur': f'{event["dur_ns"] // 1000}.{event["dur_ns"] % 1000:03}'})
    text = json.dumps({'schemaVersion': 1, 'distributedInfo': {'rank': rank, 'world_size': RANKS}, 'baseTimeNanoseconds': base_ns, 'traceEvents': lines})
    for key in ('ts', 'dur'):  # converts quoted times to numbers, with more digits than a double has
        text = re.sub(rf'"{key}": "([0-9.]+)"', rf'"{key}": \1', text)
    target.write_text(text)
    return len(lines) - 1


def write_metrics(folder, begin_ns, end_ns):
    """Writes system metrics of SageMaker's profiler: a sample of one GPU and one core every 500 ms."""
    place = folder / 'system' / 'incremental' / '2026092115'
    place.mkdir(parents=True)
    lines = []
    for i in range(int(begin_ns // 5e8), int(end_ns // 5e8) + 2):
        for kind, name, dimension in (('gpu', 'gpu0', 'GPUUtilization'), ('cpu', 'cpu0', 'CPUUtilization')):
            lines.append({'Type': kind, 'Name': name, 'Dimension': dimension, 'Value': float(i % 100), 'Timestamp': i / 2, 'NodeId': 'algo-1'})
    (place / f'{int(begin_ns // 6e10 * 60)}.algo-1.json').write_text('\n'.join(json.dumps(line) for line in lines) + '\n')
    return len(lines)


def collect(cli, place):
    return sorted((event['ts_ns'], event['dur_ns'], event['name'], event['rank']) for event in cli.dump(place) if event['ph'] == 'X')


ARROWS = """select f.name, f.category, a.name as source, a.start as source_ns, a.duration as source_dur_ns, b.name as target, b.start as target_ns,
  b.duration as target_dur_ns, a.rank from flow f join span a on a.id = f.from_id join span b on b.id = f.to_id order by 4, 7, 3, 6, 5, 8, 9"""


def check_arrows(cli, shared, folder):
    """Arrows of traces of PyTorch, Nsight and ROCm connect the same spans after a merged file is read again."""
    files = Path(folder) / 'arrows'
    harness.generate_parallel(files / 'torch', '--dp', '2', '--tp', '1', '--pp', '1', '--steps', '2')
    make(shared, files / 'nsight', 'nsight')
    make(shared, files / 'rocm', 'rocpd')
    merged = Path(folder) / 'arrows.json'
    cli.must('merge', '--quiet', files, '-o', merged)
    found = [json.loads(cli.must('query', '--quiet', '--format', 'json', place, ARROWS).stdout) for place in (files, merged)]
    check(len(found[0]) > 1000 and any(arrow['category'] == 'ac2g' for arrow in found[0]), f'{len(found[0])} arrows')
    same(found[1], found[0], 'arrows of the merged file')
    print(f'# {len(found[0])} arrows')


def check_mixed(cli, shared, folder):
    files = Path(folder) / 'mixed'
    files.mkdir()
    skews = {}
    for kind, ranks in (('nsight', (1, 3)), ('pftrace', (0, 2))):
        truth = make(shared, Path(folder) / kind, kind)['files']
        for rank in ranks:
            skews[rank] = truth[rank]['skew_ns']
            source = Path(folder) / kind / truth[rank]['file']
            if kind == 'nsight':
                source.rename(files / truth[rank]['file'])
            else:
                check(write_kineto(cli, source, files / f'rank{rank}.pt.trace.json', rank) > 900, 'too few events')
    spans = collect(cli, files)
    n_samples = write_metrics(files, spans[0][0], spans[-1][0])
    info = cli.info(files)
    same({source['format'] for source in info['sources']}, {'nsight', 'kineto', 'smdebug-system'}, 'formats')
    offsets = {source['rank']: source['clock']['offset_ns'] for source in info['sources'] if source['format'] != 'smdebug-system'}
    same(sorted(offsets), list(range(RANKS)), 'ranks')
    for rank, offset in offsets.items():
        error = (offset + skews[rank]) - (offsets[0] + skews[0])
        check(abs(error) <= ALIGNED_NS, f'rank {rank} is off by {error} ns')
    spans = collect(cli, files)
    merged = Path(folder) / 'merged.json'
    cli.must('merge', files, '-o', merged)
    same(len(collect(cli, merged)), len(spans), 'number of spans')
    same(collect(cli, merged), spans, 'spans of the merged file')
    counters = [event for event in cli.dump(merged) if event['ph'] == 'C' and event['name'].startswith(('gpu', 'cpu', 'GPU', 'CPU'))]
    check(len(counters) >= n_samples, f'{len(counters)} samples of {n_samples}')
    ends = {}
    for ts_ns, dur_ns, name, rank in spans:
        if 'AllReduce' in name and 'Kernel' in name:
            ends.setdefault(rank, []).append(ts_ns + dur_ns)
    same({rank: len(times) for rank, times in ends.items()}, {rank: len(ends[0]) for rank in range(RANKS)}, 'collectives')
    worst = max(max(times) - min(times) for times in zip(*ends.values()))
    check(worst <= 2 * ALIGNED_NS, f'ends of a collective differ by {worst} ns')
    print(f'# {len(spans)} spans, {len(counters)} samples; ends of {len(ends[0])} collectives within {worst} ns')


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    shared = harness.shared_folder('.').resolve()
    harness.need(shared / 'tools')
    with tempfile.TemporaryDirectory() as folder:
        tap.case('mixed', check_mixed, cli, shared, folder)
        tap.case('arrows', check_arrows, cli, shared, folder)
    tap.done()


main()
