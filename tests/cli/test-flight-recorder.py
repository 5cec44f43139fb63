# SPDX-License-Identifier: Apache-2.0
"""Tests the reading of dumps of collective flight recorders. The contents of real dumps are compared with those that a
second, simple reader found; made-up jobs hang in known ways; damaged and malicious pickles must not crash the
program."""

import collections
import copy
import json
import pickle
import re
import sys
import tempfile
from pathlib import Path

import harness
from harness import Cli, Tap, check, same

sys.path.insert(0, str(harness.ROOT / 'tests' / 'tools'))
import early_index  # noqa: E402
import schemas  # noqa: E402

START_NS = 1758610505880883597
COMPUTED = schemas.read_schema('report-1')['properties']['computed']


def report(cli, folder):
    computed = json.loads(cli.must('report', '--format', 'json', '-o', '-', folder).stdout)['computed']
    same(list(schemas.problems_of(COMPUTED, computed)), [], 'problems of report-1')
    return computed.get('hang')


def suspects(hang):
    return {rank['rank']: rank['signs'] for rank in hang['ranks'] if rank['suspect']}


# --- real dumps


# Covers documented rows: README.md §1 NCCL flight recorder
def compare_dump(events, wanted):
    """Compares the events of one dump with the expected values; returns the number of equal values."""
    spans = [event for event in events if event['cat'] == 'flight_recorder' and event['ph'] == 'X']
    same(len(spans), wanted['entries'], 'entries')
    same(dict(collections.Counter('nccl:' + span['name'] for span in spans)), wanted['names'], 'names')
    same(dict(collections.Counter(span['args']['state'] for span in spans)), wanted['states'], 'states')
    oldest = {}
    for span in sorted(spans, key=lambda span: span['args']['record']):
        key = span['args']['group'] + '/' + span['args']['purpose']
        entry = oldest.setdefault(key, [0, span['args']['sequence'], 'nccl:' + span['name']])
        entry[0] += 1
    same(oldest, wanted['incomplete_by_group'], 'open collectives by group')
    times = [span['ts_ns'] for span in spans]
    same([min(times, default=None), max(times, default=None)], [wanted['first_created_ns'], wanted['last_created_ns']], 'times')
    return 3 + len(wanted['names']) + len(wanted['states']) + 3 * len(oldest)


def compare_groups(hang, wanted):
    """Compares the last collective of each member of each group, and the members that are behind, with the expected
    values. Returns the number of compared values."""
    n = 0
    same(len(hang['groups']), len(wanted), 'groups with open collectives')
    for group in hang['groups']:
        members = {member['rank']: member for member in group['members']}
        found = wanted[f'{group["purpose"]} {sorted(members)}']
        status = {str(rank): [member['enqueued'], member['completed']] for rank, member in members.items() if member['open'] > 0}
        same(status, found['status'], 'status')
        top = [max(pair[i] for pair in status.values()) for i in range(2)]
        for i, key in enumerate(('enqueued_less', 'completed_less')):
            same([int(rank) for rank, pair in status.items() if pair[i] < top[i]], found[key], key)
        same([rank for rank, member in members.items() if member['open'] == 0], found['no_incomplete_entry'], 'ranks without open collectives')
        n += 2 * len(status) + 3
    return n


def check_indexed(cli, dumps, hang):
    """The indexes of dumps tell the same hang as the dumps."""
    with tempfile.TemporaryDirectory() as folder:
        cli.must('index', '--quiet', *dumps, '-o', folder)
        versions = [path.read_bytes()[8] for path in Path(folder).glob('*.loomidx')]
        same(versions, [9] * len(dumps), 'versions of the indexes')
        same(json.loads(cli.must('index', '--quiet', '--format', 'json', *dumps, '-o', folder).stdout)['n_made'], 0, 'indexes made again')
        same(report(cli, folder), hang, 'hang of the indexes')
        early = next(Path(folder).glob('*.loomidx'))
        early_index.write(early, 7, {section: content for section, content in early_index.read(early).items() if section != 22})
        check('spans' in cli.info(early)['sources'][0], 'an index of an early version')
        same(json.loads(cli.must('index', '--quiet', '--format', 'json', *dumps, '-o', folder).stdout)['n_made'], 1, 'early indexes made again')
        joined = Path(folder) / 'run.loomrun'
        cli.must('index', '--quiet', '--join', folder, '-o', joined)
        same(report(cli, joined), hang, 'hang of the joined indexes')


