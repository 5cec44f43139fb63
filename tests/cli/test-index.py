#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests indexes: the analyses across ranks compute the same figures from indexes as from traces; an index is created again only if
its trace changed; a damaged, missing or outdated index is reported and the others are used. With LOOM_LONG the run has 64 ranks.

Usage: test-index.py TRACELOOM-CLI"""

import csv
import hashlib
import io
import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import early_index  # noqa: E402
from harness import DONE, FAILED, INCOMPLETE, USAGE, SAMPLE, Cli, Tap, check, folder, generate_parallel, need, same, shared_folder  # noqa: E402

TOOLS = shared_folder('tools')
SMALL = ['--dp', '4', '--tp', '2', '--pp', '2', '--steps', '4']
LARGE = ['--dp', '8', '--tp', '4', '--pp', '2', '--steps', '5']
RUN = ['--micro', '4', '--layers', '2', '--straggler', '5:1.4', '--slow-link', '1-3:6', '--clock-us', '300', '--seed', '3']
# Members of the report that are the same to the last digit for an index and for its trace.
EQUAL = ['range', 'ranks', 'devices', 'kernels', 'data_loading', 'collectives', 'transfers']
# Rules that need launches of kernels, which an index does not store. Without launches, PipelineBubbles uses waits for messages.
UNKNOWN_RULES = {'HostBound', 'HostStall', 'LaunchGaps', 'PipelineBubbles'}
OTHER_SOURCE = {'path', 'span', 'sources'}


def make_run(place):
    options = LARGE if os.environ.get('LOOM_LONG') else SMALL
    generate_parallel(place, *options, *RUN)
    return sorted(place.iterdir())


def plain(value, left_out=OTHER_SOURCE):
    """Returns a JSON value without members that differ between a trace and its index, such as paths."""
    if isinstance(value, dict):
        return {key: plain(item, left_out) for key, item in value.items() if key not in left_out}
    return [plain(item, left_out) for item in value] if isinstance(value, list) else value


def report(cli, *paths, allowed=(DONE,)):
    return json.loads(cli.must('report', '--quiet', '--format', 'json', '-o', '-', *paths, allowed=allowed).stdout)


def test_loaders(cli):
    """Indexes give the same number of data loading processes as traces, although process ids are in args, which indexes do not store."""
    with folder() as place:
        cli.must('index', '-q', SAMPLE, '-o', place)
        rules = [json.loads(cli.must('rules', '-q', '--format', 'json', '--rule', 'Dataloader', path).stdout)['Dataloader'] for path in (SAMPLE, place)]
        same([rule['Sentence'] for rule in rules], ['the number of loading processes suits the number of cores'] * 2, 'sentences')
        same(rules[1]['Details'], rules[0]['Details'], 'details')
        loading = [report(cli, path)['data_loading'] for path in (SAMPLE, place)]
        for name in ('workers', 'worker_processes', 'processes_at_a_time'):
            same(plain(loading[1][name]), plain(loading[0][name]), name)


def test_unknown_loaders(cli):
    """If only args identify the processes that load data, their number is unknown in an index; calling processes are not counted instead."""
    with folder() as place:
        run, index = Path(place) / 'run', Path(place) / 'index'
        shutil.copytree(SAMPLE, run)
        for path in run.rglob('*pythontimeline.json'):
            path.write_text(''.join(line for line in path.read_text().splitlines(True) if 'DataLoaderWorker' not in line))
        cli.must('index', '-q', run, '-o', index, allowed=(DONE, INCOMPLETE))
        raw, found = (report(cli, path, allowed=(DONE, INCOMPLETE))['data_loading'] for path in (run, index))
        same((raw['worker_processes'], found.get('worker_processes'), found['processes_at_a_time']), (8, None, []), 'processes')
        rule = json.loads(cli.must('rules', '-q', '--format', 'json', '--rule', 'Dataloader', index, allowed=(DONE, INCOMPLETE)).stdout)['Dataloader']
        same((rule['Status'], rule['Sentence']), ('not applicable', 'this index file does not record which processes load the data'), 'rule')


def made(result):
    found = re.search(r'(\d+) index(?:es)? made .* (\d+) up to date', result.stderr)
    check(found, result.stderr)
    return int(found[1]), int(found[2])


def take_shares(findings):
    """Removes CommunicationShare from the findings and from their effects; returns its sentences."""
    sentences = []
    for rows in [findings, *(entry['effects'] for entry in findings)]:
        sentences += [row['sentence'] for row in rows if row['rule'] == 'CommunicationShare']
        rows[:] = [row for row in rows if row['rule'] != 'CommunicationShare']
    return sentences


def test_figures(cli, raw, index):
    direct, indexed = report(cli, raw), report(cli, index)
    for name in EQUAL:
        same(plain(indexed['computed'][name]), plain(direct['computed'][name]), name)
    for name in ('axes', 'groups', 'ranks', 'grid'):
        same(indexed['computed']['parallel'][name], direct['computed']['parallel'][name], f'parallel {name}')
    check(direct['computed']['parallel']['bubbles']['steps'] and not indexed['computed']['parallel']['bubbles']['steps'], 'bubbles')
    for name in ('phases', 'steps', 'step_usage', 'device_usage', 'data_loading'):
        same(plain(indexed[name]), plain(direct[name]), name)
    findings = [[entry for entry in plain(one['findings']) if entry['rule'] not in UNKNOWN_RULES] for one in (indexed, direct)]
    for one, is_index in zip(findings, (True, False)):
        for entry in one:  # a saving is computed by a replay, which needs launches of kernels
            known = not is_index and entry['rule'] in ('SlowRank', 'SlowLink')
            same(entry.pop('saved_ns'), entry['lost_ns'] if known else None, f"saving of {entry['rule']}, {'index' if is_index else 'traces'}")
    for entry in findings[0] + findings[1]:
        entry['effects'] = [effect for effect in entry.get('effects', []) if effect['rule'] not in UNKNOWN_RULES]
        if entry['rule'] == 'SlowRank':  # its cost is computed by a replay, which needs launches of kernels
            for name in ('sentence', 'lost_ns', 'lost_mean_ns', 'own_lost_ns', 'start_ns', 'since_origin_ns', 'end_ns'):
                entry.pop(name)
        elif entry['rule'] == 'SlowLink':  # a replay bounds its cost; from an index, it is the extra time of the slow transfers
            check(0 < entry['lost_ns'] and entry['lost_ns'] == entry['lost_mean_ns'] == entry['own_lost_ns'], entry)
    links = [[entry for entry in one if entry['rule'] == 'SlowLink'][0] for one in findings]
    check(links[1]['lost_ns'] <= links[0]['lost_ns'] < 1.01 * links[1]['lost_ns'], f'cost of the slow link: {links}')
    for link in links:
        for name in ('lost_ns', 'lost_mean_ns', 'own_lost_ns'):
            link.pop(name)
    # the cost of the slow rank also decides whether CommunicationShare is a finding or an effect
    shares = [take_shares(one) for one in findings]
    same(shares[0], shares[1], 'shares of collectives')
    same(findings[0], findings[1], 'findings')
    check(shares[0] and len(findings[0]) >= 2, findings[0])


def test_clocks(cli, raw, index):
    offsets = [[(source['rank'], source['clock']) for source in json.loads(cli.must('align', '--quiet', '--format', 'json', place).stdout)['sources']]
               for place in (raw, index)]
    same(offsets[1], offsets[0], 'clocks')
    check(any(clock['offset_ns'] != 0 for _, clock in offsets[0]), 'no clock is moved')


def test_honesty(cli, index):
    """Analyses that need data which an index does not store are reported as missing and give no wrong figures."""
    computed = report(cli, index)['computed']
    for name in ('operators', 'critical_path', 'idle', 'slowdown', 'memory'):
        check('ndex files' in computed[name].get('missing', ''), f'{name} is not said to be missing')
    same([kind['side'] for kind in computed['work']['kinds'] if kind['side'] != 'device'], [], 'work of the host')
    problems = cli.info(index)['sources'][0]['problems']
    same([problem['code'] for problem in problems], ['index'], 'problems')


def test_size(cli, raw, index):
    share = [sum(path.stat().st_size for path in place.iterdir()) for place in (index, raw)]
    check(share[0] < 0.01 * share[1], f'{share[0]} of {share[1]} bytes')


def place_of(name):
    """Returns the file name of an index without the hash of its content."""
    return name.rsplit('-', 1)[0]


def test_again(cli, raw, index):
    files, before = sorted(raw.iterdir()), {path.name: path.read_bytes() for path in index.iterdir()}
    same(made(cli.must('index', raw, '-o', index, allowed=(DONE,))), (0, len(files)), 'nothing changed')
    os.utime(files[0], (1, 1))
    same(made(cli.must('index', raw, '-o', index)), (0, len(files)), 'only the time changed')
    files[1].write_bytes(files[1].read_bytes().replace(b'"ProfilerStep#', b'"ProfilerStep#7', 1))
    same(made(cli.must('index', raw, '-o', index)), (1, len(files) - 1), 'one file changed')
    same(made(cli.must('index', '--rank-from', 'rank-([0-9]+)', raw, '-o', index)), (len(files), 0), 'other options')
    with folder() as place:
        fresh = Path(place) / 'fresh'
        cli.must('index', raw, '-o', fresh)
        names = {path.name: path.read_bytes() for path in fresh.iterdir()}
        same([place_of(name) for name in sorted(names)], [place_of(name) for name in sorted(before)], 'names')
        same(sum(names[name] != before.get(name) for name in names), 2, 'indexes that differ: another time, another content')


def test_equal_paths(cli, raw):
    """Traces with the same path on several machines are different traces. A copy of a recording is not indexed twice, and of each
    machine the latest recording replaces earlier ones."""
    with folder() as place:
        trace, index, older, run = Path(place) / 'trace.json', Path(place) / 'index', Path(place) / 'older', Path(place) / 'a.loomrun'

        def record(rank, host, target=index):
            shutil.copy(next(raw.glob(f'rank-{rank}.*')), trace)
            return made(cli.must('index', f'--host={host}', trace, '-o', target, allowed=(DONE,)))

        same((record(0, 'one'), record(1, 'two')), ((1, 0), (1, 0)), 'two machines')
        same(len(list(index.iterdir())), 2, 'indexes')
        same(record(0, 'three'), (0, 1), 'a task that was started again on another machine')
        record(2, 'two', older)
        same((record(3, 'two'), record(3, 'two')), ((1, 0), (0, 1)), 'recorded again')
        same(sorted(source['rank'] for source in cli.info(index)['sources']), [0, 3], 'the former index is replaced')
        result = cli('index', '--join', older, index, '-o', run)
        check(result.returncode == INCOMPLETE and 'the same file as' in result.stderr, result.stderr)
        same(sorted({int(row['rank']) for row in matrix(run)}), [0, 3], 'ranks of the joined file')
        same((record(0, ''), record(1, '')), ((0, 1), (1, 0)), 'indexes made for a shared file system')
        for name, path in zip(('one', 'two'), sorted(index.iterdir())):
            renamed = Path(place) / name / 'equal.loomidx'
            renamed.parent.mkdir()
            shutil.copy(path, renamed)
        cli.must('index', '--join', Path(place) / 'one', Path(place) / 'two', '-o', run, allowed=(DONE,))
        same(len([name for name in zipfile.ZipFile(run).namelist() if name.startswith('indexes/')]), 2, 'members of equal names')


def write_long(path, n, name='f'):
    path.write_text('[' + ',\n'.join(f'{{"ph":"X","name":"{name}{i % 50}","ts":{1000000 + i},"dur":1,"pid":0,"tid":1}}' for i in range(n)) + ']')


def stopped_task(cli, trace, target, options):
    """Returns a task that is stopped after it examined the folder and before it wrote. A task may write before this process gets to
    stop it; then another one is started, with a new folder, and stopped earlier."""
    for attempt in range(20):
        task = subprocess.Popen([cli.program, 'index', *options, str(trace), '-o', str(target)], stderr=subprocess.PIPE)
        while not target.exists() and task.poll() is None:
            time.sleep(0.001)
        time.sleep(0.05 * 0.8 ** attempt)
        task.send_signal(signal.SIGSTOP)
        if task.poll() is None and not list(target.glob('*.loomidx')):
            return task
        task.send_signal(signal.SIGCONT)
        same(task.wait(timeout=60), DONE, task.stderr.read())
        task.stderr.close()
        shutil.rmtree(target)
    raise AssertionError('20 tasks wrote their index before they were stopped')


def index_both(cli, trace, target, first, second, between=lambda: None):
    """Stops a first task after it examined the folder and before it wrote, runs a second task, then continues the first. Returns the
    numbers of indexes that the second task created and found up to date."""
    task = stopped_task(cli, trace, target, first)
    between()
    result = cli.must('index', *second, trace, '-o', target, allowed=(DONE,))
    task.send_signal(signal.SIGCONT)
    same(task.wait(timeout=60), DONE, task.stderr.read())
    task.stderr.close()
    return made(result)


def test_at_once(cli):
    """If two tasks index a trace at the same time, on two machines or while it is recorded again, one index of it remains."""
    with folder() as place:
        trace = Path(place) / 'rank-0.json'
        for number, (first, second) in enumerate((('one', 'two'), ('two', 'one'))):
            write_long(trace, 300000)
            target = Path(place) / f'hosts-{number}'
            same(index_both(cli, trace, target, [f'--host={first}'], [f'--host={second}']), (1, 0), 'indexes made by the second task')
            same(len(list(target.iterdir())), 1, 'indexes of a trace on two machines')
        target = Path(place) / 'changed'
        write_long(trace, 300000)
        os.utime(trace, (1700000000, 1700000000))

        def record_again():
            # the stopped task has the old file open and continues to read it
            other = trace.with_suffix('.other')
            write_long(other, 100, 'g')
            os.rename(other, trace)

        index_both(cli, trace, target, ['--host='], ['--host='], record_again)
        same(len(list(target.iterdir())), 1, 'indexes of a trace that was recorded again')
        check(cli.info(target)['sources'][0]['spans'] == 100, 'the latest recording is kept')


def test_stale(cli, raw, index):
    first = sorted(raw.iterdir())[0]
    first.write_bytes(first.read_bytes() + b'\n')
    problems = [problem for source in cli.info(index)['sources'] for problem in source['problems'] if problem['code'] == 'index-stale']
    same(len(problems), 1, 'index-stale')
    check(str(first) in problems[0]['message'], problems[0])


def test_damage(cli, index):
    """A truncated index, a damaged one and one of an unknown version each cause a message, and the other indexes are read."""
    files = sorted(index.iterdir())
    cases = [('truncated at byte', lambda data: data[:len(data) // 2]), ('truncated', lambda data: data[:20]),
             ('version 99', lambda data: data[:8] + struct.pack('<I', 99) + data[12:]),
             ('damaged', lambda data: data[:len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1:])]
    for words, damage in cases:
        with folder() as place:
            copy = Path(shutil.copytree(index, Path(place) / 'copy'))
            hurt = copy / files[0].name
            hurt.write_bytes(damage(hurt.read_bytes()))
            result = cli('info', '--format', 'json', copy)
            same(result.returncode, INCOMPLETE, f'exit for {words}')
            check(words in result.stderr and hurt.name in result.stderr, lambda: f'{words}: {result.stderr}')
            check(len(json.loads(result.stdout)['sources']) >= len(files) - 1, 'the others are not read')


def test_made_of_damage(cli, index):
    """A damaged index is created again."""
    raw = index.parent / 'raw'
    victim = sorted(index.iterdir())[0]
    victim.write_bytes(victim.read_bytes()[:100])
    same(made(cli.must('index', raw, '-o', index))[0], 1, 'indexes made')


def test_missing_rank(cli, index):
    with folder() as place:
        copy = Path(shutil.copytree(index, Path(place) / 'copy'))
        lost = sorted(copy.iterdir())[0]
        lost.unlink()
        same(len(report(cli, copy)['computed']['ranks']['ranks']), len(list(index.iterdir())) - 1, 'ranks')


def test_full_disk(cli, raw):
    """If an index cannot be written, no partial or temporary file remains, and the former index of the trace is kept."""
    with folder() as place:
        trace, target = Path(place) / 'trace.json', Path(place) / 'index'

        def record(rank, limit=resource.RLIM_INFINITY):
            shutil.copy(next(raw.glob(f'rank-{rank}.*')), trace)
            result = cli('index', trace, '-o', target, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            return result.returncode, [(path.name, path.read_bytes()) for path in target.iterdir()]

        same(record(0, 1000), (FAILED, []), 'no index')
        status, former = record(0)
        same((status, len(former)), (DONE, 1), 'an index')
        same(record(1, 1000), (FAILED, former), 'the former index')
        status, later = record(1)
        check((status, len(later)) == (DONE, 1) and later != former, 'the former index is not replaced')


def test_many_ranks(cli):
    """In the step map of a run of many ranks, one row represents all ranks with similar step times."""
    with folder() as place:
        place = Path(place)
        raw, run, report = place / 'raw', place / 'run.loomrun', place / 'report.html'
        raw.mkdir()
        for rank in range(130):
            events = [{'ph': 'X', 'cat': 'user_annotation', 'name': f'ProfilerStep#{i}', 'pid': 9, 'tid': 9, 'ts': 1000 * i,
                       'dur': 900 + rank % 7 * 2 - (400 if rank == 77 and i == 2 else 0)} for i in range(4)]
            (raw / f'rank-{rank}.pt.trace.json').write_text(json.dumps({'schemaVersion': 1, 'distributedInfo': {'rank': rank, 'world_size': 130},
                                                                        'traceEvents': events}))
        cli.must('index', raw, '-o', place / 'index')
        cli.must('index', '--join', place / 'index', '-o', run)
        cli.must('report', run, '-o', report)
        check('rank 0 (+128 similar)' in report.read_text(), 'no row represents similar ranks')
        check('rank 77' in report.read_text(), 'the rank that differs has no row')


def composer_trace(path, start):
    """Writes a Composer trace file with one span; later files of the rank continue the trace."""
    begin = [{'ph': 'B', 'name': 'batch', 'cat': 'event', 'ts': start, 'pid': 0, 'tid': 1, 'args': {}}]
    path.write_text(json.dumps([*begin, dict(begin[0], ph='E', ts=start + 1000)]))


def test_grown_trace(cli):
    """When a trace grows by another file, its new index replaces the index of the first file, also when both are joined."""
    with folder() as place:
        place = Path(place)
        traces, index, older, run = place / 'traces', place / 'index', place / 'older', place / 'a.loomrun'
        traces.mkdir()
        composer_trace(traces / 'ep0-ba1-rank0.json', 1e15)
        same([made(cli.must('index', traces, '-o', where)) for where in (older, index, index)], [(1, 0), (1, 0), (0, 1)], 'the first file')
        check('several files' not in cli('index', traces, '-o', place / 'first').stderr, 'one file is said to be several')
        composer_trace(traces / 'ep0-ba2-rank0.json', 1e15 + 5000)
        result = cli('index', traces, '-o', place / 'both')
        check('of several files each' in result.stderr and '1 of the indexes' in result.stderr, result.stderr)
        same([made(cli.must('index', traces, '-o', index)) for _ in range(2)], [(1, 0), (0, 1)], 'both files')
        files = list(index.iterdir())
        same(len(files), 1, 'indexes')
        for paths in ((older, index), (index, older)):
            result = cli('index', '--join', *paths, '-o', run)
            check(result.returncode == INCOMPLETE and 'the same file as' in result.stderr, result.stderr)
            with zipfile.ZipFile(run) as archive:
                same([archive.read(name) for name in archive.namelist() if name.startswith('indexes/')], [files[0].read_bytes()], 'the joined index')


def make_early(path, trace):
    """Converts an index that was made with --host='' to the form of early versions: without the machine, and with a file name that
    contains a hash of the path only."""
    sections = early_index.read(path)
    check(sections[1][-1] == 0, 'the index states a machine')
    sections[1] = sections[1][:-1]
    path.unlink()
    early = path.parent / f'{trace.name}-{hashlib.sha256(str(trace).encode()).hexdigest()[:8]}.loomidx'
    early_index.write(early, 7, sections)
    return early


def test_early_index(cli, raw):
    """An index of an early version, which does not state the machine, is recognized as up to date, replaced by a later one, and joined
    once, like any other index."""
    with folder() as place:
        place = Path(place)
        trace, index, older, run = place / 'trace.json', place / 'index', place / 'older', place / 'a.loomrun'
        shutil.copy(next(raw.glob('rank-0.*')), trace)
        cli.must('index', '--host=', trace, '-o', index)
        early = make_early(next(index.iterdir()), trace)
        same(made(cli.must('index', '--host=one', trace, '-o', index)), (0, 1), 'the early index is up to date')
        shutil.copytree(index, older)
        shutil.copy(next(raw.glob('rank-1.*')), trace)
        same(made(cli.must('index', '--host=one', trace, '-o', index)), (1, 0), 'recorded again')
        check(not early.exists() and len(list(index.iterdir())) == 1, 'the early index is not replaced')
        for paths in ((older, index), (index, older)):
            result = cli('index', '--join', *paths, '-o', run)
            check(result.returncode == INCOMPLETE and 'the same file as' in result.stderr, result.stderr)
            same({int(row['rank']) for row in matrix(run)}, {1}, 'the joined index')


def matrix(run):
    with zipfile.ZipFile(run) as archive:
        same(archive.testzip(), None, 'damaged member')
        return list(csv.DictReader(io.StringIO(archive.read('matrix.csv').decode())))


def test_unrecorded(cli):
    """The sample records devices only in 2 of 12 steps, so the table of steps and ranks (matrix) must state no idle
    time for the other steps."""
    with folder() as place:
        cli.must('index', '-q', SAMPLE, '-o', place)
        run = Path(place) / 'run.loomrun'
        cli.must('index', '--join', place, '-o', run, allowed=(DONE, INCOMPLETE))
        rows = matrix(run)
    check({row['idle_ns'] == '' for row in rows} == {True, False}, f'{len(rows)} rows')
    for row in rows:
        check(int(row['duration_ns']) > 0 and (row['compute_ns'] == '') == (row['idle_ns'] == ''), str(row))
        check(row['idle_ns'] == '' or int(row['compute_ns']) + int(row['exposed_communication_ns']) > 0.05 * int(row['duration_ns']), str(row))


def test_join(cli, raw, index, run):
    """The table of steps and ranks (matrix) and the report of joined indexes equal those that are computed directly
    from the traces."""
    result = cli.must('index', '--join', index, '-o', run, allowed=(DONE,))
    check('rank 5 stands out: compute' in result.stderr, result.stderr)
    rows = matrix(run)
    steps = json.loads(cli.must('query', '--quiet', '--format', 'json', raw, 'SELECT rank, number AS step, duration FROM step').stdout)
    same(sorted((int(row['rank']), int(row['step']), int(row['duration_ns'])) for row in rows),
         sorted((row['rank'], row['step'], row['duration']) for row in steps), 'durations')
    both = json.loads(cli.must('compare', '--quiet', '--format', 'json', raw, run).stdout)
    check(len(both['ranks']) == len(list(raw.iterdir())), 'ranks of the comparison')
    for rank in both['ranks']:
        same(rank['second_ns'], rank['first_ns'], f'parts of the steps of rank {rank["rank"]}')
        own = [row for row in rows if int(row['rank']) == rank['rank']]
        mean = {name: round(sum(int(row[f'{name}_ns']) for row in own) / len(own), 3) for name in ('compute', 'exposed_communication', 'rank_wait', 'idle')}
        parts = {name: round(part, 3) for name, part in rank['first_ns'].items()}
        same(mean, {'compute': parts['compute'], 'exposed_communication': round(parts['rank_wait'] + parts['transfer'], 3), 'rank_wait': parts['rank_wait'],
                    'idle': round(parts['data_wait'] + parts['idle'], 3)}, f'matrix of rank {rank["rank"]}')
    joined, apart = report(cli, run), report(cli, index)
    same(joined['about'].pop('computed') != '', apart['about'].pop('computed') != '', 'time of the report')
    same(plain(joined), plain(apart), 'report')
    same([entry['path'] for entry in cli.info(run)['ignored']], [], 'files that are not read')


def test_trace_of_one_rank(cli, raw, run):
    """A trace that is opened together with its index replaces the index, and figures across ranks do not change."""
    trace = sorted(raw.iterdir())[5]
    info = cli.info(run, trace)
    same(len(info['sources']), len(list(raw.iterdir())), 'sources')
    same([entry['reason'] for entry in info['ignored']], ['skipped: the trace that this index was made from is open, too'], 'the index')
    same([trace.name in source['path'] and not source['path'].endswith('.loomidx') for source in info['sources']].count(True), 1, 'the trace')
    mixed, direct = report(cli, run, trace), report(cli, raw)
    for name in EQUAL:  # sources have other numbers, because they are sorted by path
        same(*(plain(one['computed'][name], OTHER_SOURCE | {'source'}) for one in (mixed, direct)), name)
    check(mixed['computed']['operators']['rows'], 'operators of the rank are missing')
    check('open the trace files' in mixed['computed']['critical_path']['missing'], 'a critical path is reported for one of many ranks')
    with folder() as place:  # another recording with the same file name is a separate source
        other = Path(place) / trace.name
        other.write_bytes(trace.read_bytes() + b'\n')
        same(len(cli.info(run, other)['sources']), len(list(raw.iterdir())) + 1, 'another recording')


def test_join_of_joins(cli, index, run):
    with folder() as place:
        place, files = Path(place), sorted(index.iterdir())
        for name, part in (('a', files[::2]), ('b', files[1::2])):
            cli.must('index', '--join', *part, '-o', place / f'{name}.loomrun', allowed=(DONE,))
        cli.must('index', '--join', place / 'a.loomrun', place / 'b.loomrun', '-o', place / 'ab.loomrun', allowed=(DONE,))
        same(matrix(place / 'ab.loomrun'), matrix(run), 'matrix')
        names = [[item.filename for item in zipfile.ZipFile(one).infolist()] for one in (place / 'ab.loomrun', run)]
        same(names[0], names[1], 'members')


def test_join_problems(cli, raw, index, run):
    with folder() as place:
        place = Path(place)
        copy = Path(shutil.copytree(index, place / 'copy'))
        files = sorted(copy.iterdir())
        files[0].write_bytes(files[0].read_bytes()[:300])
        output = place / 'some.loomrun'
        for words, paths in (('truncated at byte', [copy]), ('not an index', [index, sorted(raw.iterdir())[0]]), ('the same file as', [index, run])):
            result = cli('index', '--join', *paths, '-o', output)
            same(result.returncode, INCOMPLETE, f'exit for {words}')
            check(words in result.stderr, lambda: f'{words}: {result.stderr}')
            check(len(matrix(output)) >= len(matrix(run)) * (len(files) - 1) // len(files), 'other indexes were not joined')
        before = output.read_bytes()
        check(cli('index', '--join', output, '-o', output).returncode == FAILED and output.read_bytes() == before, 'a file was joined into itself')
        result = cli('index', '--join', raw, '-o', place / 'none.loomrun')
        same((result.returncode, (place / 'none.loomrun').exists()), (FAILED, False), 'nothing to join')
        check('no indexes' in result.stderr, result.stderr)


def count_host_spans(cli, path):
    return {track['rank']: track['events'] for track in cli.info(path)['tracks'] if track['kind'] == 'spans' and track['process'] == 'python3'}


def test_ranks_in_one_file(cli, raw, index):
    """An index sums up the spans of a host thread between the collectives. For a file that contains several ranks, only
    the collectives of the thread's own rank must divide its time."""
    with folder() as place:
        merged, one = Path(place) / 'merged.json', Path(place) / 'one'
        cli.must('merge', '--quiet', raw, '-o', merged)
        cli.must('index', merged, '-o', one, allowed=(DONE,))
        together, apart = count_host_spans(cli, one), count_host_spans(cli, index)
        same(sorted(together), sorted(apart), 'ranks')
        for rank, n in apart.items():  # cells before the first collective start with the file, not with the rank
            check(abs(together[rank] - n) < 0.02 * n, f'rank {rank}: {together[rank]} instead of {n} spans')


