# SPDX-License-Identifier: Apache-2.0
"""Compares the smdebug layout with the output of smdebug's MergedTimeline on real folders. Events, pids and order must
be the same, except for documented defects of MergedTimeline (see the functions `allowed_…`)."""

import json
import random
import shlex
import sys
from collections import Counter
from decimal import ROUND_FLOOR, Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import FAILED, OUT, Cli, Tap, check, folder, generate, need, read_strict, same, shared_folder  # noqa: E402

CASES = sorted(shared_folder('oracle').glob('merge-*'))


def merge(cli, source, case, out):
    arguments = case['arguments']
    args = ['merge', '--quiet', '--layout', 'smdebug', '--unit', arguments['unit'], '--start', arguments['start'],
            '--end', arguments['end'], '-o', out, source]
    if 'C' in case.get('by_ph', {}):  # smdebug's MergedTimeline stops writing counters too early
        args.append('--compat')
    for suffix in arguments['file_suffix_filter'] or []:
        args += ['--suffix', suffix]
    return cli(*args)


def read_back(path):
    """Returns four values: the events without metadata, and from the metadata the list of processes, {pid: process
    name} and {(pid, tid): thread name}."""
    names, threads, sort, order, events = {}, {}, {}, [], []
    for event in read_strict(path):
        if event['ph'] != 'M':
            events.append(event)
        elif event['name'] == 'process_name':
            names[event['pid']] = event['args']['name']
            order.append(event['pid'])
        elif event['name'] == 'process_sort_index':
            sort[event['pid']] = event['args']['sort_index']
        else:
            check((event['pid'], event['tid']) not in threads, 'a thread is named twice')
            threads[event['pid'], event['tid']] = event['args']['name']
    processes = [{'pid': pid, 'name': names[pid], 'sort_index': sort[pid]} for pid in order]
    return events, processes, names, threads


def allowed_thread(wanted, got):
    """Allows two differences: smdebug shortens node ids that consist of two parts, and omits some thread names."""
    if wanted in (None, 'Unknown'):
        return True
    return got == wanted or (wanted == '4487_0' and got == '4487_0000_0')


def allowed_args(wanted, got):
    """Allows that smdebug omits an underscore in the keys of markers in the first row of a group."""
    if wanted == got:
        return True
    flat = {key.replace('_', ''): value for key, value in (wanted or {}).items()}
    return flat == {key.replace('_', ''): value for key, value in (got or {}).items()}


def compare_event(wanted, got, names, threads):
    for key in ('ph', 'name', 'pid', 'ts', 'dur', 's'):
        same(got.get(key), wanted.get(key), f'{key} of {wanted}')
    same(names[got['pid']], wanted['process'], 'process')
    label = threads.get((got['pid'], got['tid']))
    check(allowed_thread(wanted['thread'], label), f'thread {label} instead of {wanted["thread"]}')
    check(allowed_args(wanted.get('args'), got.get('args')), f'args {got.get("args")} instead of {wanted.get("args")}')


def compare_summary(case, events, names):
    """Compares an output that is too long to be stored whole: for each process, name and phase the number of events and
    the sum of their durations, then the first and the last events. Returns pairs (expected, actual) of these first and
    last events."""
    totals = {}
    for event in events:
        entry = totals.setdefault(f'{names[event["pid"]]} | {event["name"]} | {event["ph"]}', {'count': 0, 'total_us': 0})
        entry['count'] += 1
        entry['total_us'] += event['dur']
    same(totals, case['by_process_name_ph'], 'totals')
    return list(zip(case['head'], events)) + list(zip(case['tail'], events[-len(case['tail']):]))


# Covers documented rows: merged-timeline.md §4 marker phase and name | marker ph and s | marker ts | marker args | marker rows in file order | thread_name refers to the hashed id | thread already named
def run_case(cli, source, case):
    with folder() as place:
        out = Path(place) / 'merged.json'
        result = merge(cli, source, case, out)
        if 'count' not in case:  # smdebug writes an empty file here; Traceloom documents a message and no file
            same(result.returncode, FAILED, 'exit status')
            check(not list(Path(place).iterdir()), 'something was left behind')
            return
        same(result.returncode, 0, f'exit status\n{result.stderr}')
        events, processes, names, threads = read_back(out)
        same(len(events), case['count'], 'number of events')
        same(dict(Counter(event['ph'] for event in events)), case['by_ph'], 'phases')
        same(processes, case['processes'], 'processes')
        same((events[0]['ts'], events[-1]['ts']), (case['first_ts'], case['last_ts']), 'first and last')
        pairs = zip(case['events'], events) if 'events' in case else compare_summary(case, events, names)
        for wanted, got in pairs:
            compare_event(wanted, got, names, threads)


