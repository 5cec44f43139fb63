#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the JSON output of the commands conforms to data/schemas, for the sample and a few random test cases, and that the example in
data/examples runs.

Usage: test-schemas.py TRACELOOM-CLI"""

import copy
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

from harness import ROOT, SAMPLE, Cli, Tap, check, folder, same, shared_folder
from kineto import Recording

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


def check_corpus(*paths):
    """Reports of real recordings have nulls and real numbers where those of the sample have none."""
    corpus = shared_folder('corpus')
    if not corpus.exists():
        return 'skip: no corpus'
    check_documents('report-1', [corpus.joinpath(path) for path in paths])


def check_many_ranks():
    """Of 33 ranks, the cost of slowness is computed for 16; for the others it is null."""
    schema = schemas.read_schema('report-1')
    with folder() as place:
        for rank in range(33):
            recording = Recording(rank, 33)
            for i in range(2):
                recording.step(i, 1000 * i, 1000)
                recording.kernel('gemm', 1000 * i + 10, 1000 * i + 30, 600 + rank)
                recording.collective('AllReduce', 1000 * i + 30, 1000 * i + 640 + rank, 300 - rank, range(33), 33)
            recording.write(place)
        report, = schemas.documents(CLI.program, 'report-1', place)
    same(list(schemas.problems_of(schema, report))[:5], [], 'problems')
    for name in ('slowdown', 'saved_ns', 'saved_of_replayed_step_ns', 'caused_ns'):
        same(sum(rank[name] is None for rank in report['computed']['slowdown']['ranks']), 17, f'ranks without {name}')


def damages(value, schema):
    """Returns copies of a document that violate the schema: without a member, with an additional member, with a wrong type."""
    assert isinstance(value, dict)
    less, more, other = copy.deepcopy(value), copy.deepcopy(value), copy.deepcopy(value)
    name = RANDOM.choice(sorted(schema['required']))
    del less[name]
    more['member that is new'] = 1
    other[name] = {'x': 1} if not isinstance(value[name], dict) else 'x'
    return less, more, other


def check_refusal():
    """Tests the validation itself: it reports each member that is removed from a report."""
    schema = schemas.read_schema('report-1')
    report, = schemas.documents(CLI.program, 'report-1', SAMPLE)
    for part in (('about',), ('steps',), ('phases',), ('computed', 'critical_path'), ()):
        place, own = report, schema
        for name in part:
            place, own = place[name], own['properties'][name]
        for damaged in damages(place, own):
            check(list(schemas.problems_of(own, damaged)), f'a damaged part fits: {part}')


def used_by(schema, value, place=''):
    """Returns the paths of schema members that occur in a value."""
    used = {place}
    for name, member in value.items() if isinstance(value, dict) else ():
        part = schema.get('properties', {}).get(name, {})
        used |= used_by(part, member, f'{place}/{name}')
    for item in value if isinstance(value, list) else ():
        used |= used_by(schema['items'], item, f'{place}/*')
    return used


def places_of(schema, place=''):
    inside = schema.get('properties', {}).items()
    return {place}.union(*(places_of(part, f'{place}/{name}') for name, part in inside),
                         places_of(schema['items'], f'{place}/*') if 'items' in schema else set())


def check_examples(name, paths):
    """Example files conform to the schema, damaged copies do not. The example session has every member of the schema."""
    schema, used = schemas.read_schema(name), set()
    for path in paths:
        value = json.loads((ROOT / path).read_text(encoding='utf-8'))
        same(list(schemas.problems_of(schema, value)), [], f'problems of {path}')
        used |= used_by(schema, value)
    if name == 'session-1':
        same(sorted(places_of(schema) - used), [], 'members that no session has')
    check(list(schemas.problems_of(schema, [])), 'an array conforms to the schema')


def check_rule_file():
    """The schema of rule files and the program accept and refuse the same files."""
    schema = schemas.read_schema('rule-file-1')
    good = {'name': 'Mine', 'statistic': 'p95', 'above': '2 ms', 'sentence': '{value}'}
    cases = [({}, True), ({'of': 'spans'}, True), ({'patience': 2}, True), ({'measures': 'share of a step'}, True), ({'measures': 5}, False), ({'above': '5 s', 'severity': 'info'}, True),
             ({'of': 'events'}, False), ({'statistic': 'median'}, False), ({'patience': 0}, False), ({'sentence': ''}, False),
             ({'per': 'gpu'}, False), ({'colour': 'red'}, False), ({'where': {'rank': '1'}}, False), ({'name': 5}, False),
             ({'name': ''}, False), ({'mark': 'all'}, False), ({'where': {'name': 'x' * 1001}}, False)]
    with folder() as place:
        path = os.path.join(place, 'rules.json')
        for change, is_good in cases:
            document = {'traceloom-rules': 1, 'rules': [{**good, **change}]}
            with open(path, 'w', encoding='utf-8') as file:
                json.dump(document, file)
            result = CLI('rules', '--quiet', '--format', 'json', '--rules', path, '--rule', 'BatchSize', SAMPLE)
            same((not list(schemas.problems_of(schema, document)), result.returncode == 0), (is_good, is_good), f'{change}: {result.stderr}')


def check_parameters():
    path = ROOT / 'tests' / 'cli' / 'rule-parameters.json'
    result = CLI.must('rules', '--format', 'json', '--parameters', path, '--rule', 'BatchSize', SAMPLE)
    check('rule-parameters' not in result.stderr, result.stderr)


def check_errors():
    """An error is a single JSON object on standard error, with the file and the offset if known, and nothing else is printed."""
    with folder() as place:
        cut, text, none = (os.path.join(place, name) for name in ('cut.json.gz', 'text.txt', 'none'))
        Path(cut).write_bytes(b'\x1f\x8b\x08\x00')
        Path(text).write_text('hello', encoding='utf-8')
        session = os.path.join(place, 'new.traceloom')
        Path(session).write_text('{"traceloom-session": 99}', encoding='utf-8')
        rules = os.path.join(place, 'rules.json')
        Path(rules).write_text('{"traceloom-rules": 1, "rules": 5}', encoding='utf-8')
        for words, status, code, file in (
                (['info', none], 1, 'read', none), (['report', cut], 1, 'read', cut), (['info', text], 1, 'read', text),
                (['dump', session], 1, 'format', session), (['rules', '--rules', rules, SAMPLE], 1, 'format', rules),
                (['merge', SAMPLE, '-o', none + '/x.json'], 1, 'write', none + '/x.json'),
                (['render', SAMPLE, '-o', none + '/x.png'], 1, 'write', none + '/x.png'),
                (['index', none, '-o', place], 1, 'read', none), (['config', 'show', none], 1, 'read', none),
                (['config', 'check', text], 1, 'format', text),
                (['compare', SAMPLE, none], 1, 'read', none), (['align', none], 1, 'read', none),
                (['query', SAMPLE, 'SELECT x FROM span'], 2, 'query', None), (['query', SAMPLE, '-f', none], 1, 'read', none),
                (['info', SAMPLE, '--start', '9998', '--end', '9999', '--unit', 'step'], 1, 'range', None),
                (['info'], 2, 'usage', None), (['merge', SAMPLE], 2, 'usage', None), (['nonsense'], 2, 'usage', None),
                (['rules', '--rule', 'None', SAMPLE], 2, 'usage', None), (['config'], 2, 'usage', None)):
            result = CLI(*words, '--format', 'json')
            error = json.loads(result.stderr)
            same((result.returncode, error['status'], error['code'], error['file'], result.stdout), (status, status, code, file, ''),
                 f'{words}: {error}')
            same(list(schemas.problems_of(schemas.read_schema('error-1'), error)), [], 'problems')
            offset = {'SELECT x FROM span': 7}.get(words[-1])
            same(error['offset'], offset, f'{words}: the place')
            plain = CLI(*words)
            check(error['message'].split('“')[0] in plain.stderr, f'{error["message"]} is not in {plain.stderr}')
        done = CLI('info', '--format', 'json', ROOT / 'tests' / 'import' / 'cases' / 'not-traces', SAMPLE)
        check(done.returncode in (0, 3) and done.stderr.startswith('traceloom-cli: '), done.stderr)


def check_files():
    """Every schema belongs to a command or a file, has a version in its name, and is listed in the README of data/schemas."""
    files = {path.name.removesuffix('.schema.json') for path in schemas.FOLDER.glob('*.schema.json')}
    same(files, {*schemas.DOCUMENTS, *schemas.FILES}, 'schemas')
    text = (schemas.FOLDER / 'README.md').read_text(encoding='utf-8')
    same(set(re.findall(r'`([a-z-]+-\d+)`', re.sub(r'(?m)^[^|].*', '', text).replace('`report.json` of `report-1`', ''))), files, 'names in the README')
    for name in files:
        same(schemas.read_schema(name)['$id'], f'urn:traceloom:{name}', 'id')
        check(re.fullmatch(r'[a-z-]+-\d+', name), name)


def check_tables():
    """Columns and types in the schema of findings agree with the SQL table “finding”."""
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
        for part in ('steps, median', 'Warning: GPU 1 of rank 1', ' ms ', 'step 6 of rank'):
            check(part in done.stdout, f'“{part}” is missing: {done.stdout}')


def main():
    tap = Tap()
    cases = RANDOM.sample([run for run in schemas.all_runs() if run != SAMPLE], N_CASES)
    for name in schemas.DOCUMENTS:
        tap.case(name, check_documents, name, [SAMPLE, SAMPLE / 'llama-8b' / 'composer'] if name in ('compare-1', 'findings-1') else
                 [SAMPLE, *cases])
    tap.case('reports of the corpus', check_corpus, 'smdebug', 'param/dlrm_kineto', 'composer', '')
    tap.case('report of many ranks', check_many_ranks)
    for name, paths in schemas.FILES.items():
        tap.case(name, check_examples, name, paths)
    tap.case('rules that the program refuses', check_rule_file)
    tap.case('parameters of rules', check_parameters)
    tap.case('errors as JSON', check_errors)
    tap.case('documents that violate a schema', check_refusal)
    tap.case('files and table of schemas', check_files)
    tap.case('columns of findings', check_tables)
    tap.case('example', check_example)
    tap.done()


if __name__ == '__main__':
    main()
