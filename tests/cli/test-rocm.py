# SPDX-License-Identifier: Apache-2.0
"""Tests the reading of databases of ROCm's profilers. The contents of real files are compared with those that a second,
simple reader found; generated files have known contents; damaged files must be reported."""

import collections
import gzip
import json
import random
import sqlite3
import sys
import tempfile
from pathlib import Path

import harness
from harness import Cli, Tap, check, same

RUNTIME = ('cuda_runtime', 'user_annotation')


def tally(events, key):
    """Returns {key: [count, ns]} of spans."""
    sums = collections.defaultdict(lambda: [0, 0])
    for event in events:
        if event['ph'] == 'X':
            sums[key(event)][0] += 1
            sums[key(event)][1] += event['dur_ns']
    return dict(sums)


def unpacked(path, folder):
    if path.suffix != '.gz':
        return path
    copy = Path(folder) / path.name.removesuffix('.gz')
    copy.write_bytes(gzip.decompress(path.read_bytes()))
    return copy


# Covers documented rows: README.md §1 rocpd and RPD
def check_oracle(cli, shared, folder, case):
    wanted = json.loads((case / 'expected.json').read_text())
    path = shared / wanted['file']
    events = cli.dump(path)
    same(cli.dump(unpacked(path, folder)) == events, True, 'unpacked, the events')
    work = [event for event in events if event['process'].startswith('GPU')]
    n_equal = 0
    for got, name in ((tally(work, lambda event: f'{event["process"]} {event["thread"]}'.lower()), 'device_tracks'),
                      (tally([e for e in events if e['cat'] in RUNTIME], lambda event: f'{event["process"]}/{event["thread"].removeprefix("thread ")}'), 'thread_tracks')):
        same(got, {key: sums[:2] for key, sums in wanted[name].items()}, name)
        n_equal += 2 * len(got)
    names = tally(work, lambda event: event['name'])
    same({name: names.get(name) for name in wanted['op_names']}, wanted['op_names'], 'names')
    kinds = collections.Counter(event['cat'] for event in work if event['ph'] == 'X')
    copies = sum(sums[0] for kind, sums in wanted['op_types'].items() if kind.startswith('Copy'))
    same(kinds['gpu_memcpy'], copies, 'copies')
    same(sum(event['ph'] == 'f' for event in events), wanted['launch_links'], 'launches')
    same(sum(event['ph'] == 'C' for event in events), sum(wanted.get('counters', {}).values()), 'counters')
    print(f'# {case.name}: {n_equal + 2 * len(wanted["op_names"]) + 3} values equal')


def make(shared, folder, *options):
    return json.loads(harness.generate(folder, 'make-binary-traces.py', 'rocpd', harness.OUT, *options))


def check_sums(cli, shared, folder):
    for file in make(shared, folder, '--ranks', 2, '--events', 3000)['files']:
        path = Path(folder) / file['file']
        events = cli.dump(path)
        spans = tally(events, lambda event: event['cat'])
        same(spans['kernel'], [file['kernels'], file['kernel_ns']], 'kernels')
        same([spans['cuda_runtime'][0], spans['user_annotation'][0]], [file['api'], file['ranges']], 'calls')
        same(sum(event['ph'] == 'f' for event in events), file['links'], 'links')
        samples = [event['args']['value'] for event in events if event['ph'] == 'C']
        same([len(samples), sum(samples)], [file['samples'], file['sample_sum']], 'samples')
        same(cli.info(path)['sources'][0]['rank'], file['rank'], 'rank')
        check('must-never-be-shown' not in json.dumps(events) + cli.must('info', path).stdout, 'a secret is shown')


def check_skew(cli, shared, folder):
    truth = make(shared, folder, '--ranks', 4, '--events', 4000, '--steps', 40, '--skew', 300000, '--drift', 20)
    for source, file in zip(json.loads(cli.must('align', folder).stdout)['sources'], truth['files']):
        error = source['clock']['offset_ns'] + file['skew_ns'] - truth['files'][0]['skew_ns']
        check(abs(error) <= 5000, f'{file["file"]} is {error} ns off')


def check_damage(cli, shared, folder, damage):
    path = Path(folder) / make(shared, folder, '--ranks', 1, '--events', 3000, '--corrupt', damage)['files'][0]['file']
    result = cli('info', '--format', 'json', path)
    check(result.returncode in (harness.DONE, harness.FAILED, harness.INCOMPLETE), f'exit {result.returncode}: {result.stderr}')
    if result.returncode == harness.FAILED:
        check('database' in result.stderr or 'not JSON' in result.stderr, result.stderr)
    if damage == 'wal':
        check('-wal' in result.stdout, result.stdout)