# Covers documented rows: merged-timeline.md §4 key of the first row after a marker | counters after the last low-GPU row
def counters_to_the_end(cli, source):
    """Without --compat every row of the time range is written."""
    with folder() as place:
        out = Path(place) / 'merged.json'
        cli.must('merge', '--quiet', '--layout', 'smdebug', '-o', out, source)
        events, _, names, _ = read_back(out)
        rows = [event for event in events if event['ph'] == 'C']
        lines = sum(len(path.read_text().splitlines()) for path in (source / 'system').rglob('*.json'))
        same(len(rows), lines, 'counter events')
        same([event['ts'] for event in events], sorted(event['ts'] for event in events), 'order')
        markers = [event for event in events if event['name'] == 'sys_metrics_bottlenecks']
        check(all('_algo-1' in key for marker in markers for key in marker['args']), 'a key lacks its underscore')


def named_by_rule(cli, source):
    """If -o names a folder, the file is named <end µs>_<node>_merged_timeline.json."""
    with folder() as place:
        cli.must('merge', '--quiet', '--layout', 'smdebug', '--start', 1594662608090195, '--end', 1594662619000000, '-o', place, source)
        names = [path.name for path in Path(place).iterdir()]
        check(len(names) == 1 and names[0].startswith('1594662619000000_') and names[0].endswith('_merged_timeline.json'), names)


# Covers documented rows: merged-timeline.md §4 filter argument
def filter_says_which(cli, source):
    """Only files with the given suffixes are merged: system metrics appear only if their suffix is given."""
    with folder() as place:
        out, framework = Path(place) / 'merged.json', 'pythontimeline.json'
        counts = []
        for suffixes in ([framework], ['algo-1.json'], [framework, 'algo-1.json'], []):
            given = [word for suffix in suffixes for word in ('--suffix', suffix)]
            cli.must('merge', '--quiet', '--layout', 'smdebug', *given, '-o', out, source)
            events = [event for event in read_back(out)[0] if event['name'] != 'sys_metrics_bottlenecks']
            counts.append((sum(event['ph'] != 'C' for event in events), sum(event['ph'] == 'C' for event in events)))
        lines = sum(len(path.read_text().splitlines()) for path in (source / 'system').rglob('*.algo-1.json'))
        check(counts[0][0] > 0 and lines > 0, 'the folder has no framework events or no counters')
        same(counts[:3], [(counts[0][0], 0), (0, lines), (counts[0][0], lines)], 'framework events and counters')
        same(counts[3][1], lines, 'counters without a filter')


# Covers documented rows: merged-timeline.md §4 missing step
def missing_step(cli, source):
    with folder() as place:
        out = Path(place) / 'merged.json'
        result = cli('merge', '--layout', 'smdebug', '--unit', 'step', '--start', 2, '--end', 4000, '-o', out, source)
        same(result.returncode, FAILED, 'exit status')
        check('step 4000' in result.stderr, result.stderr)
        check(not out.exists(), 'a file was written')


def merged_again(cli, source):
    """A merged timeline that is read back and merged again contains the same events."""
    with folder() as place:
        first, second = Path(place) / '1_a_merged_timeline.json', Path(place) / '2_a_merged_timeline.json'
        cli.must('merge', '--quiet', '--layout', 'smdebug', '-o', first, source)
        cli.must('merge', '--quiet', '--layout', 'smdebug', '-o', second, first)
        one, two = read_back(first), read_back(second)
        same(two[1], one[1], 'processes')
        key = lambda event: (event['ts'], event['pid'], json.dumps(event, sort_keys=True))  # noqa: E731
        same(sorted(two[0], key=key), sorted(one[0], key=key), 'events')


