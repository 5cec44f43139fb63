# SPDX-License-Identifier: Apache-2.0
"""Compares the composer layout with the output of Composer's own merger, event by event and in order."""

import json
import shlex
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import OUT, Cli, Tap, check, folder, generate, need, read_strict, same, shared_folder  # noqa: E402


def merged(cli, out, *sources):
    cli.must('merge', '--quiet', '--layout', 'composer', '-o', out, *sources)
    text = Path(out).read_text()
    check(text.startswith('[\n    {') and text.endswith('}\n]\n'), 'the file does not begin and end like a Composer file')
    return read_strict(out)


def real_pair(cli, corpus, case):
    with folder() as place:
        got = merged(cli, Path(place) / 'merged.json', *(corpus / name for name in case['input']))
        wanted = json.loads((corpus / case['output']).read_text())
        same(len(got), len(wanted), 'number of events')
        for one, other in zip(got, wanted):
            same(one, other, 'event')
        same(dict(Counter(event['ph'] for event in got)), case['by_ph'], 'phases')


def thread_index(events):
    """Returns the thread_sort_index events that the merger adds: those without ts."""
    return [[event['pid'], event['tid'], event['args']['sort_index']] for event in events
            if event['name'] == 'thread_sort_index' and 'ts' not in event]


def generated(cli, tools, case):
    words = shlex.split(case['generator'])
    with folder() as place:
        traces, out = Path(place) / 'traces', Path(place) / 'merged.json'
        generate(traces, 'make-chrome-trace.py', *[OUT if word == 'FOLDER' else word for word in words[1:]])
        got = merged(cli, out, traces)
        same(len(got), case['events'], 'number of events')
        same(dict(Counter(event['ph'] for event in got)), case['by_ph'], 'phases')
        same({str(pid): n for pid, n in Counter(event['pid'] for event in got).items()}, case['by_pid'], 'processes')
        same(thread_index(got), case['thread_sort_index'], 'thread_sort_index')
        sums = Counter()
        for event in got:
            sums[str(event['pid'])] += event.get('ts', 0)
        for pid, wanted in case['ts_sum_by_pid'].items():
            check(abs(sums[pid] - wanted) <= abs(wanted) * 1e-15, f'sum of ts of rank {pid}: {sums[pid]} instead of {wanted}')
        same(got[:len(case['head'])], case['head'], 'head')
        same(got[-len(case['tail']):], case['tail'], 'tail')


# Covers documented rows: composer.md §4 feeding a merged file again
def kept_when_merged_again(cli, corpus, case):
    """A merged file that is merged again keeps its pids and times and gets no second sort index."""
    with folder() as place:
        wanted = read_strict(corpus / case['output'])
        for event in wanted:
            if event['name'] == 'global_rank':
                other = json.loads(json.dumps(event))
        other['pid'], other['args'] = 7, {'value': 7}
        source = Path(place) / 'merged_trace.json'
        source.write_text(json.dumps(wanted + [other]))
        same(merged(cli, Path(place) / 'again.json', source), wanted + [other], 'events')


# Covers documented rows: composer.md §4 repair of a trailing comma | strict second reading | events lacking ph or name | string ts | NaN in input
def lenient(cli, place_of):
    """Traces with unclosed arrays, string times, NaN, and events without name, pid or tid can be merged."""
    with folder() as place:
        traces = Path(place) / 'traces'
        traces.mkdir()
        for rank, sync in ((0, 1000000000000500), (1, 1000000000000800)):
            lines = [
                {'name': 'global_rank', 'ph': 'M', 'ts': 1000000000000000, 'pid': rank, 'tid': 5, 'args': {'value': rank}},
                {'name': 'clock_sync_timestamp_us', 'ph': 'M', 'ts': 1000000000000000, 'pid': rank, 'tid': 5, 'args': {'value': sync}},
                {'name': 'a', 'cat': '', 'ph': 'B', 'ts': '1000000000001000.5', 'pid': rank, 'tid': 5, 'args': {}},
                {'cat': '', 'ph': 'B', 'ts': 1, 'pid': rank, 'tid': 5},
                {'name': 'no tid', 'ph': 'i', 'ts': 1000000000001000, 'pid': rank},
                {'name': 'x', 'ph': 'i', 'ts': 1000000000001000, 'pid': rank, 'tid': 'PyTorch Profiler (0)'},
            ]
            text = '[\n' + ',\n'.join(map(json.dumps, lines)) + ',\n' + \
                   '{"name": "n", "ph": "C", "ts": 1000000000001001, "pid": %d, "tid": 5, "args": {"v": NaN}},\n' % rank
            (traces / f'ep0-ba0-rank{rank}.json').write_text(text)
        got = merged(cli, Path(place) / 'merged.json', traces)
        same([(event['name'], event['pid'], event.get('ts')) for event in got if event['ph'] != 'M'],
             [('a', 0, 1000000000001000.5), ('n', 0, 1000000000001001), ('a', 1, 1000000000000700.5), ('n', 1, 1000000000000701)],
             'events')


