# SPDX-License-Identifier: Apache-2.0
"""Tests ranks from the names of folders, devices of rarer kinds, and files with very many threads."""

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


def ask(source, sql):
    return json.loads(cli.must('query', '--quiet', source, sql).stdout)


def check_folder_ranks():
    """A folder gives its rank to the files below it only if it is named after a rank, not after a parameter of the run."""
    ranks = {'lora_rank_8/a.json': None, 'exp-rank16/a.json': None, 'rank20240131/a.json': None, 'rank_3/a.json': 3, 'node0_rank-5/logs/a.json': 5,
             'trace_rank6/a.json': 6, 'low_rank_4/rank7/a.json': 7, 'lora_rank_8/trace_rank_2.json': 2}
    for name, rank in ranks.items():
        with folder() as place:
            path = write(Path(place) / name, [span('aten::mm', 'cpu_op', 101, 1, 100, 50)])
            same([row['rank'] for row in ask(path, 'SELECT rank FROM source')], [rank], name)


def check_device_names():
    """The label of a process says that it is a device, whatever kind of accelerator it is. The index has its work, too."""
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


tap.case('ranks in the names of folders', check_folder_ranks)
tap.case('devices of any kind', check_device_names)
tap.case('many threads', check_many_threads)
tap.done()