def check_oracle(cli, folder, shared):
    wanted = json.loads((folder / 'expected.json').read_text())
    job = shared / wanted['folder']
    n = 0
    for rank, dump in wanted['dumps'].items():
        n += compare_dump(cli.dump(job / f'_dump_{rank}'), dump)
    hang = report(cli, job)
    n += compare_groups(hang, wanted['behind_or_silent']['groups'])
    same({str(wait['rank']): wait['for'] for wait in hang['waits']}, wanted['wait_for'], 'which ranks wait for which')
    same([rank['rank'] for rank in hang['ranks'] if 'awaited' in rank['signs']], wanted['waited_for_but_waiting_for_none'], 'ranks that others wait for')
    same({str(rank['rank']): rank['groups_behind'] for rank in hang['ranks'] if rank['groups_behind'] > 0},
         wanted['completed_less_in_groups'], 'groups behind')
    same(sorted(suspects(hang)), wanted['injected_ranks'], 'suspects')
    same(hang['mismatches'], [], 'mismatches')
    check_indexed(cli, [job / f'_dump_{rank}' for rank in wanted['dumps']], hang)
    print(f'# {folder.name}: {n + len(wanted["wait_for"]) + 4} values equal')


# --- made-up dumps


def make_entry(record, sequence, state='scheduled', name='all_reduce', size=8, **members):
    return {'record_id': record, 'pg_id': 0, 'process_group': ('0', 'world'), 'collective_seq_id': sequence, 'p2p_seq_id': 0,
            'op_id': sequence, 'profiling_name': 'nccl:' + name, 'time_created_ns': START_NS + 1000000 * sequence,
            'time_discovered_started_ns': None, 'time_discovered_completed_ns': None, 'input_sizes': [[size]],
            'input_dtypes': ['Float'], 'output_sizes': [[size]], 'output_dtypes': ['Float'], 'state': state, 'retired': False,
            'timeout_ms': 600000, 'is_p2p': False, 'frames': [{'name': 'step', 'filename': 'train.py', 'line': 7}]} | members


def make_dump(entries, enqueued, completed, ranks='[0, 1, 2, 3]'):
    return {'version': '2.9', 'nccl_version': '2.27.3', 'pg_config': {'0': {'name': '0', 'desc': 'world', 'ranks': ranks}},
            'pg_status': {'0': {'last_enqueued_collective': enqueued, 'last_started_collective': -1, 'last_completed_collective': completed}},
            'entries': entries}


def make_job(last, done=None, **options):
    """Returns one dump per rank. Rank r has called the collectives 1 … last[r], and completed the first `done` of them (default:
    those that all ranks called)."""
    done = min(last) if done is None else done
    return [make_dump([make_entry(i - 1, i, 'completed' if i <= done else 'scheduled', **options) for i in range(1, n + 1)], n, done)
            for n in last]


def write(folder, dumps, protocol=2, name='nccl_trace_rank_{}'):
    for rank, dump in enumerate(dumps):
        (Path(folder) / name.format(rank)).write_bytes(pickle.dumps(dump, protocol))


