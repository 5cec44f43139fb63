#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the verb query: output formats, parameters, sources of the query, exit statuses, and limits for endless queries.

Usage: test-query.py TRACELOOM-CLI"""

import csv
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from harness import DONE, FAILED, ROOT, SAMPLE, USAGE, Cli, Tap, check, folder, same

sys.path.insert(0, str(ROOT / 'tests' / 'tools'))
import schemas  # noqa: E402

CLI = Cli(sys.argv[1])
RUN = SAMPLE / 'llama-8b' / 'composer'
ENDLESS = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c'
ENDLESS_ROWS = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c'
VALUES = "SELECT 1 AS n, 2.0 AS n, 'a,\"b' AS text, NULL AS absent, x'0aff' AS bytes, 9e999 AS big, 'x' || char(10, 27) AS lines"


def ask(query, *options, allowed=(DONE,), **others):
    return CLI.must('query', '-q', RUN, query, *options, allowed=allowed, **others)


def check_json():
    rows = json.loads(ask(VALUES, '--format', 'json').stdout)
    same(rows, [{'n': 1, 'n 2': 2.0, 'text': 'a,"b', 'absent': None, 'bytes': '0aff', 'big': None, 'lines': 'x\n\x1b'}], 'row')
    check(isinstance(rows[0]['n 2'], float), 'a real number became an integer')
    same(json.loads(ask('SELECT 1 WHERE 0', '--format', 'json').stdout), [], 'no rows')
    same(json.loads(ask('SELECT 1 AS x').stdout), [{'x': 1}], 'the default format')


def check_json_lines():
    lines = ask('SELECT value AS v FROM json_each(\'[1, "a", null]\')', '--format', 'jsonl').stdout.split('\n')
    same([json.loads(line) for line in lines[:-1]], [{'v': 1}, {'v': 'a'}, {'v': None}], 'rows')


def check_csv():
    text = subprocess.run([CLI.program, 'query', '-q', RUN, VALUES, '--format', 'csv'], capture_output=True, check=True).stdout
    check(text.count(b'\r\n') == 2, 'lines do not end in CR LF')
    rows = list(csv.reader(io.StringIO(text.decode(), newline='')))
    same(rows[0], ['n', 'n', 'text', 'absent', 'bytes', 'big', 'lines'], 'names')
    same(rows[1], ['1', '2.0', 'a,"b', '', '0aff', 'inf', 'x\n\x1b'], 'row')


def check_table():
    text = ask("SELECT 5 AS number, 'a' || char(27) || '[2J' AS name UNION ALL SELECT 17, printf('%.*c', 500, 'x')",
               '--format', 'table').stdout
    lines = text.split('\n')
    check('\x1b' not in text, 'a control character is printed')
    check(max(len(line) for line in lines) < 100, 'a long text is printed whole')
    same(lines[0].split(), ['number', 'name'], 'names')
    same([line.index(word) + len(word) for line, word in zip(lines[2:], ('5', '17'))], [6, 6], 'alignment of numbers')


def check_durations():
    """Tables for reading show durations with a unit: columns in ns of tables, and computed ones that have such a name or end in “_ns”.
    Instants and other numbers keep all digits. The other formats have exact numbers."""
    query = ('SELECT 39353289 AS others_wait_ns, 1500.0 AS mean_ns, max(duration) AS duration, min(start) AS first_ns, 12345678 AS last_in, '
             "NULL AS absent_ns, 'x' AS text_ns FROM step")
    lines = ask(query, '--format', 'table').stdout.split('\n')
    exact, = json.loads(ask(query).stdout)
    same(lines[0].split(), ['others_wait', 'mean', 'duration', 'first', 'last_in', 'absent', 'text'], 'names')
    same(re.sub('  +', '|', lines[2].strip()).split('|')[:2], ['39.4 ms', '1.50 µs'], 'durations')
    check(f' {exact["first_ns"]} ns  12345678 ' in lines[2] and exact['first_ns'] > 2**53, lines[2])
    check(str(exact['duration']) not in lines[2] and exact['others_wait_ns'] == 39353289, lines[2])
    check('others_wait_ns' in ask(query, '--format', 'csv').stdout, 'names in CSV')
    row, = json.loads(ask('SELECT start, duration FROM step ORDER BY start LIMIT 1').stdout)
    line = ask('SELECT start, duration FROM step ORDER BY start LIMIT 1', '--format', 'table').stdout.split('\n')[2]
    check(str(row['start']) in line and re.search(r' [\d.]+ (min [\d.]+ s|s|ms|µs)$', line), line)


def check_table_beyond_measured():
    text = ask('WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3000) SELECT x FROM c',
               '--format', 'table').stdout
    same([int(line) for line in text.split('\n')[2:-1]], list(range(1, 3001)), 'rows')


def check_places():
    with folder() as path:
        file = os.path.join(path, 'own.sql')
        with open(file, 'w', encoding='utf-8') as stream:
            stream.write('-- title: Own\n-- :x = 5\nSELECT :x AS x\n')
        same(json.loads(CLI.must('query', '-q', RUN, '-f', file).stdout), [{'x': 5}], 'default of a parameter')
        same(json.loads(CLI.must('query', '-q', RUN, '-f', file, '--param', 'x=7').stdout), [{'x': 7}], 'a value')
        same(json.loads(CLI.must('query', '-q', RUN, '-f', '-', input='SELECT 3 AS z').stdout), [{'z': 3}], 'standard input')
        own = os.path.join(path, 'traceloom', 'queries')
        os.makedirs(own)
        os.rename(file, os.path.join(own, 'own.sql'))
        env = {'XDG_DATA_HOME': path}
        same(json.loads(CLI.must('query', '-q', RUN, '--named', 'own', env=env).stdout), [{'x': 5}], 'a named query')
        check('own ' in CLI.must('query', '--list', '--format', 'table', env=env).stdout, 'the query is not listed')
        check('own ' in CLI.must('query', '--list', '--format', 'text', env=env).stdout, 'text, as other commands call it, is no table')


def check_parameters():
    hostile = "x'; DROP TABLE span; --"
    same(json.loads(ask('SELECT :a AS a, @b AS b, $c AS c', '--param', f'a={hostile}', '--param', 'b=2', '--param', 'c=1.5').stdout),
         [{'a': hostile, 'b': 2, 'c': 1.5}], 'values')
    rows = json.loads(ask('SELECT :start AS a, :end AS b', '--start-ns', '5', '--end-ns', '7').stdout)
    same(rows, [{'a': 5, 'b': 7}], 'the range')


def check_ranges():
    """A range is refused if the query does not use it. Exception: for a run of indexes with --rank, the range selects
    the part of that rank's trace that is read."""
    for query, options, part in (('SELECT 1', ('--start-ns', '5'), 'no parameters :start and :end'),
                                 ('SELECT 1', ('--unit', 'step', '--start', '5', '--end', '6'), 'no parameters :start and :end'),
                                 ('SELECT :start', ('--start-ns', '5', '--end-ns', '6'), 'no parameter :end'),
                                 ('SELECT :end', ('--start-ns', '5', '--end-ns', '6'), 'no parameter :start'),
                                 ('SELECT count(*) FROM span', ('--rank', '3', '--start-ns', '5'), 'no parameters')):
        result = CLI('query', '-q', SAMPLE, query, *options)
        same((result.returncode, result.stdout), (USAGE, ''), f'{query} {options}')
        check(part in result.stderr, result.stderr)
    same(json.loads(ask('SELECT :start AS a', '--start-ns', '5').stdout), [{'a': 5}], 'start alone')
    with folder() as path:
        traces = SAMPLE / 'llama-8b' / 'kineto'
        CLI.must('index', '-q', traces, '-o', path)
        events = ['query', '-q', '--rank', '3', path, 'SELECT count(*) AS n FROM span']
        n = [json.loads(CLI.must(*events, *options).stdout)[0]['n'] for options in ((), ('--unit', 'step', '--start', '6', '--end', '7'))]
        check(0 < n[1] < n[0], n)


