# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmark suite for a record, and reports ratios that became worse in a later build."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent / 'bench' / 'run-bench.py'
NOISE = 1.10  # maximum factor between two runs of one build


def run(build, chapters):
    """Returns {id of a row: {"ratio", "spread", "at_least"}} for a build configured with -Dbench=true. Takes minutes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'rows.json'
        command = [sys.executable, SUITE, '--build', build, '--rows', path, *(['--only', chapters] if chapters else [])]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return json.loads(path.read_text())


def factor(old, new):
    """Returns the factor by which a row became worse; below 1 it became better."""
    better, worse = (new, old) if old['at_least'] else (old, new)
    return worse['ratio'] / better['ratio']


def overlap(old, new):
    """Returns True if the ranges of the ratios that were measured in single rounds overlap, so that the two medians may
    differ by chance."""
    if not old['spread'] or not new['spread']:
        return False
    return old['spread'][0] <= new['spread'][1] and new['spread'][0] <= old['spread'][1]


def compare(before, now):
    """Yields a line for each row whose ratio became worse by more than the noise, and for each row that was not
    measured again."""
    for row_id, old in before.items():
        if row_id not in now:
            yield f'benchmark {row_id}: not measured'
        elif factor(old, now[row_id]) > NOISE and not overlap(old, now[row_id]):
            yield f'benchmark {row_id}: {factor(old, now[row_id]):.2f} times worse, {old["ratio"]:.3g} before, {now[row_id]["ratio"]:.3g} now'