def check_hostile(cli, folder):
    """A session whose name contains SQL is not read; another session of the same file is."""
    path = Path(folder) / 'hostile.db'
    with sqlite3.connect(path) as base:
        for suffix in ('_a', '"; drop table x; --'):
            name = suffix.replace('"', '""')
            base.execute(f'create table "rocpd_metadata{name}" (tag, value)')
            base.execute(f'create table "rocpd_kernel_dispatch{name}" (pid, agent_id, kernel_id, start, end)')
            base.execute(f'insert into "rocpd_kernel_dispatch{name}" values (1, 1, 7, 10, 20), (1, 1, 7, 30, 20), (1, 1, 7, null, 20)')
    result = cli('info', '--format', 'json', path)
    source = json.loads(result.stdout)['sources'][0]
    same(source['spans'], 1, 'spans')
    same(sorted(problem['code'] for problem in source['problems']), ['negative-duration', 'no-name', 'no-time'], 'problems')


SESSION = """
create table rocpd_metadata_{0} (id integer primary key, tag, value);
create table rocpd_string_{0} (id integer primary key, string);
create table rocpd_event_{0} (id integer primary key, category_id, stack_id, parent_stack_id);
create table rocpd_kernel_dispatch_{0} (id integer primary key, pid, agent_id, kernel_id, dispatch_id, queue_id, stream_id, start, end, event_id);
create table rocpd_info_agent_{0} (id integer primary key, type, absolute_index);
create table rocpd_info_node_{0} (id integer primary key, hostname);
create table rocpd_info_process_{0} (id integer primary key, pid, environment);
create table rocpd_info_kernel_symbol_{0} (id integer primary key, display_name, kernel_name);
create table rocpd_sample_{0} (id integer primary key, timestamp, event_id);
create table rocpd_info_pmc_{0} (id integer primary key, name);
create table rocpd_pmc_event_{0} (id integer primary key, event_id, pmc_id, value);
"""


def check_sessions(cli, folder):
    """A merged database has one session for each process. Devices, counters and ranks of different sessions stay separate, although
    they have the same numbers."""
    path = Path(folder) / 'merged.db'
    start = 1700000000000000000
    with sqlite3.connect(path) as base:
        for n, name in enumerate('ab'):
            base.executescript(SESSION.format(name))

            def insert(table, *values, name=name):
                base.execute(f'insert into rocpd_{table}_{name} values ({",".join("?" * len(values))})', values)
            insert('info_agent', 2, 'GPU', 1)
            insert('info_node', 1, f'node{n}')
            insert('info_process', 1, 100, json.dumps({'RANK': str(n)}))
            insert('info_kernel_symbol', 1, f'gemm_{name}', 'gemm')
            insert('info_pmc', 1, 'GPU power')
            for k in range(100):
                at = start + k * 1000000 + n * 500000
                insert('event', k + 1, None, k + 1, 0)
                insert('kernel_dispatch', k + 1, 1, 2, 1, k, 1, 1, at, at + 500000, k + 1)
                insert('sample', k + 1, at, k + 1)
                insert('pmc_event', k + 1, k + 1, 1, float(n * 100))
    events = cli.dump(path)
    for n, name in enumerate('ab'):
        kernels = {(event['rank'], event['node'], event['name']) for event in events if event['ph'] == 'X' and event['name'] == f'gemm_{name}'}
        same(kernels, {(n, f'node{n}', f'gemm_{name}')}, 'kernels')
    rows = json.loads(cli.must('query', '--format', 'json', path, 'select counter, min(value) as least, max(value) as most, count(*) as n from sample group by counter').stdout)
    same(sorted((row['least'], row['most'], row['n']) for row in rows), [(0, 0, 100), (100, 100, 100)], 'counters')