def check_statuses():
    for args, status, part in (((RUN, 'SELECT x'), USAGE, 'no such column: x (line 1, column 8); “traceloom-cli query --schema” lists'),
                               ((RUN, 'SELECT :x'), USAGE, ':x has no value; give it one with --param'),
                               ((RUN, 'SELECT * FROM stepz'), USAGE, 'no such table: stepz; “traceloom-cli query --schema” lists'),
                               ((RUN, '--named', 'short-kernels', '--param', 'below=abc'), USAGE, ':below is a number, not “abc”'),
                               ((RUN, 'SELECT 1', '--param', 'y=1'), USAGE, 'no parameter :y'),
                               ((RUN, "ATTACH 'x' AS y"), USAGE, 'can only read'),
                               ((RUN,), USAGE, 'a query is missing'),
                               ((RUN, 'SELECT 1', '--param', 'y'), USAGE, 'NAME=VALUE'),
                               ((RUN, 'SELECT 1', '--format', 'html'), USAGE, '“table”, “csv”, “json”, “jsonl”'),
                               ((RUN, '--named', 'nothing'), USAGE, '--list'),
                               ((RUN, '-f', '/nonexistent'), FAILED, '/nonexistent'),
                               ((RUN, '-f', 'x', '--named', 'y'), USAGE, 'do not go together'),
                               ((RUN, 'SELECT 1', 'SELECT 2'), USAGE, 'at a time; “SELECT 1” is another one'),
                               ((RUN, 'select 1', '--named', 'counters'), USAGE, 'at a time; “select 1” is another one'),
                               ((RUN, '/* a */ VALUES(1)', 'SELECT 2'), USAGE, 'at a time; “/* a */ VALUES(1)” is another one'),
                               ((RUN, '-- a\nselect\n1', '--named', 'counters'), USAGE, 'only one query can be asked at a time'),
                               ((RUN, 'SELECT s.dur FROM span s'), USAGE, 'column: s.dur (line 1, column 8); Perfetto\'s “dur” is “duration” here; “traceloom'),
                               ((RUN, 'SELECT 1 FROM slice'), USAGE, 'no such table: slice; Perfetto\'s “slice” is “span” here; '),
                               (('/nonexistent', 'SELECT 1'), FAILED, '/nonexistent')):
        result = CLI('query', *args)
        same(result.returncode, status, f'status of {args}')
        check(part in result.stderr, f'{args}: {result.stderr}')
        same(result.stdout, '', f'output of {args}')


