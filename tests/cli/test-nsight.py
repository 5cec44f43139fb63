# SPDX-License-Identifier: Apache-2.0
"""Tests the reading of exports of Nsight Systems. The contents of real files are compared with those that a second,
simple reader found; generated exports have known contents; damaged exports must be reported."""

import collections
import json
import random
import re
import sqlite3
import sys
import tempfile
from pathlib import Path

import harness
from harness import Cli, Tap, check, same

# Covers documented rows: README.md §1 Nsight Systems export
CATEGORIES = {'kernel': 'kernel', 'memcpy': 'gpu_memcpy', 'memset': 'gpu_memset', 'sync': 'cuda_sync'}
CALLS = ('cuda_runtime', 'cuda_driver')


def tally(events, key):
    """Returns key(event) → [number of spans, their total duration in ns]. Leaves out events whose key is None."""
    sums = collections.defaultdict(lambda: [0, 0])
    for event in events:
        if key(event) is not None:
            sums[key(event)][0] += 1
            sums[key(event)][1] += event['dur_ns']
    return dict(sums)


class Oracle:
    """Compares the events of one file with the expected values and counts equal values."""

    def __init__(self, cli, folder, shared):
        self.wanted = json.loads((folder / 'expected.json').read_text())
        self.path = shared / self.wanted['file']
        self.info = cli.info(self.path)
        self.events = cli.dump(self.path)
        self.spans = [event for event in self.events if event['ph'] == 'X']
        self.n_equal = 0

    def equal(self, got, wanted, what):
        same(got, wanted, f'{self.path.name}: {what}')
        self.n_equal += sum(len(value) for value in wanted.values()) if isinstance(wanted, dict) else 1

    def check_devices(self):
        totals = tally(self.spans, lambda event: event['cat'])
        for kind, sums in self.wanted['device_totals'].items():
            self.equal(totals[CATEGORIES[kind]], sums, kind)
        streams = tally(self.spans, lambda event: self.stream_of(event))
        wanted = collections.defaultdict(lambda: [0, 0])
        for track in self.wanted['device_tracks']:
            for kind in CATEGORIES:
                if kind in track and (kind != 'sync' or track['stream'] != 4294967295):
                    for i in range(2):
                        wanted[kind, track['context'], track['stream']][i] += track[kind][i]
        self.equal({key: streams[key] for key in wanted}, dict(wanted), 'streams')

    @staticmethod
    def stream_of(event):
        kind = next((kind for kind, category in CATEGORIES.items() if category == event['cat']), None)
        return kind and (kind, event['args'].get('context'), event['args']['stream'])

    def check_names(self):
        kernels = tally((event for event in self.spans if event['cat'] == 'kernel'), lambda event: event['name'])
        self.equal({name: kernels.get(name) for name in self.wanted['kernel_names']}, self.wanted['kernel_names'], 'kernels')
        self.equal(len(kernels), self.wanted['kernel_names_distinct'], 'names of kernels')
        n_bytes = sum(event['args']['bytes'] for event in self.spans if event['cat'] == 'gpu_memcpy')
        self.equal(n_bytes, sum(sums[2] for sums in self.wanted['memcpy_by_kind'].values()), 'copied bytes')

    def check_threads(self):
        system = {'os_runtime', 'mpi', 'overhead', 'cublas', 'cudnn'}
        calls = tally(self.spans, lambda event: event['cat'] if event['cat'] in CALLS else None)
        ranges = tally(self.spans, lambda event: 0 if event['cat'] in ('nvtx', 'cpu_op') else None)
        for kind, got in (('api', calls.values()), ('nvtx', ranges.values()),
                          ('osrt', tally(self.spans, lambda event: 0 if event['cat'] == 'os_runtime' else None).values())):
            wanted = [track[kind] for track in self.wanted['thread_tracks'] if kind in track]
            self.equal([sum(sums[i] for sums in got) for i in range(2)], [sum(sums[i] for sums in wanted) for i in range(2)], kind)
        n_shown = sum(event['cat'] not in system - {'os_runtime'} for event in self.spans)
        self.equal(n_shown, self.wanted['spans'], 'spans')

    def check_launches(self):
        self.equal(sum(event['ph'] == 'f' for event in self.events), self.wanted['launch_links'], 'launches')
        base = self.wanted['session_utc_ns'] or 0
        work = [event for event in self.spans if event['cat'] in CATEGORIES.values()]
        self.equal(min(event['ts_ns'] for event in work) - base, min(track['first'] for track in self.wanted['device_tracks']), 'first')
        self.equal(max(event['ts_ns'] + event['dur_ns'] for event in work) - base,
                   max(track['last'] for track in self.wanted['device_tracks']), 'last')

    def check_all(self):
        self.check_devices()
        self.check_names()
        self.check_threads()
        self.check_launches()
        return self.n_equal


