#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the JSON Schemas of data/schemas, and checks values against them.

Usage: schemas.py TRACELOOM-CLI [RUN…]

Extends the schemas so that they allow what the commands print about the sample, the test cases and the given runs. It adds members
and types, and makes members optional that are missing in a document; it never removes a member. Review the difference: a change that
is not an addition needs a new version, which is the number in the file name.

The check supports the keywords that the schemas use. It is stricter than JSON Schema: a member that a schema does not name is an
error, so schemas must name all members."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / 'data' / 'schemas'
SAMPLE = ROOT / 'data' / 'sample'
CASES = ROOT / 'tests' / 'import' / 'cases'
KEYWORDS = {'$schema', '$id', 'title', 'description', 'type', 'properties', 'required', 'items', 'additionalProperties', 'const', 'enum',
            'pattern', 'minimum', 'minLength', 'maxLength', 'maxItems'}
PATIENCE_S = 300


def written_and_shown(name, *words):
    """Returns two commands: the first writes a profiler configuration, the second shows it."""
    return [['config write', *words, '-o', f'OUT/{name}.json'], ['config show', f'OUT/{name}.json']]


# Verbs whose output is not a document of the schema: their commands make the files that the next command reads.
PREPARING = {'index-join-1': ['index'], 'config-1': ['config write']}

# Name of the schema: its title, and the command that prints such a document; RUN is replaced by the path of a run.
DOCUMENTS = {
    'info-1': ('Contents of a run: output of traceloom-cli info --format json', ['info', 'RUN']),
    'align-1': ('Offset and drift of the clocks: output of traceloom-cli align --format json', ['align', 'RUN']),
    'report-1': ('All analyses of a run: output of traceloom-cli report --format json', ['report', 'RUN']),
    'rules-1': ('Results of the rules by name: output of traceloom-cli rules --format json', ['rules', 'RUN']),
    'compare-1': ('Comparison of two runs: output of traceloom-cli compare --format json', ['compare', 'RUN', 'RUN']),
    'event-1': ('An event: one line of the output of traceloom-cli dump', ['dump', 'RUN']),
    'findings-1': ('Results of the rules as rows: output of traceloom-cli query RUN "SELECT * FROM finding" --format json',
                   ['query', 'RUN', 'SELECT * FROM finding']),
    'query-rows-1': ('Rows of a query: output of traceloom-cli query RUN SQL --format json',
                     ['query', 'RUN', 'SELECT id, name, duration / 2.0 AS half, NULL AS absent FROM span LIMIT 9']),
    'query-tables-1': ('Tables and columns for queries: output of traceloom-cli query --schema --format json', ['query', '--schema']),
    'query-list-1': ('The named queries: output of traceloom-cli query --list --format json', ['query', '--list']),
    'query-plan-1': ('Plan of a query: output of traceloom-cli query --explain --format json',
                     ['query', 'RUN', 'SELECT s.name, t.name FROM span s JOIN track t ON t.id = s.track ORDER BY s.duration', '--explain']),
    'merge-1': ('A merged file that was written: output of traceloom-cli merge -o FILE --format json', [
        ['merge', 'RUN', '-o', 'OUT/merged.json'], ['merge', 'RUN', '--layout', 'smdebug', '-o', 'OUT/smdebug.json'],
        ['merge', 'RUN', '--layout', 'sqlite', '-o', 'OUT/run.sqlite']]),
    'render-1': ('An image that was drawn: output of traceloom-cli render -o FILE --format json',
                 ['render', 'RUN', '--size', '400x100', '-o', 'OUT/picture.png']),
    'index-1': ('Indexes that were made: output of traceloom-cli index -o DIR --format json', ['index', 'RUN', '-o', 'OUT/indexes']),
    'index-join-1': ('Indexes that were joined: output of traceloom-cli index --join -o FILE --format json',
                     [['index', 'RUN', '-o', 'OUT/indexes'], ['index', '--join', 'OUT/indexes', '-o', 'OUT/run.zip']]),
    'config-1': ('Effect of a profiler configuration: output of traceloom-cli config show --format json', [
        ['config show', 'CONFIG'],
        *written_and_shown('steps', '--kind', 'request', '--start-step', '3', '--num-steps', '2'),
        *written_and_shown('detailed', '--kind', 'request', '--s3-output-path', 's3://a/b', '--default-steps', '--metric', 'detailed'),
        *written_and_shown('system', '--kind', 'request', '--s3-output-path', 's3://a/b', '--system-only'),
        *written_and_shown('python', '--kind', 'container', '--local-path', '/a', '--start-time', '1700000000', '--duration', '10', '--metric', 'python'),
        *written_and_shown('all', '--kind', 'container', '--local-path', '/a', '--start-step', '3', '--num-steps', '2')]),
    'config-check-1': ('Errors in a profiler configuration: output of traceloom-cli config check --format json',
                       ['config check', 'CONFIG']),
    'config-write-1': ('A profiler configuration that was written: output of traceloom-cli config write --format json',
                       ['config write', '--kind', 'request', '--start-step', '5', '--num-steps', '2', '-o', 'OUT/config.json']),
    'error-1': ('An error, printed on standard error by any command with --format json', [
        ['info', 'MISSING'], ['report', 'OUT'], ['info', '--nonsense'], ['query', 'RUN', 'SELECT'], ['config check', 'MISSING']]),
}

