#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests findings and checks of the recording on small runs against figures computed by hand.

Usage: test-hand-made-rules.py TRACELOOM-CLI"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Cli, Tap, check, folder, same  # noqa: E402
from kineto import BEGIN, Recording  # noqa: E402


def get_sentence(cli, place, rule):
    return json.loads(cli.must('rules', '--quiet', '--format', 'json', '--rule', rule, place).stdout)[rule].get('Sentence')


def get_health(cli, place, check_name):
    traces = json.loads(cli.must('report', '--quiet', '--format', 'json', place).stdout)['computed']['health']['traces']
    return [(trace['rank'], row['count'], row['of'], row['worst_ns']) for trace in traces for row in trace['checks']
            if row['check'] == check_name and row['count']]


def write_stall(place, numbers):
    """Two ranks take steps of 1 ms. In the tenth step the host of rank 0 launches its second kernel 800 µs late."""
    for rank in range(2):
        recording, begin = Recording(rank, 2), 0
        for i, number in enumerate(numbers):
            stall = 800 if i == 9 else 0
            late = stall if rank == 0 else 0
            recording.step(number, begin, 1000 + stall)
            recording.kernel('first', begin + 10, begin + 20, 300)
            if late:
                recording.span('aten::item', 'cpu_op', begin + 25, late + 300)
            recording.kernel('second', begin + 330 + late, begin + 340 + late, 300)
            recording.collective('allreduce', begin + 342 + late, begin + 650 + late, 200 + stall - late, range(2), 2)
            recording.synchronize(begin + 355 + late, 500 + stall - late)
            begin += 1000 + stall
        recording.write(place)


def test_stall(cli):
    """If step numbers start again from 0 within a run, the stalled step is compared only with the step of the other
    rank at the same time, not with other steps of the same number."""
    for numbers in (list(range(12)), [i % 4 for i in range(12)]):
        with folder() as place:
            write_stall(place, numbers)
            sentence = get_sentence(cli, place, 'HostStall')
        check('takes 1.80 ms instead of 1.00 ms on all 2 ranks' in sentence, sentence)


def test_stall_of_nodes(cli):
    """In a merged file, the steps of another node's rank 0 do not change the median of the rank that stalls."""
    with folder() as name:
        run = Path(name) / 'run'
        write_stall(run, list(range(12)))
        other = Recording(0, 1)
        other.node = 'other'
        for number in range(30):
            other.step(number, 1700 * number, 1700)
            other.kernel('gemm', 1700 * number + 10, 1700 * number + 20, 1600)
        other.write(run / 'other')
        cli.must('merge', '--quiet', run, '-o', Path(name) / 'merged.json')
        sentence = get_sentence(cli, Path(name) / 'merged.json', 'HostStall')
    check('takes 1.80 ms instead of 1.00 ms' in sentence, sentence)


def test_leak(cli):
    """Memory grows by 300 MB in one step and by 5 MB in each of the others, so the sentence must state the smallest
    growth of a step besides the mean growth."""
    recording, level = Recording(0, 1), 0
    for i, wanted in enumerate([100, 400, 405, 410, 415, 420]):
        begin = 1000 * i
        recording.step(i, begin, 990)
        recording.kernel('gemm', begin + 20, begin + 40, 800)
        recording.events.append({'ph': 'i', 's': 't', 'name': '[memory]', 'cat': 'cpu_instant_event', 'pid': 100, 'tid': 1, 'ts': BEGIN + begin + 60,
                                 'args': {'Bytes': (wanted - level) * 1_000_000, 'Addr': 5000 + i, 'Device Type': 1, 'Device Id': 0,
                                          'Total Allocated': wanted * 1_000_000, 'Total Reserved': 2_000_000_000}})
        level = wanted
    with folder() as place:
        recording.write(place)
        sentence = get_sentence(cli, place, 'MemoryLeak').replace('\u00a0', ' ')
    check(sentence.endswith('by 45.0 MiB on average, and by at least 4.8 MiB'), sentence)