def check_oracle(cli, folder, shared):
    oracle = Oracle(cli, folder, shared)
    n_equal = oracle.check_all()
    print(f'# {oracle.path.name}: {n_equal} values equal')


def check_example(cli, shared):
    """The kernel in the example of nsight-sqlite.md and the call that launches it have the times stated there."""
    events = cli.dump(shared / 'corpus' / 'nsight' / 'mfu_2gpu_before.sqlite')
    mine = [event for event in events if event['args'].get('correlation') == 2619848]
    call, kernel = sorted(mine, key=lambda event: event['ts_ns'])
    same((kernel['ts_ns'], kernel['dur_ns']), (1779782390297746291, 108319), 'kernel')
    same((call['name'], kernel['ts_ns'] - call['ts_ns']), ('cudaLaunchKernel', 12115), 'its launch')


def make(shared, folder, *options):
    """Generates exports; returns their true contents."""
    return json.loads(harness.generate(folder, 'make-binary-traces.py', 'nsight', harness.OUT, *options))


def check_skew(cli, shared, folder):
    truth = make(shared, folder, '--ranks', 4, '--events', 4000, '--steps', 40, '--skew', 300000, '--drift', 20, '--late', 2)
    sources = json.loads(cli.must('align', folder).stdout)['sources']
    for source, file in zip(sources, truth['files']):
        error = source['clock']['offset_ns'] + file['skew_ns'] - truth['files'][0]['skew_ns']
        check(abs(error) <= 5000, f'{file["file"]} is {error} ns off')
    findings = json.loads(cli.must('report', '--format', 'json', folder).stdout)['findings']
    check(any('Rank 2' in json.dumps(finding) for finding in findings), f'rank 2 is late: {findings}')


def check_sums(cli, shared, folder):
    for file in make(shared, folder, '--ranks', 2, '--events', 3000)['files']:
        events = cli.dump(Path(folder) / file['file'])
        spans = tally((event for event in events if event['ph'] == 'X'), lambda event: event['cat'])
        same(spans['kernel'], [file['kernels'], file['kernel_ns']], 'kernels')
        same([spans['cuda_runtime'][0], spans['nvtx'][0], spans['gpu_memcpy'][0]], [file['api'], file['ranges'], file['copies']], 'calls')
        samples = [event['args']['value'] for event in events if event['ph'] == 'C']
        same([len(samples), sum(samples)], [file['samples'], file['sample_sum']], 'samples')
        same(sum(event['ph'] == 'f' for event in events), file['links'], 'launches')
        same(min(event['ts_ns'] for event in events if event['ph'] == 'X'), file['utc_ns_of_first'], 'first event')


def check_merge(cli, shared, folder):
    """A merged file, when it is read again, has the same events as the exports, including args that are read from the
    database only when they are needed."""
    make(shared, folder, '--ranks', 2, '--events', 2000)
    merged = Path(folder) / 'merged' / 'all.json'
    merged.parent.mkdir()
    cli.must('merge', folder, '-o', merged)
    def lines(path):
        return sorted(json.dumps([e['ts_ns'], e['dur_ns'], e['ph'], e['name'], e['args'].get('correlation'), e['args'].get('grid')])
                      for e in cli.dump(path) if e['ph'] in 'XC')
    originals = Path(folder) / 'originals'
    originals.mkdir()
    for path in Path(folder).glob('*.sqlite'):
        path.rename(originals / path.name)
    same(len(lines(merged)), len(lines(originals)), 'number of events')
    same(lines(merged), lines(originals), 'events')


def problems_of(cli, path, allowed):
    result = cli('info', '--format', 'json', path)
    check(result.returncode in allowed, f'exit {result.returncode}: {result.stderr}')
    return result, json.loads(result.stdout)['sources'][0] if result.stdout.strip() else None


