#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the figures of late ranks on small runs against figures computed by hand.

Usage: test-hand-made-stragglers.py TRACELOOM-CLI"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Cli, Tap, check, folder, same  # noqa: E402
from kineto import Recording  # noqa: E402


def report(cli, place, *options):
    return json.loads(cli.must('report', '--quiet', '--format', 'json', '-o', '-', *options, place).stdout)['computed']


def report_text(cli, place, *options):
    return cli.must('report', '--quiet', '--format', 'text', '-o', '-', *options, place).stdout


def write(place, times, host=0, names=1, n_ranks=2):
    """Writes one step for each element of `times`, a function that returns the µs of computation of a rank. The
    computation is divided into `names` kernels; then all ranks reduce together for 200 µs. Before the collective, the
    host of rank 1 is `host` µs longer in "prepare" than the other hosts."""
    begins, lengths = [0], [max(time(rank) for rank in range(n_ranks)) + 600 for time in times]
    for length in lengths:
        begins.append(begins[-1] + length)
    for rank in range(n_ranks):
        recording = Recording(rank, n_ranks)
        for i, time in enumerate(times):
            begin, compute, slowest = begins[i], time(rank), lengths[i] - 600
            recording.step(i, begin, lengths[i])
            recording.span('prepare', 'user_annotation', begin + 40, 40 + (host if rank == 1 else 0))
            for k in range(names):
                recording.kernel(f'gemm_{"abcdefghij"[k]}', begin + 4 + k, begin + 60 + k * compute / names, compute / names)
            recording.collective('allreduce', begin + 35, begin + 60 + compute, slowest - compute + 200, range(n_ranks), n_ranks)
            recording.synchronize(begin + 120, 260 + slowest - 120 + 5)
        recording.write(place)


def test_many_kernels(cli):
    """In each of eight steps, each of the ten kernels of rank 1 takes 15 µs longer than on other ranks, and its host
    takes 20 µs longer. The report must name the GPU, not the host, as the cause."""
    with folder() as place:
        write(place, [lambda rank: 500 + 150 * (rank == 1)] * 8, host=20, names=10, n_ranks=3)
        (late,) = [rank for rank in report(cli, place)['collectives']['ranks'] if rank['rank'] == 1]
        text = report_text(cli, place)
    same((late['before'], late['before_on'], late['before_ns'], late['devices_ns']), ('gemm_a', 'device', 120_000, 1_200_000), 'cause')
    check('it spends 120 µs longer in gemm_a than the median rank, summed over its late arrivals; all 10 kernels with more time together: 1.20 ms' in text, text)