def recorders(cli, path, place):
    """Merges `path` and returns, for each process, the file that recorded it, as the merged file states."""
    again = place / f'again-{path.name}.json'
    cli.must('merge', '--quiet', path, '-o', again)
    processes = json.loads(again.read_text())['otherData']['traceloom']['processes']
    return {(process['rank'], process['name'], process.get('path'), process.get('format')) for process in processes}


def test_recorders(cli, raw):
    """The index of a merged file states the recorded file of each rank, like the merged file."""
    with folder() as place:
        place = Path(place)
        merged, one = place / 'merged.json', place / 'one'
        cli.must('merge', '--quiet', raw, '-o', merged)
        cli.must('index', merged, '-o', one, allowed=(DONE,))
        wanted = recorders(cli, merged, place)
        same(len({path for _, _, path, _ in wanted if path}), len(list(raw.iterdir())), 'files')
        same(recorders(cli, one, place), wanted, 'recorders')


def test_wrong_times(cli, raw):
    """Implausible times are excluded, counted and reported, and the rest of the index is read."""
    with folder() as place:
        trace, index = Path(place) / 'a.pt.trace.json', Path(place) / 'index'
        data = json.loads(sorted(raw.iterdir())[0].read_text())
        kernel = next(event for event in data['traceEvents'] if event.get('cat') == 'kernel')
        wrong = [(4e15, 5), (-6e15, 5), (kernel['ts'], 5e15)]
        data['traceEvents'] += [dict(kernel, ts=start, dur=duration) for start, duration in wrong]
        data['traceEvents'] += [{'ph': 'C', 'name': 'memory', 'pid': kernel['pid'], 'ts': start, 'args': {'x': 1}} for start in (4e15, kernel['ts'])]
        trace.write_text(json.dumps(data))
        result = cli.must('index', trace, '-o', index, allowed=(DONE,))
        check('4 events skipped' in result.stderr, result.stderr)
        source = cli.info(index)['sources'][0]
        same([(problem['code'], problem['count']) for problem in source['problems']], [('index-times', 4), ('index', 1)], 'problems')
        tracks = [{track['thread']: track['events'] for track in cli.info(one)['tracks'] if track['kind'] == 'spans' and track['process'] == 'GPU 0'}
                  for one in (trace, index)]
        same(sum(tracks[0].values()) - sum(tracks[1].values()), 3, 'spans of devices')


