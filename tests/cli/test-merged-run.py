#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the report of the merged file of the sample, which has four formats, equals the report of the sample
itself. To make this possible, the merged file stores the original format of each process, the unit of each counter, and
the number that each step had when it began.

Usage: test-merged-run.py TRACELOOM-CLI"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import SAMPLE, Cli, Tap, check, folder, same  # noqa: E402

# Lines of the report that may differ, because the merged file has only one clock and one path, and no metrics files
# that begin before the first event.
OF_FILES = re.compile(r'Clocks: |Trace Health: |^  (count from|begin|end) |^  algo-1, \S+ +717 ms|starved at 5 instants|CommunicationShare: ')


def report(cli, run, form):
    return cli.must('report', '--quiet', '--format', form, '-o', '-', run).stdout


def lines(text):
    return sorted(line for line in text.splitlines() if not OF_FILES.search(line))


def test_report(cli, merged):
    run, file = lines(report(cli, SAMPLE, 'text')), lines(report(cli, merged, 'text'))
    check(any('12 training steps of 4 ranks' in line for line in run), run)
    same([line for line in file if line not in run], [], 'lines that only the file has')
    same([line for line in run if line not in file], [], 'lines that only the run has')


def test_numbers(cli, merged):
    """Composer increments the batch number before the end event of a batch, so a step has the number of its begin event."""
    steps = [[(step['format'], step['number'], step['rank'], step['duration']) for step in json.loads(cli.must(
        'query', '-q', run, 'SELECT format, number, rank, duration FROM step ORDER BY start, rank, format').stdout)] for run in (SAMPLE, merged)]
    check(('composer', 6) in [step[:2] for step in steps[0]], steps[0])
    same(steps[1], steps[0], 'steps')


def test_again(cli, merged, place):
    """A merged file that is merged again still states the formats that recorded its processes."""
    again = Path(place) / 'again.json'
    cli.must('merge', '-q', merged, '-o', again)
    same(lines(report(cli, again, 'text')), lines(report(cli, merged, 'text')), 'report')


def main(program):
    cli, tap = Cli(program), Tap()
    with folder() as place:
        for name, options in (('run.json', ()), ('run.json.gz', ()), ('run.pftrace', ('--layout', 'perfetto'))):
            merged = Path(place) / name
            cli.must('merge', '-q', SAMPLE, '-o', merged, *options)
            tap.case(f'report of {name}', test_report, cli, merged)
            tap.case(f'steps of {name}', test_numbers, cli, merged)
        tap.case('merged twice', test_again, cli, Path(place) / 'run.json', place)
    tap.done()


main(sys.argv[1])