def check_late(cli, folder):
    """Checks that a rank that called fewer collectives than the others is named, for dumps in every pickle protocol and
    in JSON."""
    dumps = make_job([5, 5, 3, 5])
    for protocol in range(2, 6):
        write(folder, dumps, protocol)
        hang = report(cli, folder)
        same(suspects(hang), {2: ['awaited']}, f'suspects, protocol {protocol}')
        same([wait['rank'] for wait in hang['waits']], [0, 1, 3], 'waiting')
    for path in Path(folder).iterdir():
        path.unlink()
    for rank, dump in enumerate(dumps):
        (Path(folder) / f'trace_{rank}.json').write_text(json.dumps(dump))
    same(suspects(report(cli, folder)), {2: ['awaited']}, 'suspects, JSON')
    same(cli.info(folder)['sources'][0]['format'], 'flight-recorder', 'format')


def check_numbers_as_text(cli, folder):
    dumps = make_job([5, 5, 3, 5])
    for dump in dumps:
        status = dump['pg_status']['0']
        dump['pg_status'] = {'0': {key: str(value) for key, value in status.items()}}
        dump['pg_config']['0']['ranks'] = [0, 1, 2, 3]
        for entry in dump['entries']:
            del entry['frames']
    write(folder, dumps)
    same(suspects(report(cli, folder)), {2: ['awaited']}, 'suspects')


def check_missing(cli, folder):
    """The dump of a rank that died is missing: that rank is named. A single dump alone names no rank."""
    dumps = make_job([5, 5, 3, 5])
    for dump in dumps:
        for entry in dump['entries']:
            entry['state'] = 'scheduled' if entry['collective_seq_id'] > 3 else 'completed'
    write(folder, dumps)
    (Path(folder) / 'nccl_trace_rank_2').unlink()
    hang = report(cli, folder)
    same(suspects(hang), {2: ['awaited', 'missing']}, 'suspects')
    same(hang['missing'], 1, 'missing')
    alone = report(cli, Path(folder) / 'nccl_trace_rank_0')
    same([suspects(alone), alone['missing']], [{}, 3], 'a single dump')


def check_mismatch(cli, folder):
    """Ranks that call different collectives are reported; different sizes are allowed for all_to_all."""
    dumps = make_job([4, 4, 4, 4], done=2)
    dumps[3]['entries'][3] = make_entry(3, 4, name='all_gather')
    dumps[1]['entries'][2] = make_entry(2, 3, size=9)
    write(folder, dumps)
    calls = [[(call['rank'], call['name'], call['sequence'], call['sizes']) for call in mismatch['calls']] for mismatch in report(cli, folder)['mismatches']]
    same(calls, [[(0, 'all_reduce', 3, '[8] Float → [8] Float'), (1, 'all_reduce', 3, '[9] Float → [9] Float')],
                 [(0, 'all_reduce', 4, '[8] Float → [8] Float'), (3, 'all_gather', 4, '[8] Float → [8] Float')]], 'mismatches')
    uneven = make_job([4, 4, 4, 4], done=2, name='all_to_all')
    uneven[2]['entries'][3]['input_sizes'] = [[3]]
    write(folder, uneven)
    same(report(cli, folder)['mismatches'], [], 'mismatches of all_to_all')


def check_sizes(cli, folder):
    """If only the sizes differ, the sizes are stated, not the names."""
    dumps = make_job([4, 4, 4, 4], done=2)
    dumps[3]['entries'][3] = make_entry(3, 4, size=9)
    write(folder, dumps)
    text = cli.must('report', '--quiet', '--format', 'text', folder).stdout
    check('number 4 of world, all_reduce, has the sizes [8] Float → [8] Float on rank 0 and [9] Float → [9] Float on rank 3' in text, text)


