# SPDX-License-Identifier: Apache-2.0
"""The rows of the benchmark, their table in Markdown, and the history that shows regressions."""

import json
from dataclasses import dataclass

WORSE = 1.10      # rows that became worse than in the last run by more than this factor are marked
BUSY = 0.10       # if other programs used a larger fraction of the machine, the report calls times doubtful


@dataclass
class Row:
    """A figure compared with a reference. If there is no ratio, `note` says why."""
    id: str
    what: str
    figure: str = '–'
    reference: str = '–'
    ratio: float = None
    spread: tuple = None      # minimum and maximum over the rounds
    wanted: float = None
    at_least: bool = False    # True: the ratio should be at least `wanted`; False: at most
    stand_in: bool = False    # measured on smaller input than the goal requires
    note: str = ''

    def met(self):
        if self.ratio is None or self.wanted is None:
            return '–'
        good = self.ratio >= self.wanted if self.at_least else self.ratio <= self.wanted
        return f'({"yes" if good else "no"})' if self.stand_in else 'yes' if good else '**no**'

    def ratio_text(self):
        if self.ratio is None:
            return '–'
        spread = f' ({number(self.spread[0])}–{number(self.spread[1])})' if self.spread else ''
        return number(self.ratio) + spread

    def wanted_text(self):
        return '–' if self.wanted is None else f'{"≥" if self.at_least else "≤"} {self.wanted:g}'


def number(value):
    return f'{value:.0f}' if value >= 100 else f'{value:.1f}' if value >= 10 else f'{value:.2f}' if value >= 0.1 else f'{value:.3f}'


def duration(seconds):
    return f'{seconds:.2f} s' if seconds >= 1 else f'{seconds * 1e3:.0f} ms' if seconds >= 0.1 else f'{seconds * 1e3:.2f} ms'


def memory(n_bytes):
    return f'{n_bytes / 1e9:.2f} GB' if n_bytes >= 1e9 else f'{n_bytes / 1e6:.0f} MB' if n_bytes >= 1e7 else f'{n_bytes / 1e6:.1f} MB'


class History:
    """Earlier runs of the benchmark, from a file with one line of JSON for each."""

    def __init__(self, path, machine, set_name):
        self.path, self.machine, self.set_name = path, machine, set_name
        lines = path.read_text().splitlines() if path.exists() else []
        runs = [json.loads(line) for line in lines if line.strip()]
        self.runs = [run for run in runs if run['machine'] == machine and run['set'] == set_name]

    def last(self, row_id):
        """Returns the newest run that was made on this machine with this set and contains the row, and the ratio of the
        row in that run."""
        for run in reversed(self.runs):
            if row_id in run['rows']:
                return run, run['rows'][row_id]
        return None, None

    def change(self, row, others):
        """Returns a remark that compares the row with the same row of the last run."""
        run, before = self.last(row.id)
        if row.ratio is None or not before or row.ratio <= 0:
            return ''
        factor = before / row.ratio if row.at_least else row.ratio / before
        if 1 / WORSE <= factor <= WORSE:
            return ''
        doubt = '?' if max(others, run['others']) > BUSY else ''
        return f'{"worse" if factor > 1 else "better"} ×{number(factor)}{doubt} since {run["date"][:10]}'

    def append(self, rows, date, commit, others):
        entry = {'date': date, 'machine': self.machine, 'set': self.set_name, 'commit': commit, 'others': round(others, 3),
                 'rows': {row.id: round(row.ratio, 5) for row in rows if row.ratio is not None},
                 'figures': {row.id: row.figure for row in rows if row.ratio is not None}}
        with open(self.path, 'a') as file:
            file.write(json.dumps(entry, ensure_ascii=False) + '\n')


def table(rows, history, others):
    yield '| what | figure | reference | ratio | wanted | met | since last time |'
    yield '|---|---|---|---|---|---|---|'
    for row in rows:
        cells = [row.what, row.figure, row.note or row.reference, row.ratio_text(), row.wanted_text(), row.met(),
                 history.change(row, others)]
        yield '| ' + ' | '.join(cell.replace('|', '\\|') for cell in cells) + ' |'


def report(rows, history, date, commit, others, took_s):
    """Yields the report in Markdown."""
    yield f'Traceloom {commit}, {date}, set “{history.set_name}”, {took_s:.0f} s. {history.machine}.'
    busy = f'**Other programs used {others:.0%} of the machine meanwhile: times are doubtful.** ' if others > BUSY else \
        f'Other programs used {others:.0%} of the machine meanwhile. '
    yield busy + ('Files in the page cache; a figure is the median of the rounds, a ratio is figure ÷ reference (in brackets the least '
                  'and most of single rounds). Brackets around “met”: the input is smaller than the goal’s.')
    yield ''
    yield from table(rows, history, others)
    worse = [row.what for row in rows if history.change(row, others).startswith('worse')]
    yield ''
    yield f'Worse than last time by more than {WORSE - 1:.0%}: {", ".join(worse) if worse else "nothing"}.'