def check_comments():
    """A query may begin with a comment, which looks like an option. A path may look like a query."""
    same(json.loads(ask('-- hi\nSELECT 1 AS a', '--format', 'json').stdout), [{'a': 1}], 'a comment')
    same(json.loads(CLI.must('query', RUN, '--param', 'a=-- b', '-q', '--\tc\nSELECT :a AS a').stdout), [{'a': '-- b'}], 'a parameter')
    error = json.loads(CLI.must('query', '--format', 'json', RUN, '-- hi\nSELECT x', allowed=(USAGE,)).stderr)
    same(error['offset'], 13, 'the offset of a wrong word')
    with folder() as path:
        Path(path, 'select 1').write_text('[{"ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"name":"a"}]', encoding='utf-8')
        same(json.loads(CLI.must('query', '-q', 'select 1', 'SELECT name FROM span', cwd=path).stdout), [{'name': 'a'}], 'a path')


def check_stream_names():
    """A stream without a name is called by its number in SQL, `info` and `report`, as in the window. Exported traces keep the label."""
    kernel = {'ph': 'X', 'cat': 'kernel', 'name': 'k', 'pid': 0, 'tid': 40, 'dur': 5, 'args': {'stream': 40, 'device': 0}}
    call = {'ph': 'X', 'cat': 'cpu_op', 'name': 'op', 'pid': 9, 'tid': 41, 'ts': 1, 'dur': 50}
    with folder() as path:
        Path(path, 'a.pt.trace.json').write_text(json.dumps({'schemaVersion': 1, 'distributedInfo': {'rank': 0, 'world_size': 1}, 'deviceProperties': [],
                                                            'traceEvents': [call, *({**kernel, 'ts': ts} for ts in (10, 20, 30))]}), encoding='utf-8')
        names = [row['name'] for row in json.loads(CLI.must('query', '-q', path, 'SELECT name FROM track ORDER BY device').stdout)]
        same(names, ['thread 41', 'stream 40'], 'names of tracks')
        info = json.loads(CLI.must('info', '-q', '--format', 'json', path).stdout)
        check('stream 40' in {track['thread'] for track in info['tracks']}, info['tracks'])
        check('stream 40' in CLI.must('info', '-q', '--format', 'text', path).stdout, 'the text')
        report = json.loads(CLI.must('report', '-q', '--format', 'json', '-o', '-', path).stdout)
        same([row['stream'] for row in report['computed']['idle']['streams']], ['stream 40'], 'streams of the report')


