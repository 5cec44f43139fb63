# SPDX-License-Identifier: Apache-2.0
"""Compares the output of dump for the cases of tests/import that have a dump.txt: decoded names, args, depths and
positions. With LOOM_UPDATE the files are rewritten; review the difference before committing."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, INCOMPLETE, ROOT, Cli, Tap, same  # noqa: E402


def one_case(cli, folder):
    expected = folder / 'dump.txt'
    drawn = cli.must('dump', '--quiet', '--clock', 'declared', folder, allowed=(DONE, INCOMPLETE)).stdout
    raw = cli.must('dump', '--quiet', '--raw', folder, allowed=(DONE, INCOMPLETE)).stdout
    found = f'{drawn}raw\n{raw}'
    if 'LOOM_UPDATE' in os.environ:
        expected.write_text(found)
    same(found.splitlines(), expected.read_text().splitlines(), folder.name)


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for expected in sorted((ROOT / 'tests' / 'import' / 'cases').glob('*/dump.txt')):
        tap.case(expected.parent.name, one_case, cli, expected.parent)
    tap.done()


if __name__ == '__main__':
    main()