def fractional_times(cli, corpus):
    """Fractional TensorFlow times are exact to the ns; with --compat they are sums of two doubles that are not truncated, as in
    smdebug."""
    start = 1596659864545103
    events = [{'ph': 'M', 'pid': 1, 'name': 'process_name', 'args': {'name': '/host:CPU'}}] + [
        {'ph': 'X', 'pid': 1, 'tid': 2, 'name': f'n{i}', 'ts': i * 10 + i * 0.0625 + 0.9, 'dur': 0.75} for i in range(15)] + [{}]
    with folder() as place:
        step = Path(place) / 'framework/tensorflow/detailed_profiling/2020080513/000000000'
        run = step / 'plugins/profile/2020_08_05_13_37_44'
        run.mkdir(parents=True)
        (step / f'80807-host_{start}_{start + 400}.metadata').touch()
        (run / 'host.trace.json').write_text(json.dumps({'displayTimeUnit': 'ns', 'metadata': {'highres-ticks': True}, 'traceEvents': events}))
        out = Path(place) / 'out.json'
        spans = [event for event in events if event.get('ph') == 'X']
        for args, wanted in ((['--compat'], [repr(event['ts'] + start) for event in spans]),
                             ([], [str((Decimal(start) + Decimal(str(event['ts']))).quantize(Decimal('0.001'), ROUND_FLOOR)) for event in spans])):
            cli.must('merge', '--quiet', '--layout', 'smdebug', *args, '-o', out, Path(place) / 'framework')
            written = json.loads(out.read_text(), parse_float=Decimal)
            same([Decimal(event['ts']) for event in written if event['ph'] == 'X'], [Decimal(ts) for ts in wanted], f'times {args}')
            same({event['dur'] for event in written if event['ph'] == 'X'}, {Decimal('0.75')}, 'durations')


def order_of_doubles(cli, corpus):
    """With --compat, events whose times are the same double keep the file's order, as in smdebug's stable sort (doubles are
    0.25 µs apart at these times). Otherwise the exact times determine the order."""
    start, dice = 1607724054640000, random.Random(5)
    spans = [{'ph': 'X', 'pid': 1, 'tid': dice.choice([1, 2]), 'name': f'n{i}', 'ts': round(dice.random() * 2000, 3), 'dur': 0.125} for i in range(2080)]
    events = [{'ph': 'M', 'pid': 1, 'name': 'process_name', 'args': {'name': '/host:CPU'}}] + spans + [{}]
    with folder() as place:
        step = Path(place) / 'framework/tensorflow/detailed_profiling/2020080513/000000000'
        run = step / 'plugins/profile/2020_08_05_13_37_44'
        run.mkdir(parents=True)
        (step / f'80807-host_{start}_{start + 400}.metadata').touch()
        (run / 'host.trace.json').write_text(json.dumps({'displayTimeUnit': 'ns', 'metadata': {'highres-ticks': True}, 'traceEvents': events}))
        out = Path(place) / 'out.json'
        for args, key in ((['--compat'], lambda span: span['ts'] + start), ([], lambda span: span['ts'])):
            cli.must('merge', '--quiet', '--layout', 'smdebug', *args, '-o', out, Path(place) / 'framework')
            got = [event for event in json.loads(out.read_text()) if event['ph'] == 'X']
            same([event['name'] for event in got], [span['name'] for span in sorted(spans, key=key)], f'order {args}')
            same([event['ts'] for event in got], [span['ts'] + start for span in sorted(spans, key=key)], f'times {args}')


def bound_by_ids(cli, corpus):
    """Events that need their id (async events of both kinds, objects, memory dumps) cannot be represented in this
    layout; instants can."""
    common = {'pid': 1, 'tid': 1, 'cat': 'c', 'args': {}}
    bound = [{'ph': phase, 'ts': 2 + i, 'id': '0x1', 'name': 'bound', **common} for i, phase in enumerate('bneSTpFNODvV()')]
    free = [{'ph': 'X', 'ts': 1, 'dur': 9, 'name': 'x', **common}, {'ph': 'i', 's': 't', 'ts': 3, 'name': 'i', **common}, {'ph': 'R', 'ts': 4, 'name': 'r', **common}]
    with folder() as place:
        source, out = Path(place) / 'in.json', Path(place) / 'out.json'
        source.write_text(json.dumps(bound + free))
        for args in ([], ['--compat']):
            result = cli.must('merge', '--layout', 'smdebug', *args, '-o', out, source)
            same(sorted(event['name'] for event in read_back(out)[0]), ['i', 'r', 'x'], f'events {args}')
            check('10 instants of async spans or objects' in result.stderr and '2 async spans' in result.stderr, result.stderr)


