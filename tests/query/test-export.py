#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares queries over a run with the same queries over its exported SQLite file, and table functions with plain SQL."""
import json
import os
import sqlite3
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
from harness import SAMPLE, Cli, Tap, check, same  # noqa: E402

CLI = Cli(sys.argv[1])
RUN = sys.argv[2] if len(sys.argv) > 2 else str(SAMPLE)
HERE = os.path.dirname(os.path.abspath(__file__))
LEAST_QUERIES = 60


def read_queries():
    with open(os.path.join(HERE, 'queries.sql'), encoding='utf-8') as file:
        lines = [line for line in file.read().split('\n') if not line.startswith('--')]
    return [query.strip() for query in '\n'.join(lines).split(';\n') if query.strip()]


def ask(query, *options):
    result = CLI.must('query', '-q', '--format', 'json', *options, RUN, query)
    return [tuple(row.values()) for row in json.loads(result.stdout)]


def as_rows(rows):
    """Returns rows sorted as text, with nine digits of each real, because the last digits of a sum depend on the order of addition."""
    return sorted(repr(tuple(f'real {v:.9g}' if isinstance(v, float) else v for v in row)) for row in rows)


def compare(database, counts, query):
    live, stored = as_rows(ask(query)), as_rows(database.execute(query).fetchall())
    counts.append(len(live))
    same(live, stored, 'the rows')


# Pairs of queries that must have the same result: the first query uses a table function or arg(), the second only plain
# SQL.
FUNCTIONS = [
    ('SELECT id FROM overlap((SELECT min(start) + 2000000000 FROM span), (SELECT min(start) + 2500000000 FROM span))',
     'SELECT id FROM span, (SELECT min(start) + 2000000000 AS a, min(start) + 2500000000 AS b FROM span) '
     'WHERE start < b AND (start + duration > a OR start >= a)'),
    ("SELECT id FROM overlap(0, 4e18) WHERE name LIKE '%forward%' AND duration > 1000 AND track > 3",
     "SELECT id FROM span WHERE name LIKE '%forward%' AND duration > 1000 AND track > 3"),
    ('SELECT s.id, d.id FROM span s JOIN descendants(s.id) d WHERE s.depth = 1',
     'WITH RECURSIVE below(top, id) AS (SELECT id, id FROM span WHERE depth = 1 '
     'UNION ALL SELECT top, c.id FROM below JOIN span c ON c.parent = below.id) SELECT * FROM below WHERE top <> id'),
    ('SELECT s.id, a.id FROM span s JOIN ancestors(s.id) a WHERE s.depth = 3',
     'WITH RECURSIVE around(below, id) AS (SELECT id, parent FROM span WHERE depth = 3 '
     'UNION ALL SELECT below, p.parent FROM around JOIN span p ON p.id = around.id) '
     'SELECT * FROM around WHERE id IS NOT NULL'),
    # If a condition contains OR, SQLite also plans each side of it separately, and does not pass the arguments of the
    # table function (ancestors() or descendants()) then.
    ('SELECT s.id, a.id FROM span s JOIN ancestors(s.id) a WHERE s.depth = 3 AND (a.parent IS NULL OR a.depth = 1)',
     'WITH RECURSIVE around(below, id) AS (SELECT id, parent FROM span WHERE depth = 3 '
     'UNION ALL SELECT below, p.parent FROM around JOIN span p ON p.id = around.id) '
     'SELECT below, id FROM around JOIN span USING (id) WHERE parent IS NULL OR depth = 1'),
    ("SELECT s.id, d.id FROM span s JOIN descendants(s.id) d WHERE s.depth = 0 AND d.parent IS NOT NULL AND d.name > 'b'",
     'WITH RECURSIVE below(top, id) AS (SELECT id, id FROM span WHERE depth = 0 '
     'UNION ALL SELECT top, c.id FROM below JOIN span c ON c.parent = below.id) '
     "SELECT top, id FROM below JOIN span USING (id) WHERE top <> id AND name > 'b'"),
    ("SELECT id, arg(id, 'epoch'), arg(id, 'stream'), arg(id, 'Input Dims'), arg(id, 'none') FROM span",
     "SELECT id, json_extract(args, '$.epoch'), json_extract(args, '$.stream'), "
     "json_extract(args, '$.\"Input Dims\"'), NULL FROM span"),
    ("SELECT id, arg(id, 'epoch') FROM instant", "SELECT id, json_extract(args, '$.epoch') FROM instant"),
    ("WITH a AS (SELECT interval_set(id, start, duration) AS s FROM span WHERE kind = 'compute'), "
     "b AS (SELECT interval_set(id, start, duration) AS s FROM span WHERE kind = 'communication') "
     'SELECT left_id, right_id, start, duration FROM a, b, interval_join(a.s, b.s)',
     'SELECT a.id, b.id, max(a.start, b.start), min(a.start + a.duration, b.start + b.duration) - max(a.start, b.start) '
     "FROM span a JOIN span b ON a.start < b.start + b.duration AND b.start < a.start + a.duration "
     "WHERE a.kind = 'compute' AND b.kind = 'communication'"),
    ("SELECT start, duration FROM interval_union((SELECT interval_set(start, duration) FROM span WHERE kind = 'compute'))",
     "WITH s AS (SELECT start, start + duration AS stop, max(start + duration) OVER (ORDER BY start, id ROWS BETWEEN UNBOUNDED "
     "PRECEDING AND 1 PRECEDING) AS before FROM span WHERE kind = 'compute'), "
     'g AS (SELECT *, sum(before IS NULL OR start > before) OVER (ORDER BY start, stop ROWS UNBOUNDED PRECEDING) AS part FROM s) '
     'SELECT min(start), max(stop) - min(start) FROM g GROUP BY part'),
    ('SELECT count(*) FROM overlap(5, 5)', 'SELECT 0'),
    ('SELECT count(*) FROM overlap(NULL, 4e18)', 'SELECT 0'),
    ('SELECT count(*) FROM descendants(-1)', 'SELECT 0'),
    ("SELECT arg(-1, 'x'), arg(NULL, 'x'), arg(0, NULL)", 'SELECT NULL, NULL, NULL'),
]


