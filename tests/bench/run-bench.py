#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks. Each figure is a ratio: to a public reference program, which runs in turns with Traceloom, or to Traceloom with
a smaller input. tests/bench/run-bench.py --build build-bench [--set default|full|huge] [--only load,merge] Prints a table in Markdown,
writes it to BUILD/bench.md, and appends a line to history.jsonl in the cache folder ($XDG_CACHE_HOME/traceloom-bench), which also
contains the generated inputs. The environment variable BENCH may name the set."""

import argparse
import datetime
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import bench_rows
from bench_measure import HERE, Bench, Failed, Machine, Missing
from bench_report import History, Row, report


def default_cache():
    return Path(os.environ.get('XDG_CACHE_HOME') or Path.home() / '.cache') / 'traceloom-bench'


def commit():
    def git(*words):
        return subprocess.run(['git', '-C', HERE, *words], capture_output=True, text=True).stdout.strip()
    try:
        return (git('rev-parse', '--short', 'HEAD') or 'without git') + ('+' if git('status', '--porcelain', '--', ':/src') else '')
    except OSError:
        return 'without git'


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', required=True, help='a build folder set up with -Dbench=true --buildtype=release')
    parser.add_argument('--set', default=os.environ.get('BENCH') or 'default', choices=bench_rows.SETS)
    parser.add_argument('--only', help=f'comma-separated chapters to run, from: {", ".join(bench_rows.CHAPTERS)}')
    parser.add_argument('--rows', type=Path, help='file to which the ratios are written as JSON')
    parser.add_argument('--cache', type=Path, default=default_cache())
    parsed = parser.parse_args()
    if parsed.set not in bench_rows.SETS:  # the set may come from the environment variable BENCH
        parser.error(f'BENCH is one of {", ".join(bench_rows.SETS)}, not {parsed.set}')
    parsed.only = parsed.only.split(',') if parsed.only else list(bench_rows.CHAPTERS)
    if unknown := set(parsed.only) - bench_rows.CHAPTERS.keys():
        parser.error(f'no chapter is called {", ".join(sorted(unknown))}')
    return parsed


def main():
    chosen = options()
    bench, status, rows = Bench(chosen.build, chosen.cache), 0, []
    machine, begin = Machine(), time.monotonic()
    for name, chapter in bench_rows.CHAPTERS.items():
        if name not in chosen.only:
            continue
        print(f'{time.monotonic() - begin:4.0f} s: {name}', file=sys.stderr, flush=True)
        try:
            for row in chapter(bench, bench_rows.SETS[chosen.set]):
                rows.append(row)
        except Missing as reason:
            rows.append(Row(name, f'{name}: the rest', note=f'not measured: {reason}'))
        except Failed as reason:
            rows.append(Row(name, f'{name}: the rest', note=f'failed: {reason}'))
            status = 1
    others, date, version = machine.others(), datetime.datetime.now().isoformat(' ', 'minutes'), commit()
    history = History(chosen.cache / 'history.jsonl', machine.name, chosen.set)
    text = '\n'.join(report(rows, history, date, version, others, time.monotonic() - begin))
    history.append(rows, date, version, others)
    print(text)
    (bench.build / 'bench.md').write_text(text + '\n')
    if chosen.rows:
        measured = {row.id: {'ratio': row.ratio, 'spread': row.spread, 'at_least': row.at_least} for row in rows if row.ratio is not None}
        chosen.rows.write_text(json.dumps(measured))
    return status


if __name__ == '__main__':
    sys.exit(main())
