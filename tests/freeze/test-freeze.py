# SPDX-License-Identifier: Apache-2.0
"""Tests freeze.py: two runs of the same build are equal; an output that differs, is missing or is new is reported. Usage:
test-freeze.py BUILD"""

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import Tap, check, folder, same  # noqa: E402

import benchmarks  # noqa: E402

SCRIPT = Path(__file__).with_name('freeze.py')
SOME = r'(info|dump|report|merge|render) .*(sample/|cases/(chrome-ids|kineto-example)$)|rewrite-session|config show|^traceloom-cli --help'
TAMPERED = r'info --format text cases/(chrome-ids|kineto-example|gone)$'
INFO = 'traceloom-cli info --format text cases/chrome-ids [output]'
GONE = 'traceloom-cli info --format text cases/gone [output]'


def freeze(verb, build, store, only=SOME):
    return subprocess.run([sys.executable, SCRIPT, verb, build, store, '--only', only, '--no-corpus', '--no-window'],
                          capture_output=True, text=True)


def test_equal(build, store):
    done = freeze('record', build, store)
    same(done.returncode, 0, done.stderr)
    n = len(json.loads((store / 'index.json').read_text())['outputs'])
    check(n > 80, f'{n} outputs')
    done = freeze('compare', build, store)
    same((done.returncode, done.stdout), (0, f'{n} equal, 0 different, 0 new, 0 missing\n'), done.stderr)


def tamper(store, change):
    index = json.loads((store / 'index.json').read_text())
    change(index['outputs'])
    (store / 'index.json').write_text(json.dumps(index))


def test_different(build, store):
    """Replaces a recorded output by that of another file: the comparison fails, and prints the name of the output and
    the lines that differ."""
    tamper(store, lambda outputs: outputs.update({INFO: outputs[INFO.replace('chrome-ids', 'kineto-example')]}))
    done = freeze('compare', build, store, only=TAMPERED)
    same(done.returncode, 1, done.stderr)
    for line in (INFO, '+  0 cases/chrome-ids/ids.json'):
        check(line in done.stdout.splitlines(), f'no line “{line}” in\n{done.stdout}')
    check('1 different, 0 new, 0 missing' in done.stdout, done.stdout)


def test_new(build, store):
    tamper(store, lambda outputs: outputs.pop(INFO))
    done = freeze('compare', build, store, only=TAMPERED)
    check(f'new: {INFO}\n' in done.stdout and '0 different, 1 new, 0 missing' in done.stdout, done.stdout)
    same(done.returncode, 0, 'status with new outputs')


def test_benchmarks(*_):
    """Two kinds of rows are reported: ratios that became worse by more than the noise (whether a higher or a lower
    ratio is better), and rows that were not measured again."""
    def row(ratio, spread=None, at_least=False):
        return {'ratio': ratio, 'spread': spread, 'at_least': at_least}
    before = {'load': row(1.0), 'speed': row(2.0, at_least=True), 'noisy': row(1.0, (0.8, 1.3)), 'gone': row(1.0)}
    same(list(benchmarks.compare(before, {**before, 'load': row(1.09), 'speed': row(9.0, at_least=True)})), [], 'reported rows')
    now = {'load': row(1.2), 'speed': row(1.0, at_least=True), 'noisy': row(1.25, (1.2, 1.4))}
    same(list(benchmarks.compare(before, now)), ['benchmark load: 1.20 times worse, 1 before, 1.2 now',
                                                 'benchmark speed: 2.00 times worse, 2 before, 1 now', 'benchmark gone: not measured'], 'reported rows')


def test_missing(build, store):
    tamper(store, lambda outputs: outputs.update({GONE: '0'}))
    done = freeze('compare', build, store, only=TAMPERED)
    check(f'missing: {GONE}\n' in done.stdout, done.stdout)
    same(done.returncode, 1, done.stderr)


def test_foreign_folder(build, place):
    """A folder that is not a store is not changed."""
    (place / 'mine').mkdir()
    (place / 'mine' / 'letter').write_text('dear')
    check(freeze('record', build, place / 'mine').returncode != 0, 'a folder with other files was accepted as a store')
    same((place / 'mine' / 'letter').read_text(), 'dear', 'the file')


def main():
    build, tap = Path(sys.argv[1]), Tap()
    with folder() as place:
        store = Path(place) / 'store'
        for name, function in (('two runs of one build are equal', test_equal), ('a difference is shown', test_different),
                               ('a new output is named', test_new), ('a missing output fails', test_missing),
                               ('benchmarks worse beyond noise are named', test_benchmarks)):
            tap.case(name, function, build, store)
        tap.case('a folder that is not a store is not changed', test_foreign_folder, build, Path(place))
    tap.done()


if __name__ == '__main__':
    main()