def check_damage(cli, shared, folder, damage):
    make(shared, folder, '--ranks', 1, '--events', 3000, '--corrupt', damage)
    result, source = problems_of(cli, Path(folder) / 'rank0.sqlite', (harness.DONE, harness.FAILED, harness.INCOMPLETE))
    if result.returncode == harness.FAILED:
        check('database' in result.stderr or damage == 'head' and 'not JSON' in result.stderr, result.stderr)
        return
    check(source['problems'], f'{damage} was not noticed')
    if damage == 'truncate':
        same(result.returncode, harness.INCOMPLETE, 'exit')
        check(any(problem['code'] == 'damaged-table' for problem in source['problems']), str(source['problems']))
        check(source['spans'] > 0, 'no events were kept')


def check_secrets(cli, folder):
    """Strings of the database that no event uses are never shown, because exports also contain environment variables."""
    path = Path(folder) / 'secret.sqlite'
    with sqlite3.connect(path) as base:
        base.executescript('create table StringIds (id integer primary key, value text);'
                           'create table CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, demangledName);'
                           'create table META_DATA_CAPTURE (name text, value text);'
                           "insert into StringIds values (1, 'work'), (2, 'TOKEN=sesame');"
                           "insert into META_DATA_CAPTURE values ('PROCESS_1:ENVIRONMENT_VARIABLE', 'TOKEN=sesame');"
                           'insert into CUPTI_ACTIVITY_KIND_KERNEL values (10, 20, 0, 7, 1), (30, 40, 0, 7, 9), (50, 45, 0, 7, 1),'
                           " ('x', 60, 0, 7, 1), (70, null, 0, 7, 1);")
    merged = Path(folder) / 'merged.json'
    cli.must('merge', path, '-o', merged)
    text = cli.must('dump', path).stdout + cli.must('info', path).stdout + merged.read_text()
    check('sesame' not in text, 'a secret is shown')
    check('"#9"' in text, 'a missing name is not shown by its number')
    _, source = problems_of(cli, path, (harness.DONE, harness.INCOMPLETE))
    same(sorted(problem['code'] for problem in source['problems'] if problem['severity'] != 'info'),
         ['damaged-row', 'negative-duration', 'no-end', 'no-name'], 'problems')
    same(source['spans'], 2, 'spans')


def check_types(cli, folder):
    """Integers stored as REAL or TEXT are accepted as times; a device without a process does not get the rank of another process."""
    path = Path(folder) / 'types.sqlite'
    with sqlite3.connect(path) as base:
        base.executescript('create table StringIds (id integer primary key, value text);'
                           'create table CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, globalPid, demangledName);'
                           'create table MPI_RANKS (globalTid, rank);'
                           "insert into StringIds values (1, 'k');"
                           'insert into MPI_RANKS values (145 << 24, 3), (146 << 24, 4);'
                           "insert into CUPTI_ACTIVITY_KIND_KERNEL values (100, 200, 0, 7, 145 << 24, 1), (300.0, '400', 0, 7, NULL, 1),"
                           '  (500.5, 600, 0, 7, 145 << 24, 1);')
    events = [json.loads(line) for line in cli('dump', '--quiet', path).stdout.splitlines()]
    same([(event['dur_ns'], event['rank']) for event in events if event['ph'] == 'X'], [(100, 3), (100, None)], 'kernels')
    _, source = problems_of(cli, path, (harness.DONE, harness.INCOMPLETE))
    same({problem['code']: problem['count'] for problem in source['problems']}.get('damaged-row'), 1, 'rows with half a nanosecond')


def check_hostile(cli, folder):
    """Names that contain SQL have no effect; a view instead of a table is not read; a database of another program is refused."""
    path = Path(folder) / 'hostile.sqlite'
    with sqlite3.connect(path) as base:
        base.executescript('create table "x"" ; drop table StringIds; --" (a);'
                           'create table StringIds (id integer primary key, value text);'
                           'create view CUPTI_ACTIVITY_KIND_KERNEL as select 1 as start, 2 as end;'
                           'create table NVTX_EVENTS (start, end, eventType, text, globalTid, "te""xt");'
                           "insert into NVTX_EVENTS values (1, 5, 59, 'a' || char(10) || '\"b\\', 16777217, 0);")
    same([event['name'] for event in cli.dump(path)], ['a␊"b\\'], 'name')
    other = Path(folder) / 'other.sqlite'
    with sqlite3.connect(other) as base:
        base.execute('create table recipes (name)')
    result = cli('info', other)
    check(result.returncode == harness.FAILED and 'recipes' in result.stderr, result.stderr)