def check_stuck(cli, folder):
    """If all ranks are in the same collective, this is a hang, although no rank waits for another."""
    write(folder, make_job([5, 5, 5, 5], done=4))
    hang = report(cli, folder)
    same([suspects(hang), hang['waiting'], hang['stuck']], [{}, 0, [{'group': 0, 'name': 'all_reduce', 'sequence': 5, 'sizes': '[8] Float → [8] Float'}]], 'stuck')
    rules = json.loads(cli.must('rules', '--format', 'json', folder).stdout)
    check('All 4 ranks of world are in collective number 5' in json.dumps(rules), str(rules))
    dumps = make_job([5, 5, 5, 5], done=4)
    dumps[2] = make_job([5, 5, 6, 5], done=4)[2]
    dumps[2]['entries'][4]['state'] = 'completed'
    write(folder, dumps)
    same(report(cli, folder)['stuck'], [], 'stuck, if one rank has completed the collective')


def check_incomplete(cli, folder):
    """A dump that was cut before it states the calls of its rank does not make that rank late."""
    write(folder, make_job([5, 5, 5, 5], done=4))
    path = Path(folder) / 'nccl_trace_rank_0'
    path.write_bytes(path.read_bytes()[:path.read_bytes().index(b'last_enqueued')])
    result = cli('report', '--format', 'json', folder)
    same(result.returncode, harness.INCOMPLETE, 'exit')
    hang = json.loads(result.stdout)['computed']['hang']
    same([suspects(hang), hang['waits'], hang['stuck'], hang['incomplete'], hang['ranks'][0]['signs']], [{}, [], [], 1, ['incomplete']], 'hang')
    words = cli('report', '--quiet', '--format', 'text', folder).stdout
    check('unknown whether the job waits for rank 0' in words, words)


def check_deadlock(cli, folder):
    """Two ranks call the collectives of two groups in opposite orders, so each waits for the other, and neither is blamed."""
    dumps = []
    for rank, (mine, other) in enumerate([('0', '1'), ('1', '0')]):
        dump = make_dump([make_entry(0, 1, pg_id=int(mine), process_group=(mine, 'group ' + mine))], 0, 0)
        dump['pg_config'] = {name: {'name': name, 'desc': 'group ' + name, 'ranks': '[0, 1]'} for name in '01'}
        dump['pg_status'] = {name: {'last_enqueued_collective': int(name == mine), 'last_completed_collective': 0} for name in '01'}
        dumps.append(dump)
    write(folder, dumps)
    hang = report(cli, folder)
    same([suspects(hang), hang['waiting']], [{}, 2], 'suspects')


def check_older(cli, folder):
    """If a rank has two dumps, the newer one is used."""
    write(folder, make_job([5, 5, 3, 5]))
    (Path(folder) / 'old_2').write_bytes(pickle.dumps(make_job([5, 5, 1, 5])[2], 2))
    hang = report(cli, folder)
    same([hang['older_dumps'], hang['dumps']], [1, 4], 'dumps')
    same([member['enqueued'] for member in hang['groups'][0]['members']], [5, 5, 3, 5], 'called')


def page_words(folder, cli):
    """Returns the texts of the HTML report, one for each cell or sentence."""
    page = Path(folder) / 'page.html'
    dumps = Path(folder) / 'dumps'
    cli.must('report', '--quiet', '-o', page, dumps)
    return [words.strip() for words in re.findall(r'>([^<>]+)<', page.read_text())]


def check_completes_less(cli, folder):
    """A rank that called as many collectives as the others, but completed fewer, is not reported as late."""
    dumps = make_job([5, 5, 5, 5], done=4)
    dumps[2] = make_job([5, 5, 5, 5], done=2)[2]
    (Path(folder) / 'dumps').mkdir()
    write(Path(folder) / 'dumps', dumps)
    same(suspects(report(cli, Path(folder) / 'dumps')), {2: ['completes_less']}, 'suspects')
    words = page_words(folder, cli)
    check('step (train.py:7)' in words and 'Called From' in words, 'call site')
    same([words.count('completed fewer collectives'), words.count('the job waits for this rank')], [3, 0], 'words of the three tables')
    write(Path(folder) / 'dumps', make_job([5, 5, 3, 5]))
    check('the job waits for this rank' in page_words(folder, cli), 'a rank that others wait for is not named')


