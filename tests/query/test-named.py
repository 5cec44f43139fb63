#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs each query of data/queries over the sample and compares its rows with tests/query/named/NAME.csv, which LOOM_UPDATE=1
rewrites. Also compares results of some queries with events, reports and other programs."""
import collections
import contextlib
import json
import os
import re
import sqlite3
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import ROOT, Cli, Tap, check, folder, generate_parallel, same, shared_folder  # noqa: E402
from kineto import Recording  # noqa: E402

CLI = Cli(sys.argv[1])
FOLDER = ROOT / 'data' / 'queries'
WANTED = Path(__file__).resolve().parent / 'named'
RUN = 'data/sample'  # a relative path, because some rows contain paths
PARAMETERS = {'short-kernels': ['--param', 'below=1000000'], 'longest-spans': ['--param', 'limit=12']}
# Runs of one rank for which HTA (Holistic Trace Analysis) matches the same launches and kernels as this program, and in which no two
# launches or kernel starts have the same time.
QUEUES = ['hta-alexnet', 'hta-amd-minitoy', 'hta-b200-eager', 'hta-bert-h100', 'hta-event-sync', 'hta-nccl-data']
LEAST = 12
LEAST_QUESTIONS = 50
LEAST_COMPARED = 40
# Table functions and functions that plain SQLite does not have: tests/query/test-export.py compares them with plain SQL.
FUNCTIONS = re.compile(r'\b(arg|ancestors|critical_path|descendants|interval_join|interval_set|interval_union|overlap) ?\(')


def ask(name, *options):
    return CLI.must('query', '-q', RUN, '--named', name, *options, *PARAMETERS.get(name, []), cwd=ROOT).stdout


def check_query(name):
    path = WANTED / f'{name}.csv'
    got = ask(name, '--format', 'csv')
    if os.environ.get('LOOM_UPDATE'):
        path.write_text(got, encoding='utf-8')
    same(got, path.read_text(encoding='utf-8'), 'rows')
    check(got.count('\n') > 1, 'there are no rows')


def check_median():
    """Four steps of 100, 200, 300 and 900 µs: the median is the mean of the two middle ones, as in the report."""
    with folder() as place:
        recording, begin = Recording(0, 1), 0
        for number, duration in enumerate((100, 200, 300, 900)):
            recording.step(number, begin, duration)
            begin += duration
        recording.write(place)
        rows = CLI.must('query', '-q', '--format', 'json', place, '--named', 'slow-steps').stdout
    same([(row['number'], row['median_ns'], row['times_median']) for row in json.loads(rows)], [(3, 250000, 3.6)], 'rows')


def check_list():
    listed = json.loads(CLI.must('query', '--list', '--format', 'json').stdout)
    names = {query['name'] for query in listed}
    files = {path.stem for path in FOLDER.glob('*.sql')}
    check(files <= names, f'not listed: {files - names}')
    check(len(files) >= LEAST, f'{len(files)} queries')
    marked = (ROOT / 'po' / 'queries.c').read_text(encoding='utf-8')
    for query in listed:
        check(f'N_ ("{query["title"]}")' in marked or query['name'] not in files, f'“{query["title"]}” is not in po/queries.c')
        check(query['title'] and query['description'].endswith('.'), f'{query["name"]} has no title and description')
    text = CLI.must('query', '--list', '--format', 'table').stdout
    check(all(query['title'] in text for query in listed), 'the list lacks a title')
    check(os.path.samefile(text.rsplit(': ', 1)[1].strip(), FOLDER / 'perfetto.md'), 'the list does not name perfetto.md')


def check_kernels():
    """Compares the times of kernels with sums over the events that dump prints."""
    totals = collections.Counter()
    for event in CLI.dump(ROOT / RUN):
        if event['cat'] in ('kernel', 'gpu_memcpy', 'gpu_memset'):
            totals[event['name']] += event['dur_ns']
    rows = json.loads(ask('kernels-by-time', '--format', 'json', '--param', 'limit=1000'))
    named = {row['name']: row['total_ns'] for row in rows if row['name'] in totals}
    check(len(named) > 5, 'too few kernels')
    same(named, dict(totals), 'time of kernels')


def compare_late(run):
    """For each rank, compares the time for which other ranks waited for it, as the query “late-ranks” returns it, with
    the report."""
    rows = json.loads(CLI.must('query', '-q', '--format', 'json', run, '--named', 'late-ranks').stdout)
    report = json.loads(CLI.must('report', '-q', '--format', 'json', '-o', '-', run).stdout)
    wanted = [(rank['rank'], rank['collectives'], rank['others_wait_ns'], rank['last'], rank['late_ns'])
              for rank in report['computed']['collectives']['ranks']]
    columns = ('rank', 'collectives', 'others_wait_ns', 'last_in', 'after_last_but_one_ns')
    same([tuple(row[column] for column in columns) for row in rows], wanted, 'ranks')
    return rows


def check_late():
    """Both late ranks of the sample are listed, although rank 2 is never the last to arrive."""
    rows = compare_late(ROOT / RUN)
    same([(row['rank'], row['last_in']) for row in rows[:2]], [(3, 6), (2, 0)], 'late ranks')
    check(rows[1]['others_wait_ns'] > 3e9, rows[1])


def check_late_groups():
    """Compares waits in a pipeline run, whose ranks belong to different groups, so that each takes part in some collectives only."""
    maker = shared_folder('tools') / 'make-parallel-run.py'
    if not maker.exists():
        return 'skip: no generator'
    with tempfile.TemporaryDirectory() as place:
        run = Path(place) / 'run'
        generate_parallel(run, '--dp', 4, '--pp', 2, '--steps', 4, '--straggler', '3:1.3')
        rows = compare_late(run)
        total, = json.loads(CLI.must('query', '-q', '--format', 'json', run, 'SELECT count(DISTINCT collective) AS n FROM collective').stdout)
        check(rows[0]['rank'] == 3 and rows[0]['collectives'] == total['n'] / 2, f'{rows[0]} of {total}')
        ranked = sorted(rows, key=lambda row: row['computing_ns'])
        check(ranked[-1]['rank'] == 3 and ranked[-1]['computing_ns'] > 1.2 * ranked[-2]['computing_ns'], f'only rank 3 computes longer: {ranked}')


def check_queues_without_ranks():
    """Devices with the same name, in files without ranks, have separate queues."""
    events = [{'ph': 'M', 'name': 'process_labels', 'pid': 0, 'tid': 0, 'ts': 0, 'args': {'labels': 'GPU 0'}}]
    for n, (call, begin) in enumerate(((0, 6), (8, 17)), 1):
        events += [{'ph': 'X', 'cat': 'cuda_runtime', 'name': 'cudaLaunchKernel', 'pid': 100, 'tid': 100, 'ts': call, 'dur': 5},
                   {'ph': 'X', 'cat': 'kernel', 'name': 'gemm', 'pid': 0, 'tid': 7, 'ts': begin, 'dur': 3},
                   {'ph': 's', 'cat': 'ac2g', 'name': 'ac2g', 'id': n, 'pid': 100, 'tid': 100, 'ts': call},
                   {'ph': 'f', 'cat': 'ac2g', 'name': 'ac2g', 'id': n, 'pid': 0, 'tid': 7, 'ts': begin, 'bp': 'e'}]
    with tempfile.TemporaryDirectory() as place:
        for name in 'ab':
            (Path(place) / f'{name}.pt.trace.json').write_text(json.dumps({'schemaVersion': 1, 'traceEvents': events}), encoding='utf-8')
        rows = json.loads(CLI.must('query', '-q', '--format', 'json', place, '--named', 'launch-queue').stdout)
    same((len({row['series'] for row in rows}), max(row['queue'] for row in rows)), (2, 1), f'queues: {rows}')


def check_steps_without_ranks():
    """The kernels of a step are listed, though the file does not say its rank."""
    events = [{'ph': 'X', 'cat': 'user_annotation', 'name': f'ProfilerStep#{n}', 'pid': 100, 'tid': 100, 'ts': 100 * n, 'dur': 90} for n in (1, 2)]
    events += [{'ph': 'X', 'cat': 'kernel', 'name': name, 'pid': 0, 'tid': 7, 'ts': at, 'dur': 5}
               for name, at in (('gemm', 110), ('gemm', 120), ('add', 130), ('add', 210))]
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / 'a.pt.trace.json').write_text(json.dumps({'schemaVersion': 1, 'traceEvents': events}), encoding='utf-8')
        rows = json.loads(CLI.must('query', '-q', '--format', 'json', '--named', 'kernels-by-step', place).stdout)
    same([(row['number'], row['rank'], row['name'], row['calls'], row['total_ns']) for row in rows],
         [(1, None, 'gemm', 2, 10000), (1, None, 'add', 1, 5000), (2, None, 'add', 1, 5000)], 'kernels')


def ask_events(name, *files):
    """Runs a query over files with these events, each of its own rank."""
    with tempfile.TemporaryDirectory() as place:
        for rank, events in enumerate(files):
            document = {'schemaVersion': 1, 'distributedInfo': {'rank': rank, 'world_size': len(files)}, 'traceEvents': events}
            (Path(place) / f'rank{rank}.pt.trace.json').write_text(json.dumps(document), encoding='utf-8')
        return json.loads(CLI.must('query', '-q', '--format', 'json', '--named', name, place).stdout)


def make_span(category, name, begin, duration, thread=7, **args):
    return {'ph': 'X', 'cat': category, 'name': name, 'pid': 0 if thread < 100 else 100, 'tid': thread, 'ts': begin, 'dur': duration, 'args': args}


def check_gaps():
    """A kernel inside an annotation of its stream counts as work, and the time of a kernel that encloses others is no gap: the gaps
    are 130–150 and 190–1000 µs."""
    rows = ask_events('idle-gaps', [
        make_span('gpu_user_annotation', 'step', 90, 200), make_span('gpu_user_annotation', 'forward', 95, 100),
        make_span('kernel', 'gemm', 100, 30), make_span('kernel', 'outer', 150, 40), make_span('kernel', 'inner', 155, 5),
        make_span('kernel', 'add', 1000, 5)])
    same([(row['duration'], row['after_this'], row['before_this']) for row in rows],
         [(810000, 'outer', 'add'), (20000, 'gemm', 'outer')], 'gaps')


def check_idle_devices():
    """A device is idle only while none of its streams works: from 190 to 1000 µs, although one stream has a gap from 130 µs on."""
    rows = ask_events('idle-devices', [
        make_span('gpu_user_annotation', 'step', 90, 2000), make_span('kernel', 'gemm', 100, 30), make_span('kernel', 'copy', 120, 70, 8),
        make_span('kernel', 'add', 1000, 5)])
    same([(row['duration'], row['after_this'], row['before_this']) for row in rows], [(810000, 'copy', 'add')], 'idle times')


def make_launch(arrow):
    """A collective operation of 20 µs that is launched 6 µs before it begins."""
    events = [make_span('cpu_op', 'c10d::allreduce_', 0, 60, 100), make_span('cpu_op', 'record_param_comms', 5, 50, 100),
              make_span('cuda_runtime', 'cudaLaunchKernel', 10, 5, 100, correlation=3), make_span('kernel', 'ncclDevKernel_AllReduce', 16, 20, correlation=3)]
    if arrow:
        events += [{'ph': 's', 'cat': 'ac2g', 'name': 'ac2g', 'id': 3, 'pid': 100, 'tid': 100, 'ts': 10},
                   {'ph': 'f', 'cat': 'ac2g', 'name': 'ac2g', 'id': 3, 'pid': 0, 'tid': 7, 'ts': 16, 'bp': 'e'}]
    return events


def check_launches():
    """Launches of files with arrows and of files that only state correlation ids are found, also if a run has both. The operator of a
    launched collective operation is the one that a program calls, not the record of its arguments."""
    for arrows in (True, True), (True, False), (False, False):
        files = [make_launch(arrow) for arrow in arrows]
        rows = ask_events('launch-delay', *files)
        same([(row['operator'], row['launches'], row['total_ns']) for row in rows], [('c10d::allreduce_', 2, 12000)], f'delays with arrows {arrows}')
        queue = [(row['series'][:6], row['queue']) for row in ask_events('launch-queue', *files)]
        same(sorted(queue), [('rank 0', 0), ('rank 0', 1), ('rank 1', 0), ('rank 1', 1)], f'queues with arrows {arrows}')


def check_queue(case):
    """Compares the lengths of launch queues with those of HTA. HTA computes its statistics over all changes of a queue,
    not over time."""
    oracle = shared_folder('oracle') / case / 'expected.json'
    if not oracle.exists():
        return 'skip: no oracle'
    expected = json.loads(oracle.read_text(encoding='utf-8'))
    rows = expected['hta']['queue_length']
    for row in rows:
        got = json.loads(CLI.must('query', '-q', '--format', 'json', '--named', 'launch-queue', '--param', f'stream={row["stream"]}',
                                  shared_folder('.') / expected['data'][0]).stdout)
        queue = [moment['queue'] for moment in got]
        same((len(queue), round(sum(queue) / len(queue), 6), min(queue), max(queue)), (row['points'], row['mean'], row['min'], row['max']),
             f'stream {row["stream"]}')


def check_queue_of_rank():
    """Without the parameter rank, each device of all ranks has its own queue; with it, only those of that rank are listed."""
    events = [{'ph': 'M', 'name': 'process_labels', 'pid': 0, 'tid': 0, 'ts': 0, 'args': {'labels': 'GPU 0'}}]
    for number, (call, begin) in enumerate(((0, 6), (8, 17)), 1):
        events += [{'ph': 'X', 'cat': 'cuda_runtime', 'name': 'cudaLaunchKernel', 'pid': 100, 'tid': 100, 'ts': call, 'dur': 5},
                   {'ph': 'X', 'cat': 'kernel', 'name': 'gemm', 'pid': 0, 'tid': 7, 'ts': begin, 'dur': 10},
                   {'ph': 's', 'cat': 'ac2g', 'name': 'ac2g', 'id': number, 'pid': 100, 'tid': 100, 'ts': call},
                   {'ph': 'f', 'cat': 'ac2g', 'name': 'ac2g', 'id': number, 'pid': 0, 'tid': 7, 'ts': begin, 'bp': 'e'}]
    with tempfile.TemporaryDirectory() as place:
        for rank in 5, 6:
            document = {'schemaVersion': 1, 'distributedInfo': {'rank': rank, 'world_size': 8}, 'traceEvents': events}
            (Path(place) / f'rank{rank}.pt.trace.json').write_text(json.dumps(document))
        for ranks, parameters in ((5, 6), ()), ((6,), ('--param', 'rank=6')):
            got = json.loads(CLI.must('query', '-q', '--format', 'json', '--named', 'launch-queue', *parameters, place).stdout)
            queues = {}
            for moment in got:
                queues.setdefault(moment['series'], []).append(moment['queue'])
            same(queues, {f'rank {rank} · GPU 0': [1, 0, 1, 0] for rank in ranks}, f'queue with {parameters}')


def check_index():
    """Host spans of an index are sums over all calls with a name: their self times equal those of the trace, and the number of calls is
    unknown."""
    by_name = 'SELECT span.name, sum(span.self) AS self FROM span JOIN track ON track.id = span.track WHERE track.sums AND span.rank = 0 GROUP BY 1'
    with tempfile.TemporaryDirectory() as place:
        CLI.must('index', '-q', RUN, '-o', place, cwd=ROOT)
        sums = json.loads(CLI.must('query', '-q', '--format', 'json', place, by_name).stdout)
        operators = json.loads(CLI.must('query', '-q', '--format', 'json', '--named', 'operators-by-self-time', place).stdout)
        kinds = json.loads(CLI.must('query', '-q', '--format', 'json', '--named', 'time-by-kind', place).stdout)
    main = ('SELECT span.name, sum(span.self) AS self FROM span WHERE track IN (SELECT track FROM span JOIN step ON step.span = span.id '
            'WHERE step.rank = 0) GROUP BY 1')
    wanted = {row['name']: row['self'] for row in json.loads(CLI.must('query', '-q', '--format', 'json', RUN, main, cwd=ROOT).stdout)}
    got = {row['name']: row['self'] for row in sums}
    same({name: got.get(name) for name in wanted if name.startswith('aten::')},
         {name: ns for name, ns in wanted.items() if name.startswith('aten::')}, 'self times by name')
    check(operators and all(row['calls'] is None and row['self_ns'] > 0 for row in operators), f'sums are counted: {operators[:2]}')
    check(any(row['spans'] for row in kinds if row['kind'] == 'compute'), 'work of devices is not counted')
    check(not any(row['spans'] for row in kinds if row['kind'] == 'operator'), 'sums are counted')


def as_rows(rows):
    """Returns the rows as sorted texts. Reals are rounded to nine digits, because the last digits of a sum depend on
    the order of addition."""
    return sorted(repr(tuple(f'real {v:.9g}' if isinstance(v, float) else v for v in row)) for row in rows)


def compare_with_file(database, question, query, rows):
    """Compares the rows of an answer with those of the exported file. If a query has LIMIT but no ORDER BY, only the
    number of rows is compared, because any of the matching rows may be returned."""
    stored = as_rows(database.execute(query).fetchall())
    if 'LIMIT' in query and 'ORDER BY' not in query:
        same(len(rows), len(stored), f'{question}: number of rows')
    else:
        same(as_rows(tuple(row.values()) for row in rows), stored, question)


def check_perfetto():
    """Each query in perfetto.md, which answers a question of Perfetto's documentation, runs over the sample and returns
    rows. Plain SQLite returns the same rows from the exported file."""
    text = (FOLDER / 'perfetto.md').read_text(encoding='utf-8')
    block = re.search(r'^```sql\n(.*?)^```', text, re.MULTILINE | re.DOTALL).group(1)
    questions = re.findall(r'^-- (\d+)\. (.*)\n(.*);$', block, re.MULTILINE)
    same([int(number) for number, *_ in questions], list(range(1, block.count('\n-- ') + 2)), 'numbers')
    check(len(questions) >= LEAST_QUESTIONS, f'{len(questions)} questions')
    compared = 0
    with tempfile.TemporaryDirectory() as place:
        CLI.must('merge', '-q', RUN, '--layout', 'sqlite', '-o', f'{place}/run.sqlite', cwd=ROOT)
        with contextlib.closing(sqlite3.connect(f'{place}/run.sqlite')) as database:
            for number, question, query in questions:
                rows = json.loads(CLI.must('query', '-q', '--format', 'json', RUN, query, cwd=ROOT).stdout)
                check(rows and any(value is not None for row in rows for value in row.values()), f'{number}. {question}: {rows}')
                if not FUNCTIONS.search(query):
                    compare_with_file(database, f'{number}. {question}', query, rows)
                    compared += 1
    check(compared >= LEAST_COMPARED, f'{compared} compared')


def main():
    tap = Tap()
    for path in sorted(FOLDER.glob('*.sql')):
        tap.case(path.stem, check_query, path.stem)
    tap.case('the median of an even number of steps', check_median)
    tap.case('list', check_list)
    tap.case('time of kernels', check_kernels)
    tap.case('waits for ranks', check_late)
    tap.case('waits for ranks in groups', check_late_groups)
    tap.case('gaps around annotations', check_gaps)
    tap.case('idle devices', check_idle_devices)
    tap.case('launches with and without arrows', check_launches)
    tap.case('queues without ranks', check_queues_without_ranks)
    tap.case('steps without ranks', check_steps_without_ranks)
    for case in QUEUES:
        tap.case(f'queue of {case}', check_queue, case)
    tap.case('queue of a rank', check_queue_of_rank)
    tap.case('sums of an index', check_index)
    tap.case("queries for Perfetto's questions", check_perfetto)
    tap.done()


if __name__ == '__main__':
    main()