def check_levels(cli, folder):
    """Memory of a device is added up in time order, separately for each machine; events with a time far from all others are dropped."""
    path = Path(folder) / 'levels.sqlite'
    first, second = 1 << 56 | 100 << 24, 2 << 56 | 100 << 24
    changes = [(10000, first, 100, 0), (20000, second, 1000, 0), (30000, first, 50, 0), (40000, second, 1000, 1), (60000, first, 50, 1),
               (50000, first, 200, 0), (9 * 10**18, first, 7, 0)]
    with sqlite3.connect(path) as base:
        base.executescript('create table StringIds (id integer primary key, value text);'
                           "insert into StringIds values (1, 'k');"
                           'create table PROCESSES (globalPid, pid, name);'
                           'create table CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, globalPid, demangledName);'
                           'create table CUDA_GPU_MEMORY_USAGE_EVENTS (start, globalPid, deviceId, bytes, memKind, memoryOperationType);')
        for process in (first, second):
            base.execute('insert into PROCESSES values (?, 100, ?)', (process, 'py'))
            base.execute('insert into CUPTI_ACTIVITY_KIND_KERNEL values (1000, 2000, 0, 7, ?, 1)', (process,))
        base.executemany('insert into CUDA_GPU_MEMORY_USAGE_EVENTS values (?, ?, 0, ?, 2, ?)', changes)
    levels = collections.defaultdict(list)
    for row in json.loads(cli.must('query', '--format', 'json', path, 'select counter, value from sample order by time').stdout):
        levels[row['counter']].append(row['value'])
    same(sorted(levels.values()), [[100, 150, 350, 300], [1000, 0]], 'levels')


def check_members(cli, folder):
    """A name that contains thousands of parts “, seq = 1” is read as fast as any other name of that length."""
    path = Path(folder) / 'members.sqlite'
    with sqlite3.connect(path) as base:
        base.executescript('create table StringIds (id integer primary key, value text);'
                           'create table NVTX_EVENTS (start, end, eventType, globalTid, textId);')
        base.execute('insert into StringIds values (1, ?)', (', seq = 1' * 7000,))
        base.executemany('insert into NVTX_EVENTS values (?, ?, 59, 16777217, 1)', [(10 * i, 10 * i + 5) for i in range(500)])
    cli.must('info', '--format', 'json', path, timeout=30)


# An export whose texts are not in the order of their ids. {0}: how the table of texts is declared.
COPIED = """
create table StringIds {0};
create table CUPTI_ACTIVITY_KIND_KERNEL (start int, end int, deviceId int, streamId int, correlationId int, globalPid int, demangledName int);
create table CUPTI_ACTIVITY_KIND_RUNTIME (start int, end int, eventClass int, globalTid int, correlationId int, nameId int);
insert into StringIds values (10, 'kernel_ten'), (2, 'kernel_two'), (3, 'kernel_three'), (1, 'cudaLaunchKernel_v7000');
insert into CUPTI_ACTIVITY_KIND_KERNEL values (1000, 2000, 0, 7, 1, 145 << 24, 10), (3000, 4000, 0, 7, 2, 145 << 24, 2), (5000, 6000, 0, 7, 3, 145 << 24, 3);
insert into CUPTI_ACTIVITY_KIND_RUNTIME values (100, 200, 0, 145 << 24 | 145, 1, 1), (300, 400, 0, 145 << 24 | 145, 2, 1), (500, 600, 0, 145 << 24 | 145, 3, 1);
"""
ID_COLUMNS = ('(id integer not null primary key, value text)', '(id integer, value text)', '(id bigint primary key, value text)',
              '(id integer primary key desc, value text)', '(id integer primary key, value text) without rowid')


def make_base(path, script):
    with sqlite3.connect(path) as base:
        base.executescript(script)
    return path