def check_incomplete():
    """The exit status is 3 if an input could not be read completely."""
    with folder() as path:
        with open(os.path.join(path, 'cut.json'), 'w', encoding='utf-8') as file:
            file.write('[{"ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"name":"a"},{"ph":"X","ts":5,"na')
        result = CLI('query', '-q', path, 'SELECT name FROM span')
        same((result.returncode, json.loads(result.stdout)), (3, [{'name': 'a'}]), 'status and rows')


def check_failures():
    """An error names a file only if that file is the cause: not a file with a mere warning, and not one of several files."""
    with folder() as path:
        cut, text = os.path.join(path, 'cut.json'), os.path.join(path, 'text.json')
        Path(cut).write_text('[{"ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"name":"a"},{"ph":"X","ts":5,"na', encoding='utf-8')
        Path(text).write_text('{', encoding='utf-8')
        # the last value is the offset of the wrong word in the query
        for paths, query, code, file, offset in (((cut,), 'SELEC 1', 'query', None, 0), ((cut,), 'SELECT nme FROM span', 'query', None, 7),
                                                 ((text,), 'SELECT 1', 'read', text, None), ((text, text + '.none'), 'SELECT 1', 'read', None, None)):
            error = json.loads(CLI.must('query', '--format', 'json', *paths, query, allowed=(USAGE if code == 'query' else FAILED,)).stderr)
            same((error['code'], error['file'], error['offset']), (code, file, offset), f'the failure of {paths}')
            check(any(message['file'] in paths for message in error['messages']), f'{error["messages"]}')


def check_no_run():
    schema = json.loads(CLI.must('query', '--schema', '--format', 'json').stdout)
    same(schema['version'], 1, 'version')
    for table in schema['tables']:
        if table['arguments']:
            continue
        rows = json.loads(ask(f'SELECT * FROM {table["name"]} LIMIT 1').stdout)
        check(not rows or list(rows[0]) == [column['name'] for column in table['columns']], f'columns of {table["name"]}')
    text = CLI.must('query', '--schema', '-q', '--format', 'table').stdout
    check(CLI.must('query', '--list', '-q').stdout, 'an empty list')
    for option, names in (('--list', ['name', 'title', 'description']), ('--schema', ['table', 'column', 'type', 'unit', 'nullable', 'argument', 'meaning'])):
        rows = list(csv.DictReader(io.StringIO(CLI.must('query', option, '--format', 'csv').stdout)))
        lines = list(map(json.loads, CLI.must('query', option, '--format', 'jsonl').stdout.splitlines()))
        same((list(rows[0]), list(lines[0]), len(rows)), (names, names, len(lines)), option)
    same(lines, [{'table': table['name'], 'column': column['name'], 'type': column['type'], 'unit': column['unit'], 'nullable': column['nullable'],
                  'argument': kind == 'arguments', 'meaning': column['meaning']}
                 for table in schema['tables'] for kind in ('columns', 'arguments') for column in table[kind]], 'columns')
    check(all(f'\n{table["name"]}: ' in text for table in schema['tables']), 'the text lacks a table')


