#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests joined indexes whose traces contain data for matching ranks that an index does not keep as spans: calls of
collectives whose kernels have no sequence number, and clock syncs. The collectives and the alignment of the clocks must
equal those of the traces. Also tests that an index keeps step numbers that only args of events state.

Usage: test-index-evidence.py TRACELOOM-CLI"""

import csv
import io
import json
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, SAMPLE, Cli, Tap, check, folder, same  # noqa: E402

BASE_NS = 1735632360000000000
N_RANKS = 3
N_STEPS = 8
COLLECTIVE = {'Collective name': 'allreduce', 'dtype': 'Float', 'In msg nelems': 1000, 'Out msg nelems': 1000, 'Group size': N_RANKS,
              'Process Group Name': '0', 'Process Group Ranks': '[0, 1, 2]'}


def span(category, name, pid, tid, start, duration, **args):
    return {'ph': 'X', 'cat': category, 'name': name, 'pid': pid, 'tid': tid, 'ts': start, 'dur': duration, 'args': args}


def make_step(rank, step):
    """Returns the events of one step. Only the host call of the collective has a sequence number; the kernel has only
    the correlation id of its launch."""
    start, correlation = 1000 + 1000 * step + rank * 25, 500 + step
    flow = {'id': correlation, 'cat': 'ac2g', 'name': 'ac2g'}
    return [span('user_annotation', f'ProfilerStep#{step}', 100, 100, start, 900),
            span('cpu_op', 'record_param_comms', 100, 100, start + 10, 20, **{'External id': step + 1, 'Seq': step + 1, **COLLECTIVE}),
            span('cuda_runtime', 'cudaLaunchKernel', 100, 100, start + 12, 5, **{'External id': step + 1, 'correlation': correlation}),
            {'ph': 's', 'pid': 100, 'tid': 100, 'ts': start + 12, **flow},
            {'ph': 'f', 'bp': 'e', 'pid': 0, 'tid': 20, 'ts': start + 30, **flow},
            span('kernel', 'ncclKernel_AllReduce_RING_LL_Sum_float', 0, 20, start + 30 + 3 * rank * (step % 3), 500 - 3 * rank * (step % 3),
                 **{'External id': step + 1, 'device': 0, 'stream': 20, 'correlation': correlation})]


def make_collectives(place):
    for rank in range(N_RANKS):
        document = {'schemaVersion': 1, 'deviceProperties': [{'id': 0, 'name': 'GPU'}], 'baseTimeNanoseconds': BASE_NS,
                    'distributedInfo': {'backend': 'nccl', 'rank': rank, 'world_size': N_RANKS},
                    'traceEvents': [event for step in range(N_STEPS) for event in make_step(rank, step)]}
        (place / f'rank{rank}.json').write_text(json.dumps(document))


def make_syncs(place):
    """Writes the files of two ranks. According to the clock syncs in them, the clocks of the ranks differ by 300 µs."""
    for rank in range(2):
        shift = 300 * rank
        events = [span('step', 'work', 1, 1, 1000 * step + shift, 10) for step in range(N_STEPS)]
        events += [{'ph': 'c', 'name': 'clock_sync', 'pid': 1, 'tid': 1, 'ts': 1000 * step + 500 + shift,
                    'args': {'sync_id': f'sync-{step}', 'issue_ts': 1000 * step + 500 + shift}} for step in range(N_STEPS)]
        (place / f'rank{rank}.json').write_text(json.dumps({'traceEvents': events}))


def query(cli, path, text):
    return cli.must('query', '-q', '--format=csv', path, text).stdout


def clocks(cli, path):
    return [(source['rank'], source['clock']) for source in json.loads(cli.must('align', '-q', '--format=json', path).stdout)['sources']]


def make_index(cli, make, place):
    raw, index = Path(place) / 'raw', Path(place) / 'index'
    raw.mkdir()
    make(raw)
    cli.must('index', '-q', raw, '-o', index, allowed=(DONE,))
    return raw, index


def no_critical(result):
    check('CRITICAL' not in result.stderr, result.stderr)


def test_collectives(cli):
    with folder() as place:
        raw, index = make_index(cli, make_collectives, place)
        text = 'select name, sequence, rank, arrival, wait, duration, ranks, bytes from collective order by rank, arrival'
        wanted = query(cli, raw, text)
        same(wanted.count('\n'), N_RANKS * N_STEPS + 1, 'collectives')
        same(query(cli, index, text), wanted, 'collectives')
        same(clocks(cli, index), clocks(cli, raw), 'clocks')
        no_critical(cli.must('info', index))
        joined = Path(place) / 'a.loomrun'
        no_critical(cli.must('index', '--join', index, '-o', joined, allowed=(DONE,)))
        same(query(cli, joined, text), wanted, 'collectives of joined indexes')


def test_clock_syncs(cli):
    with folder() as place:
        raw, index = make_index(cli, make_syncs, place)
        wanted = clocks(cli, raw)
        check(any(clock['offset_ns'] != 0 for _, clock in wanted), 'no clock is moved')
        same(clocks(cli, index), wanted, 'clocks')


def test_step_numbers(cli):
    """An index keeps step numbers that only args state, and the table of steps and ranks (matrix) of joined indexes
    contains them."""
    with folder() as place:
        place, text = Path(place), 'select number, start, duration, rank, mode from step order by start, rank, number'
        raw = place / 'raw'
        raw.mkdir()
        for rank in range(2):  # the second rank is profiled from a later step on
            events = [{'ph': 'X', 'cat': 'user_annotation', 'name': 'event/batch', 'pid': 1, 'tid': 1, 'ts': 1000 * step, 'dur': 900,
                       'args': {'batch': 500 + step}} for step in range(3 * rank, 8)]
            (raw / f'ep0-ba500-rank{rank}.json').write_text(json.dumps({'traceEvents': [
                {'ph': 'M', 'name': 'process_name', 'pid': 1, 'tid': 1, 'args': {'name': f'Rank {rank} training loop process'}}, *events]}))
        cli.must('index', '-q', raw, '-o', place / 'index', allowed=(DONE,))
        wanted = query(cli, raw, text)
        check('\n500,' in wanted and '\n507,' in wanted and wanted.count('\n') == 8 + 5 + 1, wanted)
        same(query(cli, place / 'index', text), wanted, 'steps')
        cli.must('index', '-q', '--join', place / 'index', '-o', place / 'a.loomrun', allowed=(DONE,))
        with zipfile.ZipFile(place / 'a.loomrun') as joined:
            rows = list(csv.DictReader(io.StringIO(joined.read('matrix.csv').decode())))
        same({int(row['step']) for row in rows}, set(range(500, 508)), 'steps of the matrix')
        index = place / 'sample'
        cli.must('index', '-q', SAMPLE, '-o', index, allowed=(DONE,))
        same(query(cli, index, text), query(cli, SAMPLE, text), 'steps of SageMaker')
        result = cli.must('report', '-q', '--format=text', '--unit=step', '--start=2', '--end=4', index)
        check('teps' in result.stdout, result.stdout[:500])


def check_steps(cli, name, events, check_rows):
    """Writes a trace, and checks with check_rows() the steps of the trace, and that its index has the same steps."""
    with folder() as place:
        raw, text = Path(place) / 'raw', 'select number, start, duration, rank, mode from step order by start, rank, number'
        raw.mkdir()
        (raw / name).write_text(json.dumps({'displayTimeUnit': 'ns', 'metadata': {'highres-ticks': True}, 'traceEvents': events}))
        cli.must('index', '-q', raw, '-o', Path(place) / 'index', allowed=(DONE,))
        wanted = query(cli, raw, text)
        check_rows(list(csv.DictReader(io.StringIO(wanted))))
        same(query(cli, Path(place) / 'index', text), wanted, 'steps of the index')


def test_steps_of_xprof(cli):
    """The index keeps the numbers and modes of steps that TensorFlow and JAX mark on the host or on a line “Steps” of a
    device."""
    def rows(found):
        same([(row['number'], row['mode']) for row in found], [('7', 'train'), ('0', 'eval'), ('8', 'train')], 'numbers and modes')
    steps = (('train', 7), ('test', 0), ('train', 8))
    begin = [{'ph': 'M', 'pid': 1, 'name': 'process_name', 'args': {'name': '/host:CPU'}}, {'ph': 'M', 'pid': 1, 'tid': 1, 'name': 'thread_name', 'args': {'name': 'python'}}]
    work = [{'ph': 'X', 'pid': 1, 'tid': 1, 'ts': 1000 * i + 10, 'dur': 50, 'name': 'op'} for i in range(3)]
    host = [{'ph': 'X', 'pid': 1, 'tid': 1, 'ts': 1000 * i, 'dur': 900, 'name': name, 'args': {'step_num': str(number)}} for i, (name, number) in enumerate(steps)]
    check_steps(cli, 'host1.trace.json', begin + host + work, rows)
    numbered = [{**event, 'name': f"{event['name']} {event['args']['step_num']}"} for event in host]
    check_steps(cli, 'host1.trace.json', begin + numbered + work, rows)
    begin += [{'ph': 'M', 'pid': 2, 'name': 'process_name', 'args': {'name': '/device:GPU:0'}}, {'ph': 'M', 'pid': 2, 'tid': 1, 'name': 'thread_name', 'args': {'name': 'Steps'}}]
    line = [{'ph': 'X', 'pid': 2, 'tid': 1, 'ts': 1000 * i, 'dur': 900, 'name': str(i), 'args': {'group_id': i, 'step_name': f'{name} {number}'}}
            for i, (name, number) in enumerate(steps)]
    check_steps(cli, 'host1.trace.json', begin + line + work, rows)


def test_batches_without_a_span(cli):
    """A Composer batch without a span of its own has the same number and times in the index as in the trace. The sums
    that an index stores for the callbacks of other batches must not be taken for batches."""
    def rows(found):
        same([row['number'] for row in found], ['2', '3', '4', '5'], 'numbers')
    events = [{'ph': 'M', 'name': 'process_name', 'pid': 1, 'tid': 1, 'args': {'name': 'Rank 0 training loop process'}}]
    for step in range(2, 6):
        spans = [('callback/A/event/batch_start', 0, 20), ('callback/Ema2/event/batch_start', 20, 30), ('event/forward', 60, 300),
                 ('callback/A/event/batch_end', 910, 20), ('callback/Ema2/event/batch_end', 930, 40)]
        spans += [('event/batch', 50, 860)] if step == 3 else []
        events += [{'ph': 'X', 'name': name, 'pid': 1, 'tid': 1, 'ts': 1000 * step + at, 'dur': dur, 'args': {'batch': step}}
                   for name, at, dur in spans]
    check_steps(cli, 'ep0-ba2-rank0.json', events, rows)


def test_work_of_the_host(cli):
    """An index has only sums of most spans of the host. The report says so, and states nothing about these spans."""
    with folder() as place:
        index = Path(place) / 'index'
        cli.must('index', '-q', SAMPLE, '-o', index, allowed=(DONE,))
        raw, report = (json.loads(cli.must('report', '-q', '--format=json', path).stdout) for path in (SAMPLE, index))
        text = cli.must('report', '-q', '--format=text', index).stdout
        check(raw['step_statistics']['by_metric'] and 'missing' not in raw['root_cause'], 'the traces lack the work of the host')
        same((report['step_statistics']['by_metric'], report['step_statistics']['by_process']), ([], []), 'step statistics of an index')
        same(report['step_statistics']['by_training_phase'], raw['step_statistics']['by_training_phase'], 'durations of steps')
        for section in (report['step_statistics'], report['root_cause'], report['computed']['work']):
            check('only sums' in section.get('missing', ''), str(section)[:200])
        check('nothing takes twice as long' not in text and 'take at least twice as long' not in text and 'No function takes' not in text, text)
        check('No work was recorded' not in text and text.count('Index files contain only sums') >= 4, text)


def main(program):
    cli, tap = Cli(program), Tap()
    tap.case('collectives whose kernels have no number', test_collectives, cli)
    tap.case('clock syncs', test_clock_syncs, cli)
    tap.case('numbers of steps in args', test_step_numbers, cli)
    tap.case('steps of TensorFlow and JAX', test_steps_of_xprof, cli)
    tap.case('batches of Composer without a span', test_batches_without_a_span, cli)
    tap.case('work of the host', test_work_of_the_host, cli)
    tap.done()


main(sys.argv[1])