def test_sums(cli):
    """Three GPUs each lose 500 µs of every 1,000 µs. The report must say that the lost time is summed over the GPUs,
    and must state the mean of the GPUs, too."""
    with folder() as place:
        for rank in range(3):
            recording = Recording(rank, 3)
            for i in range(20):
                recording.step(i, 1000 * i, 1000)
                recording.kernel('gemm', 1000 * i + 480, 1000 * i + 500, 500)
            recording.write(place)
        document = json.loads(cli.must('report', '--quiet', '--format', 'json', place).stdout)
        text, page = (cli.must('report', '--quiet', '--format', word, place).stdout for word in ('text', 'html'))
    finding = next(finding for finding in document['findings'] if finding['rule'] == 'HostBound')
    same(finding['lost_mean_ns'] * 3, finding['lost_ns'], 'mean of the lost time')
    check(f'about {finding["lost_ns"] / 1e6:.1f} ms lost, summed over 3 devices ({finding["lost_mean_ns"] / 1e6:.2f} ms each on average)' in text, text)
    check('Mean time lost' in page, 'the page lacks the mean')


def write_reductions(place, n_steps, jumps=()):
    """Writes two ranks. Rank r takes n_steps[r] steps of 1 ms, each with a collective. If r is in `jumps`, the clock of
    rank r jumps forward by 5 ms after the fifth step, during a span of its host."""
    for rank, n in enumerate(n_steps):
        recording = Recording(rank, 2)
        for i in range(n):
            begin = 1000 * i + (5000 if rank in jumps and i >= 5 else 0)
            recording.step(i, begin, 990)
            recording.kernel('ncclDevKernel_allreduce', begin + 10, begin + 100, 200, stream=20,
                             **{'Collective name': 'allreduce', 'In msg nelems': 1000, 'Out msg nelems': 1000, 'Group size': 2, 'dtype': 'Float',
                                'Process Group Name': '0', 'Process Group Ranks': '[0, 1]', 'Seq': i + 1})
            if i == 4:
                recording.span('outer', 'cpu_op', begin + 500, 400)
                recording.span('inner', 'cpu_op', begin + 600, 5600 if rank in jumps else 200)
        recording.write(place)
    return Path(place)


def test_cut_off(cli):
    """The file of rank 1 is cut off and has 6 steps, while rank 0 has 8 steps; the check “cut-off” must report that 2
    of 8 steps are missing."""
    with folder() as place:
        file = write_reductions(place, (8, 6)) / 'rank1.pt.trace.json'
        file.write_text(file.read_text().rsplit('"cat"', 1)[0])
        same(get_health(cli, place, 'cut-off'), [(1, 2, 8, None)], 'steps that are missing')


def test_jump(cli):
    """If the clocks of two ranks differ by a jump, the check blames the clock of the rank that has a span which is too
    long by the length of the jump."""
    for rank in range(2):
        with folder() as place:
            same([(row[0], row[3]) for row in get_health(cli, write_reductions(place, (12, 12), (rank,)), 'clock-jump')], [(rank, 5_000_000)], 'clocks that jump')


def test_last_window(cli):
    """A GPU is busy for 950 µs of each ms during 1.2 s. The windows of 500 ms divide this into three, of which the last
    one has only 200 ms of data. Rules for a count or a duration must ignore the last window; a rule for a share must
    use it."""
    common = {'of': 'spans', 'where': {'type': '^kernel$'}, 'per': 'device', 'window': '500 ms', 'sentence': '{device}: {value}'}
    rules = [{'name': 'Busy', 'statistic': 'share', 'below': '60 %', **common}, {'name': 'Few', 'statistic': 'count', 'below': '400', **common},
             {'name': 'Short', 'statistic': 'duration', 'below': '300 ms', **common}]
    with folder() as place:
        recording, file = Recording(0, 1), Path(place) / 'own.rules.json'
        for i in range(1200):
            recording.kernel('gemm', 1000 * i, 1000 * i + 10, 950)
        recording.write(Path(place) / 'run')
        file.write_text(json.dumps({'traceloom-rules': 1, 'rules': rules}))
        options = [part for rule in rules for part in ('--rule', rule['name'])]
        found = json.loads(cli.must('rules', '--quiet', '--format', 'json', '--rules', file, *options, Path(place) / 'run').stdout)
    same([(rule['name'], found[rule['name']]['Violations'], found[rule['name']]['Datapoints']) for rule in rules],
         [('Busy', 0, 3), ('Few', 0, 2), ('Short', 0, 2)], 'windows')


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    tap.case('a stall of a step whose number repeats', test_stall, cli)
    tap.case('a stall beside an equal rank of another node', test_stall_of_nodes, cli)
    tap.case('memory that grows unevenly', test_leak, cli)
    tap.case('lost time of several devices', test_sums, cli)
    tap.case('steps that a cut file lacks', test_cut_off, cli)
    tap.case('the clock of one of two ranks jumps', test_jump, cli)
    tap.case('the last window of a rule is shorter', test_last_window, cli)
    tap.done()


main()