COPIED = """
create table rocpd_metadata (id, tag, value);
create table rocpd_string as select 30 as id, 'hipLaunchKernel' as string union all select 2, 'HIP_RUNTIME_API' union all select 1, '{"message":1}';
create table rocpd_event as select 9 as id, 2 as category_id, 7 as stack_id, 0 as parent_stack_id union all select 4, 2, 7, 0;
create table rocpd_info_process as select 5 as id, 4711 as pid;
create table rocpd_info_thread as select 6 as id, 4712 as tid;
create table rocpd_info_agent as select 8 as id, 'GPU' as type, 3 as absolute_index;
create table rocpd_info_kernel_symbol as select 12 as id, 'gemm' as display_name, 'gemm.kd' as kernel_name;
create table rocpd_region as select 5 as pid, 6 as tid, 100 as start, 200 as end, 30 as name_id, 9 as event_id;
create table rocpd_kernel_dispatch as select 5 as pid, 8 as agent_id, 12 as kernel_id, 300 as start, 400 as end, 4 as event_id;
"""
COPIED_RPD = """
create table rocpd_string as select 5 as id, 'hipLaunchKernel' as string union all select 4, 'gemm' union all select 3, 'KernelExecution' union all select 1, '';
create table rocpd_api as select 70 as id, 10 as pid, 11 as tid, 100 as start, 200 as end, 5 as apiName_id, 1 as args_id;
create table rocpd_op as select 80 as id, 0 as gpuId, 0 as queueId, 300 as start, 400 as end, 1 as description_id, 3 as opType_id;
create table rocpd_api_ops as select 1 as id, 70 as api_id, 80 as op_id;
create table rocpd_kernelapi as select 70 as api_ptr_id, '0x0' as stream, 1 as gridX, 1 as gridY, 1 as gridZ, 1 as workgroupX, 1 as workgroupY, 1 as workgroupZ, 4 as kernelName_id;
"""


def make_base(path, script):
    with sqlite3.connect(path) as base:
        base.executescript(script)
    return path


def check_copied(cli, folder):
    """Rows are found in a database whose tables were copied to another database, so that their ids are no longer the
    row ids of SQLite."""
    path = make_base(Path(folder) / 'copied.db', COPIED)
    events = cli.dump(path)
    same([(event['process'], event['thread'], event['name']) for event in events if event['ph'] == 'X'],
         [('4711', 'thread 4712', 'hipLaunchKernel'), ('GPU 3', 'queue 0', 'gemm')], 'spans')
    same(sum(event['ph'] == 'f' for event in events), 1, 'launches')
    events = cli.dump(make_base(Path(folder) / 'copied.rpd', COPIED_RPD))
    same([(event['name'], event['args']['correlation']) for event in events if event['ph'] == 'X'], [('hipLaunchKernel', 70), ('gemm', 70)], 'RPD')
    same(sum(event['ph'] == 'f' for event in events), 1, 'launches of RPD')


MEASURED = """
create table rocpd_metadata_m (id, tag, value);
create table rocpd_string_m (id integer primary key, string);
create table rocpd_event_m (id integer primary key, category_id int, stack_id int, parent_stack_id int);
create table rocpd_info_process_m (id integer primary key, pid int);
create table rocpd_info_thread_m (id integer primary key, tid int);
create table rocpd_info_agent_m (id integer primary key, type, absolute_index int);
create table rocpd_info_kernel_symbol_m (id integer primary key, kernel_name, display_name);
create table rocpd_region_m (id integer primary key, pid int, tid int, start int, end int, name_id int, event_id int);
create table rocpd_kernel_dispatch_m (id integer primary key, pid int, agent_id int, kernel_id int, dispatch_id int, queue_id int, stream_id int,
  start int, end int, event_id int, workgroup_size_x int, workgroup_size_y int, workgroup_size_z int, grid_size_x int, grid_size_y int, grid_size_z int);
insert into rocpd_string_m values (1, 'hipLaunchKernel'), (2, 'HIP_RUNTIME_API'), (3, 'MARKER_CORE'), (4, 'step "4"');
insert into rocpd_info_process_m values (5, 4711);
insert into rocpd_info_thread_m values (6, 4712);
insert into rocpd_info_agent_m values (8, 'GPU', 3), (9, 'GPU', 10);
insert into rocpd_info_kernel_symbol_m values (12, 'gemm.kd', 'gemm'), (13, 'rcclKernel', '');
"""
VALUES = (None, 0, 7, 10, 99999, -1, -10**17, 2**63 - 1, -2**63)