def check_copied(cli, folder):
    """Names are right in an export whose tables were copied to another database, so that the ids of texts are no longer
    the row ids of SQLite. If a table cannot be read row by row, a message names it."""
    wanted = [('cudaLaunchKernel', 3), ('kernel_ten', 1), ('kernel_three', 1), ('kernel_two', 1)]
    for n, columns in enumerate(ID_COLUMNS):
        path = make_base(Path(folder) / f'{n}.sqlite', COPIED.format(columns))
        names = collections.Counter(event['name'] for event in cli.dump(path) if event['ph'] == 'X')
        same(sorted(names.items()), wanted, f'names with {columns}')
    path = make_base(Path(folder) / 'keys.sqlite', COPIED.format(ID_COLUMNS[0]) +
                     'create table OSRT_API (start int, end int, nameId int, primary key (start, end)) without rowid;'
                     'insert into OSRT_API values (1, 2, 1);')
    _, source = problems_of(cli, path, (harness.INCOMPLETE,))
    check(any(problem['code'] == 'damaged-table' and 'OSRT_API' in problem['message'] for problem in source['problems']), str(source))


# Values of columns that become args: their texts have different lengths.
VALUES = (None, 0, 7, 10, 99999, 2**32 - 1, -1, -10**17, 2**63 - 1, -2**63)
KERNEL = ('gridX', 'gridY', 'gridZ', 'blockX', 'blockY', 'blockZ', 'registersPerThread', 'staticSharedMemory', 'dynamicSharedMemory',
          'graphId', 'graphNodeId')


def wrap(number):
    return (number + 2**63) % 2**64 - 2**63


def without_null(args):
    return {key: value for key, value in args.items() if value is not None}


def bytes_args(n, dur_ns):
    has_rate = dur_ns > 0 and 0 <= (n or 0) <= (2**63 - 1) // 1000
    rate = (n or 0) * 1000 // dur_ns / 1000 if has_rate else None
    return {'bytes': n, 'memory bandwidth (GB/s)': int(rate) if rate is not None and rate == int(rate) else rate}


def kernel_args(numbers):
    row = dict(zip(KERNEL, numbers))
    shared = None if row['staticSharedMemory'] is None else wrap(row['staticSharedMemory'] + (row['dynamicSharedMemory'] or 0))
    triples = {key: None if row[f'{key}X'] is None else [row[f'{key}{axis}'] or 0 for axis in 'XYZ'] for key in ('grid', 'block')}
    return {**triples, 'registers per thread': row['registersPerThread'], 'shared memory': shared, 'graph id': row['graphId'],
            'graph node id': row['graphNodeId']}