# Schemas written by hand, of files that the program reads and writes: name of the schema, paths of example files.
FILES = {
    'session-1': ['tests/session/full.traceloom'],
    'rule-file-1': sorted(str(path.relative_to(ROOT)) for path in (ROOT / 'data' / 'rules').glob('*.json')),
    'rule-parameters-1': ['tests/cli/rule-parameters.json'],
}

CONFIG = ROOT / 'tests' / 'import' / 'cases' / 'not-traces' / 'profilerconfig.json'

# Objects whose member names come from the run and not from the program: regular expressions of their paths in a document.
MAPS = {
    'rules-1': [r'', r'/[^/]+/Details'],
    'event-1': [r'/args'],
    'query-rows-1': [r'/\*'],
}
# Objects with members that differ between runs; their members are not described.
ANYTHING = {'rules-1': [r'/[^/]+/Details'], 'event-1': [r'/args']}

UNITS = [(r'_ns$', 'ns'), (r'^ts_ns$', 'ns of the timeline'), (r'^(start|end|begin|time)_ns$', 'ns of the timeline'),
         (r'percent$', '%'), (r'bytes$', 'bytes'), (r'_ppb$', 'parts per billion'), (r'seconds$', 's')]


# --- values --------------------------------------------------------------------------------------------------------


def type_of(value):
    return {dict: 'object', list: 'array', str: 'string', bool: 'boolean', int: 'integer', float: 'number', type(None): 'null'}[type(value)]


def types_of(schema):
    types = schema.get('type', [])
    return [types] if isinstance(types, str) else types


def limits_of(schema, value, own):
    """Yields a description of each limit of a schema that a value exceeds."""
    if 'const' in schema and value != schema['const']:
        yield f'{value!r} instead of {schema["const"]!r}'
    if 'enum' in schema and value not in schema['enum']:
        yield f'{value!r} is none of {schema["enum"]}'
    if own in ('integer', 'number') and value < schema.get('minimum', value):
        yield f'{value} is too small'
    if own == 'string' and not schema.get('minLength', 0) <= len(value) <= schema.get('maxLength', len(value)):
        yield f'{len(value)} characters'
    if own == 'string' and 'pattern' in schema and not re.search(schema['pattern'], value):
        yield f'{value!r} does not match'
    if own == 'array' and len(value) > schema.get('maxItems', len(value)):
        yield f'{len(value)} items'


def problems_of(schema, value, place=''):
    """Yields a description of each violation of a schema by a value."""
    unknown = set(schema) - KEYWORDS
    if unknown:
        yield f'{place}: the schema uses {sorted(unknown)}'
    types, own = types_of(schema), type_of(value)
    yield from (f'{place}: {word}' for word in limits_of(schema, value, own))
    if types and own not in types and not (own == 'integer' and 'number' in types):
        yield f'{place}: {own} instead of {types}'
    if own == 'array' and 'items' in schema:
        for i, item in enumerate(value):
            yield from problems_of(schema['items'], item, f'{place}/{i}')
    if own != 'object' or not ({'properties', 'additionalProperties'} & set(schema)):
        return
    for name in set(schema.get('required', [])) - set(value):
        yield f'{place}: “{name}” is missing'
    for name, member in value.items():
        part = schema.get('properties', {}).get(name, schema.get('additionalProperties'))
        if part is None or part is False:
            yield f'{place}: the schema does not name “{name}”'
        elif part is not True:
            yield from problems_of(part, member, f'{place}/{name}')