def check_measured(cli, folder):
    """Args of events are correct. When a file is opened, the program computes only the length of the args text of most
    rows and makes the text later, so a wrong length would shift all texts after it."""
    path, dice, n = make_base(Path(folder) / 'measured.db', MEASURED), random.Random(3), 3000
    wanted = []
    with sqlite3.connect(path) as base:
        for i in range(1, n + 1):
            stack, time = dice.choice((0, i, i * 10**6)), i * dice.choice((1000, 999))
            event = 2 * i + (10**9 if i > n - 100 else 0)  # the ids have a large gap
            base.execute('insert into rocpd_event_m values (?, ?, ?, 0), (?, 2, ?, 0)', (event, dice.choice((2, 3, 77)), stack, event + 1, stack))
            base.execute('insert into rocpd_region_m values (?, 5, ?, ?, ?, ?, ?)', (i, dice.choice((6, 77)), time, time + i % 5, dice.choice((1, 4, 9)), event))
            wanted.append((time, json.dumps({'correlation': stack})))
            size = [dice.choice((0, 1, 64, 1024)) for _ in range(3)] + [dice.choice((1, 4096, 123456789)) for _ in range(3)]
            dispatch, queue, stream = (dice.choice(VALUES) for _ in range(3))
            base.execute(f'insert into rocpd_kernel_dispatch_m values (?, 5, ?, ?, ?, ?, ?, ?, ?, ?{", ?" * 6})',
                         (i, dice.choice((8, 9)), dice.choice((12, 12, 13, 14)), dispatch, queue, stream, time, time + 7, event + 1, *size))
            args = {'correlation': stack, 'dispatch_id': dispatch, 'queue': queue, 'stream': stream,
                    'grid': [items // group if group else items for items, group in zip(size[3:], size)], 'block': size[:3]}
            wanted.append((time, json.dumps({key: value for key, value in args.items() if value is not None})))
    events = [json.loads(line) for line in cli('dump', '--quiet', path).stdout.splitlines()]
    start_ns = min(event['ts_ns'] for event in events) - min(wanted)[0]
    same(sorted((event['ts_ns'] - start_ns, json.dumps(event['args'])) for event in events if event['ph'] == 'X'), sorted(wanted), 'args')
    same({event['cat'] for event in events if event['name'] == 'step "4"'}, {'cuda_runtime', 'user_annotation', 'region'}, 'categories')
    check(sum(event['ph'] == 'f' for event in events) > n / 2, 'launches')


MEASURED_RPD = """
create table rocpd_string (id integer primary key, string text);
create table rocpd_api (id integer primary key, pid integer, tid integer, start integer, end integer, apiName_id integer, args_id integer);
create table rocpd_op (id integer primary key, gpuId integer, queueId integer, start integer, end integer, description_id integer, opType_id integer);
create table rocpd_api_ops (id integer primary key, api_id integer, op_id integer);
create table rocpd_kernelapi (api_ptr_id integer primary key, stream text, gridX integer, gridY integer, gridZ integer, workgroupX integer,
  workgroupY integer, workgroupZ integer, kernelName_id integer);
create table rocpd_copyapi (api_ptr_id integer primary key, stream text, size integer);
insert into rocpd_string values (1, 'hipLaunchKernel'), (2, 'KernelExecution'), (3, ''), (4, 'CopyDeviceToHost'), (5, 'UserMarker'), (6, 'dst="x", 8'), (7, 'gemm');
"""


def check_measured_rpd(cli, folder):
    """The same as check_measured() for RPD: the args of events are correct, whatever their lengths."""
    path, dice, n = make_base(Path(folder) / 'measured.rpd', MEASURED_RPD), random.Random(4), 3000
    wanted = []
    with sqlite3.connect(path) as base:
        for i in range(1, n + 1):
            time, details = i * dice.choice((1000, 999)), dice.choice((None, 'kernel', 'copy'))
            name, args = dice.choice((1, 1, 1, 5, 9)), dice.choice((3, 6, 99))
            base.execute('insert into rocpd_api values (?, 7, ?, ?, ?, ?, ?)', (i, dice.choice((8, 9)), time, time + i % 5, name, args))
            call = {'correlation': i} | ({'args': 'dst="x", 8'} if args == 6 and name != 5 else {})
            wanted.append((time, json.dumps(call)))
            stream, size, n_bytes = dice.choice(('', '0x5581', 'a "b"')), [dice.choice((0, 1, 4096)) for _ in range(6)], dice.choice(VALUES)
            if details == 'kernel':
                base.execute('insert into rocpd_kernelapi values (?, ?, ?, ?, ?, ?, ?, ?, ?)', (i, stream, *size, dice.choice((7, 99))))
            elif details == 'copy':
                base.execute('insert into rocpd_copyapi values (?, ?, ?)', (i, stream, n_bytes))
            kind, gpu, queue, launched = dice.choice((2, 2, 4, 77)), dice.choice((0, 0, 0, None)), dice.choice((1, 20, None)), dice.random() < 0.9
            base.execute('insert into rocpd_op values (?, ?, ?, ?, ?, ?, ?)', (i, gpu, queue, time, time + 7, dice.choice((3, 7)), kind))
            if launched:
                base.execute('insert into rocpd_api_ops values (?, ?, ?)', (i, i, i))
            op = {'device': gpu, 'queue': queue, 'correlation': i if launched else None}
            if launched and kind != 4 and details == 'kernel':
                op |= {'stream': stream, 'grid': size[:3], 'block': size[3:]}
            elif launched and kind == 4 and details == 'copy':
                op |= {'bytes': n_bytes}
            wanted.append((time, json.dumps({key: value for key, value in op.items() if value is not None})))
    events = [json.loads(line) for line in cli('dump', '--quiet', path).stdout.splitlines()]
    start_ns = min(event['ts_ns'] for event in events) - min(wanted)[0]
    same(sorted((event['ts_ns'] - start_ns, json.dumps(event['args'])) for event in events if event['ph'] == 'X'), sorted(wanted), 'args')
    check(sum(event['ph'] == 'f' for event in events) > n / 2, 'launches')


def check_waits(cli, folder):
    """Barriers, markers and tasks without a description are annotations: they do not keep the device busy."""
    ops = (('KernelExecution', 'k', 1000), ('Barrier', '', 7000), ('BarrierAnd', 'b', 500), ('Task', '', 500), ('Task', 'gk', 500), ('Marker', '', 9500),
           ('CopyDeviceToHost', '', 1000), ('FillBuffer', '', 1000))
    path, at = Path(folder) / 'waits.rpd', 1000
    with sqlite3.connect(path) as base:
        base.executescript('create table rocpd_string (id integer primary key, string);'
                           'create table rocpd_api (id integer primary key, pid, tid, start, end, apiName_id, args_id);'
                           'create table rocpd_op (id integer primary key, gpuId, queueId, start, end, description_id, opType_id);')
        for n, (kind, name, dur) in enumerate(ops):
            base.executemany('insert into rocpd_string values (?, ?)', [(2 * n + 1, kind), (2 * n + 2, name)])
            base.execute('insert into rocpd_op values (?, 0, 0, ?, ?, ?, ?)', (n + 1, at, at + dur, 2 * n + 2, 2 * n + 1))
            at += dur
    kinds = [(event['name'], event['cat']) for event in cli.dump(path) if event['ph'] == 'X']
    same(kinds, [('k', 'kernel'), ('Barrier', 'gpu_user_annotation'), ('b', 'gpu_user_annotation'), ('Task', 'gpu_user_annotation'),
                 ('gk', 'kernel'), ('Marker', 'gpu_user_annotation'), ('CopyDeviceToHost', 'gpu_memcpy'), ('FillBuffer', 'gpu_memset')], 'categories')
    device = json.loads(cli.must('report', '--format', 'json', path).stdout)['computed']['devices']['devices'][0]
    same((device['busy_ns'], device['kernel_ns']), (3500, 1500), 'busy')


COUNTED = SESSION.format('a') + """
drop table rocpd_info_pmc_a; create table rocpd_info_pmc_a (id integer primary key, agent_id, name, units);
insert into rocpd_info_agent_a values (2, 'GPU', 1), (3, 'GPU', 2), (1, 'CPU', 0);
insert into rocpd_info_pmc_a values (1, 2, 'power', 'W'), (2, 3, 'power', 'W'), (3, 1, 'load', '%'), (4, 2, 'SQ_WAVES', null), (5, 2, 'hits', null);
insert into rocpd_info_kernel_symbol_a values (1, 'gemm', 'gemm.kd');
insert into rocpd_event_a (id) values (1), (2), (3), (4), (5), (6);
insert into rocpd_sample_a (timestamp, event_id) values (1000, 1), (2000, 2), (3000, 3), (4000, 4);
insert into rocpd_pmc_event_a (event_id, pmc_id, value) values (1, 1, 100.5), (2, 2, 300), (3, 3, 7), (4, 1, null), (4, 1, 'x');
insert into rocpd_kernel_dispatch_a (pid, agent_id, kernel_id, dispatch_id, queue_id, start, end, event_id) values (1, 2, 1, 1, 1, 5000, 6000, 5);
insert into rocpd_pmc_event_a (event_id, pmc_id, value) values (5, 5, 1), (5, 4, 64), (5, 4, 32), (6, 4, 1);
"""


def check_counters(cli, folder):
    """A counter belongs to the device that its description names, and has its unit. Values that were recorded for a
    kernel become args of the kernel. Values that are not numbers, and values without a sample or kernel, are counted as
    problems."""
    path = make_base(Path(folder) / 'counted.db', COUNTED)
    rows = json.loads(cli.must('query', '--format', 'json', path, 'select p.name as process, c.name, c.unit, s.value from sample s join counter c on c.id = s.counter '
                               'join process p on p.id = c.process order by s.time').stdout)
    same([(row['process'], row['name'], row['unit'], row['value']) for row in rows],
         [('GPU 1', 'power', 'W', 100.5), ('GPU 2', 'power', 'W', 300), ('counters', 'load', '%', 7)], 'samples')
    kernel = next(event for event in cli.dump(path) if event['ph'] == 'X')
    same((kernel['args']['SQ_WAVES'], kernel['args']['hits']), (96, 1), 'counters of the kernel')
    problems = {problem['code']: (problem['count'], problem['message']) for problem in cli.info(path)['sources'][0]['problems']}
    same((problems['no-value'][0], problems['not-shown'][1]), (2, 'Also in the file, not shown (number of rows): rocpd_pmc_event (1)'), 'problems')


RANKED = SESSION.format('a') + """
insert into rocpd_info_agent_a values (2, 'GPU', 1), (3, 'GPU', 2), (4, 'GPU', 3);
insert into rocpd_info_process_a values (1, 100, '{"RANK":"4"}'), (2, 200, '{"RANK":"5"}');
insert into rocpd_info_kernel_symbol_a values (1, 'gemm', 'gemm.kd');
create table rocpd_region_a (id integer primary key, pid, tid, start, end, name_id, event_id);
insert into rocpd_region_a (pid, tid, start, end) values (1, 1, 10, 20), (2, 2, 10, 20);
insert into rocpd_kernel_dispatch_a (pid, agent_id, kernel_id, queue_id, start, end) values (1, 2, 1, 1, 50, 60), (2, 3, 1, 1, 50, 60), (1, 4, 1, 1, 50, 60),
  (2, 4, 1, 1, 70, 80);
"""


def check_ranks(cli, folder):
    """Each process of a session has its own rank. A GPU gets the rank of the processes that used it, unless these have
    different ranks."""
    path = make_base(Path(folder) / 'ranked.db', RANKED)
    ranks = {(event['process'], event['rank']) for event in cli.dump(path) if event['ph'] == 'X'}
    same(ranks, {('100', 4), ('200', 5), ('GPU 1', 4), ('GPU 2', 5), ('GPU 3', None)}, 'ranks')


HOST = SESSION.format('a').replace('hostname);', 'hostname, machine_id);') + """
insert into rocpd_string_a values (1, 'work');
create table rocpd_region_a (id integer primary key, pid, tid, start, end, name_id, event_id);
insert into rocpd_region_a values (1, 100, 1, {1}, {1} + 1000, 1, null);
insert into rocpd_info_process_a values (100, 100, '{{"RANK": "{0}"}}'), (1, 100, '{{"RANK": "{0}"}}');
insert into rocpd_info_node_a values (1, 'node', '{2}');
"""


def check_hosts(cli, folder):
    """Databases of one host count time from the boot of that host. If a file with absolute times is opened beside them,
    they are moved together, so the time between them stays the same; this also holds for indexes. A database of another
    host is moved to the start of the file with absolute times."""
    run, indexes = Path(folder) / 'hosts', Path(folder) / 'indexes'
    run.mkdir()
    for rank, start, machine in ((0, 5_000_000_000, 'm1'), (1, 6_000_000_000, 'm1'), (2, 9_000_000_000, 'm2')):
        make_base(run / f'{rank}.db', HOST.format(rank, start, machine))
    epoch = 1_700_000_000_000_000_000
    (run / 'dated.json').write_text(json.dumps({'baseTimeNanoseconds': epoch, 'traceEvents': [
        {'ph': 'X', 'name': 'a', 'pid': 1, 'tid': 1, 'ts': 0, 'dur': 1}]}))
    same(cli('index', run, '-o', indexes).returncode, 0, 'exit of index')
    for opened in (run, indexes):
        starts = {event['rank']: event['ts_ns'] for event in cli.dump(opened) if event['ph'] == 'X' and event['rank'] is not None}
        same(starts, {0: epoch, 1: epoch + 1_000_000_000, 2: epoch}, f'starts in {opened.name}')


MEMORY = SESSION.format('a') + """
insert into rocpd_metadata_a (tag, value) values ('schema_version', '3');
insert into rocpd_info_agent_a values (2, 'GPU', 1), (1, 'CPU', 0);
create table rocpd_memory_allocate_a (id integer primary key, pid, agent_id, type, level, start, end, address, size);
insert into rocpd_memory_allocate_a (pid, agent_id, type, level, start, end, address, size) values (1, 2, 'ALLOC', 'REAL', 1000, 1100, 64, 4096),
  (1, 1, 'ALLOC', 'REAL', 1200, 1300, 99, 10), (1, null, 'FREE', 'REAL', 3000, 3100, 64, 0), (1, 2, 'ALLOC', 'REAL', 2000, 2100, 128, 1024),
  (1, 2, 'ALLOC', 'VIRTUAL', 1000, 1100, 256, 1), (1, null, 'FREE', 'REAL', 4000, 4100, 512, 0);
create table rocpd_other_a (start, end); insert into rocpd_other_a values (1, 2);
"""


def check_memory(cli, folder):
    """Allocations become memory counters of the GPU and of the host. The release of an address subtracts the size of
    the allocation at that address. Data that is not shown is named in a message."""
    path = make_base(Path(folder) / 'memory.db', MEMORY)
    samples = [(event['process'], event['name'], event['ts_ns'], event['args']['bytes']) for event in cli.dump(path) if event['ph'] == 'C']
    same(samples, [('GPU 1', 'GPU memory', 1100, 4096), ('counters', 'host memory', 1300, 10), ('GPU 1', 'GPU memory', 2100, 5120),
                   ('GPU 1', 'GPU memory', 3100, 1024)], 'samples')
    same([problem['message'] for problem in cli.info(path)['sources'][0]['problems']],
         ['Also in the file, not shown (number of rows): rocpd_memory_allocate (2), rocpd_other_a (1)'], 'problems')


def check_newer(cli, folder):
    """A database with a schema that cannot be read is incomplete, and the log says how to convert it."""
    path = make_base(Path(folder) / 'newer.db', MEMORY.replace("'3'", "'4.0'"))
    result = cli('info', '--format', 'json', path)
    same(result.returncode, harness.INCOMPLETE, 'exit')
    check('rocpd convert -f pftrace' in result.stdout, result.stdout)


def check_monitors(cli, folder):
    """Values of monitors that are no numbers are skipped and counted, not shown as 0."""
    path = make_base(Path(folder) / 'monitors.rpd', COPIED_RPD + 'create table rocpd_monitor (deviceType, deviceId, monitorType, start, end, value);'
                     "insert into rocpd_monitor values ('gpu', 0, 'sclk', 100, 200, '1500'), ('gpu', 0, 'sclk', 110, 200, 'nan'), "
                     "('gpu', 0, 'sclk', 120, 200, null), ('gpu', 0, 'sclk', 130, 200, 'abc');")
    same([event['args']['value'] for event in cli.dump(path) if event['ph'] == 'C'], [1500], 'samples')
    same([(problem['code'], problem['count']) for problem in cli.info(path)['sources'][0]['problems']], [('no-value', 3)], 'problems')


def check_arrows(cli, folder):
    """An arrow begins at the call that launched a kernel, also if a call inside it begins at the same time, and also if a
    merged file is read again."""
    path = make_base(Path(folder) / 'arrows.rpd', COPIED_RPD.replace("union all select 1, ''", "union all select 1, '' union all select 6, 'inner'")
                     + 'insert into rocpd_api values (71, 10, 11, 100, 150, 6, 1);')
    merged = Path(folder) / 'merged.json'
    cli.must('merge', '--quiet', path, '-o', merged)
    for place in (path, merged):
        rows = json.loads(cli.must('query', '--format', 'json', place, 'select s.name from flow f join span s on s.id = f.from_id').stdout)
        same([row['name'] for row in rows], ['hipLaunchKernel'], f'start of the arrow in {place.name}')


def check_without_metadata(cli, folder):
    """A database without a table of metadata is read by its tables of kernels; one without any rows does not crash the program."""
    tables = SESSION.format('a').replace('create table rocpd_metadata_a (id integer primary key, tag, value);', '')
    path = make_base(Path(folder) / 'kernels.db', tables + """
insert into rocpd_info_kernel_symbol_a values (1, 'gemm', 'gemm.kd');
insert into rocpd_kernel_dispatch_a (pid, agent_id, kernel_id, queue_id, start, end) values (1, 2, 1, 1, 50, 60);""")
    same([event['name'] for event in cli.dump(path) if event['ph'] == 'X'], ['gemm'], 'spans')
    path = make_base(Path(folder) / 'empty.db', 'create table rocpd_kernel_dispatch(id integer primary key);')
    same(cli('info', path).returncode, harness.DONE, 'exit of an empty database')


MARKED = SESSION.format('a') + """
drop table rocpd_event_a; create table rocpd_event_a (id integer primary key, category_id, stack_id, parent_stack_id, extdata);
drop table rocpd_sample_a; create table rocpd_sample_a (id integer primary key, track_id, timestamp, event_id);
create table rocpd_track_a (id integer primary key, pid, tid, name_id); insert into rocpd_track_a values (1, 5, 6, 1);
create table rocpd_region_a (id integer primary key, pid, tid, start, end, name_id, event_id);
insert into rocpd_string_a values (1, 'MARKER_CORE_RANGE_API'), (2, 'roctxThreadRangeA'), (3, 'HIP_RUNTIME_API_EXT'), (4, 'hipMemcpy'), (5, 'host'), (6, 'solve'),
  (7, 'mpi'), (8, 'MPI_Allreduce'), (9, 'ROCDECODE_API_EXT'), (10, 'hsa_init'), (11, 'rocm_hsa_api');
insert into rocpd_event_a (id, category_id, extdata) values (1, 1, '{"message": "for\\"ward"}'), (2, 1, '{"message": "backward"}'), (3, 1, '{"message": "loss ready"}'),
  (4, 3, '{"message": "no marker"}'), (5, 5, '{}'), (6, 7, null), (7, 9, null), (8, 11, null), (9, 1, '{}'), (10, 5, null);
insert into rocpd_region_a (pid, tid, start, end, name_id, event_id) values (5, 6, 1000, 2000, 2, 1), (5, 6, 2000, 3000, 2, 2), (5, 6, 3000, 4000, 4, 4),
  (5, 6, 4000, 5000, 6, 5), (5, 6, 5000, 6000, 8, 6), (5, 6, 6000, 7000, 4, 7), (5, 6, 7000, 8000, 10, 8), (5, 6, 8000, 9000, 2, 9), (5, 6, 9000, 9500, 4, null), (5, 6, 9500, 9900, 6, null);
insert into rocpd_sample_a (track_id, timestamp, event_id) values (1, 2500, 3), (1, 2600, 10);
insert into rocpd_info_pmc_a values (1, 'power'); insert into rocpd_pmc_event_a (event_id, pmc_id, value) values (10, 1, 7);
"""


def check_markers(cli, folder):
    """Ranges and marks get the texts that the program passed to them. Only calls of HIP and HSA get the category of
    runtime calls."""
    events = cli.dump(make_base(Path(folder) / 'marked.db', MARKED))
    same([(event['name'], event['cat']) for event in events if event['ph'] == 'X'],
         [('for"ward', 'user_annotation'), ('backward', 'user_annotation'), ('hipMemcpy', 'cuda_runtime'), ('solve', 'host'), ('MPI_Allreduce', 'mpi'),
          ('hipMemcpy', 'rocdecode_api_ext'), ('hsa_init', 'cuda_runtime'), ('roctxThreadRangeA', 'user_annotation'), ('hipMemcpy', 'cuda_runtime'),
          ('solve', 'region')], 'regions')
    same(events[0]['args']['operation'], 'roctxThreadRangeA', 'operation')
    same([(event['name'], event['ts_ns'], event['process'], event['thread']) for event in events if event['ph'] == 'i'],
         [('loss ready', 2500, '5', 'thread 6')], 'marks')
    same([event['args']['value'] for event in events if event['ph'] == 'C'], [7], 'samples')


def in_folder(function, *args):
    with tempfile.TemporaryDirectory() as folder:
        function(*args[:-1], folder) if args[-1] is None else function(*args[:2], folder, *args[2:])


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    shared = harness.shared_folder('.').resolve()
    tap.case('hostile', in_folder, check_hostile, cli, None)
    tap.case('copied', in_folder, check_copied, cli, None)
    tap.case('measured', in_folder, check_measured, cli, None)
    tap.case('measured: RPD', in_folder, check_measured_rpd, cli, None)
    tap.case('waits', in_folder, check_waits, cli, None)
    tap.case('counters', in_folder, check_counters, cli, None)
    tap.case('ranks', in_folder, check_ranks, cli, None)
    tap.case('hosts', in_folder, check_hosts, cli, None)
    tap.case('memory', in_folder, check_memory, cli, None)
    tap.case('newer', in_folder, check_newer, cli, None)
    tap.case('no metadata', in_folder, check_without_metadata, cli, None)
    tap.case('markers', in_folder, check_markers, cli, None)
    tap.case('monitors', in_folder, check_monitors, cli, None)
    tap.case('arrows', in_folder, check_arrows, cli, None)
    tap.case('sessions', in_folder, check_sessions, cli, None)
    if (shared / 'oracle').exists():
        for case in sorted((shared / 'oracle').glob('rocm-*')):
            tap.case(case.name, in_folder, check_oracle, cli, shared, case)
    if (shared / 'tools' / 'make-binary-traces.py').exists():
        for function in (check_sums, check_skew):
            tap.case(function.__name__, in_folder, function, cli, shared, None)
        for damage in ('truncate', 'zero', 'flip', 'head', 'text', 'types', 'view', 'wal'):
            tap.case(f'damage: {damage}', in_folder, check_damage, cli, shared, damage)
    tap.done()


main()
