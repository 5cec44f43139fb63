#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares random queries over the sample with the same queries over its exported SQLite file. The queries combine
conditions, groups, orders, DISTINCT and aggregates in ways that nobody would write. LOOM_SEED chooses the queries."""
import contextlib
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import SAMPLE, Cli, Tap, check, same  # noqa: E402

CLI = Cli(sys.argv[1])
SEED = int(os.environ.get('LOOM_SEED', '1'))
QUERIES = 600
MOST_ROWS = 1000  # limit of the server
TIMES = ('id', 'start', 'duration', 'self', 'parent')
OF_ROW = ('depth', 'track', 'process', 'rank')
TEXTS = ('name', 'category', 'kind')
GROUPS = OF_ROW + TEXTS
TESTS = ('=', '<', '>', '<=', '>=', '<>', 'IS', 'IS NOT')


class Server:
    """One process answers all queries, because loading the sample takes longer than most of them."""

    def __init__(self, run):
        self.process = subprocess.Popen([CLI.program, 'mcp', '-q', str(run)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.call('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'test', 'version': '1'}})

    def call(self, method, params):
        self.process.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params}) + '\n')
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def ask(self, query):
        """Returns rows, and whether there are more; None for an error."""
        result = self.call('tools/call', {'name': 'query', 'arguments': {'sql': query, 'limit': MOST_ROWS}})['result']
        if result['isError']:
            return None, False
        answer = json.loads(result['content'][0]['text'])['result']
        return answer['rows'], answer['truncated']

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Writer:
    def __init__(self, database):
        self.random = random.Random(SEED)
        self.values = {column: [value for value, in database.execute(f'SELECT DISTINCT {column} FROM span ORDER BY 1')]
                       for column in TIMES + GROUPS}

    def literal(self, value):
        return 'NULL' if value is None else str(value) if not isinstance(value, str) else "'" + value.replace("'", "''") + "'"

    def pick(self, column):
        return self.random.choice(self.values[column])

    def condition_on_text(self):
        column = self.random.choice(TEXTS)
        text = self.pick(column) or 'x'
        plain = text.replace('[', '').replace(']', '').replace('%', '').replace('*', '').replace('?', '')
        return self.random.choice([
            f'{column} {self.random.choice(TESTS)} {self.literal(text)}',
            f'{column} {self.random.choice(TESTS)} {self.literal(text[:2])} || {self.literal(text[2:])}',
            f'{column} = {self.literal(text.upper())} COLLATE NOCASE',
            f'{column} LIKE {self.literal("%" + plain[:3] + "%")}',
            f'{column} GLOB {self.literal("*" + plain[-3:] + "*")}',
            f'{column} IN ({self.literal(text)}, {self.literal(self.pick(column))}, NULL)',
            f'{column} IS NULL', f'{column} IS NOT NULL'])

    def condition_on_number(self):
        column = self.random.choice(TIMES + OF_ROW)
        value = self.pick(column)
        other = self.random.choice([value, str(value), f'{value}.5']) if value is not None else None
        return self.random.choice([
            f'{column} {self.random.choice(TESTS)} {self.literal(other)}',
            f'{column} BETWEEN {self.literal(value)} AND {self.literal(self.pick(column))}',
            f'{column} IN ({self.literal(value)}, {self.literal(self.pick(column))}, NULL)',
            f'{column} IN (SELECT {column} FROM span WHERE depth = {self.random.randint(0, 4)})',
            f'{column} > (SELECT min({column}) FROM span WHERE depth = 1)',
            f'{column} IS NULL', f'{column} IS NOT NULL'])

    def condition(self):
        if self.random.random() < 0.1:
            return f'({self.condition()} OR {self.condition()})'
        return self.condition_on_text() if self.random.random() < 0.5 else self.condition_on_number()

    def where(self):
        parts = [self.condition() for _ in range(self.random.choice([0, 1, 1, 2, 3]))]
        return ' WHERE ' + ' AND '.join(parts) if parts else ''

    def aggregates(self, least):
        columns = TIMES + OF_ROW + ('start + duration', 'duration + start')
        return ['count(*)' if self.random.random() < 0.2 else
                f'{self.random.choice(["sum", "min", "max", "count", "total"])}({self.random.choice(columns)})'
                for _ in range(self.random.randint(least, 4))]

    def order(self, columns):
        return ', '.join(column + self.random.choice(['', ' DESC']) for column in self.random.sample(columns, len(columns)))

    def query(self):
        """Returns a query, and whether its rows are ordered completely."""
        kind = self.random.random()
        groups = self.random.sample(GROUPS, self.random.randint(1, 3))
        ordered = self.random.random() < 0.5
        if kind < 0.25:
            return f'SELECT {", ".join(self.aggregates(1))} FROM span{self.where()}', True
        if kind < 0.6:
            return (f'SELECT {", ".join(groups + self.aggregates(0))} FROM span{self.where()} GROUP BY {", ".join(groups)}'
                    + self.random.choice(['', ' HAVING count(*) > 2']) + (f' ORDER BY {self.order(groups)}' if ordered else '')), ordered
        if kind < 0.75:
            limit = self.random.choice(['', ' LIMIT 7']) if ordered else ''
            return (f'SELECT DISTINCT {", ".join(groups)} FROM span{self.where()}'
                    + (f' ORDER BY {self.order(groups)}{limit}' if ordered else '')), ordered
        columns = self.random.sample(TIMES[1:3] + GROUPS, self.random.randint(0, 2))
        order = ', '.join([self.order(columns)] * bool(columns) + ['id' + self.random.choice(['', ' DESC'])])
        return (f'SELECT id, name, start, duration, rank FROM span{self.where()} ORDER BY {order}'
                + self.random.choice(['', ' LIMIT 20', ' LIMIT 15 OFFSET 9'])), True


def as_text(value):
    """Returns a value as text for the comparison. 2.0 is written as 2, because JSON does not distinguish them; other
    reals are rounded to eleven digits, because the last digits of a sum depend on the order of addition."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else f'{value:.11g}'
    return str(value)


def as_rows(rows, ordered):
    texts = [tuple(as_text(value) for value in row) for row in rows]
    return texts if ordered else sorted(texts)


def compare(server, database, query, ordered):
    """Compares the answer of the server with that of SQLite. Returns the number of compared rows. If the server reports
    an error, such as an overflow of a sum, SQLite must report an error, too."""
    rows, truncated = server.ask(query)
    try:
        stored = database.execute(query).fetchall()
    except sqlite3.Error:
        stored = None
    if rows is None or stored is None:
        check(rows is None and stored is None, f'one fails: {query}')
        return 0
    if truncated:
        stored = stored[:len(rows)]
        if not ordered:
            return 0
    same(as_rows(rows, ordered), as_rows(stored, ordered), query)
    return len(rows)


def check_random():
    with tempfile.TemporaryDirectory() as place:
        CLI.must('merge', '-q', SAMPLE, '--layout', 'sqlite', '-o', f'{place}/run.sqlite')
        with contextlib.closing(sqlite3.connect(f'{place}/run.sqlite')) as database:
            server, writer = Server(SAMPLE), Writer(database)
            compared = [compare(server, database, *writer.query()) for _ in range(QUERIES)]
            server.close()
    check(sum(n > 0 for n in compared) > QUERIES / 2, f'too few queries have rows: {compared}')


def main():
    tap = Tap()
    tap.case(f'{QUERIES} random queries, LOOM_SEED={SEED}', check_random)
    tap.done()


if __name__ == '__main__':
    main()