def check_many_ranks(cli, folder):
    """With many ranks the table of ranks is truncated and says so."""
    dumps = make_job([5, 5])
    for dump in dumps:
        dump['pg_config']['0']['ranks'] = str(list(range(1100)))
    (Path(folder) / 'dumps').mkdir()
    write(Path(folder) / 'dumps', dumps)
    check('The table “What each rank is doing” does not show 76 more rows.' in page_words(folder, cli), 'the page does not say that rows are omitted')


def check_shortened_ranks(cli, folder):
    """PyTorch truncates long lists of ranks: then the members of a group are the ranks whose dumps list that group."""
    dumps = make_job([5, 5, 3, 5])
    for dump in dumps:
        dump['pg_config']['0']['ranks'] = '[0, 1, ..., 3]'
    write(folder, dumps)
    same(suspects(report(cli, folder)), {2: ['awaited']}, 'suspects')


def check_timeline(cli, folder):
    """A span lasts from the call to the completion of its collective. A span without a completion lasts until the
    latest time in the dump, and is counted in the import log. Args contain times and the call stack."""
    entry = make_entry(7, 8, 'completed', time_discovered_completed_ns=START_NS + 9500000, time_discovered_started_ns=START_NS + 8200000)
    late = make_entry(9, 10, timeout_ms=1, time_created_ns=START_NS)
    write(folder, [make_dump([entry, make_entry(8, 9), late], 9, 8)], name='nccl_trace_rank_{}')
    events = cli.dump(folder)
    spans = {event['args']['sequence']: event for event in events if event['ph'] == 'X'}
    same([spans[8]['ts_ns'], spans[8]['dur_ns']], [START_NS + 8000000, 1500000], 'completed')
    same(spans[8]['args']['started_after_ns'], 200000, 'started')
    # Two process groups: the call that hangs is the only one of its track, and lasts until the latest time in the dump.
    other = make_entry(10, 1, name='hangs', pg_id=1, process_group=('1', 'pair'), time_created_ns=START_NS + 9100000)
    dump = make_dump([entry, make_entry(8, 9), late, other], 9, 8)
    dump['pg_config']['1'] = {'name': '1', 'desc': 'pair', 'ranks': '[0, 1]'}
    with tempfile.TemporaryDirectory() as single:
        write(single, [dump])
        lasting = {event['name']: event['dur_ns'] for event in cli.dump(single) if event['ph'] == 'X'}
        problems = {problem['code']: problem['count'] for problem in cli.info(single)['sources'][0]['problems']}
    same(lasting['hangs'], 400000, 'call that hangs')
    same(problems['open-span'], 3, 'spans without an end')
    same([event['ts_ns'] for event in events if event['name'] == 'watchdog timeout'], [START_NS + 1000000], 'timeout')
    same(spans[9]['thread'], 'world [0, 1, 2, 3]', 'track')
    source = cli.info(folder)['sources'][0]
    same([source['rank'], source['clock']['state']], [0, 'exact'], 'source')
    problems = {problem['code']: problem['message'] for problem in source['problems']}
    check('7 earlier' in problems['ring-overwritten'], str(problems))


def check_open_together(cli, folder):
    """A call without a completion lasts until the latest time of all dumps that are opened together, here the call of
    rank 0. Its timeout is shown if it expired before that time. Times that are not credible do not count."""
    early, end = make_entry(0, 1, name='hangs', timeout_ms=4), make_entry(0, 9, 'completed', time_discovered_completed_ns=START_NS + 9500000)
    far = make_entry(0, 1, time_created_ns=6 * 10 ** 18)
    write(folder, [make_dump([end], 9, 9), make_dump([early], 1, 0), make_dump([far], 1, 0)])
    events = [event for event in cli.dump(folder) if event['cat'] == 'flight_recorder']
    same([[event['ts_ns'], event['dur_ns']] for event in events if event['name'] == 'hangs'], [[START_NS + 1000000, 8500000]], 'call that hangs')
    same([event['ts_ns'] for event in events if event['name'] == 'watchdog timeout'], [START_NS + 5000000], 'timeout')
    alone = [event['dur_ns'] for event in cli.dump(Path(folder) / 'nccl_trace_rank_1') if event['ph'] == 'X']
    same(alone, [0], 'the dump alone')