def check_measured(cli, folder):
    """Args of events are correct. When a file is opened, the program computes only the length of the args text of most
    rows and makes the text later, so a wrong length would shift all texts after it. Tests numbers of any length,
    missing columns, unknown names, and rows without end or launch."""
    path, dice, wanted, n_rows = Path(folder) / 'measured.sqlite', random.Random(7), [], 3000
    launched, calls = [], set()  # the ids of the work of devices, and of the calls
    common = 'start int, end int, deviceId int, contextId int, streamId int, correlationId int, globalPid int'
    with sqlite3.connect(path) as base:
        base.executescript(f"""create table StringIds (id integer primary key, value text);
            insert into StringIds values (1, 'cudaLaunchKernel_v7000'), (2, 'k"2\n'), (3, 'kernel<3>'), (4, 'ncclDevKernel_AllReduce(x)');
            create table CUPTI_ACTIVITY_KIND_KERNEL ({common}, demangledName int, shortName int, {', '.join(KERNEL)});
            create table CUPTI_ACTIVITY_KIND_MEMCPY ({common}, bytes int, copyKind int, srcKind int, dstKind int, graphNodeId int);
            create table CUPTI_ACTIVITY_KIND_MEMSET ({common}, bytes int, value int, memKind int, graphNodeId int);
            create table CUPTI_ACTIVITY_KIND_RUNTIME (start int, end int, globalTid int, nameId int, eventClass int, correlationId int,
              returnValue int);""")
        tables = (('KERNEL', 13, lambda row, dur_ns: kernel_args(row[2:])),
                  ('MEMCPY', 5, lambda row, dur_ns: {**bytes_args(row[0], dur_ns), 'graph node id': row[4]}),
                  ('MEMSET', 4, lambda row, dur_ns: {**bytes_args(row[0], dur_ns), 'value': row[1], 'graph node id': row[3]}))
        for table, n_columns, args in tables:
            for i in range(n_rows):
                process = dice.choice((145 << 24,) * 9 + (None,))
                start, dur_ns, correlation = i * dice.choice((1, 999, 10**6)) - 50, dice.choice((0, 1, 1000, 12345)), dice.choice((None, -5, i))
                row = [dice.choice(VALUES) for _ in range(n_columns)]
                if table == 'KERNEL':
                    row[:2] = dice.choice((None, 2, 2, 3, 4, 77)), 3
                base.execute(f'insert into CUPTI_ACTIVITY_KIND_{table} values (?, ?, ?, ?, ?, ?, ?{", ?" * n_columns})',
                             (start, start + dur_ns, i % 2, i % 2 + 1, i % 3, correlation, process, *row))
                launched += [correlation or 0] if process else []
                wanted.append((start, dur_ns, without_null({'device': i % 2, 'context': i % 2 + 1, 'stream': i % 3, 'correlation': correlation,
                                                            **args(row, dur_ns)})))
        for i in range(n_rows):
            correlation, code, end = dice.choice((None, -5, i)), dice.choice(VALUES), dice.choice((i * 999 + 55,) * 9 + (None, i * 999 - 1))
            base.execute('insert into CUPTI_ACTIVITY_KIND_RUNTIME values (?, ?, ?, ?, ?, ?, ?)',
                         (i * 999, end, 145 << 24 | i % 4, dice.choice((1, 1, 1, 3, 77)), dice.choice((0, 1)), correlation, code))
            calls.add(correlation or 0)
            if end is not None and end >= i * 999:
                wanted.append((i * 999, 55, without_null({'correlation': correlation, 'returnValue': code or None})))
    spans = [event for event in (json.loads(line) for line in cli('dump', '--quiet', path).stdout.splitlines()) if event['ph'] == 'X']
    least_ns = min(event['ts_ns'] for event in spans) - min(start for start, _, _ in wanted)
    same(sorted((event['ts_ns'] - least_ns, event['dur_ns'], json.dumps(event['args'])) for event in spans),
         sorted((start, dur_ns, json.dumps(args)) for start, dur_ns, args in wanted), 'spans')
    # A merged file contains the ids of flow events. They are read at computed places of the generated text, like args.
    merged = Path(folder) / 'merged.json'
    cli.must('merge', '--quiet', path, '-o', merged)
    flows = [event for event in json.loads(merged.read_text())['traceEvents'] if event['ph'] in 'sf']
    starts, ends = ([event['id'] for event in flows if event['ph'] == phase] for phase in 'sf')
    check(starts and len(set(starts)) == len(starts) and set(starts) <= set(ends), 'each call launched work with its id')
    same((len(ends), len(set(ends))), (sum(key in calls for key in launched), len(calls & set(launched))), 'launched work')


def check_mpi(cli, folder):
    """Calls of MPI get their names from the table of texts. A call that has not returned lasts until the end of the
    trace."""
    path = make_base(Path(folder) / 'mpi.sqlite', COPIED.format(ID_COLUMNS[0]) +
                     "insert into StringIds values (20, 'MPI_Isend'), (21, 'MPI_Allreduce'), (22, 'MPI_Barrier');"
                     'create table MPI_P2P_EVENTS (start int, end int, globalTid int, textId int, commHandle int, tag int, remoteRank int, size int);'
                     'insert into MPI_P2P_EVENTS values (7000, 7100, 145 << 24 | 145, 20, 1, 5, 3, 512);'
                     'create table MPI_COLLECTIVES_EVENTS (start int, end int, globalTid int, textId int, commHandle int, rootRank int, size int, recvSize int);'
                     'insert into MPI_COLLECTIVES_EVENTS values (7200, 7300, 145 << 24 | 145, 21, 1, null, 8, 8), (7400, null, 145 << 24 | 145, 21, 1, null, 8, 8);'
                     'create table MPI_OTHER_EVENTS (start int, end int, globalTid int, nameId int);'
                     'insert into MPI_OTHER_EVENTS values (7500, 7600, 145 << 24 | 145, 22);')
    events = [event for event in cli.dump(path) if event['cat'] == 'mpi']
    same([(event['name'], event['dur_ns']) for event in events],
         [('MPI_Isend', 100), ('MPI_Allreduce', 100), ('MPI_Allreduce', 200), ('MPI_Barrier', 100)], 'calls')
    same((events[0]['args']['bytes'], events[0]['args']['remote rank']), (512, 3), 'args')
    _, source = problems_of(cli, path, (harness.DONE,))
    same([problem['code'] for problem in source['problems']], ['open-span'], 'problems')


