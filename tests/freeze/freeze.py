#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records the output of the programs of a build, and compares another build with the record, for changes that must not
change behaviour: record once before, compare after each step.

freeze.py record BUILD [STORE]: runs the command line over the sample, test cases, sessions, corpus and generated runs.

freeze.py compare BUILD [STORE]: does the same; exit status 1 if an output differs or is missing.

STORE is a folder outside of the source tree; the default is BUILD/freeze. It contains copies of the inputs from the
source tree, a SHA-256 of every output, and small outputs themselves. An output is named by its command; --only selects
names by a regular expression."""

import argparse
import os
import re
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import benchmarks
import commands
import inputs
import runner
from differences import Report
from store import Store


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('verb', choices=['record', 'compare'])
    parser.add_argument('build', type=Path)
    parser.add_argument('store', type=Path, nargs='?')
    parser.add_argument('--only', type=re.compile, default=re.compile(''), metavar='PATTERN', help='only outputs whose name matches this regular expression')
    parser.add_argument('--jobs', type=int, default=os.cpu_count(), metavar='N')
    parser.add_argument('--lines', type=int, default=40, metavar='N', help='maximum number of lines to print for a difference (default: 40)')
    parser.add_argument('--no-corpus', action='store_true', help='use only inputs from the source tree')
    parser.add_argument('--no-window', action='store_true', help='skip the accessible tree of the window, which needs a display')
    parser.add_argument('--bench', type=Path, metavar='BUILD', help='also record or compare the ratios of the benchmarks in BUILD, a build with -Dbench=true')
    parser.add_argument('--chapters', metavar='NAMES', help='with --bench: the chapters of the benchmarks to run (default: all)')
    parser.add_argument('--large', action='store_true', help='run all commands also over files above 2 MB')
    chosen = parser.parse_args()
    chosen.store = (chosen.store or chosen.build / 'freeze').resolve()
    chosen.no_window |= not (shutil.which('Xvfb') and shutil.which('dbus-run-session'))
    return chosen


def collect(chosen, store, program):
    """Returns the commands to run: those selected by --only whose input and program exist. Window commands come first,
    because they take longest."""
    found = commands.without_input(not chosen.no_window)[::-1]
    found += [command for one in inputs.find(store.inputs, chosen.no_corpus) for command in commands.over(one, chosen.large)]
    return [command for command in found if chosen.only.search(command.name) and program.has(command)]


def is_asked(chosen, command):
    """Returns whether the options select a command of the record."""
    return (chosen.only.search(command) and not (chosen.no_window and command.startswith('window-'))
            and not (chosen.no_corpus and re.search(r' (corpus|oracle|generated)/', command)))


def run_all(chosen, store):
    """Yields (name, bytes) of every output, in the order of the commands."""
    program = runner.Runner(chosen.build, store.inputs)
    with ThreadPoolExecutor(chosen.jobs) as pool:
        for outputs in pool.map(program.run, collect(chosen, store, program)):
            yield from outputs


def record(chosen, store):
    store.clear()
    inputs.copy(store.inputs, chosen.no_corpus)
    for name, data in run_all(chosen, store):
        store.put(name, data)
    measured = benchmarks.run(chosen.bench, chosen.chapters) if chosen.bench else {}
    store.write(commit=inputs.commit(), large=chosen.large, benchmarks=measured)
    print(f'{len(store.outputs)} outputs and {len(measured)} ratios recorded in {store.folder}')
    return 0


def compare(chosen, store):
    if not store.read():
        sys.exit(f'freeze.py: {store.folder} contains no record')
    chosen.large |= store.about['large']
    before = store.about.get('benchmarks', {})
    if chosen.bench and not before:
        sys.exit(f'freeze.py: {store.folder} contains no ratios of benchmarks')
    report = Report(store, chosen.lines)
    for name, data in run_all(chosen, store):
        report.add(name, data)
    status = report.finish({name for name in store.outputs if is_asked(chosen, name.rsplit(' [', 1)[0])})
    return status | compare_benchmarks(chosen, before)


def compare_benchmarks(chosen, before):
    """Returns 1 if a ratio is worse than recorded, beyond noise."""
    if not chosen.bench:
        return 0
    worse = list(benchmarks.compare(before, benchmarks.run(chosen.bench, chosen.chapters)))
    print('\n'.join([*worse, f'{len(before) - len(worse)} of {len(before)} ratios within noise']))
    return 1 if worse else 0


def main():
    chosen = options()
    begin = time.monotonic()
    status = {'record': record, 'compare': compare}[chosen.verb](chosen, Store(chosen.store))
    print(f'{time.monotonic() - begin:.0f} s', file=sys.stderr)
    return status


if __name__ == '__main__':
    sys.exit(main())