def normal_json(rows):
    """Returns rows with normalized JSON, because json_extract() removes blanks and arg() returns the bytes of the file."""
    def plain(value):
        if isinstance(value, str) and value[:1] in '[{':
            return json.dumps(json.loads(value))
        return value
    return as_rows([tuple(plain(v) for v in row) for row in rows])


def check_function(database, asked, plain):
    live, stored = normal_json(ask(asked)), normal_json(database.execute(plain).fetchall())
    same(live, stored, 'the rows')
    check('SELECT 0' in plain or len(live) > 0, 'there are no rows')


def export(path):
    CLI.must('merge', '-q', RUN, '--layout', 'sqlite', '-o', path)
    same(os.listdir(os.path.dirname(path)), ['run.sqlite'], 'files')
    same(sqlite3.connect(path).execute('PRAGMA integrity_check').fetchone(), ('ok',), 'integrity')


def check_counts(counts):
    check(len(counts) >= LEAST_QUERIES, f'{len(counts)} queries')
    check(sum(n > 0 for n in counts) >= LEAST_QUERIES, f'too few queries have rows: {counts}')


def main():
    tap, counts = Tap(), []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'run.sqlite')
        tap.case('export', export, path)
        database = sqlite3.connect(path)
        for query in read_queries():
            tap.case(query.replace('#', ''), compare, database, counts, query)
        tap.case('queries have rows', check_counts, counts)
        for asked, plain in FUNCTIONS:
            tap.case(asked, check_function, database, asked, plain)
    tap.done()


if __name__ == '__main__':
    main()