def check_hidden(cli, folder):
    """A message names the tables and the kinds of NVTX events that are not shown, and states their numbers of rows."""
    path = make_base(Path(folder) / 'hidden.sqlite', COPIED.format(ID_COLUMNS[0]) +
                     'create table UCP_EVENTS (start int, end int); insert into UCP_EVENTS values (1, 2), (3, 4);'
                     'create table SOC_METRICS (at int); insert into SOC_METRICS values (1); create table EMPTY (start int);'
                     'create table NVTX_EVENTS (start int, end int, eventType int, globalTid int, text);'
                     "insert into NVTX_EVENTS values (1, 2, 59, 1, 'x'), (1, 2, 35, 1, 'x'), (1, 2, 70, 1, 'x'), (1, 2, 70, 1, 'x'), (1, 2, 75, 1, 'd');")
    _, source = problems_of(cli, path, (harness.DONE,))
    same([problem['message'] for problem in source['problems']],
         ['Also in the file, not shown (number of rows): UCP_EVENTS (2), SOC_METRICS (1), NVTX_EVENTS eventType 35 (1), NVTX_EVENTS eventType 70 (2)'],
         'problems')


def check_unknown_process(cli, folder):
    """If a tool removed the process ids of device work, but not the thread ids of calls, correlation ids still link the
    calls with the work."""
    script = COPIED.format(ID_COLUMNS[0]).replace(', globalPid int', '').replace(', 145 << 24, ', ', ')
    path = make_base(Path(folder) / 'processes.sqlite', script)
    same(json.loads(cli.must('query', '--format', 'json', path, 'select count(*) as n from flow').stdout), [{'n': 3}], 'launches')


def check_utc(cli, folder):
    """Times that count from 1970 are recognized without the parameters of the export, and the start of the session is not added."""
    script = re.sub(r'(values|,) \((\d+), (\d+), 0', r'\1 (1779782330176752435 + \2, 1779782330176752435 + \3, 0', COPIED.format(ID_COLUMNS[0]))
    start = 'create table TARGET_INFO_SESSION_START_TIME (utcEpochNs int); insert into TARGET_INFO_SESSION_START_TIME values (1779782330176752435);'
    for n, more in enumerate(('', start)):
        source = cli.info(make_base(Path(folder) / f'utc{n}.sqlite', script + more))['sources'][0]
        same([source['start_ns'], source['spans'], source['clock']['state'], source['problems']], [1779782330176752535, 6, 'exact', []], 'source')
    path = make_base(Path(folder) / 'no.sqlite', script + "create table META_DATA_EXPORT (name, value); insert into META_DATA_EXPORT values ('EXPORT_PARAM_TIME_NORMALIZE', 'false');")
    same(cli.info(path)['sources'][0]['spans'], 0, 'spans that are years after the session')


def check_schema(cli, folder):
    """If the entry of a table in the schema of the database is damaged, SQLite does not see that table; a message must
    say so."""
    path = make_base(Path(folder) / 'schema.sqlite', COPIED.format(ID_COLUMNS[0]))
    content = path.read_bytes()
    begin = content.upper().index(b'CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL')
    path.write_bytes(content[:begin + 8] + b'\x1a' + content[begin + 9:])
    _, source = problems_of(cli, path, (harness.INCOMPLETE,))
    same([problem['code'] for problem in source['problems'] if problem['severity'] == 'error'], ['damaged-schema'], 'problems')


def check_metrics(cli, folder):
    """Values of metrics may be real numbers; rows without a value, and with a time far from the session, are skipped and counted."""
    path = make_base(Path(folder) / 'metrics.sqlite', COPIED.format(ID_COLUMNS[0]) +
                     'create table GPU_METRICS (timestamp int, typeId int, metricId int, value);'
                     'insert into GPU_METRICS values (100, 281474976710661, 1, 50), (200, 281474976710661, 1, null), (300, 281474976710661, 1, 70.5), (5000000000000000000, 281474976710661, 1, 1), (400, 281474976710661, 1, \'x\');')
    events = cli.dump(path)
    same([(event['ts_ns'], event['args']['value']) for event in events if event['ph'] == 'C'], [(100, 50), (300, 70.5)], 'samples')
    result, source = problems_of(cli, path, (harness.INCOMPLETE,))
    same([track['process'] for track in json.loads(result.stdout)['tracks'] if track['kind'] == 'counter'], ['GPU 5'], 'process of the counter')
    same({problem['code']: problem['count'] for problem in source['problems']}, {'no-value': 2, 'far-time': 1}, 'problems')
    same(source['left_out'], 3, 'events left out')


