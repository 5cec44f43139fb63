#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests figures in the sentences of pages on small runs against figures computed by hand.

Usage: test-hand-made-sentences.py TRACELOOM-CLI"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Cli, Tap, check, folder  # noqa: E402
from kineto import BEGIN, Recording  # noqa: E402


def report_text(cli, place):
    return cli.must('report', '--quiet', '--format', 'text', '-o', '-', place).stdout


def test_waits_of_one_rank(cli):
    """Tests two ranks with ten steps of 1 ms. Only rank 0 waits for data: for 100 µs in each step, in which its GPU is
    idle. The sentence must state this wait as 10 % of the steps of rank 0."""
    with folder() as place:
        for rank in range(2):
            recording = Recording(rank, 2)
            for i in range(10):
                recording.step(i, 1000 * i, 1000)
                recording.span('aten::mm', 'cpu_op', 1000 * i + 200, 50)
                recording.kernel('gemm', 1000 * i + 210, 1000 * i + 300, 600)
                if rank == 0:
                    recording.span('enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__', 'user_annotation', 1000 * i + 50, 100)
            recording.write(place)
        text = report_text(cli, place)
    check('For 1.00 ms of it, 10 % of the time of the steps, devices have nothing to do.' in text, text)


def test_gpu_that_copies(cli):
    """In each ms, GPU 0 runs a kernel for 600 µs, and GPU 1 only copies memory for 100 µs. Both are recorded for 3600 µs. The sentence
    about utilization must state the shares of both GPUs."""
    with folder() as place:
        recording = Recording(0, 1)
        for i in range(4):
            recording.span('aten::mm', 'cpu_op', 1000 * i + 5, 100)
            recording.kernel('gemm', 1000 * i + 10, 1000 * i + 30, 600)
            recording.events.append({'ph': 'X', 'name': 'Memcpy HtoD', 'cat': 'gpu_memcpy', 'pid': 1, 'tid': 7, 'ts': BEGIN + 1000 * i + 30, 'dur': 100,
                                     'args': {'device': 1, 'stream': 7}})
        recording.write(place)
        text = report_text(cli, place)
    check(re.search(r'from 11\.1 % \([^)]*1\) to 66\.7 % \([^)]*0\)', text), text)


def test_unlinked_collectives(cli):
    """Two ranks have ten collectives of 100 µs. Rank 0 spends 40 µs of each waiting. The files contain the launch of
    only one of the ten, but the sentence about operators must count all of them."""
    with folder() as place:
        for rank in range(2):
            recording, wait = Recording(rank, 2), 40 * (1 - rank)
            for i in range(10):
                begin = 1000 * i
                recording.step(i, begin, 1000)
                recording.span('aten::mm', 'cpu_op', begin + 10, 50)
                recording.kernel('gemm', begin + 20, begin + 40, 400)
                recording.span('record_param_comms', 'user_annotation' if i else 'cpu_op', begin + 100, 50)
                recording.collective('allreduce', begin + 110, begin + 540 - wait, 60 + wait, range(2), 2)
                if i > 0:
                    recording.events = [event for event in recording.events if event.get('id') != recording.correlation and not (
                        event['name'] == 'cudaLaunchKernel' and event['args']['correlation'] == recording.correlation)]
            recording.write(place)
        text = report_text(cli, place)
    check('devices spend 1.60 ms in communication, added up where it overlaps; 400 µs of it is waiting for other ranks.' in text, text)


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    tap.case('the share of one waiting rank is that of its own steps', test_waits_of_one_rank, cli)
    tap.case('a GPU that only copies is among the compared GPUs', test_gpu_that_copies, cli)
    tap.case('collectives without a launch count among the operators', test_unlinked_collectives, cli)
    tap.done()


if __name__ == '__main__':
    main()