def counters_apart(cli, corpus):
    """Counters of the same name stay separate. Instances in one file are told apart by their ids, counters of different
    files by their nodes."""
    with folder() as place:
        out = Path(place) / 'out.json'
        for rank in (0, 1):
            common = {'ph': 'C', 'pid': 5, 'tid': 1, 'name': 'memory', 'args': {'bytes': rank}}
            events = [{'ph': 'M', 'pid': 5, 'name': 'process_name', 'args': {'name': 'python'}}]
            events += [{**common, 'ts': 10 + rank}, {**common, 'ts': 20, 'id': '0xa'}, {**common, 'ts': 21, 'id': '0xb'}, {**common, 'ts': 30 + rank}]
            (Path(place) / f'rank{rank}.json').write_text(json.dumps(events))
        cli.must('merge', '--quiet', '--layout', 'smdebug', '-o', out, Path(place) / 'rank0.json', Path(place) / 'rank1.json')
        values = {}
        for event in json.loads(out.read_text()):
            if event['ph'] == 'C':
                values.setdefault((event['pid'], event['name']), []).append((event['ts'], event['args']['bytes']))
        same(sorted(len(series) for series in values.values()), [1, 1, 1, 1, 2, 2], 'events of each counter')
        check(all(len({rank for _, rank in series}) == 1 for series in values.values()), f'ranks in one counter: {values}')
        check({name for _, name in values} >= {'memory', 'memory 0xa', 'memory 0xb'}, sorted(values))


def original_counters(rows):
    """Reimplements the loop of smdebug over the sorted rows of metrics. A row is (time in µs, whether the utilization
    of a GPU is below the threshold); a row below the threshold is called low. Returns the number of rows that smdebug
    writes, and the times of its markers. The loop advances to the next low row only at the first row that is more than
    20 ms later than the current low row."""
    low = [time for time, is_low in rows if is_low]
    at, n, markers, collecting = 0, 0, [], None
    for time, _ in rows:
        if at == len(low):
            break
        if abs(time - low[at]) > 20000:
            markers += [collecting] if collecting is not None else []
            collecting = None
            if time > low[at]:
                at += 1
                if at == len(low):
                    break
        if abs(time - low[at]) <= 20000:
            collecting = low[at]
        n += 1
    return n, markers + ([collecting] if collecting is not None else [])


def counters_like_the_original(cli, corpus):
    """With --compat, the written counters end 20 ms after the last row in which a GPU is below the threshold (low row),
    or later, because the loop of smdebug may still be at an earlier low row. Each marker is written once, and the
    markers are the same with and without --compat. Uses random metrics of up to eight GPUs."""
    for seed in range(12):
        dice = random.Random(seed)
        n_gpus, every, begin = dice.randint(1, 8), dice.choice([100, 250, 500]) * 1000, 1591160699000000
        lines, rows = [], []
        for sample in range(60):
            for gpu in range(n_gpus + 1):
                time = begin + sample * every + gpu * dice.choice([0, 0, 9000, 23000] if seed % 2 else [0])
                value = dice.choice([5, 95]) if sample < 30 and dice.random() < 0.3 else 95
                name, dimension = (f'gpu{gpu}', 'GPUUtilization') if gpu < n_gpus else ('cpu0', 'CPUUtilization')
                rows.append((time, gpu < n_gpus and value < 85))
                lines.append({'Type': name[:3], 'Name': name, 'Dimension': dimension, 'Value': value, 'NodeId': 'algo-1', 'Timestamp': time / 1e6})
        n, markers = original_counters(sorted(rows))
        with folder() as place:
            system, out = Path(place) / 'system' / 'incremental' / '2020060305', Path(place) / 'out.json'
            system.mkdir(parents=True)
            (system / '1591160640.algo-1.json').write_text(''.join(json.dumps(line) + '\n' for line in lines))
            for args, wanted in ((['--compat'], n), ([], len(rows))):
                cli.must('merge', '--quiet', '--layout', 'smdebug', *args, '-o', out, Path(place) / 'system')
                events = json.loads(out.read_text())
                same(sum(event['ph'] == 'C' for event in events), wanted, f'counters of seed {seed} {args}')
                got = [event['ts'] for event in events if event['ph'] == 'i']
                check(len(got) == len(set(got)), f'a marker is there twice, seed {seed}')
                # With odd seeds, the samples that belong together have slightly different times. smdebug then misses
                # some markers, so the markers are compared only with even seeds.
                if seed % 2 == 0:
                    same(got, sorted(set(time for time, is_low in rows if is_low)), f'markers of seed {seed} {args}')
                    check(set(markers) <= set(got), f'markers of the original, seed {seed}')