def test_usage(cli, raw, index):
    same(cli('index', raw).returncode, USAGE, 'no folder')
    same(cli('index', '--join', index).returncode, USAGE, 'no file')
    same(cli('index', '-o', index).returncode, USAGE, 'no path')
    with folder() as place:
        same(cli('index', Path(place) / 'none', '-o', Path(place) / 'index').returncode, FAILED, 'no such path')
        result = cli('index', index, '-o', Path(place) / 'index')
        check('is already an index' in result.stderr, result.stderr)


def test_cut_trace(cli, raw):
    """A truncated trace gives an index of its first part; the exit status of indexing and joining reports that input is incomplete."""
    with folder() as place:
        cut, index, run = Path(place) / 'cut.pt.trace.json', Path(place) / 'index', Path(place) / 'a.loomrun'
        cut.write_bytes(sorted(raw.iterdir())[0].read_bytes()[:300_000])
        for words in (('index', cut, '-o', index), ('index', '--join', index, '-o', run)):
            result = cli(*words)
            same(result.returncode, INCOMPLETE, words[1])
            check('damaged or truncated' in result.stderr, result.stderr)
        check(run.exists(), 'the readable part was not joined')


def main(program):
    need(TOOLS)
    cli, tap = Cli(program), Tap()
    with folder() as place:
        raw, index = Path(place) / 'raw', Path(place) / 'index'
        files = make_run(raw)
        result = cli.must('index', raw, '-o', index, allowed=(DONE,))
        tap.case('one index per trace', lambda: same(made(result), (len(files), 0), 'made'))
        tap.case('figures of indexes and traces', test_figures, cli, raw, index)
        tap.case('processes that load data', test_loaders, cli)
        tap.case('processes that load data, named by args alone', test_unknown_loaders, cli)
        tap.case('clocks', test_clocks, cli, raw, index)
        tap.case('analyses that an index does not support', test_honesty, cli, index)
        tap.case('size', test_size, cli, raw, index)
        tap.case('damage', test_damage, cli, index)
        tap.case('a trace that ends early', test_cut_trace, cli, raw)
        tap.case('missing rank', test_missing_rank, cli, index)
        tap.case('full disk', test_full_disk, cli, raw)
        tap.case('a trace that gets another file', test_grown_trace, cli)
        tap.case('the step map of many ranks', test_many_ranks, cli)
        tap.case('an index of an early version', test_early_index, cli, raw)
        run = Path(place) / 'joined.loomrun'
        tap.case('join', test_join, cli, raw, index, run)
        tap.case('steps without records of devices', test_unrecorded, cli)
        tap.case('a trace together with its index', test_trace_of_one_rank, cli, raw, run)
        tap.case('join of joins', test_join_of_joins, cli, index, run)
        tap.case('join what is damaged, double or no index', test_join_problems, cli, raw, index, run)
        tap.case('equal paths on several machines', test_equal_paths, cli, raw)
        tap.case('wrong times', test_wrong_times, cli, raw)
        tap.case('ranks in one file', test_ranks_in_one_file, cli, raw, index)
        tap.case('recorders of a merged file', test_recorders, cli, raw)
        tap.case('usage', test_usage, cli, raw, index)
        tap.case('a damaged index is made again', test_made_of_damage, cli, index)
        tap.case('indexing again after changes', test_again, cli, raw, index)
        tap.case('two tasks at once', test_at_once, cli)
        tap.case('an outdated index', test_stale, cli, raw, index)
    tap.done()


main(sys.argv[1])
