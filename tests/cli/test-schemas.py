#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the commands print as JSON fits data/schemas: about the sample and a few random cases of the tests. The example of
data/examples runs, and the help says nothing else.

Usage: test-schemas.py TRACELOOM-CLI"""

import copy
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

from harness import ROOT, SAMPLE, Cli, Tap, check, folder, same

sys.path.insert(0, str(ROOT / 'tests' / 'tools'))
import schemas  # noqa: E402

CLI = Cli(sys.argv[1])
N_CASES = 4
RANDOM = random.Random(int(os.environ.get('LOOM_SEED', '26')))


def check_documents(name, runs):
    schema, n = schemas.read_schema(name), 0
    for document in schemas.documents(CLI.program, name, *runs):
        same(list(schemas.problems_of(schema, document))[:5], [], f'problems of {name}; tests/tools/schemas.py adds what is new')
        n += 1
    check(n > 0, f'no document of {name}')


def damages(value, schema):
    """Returns copies of a document that must not fit: without a member, with a member more, with another type."""
    assert isinstance(value, dict)
    less, more, other = copy.deepcopy(value), copy.deepcopy(value), copy.deepcopy(value)
    name = RANDOM.choice(sorted(schema['required']))
    del less[name]
    more['member that is new'] = 1
    other[name] = {'x': 1} if not isinstance(value[name], dict) else 'x'
    return less, more, other


def check_refusal():
    """The check can fail: each member of a report that is left out is missed."""
    schema = schemas.read_schema('report-1')
    report, = schemas.documents(CLI.program, 'report-1', SAMPLE)
    for part in (('about',), ('steps',), ('phases',), ('computed', 'critical_path'), ()):
        place, own = report, schema
        for name in part:
            place, own = place[name], own['properties'][name]
        for damaged in damages(place, own):
            check(list(schemas.problems_of(own, damaged)), f'a damaged part fits: {part}')


def check_files():
    """Every schema has a command, a version in its name and is named in the table of the README."""
    files = {path.name.removesuffix('.schema.json') for path in schemas.FOLDER.glob('*.schema.json')}
    same(files, set(schemas.DOCUMENTS), 'schemas')
    text = (schemas.FOLDER / 'README.md').read_text(encoding='utf-8')
    same(set(re.findall(r'^\| `([\w-]+)` \|', text, re.MULTILINE)), files, 'names in the README')
    for name in files:
        same(schemas.read_schema(name)['$id'], f'urn:traceloom:{name}', 'id')
        check(re.fullmatch(r'[a-z-]+-\d+', name), name)


def check_tables():
    """The columns of findings in the schema are those of the table, with its types."""
    tables, = schemas.documents(CLI.program, 'query-tables-1', SAMPLE)
    finding, = [table for table in tables['tables'] if table['name'] == 'finding']
    own = schemas.read_schema('findings-1')['items']['properties']
    words = {'INTEGER': 'integer', 'TEXT': 'string', 'REAL': 'number'}
    for column in finding['columns']:
        wanted = {words[column['type']], *(['null'] if column['nullable'] else [])}
        check(set(schemas.types_of(own[column['name']])) <= wanted, column)


def check_example():
    with folder() as path:
        done = subprocess.run([sys.executable, str(ROOT / 'data' / 'examples' / 'read-run.py'), str(SAMPLE), CLI.program],
                              capture_output=True, text=True, cwd=path, check=False)
        same((done.returncode, os.listdir(path)), (0, []), f'status and files; {done.stderr}')
        for part in ('steps, median', 'Warning: GPU 0', ' ms ', 'step 6 of rank'):
            check(part in done.stdout, f'“{part}” is missing: {done.stdout}')


def main():
    tap = Tap()
    cases = RANDOM.sample([run for run in schemas.all_runs() if run != SAMPLE], N_CASES)
    for name in schemas.DOCUMENTS:
        tap.case(name, check_documents, name, [SAMPLE, SAMPLE / 'llama-8b' / 'composer'] if name in ('compare-1', 'findings-1') else
                 [SAMPLE, *cases])
    tap.case('what does not fit', check_refusal)
    tap.case('files', check_files)
    tap.case('columns', check_tables)
    tap.case('example', check_example)
    tap.done()


if __name__ == '__main__':
    main()
