# SPDX-License-Identifier: Apache-2.0
"""Tests ranks that are stated by the names of folders, devices of rare kinds, files with very many threads, and files
in which some times count from 1970 and others from the start of the session."""

import gzip
import json
import sys
import time
from pathlib import Path

from harness import Cli, Tap, check, folder, same

cli = Cli(sys.argv[1])
tap = Tap()


def span(name, category, pid, tid, begin, duration, **args):
    return {'ph': 'X', 'name': name, 'cat': category, 'pid': pid, 'tid': tid, 'ts': begin, 'dur': duration, 'args': args}


def write(path, events):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({'schemaVersion': 1, 'baseTimeNanoseconds': 1_735_632_360_000_000_000, 'traceEvents': events}))
    return path


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def value(number, content):
    """Returns the encoded field of a protobuf message. A number is encoded as a varint; bytes and text are preceded by
    their length."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    content = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(content)) + content


def named(number, key, name):
    return value(number, value(1, key) + value(2, value(1, key) + value(2, name)))


def ask(source, sql):
    return json.loads(cli.must('query', '--quiet', source, sql).stdout)


def check_folder_ranks():
    """A folder gives its rank to the files below it only if it is named after a rank, not after a parameter of the run."""
    ranks = {'lora_rank_8/a.json': None, 'exp-rank16/a.json': None, 'rank20240131/a.json': None, 'rank_3/a.json': 3, 'rank0_hostA/a.json': 0, 'rank1-of-2/a.json': 1, 'node0_rank-5/logs/a.json': 5,
             'trace_rank6/a.json': 6, 'low_rank_4/rank7/a.json': 7, 'lora_rank_8/trace_rank_2.json': 2}
    for name, rank in ranks.items():
        with folder() as place:
            path = write(Path(place) / name, [span('aten::mm', 'cpu_op', 101, 1, 100, 50)])
            same([row['rank'] for row in ask(path, 'SELECT rank FROM source')], [rank], name)


def check_device_names():
    """The label of a process states that it is a device, whatever the kind of accelerator. The work of such a device is
    also in the index of the trace."""
    events = [{'ph': 'M', 'name': 'process_labels', 'pid': 17, 'tid': 0, 'args': {'labels': 'MTIA 17'}},
              {'ph': 'M', 'name': 'process_labels', 'pid': 101, 'tid': 0, 'args': {'labels': 'CPU'}},
              {'ph': 'M', 'name': 'thread_name', 'pid': 17, 'tid': 3774, 'args': {'name': 'Stream 108'}}]
    events += [span('aten::mm', 'cpu_op', 101, 1, 100 + 50 * i, 30) for i in range(5)]
    events += [span('matmul', 'mtia_ccp_events', 17, 3774, 110 + 50 * i, 25) for i in range(5)]
    with folder() as place:
        path = write(Path(place) / 'a.pt.trace.json', events)
        cli.must('index', '--quiet', path, '-o', Path(place) / 'indexes')
        sql = "SELECT t.device, count(*) AS n, sum(s.duration) AS ns FROM span s JOIN track t ON t.id = s.track WHERE s.name = 'matmul' GROUP BY 1"
        same(ask(path, sql), [{'device': 1, 'n': 5, 'ns': 125_000}], 'the trace')
        same(ask(Path(place) / 'indexes', sql), ask(path, sql), 'its index')


def check_many_threads():
    """Allocations on n threads take time in proportion to n, not to its square."""
    times = []
    for n in (3_000, 30_000):
        instants = [{'ph': 'i', 's': 't', 'name': '[memory]', 'pid': 101, 'tid': i, 'ts': 100 + i, 'args': {'Bytes': 1}} for i in range(n)]
        with folder() as place:
            path = write(Path(place) / 'a.pt.trace.json', [span('aten::mm', 'cpu_op', 101, 1, 100, 50), *instants])
            begin = time.monotonic()
            same(ask(path, 'SELECT count(*) AS n FROM instant'), [{'n': n}], 'instants')
            times.append(time.monotonic() - begin)
    check(times[1] < 40 * times[0], f'{times[0]:.2f} s for 3,000 threads, {times[1]:.2f} s for 30,000')


def check_early_line():
    """One line of an XSpace file began before the session, so its times count from 1970; those of the other lines do not."""
    start = 1_771_595_639_214_724_894
    session = value(1, 9) + value(2, 'Task Environment') + named(5, 1, 'profile_start_time') + value(6, value(1, 1) + value(3, start))
    lines = b''.join(value(3, value(1, number) + value(2, f'thread/{number}') + value(3, begin) + value(4, value(1, number) + value(2, 0) + value(3, 1000_000)))
                     for number, begin in ((1, 100_000), (2, start - 5_000)))
    host = value(1, 2) + value(2, '/host:CPU') + lines + named(4, 1, 'late') + named(4, 2, 'early')
    with folder() as place:
        path = Path(place) / 'host.xplane.pb'
        path.write_bytes(value(1, session) + value(1, host))
        rows = {row['name']: row['start'] for row in ask(path, 'SELECT name, start FROM span')}
        same(rows, {'late': start + 100_000, 'early': start - 5_000}, 'times')


def check_counters():
    """On the counter line of an XSpace file, an event is a sample if it has a statistic with the same name as the
    event. Other events of the line are instants."""
    samples = b''.join(value(4, value(1, 1) + value(2, 1000 * at) + value(4, value(1, 1) + value(3, number))) for at, number in ((5000, 10), (7000, 13)))
    other = value(4, value(1, 2) + value(2, 6_000_000) + value(4, value(1, 1) + value(3, 99)))
    line = value(3, value(1, 7) + value(2, '_counters_') + value(3, 100_000) + samples + other)
    device = value(1, 1) + value(2, '/device:TPU:0') + line + named(4, 1, 'hbm_bw') + named(4, 2, 'mark') + named(5, 1, 'hbm_bw')
    with folder() as place:
        path = Path(place) / 'host.xplane.pb'
        path.write_bytes(value(1, device))
        rows = ask(path, 'SELECT c.name, s.time, s.value FROM counter c JOIN sample s ON s.counter = c.id ORDER BY s.time')
        same([(row['name'], row['time'] - rows[0]['time'], row['value']) for row in rows], [('hbm_bw', 0, 10), ('hbm_bw', 2_000, 13)], 'samples')
        same([row['name'] for row in ask(path, 'SELECT name FROM instant')], ['mark'], 'instants')


def check_mixed_epoch():
    """The times in a TensorFlow trace count from the start of the recording, which is computed from the time in the
    gzip header. The time of one event counts from 1970 instead."""
    events = [{'ph': 'M', 'pid': 701, 'name': 'process_name', 'args': {'name': '/host:CPU'}},
              span('relative', '', 701, 1, 5, 20), span('absolute', '', 701, 2, 1_700_000_000_000_123, 2)]
    with folder() as place:
        path = Path(place) / 'h1.trace.json.gz'
        text = json.dumps({'displayTimeUnit': 'ns', 'metadata': {'highres-ticks': True}, 'traceEvents': events})
        path.write_bytes(gzip.compress(text.encode(), mtime=1_700_000_001))
        rows = {row['name']: row['start'] for row in ask(path, 'SELECT name, start FROM span')}
        same(rows['absolute'], 1_700_000_000_000_123_000, 'the time that counts from 1970')
        check(rows['relative'] > 1_600_000_000_000_000_000, rows)


def check_high_pid():
    """A process with a pid of seven digits must not be mistaken for a phase of a merged SageMaker timeline, so its
    threads stay separate."""
    for pid in (999_123, 1_000_123):
        events = [{'ph': 'M', 'pid': pid, 'name': 'process_name', 'args': {'name': 'trainer'}}]
        for tid, name in ((1, 'main_thread'), (2, 'data_loader-3_x')):
            events.append({'ph': 'M', 'pid': pid, 'tid': tid, 'name': 'thread_name', 'args': {'name': name}})
            events.append(span('work', '', pid, tid, 1_700_000_000_000_000 + tid, 5))
        with folder() as place:
            path = Path(place) / 'a.json'
            path.write_text(json.dumps({'traceEvents': events}))
            same(ask(path, 'SELECT format FROM source'), [{'format': 'chrome'}], f'format of pid {pid}')
            same(ask(path, 'SELECT name, rank, node FROM process'), [{'name': 'trainer', 'rank': None, 'node': None}], f'pid {pid}')


def recorded(pid, device, step_us, first_correlation):
    """Returns the events of a process with four steps, and of the device for which it launches one kernel per step."""
    events, begin = [], 1_700_000_000_000_000
    for number in range(4):
        at, correlation = begin + number * step_us, first_correlation + number
        flow = {'id': correlation, 'cat': 'ac2g', 'name': 'ac2g'}
        events += [span(f'ProfilerStep#{number}', 'user_annotation', pid, pid, at, step_us - 10),
                   span('cudaLaunchKernel', 'cuda_runtime', pid, pid, at + 20, 10, correlation=correlation),
                   span('gemm', 'kernel', device, 7, at + 40, step_us // 2, correlation=correlation, device=device, stream=7),
                   {'ph': 's', 'pid': pid, 'tid': pid, 'ts': at + 20, **flow}, {'ph': 'f', 'bp': 'e', 'pid': device, 'tid': 7, 'ts': at + 40, **flow}]
    return events


def check_processes_with_steps():
    """Several processes in one file without a rank, each of which has steps of its own, are several participants: the
    steps of each count, as if each were in a file of its own. Devices belong to the process that launches their work."""
    with folder() as one, folder() as two:
        write(Path(one) / 'run.pt.trace.json', recorded(100, 0, 1000, 1) + recorded(200, 1, 1500, 101))
        write(Path(two) / 'a.pt.trace.json', recorded(100, 0, 1000, 1))
        write(Path(two) / 'b.pt.trace.json', recorded(200, 1, 1500, 101))
        reports = [json.loads(cli.must('report', '--quiet', '--format', 'json', str(place)).stdout) for place in (one, two)]
        for report, where in zip(reports, ('one file', 'two files')):
            same([(rank['count'], rank['median_ns']) for rank in report['steps']['ranks']], [(4, 990_000), (4, 1_490_000)], f'steps of the processes in {where}')
            same([rank['compute_ns'] for rank in report['computed']['ranks']['ranks']], [2_000_000, 3_000_000], f'devices of the processes in {where}')
        texts = [cli.must('report', '--quiet', '--format', 'text', str(place)).stdout for place in (one, two)]
        check('GPU 1 of process 200' in texts[0] and 'rank 200' not in texts[0], texts[0])
        same([rank['process_id'] for rank in reports[0]['computed']['ranks']['ranks']], [100, 200], 'ids of the processes')
        same(*([line for line in text.splitlines() if line.startswith('  Summary:')] for text in texts), 'the summary')


def check_late_wall_clock():
    """In a Composer file, events of torch may stand before the first reading of the wall clock. The same offset is
    added to their times as to those of later events of torch."""
    wall = 1_932_984_100_000_000
    torch = [span('aten::mm', 'cpu_op', 0, 640, 120_790_000_200, 5)]
    own = [{'name': 'global_rank', 'cat': '', 'ph': 'M', 'ts': wall, 'pid': 0, 'tid': 640, 'args': {'value': 0}},
           *({'name': 'event/batch', 'cat': '', 'ph': phase, 'ts': wall + at, 'pid': 0, 'tid': 640, 'args': {'epoch': 0, 'batch': 0}} for phase, at in (('B', 100), ('E', 900)))]
    for events in (torch + own, own + torch):
        with folder() as place:
            path = Path(place) / 'ep0-ba0-rank0.json'
            path.write_text(json.dumps(events))
            rows = {row['name']: row['start'] for row in ask(path, 'SELECT name, start FROM span')}
            same(rows, {'aten::mm': (wall + 200) * 1000, 'event/batch': (wall + 100) * 1000}, 'times')


tap.case('ranks in the names of folders', check_folder_ranks)
tap.case('devices of any kind', check_device_names)
tap.case('many threads', check_many_threads)
tap.case('a line that began before the session', check_early_line)
tap.case('times of two kinds in a file', check_mixed_epoch)
tap.case('counters of an XSpace file', check_counters)
tap.case('a pid of seven digits', check_high_pid)
tap.case('several processes with steps in a file', check_processes_with_steps)
tap.case('a wall clock after the first events', check_late_wall_clock)
tap.done()