def write_kernels(place, kernels, n_ranks=4, n_steps=6, gap=0, pause=0):
    """Writes steps in which each rank runs kernels one after the other: pairs of a name and a duration in µs, which the function
    `kernels` returns for a rank. Then all ranks reduce together for 200 µs. The host of rank 1 launches each kernel `gap` µs after the
    previous one has ended; other hosts launch ahead: all kernels before the first one runs. After half of the steps, nothing is recorded for `pause` µs."""
    lists = [kernels(rank) for rank in range(n_ranks)]
    computing = [sum(time + (gap if rank == 1 else 0) for _, time in one) for rank, one in enumerate(lists)]
    slowest, ahead = max(computing), max(11 * max(len(one) for one in lists) + 80, 200)
    for rank in range(n_ranks):
        recording = Recording(rank, n_ranks)
        for step in range(n_steps):
            begin = at = step * (slowest + ahead + 600) + (pause if step >= n_steps // 2 else 0)
            recording.step(step, begin, slowest + ahead + 600)
            late = gap if rank == 1 else 0
            for i, (name, time) in enumerate(lists[rank]):
                at += late
                recording.kernel(name, at + ahead - 12 if late else begin + 4 + 11 * i, at + ahead, time)
                at += time
            launch = at + ahead - 12 if late else begin + ahead - 50
            recording.collective('allreduce', launch, at + ahead, slowest - computing[rank] + 200, range(n_ranks), n_ranks)
            recording.synchronize(launch + 20, begin + slowest + ahead + 405 - launch - 20)
        recording.write(place)


def find_cause(cli, kernels, **options):
    """Returns the cause of the straggler, rank 1, from the report as JSON, and the report as text."""
    with folder() as place:
        write_kernels(place, kernels, **options)
        slowdown, text = report(cli, place)['slowdown'], report_text(cli, place)
    same(slowdown['stragglers']['ranks'], [1], 'stragglers')
    same([i for i, rank in enumerate(slowdown['ranks']) if 'cause' in rank], [1], 'ranks with a cause')
    return slowdown['ranks'][1]['cause'], text


USUAL = (('gemm', 200), ('gemm', 100), ('flash', 100), ('gelu', 100))
DEVICE = 'points to a slow device'


def slow(*names, factor=1.4):
    return lambda rank: [(name, time * (factor if rank == 1 and name in names else 1)) for name, time in USUAL]


def test_slow_device(cli):
    """All kernels of rank 1 take 1.4 times as long: 200 µs longer in each of six steps."""
    cause, text = find_cause(cli, slow('gemm', 'flash', 'gelu'))
    same((cause['kind'], round(cause['factor'], 9), cause['alike_share'], cause['longer_ns'], cause['more_ns'], cause['calls_factor']),
         ('device', 1.4, 1, 1_200_000, 0, 1), 'cause')
    same([(one['name'], one['calls'], one['longer_ns']) for one in cause['kernels']], [('gemm', 12, 720_000), ('flash', 6, 240_000), ('gelu', 6, 240_000)], 'kernels')
    check('Nearly all kernels of rank 1 take about 40 % longer than the same kernels on the other ranks. This ' + DEVICE in text, text)
    check('. Nearly all its kernels take about 40 % longer than on the other ranks. ' in text[text.index('SlowRank'):].split('\n')[0], text)


def test_slow_kernels(cli):
    """One or two of three names take longer on rank 1: its device as a whole is not slow."""
    for names, times in ((('gemm',), 'gemm (+40 %)'), (('flash',), 'flash (+40 %)'), (('flash', 'gelu'), 'flash (+40 %) and gelu (+40 %)')):
        cause, text = find_cause(cli, slow(*names))
        same((cause['kind'], [one['name'] for one in cause['kernels'] if one['longer_ns']]), ('kernels', list(names)), 'cause')
        check(f'Of the time that rank 1 computes longer, 100 % is in {"one kernel" if len(names) == 1 else "these kernels"}: {times}.' in text, text)
        check(DEVICE not in text, text)
        finding = 'One kernel takes' if len(names) == 1 else 'These kernels take'
        check('SlowRank' not in text or f'. {finding} longer than on the other ranks: {times}. ' in text[text.index('SlowRank'):].split('\n')[0], text)


def test_most_kernels(cli):
    """Three names, which take 700 of 950 µs of each step on rank 1, take 1.4 times as long there; the optimizer does not."""
    cause, text = find_cause(cli, lambda rank: [*slow('gemm', 'flash', 'gelu')(rank), ('adam', 250)])
    same((cause['kind'], round(cause['alike_factor'], 9), round(cause['alike_share'], 9)), ('most_kernels', 1.4, round(700 / 950, 9)), 'cause')
    check('Most kernels of rank 1 (74 % of their time) take about 40 % longer than the same kernels on the other ranks. This points to a lower clock' in text, text)
    check(DEVICE not in text, text)


def test_more_kernels(cli):
    """Rank 1 runs two more kernels than the others, besides the slow ones, which cannot be compared by their position."""
    cause, text = find_cause(cli, lambda rank: slow('gemm', 'flash', 'gelu')(rank) + [('norm', 60)] * (3 if rank == 1 else 1))
    same((cause['calls_factor'], cause['more_ns']), (7 / 5, 2 * 6 * 60_000), 'more kernels')
    check('Compared with the median of the other ranks, rank 1 runs 40 % more kernels. ' in text, text)


MANY = [('gemm', 20)] * 150 + [('gelu', 10)] * 150
OTHER = 'runs additional or other kernels, which take '


def test_share_of_kernels(cli):
    """Slow kernels of rank 1 explain only a part of its extra time; the rest is that of additional kernels. The eight gemm take 640 µs
    longer, 11 additional norm 660 µs. The single additional kernel among 300 takes 1500 µs, the others 1800 µs longer."""
    cause, text = find_cause(cli, lambda rank: [('gemm', 280 if rank == 1 else 200)] * 8 + [('gelu', 100)] * 8 + [('norm', 60)] * (12 if rank == 1 else 1))
    same((cause['kind'], cause['longer_ns'], cause['more_ns']), ('kernels', 3_840_000, 3_960_000), 'cause')
    check('Of the time that rank 1 computes longer, 49 % is in one kernel: gemm (+40 %).' in text, text)
    cause, text = find_cause(cli, lambda rank: [(name, time * (1.4 if rank == 1 else 1)) for name, time in MANY] + [('big', 1500)] * (rank == 1))
    same((cause['kind'], cause['longer_ns'], cause['more_ns'], cause['calls_factor']), ('kernels', 10_800_000, 9_000_000, 1), 'cause')
    check(f'Compared with the other ranks, rank 1 {OTHER}1.50 ms longer per step. Of the time that rank 1 computes longer, 55 % is in '
          'these kernels: gemm (+40 %) and gelu (+40 %).' in text and f'it {OTHER}1.50 ms longer per step' in text and ' 0 % more' not in text, text)


def test_partly_comparable(cli):
    """Three names take 1.3 times as long on rank 1, but 61 % of its time is in a kernel that the other ranks do not run."""
    cause, text = find_cause(cli, lambda rank: [(name, 65 if rank == 1 else 50) for name in 'abc' for _ in range(8)] + [('x' if rank == 1 else 'y', 300)] * 8)
    same((cause['kind'], round(cause['alike_share'], 9)), ('kernels', round(1560 / 3960, 9)), 'cause')
    check(DEVICE not in text and 'ost kernels of rank' not in text, text)


def find_late(cli, kernels):
    """Returns the cause of rank 1, which is late without being a straggler, and the report as text."""
    with folder() as place:
        write_kernels(place, kernels)
        slowdown, text = report(cli, place)['slowdown'], report_text(cli, place)
    same((slowdown['stragglers']['ranks'], [i for i, rank in enumerate(slowdown['ranks']) if 'cause' in rank]), ([], [1]), 'stragglers, and ranks with a cause')
    check('No rank slows down' not in text and ' 0 % more' not in text, text)
    return slowdown['ranks'][1]['cause'], text


def test_other_kernels(cli):
    """The kernels of rank 1 cannot be compared with those of other ranks by their position, and it does not run more of them: one
    kernel more among 300, fused kernels, kernels with other names, and fewer but longer kernels. It is late by `late` per step."""
    fused, usual = [('fused', 400)] * 8, [('a', 100)] * 8 + [('b', 150)] * 8
    for kernels, kind, more_ns, late in (
            (lambda rank: MANY + [('big', 1500)] * (rank == 1), 'other', 9_000_000, '1.50 ms'),
            (lambda rank: fused if rank == 1 else usual, 'other', 7_200_000, '1.20 ms'),
            (lambda rank: [(f'{name}_v2', 1.4 * time) for name, time in USUAL] if rank == 1 else USUAL, 'other', 1_200_000, '200 µs'),
            (lambda rank: [('gemm', 600)] * 8 if rank == 1 else [('gemm', 200)] * 16, 'kernels', -9_600_000, '1.60 ms')):
        cause, text = find_late(cli, kernels)
        same((cause['kind'], cause['more_ns'], cause['calls_factor']), (kind, more_ns, 1), 'cause')
        check(f'not covered: rank 1: its kernels and idle times together take {late} longer per step than on the other ranks' in text, text)
        expected = (f'in total. Compared with the other ranks, rank 1 {OTHER}{late} longer per step.' if kind == 'other' else
                    f'in total. Its kernels and idle times together take {late} longer per step than on the other ranks. Of the time that rank 1 '
                    'computes longer, 100 % is in one kernel: gemm (+200 %).')
        check('The others wait for rank 1, ' in text and expected in text, text)


def test_missing_rank(cli):
    """Rank 1 runs more kernels, and the file of rank 3 is missing. The page names rank 1, as the rest of the report does."""
    with folder() as place:
        write_kernels(place, lambda rank: USUAL + (('norm', 60),) * (3 if rank == 1 else 1))
        (Path(place) / 'rank3.pt.trace.json').unlink()
        text = report_text(cli, place)
    check('The others wait for rank 1, 1.44 ms in total. Its kernels take as long as on the other ranks, but it runs 40 % more of them.' in text, text)
    check('not covered: rank 1: ' in text and 'No open rank slows down' not in text, text)


def test_more_work(cli):
    """Rank 1 runs 3 · 60 µs of a kernel that the other ranks run once; its other kernels take as long. Repairing kernels saves nothing, so
    it is no straggler, but the others wait for it: three ranks wait 120 µs in each of six steps."""
    with folder() as place:
        write_kernels(place, lambda rank: USUAL + (('norm', 60),) * (3 if rank == 1 else 1))
        slowdown, text = report(cli, place)['slowdown'], report_text(cli, place)
    cause = slowdown['ranks'][1]['cause']
    same((slowdown['stragglers']['ranks'], cause['kind'], cause['calls_factor'], cause['more_ns']), ([], 'calls', 7 / 5, 720_000), 'cause')
    check('The others wait for rank 1, 2.16 ms in total. Its kernels take as long as on the other ranks, but it runs 40 % more of them.' in text, text)
    check('No rank slows down' not in text, text)


def test_idle_device(cli):
    """The host of rank 1 launches each of four kernels 50 µs too late, so its device is idle 200 µs longer in each of six
    steps, except before the first kernel of the recording."""
    with folder() as place:
        write_kernels(place, lambda rank: USUAL, gap=50)
        slowdown, text = report(cli, place)['slowdown'], report_text(cli, place)
    cause = slowdown['ranks'][1]['cause']
    same((slowdown['stragglers']['ranks'], cause['kind'], cause['idle_ns'], cause['factor'], cause['calls_factor']), ([], 'idle', (6 * 200_000 - 50_000) // 6, 1, 1), 'cause')
    check('Its kernels take as long as on the other ranks, but its devices are idle ' in text, text)
    check('No rank slows down' not in text, text)


def test_faster_kernels(cli):
    """The kernels of rank 1 take 0.8 times as long as on the other ranks, but its device is idle for longer, or it runs
    more of them. The report must not say that its kernels take as long."""
    for kernels, gap in ((slow('gemm', 'flash', 'gelu', factor=0.8), 80),
                         (lambda rank: slow('gemm', 'flash', 'gelu', factor=0.8)(rank) + [('norm', 60)] * (7 if rank == 1 else 1), 0)):
        with folder() as place:
            write_kernels(place, kernels, gap=gap)
            slowdown, text = report(cli, place)['slowdown'], report_text(cli, place)
        check(slowdown['stragglers']['ranks'] == [] and slowdown['ranks'][1]['cause']['factor'] < 0.9, slowdown['ranks'][1]['cause'])
        check('The others wait for rank 1, ' in text and 'take as long as' not in text, text)


def test_part_of_time(cli):
    """The other ranks wait for rank 1 as in test_idle_device(), but the report is about a part of the run, or there is a long pause
    between two halves of the recording, in which nothing waits."""
    late = 'Its kernels take as long as on the other ranks, but its devices are idle '
    for pause, options in ((0, ()), (0, ('--unit=step', '--start=2', '--end=4')), (100_000, ())):
        with folder() as place:
            write_kernels(place, lambda rank: USUAL, gap=50, pause=pause)
            text = report_text(cli, place, *options)
        check(late in text and 'No rank slows down' not in text, f'{pause}, {options}: {text}')


def test_groups(cli):
    """Rank 1 of eight runs one kernel of 140 µs more. Its partner, rank 0, waits for it; the ranks 3, 5 and 7 then wait for rank 1, and
    2, 4 and 6 for rank 0. All ranks wait for 7 % of the time of a step because of rank 1, but only four of them directly."""
    with folder() as place:
        for rank in range(8):
            recording = Recording(rank, 8)
            for step in range(6):
                begin, late, direct = 2000 * step, 140 if rank == 1 else 0, rank in (0, 1)
                recording.step(step, begin, 1990)
                for i in range(4):
                    recording.kernel('gemm', begin + 4 + 11 * i, begin + 100 + 350 * i, 350)
                if late:
                    recording.kernel('norm', begin + 48, begin + 1500, late)
                for k, (arrival, end, group) in enumerate(((1500 + late, 1700 if direct else 1560, (rank // 2 * 2, rank // 2 * 2 + 1)),
                                                           (1702 if direct else 1562, 1850, range(rank % 2, 8, 2)))):
                    recording.collective(f'allreduce{k}', begin + 60 + 11 * k, begin + arrival, end - arrival, group, 8)
                recording.synchronize(begin + 90, 1765)
            recording.write(place)
        text = report_text(cli, place)
    check('The others wait for rank 1, ' in text and 'No rank slows down' not in text, text)


def test_few_collectives(cli, n):
    """Rank 1 is 100 µs late in each of n collectives. Fewer than three collectives cannot align clocks, but here the
    lateness is known anyway, because the clocks of both ranks show UTC."""
    with folder() as place:
        write(place, [lambda rank: 500 + 100 * rank] * n)
        document, text = report(cli, place), report_text(cli, place)
    same(document['collectives']['count'], n, 'collectives')
    if n > 1:
        same(document['slowdown']['stragglers']['ranks'], [1], 'stragglers')
    same([(rank['rank'], rank['others_wait_ns']) for rank in document['collectives']['ranks']], [(1, n * 100_000), (0, 0)], 'waits')
    check('No rank slows down' not in text, text)


def test_constant_delay(cli):
    """Rank 1 computes 100 µs ± 5 µs longer in each of eight steps, which explains its whole delay."""
    with folder() as place:
        write(place, [lambda rank, jitter=jitter: 500 + (100 + jitter) * rank for jitter in (5, -5, 3, 0, -2, 4, -5, 1)])
        (late,) = [rank for rank in report(cli, place)['collectives']['ranks'] if rank['rank'] == 1]
        text = report_text(cli, place)
    check(late['before'] == 'gemm_a' and late['correlation'] > 0.99, f'{late}')
    check('it spends 801 µs longer in gemm_a than the median rank, summed over its late arrivals, which explains 100 % of its delay, correlation 1.00' in text, text)


def test_median(cli):
    """Rank 1 is 100, 200, 300 and 400 µs late: the median is 250 µs."""
    with folder() as place:
        write(place, [lambda rank, late=late: 500 + late * rank for late in (100, 200, 300, 400)])
        (late,) = [rank for rank in report(cli, place)['collectives']['ranks'] if rank['rank'] == 1]
    same((late['late_median_ns'], late['late_max_ns']), (250_000, 400_000), 'median and largest lateness')


def test_short_recording(cli):
    """Rank 2 arrives 500 µs later than rank 1 in two collectives; then its recording ends. The other ranks have six
    collectives, which are enough to align their clocks. All clocks show UTC, so the two collectives of rank 2 can be
    matched with those of the other ranks."""
    with folder() as place:
        for rank in range(3):
            recording = Recording(rank, 3)
            for i in range(2 if rank == 2 else 6):
                arrival = 10_000 * i + 3300 + 500 * rank
                recording.step(i, 10_000 * i, 10_000)
                recording.collective('allreduce', 10_000 * i + 300, arrival, 10_000 * i + 6000 - arrival, range(3), 3)
            recording.write(place)
        merged = Path(place) / 'one.json'
        cli.must('merge', '--quiet', place, '-o', merged)
        merged = merged.rename(Path(place).parent / f'{Path(place).name}.json')
        found = [report(cli, path)['collectives'] for path in (place, merged)]
        merged.unlink()
    for collectives in found:
        same((collectives['count'], collectives['wait_ns']), (6, 5_000_000), 'collectives and waits')
        same({rank['rank']: (rank['collectives'], rank['last']) for rank in collectives['ranks']}, {0: (6, 0), 1: (6, 4), 2: (2, 2)}, 'ranks')


def test_no_collectives(cli):
    """Ranks that no collective connects cannot wait for each other."""
    with folder() as place:
        for rank in range(2):
            recording = Recording(rank, 2)
            for i in range(4):
                recording.step(i, 1000 * i, 1000)
                recording.kernel('gemm', 1000 * i + 10, 1000 * i + 30, 500)
                recording.synchronize(1000 * i + 50, 600)
            recording.write(place)
        text = report_text(cli, place)
    check('No rank slows down' not in text, text)


def write_job(place, node, begin):
    """Writes four steps of 20 ms. Each step has an all-reduce, in which rank 0 waits for 4 ms before both ranks
    transfer for 2 ms."""
    for rank in range(2):
        recording = Recording(rank, 2)
        recording.node = node
        for at in range(begin, begin + 80000, 20000):
            recording.step((at - begin) // 20000, at, 20000)
            if rank == 1:
                recording.kernel('gemm', at + 100, at + 200, 4700)
            arrival = 1000 if rank == 0 else 5000
            recording.collective('allreduce', at + 150, at + arrival, 7000 - arrival, range(2), 2)
        recording.write(Path(place) / node)


def test_two_jobs(cli):
    """Two jobs that are opened together have the same ranks on different nodes. No figure may combine rank 0 of one job
    with rank 0 of the other, whether the jobs overlap in time or not. On average, each rank has 4 ms of exposed
    communication per step, of which it waits 2 ms."""
    for begin in (1000, 1000000):
        with folder() as place:
            write_job(place, 'node-a', 0)
            write_job(place, 'node-b', begin)
            text = report_text(cli, place)
        check('is waiting for the last rank: 32.0 ms over all ranks' in text, text)
        check('Communication that no computation hides takes 20 % of the time of the steps: 4.00 ms per step on average, 2.00 ms of it waiting' in text, text)


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    tap.case('many slow kernels explain the delay of a rank', test_many_kernels, cli)
    for n in (1, 2, 3):
        tap.case(f'clocks with {n} common events', test_few_collectives, cli, n)
    tap.case('all kernels of a rank take longer', test_slow_device, cli)
    tap.case('some kernels of a rank take longer', test_slow_kernels, cli)
    tap.case('most kernels of a rank take longer', test_most_kernels, cli)
    tap.case('a slow rank runs more kernels', test_more_kernels, cli)
    tap.case('slow kernels explain a part of the time', test_share_of_kernels, cli)
    tap.case('most kernels of a slow rank have other names', test_partly_comparable, cli)
    tap.case('a rank runs more kernels', test_more_work, cli)
    tap.case('a rank runs other kernels', test_other_kernels, cli)
    tap.case('a rank runs more kernels, and another rank is missing', test_missing_rank, cli)
    tap.case('the device of a rank is idle', test_idle_device, cli)
    tap.case('the device of a rank is idle in a part of the time', test_part_of_time, cli)
    tap.case('a late rank has faster kernels', test_faster_kernels, cli)
    tap.case('ranks wait for a late rank through their groups', test_groups, cli)
    tap.case('a recording of one rank ends early', test_short_recording, cli)
    tap.case('no collective connects the ranks', test_no_collectives, cli)
    tap.case('the median lateness is between the middle two', test_median, cli)
    tap.case('a constant difference explains a constant delay', test_constant_delay, cli)
    tap.case('two jobs with the same ranks', test_two_jobs, cli)
    tap.done()


if __name__ == '__main__':
    main()
