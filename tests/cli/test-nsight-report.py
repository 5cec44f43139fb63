# SPDX-License-Identifier: Apache-2.0
"""Tests reports of Nsight Systems (.nsys-rep), which Traceloom reads by exporting them with nsys; fake-nsys.py replaces that program."""

import json
import os
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import harness
from harness import Cli, Tap, check, same

FAKE = Path(__file__).resolve().parent / 'fake-nsys.py'


class Place:
    """Runs traceloom-cli with the fake nsys, a cache folder, and a database that the fake nsys exports."""

    def __init__(self, cli, folder, installed=True):
        self.cli, self.folder = cli, Path(folder)
        self.programs, self.run = self.folder / 'bin', self.folder / 'run'
        self.programs.mkdir()
        self.run.mkdir()
        if installed:
            shutil.copy(FAKE, self.programs / 'nsys')
        self.database = self.folder / 'export.db'
        self.make('work', 2)
        self.env = {'PATH': f'{self.programs}:/usr/bin:/bin', 'FAKE_NSYS': str(self.folder), 'XDG_CACHE_HOME': str(self.folder / 'cache')}

    def make(self, name, n):
        self.database.unlink(missing_ok=True)
        with sqlite3.connect(self.database) as base:
            base.execute('create table StringIds (id integer primary key, value text)')
            base.execute('create table CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, demangledName)')
            base.execute('insert into StringIds values (1, ?)', (name,))
            base.executemany('insert into CUPTI_ACTIVITY_KIND_KERNEL values (?, ?, 0, 7, 1)', [(100 * i, 100 * i + 10) for i in range(n)])

    def report(self, name='rank0.nsys-rep'):
        path = self.run / name
        path.write_text(str(self.database))
        return path

    def __call__(self, *args, **env):
        return self.cli(*args, env=self.env | env)

    def calls(self):
        log = self.folder / 'calls'
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def cached(self):
        return list((self.folder / 'cache' / 'traceloom' / 'nsight').iterdir())


def names(result):
    return [json.loads(line)['name'] for line in result.stdout.splitlines()]


# The next line names a row of the format pages, see “Tests for the rows of the format pages” in tests/README.md.
# Covers documented rows: README.md §1 Nsight Systems export
def check_export(place):
    """A report is exported once, and again after it changed; the path of the source is that of the report."""
    path = place.report("a report; with 'quotes' $(and) more.nsys-rep")
    for _ in range(2):
        result = place('dump', path, FAKE_SAYS='Processing caf\udce9\n')  # a file name in Latin-1
        same((result.returncode, names(result)), (harness.DONE, ['work', 'work']), result.stderr)
    call, = place.calls()
    same(call[:3] + call[4:], ['export', '--type=sqlite', '--force-overwrite=true', str(path)], 'the call')
    check(call[3].startswith(f'--output={place.folder}/cache/traceloom/nsight/'), call[3])
    source = json.loads(place('info', '--format', 'json', path).stdout)['sources'][0]
    same((source['path'], source['format'], source['rank']), (str(path), 'nsight', None), 'source')
    place.make('other', 3)
    path.write_text(str(place.database) + '\n' * 0)
    os.utime(path, (1, 1))
    same(names(place('dump', path)), ['other'] * 3, 'events after the report changed')
    same((len(place.calls()), list(place.run.iterdir())), (2, [path]), 'calls, and nothing is written beside the report')


def check_option_name(place):
    """A name that looks like an option is passed as a path."""
    path = place.report('--help.nsys-rep')
    result = place.cli('dump', './--help.nsys-rep', env=place.env, cwd=place.run)
    same((result.returncode, place.calls()[0][-1]), (harness.DONE, str(path)), result.stderr)


def check_folder(place):
    """Reports in a folder are read; if an export lies beside a report, the export is read instead."""
    place.report('rank0.nsys-rep')
    place.report('rank1.nsys-rep')
    shutil.copy(place.database, place.run / 'rank1.sqlite')
    result = place('info', '--format', 'json', place.run)
    same(sorted(Path(source['path']).name for source in json.loads(result.stdout)['sources']), ['rank0.nsys-rep', 'rank1.sqlite'], result.stderr)
    same(len(place.calls()), 1, 'calls')
    result = place('info', place.run / 'rank1.nsys-rep')
    check(result.returncode == harness.FAILED and 'rank1.sqlite is beside it' in result.stderr.replace("'", ''), result.stderr)


def check_missing(place):
    """Without nsys the message contains the command that exports the report, quoted so that a shell runs it correctly."""
    path = place.report('my report.nsys-rep')
    result = place('info', path)
    same((result.returncode, place.calls()), (harness.FAILED, []), 'status')
    command = shlex.split(result.stderr.split('“')[1].split('”')[0] if '“nsys' in result.stderr else '')
    same(command, ['nsys', 'export', '--type=sqlite', '--output=my report.sqlite', 'my report.nsys-rep'], result.stderr)
    shutil.copy(FAKE, place.programs / 'nsys')
    subprocess.run(command, cwd=place.run, env=os.environ | place.env, check=True)
    same(names(place('dump', place.run / 'my report.sqlite')), ['work', 'work'], 'read file')


