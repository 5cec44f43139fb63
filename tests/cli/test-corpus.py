# SPDX-License-Identifier: Apache-2.0
"""Runs “traceloom-cli info” on every file and folder of the corpus: it must not crash, and event counts must equal those in the table
of the corpus (without metadata events and events without a phase)."""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, FAILED, INCOMPLETE, Cli, Tap, check, need, same, shared_folder  # noqa: E402


FORMS = ('array', 'object', 'JSON lines')


def rows(corpus):
    """Yields (path, number of events without metadata and events without a phase, whether it is a trace) for each row
    of the tables."""
    family = None
    for line in (corpus / 'README.md').read_text().splitlines():
        heading = re.fullmatch(r'## (\w+)', line)
        if heading:
            family = heading[1]
        cells = [cell.strip() for cell in line.split('|')]
        if len(cells) < 9 or cells[1] == 'file' or cells[1].startswith('---'):
            continue
        phases = dict(word.rsplit(':', 1) for word in cells[6].split() if ':' in word)
        n = sum(int(count) for phase, count in phases.items() if phase not in ('M', 'none'))
        if cells[4] == 'JSON lines':
            n = int(cells[5])
        yield corpus / family / cells[1], n, cells[4] in FORMS and (n > 0 or cells[4] != 'JSON lines') and not re.search(r'\(negative\)|not a trace', cells[8])


def one_file(cli, path, n, is_trace):
    if not path.exists():
        return 'skip: not there'
    result = cli('info', '--format', 'json', path)
    if not is_trace:
        check(result.returncode in (DONE, FAILED), f'exit {result.returncode}: {result.stderr}')
        check(result.returncode == DONE or str(path) in result.stderr, result.stderr)
        return None
    check(result.returncode in (DONE, INCOMPLETE), f'exit {result.returncode}: {result.stderr}')
    document = json.loads(result.stdout)
    same(document['events'], n, 'events')
    same(sum(source['events'] for source in document['sources']), n, 'sum over sources')
    return None


def one_folder(cli, path):
    result = cli('info', '--format', 'text', path)
    check(result.returncode in (DONE, INCOMPLETE), f'exit {result.returncode}: {result.stderr}')
    check('Sources' in result.stdout and 'Tracks' in result.stdout, result.stdout[:200])


def main():
    corpus = shared_folder('corpus')
    need(corpus)
    cli, tap = Cli(sys.argv[1]), Tap()
    for path, n, is_trace in rows(corpus):
        tap.case(str(path.relative_to(corpus)).replace('#', ' '), one_file, cli, path, n, is_trace)
    for path in sorted(entry for entry in corpus.iterdir() if entry.is_dir()):
        tap.case(f'folder {path.name}', one_folder, cli, path)
    tap.case('folder of all', one_folder, cli, corpus)
    tap.done()


if __name__ == '__main__':
    main()
