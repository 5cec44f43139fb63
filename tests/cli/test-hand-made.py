#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests figures of reports on small runs against figures computed by hand.

Usage: test-hand-made.py TRACELOOM-CLI"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Cli, Tap, check, folder, same  # noqa: E402
from kineto import Recording  # noqa: E402


def write_training(place, numbers, n_ranks=2):
    """Steps of 1.4 ms with these numbers. Rank r computes for 300 + 100 r µs, then all ranks reduce for 300 µs together."""
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
    """Numbers that begin again are other steps: each takes 1.4 ms, of which 0.1 ms is rank 1's longer computation."""
    with folder() as place:
        write_training(place, numbers)
        computed, text = report(cli, place)['computed'], report_text(cli, place)
    same(get_step_figures(computed), [1_400_000, 100_000, numbers, numbers, len(numbers) * 1_400_000], 'figures of steps')
    for part in ('would save 100 µs of each step (7 %)', 'Mean Step Time: 1.40 ms', 'Every step is 100 µs longer'):
        check(part in text, f'{part}: {text}')


def test_restart_in_pipeline(cli):
    """Two stages, one microbatch, no messages: in each step stage 1 computes for 400 µs after stage 0 has, so both are idle for a half."""
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


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    tap.case('step numbers are unique', test_restart, cli, list(range(8)))
    tap.case('step numbers begin again', test_restart, cli, [0, 1, 2, 3, 0, 1, 2, 3])
    tap.case('step numbers resume from a checkpoint', test_restart, cli, [0, 1, 2, 3, 2, 3, 4])
    tap.case('step numbers of a pipeline begin again', test_restart_in_pipeline, cli)
    tap.done()


if __name__ == '__main__':
    main()
