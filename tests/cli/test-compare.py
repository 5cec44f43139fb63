#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests traceloom-cli compare. Two runs are compared, and the headline must name the cause that was planted in one of them. Also tests
comparing a run with itself, runs without steps, and usage errors."""

import gzip
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import INCOMPLETE, SAMPLE, USAGE, Cli, Tap, check, folder, generate_parallel, same, shared_folder  # noqa: E402
from kineto import Recording  # noqa: E402

PARALLEL = shared_folder('tools') / 'make-parallel-run.py'
SHAPE = ['--dp', '4', '--tp', '1', '--pp', '2', '--steps', '8', '--jitter', '0.02']


def make(place, name, seed, *options):
    path = place / name
    generate_parallel(path, *SHAPE, '--seed', seed, *options)
    return path


def compare(cli, *args):
    return json.loads(cli.must('compare', '--quiet', '--format', 'json', *args).stdout)


def check_cause(cli, base, slower, words, main_part, ranks):
    """The headline names the slower run, regardless of the order of the runs."""
    document = compare(cli, base, slower)
    check(words in document['headline'], f'“{words}” is not in “{document["headline"]}”')
    check(re.match(rf'{slower.name} (is \d+\.\d % slower than|takes \d+\.\d times as long as) {base.name} ', document['headline']),
          document['headline'])
    if main_part is not None:
        same(document['main_part'], main_part, 'main part')
    same((document['slower_run'], document['main_ranks']), ('second', ranks), 'slower run and ranks')
    same(document['slower_rank'], ranks[0] if len(ranks) == 1 else None, 'slower rank')
    same([rank['rank'] for rank in document['ranks'][:len(ranks)]], ranks, 'the first ranks')
    kinds = [name['kind'] for name in document['names']]
    check((document['main_ranks_part'] or document['main_part']) == 'transfer' or 'communication' not in kinds or
          kinds.index('communication') > max(i for i, kind in enumerate(kinds) if kind == 'compute'), kinds)
    for run in document['runs']:
        check(run['n_steps'] == 8 * 8, f'{run["n_steps"]} steps')
    for rank in document['ranks']:
        own = sum(rank['second_ns'][part] - rank['first_ns'][part] for part in ('compute', 'copy', 'data_wait', 'idle'))
        check(abs(own - rank['own_change_ns']) < 1, 'the parts of a rank do not add up')


def check_faster(cli, base, slower):
    """If the runs are swapped, the headline and the notes stay the same, because both describe how the slower run differs."""
    document = compare(cli, slower, base)
    other = compare(cli, base, slower)
    same((document['headline'], document['notes']), (other['headline'], other['notes']), 'headline and notes')
    check(any('computing +' in note and 'waiting for other ranks −' in note for note in document['notes']), document['notes'])
    same((document['slower_run'], document['slower_rank'], document['faster_rank']), ('first', None, 3), 'ranks')


def check_slow_host(cli, base, slower):
    """If the runs are swapped, the parts in the headline and the cause of idle devices keep their signs."""
    document, other = compare(cli, slower, base), compare(cli, base, slower)
    same((document['headline'], document['notes']), (other['headline'], other['notes']), 'headline and notes')
    check(document['headline'].endswith(' per step on average'), document['headline'])
    notes = [note for note in document['notes'] if 'between queued kernels' in note]
    gaps = [re.fullmatch(r'Devices are idle between queued kernels: \+[\d.]+ ms per step; the mean gap is ([\d.]+) µs instead of ([\d.]+) (.s)\.', note)
            for note in notes]
    check(len(gaps) == 1 and gaps[0] is not None, document['notes'])
    check(float(gaps[0][1]) > 20 and gaps[0][3] in ('ns', 'µs'), notes[0])


def check_long_step(cli, base, stalled):
    """One step of a run stalls. The headline then compares mean step times and names the step; a note names the step's rank and the part
    of the step that is longer."""
    document = compare(cli, base, stalled)
    check(re.match(r'Typical steps take the same time \(median .*\), but stall is \d+\.\d % slower than base on average \(mean step '
                   r'.*\): step 2 takes [\d.]+ ms instead of', document['headline']), document['headline'])
    same((document['judged_by'], document['slower_run'], document['main_ranks']), ('mean', 'second', []), 'judged by')
    same([len(run['long_steps']) for run in document['runs']], [0, 1], 'long steps')
    same(document['main_steps'], [2], 'main steps')
    step = document['runs'][1]['long_steps'][0]
    same((step['step'], step['rank'], step['part']), (2, 2, 'idle'), 'the long step')
    check(abs(step['part_ns'] - 20e6) < 1e6, f'{step["part_ns"]} ns longer')
    check(any('Step 2 of stall, rank 2: other idle time +' in note for note in document['notes']), document['notes'])


def check_short_stall(cli, base, stalled):
    """One step of eight is longer by less than a fifth. It makes most of the difference, so the headline names it, and not a time per step."""
    document = compare(cli, base, stalled)
    check(re.search(r' slower than base on average \(mean step .*\): step 2 takes [\d.]+ ms instead of [\d.]+ ms, averaged over the ranks$', document['headline']),
          document['headline'])
    same((document['main_steps'], document['main_ranks'], document['slower_run']), ([2], [], 'second'), 'cause')
    step = document['runs'][1]['long_steps'][0]
    check(0.05 < step['length_ns'] / step['typical_ns'] - 1 < 0.2, step)
    check(any(note.startswith('Step 2 of short-stall, rank 2: ') for note in document['notes']), document['notes'])


def check_dates(cli, place):
    """If the second run is older, a note says so; not with --quiet, and not if a date is unknown."""
    def write(name, **members):
        spans = [{'ph': 'X', 'cat': 'user_annotation', 'pid': 1, 'tid': 1, 'ts': i * 1000, 'dur': 1000, 'name': f'ProfilerStep#{i}'} for i in range(4)]
        (place / name).write_text(json.dumps({'schemaVersion': 1, **members, 'traceEvents': spans}))
        return place / name
    old, new = write('old.json', baseTimeNanoseconds=10 ** 18), write('new.json', baseTimeNanoseconds=11 * 10 ** 17)
    undated = write('undated.json')
    for args, is_noted in (((new, old), True), ((old, new), False), ((new, new), False), (('--quiet', new, old), False), ((new, undated), False)):
        same('was recorded before the first' in cli.must('compare', *args).stderr, is_noted, f'{args}')


def check_stall_and_link(cli, place):
    """A link is slower, and one step of eight stalls. The median step changed because of the link, so the headline must
    name the link. Only a note explains the stall, and the stalled step does not count in the mean times of computing,
    transferring and idling."""
    mesh = ['--tp', '2', '--pp', '1']
    slow = make(place, 'was-slow', 11, *mesh, '--straggler', '5:1.35')
    link = make(place, 'link-stall', 12, *mesh, '--slow-link', '0-2:4', '--host-stall', '2:3:20000')
    document = compare(cli, slow, link)
    check('the transfers between ranks 0, 2, 4, 6 take' in document['headline'], document['headline'])
    check(not any(note.startswith('Device time by') for note in document['notes']), 'modules do not explain a slow link')
    same((document['judged_by'], document['main_ranks_part']), ('median', 'transfer'), 'cause')
    check(any(note.startswith('Step 3 of link-stall, rank 2: other idle time +20') for note in document['notes']), document['notes'])
    check(any(note.startswith('Rank 5 of link-stall, per step on average: computing −') for note in document['notes']), document['notes'])
    before, after = (next(rank for rank in document['ranks'] if rank['rank'] == 2)[run] for run in ('first_ns', 'second_ns'))
    check(abs(after['idle'] - before['idle']) < 1e5, (before, after))
    text = cli.must('compare', '--quiet', '--format', 'text', slow, link).stdout
    check('Mean step, not counting long steps' in text, text)


def check_kernels(cli):
    """If computing takes longer on all ranks, a note names the kernels that explain it, in the text, in JSON and in HTML. It names none if
    something else takes longer, or if the runs are exchanged and thus the first one is slower for the same reason."""
    def note(before, after):
        text = cli.must('compare', '--quiet', '--format', 'text', before, after).stdout
        html = cli.must('compare', '--quiet', '--format', 'html', '-o', '-', before, after).stdout
        found = re.findall(r'^Of the time that computing takes longer, .*$', text, re.M)
        check(all(line in json.loads(cli.must('compare', '--quiet', '--format', 'json', before, after).stdout)['notes'] and line in html for line in found), found)
        return found
    with folder() as name:
        place, mesh = Path(name), ('--dp', '4', '--pp', '1', '--steps', '5')
        before, data = make(place, 'before', 1, *mesh), make(place, 'data', 1, *mesh, '--load-us', '3000')
        after = make(place, 'after', 1, *mesh, *(word for rank in range(4) for word in ('--straggler', f'{rank}:1.5')))
        for first, second in ((before, after), (after, before)):
            line, = note(first, second)
            check(re.fullmatch(r'Of the time that computing takes longer, \d+ % is in these kernels: sm90_xmma_gemm\S+ \(\+50 %\) and flash_fwd_kernel \(\+50 %\)\.', line), line)
        same(note(before, data), [], 'kernels where the data is late')


def check_exposed_transfers(cli, place):
    """One rank computes longer and no link is slower: transfers of the other ranks are no longer hidden by computing. This is an effect
    of the slow rank, not a cause."""
    mesh = ['--tp', '2', '--pp', '1', '--layers', '6']
    document = compare(cli, make(place, 'before', 13, *mesh), make(place, 'after', 14, *mesh, '--straggler', '6:1.3'))
    check('rank 6 computes for' in document['headline'], document['headline'])
    before, after = document['runs']
    exposed = after['mean_ns']['transfer'] - before['mean_ns']['transfer']
    check(exposed > 1e6, f'transfers are exposed for {exposed} ns more')
    check(abs(after['all_transfers_ns'] - before['all_transfers_ns']) < 0.1 * exposed, 'all transfers take equally long')
    check(any(note.startswith('No link is slower: ') and 'the wait for rank 6' in note for note in document['notes']), document['notes'])


def check_mixed(cli):
    """One run has the longer median step, the other the longer mean step: the headline calls neither slower."""
    with folder() as place:
        runs = [Path(place) / f'{name}.json' for name in ('first', 'second')]
        write_lengths(runs[0], [100, 104, 104, 104])
        write_lengths(runs[1], [100, 100, 100, 140])
        document = compare(cli, *runs)
        same((document['slower_run'], document['judged_by']), (None, None), 'slower run')
        same(document['headline'], 'Neither run is clearly slower: median step 104 µs and 100 µs, mean step 103 µs and 110 µs', 'headline')


def check_itself(cli):
    document = compare(cli, SAMPLE, SAMPLE)
    check('less than 1 %' in document['headline'], document['headline'])
    # devices are recorded in steps 6 and 7 of 12, and step 6 is an outlier
    run = document['runs'][0]
    same((run['n_steps'], run['n_recorded_steps']), (48, 8), 'recorded steps')
    parts = run['mean_ns']
    check(parts['idle'] < 0.02 * sum(parts.values()) and parts['compute'] > 0.5e9, parts)
    same(len([note for note in document['notes'] if 'recorded in 8 of 48 steps' in note]), 2, 'notes about records')
    check(all(row['count'][0] == row['count'][1] and row['total_ns'][0] == row['total_ns'][1] for row in document['names']),
          'names differ')
    # the time of a kernel per step is that of the two steps in which devices are recorded, as the mean of the four ranks
    kernel = max((row for row in document['names'] if row['kind'] == 'compute'), key=lambda row: row['total_ns'][0])
    page = cli.must('compare', '--quiet', '--format', 'html', SAMPLE, SAMPLE).stdout
    rows = [re.sub(r'<[^>]*>', ' ', row) for row in re.findall(r'<tr.*?</tr>', page, re.S) if kernel['name'] in row]
    check(any(re.search(rf'\s{kernel["total_ns"][0] / 2 / 4 / 1e6:.0f} ms\s', row) for row in rows), (rows, kernel))
    text = cli.must('compare', '--quiet', '--format', 'text', SAMPLE, SAMPLE).stdout
    check(text.startswith(document['headline'] + '\n'), 'the text begins with the headline')
    check(all(len(line) < 400 for line in text.splitlines()), 'a line is very long')


def write_events(path, spans):
    path.write_text(json.dumps([{'ph': 'X', 'name': name, 'pid': 1, 'tid': 1, 'ts': ts, 'dur': dur} for name, ts, dur in spans]))
    return path


def check_names(cli):
    """Names that differ only in addresses or in numbers after "#" match. Other numbers are ignored only for names that occur in
    a single run."""
    with folder() as place:
        first = write_events(Path(place) / 'a.json', [('load#1', 0, 10), ('at 0x7f01', 20, 5), ('gemm 64', 30, 4), ('gemm 32', 40, 1),
                                                      ('file.py(10): f', 50, 2), ('gone', 60, 3)])
        second = write_events(Path(place) / 'b.json', [('load#7', 0, 30), ('at 0x7fff', 40, 6), ('gemm 64', 50, 8), ('gemm 32', 60, 1),
                                                       ('file.py(12): f', 70, 2), ('come', 80, 9)])
        long = Path(place) / 'a-run-with-a-name-of-more-than-forty-letters.json'
        long.write_bytes(first.read_bytes())
        text = cli.must('compare', '--quiet', '--format', 'text', long, second).stdout
        check(any(line.count(long.name) == 2 and str(place) not in line for line in text.splitlines()), 'titles of columns lack the names of the runs')
        document = compare(cli, first, second)
        check('has no training steps' in document['headline'], document['headline'])
        check(str(long) in text, 'the path of the first run')
        rows = [(row['name'], row['count'], row['total_ns']) for row in document['names']]
        same(rows[:3], [('load#', [1, 1], [10000, 30000]), ('come', [0, 1], [0, 9000]), ('gemm 64', [1, 1], [4000, 8000])],
             'names sorted by cost')
        same(sorted(rows[3:]), [('at #', [1, 1], [5000, 6000]), ('file.py(#): f', [1, 1], [2000, 2000]), ('gemm 32', [1, 1], [1000, 1000]),
                                ('gone', [1, 0], [3000, 0])], 'other names')


def check_without_steps(cli, first, second):
    """Two recordings without steps: the headline says how the time of the devices changed, and which name changed most."""
    text = cli.must('compare', '--quiet', '--format', 'text', first, second).stdout
    headline = text.splitlines()[0]
    check(headline.startswith(f'Kernels and copies take 522 ms in {first.name} and 493 ms in {second.name} (−5.6 %). '
                              'The largest change is that of flash_fwd_kernel: −31.6 ms. '), headline)
    check('has no training steps' in headline, headline)
    check(max(map(len, text.splitlines())) < 420, 'a name of a kernel is not shortened')


def write_lengths(path, lengths_us, first=0):
    steps = [{'ph': 'X', 'cat': 'user_annotation', 'name': f'ProfilerStep#{first + i}', 'pid': 1, 'tid': 1, 'ts': sum(lengths_us[:i]),
              'dur': length} for i, length in enumerate(lengths_us)]
    path.write_text(json.dumps({'schemaVersion': 1, 'traceEvents': steps}))


def write_steps(path, step_us, first=0):
    write_lengths(path, 4 * [step_us], first)


def check_no_ranks(cli):
    """For files without a rank, steps are compared, but no file is matched with one of the other run or named as a cause."""
    with folder() as place:
        runs = [Path(place) / 'first', Path(place) / 'second']
        for run, times in zip(runs, ((100, 100, 100), (100, 300, 300))):
            run.mkdir()
            for name, step_us in zip('xyz', times):
                write_steps(run / f'{name}.json', step_us)
        document = compare(cli, *runs)
        same([run['n_steps'] for run in document['runs']], [12, 12], 'steps')
        same((document['ranks'], document['slower_rank']), ([], None), 'ranks')
        check('rank -' not in document['headline'] and 'times as long' in document['headline'], document['headline'])


def check_part_of_span(cli):
    """A span that is only partly inside the selected range counts with this part."""
    with folder() as name:
        first = write_events(Path(name) / 'a.json', [('wait', 1, 3), ('next', 5, 1)])
        second = write_events(Path(name) / 'b.json', [('wait', 1, 600), ('next', 700, 1)])
        part = ('--start-ns', '0', '--end-ns', '2000')
        same([(row['name'], row['total_ns']) for row in compare(cli, *part, first, second)['names']], [('wait', [1000, 1000])], 'times in a range')
        same({row['name']: row['total_ns'] for row in compare(cli, first, second)['names']}, {'wait': [3000, 600000], 'next': [1000, 1000]}, 'times')
        text = cli.must('compare', '--quiet', '--format', 'text', *part, first, second).stdout
        check('+597' not in text, text)
        at_end = compare(cli, '--start-ns', '0', '--end-ns', '5000', first, second)['names']
        same([(row['name'], row['count'], row['total_ns']) for row in at_end], [('wait', [1, 1], [3000, 4000])], 'spans that begin at the end')


def check_equal_ranks_of_nodes(cli):
    """Two nodes each have a rank 0, and both ranks execute the same steps at the same time. A file into which the traces are merged must
    have the same step times as the traces themselves."""
    with folder() as name:
        place = Path(name)
        for node in ('alpha', 'beta'):
            rank = Recording(0, 1)
            rank.node = node
            for number in range(4):
                rank.step(number, 1000 * number, 1000)
                rank.kernel('gemm', 1000 * number + 10, 1000 * number + 100, 600 if node == 'alpha' else 300)
            rank.write(place / 'run' / node)
        cli.must('merge', '--quiet', place / 'run', '-o', place / 'merged.json')
        document = compare(cli, place / 'run', place / 'merged.json')
        same([(run['n_steps'], run['mean_ns']['compute']) for run in document['runs']], 2 * [(8, 450000.0)], 'steps and time of kernels')
        check('same time' in document['headline'], document['headline'])


def write_process(run, node, process, step_us, n=4):
    """Writes the SageMaker file of one process: it states the id of the process, but not its rank."""
    path = run / 'framework' / 'pevents' / '2023111422' / f'1700000010000000_{process}-{node}_pythontimeline.json'
    path.parent.mkdir(parents=True, exist_ok=True)
    lane = 'Step:ModeKeys.TRAIN'
    events = [{'name': 'process_name', 'ph': 'M', 'pid': 0, 'args': {'start_time_since_epoch_in_micros': 1700000000000000}},
              {'name': 'process_name', 'ph': 'M', 'pid': 7, 'args': {'name': lane}}]
    events += [{'name': lane, 'pid': 7, 'ph': 'X', 'ts': 1000000 + 500000 * i, 'dur': step_us, 'args': {'pid': process, 'step_num': str(i)}}
               for i in range(n)]
    path.write_text(json.dumps(events))


def check_processes(cli):
    """Processes whose ranks are unknown are matched by node and order, and named as processes of their nodes."""
    with folder() as name:
        runs = [Path(name) / run for run in ('before', 'after')]
        for run, processes, steps_us in zip(runs, ([901, 901], [777, 778]), ([100000] * 2, [100000, 160000])):
            for node, process, step_us in zip(('algo-1', 'algo-2'), processes, steps_us):
                write_process(run, node, process, step_us)
        document = compare(cli, *runs)
        same([(rank['node'], rank['rank'], rank['process_id'], round(rank['own_change_ns'])) for rank in document['ranks']],
             [('algo-2', None, 901, 60000000), ('algo-1', None, 901, 0)], 'processes')
        same((document['slower_rank'], document['main_ranks'], document['main_processes']),
             (None, [], [{'node': 'algo-2', 'process_id': 901}]), 'main process')
        check('the devices of process 901 (algo-2) are idle for 60.0 ms longer' in document['headline'], document['headline'])
        text = cli.must('compare', '--quiet', '--format', 'text', *runs).stdout
        check(re.search(r'\n  Node +Process .*\n  algo-2 +901 +\+60', text), text)
        check('processes are matched by their node and order' in text, text)


def check_positions(cli):
    """Runs without common step numbers are compared by position, and the document says so."""
    with folder() as place:
        runs = [Path(place) / f'{name}.json' for name in ('first', 'second', 'third')]
        for run, (step_us, number) in zip(runs, ((100, 1), (300, 50), (300, 3))):
            write_steps(run, step_us, number)
        document = compare(cli, *runs[:2])
        same(document['steps_matched_by'], 'position', 'steps')
        check('times as long' in document['headline'], document['headline'])
        text = cli.must('compare', '--quiet', '--format', 'text', *runs[:2]).stdout
        check('no step number in common' in text.splitlines()[1], text)
        same(compare(cli, runs[0], runs[2])['steps_matched_by'], 'number', 'steps with common numbers')


def check_page(cli):
    """The report is one HTML page with the headline, the runs and a bar for each change. The output's file name or
    --format selects HTML."""
    with folder() as place:
        runs = [Path(place) / f'{name}.json' for name in ('first', '<second>')]
        for run, step_us in zip(runs, (100, 300)):
            write_steps(run, step_us)
        page = Path(place) / 'page.html'
        cli.must('compare', '--quiet', '-o', page, *runs)
        text = page.read_text()
        check(text.startswith('<!DOCTYPE html>') and '<second>' not in text and '&lt;second&gt;' in text, text[:300])
        check('times as long' in text and 'class="n bar more"' in text, 'the page lacks the headline or the bars')
        check(all(f'<section id="{name}"' in text for name in ('runs', 'parts', 'ranks', 'names')), 'the page lacks chapters')
        same(cli.must('compare', '--quiet', '--format', 'html', *runs).stdout, text, 'the page on standard output')
        cli.must('compare', '--quiet', '-o', page.with_suffix('.json'), *runs)
        same(json.loads(page.with_suffix('.json').read_text()), compare(cli, *runs), 'JSON in a file')
        before = runs[1].read_bytes()
        same(cli('compare', '--quiet', '--format', 'html', '-o', runs[1], *runs).returncode, 1, 'exit status')
        same(runs[1].read_bytes(), before, 'the second run')
        same(cli('compare', '-o', Path(place) / 'page.xyz', *runs).returncode, USAGE, 'exit status')


def write_modules(path, layers, flows, step_us, steps=2, rank=0, world=1):
    """Writes a run of one rank with modules. Each layer launches a kernel in the forward pass and, on another thread, a kernel of twice
    the length in the backward pass. `layers`: pairs of a name and the time of the forward kernel in µs. `flows` True: flows link the
    operators of both passes; False: only sequence numbers link them."""
    events, sequence, kernel_us = [], 0, 0

    def span(cat, name, tid, ts, dur, **args):
        events.append({'ph': 'X', 'cat': cat, 'name': name, 'pid': 1 if cat != 'kernel' else 0, 'tid': tid, 'ts': ts, 'dur': dur, 'args': args})

    def launch(tid, ts, dur):
        nonlocal kernel_us
        correlation = len(events)
        kernel_us = max(kernel_us, ts + 5)
        span('cuda_runtime', 'cudaLaunchKernel', tid, ts, 2, correlation=correlation)
        span('kernel', 'gemm', 7, kernel_us, dur, correlation=correlation, device=0, stream=7)
        kernel_us += dur

    for step in range(steps):
        begin = step_us * step
        span('user_annotation', f'ProfilerStep#{step}', 1, begin, step_us)
        span('python_function', 'nn.Module: Model_0', 1, begin + 10, 2000)
        for i, (name, time_us) in enumerate(layers):
            sequence += 1
            ahead, back = begin + 20 + 100 * i, begin + 20000 + 100 * (len(layers) - i)
            span('python_function', f'nn.Module: {name}', 1, ahead, 80)
            span('cpu_op', 'aten::mm', 1, ahead + 10, 50, **{'Sequence number': sequence, 'Fwd thread id': 0})
            launch(1, ahead + 20, time_us)
            span('cpu_op', 'autograd::engine::evaluate_function: MmBackward0', 2, back, 80, **{'Sequence number': sequence, 'Fwd thread id': 1})
            launch(2, back + 20, 2 * time_us)
            for phase, tid, ts in (('s', 1, ahead + 10), ('f', 2, back)) if flows else ():
                events.append({'ph': phase, 'cat': 'fwdbwd', 'name': 'fwdbwd', 'id': sequence, 'pid': 1, 'tid': tid, 'ts': ts, 'bp': 'e'})
    path.write_text(json.dumps({'schemaVersion': 1, 'distributedInfo': {'rank': rank, 'world_size': world}, 'traceEvents': events}))
    return path


def check_modules(cli):
    """One layer is slower, one was added and one was removed. The backward pass counts towards its layers, whether it is linked to them
    by flows or only by sequence numbers. The note names the slower run, in whichever order the runs are given."""
    layers = [('Embedding_0', 1000), ('Block_0', 4000), ('Block_1', 4000), ('Pool_0', 1500), ('Block_2', 4000)]
    changed = [('Embedding_0', 1000), ('Block_0', 4000), ('Block_1', 9000), ('Block_2', 4000), ('Head_0', 2500)]
    with folder() as place:
        first = write_modules(Path(place) / 'first.json', layers, True, 80000)
        second = write_modules(Path(place) / 'second.json', changed, False, 98000)
        document = compare(cli, first, second)
        modules = document['modules']
        same((modules['level'], modules['per_step'], modules['n_unlinked']), ('modules', True, [0, 0]), 'kind of tree')
        rows = {tuple(row['name']): row for row in modules['rows']}
        named = [modules['rows'][i]['name'] for i in modules['main']]
        same(named, [['Block_1', 'Block_1'], [None, 'Head_0'], ['Pool_0', None]], 'main rows')
        block = rows['Block_1', 'Block_1']
        same((block['device_ns'], block['forward_ns'], block['backward_ns'], block['calls']),
             ([12e6, 27e6], [4e6, 9e6], [8e6, 18e6], [2, 2]), 'the slower layer, per step')
        same((rows[None, 'Head_0']['device_ns'], rows['Pool_0', None]['device_ns']), ([None, 7.5e6], [4.5e6, None]), 'added and removed')
        same((rows['', '']['device_ns'], rows['', '']['device_self_ns'], rows['', '']['change_ns']), ([43.5e6, 61.5e6], [0, 0], 18e6), 'all')
        sentence = ('Device time by module: Block_1 costs +15.0 ms per step (83 % of the change); Head_0 is only in second.json: '
                    '+7.50 ms per step (42 % of the change); Pool_0 is only in first.json: −4.50 ms per step.')
        check(sentence in document['notes'], document['notes'])
        check(sentence in compare(cli, second, first)['notes'], 'the runs in the opposite order')
        text = cli.must('compare', '--quiet', '--format', 'text', first, second).stdout
        lines = [re.split(r'  +', line.replace('\u00a0', ' ').strip()) for line in text.splitlines()]
        check(['Head_0', '+7.5 ms', '–', '7.5 ms', 'Added'] in [line[:5] for line in lines], text)
        same(compare(cli, first, first)['modules']['main'], [], 'main rows of equal runs')
        same(modules['n_rows'], len(modules['rows']), 'number of rows')
        text = cli.must('compare', '--quiet', '--format', 'text', first, first).stdout
        check('Block_2' in text and 'Structure' not in text and 'Device time by module:' not in text, text)
        page = cli.must('compare', '--quiet', '--format', 'html', first, second).stdout
        check('<section id="modules"' in page and 'Block_1' in page, 'the page lacks the chapter')


def check_whole_run(cli):
    """If all of 30 operators are slower by the same factor, the change is attributed to the whole run. No note names
    the whole run as the cause, because this would say nothing."""
    with folder() as place:
        runs = []
        for name, factor in (('first', 1), ('second', 1.5)):
            path = write_modules(Path(place) / f'{name}.json', [(f'Layer_{i}', 1000) for i in range(30)], False, 80000)
            events = [event for event in json.loads(path.read_text())['traceEvents'] if event['cat'] != 'python_function']
            for event in events:
                if event['cat'] == 'cpu_op':
                    event['name'] = 'op_' + chr(ord('a') + (event['args'].pop('Sequence number') - 1) % 30)
                event['dur'] *= factor if event['cat'] == 'kernel' else 1
            path.write_text(json.dumps({'schemaVersion': 1, 'traceEvents': events}))
            runs.append(path)
        document = compare(cli, *runs)
        same((document['modules']['level'], document['modules']['main'], document['notes']), ('operators', [0], []), 'main rows and notes')


def check_modules_of_ranks(cli):
    """Two ranks in one file use the same sequence numbers at the same times, but for different layers. The backward pass must count
    towards the layers of its own rank, as it does if each rank has its own file."""
    layers = [('Embedding', 1000), ('Attention', 4000), ('Head', 2000)]
    with folder() as name:
        place = Path(name)
        (place / 'run').mkdir()
        for rank, own in enumerate((layers, layers[1:])):
            write_modules(place / 'run' / f'{rank}.json', own, False, 80000, rank=rank, world=2)
        cli.must('merge', '--quiet', place / 'run', '-o', place / 'merged.json')
        rows = {tuple(row['name']): row for row in compare(cli, place / 'run', place / 'merged.json')['modules']['rows']}
        for layer, time_us in [('Embedding', 500), *layers[1:]]:  # mean of both ranks
            same((rows[layer, layer]['forward_ns'], rows[layer, layer]['backward_ns']), (2 * [1e3 * time_us], 2 * [2e3 * time_us]), layer)


def write_operators(path, n, changed_us):
    """Writes a run without modules: `n` operators of different names, each with a kernel of 1 µs; the kernel of the last operator takes
    `changed_us`."""
    events = []
    for i in range(n):
        kernel_us = changed_us if i == n - 1 else 1
        for cat, name, tid, ts, dur in (('cpu_op', f'aten::op{i}', 1, 10 * i, 8), ('cuda_runtime', 'cudaLaunchKernel', 1, 10 * i + 2, 2),
                                        ('kernel', 'gemm', 7, 10 * i + 5, kernel_us)):
            events.append({'ph': 'X', 'cat': cat, 'name': name, 'pid': int(cat != 'kernel'), 'tid': tid, 'ts': ts, 'dur': dur,
                           'args': {} if cat == 'cpu_op' else {'correlation': i + 1, 'device': 0, 'stream': 7}})
    path.write_text(json.dumps({'schemaVersion': 1, 'traceEvents': events}))
    return path


def check_many_operators(cli):
    """Runs without modules are compared by operator. If there are more than 20,000 rows, the JSON document contains
    only the rows that the table of the report shows."""
    with folder() as place:
        first, second = (write_operators(Path(place) / f'{name}.json', 20001, us) for name, us in (('first', 100), ('second', 700)))
        document = compare(cli, first, second)
        modules = document['modules']
        same((modules['level'], modules['n_rows'], modules['is_cut']), ('operators', 20002, True), 'rows')
        check(len(modules['rows']) < 500, f'{len(modules["rows"])} rows')
        row = modules['rows'][modules['main'][0]]
        same((row['name'], row['parent'], row['device_ns']), (2 * ['aten::op20000'], 0, [100e3, 700e3]), 'the slower operator')
        check(any('Device time by operator: aten::op20000 costs +600 µs (100 % of the change).' in note for note in document['notes']),
              document['notes'])
        check('only modules and names can be compared' in document['headline'], document['headline'])


def write_run(place, lengths_us, with_device=(True,)):
    """Writes a run with one step for each length. In each step, each rank calls aten::mm three times; each call has a kernel of 700 µs
    if the device of the rank is recorded."""
    for rank, has_device in enumerate(with_device):
        recording, at = Recording(rank, len(with_device)), 0
        for number, length in enumerate(lengths_us):
            recording.step(number, at, length)
            for begin in range(at + 100, at + 3100, 1000):
                recording.operator('aten::mm', begin, 300, [])
                if has_device:
                    recording.kernel('gemm', begin + 20, begin + 900, 700)
            at += length
        recording.write(place)
    return place


def check_outliers(cli):
    """Operators in steps that do not count, because they are outliers, are not shown as added or removed."""
    with folder() as place:
        even, uneven = write_run(Path(place) / 'even', 9 * [20000]), write_run(Path(place) / 'uneven', 3 * [20000, 60000, 20000])
        for first, second in ((even, uneven), (uneven, even)):
            rows = compare(cli, first, second)['modules']['rows'][1:]
            same([(row['name'], row['device_ns']) for row in rows], 3 * [(2 * ['aten::mm'], [700e3, 700e3])], 'operators')


def check_no_device(cli):
    """A rank whose device was not recorded in one of the runs is left out, instead of counted as idle."""
    with folder() as place:
        runs = [write_run(Path(place) / name, 4 * [20000], with_device) for name, with_device in (('part', (True, False)), ('all', (True, True)))]
        document = compare(cli, *runs)
        same([row['device_ns'] for row in document['modules']['rows']], [[2.1e6, 2.1e6]] + 3 * [[0.7e6, 0.7e6]], 'operators')
        same([rank['rank'] for rank in document['ranks']], [0], 'ranks')
        same([run['mean_ns']['compute'] for run in document['runs']], [2.1e6, 2.1e6], 'computation per step')


def sum_modules(path):
    """Computes the time of kernels by module from a file alone, for the forward and the backward pass: {names of the modules from
    outside: [ns, ns]}. The backward pass is linked by sequence numbers."""
    events = [event for event in json.loads(gzip.decompress(path.read_bytes()))['traceEvents'] if event.get('ph') == 'X']
    for event in events:
        event['begin'] = round(event['ts'] * 1000)
        event['end'] = event['begin'] + round(event.get('dur', 0) * 1000)
    modules = [event for event in events if re.match(r'nn\.Module: |Optimizer\.step#', event['name'])]
    numbered = [event for event in events if event.get('cat') == 'cpu_op' and 'Sequence number' in event['args']]
    launches = {event['args']['correlation']: event for event in events if event.get('cat') == 'cuda_runtime' and 'correlation' in event['args']}

    def around(spans, event):
        found = [span for span in spans if span['tid'] == event['tid'] and span['begin'] <= event['begin'] < span['end']]
        return sorted(found, key=lambda span: (span['begin'], -span['end']))

    sums = {}
    for kernel in events:
        launch = launches.get(kernel.get('args', {}).get('correlation'))
        if kernel.get('cat') not in ('kernel', 'gpu_memcpy', 'gpu_memset') or launch is None:
            continue
        backward = around((span for span in numbered if span['args'].get('Fwd thread id')), launch)
        place = launch
        if backward:
            number = backward[-1]['args']['Sequence number']
            place = max((span for span in numbered if span['args']['Sequence number'] == number and not span['args'].get('Fwd thread id') and
                         span['begin'] <= backward[-1]['begin']), key=lambda span: span['begin'], default=None)
        names = tuple(span['name'].removeprefix('nn.Module: ') for span in around(modules, place)) if place else ()
        sums.setdefault(names, [0, 0])[bool(backward)] += kernel['end'] - kernel['begin']
    return sums


def check_recorded_modules(cli, path):
    """For a recorded run, the time of each module equals the time that sum_modules() computes from the file."""
    rows = compare(cli, path, path)['modules']['rows']
    names, ours = {}, {}
    for i, row in enumerate(rows):
        names[i] = names[row['parent']] + (row['name'][0],) if i > 0 else ()
        ours[names[i]] = [row['forward_ns'][0], row['backward_ns'][0]]
    for i, row in list(enumerate(rows))[:0:-1]:  # subtracts the modules inside
        for phase, member in enumerate(('forward_ns', 'backward_ns')):
            ours[names[row['parent']]][phase] -= row[member][0]
    theirs = sum_modules(path)
    same({key: value for key, value in ours.items() if value != [0, 0]}, theirs, 'times by module')
    check(len(theirs) > 50, f'{len(theirs)} modules')


def check_usage(cli):
    for paths in ([SAMPLE], [SAMPLE, SAMPLE, SAMPLE]):
        result = cli('compare', *paths)
        same(result.returncode, USAGE, 'exit status')
        check('two runs' in result.stderr, result.stderr)


def check_incomplete(cli):
    with folder() as place:
        cut = Path(place) / 'cut.json'
        cut.write_text('[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":5},\n{"ph":"X","na')
        result = cli('compare', '--quiet', '--format', 'json', SAMPLE, cut)
        same(result.returncode, INCOMPLETE, 'exit status')
        json.loads(result.stdout)


def check_missing(cli):
    result = cli('compare', SAMPLE, '/nonexistent/run')
    same(result.returncode, 1, 'exit status')
    check('/nonexistent/run' in result.stderr, result.stderr)


def main(program):
    cli, tap = Cli(program), Tap()
    tap.case('a run compared with itself', check_itself, cli)
    tap.case('names', check_names, cli)
    tap.case('files without a rank', check_no_ranks, cli)
    tap.case('a span that is partly in the range', check_part_of_span, cli)
    tap.case('equal ranks of two nodes', check_equal_ranks_of_nodes, cli)
    tap.case('processes of unknown rank', check_processes, cli)
    tap.case('steps without common numbers', check_positions, cli)
    tap.case('median and mean disagree', check_mixed, cli)
    tap.case('HTML report', check_page, cli)
    tap.case('modules', check_modules, cli)
    tap.case('a change of the whole run', check_whole_run, cli)
    tap.case('modules of several ranks in one file', check_modules_of_ranks, cli)
    tap.case('many operators', check_many_operators, cli)
    tap.case('operators of outliers', check_outliers, cli)
    tap.case('a rank without a recorded device', check_no_device, cli)
    tap.case('wrong usage', check_usage, cli)
    tap.case('an incomplete run', check_incomplete, cli)
    tap.case('a missing run', check_missing, cli)
    recorded = shared_folder('corpus') / 'tracelens' / 'mi300' / 'ddp_resnet18_no_pool' / 'train_resnet18.json.gz'
    if recorded.exists():
        tap.case('modules of a recorded run', check_recorded_modules, cli, recorded)
    nsight = shared_folder('corpus') / 'nsight'
    if nsight.exists():
        tap.case('runs without steps', check_without_steps, cli, nsight / 'mfu_2gpu_before.sqlite', nsight / 'mfu_2gpu_after.sqlite')
    if PARALLEL.exists():
        with folder() as name:
            place = Path(name)
            base = make(place, 'base', 1)
            slow = make(place, 'slow', 2, '--straggler', '3:1.3')
            tap.case('a slow rank', check_cause, cli, base, slow, 'rank 3 computes for', None, [3])
            tap.case('a slow link', check_cause, cli, base, make(place, 'link', 3, '--slow-link', '0-2:4'),
                     'the transfers between ranks 0–3 take', None, [0, 1, 2, 3])
            two = make(place, 'two', 7, '--straggler', '1:1.3', '--straggler', '6:1.3')
            tap.case('two slow ranks', check_cause, cli, base, two, 'ranks 1, 6 compute for', None, [1, 6])
            tap.case('slow data loading', check_cause, cli, base, make(place, 'load', 4, '--load-us', '20000'), 'waiting for data +', 'data_wait', [])
            host = make(place, 'host', 5, '--launch-us', '30', '--gap-us', '30')
            tap.case('kernels', check_kernels, cli)
            tap.case('a slow host', check_cause, cli, base, host, 'other idle time +', 'idle', [])
            tap.case('causes of idle devices', check_slow_host, cli, base, host)
            tap.case('a stalled step', check_long_step, cli, base, make(place, 'stall', 1, '--host-stall', '2:2:20000'))
            tap.case('slower kernels', check_cause, cli, base, make(place, 'kernels', 6, '--gemm-efficiency', '0.3'), 'computing +', 'compute', [])
            tap.case('a short stall', check_short_stall, cli, base, make(place, 'short-stall', 1, '--host-stall', '2:2:2500'))
            tap.case('an older second run', check_dates, cli, place)
            tap.case('a slow link and a stalled step', check_stall_and_link, cli, place)
            tap.case('transfers that are no longer hidden', check_exposed_transfers, cli, place)
            tap.case('runs in the opposite order', check_faster, cli, base, slow)
    tap.done()


main(sys.argv[1])
