# SPDX-License-Identifier: Apache-2.0
"""Tests traceloom-cli align: eight real ranks on one clock, generated ranks with known offsets, cases that must be
refused, and the alignment stored in a merged file."""

import json
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'tools'))
from harness import OUT, SAMPLE, Cli, Tap, check, folder, generate, generate_parallel, need, same, shared_folder  # noqa: E402
from sample_run.base import T0  # noqa: E402
from sample_run.kineto import CLOCKS  # noqa: E402

TOOL = shared_folder('tools') / 'make-chrome-trace.py'
PARALLEL = shared_folder('tools') / 'make-parallel-run.py'
DLRM = shared_folder('corpus') / 'param' / 'dlrm_kineto'
ORACLE = shared_folder('oracle') / 'align-dlrm' / 'expected.json'
MINUTE = ['--threads', 1, '--depth', 1, '--events', 6000, '--pause-us', 600000, '--drift-ppm', 20]
MEMBERS = ['measured_offset_ns', 'measured_offset_error_ns', 'measured_drift_ppb', 'measured_drift_error_ppb', 'pairs', 'rejected', 'residual_median_ns', 'residual_p95_ns', 'residual_max_ns', 'verdict', 'why']


def align(cli, *args):
    return json.loads(cli.must('align', '--quiet', '--format', 'json', *args).stdout)


def make(place, name, *options):
    """Generates files; returns their folder, base time and the true clock of each file."""
    path = Path(place) / name
    truth = json.loads(generate(path, TOOL.name, OUT, *options))
    return path, truth['base_us'], {rank['file']: rank for rank in truth['ranks']}