def generated(cli, case, data, args):
    """Jobs generated by tools/make-profiler-output.py: counts, sums, processes, and first and last spans equal smdebug's. The
    order of system counters within a microsecond is undefined, so a marker may miss a row."""
    arguments = case['arguments']
    with folder() as place:
        out = Path(place) / 'merged.json'
        words = ['merge', '--quiet', '--layout', 'smdebug', '--unit', arguments['unit'], '--start', arguments['start'], '--end', arguments['end']]
        words += [word for suffix in arguments['file_suffix_filter'] or [] for word in ('--suffix', suffix)]
        if arguments['file_suffix_filter']:
            words += ['--suffix', '.algo-1.json', '--suffix', '.algo-2.json', '--suffix', '.metadata']
        cli.must(*words, *args, '-o', out, data)
        events, processes, names, threads = read_back(out)
        if not args and 'C' not in case['by_ph']:  # smdebug writes no counters if no GPU is below the threshold
            check(any(event['ph'] == 'C' for event in events), 'no counters')
            events = [event for event in events if event['ph'] != 'C']
            processes = [process for process in processes if process['name'] != 'sys_metrics']
        same(dict(Counter(event['ph'] for event in events)), case['by_ph'], 'phases')
        same(processes, case['processes'], 'processes')
        same((events[0]['ts'], events[-1]['ts']), (case['first_ts'], case['last_ts']), 'first and last')
        totals = {}
        for event in events:
            entry = totals.setdefault(f'{names[event["pid"]]} | {event["name"]} | {event["ph"]}', {'count': 0, 'total_us': 0})
            entry['count'] += 1
            entry['total_us'] += event.get('dur', 0)
        wanted = case['by_process_name_ph']
        same({key: entry['count'] for key, entry in totals.items()}, {key: entry['count'] for key, entry in wanted.items()}, 'counts')
        for key, entry in wanted.items():
            check(abs(totals[key]['total_us'] - entry.get('total_us', 0)) <= 1e-9 * entry.get('total_us', 0), f'total of {key}')
        spans = [event for event in events if event['ph'] == 'X']
        first, last = ([event for event in case.get(part, []) if event['ph'] == 'X'] for part in ('head', 'tail'))
        for one, other in list(zip(first, spans)) + list(zip(reversed(last), reversed(spans))):
            compare_event(one, other, names, threads)


def make_data(tools, document, place):
    words = shlex.split(document['generator'])
    data = Path(place) / 'data'
    generate(data, 'make-profiler-output.py', *[OUT if word == 'FOLDER' else word for word in words[1:]])
    return data


def main():
    corpus = shared_folder('corpus')
    need(corpus, *CASES[:1], shared_folder('oracle'))
    cli, tap = Cli(sys.argv[1]), Tap()
    for path in CASES:
        document = json.loads((path / 'expected.json').read_text())
        for i, case in enumerate(document['cases']):
            if 'error' not in case:
                tap.case(f'{path.name}/{i}', run_case, cli, corpus / document['folder'], case)
    resources = corpus / 'smdebug' / 'resources'
    tap.case('all counters of the range', counters_to_the_end, cli, resources / 'test_traces')
    tap.case('name of the output file in a folder', named_by_rule, cli, resources / 'merge_traces')
    tap.case('selection of files by suffix', filter_says_which, cli, resources / 'test_traces')
    tap.case('missing step', missing_step, cli, resources / 'merge_traces')
    tap.case('fractional times', fractional_times, cli, corpus)
    tap.case('order of doubles', order_of_doubles, cli, corpus)
    tap.case('events that need their id', bound_by_ids, cli, corpus)
    tap.case('counters of the same name', counters_apart, cli, corpus)
    tap.case('counters and markers compared with the loop of smdebug', counters_like_the_original, cli, corpus)
    for path in sorted(shared_folder('oracle').glob('gen-*')):
        document = json.loads((path / 'expected.json').read_text())
        with folder() as place:
            data = make_data(shared_folder('tools'), document, place)
            for i, case in enumerate(document['merged']):
                for args in ([], ['--compat']):
                    tap.case(' '.join([path.name, str(i), *args]), generated, cli, case, data, args)
    for name in ('merge_traces', 'test_traces'):
        tap.case(f'merged again: {name}', merged_again, cli, resources / name)
    tap.done()


if __name__ == '__main__':
    main()