def check_attempts(cli, folder):
    """A job was started again, and both attempts wrote dumps of the same ranks. A call that never completed lasts until
    the latest dump of the same hang. If its rank has a newer dump, only the latest time of its own dump counts.
    Otherwise, dumps that are later than the longest timeout of the calls belong to another hang and do not count. The
    timeout of the call is not shown, because it expired after these times."""
    later = 4 * 3600 * 1000  # ms
    hangs = [make_entry(0, 1, name='hangs', timeout_ms=600000), make_entry(0, 9, 'completed')]
    again = [make_entry(0, 1 + later, name='again'), make_entry(0, 9 + later, 'completed')]
    write(folder, [make_dump(hangs[:1], 2, 0), make_dump(hangs[1:], 2, 1)])
    (Path(folder) / 'again_1').write_bytes(pickle.dumps(make_dump(again[1:], 2, 1), 2))
    events = [event for event in cli.dump(folder) if event['cat'] == 'flight_recorder']
    same([event['dur_ns'] for event in events if event['name'] == 'hangs'], [8000000], 'rank 0, without a newer dump')
    (Path(folder) / 'again_0').write_bytes(pickle.dumps(make_dump(again[:1], 2, 0), 2))
    events = [event for event in cli.dump(folder) if event['cat'] == 'flight_recorder']
    same([event['dur_ns'] for event in events if event['name'] == 'hangs'], [0], 'rank 0, with a newer dump')
    same([event['dur_ns'] for event in events if event['name'] == 'again'], [8000000], 'second attempt')
    same([event for event in events if event['name'] == 'watchdog timeout'], [], 'timeout')


def check_no_time(cli, folder):
    """Entries without a usable time are skipped and counted. An empty pg_status in the dump does not cause a
    warning."""
    dump = make_dump([make_entry(0, 1)] + [make_entry(i, i, time_created_ns=time) for i, time in ((2, -5), (3, 'abc'), (4, 2 ** 70))], 1, 0)
    dump['pg_status'] = {}
    write(folder, [dump])
    source = cli.info(folder)['sources'][0]
    same(source['spans'], 1, 'spans')
    same({problem['code']: problem['count'] for problem in source['problems'] if problem['severity'] != 'info'}, {'no-time': 3}, 'problems')


def check_rank(cli, folder):
    """The rank is taken from the groups rather than from the file name; a message says so if they disagree."""
    dump = make_dump([make_entry(0, 1)], 1, 0)
    dump['pg_config']['1'] = {'name': '1', 'desc': 'alone', 'ranks': '[3]'}
    (Path(folder) / '_dump_1').write_bytes(pickle.dumps(dump, 2))
    source = cli.info(folder)['sources'][0]
    same(source['rank'], 3, 'rank')
    check(any(problem['code'] == 'rank-disagrees' for problem in source['problems']), str(source))


# --- damage


def check_cut(cli, folder):
    """Of a truncated dump, the complete entries before the cut are kept."""
    data = pickle.dumps(make_job([50, 50, 3, 50])[0], 2)
    path = Path(folder) / '_dump_0'
    n_before = 0
    for n in range(1000, len(data), 700):
        path.write_bytes(data[:n])
        result = cli('info', '--format', 'json', path)
        same(result.returncode, harness.INCOMPLETE, f'exit, cut at {n}: {result.stderr}')
        source = json.loads(result.stdout)['sources'][0]
        check(source['spans'] >= n_before, f'{source["spans"]} spans after {n} bytes')
        n_before = source['spans']
        check(any(problem['code'] == 'truncated' for problem in source['problems']), str(source['problems']))
    check(n_before >= 48, f'{n_before} spans at last')