def errors(document, base_us, truth):
    """Returns the maximum error of the offsets in µs during the recorded minute, and the maximum error of the drifts in ppb, both
    relative to the lowest rank of each component."""
    worst_us = worst_ppb = 0.0
    for component in document['components']:
        sources = [document['sources'][i] for i in component]
        reference = truth[Path(min(sources, key=lambda source: source['rank'])['path']).name]
        for source in sources:
            own, clock = truth[Path(source['path']).name], source['clock']
            ratio = (1 + reference['drift_ppm'] / 1e6) / (1 + own['drift_ppm'] / 1e6)
            worst_ppb = max(worst_ppb, abs(clock['drift_ppb'] - (ratio - 1) * 1e9))
            for rel in (0.0, 3e7, 6e7):
                local = rel * (1 + own['drift_ppm'] / 1e6) + own['offset_us']
                wanted = rel * (1 + reference['drift_ppm'] / 1e6) + reference['offset_us']
                since_us = local - (clock['reference_ns'] // 1000 - base_us) if clock['reference_ns'] else 0
                got = local + clock['offset_ns'] / 1e3 + clock['drift_ppb'] * 1e-9 * since_us
                worst_us = max(worst_us, abs(got - wanted))
    return worst_us, worst_ppb


def many_ranks(n):
    ranks = ['--ranks', n]
    return [(f'{n}', ranks, 1), (f'{n} corrupt', [*ranks, '--corrupt', 0.2], 1), (f'{n} late', [*ranks, '--late', 30], 1),
            (f'{n} in two groups', [*ranks, '--groups', 2, '--own-base'], 2), (f'{n} less one', ranks, 1)]


def matrix(cli, place):
    """Offsets are recovered within 5 µs and drifts within 50 ppb if the times have a jitter of 2 µs. If LOOM_LONG is
    set, runs of many ranks are tested, too."""
    cases = [('2', ['--ranks', 2], 1), ('8', ['--ranks', 8], 1), ('8 corrupt', ['--ranks', 8, '--corrupt', 0.2], 1),
             ('8 late', ['--ranks', 8, '--late', 30], 1), ('8 in two groups', ['--ranks', 8, '--groups', 2, '--own-base'], 2),
             ('9 less one', ['--ranks', 9], 1), ('4 chrome', ['--ranks', 4, '--style', 'chrome'], 1)]
    if 'LOOM_LONG' in os.environ:
        cases += [case for n in (64, 512) for case in many_ranks(n)]
    print(f'# {"case":16} {"offset µs":>10} {"drift ppb":>10}')
    for name, options, n_components in cases:
        path, base_us, truth = make(place, name, *MINUTE, *options)
        if name.endswith('less one'):
            (path / 'rank-4.pt.trace.json').unlink()
        document = align(cli, path)
        worst_us, worst_ppb = errors(document, base_us, truth)
        print(f'# {name:16} {worst_us:10.3f} {worst_ppb:10.2f}')
        same(len(document['components']), n_components, f'{name}: components')
        same(sum(map(len, document['components'])), len(document['sources']), f'{name}: connected')
        check(worst_us < 5 and worst_ppb < 50, f'{name}: {worst_us} µs, {worst_ppb} ppb')
        shutil.rmtree(path)
        for source in document['sources']:
            # If a fifth of each rank's times is wrong, more than a third of the events of some pairs of ranks is affected: the fit
            # is reported as doubtful, but must still be correct.
            known = ('good', 'doubtful') if name.endswith('corrupt') and len(document['sources']) > 8 else ('good',)
            check(source['clock']['verdict'] in known, f'{name}: {source["clock"]}')
            same(list(source['clock'])[-len(MEMBERS):], MEMBERS, 'members of a clock')


def calls(cli, place):
    """Kernels without collective information are matched through the calls record_param_comms that launch them. Rank 1
    has no kernels for the first two of the twelve collectives."""
    path = Path(place) / 'calls'
    path.mkdir()
    for rank in range(2):
        events, off = [], 40 * rank
        for i in range(12):
            at, call = 1000 * i + 7 * i * i + off, 500 + 3 * i + rank
            events.append({'ph': 'X', 'cat': 'cpu_op', 'name': 'record_param_comms', 'pid': 9, 'tid': 9, 'ts': at - 100, 'dur': 20,
                           'args': {'External id': call, 'Collective name': 'allreduce', 'Seq': i, 'Process Group Name': '0'}})
            if rank == 0 or i > 1:
                events.append({'ph': 'X', 'cat': 'kernel', 'name': 'ncclKernel_AllReduce', 'pid': 0, 'tid': 20, 'ts': at, 'dur': 50,
                               'args': {'External id': call, 'stream': 20}})
        document = {'schemaVersion': 1, 'distributedInfo': {'rank': rank}, 'baseTimeNanoseconds': 1735632360000000000, 'traceEvents': events}
        (path / f'rank{rank}.1.pt.trace.json').write_text(json.dumps(document))
    clock = align(cli, path)['sources'][1]['clock']
    same((clock['pairs'], clock['verdict'], clock['offset_ns']), (10, 'good', -40000), f'a clock told by calls: {clock}')


def declared(cli, place):
    """--clock declared and --clock none disable the fit."""
    path, _, _ = make(place, 'declared', *MINUTE, '--ranks', 2)
    for word in ('declared', 'none'):
        document = align(cli, '--clock', word, path)
        same(document['components'], [], word)
        for source in document['sources']:
            clock = source['clock']
            same((clock['state'], clock['offset_ns'], clock['pairs'], clock['verdict']), ('exact', 0, 0, 'declared'), word)
    fitted = align(cli, path)['sources'][1]['clock']
    same((fitted['state'], fitted['basis'], fitted['verdict']), ('synchronised', 'fit', 'good'), 'default of --clock')
    check('aligned to that of rank 0' in cli.must('info', path).stderr, 'the fit is not announced')
    text = cli.must('align', '--format', 'text', path).stdout
    check('before' in text and 'after' in text and 'Run together' in text, text)


def rewrite(path, change):
    document = json.loads(path.read_text())
    for event in document['traceEvents']:
        if 'ts' in event:
            change(event)
    path.write_text(json.dumps(document))


def step_back(event):
    if event['ts'] > 30e6:
        event['ts'] = round(event['ts'] - 400, 3)


def refused(cli, place):
    """A clock with a jump and ranks of another job are reported with a reason and not changed."""
    path, _, _ = make(place, 'steps', *MINUTE, '--ranks', 8)
    rewrite(path / 'rank-5.pt.trace.json', step_back)
    document = align(cli, path)
    clock = document['sources'][5]['clock']
    check(clock['verdict'] == 'refused' and 'jumps by' in clock['why'] and clock['offset_ns'] == 0, clock)
    same(document['components'], [[0, 1, 2, 3, 4, 6, 7]], 'the other ranks')
    other, _, _ = make(place, 'other', *MINUTE, '--ranks', 8, '--seed', 5)
    shutil.copy(other / 'rank-5.pt.trace.json', path)
    document = align(cli, path)
    clock = document['sources'][5]['clock']
    check(clock['verdict'] == 'refused' and clock['offset_ns'] == 0 and clock['why'], clock)
    same(document['components'], [[0, 1, 2, 3, 4, 6, 7]], 'components without the rank of another job')


def two_jobs(cli, place):
    """Two jobs in one folder are fitted separately."""
    make(place, 'jobs/a', *MINUTE, '--ranks', 2)
    make(place, 'jobs/b', *MINUTE, '--ranks', 2, '--seed', 5)
    document = align(cli, Path(place) / 'jobs')
    same(document['components'], [[0, 1], [2, 3]], 'components')
    same([source['clock']['offset_ns'] == 0 for source in document['sources']], [True, False, True, False], 'ranks whose clock moved')
    check('different runs' in cli.must('align', Path(place) / 'jobs').stderr, 'no message says so')
    later = Path(place) / 'jobs' / 'later.json'
    later.write_text(json.dumps({'schemaVersion': 1, 'baseTimeNanoseconds': 2000000000 * 10**9,
                                 'traceEvents': [{'ph': 'X', 'cat': 'kernel', 'name': 'k', 'pid': 0, 'tid': 7, 'ts': 1, 'dur': 9}]}))
    words = cli.must('align', Path(place) / 'jobs').stderr
    check('days apart' in words and words.count('different runs') == 1, f'both are told: {words}')


def make_parallel(place, name, *options):
    path = Path(place) / name
    generate_parallel(path, *options)
    return path


def stages(cli, place):
    """Pipeline stages that exchange too few messages to compute a clock offset count as parts of one run. Stages whose messages
    contradict each other count as two runs."""
    for name, options in ('plain', []), ('even', ['--jitter', 0]), ('four', ['--pp', 4]), ('skewed', ['--clock-us', 500, '--seed', 7]):
        path = make_parallel(place, f'stages/{name}', '--dp', 2, '--tp', 2, '--pp', 2, *options)
        result = cli.must('align', '--format', 'json', path)
        n = 4 if name == 'four' else 2
        same(json.loads(result.stdout)['components'], [list(range(4 * i, 4 * i + 4)) for i in range(n)], name)
        check('different runs' not in result.stderr, result.stderr)
        check('share too few events to be compared' in result.stderr, result.stderr)
    both = Path(place) / 'stages' / 'both'
    for name in 'plain', 'skewed':
        both.mkdir(exist_ok=True)
        shutil.move(Path(place) / 'stages' / name, both / name)
    words = cli.must('align', both).stderr
    check('different runs' in words, f'two runs: {words}')


def real_ranks(cli):
    """Eight ranks on one machine share a clock, so none moves by more than 5 µs."""
    document = align(cli, DLRM)
    same(document['components'], [list(range(8))], 'components')
    for source in document['sources']:
        clock = source['clock']
        check(abs(clock['offset_ns']) <= 5000 and clock['pairs'] == 8, clock)
        check(clock['residual_max_ns'] <= max(c['end_spread_us'] for c in json.loads(ORACLE.read_text())['collectives']) * 1000, clock)


def shifted_ranks(cli, place):
    """Artificial shifts of real ranks are recovered within 5 µs."""
    path = Path(place) / 'shifted'
    shutil.copytree(DLRM, path)
    shifts_us = {'worker2_': 12345, 'worker5_': -987654, 'worker7_': 41}
    for start, shift_us in shifts_us.items():
        def shift(event, by_us=shift_us):
            event['ts'] += by_us
        rewrite(next(path.glob(f'{start}*')), shift)
    for source in align(cli, path)['sources']:
        name, clock = Path(source['path']).name, source['clock']
        shift_us = next((us for start, us in shifts_us.items() if name.startswith(start)), 0)
        check(abs(clock['offset_ns'] + shift_us * 1000) <= 5000, f'{name}: {clock}')


def steady(cli, place):
    """A constant offset is found if all pairs of ranks together determine it, although single pairs scatter. If there is no
    offset, none is reported."""
    planted_us = 120
    for seed in range(3):
        path, _, _ = make(place, f'steady {seed}', '--threads', 1, '--depth', 1, '--events', 5000, '--ranks', 8, '--offset-us', 0,
                          '--jitter-us', 30, '--pause-us', 20000, '--seed', seed)
        for source in align(cli, path)['sources']:
            same((source['clock']['state'], source['clock']['offset_ns']), ('exact', 0), f'{source["path"]}: healthy')
        rewrite(path / 'rank-5.pt.trace.json', lambda event: event.__setitem__('ts', round(event['ts'] + planted_us, 3)))
        for source in align(cli, path)['sources']:
            clock = source['clock']
            same(clock['basis'] == 'fit', source['rank'] == 5, f'who moves: {clock}')
            if source['rank'] == 5:
                check(clock['residual_p95_ns'] > planted_us * 100, f'more than a tenth of the offset: {clock}')
                check(0 < clock['offset_error_ns'] < 12000 and clock['drift_error_ppb'] is None, f'its own uncertainty: {clock}')
                check(abs(clock['offset_ns'] + planted_us * 1000) <= 1.5 * clock['offset_error_ns'], f'{clock}')
                same((clock['measured_offset_ns'], clock['measured_offset_error_ns']), (clock['offset_ns'], clock['offset_error_ns']), 'measured')
            else:
                check(clock['offset_error_ns'] is None and (clock['measured_offset_error_ns'] is None) == (source['rank'] == 0), clock)
        text = cli.must('align', '--quiet', '--format', 'text', path).stdout
        n_measured = sum(line.startswith('    measured ') for line in text.splitlines())
        same((text.count(' earlier ± '), text.count('(95 %)')), (1 + n_measured - text.count(' later ± '), 7), text)
        check('earlier ± ' in cli.must('info', '--quiet', '--format', 'text', path).stdout, 'info does not say so')


def sample(cli):
    """The traces of the Kineto ranks in the sample have artificial clock offsets, which must be found. The traces of the Composer ranks
    state their own offsets, and these must not be changed."""
    document = align(cli, SAMPLE / 'llama-8b')
    kineto = sorted((s for s in document['sources'] if s['format'] == 'kineto'), key=lambda source: source['rank'])
    for source, true in zip(kineto, CLOCKS):
        clock = source['clock']
        off_ns = true.offset_ns + true.drift_ppb * (clock['reference_ns'] - T0) / 1e9 if clock['basis'] == 'fit' else 0
        same((clock['verdict'], clock['pairs'], clock['drift_ppb']), ('good', 12, 0), source['path'])
        check(abs(clock['offset_ns'] + off_ns) < 20000, f'{clock} against {off_ns}')
    same([source['clock']['basis'] for source in kineto[1:]], ['fit'] * 3, 'fitted')
    for source in document['sources']:
        if source['format'] == 'composer':
            check(source['clock']['basis'].startswith('barrier time') and source['clock']['verdict'] == 'declared', source['clock'])
    declared_only = {s['path']: s['clock']['offset_ns'] for s in align(cli, '--clock', 'declared', SAMPLE / 'llama-8b')['sources']}
    same({s['path']: s['clock']['offset_ns'] for s in document['sources'] if s['format'] == 'composer'},
         {s['path']: declared_only[s['path']] for s in document['sources'] if s['format'] == 'composer'}, 'composer')


def read_back(cli, place):
    """A merged file contains the fitted times and reads back with the same times and clocks."""
    path, _, _ = make(place, 'back', *MINUTE, '--ranks', 3, '--own-base')
    merged = Path(place) / 'merged.json'
    cli.must('merge', '--quiet', '-o', merged, path)
    before, after = cli.dump('--no-args', path), cli.dump('--no-args', merged)
    same(sorted((line['ts_ns'], line['name'], line['rank']) for line in after),
         sorted((line['ts_ns'], line['name'], line['rank']) for line in before), 'times')
    clocks = json.loads(merged.read_text())['otherData']['traceloom']['clocks']
    for clock, source in zip(clocks, align(cli, path)['sources']):
        for member in ('offset_ns', 'reference_ns', 'state', 'basis'):
            same(clock[member], source['clock'][member], member)
    same(align(cli, merged)['components'], [], 'components of a merged file')


def by_hand(cli, place):
    """A session may store clock offsets, and pairs of events that the user aligned with each other. Every verb applies
    both, and a merged file contains the resulting times and clocks."""
    path, _, _ = make(place, 'by-hand', *MINUTE, '--ranks', 3)
    ends = {rank: [line for line in cli.dump('--no-args', '--clock', 'declared', path) if line['rank'] == rank and 'nccl' in line['name'].lower()]
            for rank in (0, 2)}
    kept, moved = ends[0][3], ends[2][4]
    session = Path(place) / 'by-hand.traceloom'
    session.write_text(json.dumps({
        'traceloom-session': 1, 'clock': 'declared', 'sources': [{'path': 'by-hand'}],
        'offsets': [{'path': 'by-hand/rank-1.pt.trace.json', 'offset_ns': -4321}],
        'picks': [{'kept': 'by-hand/rank-0.pt.trace.json', 'kept_ns': kept['ts_ns'],
                   'moved': 'by-hand/rank-2.pt.trace.json', 'moved_ns': moved['ts_ns']}]}))
    clocks = [source['clock'] for source in align(cli, session)['sources']]
    same([clock['offset_ns'] for clock in clocks], [0, -4321, kept['ts_ns'] - moved['ts_ns']], 'offsets')
    same([clock['user_offset_ns'] for clock in clocks], [0, -4321, 0], 'user_offset_ns')
    check("user's offset 4.321 µs earlier" in cli.must('align', '--quiet', '--format', 'text', session).stdout, 'the text does not name the offset')
    same(clocks[2]['basis'], 'manually selected events', 'basis')
    same([source['clock']['offset_ns'] for source in align(cli, '--offset', '1=5', session)['sources']][1], 5, '--offset is added to the offset of the session')
    fitted = [source['clock']['offset_ns'] for source in align(cli, path)['sources']]
    same([source['clock']['offset_ns'] for source in align(cli, '--clock', 'auto', session)['sources']][1], fitted[1] - 4321, '--offset is added to the fitted offset')
    merged = Path(place) / 'by-hand.json'
    cli.must('merge', '--quiet', '-o', merged, session)
    times = [sorted((line['ts_ns'], line['name'], line['rank']) for line in cli.dump('--no-args', what)) for what in (session, merged)]
    same(times[1], times[0], 'times read back')
    written = json.loads(merged.read_text())['otherData']['traceloom']['clocks']
    same([clock['user_offset_ns'] for clock in written], [0, -4321, 0], 'user offsets')
    same([clock['offset_ns'] for clock in written], [clock['offset_ns'] for clock in clocks], 'written offsets')
    same(written[2]['basis'], 'manually selected events', 'written basis')


def twice(cli, place):
    """A rank that occurs twice, as a copy of its file or as a second recording, is not reported as another run."""
    path, _, _ = make(place, 'twice', *MINUTE, '--ranks', 4)
    shutil.copy(path / 'rank-2.pt.trace.json', path / 'z-copy.pt.trace.json')
    result = cli.must('align', '--format', 'json', path)
    document = json.loads(result.stdout)
    copy, = [source for source in document['sources'] if source['path'].endswith('copy.pt.trace.json')]
    same(copy['clock']['verdict'], 'refused', str(copy['clock']))
    check('another source of rank 2 is the same recording: it is open twice' in copy['clock']['why'], copy['clock']['why'])
    check('z-copy.pt.trace.json' in result.stderr and 'remove one of them' in result.stderr, result.stderr)
    check('different runs' not in result.stderr, result.stderr)
    same([len(component) for component in document['components']], [4], 'the other ranks')
    rewrite(path / 'z-copy.pt.trace.json', lambda event: event.update(ts=round(event['ts'] + 1, 3)))
    document = align(cli, path)
    second, = [source for source in document['sources'] if source['path'].endswith('copy.pt.trace.json')]
    check('a second recording of that rank, or a recording of another run' in second['clock']['why'], second['clock']['why'])
    twice_stepping(cli, place)
    twice_in_folders(cli, place)


def twice_stepping(cli, place):
    """A copy of a rank's file does not hide the reason why that rank was not fitted."""
    path, _, _ = make(place, 'twice-steps', *MINUTE, '--ranks', 8)
    rewrite(path / 'rank-5.pt.trace.json', step_back)
    shutil.copy(path / 'rank-5.pt.trace.json', path / 'z-copy.pt.trace.json')
    result = cli.must('align', '--format', 'json', path)
    check('rank 5: its clock was not aligned: the clock jumps by' in result.stderr, result.stderr)
    same(result.stderr.count('was not aligned'), 1, 'the reason is reported for the original only')
    document = json.loads(result.stdout)
    original, copy = document['sources'][5]['clock'], document['sources'][8]['clock']
    check(original['verdict'] == 'refused' and 'jumps by' in original['why'], original)
    check(copy['verdict'] == 'refused' and 'it is open twice' in copy['why'], copy)
    same(document['components'], [[0, 1, 2, 3, 4, 6, 7]], 'the other ranks')


def twice_in_folders(cli, place):
    """Files with equal names are distinguished by the first folders that differ, and a fit is reported once."""
    make(place, 'days/mon/kineto', *MINUTE, '--ranks', 2)
    days = Path(place) / 'days'
    shutil.copytree(days / 'mon', days / 'tue')
    result = cli.must('align', '--format', 'json', days)
    name = 'rank-0.pt.trace.json'
    check(f'“tue/…/{name}” is the same recording as “mon/…/{name}”, and 1 more recording is open twice' in result.stderr, result.stderr)
    same(result.stderr.count('that share events was aligned'), 1, result.stderr)
    same(json.loads(result.stdout)['components'], [[0, 1]], 'the first source of each rank')


def main():
    need(TOOL, PARALLEL, DLRM, ORACLE)
    cli, tap = Cli(sys.argv[1]), Tap()
    with folder() as place:
        tap.case('known offsets and drifts', matrix, cli, place)
        tap.case('kernels matched by record_param_comms', calls, cli, place)
        tap.case('declared clocks only', declared, cli, place)
        tap.case('clocks that cannot be fitted', refused, cli, place)
        tap.case('a rank that occurs twice', twice, cli, place)
        tap.case('two jobs', two_jobs, cli, place)
        tap.case('stages of a pipeline', stages, cli, place)
        tap.case('real ranks', real_ranks, cli)
        tap.case('shifted ranks', shifted_ranks, cli, place)
        tap.case('a constant offset among scattered pairs', steady, cli, place)
        tap.case('the sample', sample, cli)
        tap.case('a merged file is read back', read_back, cli, place)
        tap.case("the user's offsets and picked events", by_hand, cli, place)
    tap.done()


main()