# --- schemas -------------------------------------------------------------------------------------------------------


def matches(table, name, place):
    return any(re.fullmatch(pattern, place) for pattern in table.get(name, []))


def widen_object(schema, value, name, place):
    if matches(ANYTHING, name, place):
        schema['additionalProperties'] = True
        return
    if matches(MAPS, name, place):
        part = schema.setdefault('additionalProperties', {})
        for member in value.values():
            widen(part, member, name, f'{place}/*')
        return
    properties = schema.setdefault('properties', {})
    schema['required'] = [key for key in schema.get('required', value) if key in value]
    for key, member in value.items():
        part = properties.setdefault(key, {})
        unit = [words for pattern, words in UNITS if re.search(pattern, key)]
        if unit and type_of(member) != 'object' and 'description' not in part:
            part['description'] = unit[-1]
        widen(part, member, name, f'{place}/{key}')


def widen(schema, value, name, place=''):
    """Extends a schema so that it allows a value."""
    own, types = type_of(value), types_of(schema)
    if own == 'integer' and 'number' in types:
        own = 'number'
    if own == 'number':
        types = [word for word in types if word != 'integer']
    types = sorted({*types, own})
    schema['type'] = types if len(types) > 1 else types[0]
    if own == 'object':
        widen_object(schema, value, name, place)
    elif own == 'array':
        part = schema.setdefault('items', {})
        for item in value:
            widen(part, item, name, f'{place}/*')


def read_schema(name):
    return json.loads((FOLDER / f'{name}.schema.json').read_text(encoding='utf-8'))


def complete(words, run, other, out):
    """Returns a command with its placeholders replaced; the first RUN is `run`, the second `other`."""
    pair, places = [str(run), str(other)], {'CONFIG': str(CONFIG), 'MISSING': str(Path(out) / 'missing')}
    verb, *rest = [pair.pop(0) if word == 'RUN' else places.get(word, re.sub('^OUT', out, word)) for word in words]
    quiet = ['--quiet'] if 'RUN' in words or verb == 'index' else []
    return [*verb.split(), *([] if verb == 'dump' else ['--format', 'json']), *quiet, *rest]


def read_output(name, done):
    """Returns the JSON documents that a command printed."""
    if name == 'error-1':
        return [json.loads(done.stderr)]
    if done.returncode not in (0, 3) and name != 'config-check-1':
        return []
    text = done.stdout.decode()
    return list(map(json.loads, text.splitlines())) if name == 'event-1' else [json.loads(text)]


def documents(cli, name, *runs):
    """Yields the documents that the commands of a schema print about the runs; nothing for a run that a command cannot read."""
    commands = DOCUMENTS[name][1]
    commands = commands if isinstance(commands[0], list) else [commands]
    needs_run = any('RUN' in words for words in commands)
    for place, run in enumerate(runs if needs_run else runs[:1]):
        with tempfile.TemporaryDirectory(prefix='traceloom-test-') as out:
            for number, words in enumerate(commands):
                command = complete(words, run, runs[place - 1], out)  # for compare, the second run is the one before
                done = subprocess.run([cli, *command], capture_output=True, timeout=PATIENCE_S)
                if words[0] not in PREPARING.get(name, []) or number + 1 == len(commands):
                    yield from read_output(name, done)


def all_runs():
    return [SAMPLE, *sorted(path for path in CASES.iterdir() if path.is_dir())]


def main(cli, *others):
    FOLDER.mkdir(exist_ok=True)
    for name, (title, _) in DOCUMENTS.items():
        path = FOLDER / f'{name}.schema.json'
        schema = read_schema(name) if path.exists() else {
            '$schema': 'https://json-schema.org/draft/2020-12/schema', '$id': f'urn:traceloom:{name}', 'title': title}
        for document in documents(cli, name, *all_runs(), *others):
            widen(schema, document, name)
        path.write_text(json.dumps(schema, indent=1, ensure_ascii=False) + '\n', encoding='utf-8')
        print(name, path.stat().st_size)


if __name__ == '__main__':
    main(*sys.argv[1:])