# Covers documented rows: composer.md §4 one sync per rank | base is the lowest rank present | index 99999 once
def cycles(cli, place_of):
    """Each file is shifted by its own sync event. With --compat, each file is shifted by the last sync event of its
    rank, as Composer's merger does."""
    syncs = {(0, 0): 1000000000000000, (1, 0): 1000000000000100, (0, 1): 2000000000000000, (1, 1): 2000000000000700}
    with folder() as place:
        traces = Path(place) / 'traces'
        traces.mkdir()
        for (rank, cycle), sync in syncs.items():
            common = {'pid': rank, 'tid': 5, 'ts': sync}
            (traces / f'ep0-ba{cycle}-rank{rank}.json').write_text(json.dumps([
                {'name': 'global_rank', 'ph': 'M', **common, 'args': {'value': rank}},
                {'name': 'clock_sync_timestamp_us', 'ph': 'M', **common, 'args': {'value': sync}},
                {'name': 'i', 'ph': 'i', 's': 'p', **common}]))
        times = lambda events: sorted((event['pid'], event['ts']) for event in events if event['ph'] == 'i')  # noqa: E731
        own = merged(cli, Path(place) / 'own.json', traces)
        same(times(own), [(0, 10 ** 15), (0, 2 * 10 ** 15), (1, 10 ** 15), (1, 2 * 10 ** 15)], 'times with own sync events')
        last = merged(cli, Path(place) / 'last.json', '--compat', traces)
        same(times(last), [(0, 10 ** 15), (0, 2 * 10 ** 15), (1, 10 ** 15 - 600), (1, 2 * 10 ** 15)], 'times with the last sync event')
        same(thread_index(own), [[0, 5, 99999], [1, 5, 99999]], 'once per rank and thread')


# Covers documented rows: composer.md §4 files without rank or sync
def without_rank(cli, place_of):
    """If a file states no rank, its rank is taken from the file name. If the file name states none, the file gets the
    next unused number. Times do not change."""
    names = {'rank5': 5, 'alpha': 6, 'beta': 7}
    with folder() as place:
        for name in names:
            (Path(place) / f'{name}.json').write_text(json.dumps(
                [{'name': name, 'cat': '', 'ph': 'i', 's': 'p', 'ts': 10 ** 15, 'pid': 99, 'tid': 5, 'args': {}}]))
        got = merged(cli, Path(place) / 'merged.json', *(Path(place) / f'{name}.json' for name in names))
        same({event['name']: (event['pid'], event['ts']) for event in got if event['ph'] == 'i'},
             {name: (number, 10 ** 15) for name, number in names.items()}, 'ranks and times')


def stacks(cli, *paths):
    return sorted((event['name'], event.get('stack'), event.get('end_stack')) for event in cli.dump(*paths))


def two_processes():
    """Returns the events of a file with two processes. Both processes define a table of stack frames, and both tables
    use the same ids."""
    return [event for pid in (7, 8) for event in (
        {'name': f'of {pid}', 'ph': 'X', 'pid': pid, 'tid': 5, 'ts': 10 ** 15, 'dur': 1, 'sf': 1},
        {'name': 'stackFrames', 'ph': 'M', 'pid': pid, 'tid': 5, 'args': {'stackFrames': {'1': {'name': f'frame of {pid}'}}}})]