def check_failure(place):
    """Messages of nsys are shown without control characters; a failed export leaves nothing in the cache."""
    path = place.report()
    result = place('info', path, FAKE_FAIL='no \x1b[31mlicence')
    same(result.returncode, harness.FAILED, 'status')
    check('nsys export failed: no ' in result.stderr and 'licence' in result.stderr and '\x1b' not in result.stderr, result.stderr)
    result = place('info', path, FAKE_SAYS='caf\udce9\n', FAKE_FAIL='no licence')
    check('nsys export failed: no licence' in result.stderr, result.stderr)
    place.database.write_text('no database')
    result = place('info', path)
    check(result.returncode == harness.FAILED and str(path) in result.stderr, result.stderr)
    place.database.unlink()
    result = place('info', place.report('other.nsys-rep'))
    check(result.returncode == harness.FAILED, result.stderr)
    check(all('.part' not in file.name for file in place.cached()), str(place.cached()))


def check_archive(place):
    """A report in an archive is not exported."""
    shutil.make_archive(str(place.folder / 'run'), 'zip', place.report().parent)
    result = place('info', place.folder / 'run.zip')
    check(result.returncode == harness.FAILED and 'in an archive' in result.stderr, result.stderr)
    same(place.calls(), [], 'calls')


def check_interrupt(place):
    """If the program is interrupted during an export, nsys ends and the cache stays empty."""
    program = subprocess.Popen([place.cli.program, 'info', place.report()], env=os.environ | place.env | {'FAKE_SLOW': '600'}, stderr=subprocess.PIPE)
    for _ in range(300):
        if place.calls():
            break
        time.sleep(0.1)
    begin = time.monotonic()
    program.send_signal(signal.SIGINT)
    program.communicate(timeout=60)
    check(program.returncode != harness.DONE and time.monotonic() - begin < 50, f'exit {program.returncode}')
    same(place.cached(), [], 'cache')


def check_many(place):
    """The cache keeps the most recently used exports."""
    first = place.report('first.nsys-rep')
    place('info', first)
    for n in range(20):
        place('info', place.report(f'{n}.nsys-rep'))
    check(len(place.cached()) <= 17, f'{len(place.cached())} exports')
    place('info', place.run / '19.nsys-rep')
    same(len(place.calls()), 21, 'calls')
    exports = sorted(place.cached())
    for n, export in enumerate(exports):
        os.utime(export, ns=(10**18, 10**18 + n * 10**6))  # all within one second
    place('info', place.report('last.nsys-rep'))
    same(sorted(set(exports) - set(place.cached())), exports[:len(exports) - 15], 'deleted exports')


def check_many_at_once(place):
    """More reports than the cache keeps can be merged: an export that was deleted meanwhile stays readable."""
    for i in range(20):
        place.report(f'rank{i}.nsys-rep')
    merged = place.folder / 'all.json'
    result = place('merge', place.run, '-o', merged)
    same(result.returncode, harness.DONE, result.stderr)
    same(sum(event.get('cat') == 'kernel' for event in json.loads(merged.read_text())['traceEvents']), 40, 'kernels')


def check_twice(place):
    """A report that is open can still be read after another program has opened it."""
    path = place.report()
    requests = [{'id': 1, 'method': 'initialize', 'params': {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'x', 'version': '1'}}},
                {'id': 2, 'method': 'tools/call', 'params': {'name': 'query', 'arguments': {'sql': 'select name, args from span'}}}]
    with subprocess.Popen([place.cli.program, 'mcp', '--quiet', path], env=os.environ | place.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        answers = []
        for request in (*requests, requests[1]):
            server.stdin.write(json.dumps({'jsonrpc': '2.0'} | request) + '\n')
            server.stdin.flush()
            answers.append(json.loads(server.stdout.readline())['result'])
            same(place('info', path).returncode, harness.DONE, 'exit')
        server.stdin.close()
    check('"stream' in json.dumps(answers[1]).replace('\\', ''), str(answers[1]))
    same(answers[2], answers[1], 'second answer')


def in_folder(function, cli, installed):
    with tempfile.TemporaryDirectory() as folder:
        function(Place(cli, Path(folder).resolve(), installed))


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for function in (check_export, check_option_name, check_folder, check_missing, check_failure, check_archive, check_interrupt, check_many,
                     check_many_at_once, check_twice):
        tap.case(function.__name__, in_folder, function, cli, function is not check_missing)
    tap.done()


main()
