# SPDX-License-Identifier: Apache-2.0
"""Compares figures computed from spans (devices by rank, busy time, kernels, waits for data) with a second implementation in this
file, which reads the events with exact decimal times and computes unions of intervals and percentiles by sorting. Kinds of kernels
follow the rule of Holistic Trace Analysis (HTA) where it applies. Usage: test-computed.py PRINT_COMPUTED"""

import gzip
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import Tap, same, shared_folder  # noqa: E402

PROGRAM = str(Path(sys.argv[1]).resolve())
CORPUS = shared_folder('corpus')
KERNELS, COPIES = ('kernel', 'Kernel'), {'gpu_memcpy': 'memcpy', 'Memcpy': 'memcpy', 'gpu_memset': 'memset', 'Memset': 'memset'}
RUNS = ['hta/amd_trace/*.gz', 'hta/critical_path/*/*.gz', 'hta/df_index_resolver/*.gz', 'hta/nccl_parser_config/*.gz',
        'hta/ns_resolution_trace/*.gz', 'hta/timeline_analysis/*.gz', 'hta/trace_diff/control/*.gz', 'hta/trace_diff/test/*.gz',
        'hta/trace_filter/*.gz', 'hta/triton_example/*.gz', 'kineto/samples/*/*.gz', 'kineto/samples_2020_array/*/*.gz',
        'kineto/tb_plugin_test/*.json', 'param/linear_kineto.json.gz', 'param/dlrm_kineto/*.json', 'tracelens/b200/*.gz',
        'tracelens/mi210/*/*.gz', 'tracelens/mi300/*/*.gz', 'tracelens/torch_compile_triton/*.gz']


def computed(*paths):
    result = subprocess.run([PROGRAM, *map(str, paths)], capture_output=True, text=True, timeout=120, check=True)
    return json.loads(result.stdout)


# --- second implementation ---


