#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures which lines of src are run by the unit tests and the tests of the command line. Prints the coverage of each layer, and
the files with the most lines that no test runs.

  run-coverage.py BUILD [-- arguments of `meson test`]

The window is not built, because its tests need a display; the layers widgets and app are not measured. Writes BUILD/coverage.html
and BUILD/coverage.json (gcovr). Fails if the coverage of import or analysis is below FLOOR."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FLOOR = {'import': 95, 'analysis': 95}  # percent of lines
# Assertions about the program's own state, which no input can make fail; they are not counted.
UNREACHABLE = r'.*(g_assert_not_reached|g_return_(val_)?if_fail|g_return_if_reached).*'


def build(folder):
    if not (folder / 'build.ninja').exists():
        subprocess.run(['meson', 'setup', '-Dgui=disabled', '-Db_coverage=true', '-Db_pch=true', '-Doptimization=0', '-Ddebug=false', folder, ROOT],
                       check=True)
    subprocess.run(['meson', 'compile', '-C', folder], check=True)


def measure(folder):
    """Returns {file: (executable lines, lines that ran)}. Excludes the second library of scan (without ISA-L): it is compiled from
    the same files, and gcovr would replace the counts of the first library by its counts."""
    subprocess.run(['gcovr', '--root', ROOT, '--object-directory', folder, '--filter', str(ROOT / 'src') + '/', '--exclude-lines-by-pattern', UNREACHABLE,
                    '--gcov-ignore-parse-errors', '--exclude-directories', '.*libloom-scan-zlib.*', '-j', str(os.cpu_count()), '--json', folder / 'coverage.json', '--html-details',
                    folder / 'coverage.html', folder / 'src'], check=True, cwd=folder)
    files = {}
    for file in json.loads((folder / 'coverage.json').read_text())['files']:
        lines = [line for line in file['lines'] if not line.get('gcovr/noncode')]
        files[file['file']] = (len(lines), sum(line['count'] > 0 for line in lines))
    return files


def layer_of(name):
    return name.split('/')[1]


def show(files):
    layers = defaultdict(lambda: [0, 0])
    for name, (n_lines, n_run) in files.items():
        layers[layer_of(name)][0] += n_lines
        layers[layer_of(name)][1] += n_run
    print('\nlayer             lines    run')
    for layer, (n_lines, n_run) in sorted(layers.items(), key=lambda item: item[1][1] / item[1][0]):
        print(f'{layer:16} {n_lines:6} {100 * n_run / n_lines:5.1f} %')
    print('\nlines that no test runs')
    for name, (n_lines, n_run) in sorted(files.items(), key=lambda item: item[1][1] - item[1][0])[:25]:
        print(f'{n_lines - n_run:5} of {n_lines:5}  {name}')
    return {layer: 100 * n_run / n_lines for layer, (n_lines, n_run) in layers.items()}


def main(folder, *words):
    folder = Path(folder).resolve()
    build(folder)
    for counts in folder.rglob('*.gcda'):  # counts of earlier runs
        counts.unlink()
    # Messages of gcov, which counts the lines, are written to a file, because tests compare what a program prints.
    env = {**os.environ, 'GCOV_ERROR_FILE': str(folder / 'gcov-errors.txt')}
    failed = subprocess.run(['meson', 'test', '-C', folder, '--no-rebuild', '--no-suite', 'house', '--no-suite', 'translation', '--timeout-multiplier', '5',
                             *words[1:]], env=env).returncode
    shares = show(measure(folder))
    low = [f'{layer}: {shares[layer]:.1f} % of lines, not {floor} %' for layer, floor in FLOOR.items() if shares[layer] < floor]
    print(*low, sep='\n')
    return 1 if low or failed else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
