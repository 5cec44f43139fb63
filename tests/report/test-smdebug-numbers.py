#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the figures of --numbers smdebug with smdebug's own for generated jobs, key by key. The README of each case contains the
command that generates its job. Counts, integers and texts must be equal; fractions may differ by a relative 1e-9.
Usage: test-smdebug-numbers.py TRACELOOM_CLI SHARED"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import OUT, generate  # noqa: E402

RELATIVE = 1e-9
# Members that are not compared: sentences, and the first and last rows of tables.
LEFT_OUT = {'root_cause_literal', 'head', 'tail'}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class Comparison:
    def __init__(self):
        self.n, self.problems = 0, []

    def compare(self, path, expected, found):
        if isinstance(expected, dict) and isinstance(found, dict):
            for key in expected.keys() - LEFT_OUT:
                if key not in found:
                    self.problems.append(f'{path}.{key}: missing')
                else:
                    self.compare(f'{path}.{key}', expected[key], found[key])
            for key in found.keys() - expected.keys():
                self.problems.append(f'{path}.{key}: not expected')
        elif isinstance(expected, list) and isinstance(found, list):
            if len(expected) != len(found):
                self.problems.append(f'{path}: {len(expected)} elements expected, {len(found)} found')
            for i, (a, b) in enumerate(zip(expected, found)):
                self.compare(f'{path}[{i}]', a, b)
        else:
            self.n += 1
            if not self.same(expected, found):
                self.problems.append(f'{path}: {expected!r} expected, {found!r} found')

    @staticmethod
    def same(expected, found):
        if is_number(expected) and is_number(found):
            if isinstance(expected, int):
                return expected == found
            return abs(expected - found) <= RELATIVE * max(abs(expected), abs(found)) + 1e-9
        return type(expected) is type(found) and expected == found


def numbers_in(sentences):
    """Returns the numbers in the data loader's sentences, in order; "2 * median" does not count."""
    text = ' '.join(sentences).replace('2 * median', '')
    return [json.loads(number) for number in re.findall(r'(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])', text)]


def numbers_of(analysis):
    """Returns the numbers of Traceloom's analysis of the data loader that correspond to those in smdebug's sentences
    (see numbers_in()), in the same order. Tables, outliers and counts of 0 are left out."""
    found = []
    for name, value in analysis.items():
        if name in ('table', 'outliers'):
            continue
        if isinstance(value, dict):
            found += numbers_of(value)
        elif is_number(value) and not (name == 'count' and value == 0):
            found.append(value)
    return found


def make_folder(case, shared, parent):
    """Generates the folder of the case with the command in its README."""
    command = re.search(r'python3 shared/tools/make-profiler-output.py FOLDER (.*)', (case / 'README.md').read_text())
    folder = parent / case.name
    generate(folder, 'make-profiler-output.py', OUT, *command[1].split())
    return folder


def compare_case(cli, case, shared, parent):
    expected = json.loads((case / 'expected.json').read_text())
    folder = make_folder(case, shared, parent)
    text = subprocess.run([cli, 'report', folder, '--numbers', 'smdebug', '--format', 'json', '--quiet'], check=True,
                          stdout=subprocess.PIPE).stdout
    found, comparison = json.loads(text), Comparison()
    for part in ('analysis', 'analysis_utilization', 'frames'):
        comparison.compare(part, expected[part], found[part])
    if 'error' not in expected['statistics']:
        comparison.compare('statistics', expected['statistics'], found['statistics'])
    elif 'error' not in found['statistics']:
        comparison.problems.append('statistics: the original fails')
    for name, printed in expected['dataloader'].items():
        comparison.compare(f'dataloader.{name}.table', printed['table'], found['dataloader'][name]['table'])
        comparison.compare(f'dataloader.{name}', numbers_in(printed['printed']), numbers_of(found['dataloader'][name]))
    return comparison


def main(cli, shared):
    shared = Path(shared)
    cases = sorted(shared.glob('oracle/gen-*')) if (shared / 'tools/make-profiler-output.py').exists() else []
    if not cases:
        print('1..0 # SKIP the reference results are not here')
        return
    print(f'1..{len(cases)}')
    with tempfile.TemporaryDirectory() as parent:
        for number, case in enumerate(cases, 1):
            comparison = compare_case(cli, case, shared, Path(parent))
            for problem in comparison.problems[:40]:
                print(f'# {problem}')
            print(f'{"not " if comparison.problems else ""}ok {number} - {case.name}: {comparison.n} values compared')


main(*sys.argv[1:])