def check_explain():
    query = "SELECT s.name FROM span s JOIN track t ON t.id = s.track WHERE s.kind = 'compute' AND s.start > 5 ORDER BY s.start"
    steps = ['SCAN s VIRTUAL TABLE WHERE kind = ? AND start > ?, IN ORDER', 'SCAN t VIRTUAL TABLE WHERE id = ?']
    same(ask(query, '--explain', '--format', 'text').stdout.splitlines(), steps, 'plan')
    same(list(csv.reader(io.StringIO(ask(query, '--explain', '--format', 'csv').stdout))), [['depth', 'step'], *(['0', step] for step in steps)], 'CSV')
    same(list(map(json.loads, ask(query, '--explain', '--format', 'jsonl').stdout.splitlines())),
         [{'depth': 0, 'step': step} for step in steps], 'JSON lines')
    same(json.loads(ask(query, '--explain', '--format', 'json').stdout)['plan'], [{'depth': 0, 'step': step} for step in steps], 'JSON')
    for query, plan in (("SELECT * FROM json_each('[1]')", 'SCAN json_each VIRTUAL TABLE INDEX 1:'),
                        ('SELECT * FROM track', 'SCAN track VIRTUAL TABLE'),
                        ("SELECT * FROM span WHERE name = 'x' COLLATE NOCASE", 'SCAN span VIRTUAL TABLE WHERE name = ? COLLATE NOCASE')):
        same(ask(query, '--explain', '--format', 'text').stdout, plan + '\n', query)
    for query, words in (('SELECT * FROM overlap', 'overlap() takes a start and an end'), ('SELECT x', 'no such column: x (line 1, column 8)')):
        check(words in ask(query, '--explain', allowed=(USAGE,)).stderr, words)


def check_texts():
    """Names of tracks have no blanks at their ends, and the JSON text of args has no blanks between tokens, whatever
    blanks the file contains."""
    names = [row['name'] for row in json.loads(CLI.must('query', '-q', SAMPLE, 'SELECT name FROM track', '--format', 'json').stdout)]
    check('stream 7' in names and not any(name.endswith(' ') for name in names), names)
    with folder() as path:
        trace = os.path.join(path, 'a.json')
        args = ('{ "a" : [ 1 , 2 ],\n"b c" : "d  \\" : e\\\\" }', '{"a":[1,2],"b c":"d  \\" : e\\\\"}')
        Path(trace).write_text('[' + ','.join(f'{{"ph":"X","pid":1,"tid":1,"ts":{i},"dur":1,"name":"x","args":{each}}}' for i, each in enumerate(args)) + ']')
        rows = json.loads(CLI.must('query', '-q', trace, 'SELECT args, count(*) AS n FROM span GROUP BY args', '--format', 'json').stdout)
    same(rows, [{'args': args[1], 'n': 2}], 'groups')


def check_arg():
    """arg() returns the same values as json_extract() over args, also from a text that is not strict JSON and has to be repaired."""
    values = ('7', '-3', '0', '00', '1.5', '12345678901234567890', '"7"', '{ "b" : 1 }', '[ 1 ]', 'true', 'null', '"\\u00e4"', 'NaN')
    with folder() as path:
        trace = os.path.join(path, 'a.json')
        Path(trace).write_text('[' + ','.join(f'{{"ph":"X","pid":1,"tid":1,"ts":{i},"dur":1,"name":"x","args":{{"odd":"\t","k":{value}}}}}'
                                              for i, value in enumerate(values)) + ']')
        sql = "SELECT arg(id, 'k') AS a, json_extract(args, '$.k') AS b FROM span ORDER BY start"
        rows = json.loads(CLI.must('query', '-q', trace, sql, '--format', 'json', allowed=(DONE, 3)).stdout)
    check(len(rows) >= 10, rows)
    for row in rows:
        same(row['a'], row['b'], 'value')
    same([row['a'] for row in rows[:3]], [7, -3, 0], 'integers')


