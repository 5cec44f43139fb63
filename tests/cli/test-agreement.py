#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the pages of a report agree: the same measure has the same value on each page, and parts add up to the whole.

Usage: test-agreement.py TRACELOOM-CLI"""

import html
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import Cli, Tap, check, folder, generate_parallel, need, same, shared_folder  # noqa: E402

CORPUS = shared_folder('corpus')
UNITS = {'ns': 1e-6, 'µs': 1e-3, 'ms': 1, 's': 1000}


def read_pages(cli, run):
    """Returns the text of the pages of a run as lines: a card is its title, and then its value and its note."""
    with folder() as place:
        page = Path(place) / 'page.html'
        cli.must('report', '--quiet', '-o', page, run)
        text = page.read_text()
    text = re.sub(r'<(script|style)[^>]*>.*?</\1>|<svg.*?</svg>', '', text, flags=re.S)
    text = re.sub(r'</(tr|p|h\d|dt|dd|li|div|section|table)>', '\n', text)
    text = html.unescape(re.sub(r'<[^>]+>', ' ', text))
    return [line for line in (re.sub(r'\s+', ' ', line).strip() for line in text.split('\n')) if line]


def pages_of(cli, *options):
    with folder() as place:
        run = Path(place) / 'run'
        generate_parallel(run, *options)
        return read_pages(cli, run)


def card(lines, title):
    check(title in lines, f'no card {title}')
    return lines[lines.index(title) + 1]


def milliseconds(text):
    return [float(number) * UNITS[unit] for number, unit in re.findall(r'([\d.]+) (ns|µs|ms|s)\b', text)]


def near(got, wanted, what):
    check(abs(got - wanted) <= 0.01 * max(abs(got), abs(wanted)), f'{what}: {got}, but {wanted}')


def test_waits(cli):
    """The summary counts waits in which nothing is computed; the page of stragglers states which part of all waits these are."""
    lines = pages_of(cli, '--tp', 2, '--dp', 4, '--pp', 2, '--micro', 8, '--steps', 4, '--straggler', '5:1.3', '--seed', 3)
    total, in_collectives, for_messages, for_data = milliseconds(card(lines, 'Exposed Waiting'))
    near(in_collectives + for_messages + for_data, total, 'parts of the exposed waiting')
    for title, exposed in (('Waiting in Collectives', in_collectives), ('Waiting for Messages', for_messages)):
        whole, part = milliseconds(card(lines, title))
        same(part, exposed, title)
        check(part < whole, card(lines, title))


def test_busy(cli):
    """Two devices in one file: the pages state the mean of the devices, and what is not busy is idle."""
    lines = read_pages(cli, CORPUS / 'nsight' / 'mfu_2gpu_before.sqlite')
    busy = float(re.match(r'([\d.]+) %', card(lines, 'GPUs Busy (from Trace)'))[1])
    text = '\n'.join(lines)
    same(float(re.search(r'According to the trace, .* ([\d.]+) % on average', text)[1]), busy, 'utilization')
    same(float(re.search(r'devices are idle for ([\d.]+) % of their time', text)[1]), round(100 - busy, 1), 'idle time')


def main():
    need(shared_folder('tools'), CORPUS)
    cli, tap = Cli(sys.argv[1]), Tap()
    tap.case('the waits of the summary and of the page of stragglers', test_waits, cli)
    tap.case('busy and idle devices', test_busy, cli)
    tap.done()


if __name__ == '__main__':
    main()
