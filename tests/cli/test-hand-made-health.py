#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the checks of trace health on small traces whose contradictions are known.

Usage: test-hand-made-health.py TRACELOOM-CLI"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Cli, Tap, check, folder, same  # noqa: E402
from kineto import Recording  # noqa: E402


def get_checks(cli, place):
    """Returns the checks of the only trace: name → count, number examined, worst_ns, alarm."""
    document = json.loads(cli.must('report', '--quiet', '--format', 'json', '-o', '-', place).stdout)
    (trace,) = document['computed']['health']['traces']
    return {one['check']: (one['count'], one['of'], one.get('worst_ns'), one['alarm']) for one in trace['checks']}


def test_late_ends(cli, late, wanted):
    """Tests four steps. In each step the host waits for a kernel, but the waiting call returns `late` µs before that
    kernel ends. `wanted`: the expected result of the check “late-ends”."""
    with folder() as place:
        recording = Recording(0, 1)
        for i in range(4):
            begin = 1000 * i
            recording.step(i, begin, 1000)
            recording.kernel('gemm', begin + 10, begin + 30, 800)
            recording.synchronize(begin + 50, 780 - late)
        recording.write(place)
        text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', place).stdout
        same(get_checks(cli, place)['late-ends'], wanted, 'check')
    check(('Kernels that end after the call that waited for them: 4 of 4' in text) == wanted[-1], text)
    check('of the critical path of 4.00 ms is computation' in text, text)


def test_unrecorded_host(cli):
    """Two kernels of 100 µs are 3 ms apart, and no host activity is recorded in between. The page must not state by how
    much a faster host would shorten the critical path."""
    with folder() as place:
        recording = Recording(0, 1)
        for begin in (0, 3000):
            recording.kernel('gemm', begin + 10, begin + 30, 100)
            recording.synchronize(begin + 50, 90)
        recording.write(place)
        page = Path(place) / 'page.html'
        cli.must('report', '--quiet', '-o', page, place)
        html = page.read_text()
    check('no span of the host is recorded, so what would make the run faster is not known.' in html, 'answer')
    check('PyTorch records more of the host with' in html, 'advice')
    check('20 % faster' not in html, 'advice')


def test_light_ends(cli):
    """One of two kernels ends 6 µs after the call that waited for it. This is 0.15 % of the recording, which lasts 4
    ms, so the report does not warn that figures may be wrong."""
    with folder() as place:
        recording = Recording(0, 1)
        for i, late in enumerate((6, -2)):
            recording.step(i, 2000 * i, 2000)
            recording.kernel('gemm', 2000 * i + 10, 2000 * i + 30, 1800)
            recording.synchronize(2000 * i + 50, 1780 - late)
        recording.write(place)
        same(get_checks(cli, place)['late-ends'], (1, 2, 6000, True), 'check')
        text = cli.must('report', '--quiet', '--format', 'text', '-o', '-', place).stdout
        page = Path(place) / 'page.html'
        cli.must('report', '--quiet', '-o', page, place)
        html = page.read_text()
    check('Figures that may be wrong' not in text, text)
    check('may be wrong, because the recording contradicts itself' not in html, 'warning')
    check('The recording contradicts itself in 1 point, by at most 6.00 µs: too little to change figures noticeably.' in html, 'page')


def test_early_works(cli, call):
    """Tests four kernels that the function `call` launches and that have no External id. Two of the kernels begin 50 µs
    before their launch; the check “early-works” must count them."""
    with folder() as place:
        recording = Recording(0, 1)
        for i in range(4):
            recording.kernel('gemm', 1000 * i + 100, 1000 * i + (50 if i < 2 else 120), 300)
        for event in recording.events:
            event['name'] = call if event['name'] == 'cudaLaunchKernel' else event['name']
        recording.write(place)
        same(get_checks(cli, place)['early-works'], (2, 4, 50000, True), 'check')


def test_overlaps(cli):
    """One kernel overlaps three other kernels of the same stream; the check “stream-overlaps” must count three
    overlaps."""
    with folder() as place:
        recording = Recording(0, 1)
        for launch, begin, duration in ((0, 100, 900), (20, 200, 50), (40, 400, 50), (60, 600, 50), (80, 1100, 50)):
            recording.kernel('gemm', launch, begin, duration)
        recording.write(place)
        same(get_checks(cli, place)['stream-overlaps'], (3, 5, 800000, True), 'check')


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    tap.case('kernels end before the calls that waited for them', test_late_ends, cli, -2, (0, 4, None, False))
    tap.case('kernels end after the calls that waited for them', test_late_ends, cli, 6, (4, 4, 6000, True))
    tap.case('a host that records nothing for most of the path', test_unrecorded_host, cli)
    tap.case('a deviation that does not weigh', test_light_ends, cli)
    for call in ('cudaLaunchKernel', 'cudaLaunchKernelExC', 'cuLaunchKernel', 'hipLaunchKernel', 'hipExtModuleLaunchKernel'):
        tap.case(f'kernels start before {call}', test_early_works, cli, call)
    tap.case('a kernel that overlaps three others', test_overlaps, cli)
    tap.done()


if __name__ == '__main__':
    main()