def read_help(*names):
    """Returns the texts in backquotes on pages of the help."""
    pages = [ROOT / 'data' / 'help' / 'C' / f'{name}.md' for name in names]
    return [part for page in pages for part in re.findall(r'`(.+?)`', page.read_text(encoding='utf-8'))]


def check_help():
    """Runs the queries that the help shows."""
    queries = [part for part in read_help('ask-sql', 'queries') if part.startswith('SELECT ')]
    check(len(queries) >= 8, f'{len(queries)} examples')
    for query in queries:
        rows = json.loads(CLI.must('query', '-q', SAMPLE, query, '--format', 'json').stdout)
        check(len(rows) > 0, f'no rows: {query}')


def write_ranks(place):
    """Writes traces of four ranks with steps 10 to 14."""
    place.mkdir()
    for rank in range(4):
        steps = [{'ph': 'X', 'cat': 'user_annotation', 'name': f'ProfilerStep#{step}', 'pid': 7, 'tid': 7, 'ts': step * 1000, 'dur': 900} for step in range(10, 15)]
        kernels = [{'ph': 'X', 'cat': 'kernel', 'name': 'gemm', 'pid': 0, 'tid': 7, 'ts': step * 1000 + 100, 'dur': 500 + rank, 'args': {'device': 0, 'stream': 7}}
                   for step in range(10, 15)]
        (place / f'rank-{rank}.pt.trace.json').write_text(json.dumps(
            {'schemaVersion': 1, 'distributedInfo': {'rank': rank, 'world_size': 4}, 'baseTimeNanoseconds': 10**18, 'traceEvents': steps + kernels}))


def check_help_commands():
    """Runs the commands of the task pages of the help, in their order. Status 4 is expected where rules fire, as they do on the
    sample run."""
    tasks = ('slow-step', 'late-rank', 'data-loader', 'compare-runs', 'align-clocks', 'ranks', 'write-rule', 'ask-sql', 'scripts', 'queries')
    typed = read_help(*tasks)
    commands = [part.split(' | ')[0] for part in typed if part.startswith('traceloom-cli ')]
    check(len(commands) >= 18, f'{len(commands)} commands')
    with folder() as ranks, folder() as path:
        write_ranks(Path(ranks, 'run'))
        rule, = [part for part in typed if part.startswith('{ "traceloom-rules"')]
        Path(path, 'FILE').write_text(rule, encoding='utf-8')
        for command in commands:
            words = shlex.split(command.replace('SELECT …', 'SELECT 1'))[1:]
            run = Path(ranks, 'run') if words[0] == 'index' else SAMPLE  # a range of a rank is read from one file
            words = [str(run) if word in ('RUN', 'BEFORE', 'AFTER') else word for word in words]
            result = CLI(*words, cwd=path, stdin=subprocess.DEVNULL)
            check(result.returncode == (4 if {'--rules', '--fail-on-findings'} & set(words) else 0), f'status {result.returncode} of {command}: {result.stderr}')
            check('--rank' not in words or '"ProfilerStep#12"' in result.stdout, f'{command}: {result.stdout}')
        same(sorted(os.listdir(path)), ['FILE', 'INDEXES', 'comparison.html', 'report.html', 'run.loomrun', 'run.sqlite'], 'files')


def help_example(begin):
    """Returns the example on the help page “scripts” that begins with the text `begin`."""
    example, = [part for part in read_help('scripts') if part.startswith(begin)]
    return example