def frames(cli, place_of):
    """Events keep the ids of their stack frames. The frames themselves are in a metadata event with one table for each
    process, never as a list of names in each event. If two files of a rank use the same ids, the merge changes the ids
    to unique ones. Merging the merged file again changes nothing."""
    def trace(rank, cycle, word, scoped=False):
        common = {'pid': 90 + rank, 'tid': 5}
        table = {'1': {'name': f'outer {word}'}, '2': {'name': f'inner {word}', 'category': 'py', 'parent': '1'}}
        events = [{'name': 'global_rank', 'ph': 'M', **common, 'ts': 10 ** 15, 'args': {'value': rank}},
                  {'name': 'clock_sync_timestamp_us', 'ph': 'M', **common, 'ts': 10 ** 15, 'args': {'value': 10 ** 15}},
                  {'name': f'x{word}', 'ph': 'X', **common, 'ts': 10 ** 15 + cycle, 'dur': 1, 'sf': 2, 'esf': '1'},
                  {'name': f'both{word}', 'ph': 'X', **common, 'ts': 10 ** 15 + cycle + 5, 'dur': 1, 'sf': 2, 'stack': ['a']},
                  {'name': f'unknown{word}', 'ph': 'X', **common, 'ts': 10 ** 15 + cycle + 9, 'dur': 1, 'sf': 77}]
        if scoped:
            return events + [{'name': 'stackFrames', 'ph': 'M', **common, 'args': {'stackFrames': table}}]
        return {'traceEvents': events, 'stackFrames': table}
    runs = {'alone': [(0, 0, 'a')], 'ranks': [(0, 0, 'a'), (1, 0, 'b')], 'cycles': [(0, 0, 'a'), (0, 100, 'b'), (1, 0, 'c')],
            'scoped': [(0, 0, 'a', True)]}
    for name, parts in runs.items():
        with folder() as place:
            paths = [Path(place) / f'ep{i}-ba{i}-rank{part[0]}.json' for i, part in enumerate(parts)]
            for path, part in zip(paths, parts):
                path.write_text(json.dumps(trace(*part)))
            out, again = Path(place) / 'merged_trace.json', Path(place) / 'again_merged_trace.json'
            got = merged(cli, out, *paths)
            same(stacks(cli, out), stacks(cli, *paths), f'{name}: stacks read back')
            check(all('stack' not in event for event in got if not event['name'].startswith('both')), f'{name}: a list of names')
            tables = {}
            for event in got:
                if event['name'] == 'stackFrames':
                    tables.setdefault(event['pid'], {}).update(event['args']['stackFrames'])
            same(sorted(tables), sorted({part[0] for part in parts}), f'{name}: processes with a table')
            for event in got:
                known = 'sf' in event and not event['name'].startswith('unknown')
                check(not known or str(event['sf']) in tables[event['pid']], f'{name}: {event}')
            if name != 'cycles':
                same([event['sf'] for event in got if 'sf' in event], [2, 2, 77] * len(parts), f'{name}: ids')
            if name in ('ranks', 'cycles'):
                same(merged(cli, again, out), got, f'{name}: merged again')
    with folder() as place:
        path, out = Path(place) / 'ep0-ba0-rank0.json', Path(place) / 'merged_trace.json'
        path.write_text(json.dumps(two_processes()))
        same([event['name'] for event in merged(cli, out, path)].count('stackFrames'), 1, 'one table of both processes')
        same(stacks(cli, out), [('of 7', ['frame of 7'], None), ('of 8', ['frame of 8'], None)], 'stacks of two processes that become one')


def samples_beside(cli, place_of):
    """Samples outside of traceEvents cannot be represented and are counted; a file with only such samples can still be
    merged."""
    with folder() as place:
        source, out = Path(place) / 'in.json', Path(place) / 'out.json'
        samples = [{'cpu': 1, 'tid': 5, 'ts': 7 + i, 'name': 'cycles', 'weight': 1} for i in range(3)]
        events = [{'name': name, 'ph': phase, 's': 't', 'pid': 1, 'tid': 5, 'ts': 5, 'dur': 9} for name, phase in (('x', 'X'), ('i', 'i'))]
        for document in ({'traceEvents': events, 'samples': samples}, {'samples': samples, 'traceEvents': events}):
            source.write_text(json.dumps(document))
            stderr = cli.must('merge', '--layout', 'composer', '-o', out, source).stderr
            check('3 of the selected events cannot be stored' in stderr and '3 items that their files do not store as trace events' in stderr, stderr)
        source.write_text(json.dumps({'traceEvents': [], 'samples': samples}))
        cli.must('merge', '--quiet', '-o', out, source)
        same(sum(event['ph'] == 'P' for event in read_strict(out)['traceEvents']), 3, 'samples alone')


def main():
    corpus, oracle, tools = shared_folder('corpus'), shared_folder('oracle') / 'composer-merge', shared_folder('tools')
    need(corpus, oracle, tools)
    cli, tap = Cli(sys.argv[1]), Tap()
    cases = json.loads((oracle / 'expected.json').read_text())['cases']
    for i, case in enumerate(cases):
        if 'generator' in case:
            tap.case(f'generated {i}', generated, cli, tools, case)
        else:
            tap.case('a real pair of ranks', real_pair, cli, corpus, case)
            tap.case('a merged file', kept_when_merged_again, cli, corpus, case)
    tap.case('malformed input', lenient, cli, None)
    tap.case('sync events of several cycles', cycles, cli, None)
    tap.case('files without a rank', without_rank, cli, None)
    tap.case('stack frames', frames, cli, None)
    tap.case('samples outside of traceEvents', samples_beside, cli, None)
    tap.done()


if __name__ == '__main__':
    main()
