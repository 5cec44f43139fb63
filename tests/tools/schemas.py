#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The JSON Schemas of data/schemas: what they are made from, and a check of values against them.

Usage: schemas.py TRACELOOM-CLI [RUN…]

Widens the schemas by what the commands print about the sample, the cases of the tests and other runs. It adds members and types,
and makes a member optional that a document lacks; it never removes one. Review the difference: a change that isn't an addition
needs a new version, which is the number in the name of the file.

The check knows the keywords that the schemas use, and is stricter than JSON Schema: a member that a schema doesn't name is an
error, so that schemas name all of them."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / 'data' / 'schemas'
SAMPLE = ROOT / 'data' / 'sample'
CASES = ROOT / 'tests' / 'import' / 'cases'
KEYWORDS = {'$schema', '$id', 'title', 'description', 'type', 'properties', 'required', 'items', 'additionalProperties'}
PATIENCE_S = 300

# Name of the schema: its title, and the command that prints a document about RUN, or about none.
DOCUMENTS = {
    'info-1': ('What is on the timeline: traceloom-cli info --format json', ['info', 'RUN']),
    'align-1': ('What the clocks say: traceloom-cli align --format json', ['align', 'RUN']),
    'report-1': ('Every analysis of a run: traceloom-cli report --format json', ['report', 'RUN']),
    'rules-1': ('Results of the rules by name: traceloom-cli rules --format json', ['rules', 'RUN']),
    'compare-1': ('What made one of two runs slower: traceloom-cli compare --format json', ['compare', 'RUN', 'RUN']),
    'event-1': ('A line of traceloom-cli dump', ['dump', 'RUN']),
    'findings-1': ('Results of the rules as rows: traceloom-cli query RUN "SELECT * FROM finding" --format json',
                   ['query', 'RUN', 'SELECT * FROM finding']),
    'query-tables-1': ('The tables of queries: traceloom-cli query --schema --format json', ['query', '--schema']),
    'query-list-1': ('The named queries: traceloom-cli query --list --format json', ['query', '--list']),
}

# Objects whose members are named by the run, not by the program: patterns of their places.
MAPS = {
    'rules-1': [r'', r'/[^/]+/Details'],
    'event-1': [r'/args'],
}
# Objects that differ from run to run: nothing is said of their members.
ANYTHING = {'rules-1': [r'/[^/]+/Details'], 'event-1': [r'/args']}

UNITS = [(r'_ns$', 'ns'), (r'^ts_ns$', 'ns of the timeline'), (r'^(start|end|begin|time)_ns$', 'ns of the timeline'),
         (r'percent$', '%'), (r'bytes$', 'bytes'), (r'_ppb$', 'parts per billion'), (r'seconds$', 's')]


# --- values --------------------------------------------------------------------------------------------------------


def type_of(value):
    return {dict: 'object', list: 'array', str: 'string', bool: 'boolean', int: 'integer', float: 'number', type(None): 'null'}[type(value)]


def types_of(schema):
    types = schema.get('type', [])
    return [types] if isinstance(types, str) else types


def problems_of(schema, value, place=''):
    """Yields what of a value contradicts a schema."""
    unknown = set(schema) - KEYWORDS
    if unknown:
        yield f'{place}: the schema uses {sorted(unknown)}'
    types, own = types_of(schema), type_of(value)
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
        if part is None:
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
    """Changes a schema so that it allows a value."""
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


def documents(cli, name, *runs):
    """Yields the documents that a command prints; nothing for a run that it cannot read."""
    command = [word for word in DOCUMENTS[name][1]]
    for place, run in enumerate(runs if 'RUN' in command else runs[:1]):
        pair = [str(run), str(runs[place - 1])]  # compare takes a run and the one before it
        words = [pair.pop(0) if word == 'RUN' else word for word in command]
        options = [] if words[0] == 'dump' else ['--format', 'json']
        quiet = ['--quiet'] if 'RUN' in command else []
        done = subprocess.run([cli, words[0], *options, *quiet, *words[1:]], capture_output=True, timeout=PATIENCE_S)
        if done.returncode not in (0, 3):
            continue
        text = done.stdout.decode()
        yield from map(json.loads, text.splitlines()) if words[0] == 'dump' else [json.loads(text)]


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