def check_jq():
    if not shutil.which('jq'):
        return 'skip: no jq'
    report = CLI.must('report', '-q', '--format', 'json', SAMPLE).stdout
    done = subprocess.run(shlex.split(help_example('jq ')), input=report, capture_output=True, text=True, check=True)
    same(json.loads(done.stdout), json.loads(report)['steps']['ranks'], 'the part of the report')
    check(len(json.loads(done.stdout)) > 0, 'the part is empty')


def find_pandas():
    """Returns a Python that has pandas: this one, or the system's."""
    for python in (sys.executable, '/usr/bin/python3'):
        if os.path.exists(python) and subprocess.run([python, '-c', 'import pandas'], capture_output=True).returncode == 0:
            return python
    return None


def check_pandas():
    """The pandas example of the help returns the same table as the query."""
    python = find_pandas()
    if python is None:
        return 'skip: no pandas'
    with folder() as path:
        CLI.must('merge', '-q', SAMPLE, '--layout', 'sqlite', '-o', 'run.sqlite', cwd=path)
        code = f'import pandas, sqlite3\nprint({help_example("pandas.")}.to_json(orient="records"))'
        done = subprocess.run([python, '-c', code], capture_output=True, text=True, cwd=path)
        same(done.returncode, 0, done.stderr)
        rows = json.loads(CLI.must('query', '-q', SAMPLE, 'SELECT * FROM step', '--format', 'json').stdout)
        same(json.loads(done.stdout), rows, 'rows')
        check(len(rows) > 5, f'{len(rows)} rows')
        code = (f'import pandas, sqlite3\ntexts = pandas.read_sql("{help_example("SELECT CAST")}", sqlite3.connect("run.sqlite"))\n'
                f'print([int(value) for value in texts["start"]{help_example(".astype")}.dropna()])')
        done = subprocess.run([python, '-c', code], capture_output=True, text=True, cwd=path)
        same(done.returncode, 0, done.stderr)
        found = json.loads(CLI.must('query', '-q', SAMPLE, 'SELECT start FROM finding WHERE start IS NOT NULL', '--format', 'json').stdout)
        same(json.loads(done.stdout), [row['start'] for row in found], 'exact times')
        check(any(row['start'] > 2**53 for row in found), 'no time needs all its digits')


def check_sqlite_shell():
    """The program sqlite3 returns the same rows from the exported file as the verb query."""
    if not shutil.which('sqlite3'):
        return 'skip: no sqlite3'
    sql = 'SELECT kind, count(*) AS n, sum(self) AS ns FROM span GROUP BY kind ORDER BY kind'
    with folder() as path:
        CLI.must('merge', '-q', SAMPLE, '--layout', 'sqlite', '-o', 'run.sqlite', cwd=path)
        done = subprocess.run(['sqlite3', '-json', 'run.sqlite', sql], capture_output=True, text=True, cwd=path, check=True)
        same(json.loads(done.stdout), json.loads(CLI.must('query', '-q', SAMPLE, sql, '--format', 'json').stdout), 'rows')


def check_interrupt():
    process = subprocess.Popen([CLI.program, 'query', str(RUN), ENDLESS], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1 * CLI.n_times)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20 * CLI.n_times)
    same((process.returncode, out), (FAILED, ''), 'status and output')
    check('Cancelled' in err, err)