def read(path):
    """Returns complete events with begin and end in ns of the file's own clock."""
    data = Path(path).read_bytes()
    if data[:2] == b'\x1f\x8b':
        data = gzip.decompress(data)
    document = json.loads(data.decode('utf-8', 'replace'), parse_float=Decimal, strict=False)
    events = document['traceEvents'] if isinstance(document, dict) else document
    found = []
    for event in events:
        if isinstance(event, dict) and event.get('ph') == 'X' and 'dur' in event:
            begin, length = Decimal(event['ts']), Decimal(event['dur'])
            found.append((int(begin * 1000 // 1), int((begin + length) * 1000 // 1), event))
    return found


def kind_of(event):
    """Returns the kind of an event by the rule of HTA, plus two names that are newer than HTA."""
    category, name = event.get('cat'), event['name']
    if category in COPIES:
        if 'Memcpy' not in name and 'Memset' not in name and not name.startswith(('Copy', 'Fill')):
            raise AssertionError(f'a copy that is none by its name: {name}')
        return COPIES[category]
    if category not in KERNELS:
        return None
    return 'communication' if any(word in name for word in ('ncclKernel', 'ncclDevKernel', 'multimem_all_reduce')) else 'compute'


def union(intervals):
    joined = []
    for begin, end in sorted(intervals):
        if joined and begin <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([begin, end])
    return joined


def length(intervals):
    return sum(end - begin for begin, end in intervals)


def intersection(first, second):
    """Returns the total length of the intersection of two unions of intervals."""
    total, i, k = 0, 0, 0
    while i < len(first) and k < len(second):
        total += max(0, min(first[i][1], second[k][1]) - max(first[i][0], second[k][0]))
        if first[i][1] < second[k][1]:
            i += 1
        else:
            k += 1
    return total


def percentile(values, q):
    at, rest = divmod(q * (len(values) - 1), 100)
    low, high = values[at], values[min(at + 1, len(values) - 1)]
    return low + (rest * (high - low) + 50) // 100


def breakdown(events):
    kinds = defaultdict(list)
    for begin, end, event in events:
        kinds[kind_of(event)].append((begin, end))
    kinds.pop(None, None)
    everything = [one for of_kind in kinds.values() for one in of_kind]
    if not everything:
        return None
    compute, communication = union(kinds['compute']), union(kinds['communication'])
    recorded = max(end for _, end in everything) - min(begin for begin, _ in everything)
    idle, overlap = recorded - length(union(everything)), intersection(compute, communication)
    return {'spans': len(everything), 'recorded_ns': recorded, 'idle_ns': idle, 'busy_ns': recorded - idle,
            'compute_ns': length(compute), 'non_compute_ns': recorded - idle - length(compute),
            'communication_ns': length(communication), 'overlap_ns': overlap,
            'exposed_communication_ns': length(communication) - overlap,
            'copy_ns': length(union(kinds['memcpy'] + kinds['memset'])),
            'exposed_copy_ns': length(union(everything)) - length(union(kinds['compute'] + kinds['communication']))}


def kernels(events):
    names = defaultdict(list)
    for begin, end, event in events:
        if kind_of(event):
            names[event['name'], event['cat']].append((end - begin, kind_of(event)))
    table = {}
    for key, spans in names.items():
        values = sorted(value for value, _ in spans)
        table[key] = {'kind': spans[0][1], 'count': len(values), 'total_ns': sum(values), 'min_ns': values[0], 'max_ns': values[-1],
                      'mean_ns': (2 * sum(values) + len(values)) // (2 * len(values)),
                      'p50_ns': percentile(values, 50), 'p95_ns': percentile(values, 95), 'p99_ns': percentile(values, 99)}
    return table


def waits(events):
    """Returns the waits for data, and {step number: sum of their durations}."""
    steps = sorted((begin, end, int(event['name'].split('#')[1])) for begin, end, event in events
                   if event['name'].startswith('ProfilerStep#') and event.get('cat') != 'gpu_user_annotation')
    found, by_step = [], defaultdict(int)
    for begin, end, event in events:
        if event['name'].startswith('enumerate(DataLoader)') and event.get('cat') != 'python_function':
            found.append(end - begin)
            for first, last, number in steps:
                if first <= begin < last:
                    by_step[number] += end - begin
    return found, by_step


# --- comparison ---


def compare(what, ours, wanted):
    for key, value in wanted.items():  # numbers in the document have nine decimals
        same(ours[key], round(value, 9) if isinstance(value, float) else value, f'{what}: {key}')


def compare_file(path):
    document, events = computed(path), read(path)
    wanted = breakdown(events)
    if wanted is None:
        same('missing' in document['ranks'] and 'missing' in document['kernels'], True, 'says that there are no kernels')
        return
    same(len(document['ranks']['ranks']), 1, 'ranks')
    compare('rank', document['ranks']['ranks'][0], wanted)
    table = kernels(events)
    same(sum(row['count'] for row in document['kernels']['kernels']), wanted['spans'], 'spans of kernels')
    same(len(document['kernels']['kernels']), len(table), 'names of kernels')
    for row in document['kernels']['kernels']:
        compare(row['name'], row, table[row['name'], row['category']])
    compare_devices(document, events)
    compare_waits(document, events)


def compare_devices(document, events):
    spans = defaultdict(list)
    for begin, end, event in events:
        if kind_of(event) in ('compute', 'communication'):
            spans[event['pid']].append((begin, end))
    ours = sorted(device['kernel_ns'] for device in document['devices']['devices'] if device['kernel_ns'])
    same(ours, sorted(length(union(one)) for one in spans.values()), 'time of kernels by device')
    for device in document['devices']['devices']:
        known = [value for value in device['utilization'] if value is not None]
        if not known or min(known) < 0 or max(known) > 100 + 1e-9:
            raise AssertionError(f'utilization {known}')


def compare_waits(document, events):
    found, by_step = waits(events)
    if not found:
        same('missing' in document['data_loading'], True, 'says that there are no waits')
        return
    rank = document['data_loading']['ranks'][0]
    values = sorted(found)
    middle = (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
    compare('waits', rank, {'waits': len(found), 'total_ns': sum(found), 'max_ns': max(found), 'median_ns': middle})
    same(len(rank['outliers']), sum(value > 2 * middle for value in found), 'outliers')
    same({step['step']: step['wait_ns'] for step in rank['steps']}, dict(by_step), 'waits by step')


# --- hand-made runs ---


def span(name, cat, pid, tid, ts, dur, **args):
    return {'ph': 'X', 'name': name, 'cat': cat, 'pid': pid, 'tid': tid, 'ts': ts, 'dur': dur, 'args': args}


def write_rank(folder, rank, shift):
    label = {'ph': 'M', 'name': 'process_labels', 'pid': 0, 'tid': 0, 'ts': 0, 'args': {'labels': 'GPU 0'}}
    events = [label, span('ProfilerStep#3', 'user_annotation', 900, 900, 0, 100),
              span('enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', 'user_annotation', 900, 900, 5, 15),
              span('gemm', 'kernel', 0, 7, 20 + shift, 30), span('ncclDevKernel_AllReduce', 'kernel', 0, 20, 40 + shift, 30),
              span('Memcpy DtoH (Device -> Pinned)', 'gpu_memcpy', 0, 7, 90, 10)]
    path = Path(folder) / f'rank{rank}.1.pt.trace.json'
    path.write_text(json.dumps({'schemaVersion': 1, 'distributedInfo': {'rank': rank}, 'baseTimeNanoseconds': 1735632360000000000,
                                'traceEvents': events}))
    return path


def two_ranks():
    """Writes and checks two ranks. Rank 0 computes in [20, 50) µs, communicates in [40, 70) µs and copies in [90, 100)
    µs. Rank 1 computes and communicates 5 µs later."""
    with tempfile.TemporaryDirectory() as folder:
        document = computed(*(write_rank(folder, rank, 5 * rank) for rank in range(2)))
    for rank, idle in ((0, 20), (1, 15)):
        compare(f'rank {rank}', document['ranks']['ranks'][rank],
                {'rank': rank, 'sources': [rank], 'recorded_ns': (80 - 5 * rank) * 1000, 'idle_ns': idle * 1000, 'compute_ns': 30000,
                 'communication_ns': 30000, 'overlap_ns': 10000, 'exposed_communication_ns': 20000, 'copy_ns': 10000,
                 'exposed_copy_ns': 10000, 'overlap_percent': 100 / 3})
        compare(f'waits of {rank}', document['data_loading']['ranks'][rank],
                {'rank': rank, 'waits': 1, 'total_ns': 15000, 'steps_ns': 100000, 'percent_of_steps': 15.0})
    kinds = {row['kind']: row for row in document['work']['kinds']}
    compare('compute', kinds['compute'], {'side': 'device', 'spans': 2, 'self_ns': 60000, 'percent_of_side': 100 * 60 / 140})
    compare('annotation', kinds['annotation'], {'side': 'host', 'in_range_ns': 200000, 'self_ns': 170000, 'percent_of_side': 85.0})
    same([device['utilization_percent'] for device in document['devices']['devices']], [62.5, round(100 * 50 / 75, 9)], 'utilization')


def late_rank():
    """Three ranks take part in ten collectives, which end at the same time on all ranks. Before every second collective rank 1 loads
    data for 4 ms; rank 2 always arrives second."""
    with tempfile.TemporaryDirectory() as folder:
        paths, wait, late = [], 0, 0
        for rank in range(3):
            events = [{'ph': 'M', 'name': 'process_labels', 'pid': 0, 'tid': 0, 'ts': 0, 'args': {'labels': 'GPU 0'}}]
            for i in range(10):
                begin, loads = 20000 * i, rank == 1 and i % 2 == 1
                arrival = begin + 2000 + (4000 if loads else 0) + 10 * rank if rank != 2 else begin + 2000 + 5 * (i % 2) + 30
                events.append(span('step', 'user_annotation', 900, 900, begin, 19000))
                events.append(span('gemm', 'kernel', 0, 7, begin + 100 + (4000 if loads else 0), 1500))
                if loads:
                    events.append(span('enumerate(DataLoader)', 'user_annotation', 900, 900, begin + 50, 4000))
                events.append(span('ncclDevKernel_AllReduce', 'kernel', 0, 20, arrival, begin + 10000 - arrival, **{'Seq': i, 'Collective name': 'allreduce'}))
            path = Path(folder) / f'rank{rank}.1.pt.trace.json'
            path.write_text(json.dumps({'schemaVersion': 1, 'distributedInfo': {'rank': rank}, 'baseTimeNanoseconds': 1735632360000000000,
                                        'traceEvents': events}))
            paths.append(path)
        document = computed(*paths)['collectives']
    even, odd = [2000, 2010, 2030], [2000, 6010, 2035]
    wait = 5 * sum(max(one) - value for one in (even, odd) for value in one) * 1000
    transfer = 5 * sum(10000 - max(one) for one in (even, odd)) * 3 * 1000
    compare('collectives', document, {'count': 10, 'wait_ns': wait, 'transfer_ns': transfer})
    same([rank['rank'] for rank in document['ranks']], [1, 2, 0], 'the latest first')
    # The time in µs for which others wait for each rank. While two ranks are still missing, a wait counts half for each
    # of them. In even collectives, rank 0 waits 10 µs for ranks 1 and 2 (10/2 for each of them), then ranks 0 and 1
    # wait 20 µs for rank 2 (20·2). In odd ones, rank 0 waits 35 µs for ranks 1 and 2 (35/2 for each of them), then
    # ranks 0 and 2 wait 3975 µs for rank 1 (3975·2).
    shares = [5 * (10 / 2 + 35 / 2 + 3975 * 2), 5 * (10 / 2 + 20 * 2 + 35 / 2), 0]
    same([rank['others_wait_ns'] for rank in document['ranks']], [round(1000 * share) for share in shares], 'what others waited for')
    same(sum(rank['others_wait_ns'] for rank in document['ranks']), wait, 'the shares add up to all waits')
    same([rank['latest_ns'] for rank in document['ranks']], [4010000, 35000, 0], 'the latest after the first')
    compare('rank 1', document['ranks'][0], {'collectives': 10, 'last': 5, 'late_ns': 5 * 3975 * 1000, 'late_max_ns': 3975000, 'late_median_ns': 3975000,
                                             'before': 'enumerate(DataLoader)', 'before_on': 'host', 'before_ns': 5 * 4000 * 1000})
    same(document['ranks'][0]['correlation'] > 0.999, True, 'it is late when it loads')
    compare('rank 2', document['ranks'][1], {'last': 5, 'late_ns': 5 * 20 * 1000})
    compare('rank 0', document['ranks'][2], {'last': 0, 'late_ns': 0, 'wait_ns': 5 * (30 + 4010) * 1000})
    first = document['held_up'][0]
    compare('the first that was held up', first, {'name': 'allreduce', 'sequence': 1, 'late_by_ns': 3975000, 'transfer_ns': 3990000})
    same([member['rank'] for member in first['members']], [0, 2, 1], 'members by arrival')
    same([member['wait_ns'] for member in first['members']], [4010000, 3975000, 0], 'waits')


def slow_operations():
    """The example of formats/analysis-2.md, section 7: in two data-parallel ranks with spans of Megatron's phases, the second step is
    slower on one rank. Times are in ms."""
    events = [{'ph': 'M', 'name': 'thread_name', 'pid': row, 'tid': 0, 'args': {'name': 'PP rank 0, TP rank 0, compute'}} for row in range(2)]
    for step, begin, lengths in ((1, 0, (10, 10)), (2, 100, (10, 16))):
        for row, forward in enumerate(lengths):
            meet = begin + 3 * max(lengths)
            for name, start, length in (('forward-compute', begin, forward), ('backward-compute', begin + forward, 2 * forward),
                                        ('grads-reduce-scatter', meet, 4), ('optimizer', meet + 4, 0)):
                events.append(span(name, name, row, 0, 1000 * start, 1000 * length, step=step, seq_id=0, mb_id=0, model_chunk=0))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'timeline.json'
        path.write_text(json.dumps(events))
        document = computed(path)['slowdown']
    compare('job', document, {'computed_from': 'operations', 'step_ns': 43000000, 'replayed_step_ns': 43000000, 'ideal_step_ns': 38500000,
                              'typical_step_ns': 34000000, 'fit': 1})
    same([round(step['slowdown'], 6) for step in document['steps']], [0.883117, 1.350649], 'steps')
    check_slowdown(document, 'rows', 'forward-compute', 'backward-compute')
    same([[round(value, 6) for value in row['steps']] for row in document['rows']][1], [1, 1.350649], 'steps of the slow rank')
    same([rank.get('saved_ns') for rank in document['ranks']], [0, 9000000], 'saved')


def many_rows():
    """33 data-parallel ranks with spans of Megatron's phases, of which rank 20 is slow. S is computed for the 16 that lose most time."""
    events = []
    for row in range(33):
        events.append({'ph': 'M', 'name': 'thread_name', 'pid': row, 'tid': 0, 'args': {'name': 'PP rank 0, TP rank 0, compute'}})
        for step in range(2):
            length = 16 if row == 20 else 10 + row / 100
            for name, start, lasts in (('forward-compute', 0, length), ('backward-compute', length, 2 * length), ('grads-reduce-scatter', 48, 4), ('optimizer', 52, 0)):
                events.append(span(name, name, row, 0, 1000 * (100 * step + start), 1000 * lasts, step=step + 1, seq_id=0, mb_id=0, model_chunk=0))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'timeline.json'
        path.write_text(json.dumps(events))
        document = computed(path)['slowdown']
    rows = {row['number']: row['slowdown'] for row in document['rows']}
    same((sorted(rows), max(rows, key=rows.get)), ([17, 18, 19, 20, *range(21, 33)], 20), 'ranks with S')
    same([rank['row'] for rank in document['ranks'] if rank['slowdown'] is not None], sorted(rows), 'workers with S')
    same([document['ranks'][i]['row'] for i in document['stragglers']['ranks']], [20], 'stragglers')
    same(document['worst_workers'] > 0.9, True, 'M_W')


def check_slowdown(document, ranks, forward, backward):
    same(round(document['slowdown'], 6), 1.116883, 'S')
    same([round(row['slowdown'], 6) for row in document[ranks]], [1, 1.175325], 'S of ranks')
    operations = {row['name']: round(row['slowdown'], 6) for row in document['operations']}
    same((operations[forward], operations[backward]), (1.038961, 1.077922), 'S of operations')
    same(round(document['worst_workers'], 9), 1, 'M_W')


def slow_kernels():
    """The example of slow_operations() with kernels and times in µs: each step launches three kernels and waits for the device."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for rank in range(2):
            events = [{'ph': 'M', 'name': 'process_labels', 'pid': 0, 'tid': 0, 'ts': 0, 'args': {'labels': 'GPU 0'}}]
            for step, begin, forward, meet in ((1, 0, 10, 30), (2, 34, 10 + 6 * rank, 82)):
                events.append(span(f'ProfilerStep#{step}', 'user_annotation', 900, 900, begin, meet + 4 - begin))
                kernels = [('forward', begin, forward), ('backward', begin + forward, 2 * forward),
                           ('ncclDevKernel_AllReduce', begin + 3 * forward, meet + 4 - begin - 3 * forward)]
                for i, (name, start, length) in enumerate(kernels):
                    args = {'Seq': step, 'Collective name': 'allreduce'} if i == 2 else {}
                    launch = 10 * step + i
                    events.append(span('cudaLaunchKernel', 'cuda_runtime', 900, 900, begin + i, 0.5, correlation=launch))
                    events.append(span(name, 'kernel', 0, 7, start, length, correlation=launch, **args))
                    flow = {'cat': 'ac2g', 'name': 'ac2g', 'id': launch}
                    events.append({'ph': 's', 'pid': 900, 'tid': 900, 'ts': begin + i, **flow})
                    events.append({'ph': 'f', 'pid': 0, 'tid': 7, 'ts': start, 'bp': 'e', **flow})
                events.append(span('cudaDeviceSynchronize', 'cuda_runtime', 900, 900, begin + 3, meet + 4 - begin - 3))
            path = Path(folder) / f'rank{rank}.1.pt.trace.json'
            path.write_text(json.dumps({'schemaVersion': 1, 'distributedInfo': {'rank': rank}, 'baseTimeNanoseconds': 1735632360000000000,
                                        'traceEvents': events}))
            paths.append(path)
        document, alone = computed(*paths)['slowdown'], computed(paths[0])['slowdown']
    compare('job', document, {'computed_from': 'kernels', 'step_ns': 43000, 'replayed_step_ns': 43000, 'ideal_step_ns': 38500, 'fit': 1})
    same([step['measured_ns'] for step in document['steps']], [34000, 52000], 'steps')
    check_slowdown(document, 'ranks', 'forward', 'backward')
    same([rank['saved_ns'] for rank in document['ranks']], [0, 9000], 'saved')
    same([rank['excess_ns'] for rank in document['ranks']], [0, 9000], 'longer than typical')
    same(document['ranks'][1]['steps'], [1, 1.6], 'cells')
    same(document['waits_ns'], 18000, 'waits in collectives')
    same([rank['caused_ns'] for rank in document['ranks']], [0, 18000], 'waits that a rank causes')
    same(document['stragglers'], {'saved_ns': 9000, 'caused_ns': 18000, 'ranks': [1]}, 'stragglers')
    same('two ranks' in alone['missing'], True, 'one rank alone')


def pipeline():
    """A pipeline of 4 stages with 8 microbatches and nothing but forward (1 ms) and backward (2 ms): 3/11 of the 33 ms of each stage
    are bubbles (Narayanan et al.). Pipeline groups are named by a device mesh; tensor groups are recognized by the number of their
    collectives."""
    stages, micro, ms = 4, 8, 1000
    plan = {stage: [] for stage in range(stages)}  # (kind, microbatch) in the order of 1F1B
    for stage, work in plan.items():
        first = min(stages - 1 - stage, micro)
        work += [('F', i) for i in range(first)]
        for i in range(micro - first):
            work += [('F', first + i), ('B', i)]
        work += [('B', i) for i in range(micro - first, micro)]
    ends, place = {}, dict.fromkeys(plan, 0)
    free = dict.fromkeys(plan, 0)
    rows = {stage: [] for stage in plan}
    while any(place[stage] < len(plan[stage]) for stage in plan):
        for stage, work in plan.items():
            if place[stage] == len(work):
                continue
            kind, i = work[place[stage]]
            other = (kind, i, stage - 1 if kind == 'F' else stage + 1)
            if 0 <= other[2] < stages and other not in ends:
                continue
            begin = max(free[stage], ends.get(other, 0))
            ends[kind, i, stage] = free[stage] = begin + (1 if kind == 'F' else 2)
            rows[stage].append((kind, i, begin))
            place[stage] += 1
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for stage in range(stages):
            for pair in range(2):
                rank = 2 * stage + pair
                paths.append(Path(folder) / f'rank{rank}.pt.trace.json')
                write_stage(paths[-1], rank, rows[stage], ends, stages, ms)
        document = computed('--aligned', *paths)['parallel']
    same(document['grid'], True, 'grid')
    same([(axis['axis'], axis['groups'], axis.get('size')) for axis in document['axes']],
         [('tensor', 4, 2), ('pipeline', 2, 4)], 'axes')
    same({(group['axis'], group['stated']) for group in document['groups']}, {('tensor', False), ('pipeline', True)}, 'stated')
    same([group['ranks'] for group in document['groups'] if group['axis'] == 'pipeline'], [[0, 2, 4, 6], [1, 3, 5, 7]], 'stages in order')
    same((document['ranks'][5]['tensor'], document['ranks'][5]['pipeline']), (1, 2), 'coordinates')
    for step in document['bubbles']['steps']:
        same(step['window_ns'], 33 * ms * 1000, 'window')
        same([stage['bubble_ns'] for stage in step['stages']], [9 * ms * 1000] * stages, 'bubbles')
        # the first stage waits for its first gradient, the last one for the first activation
        same((step['stages'][0]['warm_up_ns'], step['stages'][stages - 1]['warm_up_ns']), (6 * ms * 1000, 3 * ms * 1000), 'warm-up')
        same((round(step['fraction'], 6), round(step['ideal_fraction'], 6)), (0.272727, 0.272727), 'fraction')
    same(len(document['bubbles']['steps']), 2, 'a step of two pipelines')


def write_stage(path, rank, rows, ends, stages, ms):
    """Writes the trace of a rank: a step, the kernels of its stage with launches, messages of 1 µs, and 64 all-reduces with the other
    rank of the stage."""
    def comms(name, group, ranks, seq, **more):
        return {'Collective name': name, 'In msg nelems': 64, 'Out msg nelems': 64, 'dtype': 'Float', 'Group size': len(ranks),
                'Process Group Name': group, 'Process Group Ranks': str(ranks), 'Seq': seq, **more}
    stage, pair = rank // 2, rank % 2
    end = 33 * ms + 200
    events = [span('ProfilerStep#1', 'user_annotation', 9, 9, 0, end)]
    for n, (kind, i, begin) in enumerate(rows):
        thread = 9 if kind == 'F' else 10
        events += [span('cudaLaunchKernel', 'cuda_runtime', 9, thread, begin * ms, 1, correlation=n + 1),
                   span(f'gemm_{kind}', 'kernel', 0, 7, begin * ms, ms * (1 if kind == 'F' else 2), correlation=n + 1, device=0, stream=7),
                   {'ph': 's', 'cat': 'ac2g', 'name': 'ac2g', 'id': n + 1, 'pid': 9, 'tid': thread, 'ts': begin * ms},
                   {'ph': 'f', 'cat': 'ac2g', 'name': 'ac2g', 'id': n + 1, 'pid': 0, 'tid': 7, 'ts': begin * ms, 'bp': 'e'}]
        to = stage + (1 if kind == 'F' else -1)
        for sends, peer, at in ((True, to, begin + (1 if kind == 'F' else 2)), (False, 2 * stage - to, begin)):
            if not 0 <= peer < stages:
                continue
            source, target = (rank, 2 * peer + pair) if sends else (2 * peer + pair, rank)
            events.append(span('ncclDevKernel_SendRecv', 'kernel', 0, 20 + sends + 2 * (kind == 'B'), at * ms, 1, device=0,
                               **comms('send' if sends else 'recv', 'mesh', [source, target], i,
                                       **{'Src Rank': source, 'Dst Rank': target, 'Process Group Description': 'mesh_pp'})))
    ranks = [rank - pair, rank - pair + 1]
    events += [span('ncclDevKernel_AllReduce', 'kernel', 0, 16, 33 * ms + 2 * n, 1, device=0, **comms('allreduce', 'near', ranks, n)) for n in range(64)]
    path.write_text(json.dumps({'schemaVersion': 1, 'distributedInfo': {'rank': rank, 'world_size': 2 * stages}, 'baseTimeNanoseconds': 1735632360000000000, 'traceEvents': events}))


def experts():
    """Four expert ranks compute 8, 4, 2 and 2 ms between the two all-to-alls of a layer: the busiest rank works 8 ms, twice the mean,
    which costs 4 ms. Work before the first all-to-all and between layers does not count for experts."""
    ms, loads, layers = 1000, (8, 4, 2, 2), 3
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for rank, load in enumerate(loads):
            paths.append(Path(folder) / f'rank{rank}.pt.trace.json')
            events = [span('ProfilerStep#1', 'user_annotation', 9, 9, 0, 20 * layers * ms)]
            for layer in range(layers):
                for half, at in enumerate((3 * ms + rank, 15 * ms)):
                    events.append(span('ncclDevKernel_SendRecv', 'kernel', 0, 20, 20 * layer * ms + at, ms - rank, device=0, **{
                        'Collective name': 'all_to_allv', 'In msg nelems': 64, 'Out msg nelems': 64, 'dtype': 'Float', 'Group size': 4,
                        'Process Group Name': '1', 'Process Group Ranks': '[0, 1, 2, 3]', 'Seq': 2 * layer + half,
                        'Process Group Description': 'EXPERT_MODEL_PARALLEL_GROUP'}))
                events += [span('attention', 'kernel', 0, 7, 20 * layer * ms, 2 * ms, device=0),
                           span('gemm', 'kernel', 0, 7, (20 * layer + 5) * ms, load * ms, device=0),
                           span('Memcpy DtoD', 'gpu_memcpy', 0, 7, (20 * layer + 14) * ms, ms // 2, device=0)]
            path = paths[-1]
            path.write_text(json.dumps({'schemaVersion': 1, 'distributedInfo': {'rank': rank, 'world_size': 4},
                                        'baseTimeNanoseconds': 1735632360000000000, 'traceEvents': events}))
        (group,) = computed('--aligned', *paths)['parallel']['experts']
    same((group['layers'], group['imbalance'], group['cost_ns']), (layers, 2, layers * 4 * ms * 1000), 'layers, imbalance, cost')
    same([(one['rank'], one['load_ns'], one['busiest_layers']) for one in group['ranks']],
         [(rank, layers * load * ms * 1000, layers if load == 8 else 0) for rank, load in enumerate(loads)], 'loads')


def health():
    """Tests that the faults of formats/analysis-2.md, section 11, are found: a kernel that begins 2 µs before its
    launch, a child that ends 0.4 µs after its parent, a kernel without a launch, a launch without a kernel, overlapping
    kernels on a stream, and a wait for an event that is not recorded."""
    events = [{'ph': 'M', 'name': 'process_labels', 'pid': 0, 'tid': 0, 'ts': 0, 'args': {'labels': 'GPU 0'}},
              span('parent', 'cpu_op', 900, 900, 0, 10), span('child', 'cpu_op', 900, 900, 5, 5.4),
              span('cudaLaunchKernel', 'cuda_runtime', 900, 901, 10, 1, correlation=1, **{'External id': 1}),
              span('gemm', 'kernel', 0, 7, 8, 10, correlation=1, stream=7, device=0, **{'External id': 1}),
              span('cudaLaunchKernel', 'cuda_runtime', 900, 901, 20, 1, correlation=2),
              span('gelu', 'kernel', 0, 7, 15, 10, correlation=3, stream=7, device=0),
              span('Stream Wait Event', 'cuda_sync', 0, 8, 30, 1, wait_on_cuda_event_record_corr_id=-1),
              span('Stream Wait Event', 'cuda_sync', 0, 8, 32, 1, wait_on_cuda_event_record_corr_id=5),
              span('cudaEventRecord', 'cuda_runtime', 900, 901, 33, 1, correlation=5),
              span('record_param_comms', 'cpu_op', 900, 901, 40, 1, **{'Collective name': 'allreduce', 'dtype': 'Float'})]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'rank0.1.pt.trace.json'
        path.write_text(json.dumps({'schemaVersion': 1, 'distributedInfo': {'rank': 0}, 'traceEvents': events}))
        document = computed(path)['health']
    checks = {check['check']: check for check in document['traces'][0]['checks']}
    for name, count, of, worst, alarm in (('early-kernels', 1, 1, 2000, True), ('nesting', 1, 6, 400, False), ('kernels-without-launch', 1, 2, None, False),
                                          ('launches-without-kernel', 1, 2, None, False), ('stream-overlaps', 1, 2, 3000, False),
                                          ('waits-without-record', 1, 2, None, True), ('records-later', 1, 1, 1000, True),
                                          ('records-missing', 0, 1, None, False), ('collective-fields', 1, 1, None, False)):
        compare(name, checks[name], {'count': count, 'of': of, 'worst_ns': worst, 'alarm': alarm})
    same(document['alarms'], 3, 'alarms')


def nothing():
    """A file without devices, steps or loaders reports each of them as missing."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'a.json'
        path.write_text(json.dumps([span('f', 'c', 1, 1, 0, 5)]))
        document = computed(path)
    for part in ('ranks', 'devices', 'kernels', 'data_loading', 'collectives'):
        same(bool(document[part].get('missing')), True, part)
    same(document['work']['kinds'][0]['kind'], 'other', 'kind of work')


def eight_ranks(paths):
    """Ranks that are opened together have the same figures as each rank alone."""
    together = computed(*paths)['ranks']['ranks']
    same([one['rank'] for one in together], list(range(8)), 'ranks')
    for one, path in zip(together, paths):
        compare(path.name, one, breakdown(read(path)))


def main():
    tap = Tap()
    tap.case('figures of two hand-made ranks', two_ranks)
    tap.case('waits for a late rank', late_rank)
    tap.case('slow operations of a rank', slow_operations)
    tap.case('slow operations of one of many ranks', many_rows)
    tap.case('slow kernels of a rank', slow_kernels)
    tap.case('a pipeline and its bubbles', pipeline)
    tap.case('experts with unequal loads', experts)
    tap.case('events that contradict each other', health)
    tap.case('a file without devices, steps and loaders', nothing)
    for pattern in RUNS if CORPUS.exists() else []:
        for path in sorted(CORPUS.glob(pattern)):
            tap.case(str(path.relative_to(CORPUS)), compare_file, path)
    if CORPUS.exists():
        tap.case('eight ranks, together and alone', eight_ranks, sorted(CORPUS.glob('param/dlrm_kineto/*.json')))
    tap.done()


main()
