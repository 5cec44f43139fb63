# SPDX-License-Identifier: Apache-2.0
"""Checks that function tables of cProfile dumps equal those of Python's pstats in every digit: calls, times, times per
call, callers; for single dumps and for sums of several. The dumps are made here with Python's profilers and a
deterministic timer; dumps of the shared corpus are added if it is present."""

import cProfile
import io
import profile
import pstats
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import Tap, same, shared_folder  # noqa: E402


class Ticks:
    """A clock that advances by an irregular number of ns each time it is read."""

    def __init__(self, seed):
        self.now, self.state = 0, seed

    def __call__(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        self.now += 1000 + self.state // 2 ** 42
        return self.now


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n > 0 and even(n - 1)


class Größe:
    def __init__(self, n):
        self.items = sorted(range(n), key=lambda item: -item)

    def rechne(self):
        return sum(map(abs, self.items)) + fib(len(self.items))


def work(n):
    return [Größe(k).rechne() for k in range(n)], even(n), ''.join(reversed('abc' * n)), exec('fib(3)')


def make(folder, seed, n):
    path = str(Path(folder) / f'{seed}.prof')
    profiler = cProfile.Profile(Ticks(seed), 1e-9)
    profiler.runcall(work, n)
    profiler.dump_stats(path)
    return path


def make_pure(folder, seed, n):
    path = str(Path(folder) / f'pure-{seed}.prof')
    ticks = Ticks(seed)
    profiler = profile.Profile(lambda: ticks() * 1e-9)
    profiler.runcall(work, n)
    profiler.dump_stats(path)
    return path


def name(function):
    return pstats.func_std_string(function)


def row_of(function, cc, nc, tt, ct):
    calls = str(nc) if nc == cc else f'{nc}/{cc}'
    return '\t'.join((calls, f'{tt:.3f}', f'{tt / nc if nc else 0:.3f}', f'{ct:.3f}', f'{ct / cc if cc else 0:.3f}', name(function)))


def table_of(stats):
    """Returns the cells that pstats prints, with times rounded to whole ns first: otherwise floating-point errors of
    the sums could turn 10.5 ms into 10 on one side and 11 on the other."""
    lines = {f'{stats.total_calls}\t{round(stats.total_tt, 9):.3f}'}
    for function, (cc, nc, tt, ct, callers) in stats.stats.items():
        lines.add(row_of(function, cc, nc, round(tt, 9), round(ct, 9)))
        for caller, value in callers.items():
            if isinstance(value, tuple):
                n, c, own, cumulative = value
                lines.add('\t'.join(('>', str(n) if n == c else f'{n}/{c}', f'{round(own, 9):.3f}', f'{round(cumulative, 9):.3f}', name(caller), name(function))))
            else:
                lines.add('\t'.join(('>', str(value), '-', '-', name(caller), name(function))))
    return lines


def printed_rows(stats):
    """Returns the lines that print_stats() prints, as an independent check of table_of()."""
    stream = stats.stream = io.StringIO()
    stats.print_stats()
    rows = set()
    for line in stream.getvalue().split('filename:lineno(function)\n')[1].splitlines():
        if line.strip():
            rows.add('\t'.join(line.split(None, 5)))
    return rows


def compare(printer, *paths):
    stats = pstats.Stats(*paths)
    result = subprocess.run([printer, *paths], capture_output=True, text=True, timeout=120)
    same(result.returncode, 0, 'exit status')
    ours, wanted = set(result.stdout.splitlines()), table_of(stats)
    same(sorted(ours - wanted)[:5], sorted(wanted - ours)[:5], 'lines that differ')
    strayed = {key: value[:4] for key, value in stats.stats.items() if row_of(key, *value[:4]) not in ours}
    same([key for key, value in strayed.items() if max(abs(round(t, 9) - t) for t in value[2:]) > 1e-12], [], 'rows that differ by more than a double')
    rows = {line.replace('\t0.000', '', 2) if line.startswith('0\t') else line for line in ours if not line.startswith('>') and line.count('\t') == 5}
    missing = printed_rows(stats) - rows
    same({line.split('\t')[-1] for line in missing}, {name(key) for key in strayed}, 'printed rows')


def main():
    printer, tap = sys.argv[1], Tap()
    with tempfile.TemporaryDirectory(prefix='traceloom-test-') as folder:
        dumps = [make(folder, seed, 4 + seed) for seed in range(6)]
        for path in dumps:
            tap.case(f'cProfile {Path(path).name}', compare, printer, path)
        tap.case('sum of six dumps', compare, printer, *dumps)
        tap.case('sum of a dump with itself', compare, printer, dumps[0], dumps[0])
        pure = [make_pure(folder, seed, 5) for seed in range(2)]
        for path in pure:
            tap.case(f'profile {Path(path).name}', compare, printer, path)
        tap.case('sum of two dumps of profile', compare, printer, *pure)
        corpus = sorted(map(str, shared_folder('corpus').glob('**/python_stats')))
        for path in corpus:
            tap.case(f'corpus {Path(path).parent.name}', compare, printer, path)
        if corpus:
            tap.case('sum of the dumps of the corpus', compare, printer, *corpus)
        tap.done()


if __name__ == '__main__':
    main()
