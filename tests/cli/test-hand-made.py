#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests figures of reports on small runs against figures computed by hand.

Usage: test-hand-made.py TRACELOOM-CLI"""

import gzip
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import FAILED, USAGE, Cli, Tap, check, folder, same  # noqa: E402
from kineto import BEGIN, Recording  # noqa: E402


def write_training(place, numbers, n_ranks=2):
    """Writes steps of 1.4 ms (for two ranks) with the given step numbers. Rank r computes for 300 + 100 r µs; then all
    ranks reduce together for 300 µs."""
    for rank in range(n_ranks):
        recording, compute, slowest = Recording(rank, n_ranks), 300 + 100 * rank, 300 + 100 * (n_ranks - 1)
        for i, number in enumerate(numbers):
            begin = i * (1000 + slowest)
            recording.step(number, begin, 1000 + slowest)
            recording.span('aten::mm', 'cpu_op', begin + 10, 50)
            recording.kernel('gemm', begin + 20, begin + 50, compute)
            recording.collective('allreduce', begin + 70, begin + 50 + compute, slowest - compute + 300, range(n_ranks), n_ranks)
            recording.synchronize(begin + 90, 900 + slowest)
        recording.write(place)


def report(cli, place, *options):
    return json.loads(cli.must('report', '--quiet', '--format', 'json', '-o', '-', *options, place).stdout)


def report_text(cli, place, *options):
    return cli.must('report', '--quiet', '--format', 'text', '-o', '-', *options, place).stdout


def get_step_figures(computed):
    slowdown, path = computed['slowdown'], computed['critical_path']
    return [slowdown['step_ns'], slowdown['stragglers']['saved_ns'], [step['step'] for step in slowdown['steps']],
            [step['step'] for step in path['steps']], sum(sum(step['kinds_ns'].values()) for step in path['steps'])]


def test_restart(cli, numbers):
    """If step numbers start again from the beginning, the later steps count as separate steps. Each step takes 1.4 ms,
    of which 0.1 ms is due to the longer computation of rank 1."""
    with folder() as place:
        write_training(place, numbers)
        computed, text = report(cli, place)['computed'], report_text(cli, place)
    same(get_step_figures(computed), [1_400_000, 100_000, numbers, numbers, len(numbers) * 1_400_000], 'figures of steps')
    for part in ('would save 100 µs of each step (7.1 %)', 'Time per Step: 1.40 ms', 'On average, a step is 100 µs longer'):
        check(part in text, f'{part}: {text}')


def test_restart_in_pipeline(cli):
    """Tests a pipeline of two stages in which step numbers start again. Each step has one microbatch and one message
    without a sequence number. Stage 1 computes for 400 µs after stage 0 has computed for 400 µs, so each stage is idle
    for half of that time."""
    with folder() as place:
        for rank in range(2):
            recording = Recording(rank, 2)
            for i, number in enumerate([0, 1, 0, 1]):
                begin = 2000 * i
                recording.step(number, begin, 2000)
                recording.kernel('gemm', begin + 20, begin + 100 + 400 * rank, 400)
                recording.kernel('ncclDevKernel_SendRecv', begin + 40, begin + 500, 10, stream=20,
                                 **{'Collective name': 'send' if rank == 0 else 'recv', 'In msg nelems': 1000, 'Out msg nelems': 1000,
                                    'dtype': 'Float', 'Group size': 2, 'Process Group Name': 'pp', 'Process Group Ranks': '[0, 1]',
                                    'Src Rank': 0, 'Dst Rank': 1})
            recording.write(place)
        bubbles = report(cli, place)['computed']['parallel']['bubbles']
    same([(step['step'], step['fraction']) for step in bubbles['steps']], [(0, 0.5), (1, 0.5), (0, 0.5), (1, 0.5)], 'bubbles')


def write_pair(place, n_steps, longer=0, before=0):
    """Writes two ranks. Rank r records n_steps[r] steps, which are numbered from 3 on and take 1.4 ms + `longer` µs.
    Rank 1 computes for `longer` µs more than rank 0. Rank 0 launches `before` kernels of 50 µs before its first
    step."""
    for rank, n in enumerate(n_steps):
        recording, compute, length = Recording(rank, 2), 400 + longer * rank, 1400 + longer
        for i in range(before if rank == 0 else 0):
            recording.kernel('init', 100 * i, 100 * i + 20, 50)
        for i in range(n):
            begin = 100_000 + i * length
            recording.step(3 + i, begin, length)
            recording.span('aten::mm', 'cpu_op', begin + 10, 50)
            recording.kernel('gemm', begin + 20, begin + 50, compute)
            recording.synchronize(begin + 90, length - 100)
        recording.write(place)


def compare(cli, *arguments):
    return json.loads(cli.must('compare', '--quiet', '--format', 'json', '-o', '-', *arguments).stdout)


def compare_times(cli, *arguments):
    """Returns the rows of the table “Time per step by name”: name → the change of the time per step, and the number of
    spans with this name in each of the two runs."""
    text = cli.must('compare', '--quiet', '--format', 'text', '-o', '-', *arguments).stdout
    table = text[text.index('Time per step by name'):].splitlines()[2:]
    rows = [re.split(r'\s{2,}', line.strip()) for line in table]
    return {row[0]: (row[1], *row[-2:]) for row in rows if len(row) == 6}


def test_unequal_steps(cli):
    """Rank 1 of the second run records 3 steps, not 6; each step of both ranks is 200 µs longer, and only rank 1 computes longer."""
    with folder() as place:
        first, second = Path(place) / 'first', Path(place) / 'second'
        write_pair(first, (6, 6))
        write_pair(second, (6, 3), longer=200)
        document, times = compare(cli, first, second), compare_times(cli, first, second)
    runs = document['runs']
    same([run['mean_step_ns'] for run in runs], [1_400_000, 1_600_000], 'mean steps')
    same([run['mean_ns']['compute'] for run in runs], [400_000, 500_000], 'computation, mean of the ranks')
    same({name: row[0] for name, row in times.items()}, {'gemm': '+100 µs', 'ProfilerStep#': '+200 µs', 'cudaDeviceSynchronize': '+200 µs'},
         'changes per step, mean of the ranks')


def test_outside_of_steps(cli):
    """Kernels before the first step do not count in the time per step, but they count in the number of kernels with
    their name."""
    with folder() as place:
        first, second = Path(place) / 'first', Path(place) / 'second'
        write_pair(first, (6, 6))
        write_pair(second, (6, 6), before=100)
        document, times = compare(cli, first, second), compare_times(cli, first, second)
    same(times, {}, 'changes per step')
    same([row['count'] for row in document['names'] if row['name'] == 'init'], [[0, 100]], 'count')


def test_rounded_steps(cli):
    """Steps that overlap by a rounding error all count as steps. A step that is recorded twice counts once."""
    with folder() as place:
        for rank in range(2):
            recording = Recording(rank, 2)
            for i in range(6):
                recording.step(i, 1000 * i - (0.25 if i == 3 else 0), 1000)
                recording.kernel('gemm', 1000 * i + 20, 1000 * i + 50, 400)
            recording.step(4, 4100, 850)
            recording.write(place)
        runs = json.loads(cli.must('compare', '--quiet', '--format', 'json', place, place).stdout)['runs']
    same([run['n_steps'] for run in runs], [12, 12], 'steps')


def test_unequal_ranks(cli):
    """Compares a run of two ranks with a run of four ranks. All ranks do the same, so nothing changed; the ranks that
    only one of the runs has are mentioned."""
    with folder() as place:
        for n in (2, 4):
            for rank in range(n):
                recording = Recording(rank, n)
                for i in range(6):
                    recording.step(i, 1400 * i, 1400)
                    recording.kernel('gemm', 1400 * i + 20, 1400 * i + 50, 400)
                    recording.collective('allreduce', 1400 * i + 70, 1400 * i + 450, 300, range(n), n)
                    recording.synchronize(1400 * i + 90, 1300)
                recording.write(Path(place) / f'of{n}')
        document = json.loads(cli.must('compare', '--quiet', '--format', 'json', Path(place) / 'of2', Path(place) / 'of4').stdout)
        text = cli.must('compare', '--quiet', '--format', 'text', Path(place) / 'of2', Path(place) / 'of4').stdout
    check('of2 has 2, of4 has 4' in ' '.join(document['notes']), document['notes'])
    gemm = next((line for line in text.splitlines() if line.strip().startswith('gemm')), None)
    check(gemm is None or '400 µs   400 µs' in gemm or '0 ns' in gemm, f'gemm: {gemm}')
    check('+' not in text.split('mean of all ranks')[1], text)


def test_compare_range(cli):
    """Options for the range apply to both runs; for the second run, the options --second-start and --second-end
    override them."""
    with folder() as place:
        first, second = Path(place) / 'first', Path(place) / 'second'
        write_pair(first, (6, 6))
        write_pair(second, (6, 6), longer=200)
        steps = ('--unit=step', '--start=3', '--end=5')
        document, times = compare(cli, *steps, first, second), compare_times(cli, *steps, first, second)
        other = compare(cli, *steps, '--second-start=6', '--second-end=9', first, second)
        # steps 4 and 5 of the first run and step 4 of the second lie completely in this range
        clock = [f'--start={BEGIN + 101_400}', f'--end={BEGIN + 104_200}', '--second-end', f'{BEGIN + 103_300}']
        by_time = compare(cli, *clock, first, second)
        empty = cli('compare', '--start=1', '--end=2', first, second)
        one_end = cli('compare', '--second-start=3', first, second)
    same([run['n_steps'] for run in document['runs']], [4, 4], 'steps 3 and 4 of two ranks')
    same({name: row for name, row in times.items() if name != 'aten::mm'},
         {'gemm': ('+100 µs', '4', '4'), 'ProfilerStep#': ('+200 µs', '4', '4'), 'cudaDeviceSynchronize': ('+200 µs', '4', '4')}, 'names of the range')
    same([run['n_steps'] for run in other['runs']], [4, 6], 'steps 3 and 4, and 6 to 8')
    same([run['n_steps'] for run in by_time['runs']], [4, 2], 'steps in the ranges of time')
    same((empty.returncode, empty.stdout, one_end.returncode), (FAILED, '', USAGE), 'empty range and one end')
    check('Nothing is in the range' in empty.stderr, empty.stderr)


def test_range_of_steps(cli):
    """Ten steps take 1 ms each. A range from the start of step 3 to the end of step 6 contains four steps."""
    with folder() as place:
        recording = Recording(0, 1)
        for i in range(10):
            recording.step(i, 1000 * i, 1000)
        recording.write(place)
        found = report(cli, place, f'--start={BEGIN + 3000}', f'--end={BEGIN + 7000}')
    steps = found['steps']['ranks'][0]
    same([steps['count'], steps['total_ns'], steps['in_range_ns']], [4, 4_000_000, 4_000_000], 'steps')
    same(found['step_statistics']['by_metric'][0]['steps'], 4, 'statistics')


def test_data_share(cli):
    """One of ten steps of 1 ms waits 500 µs for data, which is 5 % of the time of all steps. In the first half of the
    run, the wait is 10 % of the time of the steps."""
    with folder() as place:
        recording = Recording(0, 1)
        for i in range(10):
            recording.step(i, 1000 * i, 1000)
        recording.span('enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__', 'user_annotation', 4010, 500)
        recording.write(place)
        whole, text = report(cli, place), report_text(cli, place)
        part = report(cli, place, f'--end={BEGIN + 5000}')
    ranks = [found['computed']['data_loading']['ranks'][0] for found in (whole, part)]
    same([(rank['in_steps_ns'], rank['steps_ns'], rank['percent_of_steps']) for rank in ranks], [(500_000, 10_000_000, 5), (500_000, 5_000_000, 10)], 'shares')
    check('500 µs for data, which is 5 % of the time of its steps' in text, text)


def test_early_waits(cli):
    """Steps take 800 µs, and a wait for data of 150 µs precedes each. The summary says that its median of 950 µs
    includes the wait, because the page about steps states a median of 800 µs."""
    with folder() as place:
        recording = Recording(0, 1)
        for i in range(10):
            recording.span('enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__', 'user_annotation', 1000 * i + 50, 150)
            recording.step(i, 1000 * i + 200, 800)
        recording.write(place)
        text = report_text(cli, place)
        comparison = cli.must('compare', '--quiet', '--format', 'text', '-o', '-', place, place).stdout
    check('Median Step with Its Wait for Data: 950 µs' in text and 'The median step takes 800 µs' in text, text)
    check('A step includes its wait for data, even if the wait was recorded before the step.' in comparison, comparison)


def write_tpus(path, n_steps):
    """Writes the trace of JAX for four devices in one file. Device i computes for 300 + 100 i µs of each step of 1
    ms."""
    events = []
    for device in range(4):
        pid = device + 1
        events.append({'ph': 'M', 'pid': pid, 'name': 'process_name', 'args': {'name': f'/device:TPU:{device}'}})
        events += [{'ph': 'M', 'pid': pid, 'tid': tid, 'name': 'thread_name', 'args': {'name': name}} for tid, name in ((1, 'Steps'), (2, 'XLA Modules'), (3, 'XLA Ops'))]
        for i in range(n_steps):
            spans = ((1, str(i), 1000), (2, 'jit_f', 900), (3, 'fusion', 300 + 100 * device))
            events += [{'ph': 'X', 'pid': pid, 'tid': tid, 'ts': 1000 * i, 'dur': duration, 'name': name, 'args': {}} for tid, name, duration in spans]
    path.write_text(json.dumps({'displayTimeUnit': 'ns', 'traceEvents': events}))


def test_tpu(cli):
    """JAX records steps on a separate track that repeats the work of other tracks. Every page must count these steps,
    and must count the work only once. Each of the four devices records all five steps."""
    with folder() as place:
        path = Path(place) / 'tpu.trace.json'
        write_tpus(path, 5)
        found, text = report(cli, path), report_text(cli, path)
    same([(rank['count'], rank['median_ns']) for rank in found['steps']['ranks']], [(5, 1_000_000)], 'steps')
    same(found['step_statistics']['by_metric'][0]['steps'], 5, 'statistics')
    check('There are no training steps' not in text and 'The median step takes 1.00 ms' in text, text)
    same(sum(kind['in_range_ns'] for kind in found['computed']['work']['kinds']), 5 * (300 + 400 + 500 + 600) * 1000, 'work of devices')


def write_reduction(place, open_ranks, size, name='allreduce'):
    """Writes steps of 1 ms with a collective in which `size` ranks exchange 4 MB in 300 µs. Writes files only for the
    ranks in `open_ranks`."""
    for rank in open_ranks:
        recording = Recording(rank, size)
        for i in range(4):
            recording.step(i, 1000 * i, 1000)
            recording.kernel('gemm', 1000 * i + 20, 1000 * i + 50, 100)
            recording.collective(name, 1000 * i + 70, 1000 * i + 200, 300, range(size), size)
            recording.synchronize(1000 * i + 90, 900)
        recording.write(place)


def test_bandwidth_of_part(cli):
    """4 MB in 300 µs are 13.33 GB/s. The bus bandwidth is 2 · 7/8 of this for an all-reduce of 8 ranks, and 7/8 of this
    for an all-gather of 8 ranks, even if the files of only two or four of the ranks are open."""
    found = []
    for ranks, size, name in ((range(2), 8, 'allreduce'), (range(8), 8, 'allreduce'), (range(4), 8, '_allgather_base'), (range(2), 2, 'allreduce')):
        with folder() as place:
            write_reduction(place, ranks, size, name)
            document, text = report(cli, place), report_text(cli, place)
        group, = document['computed']['transfers']['groups']
        missing = size - len(ranks)
        same((group['group_size'], group['missing_ranks'], document['computed']['collectives']['missing_ranks']), (size, missing, missing), 'missing ranks')
        same((any('of the job are not open' in warning for warning in document.get('warnings', [])), 'Warning: ' in text, 'at least ' in text,
              'No rank slows down the others' not in text), (missing > 0,) * 4, 'words')
        found.append(round(group['bus_bytes_per_s'] / 1e9, 2))
    same(found, [23.33, 23.33, 11.67, 13.33], 'bus bandwidths in GB/s')


def test_part_of_pipeline(cli):
    """Ranks 0 and 1 of a pipeline of three: rank 1 sends to rank 2, which is not open, so neither bubbles nor a schedule are known."""
    for n_open in (2, 3):
        with folder() as place:
            for rank in range(n_open):
                recording = Recording(rank, 3)
                for i in range(4):
                    begin = 2000 * i
                    recording.step(i, begin, 2000)
                    recording.kernel('gemm', begin + 20, begin + 100 + 500 * rank, 400)
                    for source in (0, 1):
                        if rank - source in (0, 1):
                            recording.kernel('ncclDevKernel_SendRecv', begin + 40 + 20 * source, begin + 500 * (source + 1), 10, stream=20,
                                             **{'Collective name': 'send' if rank == source else 'recv', 'In msg nelems': 1000, 'Out msg nelems': 1000,
                                                'dtype': 'Float', 'Group size': 2, 'Process Group Name': f'pp{source}',
                                                'Process Group Ranks': f'[{source}, {source + 1}]', 'Src Rank': source, 'Dst Rank': source + 1})
                recording.write(place)
            document = report(cli, place)
        bubbles = document['computed']['parallel']['bubbles']
        whole = n_open == 3
        same((len(bubbles['steps']), any('not open' in warning for warning in document.get('warnings', []))), (4 if whole else 0, not whole), 'bubbles')
        check(whole or 'PipelineBubbles' not in json.dumps(document['findings']), document['findings'])


def write_forward_and_backward(place, n):
    """Writes two pipeline stages with `n` steps of 2 ms; stage 1 begins each step 300 µs after stage 0. Stage 1
    computes for 400 µs once stage 0 has computed, and again at the end of its own step, which is in the first 250 µs of
    the next step of stage 0. Before that, stage 1 sends a gradient back to stage 0."""
    for rank in range(2):
        recording = Recording(rank, 2)
        for i in range(n):
            begin = 2000 * i
            recording.step(i, begin + 300 * rank, 2000)
            for launch, start, length in ((310, 500, 400), (2090, 2100, 150)) if rank else ((10, 100, 400), (600, 1610, 290)):
                recording.kernel('gemm', begin + launch, begin + start, length)
            for k, (source, start) in enumerate(((0, 500), (1, 1600))):
                recording.kernel('ncclDevKernel_SendRecv', begin + 330 + 20 * k, begin + start, 10, stream=20 + k,
                                 **{'Collective name': 'send' if rank == source else 'recv', 'In msg nelems': 1000, 'Out msg nelems': 1000,
                                    'dtype': 'Float', 'Group size': 2, 'Process Group Name': 'pp', 'Process Group Ranks': '[0, 1]',
                                    'Src Rank': source, 'Dst Rank': 1 - source, 'Seq': 2 * i + k})
        recording.write(place)


def test_stages_in_range(cli):
    """In a range that begins between the forward and the backward message of a step, the stages have the same order as in the run."""
    with folder() as place:
        write_forward_and_backward(place, 4)
        for options in ((), (f'--start-ns={(BEGIN + 1000) * 1000}',)):
            computed = report(cli, place, *options)['computed']
            parallel = computed['parallel']
            same([group['ranks'] for group in parallel['groups'] if group['axis'] == 'pipeline'], [[0, 1]], f'pipelines {options}')
            same([(rank['rank'], rank['pipeline']) for rank in parallel['ranks']], [(0, 0), (1, 1)], f'coordinates {options}')
            same([(rank['rank'], rank['stage']) for rank in computed['slowdown']['ranks']], [(0, 0), (1, 1)], f'stages of slow ranks {options}')


def test_bubbles_in_range(cli):
    """In each step, the time in which the pipeline works is from 100 to 2,250 µs; stage 0 is busy for 690 µs of it, and
    stage 1 for 550 µs. On stage 1, a step ends only after stage 0 has begun the next step. Therefore a range of the
    step numbers 0 and 1 measures both steps, but a range of time that ends with step 1 of stage 0 measures only step
    0."""
    fraction = round((2 * 2150 - 690 - 550) / (2 * 2150), 6)
    with folder() as place:
        write_forward_and_backward(place, 4)
        for options, numbers in (((), [0, 1, 2, 3]), (('--unit=step', '--start=0', '--end=2'), [0, 1]), (('--unit=step', '--start=1', '--end=3'), [1, 2]),
                                 ((f'--end-ns={(BEGIN + 4000) * 1000}',), [0]), ((f'--start-ns={(BEGIN + 1000) * 1000}',), [1, 2, 3])):
            bubbles = report(cli, place, *options)['computed']['parallel']['bubbles']
            same([(step['step'], step['window_ns'], round(step['fraction'], 6)) for step in bubbles['steps']],
                 [(number, 2_150_000, fraction) for number in numbers], f'steps {options}')
            same(round(bubbles['fraction'], 6), fraction, f'mean {options}')


def test_message_in_part_of_group(cli):
    """Both ranks of a pipeline are open. Their messages belong to a group of four ranks, but no rank that is missing takes part in them."""
    with folder() as place:
        for rank in range(2):
            recording = Recording(rank, 4)
            for i in range(4):
                begin = 2000 * i
                recording.step(i, begin, 2000)
                recording.kernel('gemm', begin + 20, begin + 100 + 400 * rank, 400)
                recording.kernel('ncclDevKernel_SendRecv', begin + 40, begin + 500, 10, stream=20,
                                 **{'Collective name': 'recv' if rank else 'send', 'In msg nelems': 1000, 'Out msg nelems': 1000, 'dtype': 'Float',
                                    'Group size': 4, 'Process Group Name': 'default_pg', 'Process Group Ranks': '[0, 1, 2, 3]', 'Src Rank': 0, 'Dst Rank': 1})
            recording.write(place)
        document = report(cli, place)
    same([round(step['fraction'], 6) for step in document['computed']['parallel']['bubbles']['steps']], [0.5] * 4, 'bubbles')
    same([group.get('missing_ranks', 0) for group in document['computed']['transfers']['groups']], [0], 'missing ranks of messages')


def test_loading_between_steps(cli):
    """In each ms a step begins, which lasts 450 µs or 1 ms, and data is loaded from 500 to 900 µs. No call waits for
    the kernels, so the critical path runs on the host thread. The path includes data loading even if no call precedes
    or follows it: between two steps, before the end of the recording, and after the start of a range."""
    for length, options, path_ns, loading_ns in ((450, (), 3_900_000, 1_600_000), (1000, (), 4_000_000, 1_600_000),
                                                 (1000, (f'--start-ns={(BEGIN + 1600) * 1000}',), 2_400_000, 1_100_000)):
        with folder() as place:
            recording = Recording(0, 1)
            for i in range(4):
                recording.step(i, 1000 * i, length)
                recording.span('aten::mm', 'cpu_op', 1000 * i + 5, 100)
                recording.kernel('gemm', 1000 * i + 10, 1000 * i + 30, 200)
                recording.span('enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__', 'cpu_op', 1000 * i + 500, 400)
            recording.write(place)
            path = report(cli, place, *options)['computed']['critical_path']
        kinds = {kind['kind']: kind['path_ns'] for kind in path['kinds']}
        same((path['length_ns'], sum(kinds.values()), kinds['data_loading']), (path_ns, path_ns, loading_ns), f'steps of {length} µs {options}')
        name, = [name for name in path['names'] if name['kind'] == 'data_loading']
        same((name['path_ns'], name['saved_if_free_ns']), (loading_ns, loading_ns), f'name and savings, steps of {length} µs {options}')


def test_waits_before_range(cli):
    """Each of ten steps of 800 µs follows a wait for data of 150 µs. If the range contains only step 7, the step
    includes only its own wait and takes 950 µs."""
    with folder() as place:
        recording = Recording(0, 1)
        for i in range(10):
            recording.span('enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__', 'user_annotation', 1000 * i + 50, 150)
            recording.step(i, 1000 * i + 200, 800)
        recording.write(place)
        document = compare(cli, '--unit=step', '--start=7', '--end=8', place, place)
    same([run['median_step_ns'] for run in document['runs']], [950_000] * 2, 'median steps')


def test_group_size_in_index(cli):
    """The report of an index states the same size of a process group as the report of the traces. Here the group has
    256 ranks, of which 254 are not open."""
    with folder() as place:
        for rank in range(2):
            recording = Recording(rank, 256)
            for i in range(4):
                recording.step(i, 1000 * i, 1000)
                recording.collective('allreduce', 1000 * i + 70, 1000 * i + 200, 300, range(256), 256)
            recording.write(place)
        cli.must('index', place, '-o', Path(place) / 'index')
        found = [report(cli, folder)['computed']['transfers']['groups'] for folder in (place, Path(place) / 'index')]
    same([[(group['group_size'], group['missing_ranks']) for group in groups] for groups in found], [[(256, 254)]] * 2, 'sizes of the group')


def write_unranked(path, late):
    """Writes the trace of a program that states no rank. Its GPU 0 begins a kernel of 50 µs every 100 µs, ten times.
    All events are `late` µs later than in a trace with `late` 0."""
    recording = Recording(-1, 1)
    for i in range(10):
        recording.kernel('gemm', 100 * i + late, 100 * i + late + 20, 50)
    labels = {'ph': 'M', 'name': 'process_labels', 'pid': 0, 'args': {'labels': 'GPU 0'}}
    path.write_text(json.dumps({'schemaVersion': 1, 'baseTimeNanoseconds': 0, 'deviceProperties': [{'id': 0}], 'traceEvents': [labels, *recording.events]}))


def test_unranked(cli):
    """Two programs without ranks each have a GPU 0, which is busy for 500 of 950 µs, also when they are merged into one file."""
    with folder() as place:
        raw, merged = Path(place) / 'raw', Path(place) / 'merged.json'
        raw.mkdir()
        for i, name in enumerate('ab'):
            write_unranked(raw / f'{name}.pt.trace.json', 50 * i)
        cli.must('merge', '--quiet', raw, '-o', merged)
        for path in (raw, merged):
            computed = report(cli, path)['computed']
            same([(row['recorded_ns'], row['busy_ns']) for row in computed['devices']['devices']], [(950_000, 500_000)] * 2, f'devices of {path.name}')
            same([row['compute_ns'] for row in computed['ranks']['ranks']], [500_000] * 2, f'ranks of {path.name}')


def test_overlap(cli):
    """A thread is busy while at least one of its spans runs, even if spans overlap. The spans [0, 10), [5, 15), [7, 8)
    and [30, 35) µs make it busy for 20 µs."""
    with folder() as place:
        path = Path(place) / 'a.json'
        path.write_text(json.dumps([{'ph': 'X', 'name': 'work', 'pid': 1, 'tid': 1, 'ts': begin, 'dur': end - begin}
                                    for begin, end in ((0, 10), (5, 15), (7, 8), (30, 35))]))
        rows = json.loads(cli.must('query', '--quiet', '--format', 'json', path, 'SELECT busy FROM track').stdout)
    same([row['busy'] for row in rows], [20_000], 'busy time')


def test_nested_kernels(cli):
    """An operation of 100 µs contains two others, which take 90 µs together. In the work of devices it counts only with
    its self time of 10 µs."""
    with folder() as place:
        path = Path(place) / 'a.json'
        spans = [('while', 0, 100), ('fusion.2', 0, 40), ('fusion.3', 50, 50), ('fusion.2', 200, 40)]
        path.write_text(json.dumps([{'ph': 'X', 'cat': 'kernel', 'name': name, 'pid': 'GPU 0', 'tid': 7, 'ts': begin, 'dur': duration,
                                     'args': {'device': 0, 'stream': 7}} for name, begin, duration in spans]))
        kernels, text = report(cli, path)['computed']['kernels']['kernels'], report_text(cli, path)
    same([(row['name'], row['self_ns'], row['in_range_ns'], round(row['percent'], 1)) for row in kernels],
         [('fusion.2', 80_000, 80_000, 57.1), ('fusion.3', 50_000, 50_000, 35.7), ('while', 10_000, 100_000, 7.1)], 'kernels')
    check('fusion.2 takes longest on devices: 80.0 µs, which is 57.1 %' in text, text)


def test_launches_without_flows(cli):
    """The queries about launches have the same rows whether a file has flows or only equal correlation ids."""
    results = []
    for has_flows in (True, False):
        recording = Recording(0, 1)
        recording.span('aten::mm', 'cpu_op', 0, 300)
        for i in range(3):
            recording.kernel('gemm', 10 + 20 * i, 50 + 100 * i, 100)
        recording.events = [event for event in recording.events if has_flows or event['ph'] == 'X']
        with folder() as place:
            recording.write(place)
            results.append([json.loads(cli.must('query', '--quiet', '--format', 'json', place, '--named', name).stdout) for name in ('launch-delay', 'launch-queue')])
    same(results[0][0], [{'operator': 'aten::mm', 'launches': 3, 'mean_ns': 120_000, 'longest_ns': 200_000, 'total_ns': 360_000}], 'delays')
    same([row['queue'] for row in results[0][1]], [1, 2, 2, 1, 0], 'queue')
    same(results[1], results[0], 'rows without flows')


def test_loading_itself(cli):
    """If batches are loaded in the training process, and this takes a notable share of the steps, the report advises
    loader workers (num_workers greater than 0)."""
    for kind, wait, is_advised in (('_SingleProcessDataLoaderIter', 300, True), ('_SingleProcessDataLoaderIter', 3, False),
                                   ('_MultiProcessingDataLoaderIter', 300, False)):
        with folder() as place:
            recording = Recording(0, 1)
            for step in range(4):
                recording.step(step, 1000 * step, 1000)
                recording.span(f'enumerate(DataLoader)#{kind}.__next__', 'user_annotation', 1000 * step + 10, wait)
                recording.kernel('gemm', 1000 * step + 400, 1000 * step + 450, 400)
            recording.write(place)
            text = report_text(cli, place)
            same('With num_workers greater than 0' in text, is_advised, f'{kind} for {wait} µs')
            same('On average, the devices wait for data for 300 µs of a step (30 %).' in text, wait == 300, f'steps with waits of {wait} µs')


def write_devices(place, n_devices):
    """Writes the trace of TensorFlow's profiler for a host with several devices. Each device records the same five
    steps on its line Steps: device d begins each step 0.1·d ms after device 0, and takes 8 + 0.5·d ms."""
    events = []
    for device in range(n_devices):
        events.append({'ph': 'M', 'pid': device + 1, 'name': 'process_name', 'args': {'name': f'/device:TPU:{device}'}})
        for thread, name in ((10, 'Steps'), (12, 'XLA Ops')):
            events.append({'ph': 'M', 'pid': device + 1, 'tid': thread, 'name': 'thread_name', 'args': {'name': name}})
        for step in range(5):
            begin = 1000 + 10000 * step + 100 * device
            events.append({'ph': 'X', 'pid': device + 1, 'tid': 10, 'ts': begin, 'dur': 8000 + 500 * device, 'name': str(step), 'args': {'group_id': str(step)}})
            events.append({'ph': 'X', 'pid': device + 1, 'tid': 12, 'ts': begin + 100, 'dur': 6000, 'name': f'fusion.{step}', 'args': {'hlo_op': 'fusion', 'hlo_module': 'm'}})
    path = Path(place) / 'plugins' / 'profile' / '2024_01_01_10_00_00'
    path.mkdir(parents=True)
    with gzip.open(path / 'host1.trace.json.gz', 'wt') as file:
        json.dump({'displayTimeUnit': 'ns', 'metadata': {'highres-ticks': True}, 'traceEvents': events}, file)


def test_devices(cli):
    """If several devices of a host record the same step, it counts once, with the longest of the durations that the
    devices recorded."""
    for n_devices in (1, 4):
        with folder() as place:
            write_devices(place, n_devices)
            steps = json.loads(cli.must('report', '-q', '--format', 'json', '-o', '-', place).stdout)['steps']
        rank, longest_ns = steps['ranks'][0], 8000000 + 500000 * (n_devices - 1)
        same((steps['count'], rank['count'], rank['median_ns'], rank['total_ns']), (5, 5, longest_ns, 5 * longest_ns), f'{n_devices} devices')


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    tap.case('step numbers are unique', test_restart, cli, list(range(8)))
    tap.case('step numbers begin again', test_restart, cli, [0, 1, 2, 3, 0, 1, 2, 3])
    tap.case('step numbers resume from a checkpoint', test_restart, cli, [0, 1, 2, 3, 2, 3, 4])
    tap.case('step numbers of a pipeline begin again', test_restart_in_pipeline, cli)
    tap.case('ranks with unequal numbers of steps are compared', test_unequal_steps, cli)
    tap.case('work outside of steps takes no time of a step', test_outside_of_steps, cli)
    tap.case('steps with rounded times are compared', test_rounded_steps, cli)
    tap.case('runs of two and four ranks are compared', test_unequal_ranks, cli)
    tap.case('ranges of two runs are compared', test_compare_range, cli)
    tap.case('a range counts the steps that have time in it', test_range_of_steps, cli)
    tap.case('waits for data are a share of all steps', test_data_share, cli)
    tap.case('a step begins with its wait for data', test_early_waits, cli)
    tap.case('steps of JAX are steps of all pages', test_tpu, cli)
    tap.case('the bandwidth of a group counts ranks that are not open', test_bandwidth_of_part, cli)
    tap.case('a part of a pipeline has no bubbles', test_part_of_pipeline, cli)
    tap.case('stages in a range', test_stages_in_range, cli)
    tap.case('bubbles of steps that a range cuts', test_bubbles_in_range, cli)
    tap.case('data loading between steps is on the critical path', test_loading_between_steps, cli)
    tap.case('a message between open ranks misses no rank', test_message_in_part_of_group, cli)
    tap.case('a range begins with the wait of its first step', test_waits_before_range, cli)
    tap.case('an index keeps the size of a group', test_group_size_in_index, cli)
    tap.case('devices of two programs without ranks are not joined', test_unranked, cli)
    tap.case('busy time counts spans that overlap', test_overlap, cli)
    tap.case('work of devices that is nested counts once', test_nested_kernels, cli)
    tap.case('launches of files without flows are found', test_launches_without_flows, cli)
    tap.case('steps that several devices record', test_devices, cli)
    tap.case('batches loaded in the training process', test_loading_itself, cli)
    tap.done()


if __name__ == '__main__':
    main()