def check_stopped_rows():
    """If a query fails or is stopped after its first row, JSON ends with the error, and the rows before it are complete."""
    query = "SELECT value AS v, abs(value) AS a FROM json_each('[1, 2, -9223372036854775808, 4]')"
    schema = schemas.read_schema('query-rows-1')
    for name, read in (('json', json.loads), ('jsonl', lambda text: list(map(json.loads, text.splitlines())))):
        rows = read(ask(query, '--format', name, allowed=(FAILED,)).stdout)
        same((rows[:-1], list(rows[-1]), rows[-1]['error']['code']), ([{'v': 1, 'a': 1}, {'v': 2, 'a': 2}], ['error'], 'query'), name)
        check('integer overflow' in rows[-1]['error']['message'], rows[-1])
        same(list(schemas.problems_of(schema, rows)), [], 'problems')
    same(len(ask(query, '--format', 'csv', allowed=(FAILED,)).stdout.splitlines()), 3, 'lines of CSV')
    process = subprocess.Popen([CLI.program, 'query', '-q', str(RUN), ENDLESS_ROWS, '--format', 'json'], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    begin = os.read(process.stdout.fileno(), 9)
    process.send_signal(signal.SIGINT)
    rest, err = process.communicate(timeout=20 * CLI.n_times)
    rows = json.loads(begin + rest)
    same((process.returncode, rows[-1]['error']['code'], json.loads(err)['code']), (FAILED, 'cancelled', 'cancelled'), 'status and codes')
    same([row['x'] for row in rows[:-1]], list(range(1, len(rows))), 'rows')


def check_memory():
    query = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c ORDER BY -x'
    result = ask(query, '--memory-budget', '200M', allowed=(FAILED,))
    check('too much memory' in result.stderr, result.stderr)


def check_sqlite_layout():
    with folder() as path:
        target = os.path.join(path, 'run.sqlite')
        for args, part in ((('-o', '-'), 'not compressed'), (('-o', target + '.gz'), 'not compressed'),
                           (('-o', target, '--start', '5'), 'the whole run'), (('-o', target, '--compat'), '--compat')):
            result = CLI('merge', RUN, '--layout', 'sqlite', *args)
            same(result.returncode, USAGE, f'status of {args}')
            check(part in result.stderr, result.stderr)
        same(os.listdir(path), [], 'files')
        CLI.must('merge', RUN, '--layout', 'sqlite', '-o', path)
        same(os.listdir(path), ['merged-timeline.sqlite'], 'files')
        result = CLI('merge', RUN, '--layout', 'sqlite', '-o', os.path.join(path, 'no', 'folder'))
        same(result.returncode, FAILED, 'status of a folder that does not exist')


def check_counts():
    """info counts spans of derived tracks separately; SQL contains both kinds, and the text of info states both numbers."""
    info = CLI.info(SAMPLE)
    query = 'SELECT count(*) AS n FROM span JOIN track ON track.id = span.track GROUP BY track.derived ORDER BY track.derived'
    rows = json.loads(CLI.must('query', '-q', SAMPLE, query, '--format', 'json').stdout)
    same([row['n'] for row in rows], [info['spans'], info['derived_spans']], 'spans of the sample')
    same(sum(track['events'] for track in info['tracks'] if track.get('derived')), info['derived_spans'], 'spans of derived tracks')
    text = CLI.must('info', '--format', 'text', SAMPLE).stdout.splitlines()[0]
    check(f"{info['spans']:,} spans ({info['derived_spans']:,} more sum up others)" in text, text)


def main():
    tap = Tap()
    for name, function in (('json', check_json), ('jsonl', check_json_lines), ('csv', check_csv), ('table', check_table), ('durations in a table', check_durations),
                           ('table of many rows', check_table_beyond_measured), ('where the query comes from', check_places),
                           ('parameters', check_parameters), ('ranges', check_ranges), ('exit statuses', check_statuses), ('comments', check_comments),
                           ('names of streams', check_stream_names), ('incomplete input', check_incomplete),
                           ('failures as JSON', check_failures),
                           ('schema', check_no_run), ('explain', check_explain), ('texts', check_texts), ('arg', check_arg), ('help', check_help),
                           ('commands of the help', check_help_commands), ('jq', check_jq), ('pandas', check_pandas), ('sqlite3', check_sqlite_shell),
                           ('interrupt', check_interrupt), ('stopped rows', check_stopped_rows), ('memory', check_memory), ('counts of info', check_counts), ('merge --layout sqlite', check_sqlite_layout)):
        tap.case(name, function)
    tap.done()


if __name__ == '__main__':
    main()