def check_metric_names(cli, folder):
    """Two metrics of one device type whose names differ only in the unit are different counters. A metric id that two
    types use has a separate counter and unit for each type."""
    path = make_base(Path(folder) / 'names.sqlite', COPIED.format(ID_COLUMNS[0]) +
                     'create table GPU_METRICS (timestamp int, typeId int, metricId int, value);'
                     'create table TARGET_INFO_GPU_METRICS (typeId int, metricId int, metricName text);'
                     "insert into TARGET_INFO_GPU_METRICS values (5, 1, 'Warps [Throughput %]'), (5, 2, 'Warps [Avg]'), (5, 3, 'SMs [Throughput %]'), (6, 3, 'SMs [MHz]');"
                     'insert into GPU_METRICS values (100, 5, 1, 50), (100, 5, 2, 9), (100, 5, 3, 80), (100, 6, 3, 1500);')
    rows = json.loads(cli.must('query', '--format', 'json', path, 'select c.name, c.unit, c.samples, c.least from counter c order by c.least').stdout)
    same([tuple(row.values()) for row in rows], [('Warps [Avg]', 'Avg', 1, 9), ('Warps [Throughput %]', '%', 1, 50), ('SMs', '%', 1, 80),
                                                 ('SMs', 'MHz', 1, 1500)], 'counters')


def check_open_range(cli, folder):
    """An NVTX range without an end lasts until the end of the file, also if it is the last event of its thread."""
    path = make_base(Path(folder) / 'ranges.sqlite', COPIED.format(ID_COLUMNS[0]) +
                     'create table NVTX_EVENTS (start int, end int, eventType int, globalTid int, text);'
                     "insert into NVTX_EVENTS values (2500, null, 60, 145 << 24 | 145, 'open'), (2600, 2700, 60, 145 << 24 | 145, 'whole'),"
                     " (2550, null, 59, 147 << 24 | 147, 'hangs');")
    durations = {event['name']: event['dur_ns'] for event in cli.dump(path)
                 if event['name'] in ('open', 'whole', 'hangs') and event['dur_ns']}
    same(durations, {'open': 3500, 'whole': 100, 'hangs': 3450}, 'durations')


def in_folder(function, *args):
    with tempfile.TemporaryDirectory() as folder:
        return function(*args[:-1], folder, args[-1]) if args and args[-1] is not None else function(*args[:-1], folder)


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    shared = harness.shared_folder('.').resolve()
    tap.case('secrets', in_folder, check_secrets, cli, None)
    tap.case('hostile', in_folder, check_hostile, cli, None)
    tap.case('types', in_folder, check_types, cli, None)
    tap.case('levels', in_folder, check_levels, cli, None)
    tap.case('copied', in_folder, check_copied, cli, None)
    tap.case('measured', in_folder, check_measured, cli, None)
    tap.case('mpi', in_folder, check_mpi, cli, None)
    tap.case('hidden', in_folder, check_hidden, cli, None)
    tap.case('unknown process', in_folder, check_unknown_process, cli, None)
    tap.case('utc', in_folder, check_utc, cli, None)
    tap.case('metrics', in_folder, check_metrics, cli, None)
    tap.case('damaged list of tables', in_folder, check_schema, cli, None)
    tap.case('metric names', in_folder, check_metric_names, cli, None)
    tap.case('open range', in_folder, check_open_range, cli, None)
    tap.case('members', in_folder, check_members, cli, None)
    if (shared / 'oracle').exists():
        for folder in sorted((shared / 'oracle').glob('nsight-*')):
            tap.case(folder.name, check_oracle, cli, folder, shared)
        tap.case('example', check_example, cli, shared)
    if (shared / 'tools' / 'make-binary-traces.py').exists():
        for function in (check_sums, check_skew, check_merge):
            tap.case(function.__name__, in_folder, function, cli, shared, None)
        for damage in ('truncate', 'zero', 'flip', 'head', 'text', 'types', 'view', 'wal'):
            tap.case(f'damage: {damage}', in_folder, check_damage, cli, shared, damage)
    tap.done()


main()