def check_flips(cli, folder):
    """Of a dump with one wrong byte, the entries before that byte are kept; only values that depend on the byte may differ."""
    data = pickle.dumps(make_job([50, 50, 3, 50])[0], 2)
    path = Path(folder) / '_dump_0'
    n_damaged = 0
    for n in range(1500, len(data), 397):
        path.write_bytes(data[:n] + bytes([data[n] ^ 0x40]) + data[n + 1:])
        result = cli('info', '--format', 'json', path)
        check(result.returncode in (harness.DONE, harness.INCOMPLETE), f'exit, byte {n}: {result.returncode} {result.stderr}')
        source = json.loads(result.stdout)['sources'][0]
        is_damaged = any(problem['code'] in ('damaged', 'truncated') for problem in source['problems'])
        n_damaged += is_damaged
        check(source['spans'] >= (50 * (n - 1500) // len(data) if is_damaged else 48), f'{source["spans"]} spans, byte {n}')
    check(n_damaged > 5, f'{n_damaged} damaged')


class Harmful:
    def __reduce__(self):
        return print, ('run',)


def check_objects(cli, folder):
    """A pickle that would create objects is refused, and none of its content is used."""
    dump = make_dump([make_entry(0, 1)], 1, 0)
    for protocol in (2, 4):
        path = Path(folder) / '_dump_0'
        path.write_bytes(pickle.dumps(dump | {'more': Harmful()}, protocol))
        result = cli('info', path)
        same(result.returncode, harness.FAILED, 'exit')
        check('Python objects (opcode 0x' in result.stdout + result.stderr, result.stderr)


def check_hostile(cli, folder):
    """Lists that contain themselves, shared values and absurd numbers neither hang nor crash the program."""
    dump = make_dump([], 10**30, -10**30)
    again = []
    again.append(again)
    entry = make_entry(0, 1, input_sizes=[[10**18, -5, 10**40]], frames=again, timeout_ms=2**62, time_created_ns=-5)
    dump['entries'] = [entry] * 5000 + [again, None, 7, 'x', {}, {'process_group': again, 'time_created_ns': 2**63 - 1}]
    dump['pg_config'][again.__class__.__name__] = {'ranks': again, 'name': None}
    dump['pg_status']['x'] = again
    path = Path(folder) / '_dump_0'
    for protocol in (2, 4):
        path.write_bytes(pickle.dumps(copy.copy(dump), protocol))
        result = cli('report', '--format', 'json', '-o', '-', path, timeout=60)
        check(result.returncode in (harness.DONE, harness.INCOMPLETE), f'exit {result.returncode}: {result.stderr}')


def check_wrong_dicts(cli, folder):
    path = Path(folder) / '_dump_0'
    path.write_bytes(pickle.dumps({'weights': [1, 2]}, 2))
    result = cli('info', path)
    check('a Python pickle, not a trace' in result.stdout + result.stderr, result.stderr)


def in_folder(function, cli):
    with tempfile.TemporaryDirectory() as folder:
        function(cli, folder)


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    shared = harness.shared_folder('.').resolve()
    for folder in sorted((shared / 'oracle').glob('flight-recorder-*')):
        tap.case(folder.name, check_oracle, cli, folder, shared)
    for function in (check_late, check_numbers_as_text, check_missing, check_mismatch, check_sizes, check_stuck, check_incomplete, check_deadlock, check_older, check_completes_less, check_many_ranks,
                     check_shortened_ranks, check_timeline, check_open_together, check_attempts, check_no_time, check_rank, check_cut, check_flips, check_objects, check_hostile, check_wrong_dicts):
        tap.case(function.__name__, in_folder, function, cli)
    tap.done()


main()
