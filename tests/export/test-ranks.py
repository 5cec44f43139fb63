# SPDX-License-Identifier: Apache-2.0
"""Tests the ranks layout: a merged file is strict JSON that other viewers can read; reading it back gives the same
names, times to the ns, durations and args; merging it again gives the same events."""

import json
import os
import random
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import INCOMPLETE, SAMPLE, Cli, Tap, check, folder, read_strict, same, shared_folder  # noqa: E402

# Files and folders of the corpus, one or more from each family of traces. The test uses a random half of this list, or
# all of it if LOOM_LONG is set.
FAMILIES = [
    'aiu/allreduce_tp4.json', 'aiu/basic_event_test_cases.json', 'bluefog/timeline_temp3.json',
    'chrome/async_begin_end.json', 'chrome/flow.json', 'chrome/flow_simple.json', 'chrome/instance_counters.json',
    'chrome/instant_events.json', 'chrome/main_thread_has_unclosed_slices.json', 'chrome/nanoseconds.json',
    'chrome/nestable_async.json', 'chrome/picture_trace.json', 'chrome/quads_with_render_passes.json',
    'chrome/simple_trace.json', 'chrome/tall_trace.json', 'chrome/traceviewify.json', 'chrome/v8_runtime_call_stats.json',
    'chrome/webview.json.gz', 'chrome/x_event_trace.json',
    'clang/self-win-clang-19.1/main.json', 'composer/test_json_trace_profiler_hanld0/rank_0/composer_profiler',
    'composer', 'hta/amd_trace', 'hta/cpu_only', 'hta/critical_path', 'hta/large_integer_trace', 'hta/timeline_analysis',
    'lightning', 'mindspore', 'mxnet', 'perfetto', 'smdebug/horovod_timeline',
    'smdebug/resources/merge_traces', 'smdebug/resources/test_traces', 'smdebug/resources/model_timeline_traces',
    'smdebug/resources/horovod_timeline_traces', 'smdebug/resources/tfprofiler_timeline_traces',
    'smdebug/resources/tfprofiler_local_missing_metadata', 'spall', 'speedscope', 'tracelens/h100',
    'tracelens/torch_compile_triton', 'viztracer', 'xla',
]
# Large files and folders of the corpus. The test uses one random entry of this list, or all of them if LOOM_LONG is
# set.
BIG_FAMILIES = ['kineto', 'param', 'chrome/perf_sampling_trace_with_trace_events.json.gz', 'chrome/fuchsia_trace.json.gz', 'tracelens/mi300']

REQUIRED = {
    'X': {'name', 'ts', 'dur', 'pid', 'tid'}, 'C': {'name', 'ts', 'pid', 'args'}, 'M': {'name', 'pid', 'args'},
    'b': {'ts', 'pid', 'cat'}, 'e': {'ts', 'pid', 'cat'}, 's': {'ts', 'pid', 'id'}, 't': {'ts', 'pid', 'id'}, 'f': {'ts', 'pid', 'id'},
    'S': {'name', 'ts', 'pid', 'id'}, 'F': {'name', 'ts', 'pid', 'id'},
}


def validate(path):
    """Checks the required fields of each phase, unique integer ids, and the order of times."""
    document = read_strict(path)
    check(set(document) >= {'traceEvents', 'otherData', 'displayTimeUnit'}, 'top level')
    ours = document['otherData']['traceloom']
    check(isinstance(ours['origin_ns'], int), 'origin_ns')
    pids = [process['pid'] for process in ours['processes']]
    same(len(set(pids)), len(pids), 'pids')
    last = None
    for event in document['traceEvents']:
        missing = REQUIRED.get(event['ph'], {'ts'}) - set(event)
        if event['ph'] in 'stf' and missing == {'id'} and 'id2' in event:
            missing = set()
        if event['ph'] in 'be' and missing == {'cat'}:  # the input had none either
            missing = set()
        check(not missing, lambda: f'{missing} missing in {event}')
        for key in ('pid', 'tid'):
            check(isinstance(event.get(key, 0), int), lambda: f'{key} of {event}')
        if 'ts' in event:
            check(not isinstance(event['ts'], str), lambda: f'ts of {event}')
            check(last is None or event['ts'] >= last, lambda: f'out of order: {event}')
            last = event['ts']
    lines = json.loads('[[' + '],['.join(line.rstrip(',') for line in read_lines(path)) + ']]')
    check(all(len(line) == 1 and line[0] for line in lines), 'one event per line')
    return document


def read_lines(path):
    text = Path(path).read_text()
    return text[text.index('"traceEvents":[\n') + len('"traceEvents":[\n'):text.rindex('\n]')].split('\n')


def sorted_json(args):
    """Returns the args as JSON, without the member traceloom_begin_args. Only a merged file has this member: it keeps
    args of a begin event that the end event overrides."""
    return json.dumps({key: value for key, value in args.items() if key != 'traceloom_begin_args'}, sort_keys=True)


def key(event, told=sorted_json):
    """Returns the properties of an event that must not change. Flow events may be on a thread without spans, which has
    no name; global instants belong to the file and not to a rank."""
    part = (event['ts_ns'], event['dur_ns'], event['ph'], event['name'], event['cat'], event['depth'])
    if event['ph'] not in 'stf':
        part += (event['process'], event['thread'])
    if event['ph'] not in 'stf' and event['process']:
        part += (event['rank'],)
    part += (tuple(event.get('stack', ())), tuple(event.get('end_stack', ())))
    return part + (told(event['args']),)


def are_alike(before, after):
    """Returns True if events and args are equal in the same order. This is the usual case and faster than counting."""
    return len(before) == len(after) and all(key(one, repr) == key(two, repr) for one, two in zip(before, after))


def compare_dumps(before, after):
    if are_alike(before, after):
        return
    one, two = Counter(map(key, before)), Counter(map(key, after))
    gone, new = list((one - two).elements()), list((two - one).elements())
    check(not gone and not new, lambda: f'{len(before)} events before, {len(after)} after; {len(gone)} gone, {len(new)} new\n'
          f'  gone {sorted(gone)[:4]}\n  new  {sorted(new)[:4]}')


def round_trip(cli, source):
    with folder() as place:
        first, second = Path(place) / 'first.json', Path(place) / 'second.json.gz'
        before = cli.dump(source)
        cli.must('merge', '--quiet', '-o', first, source)
        one = validate(first)
        compare_dumps(before, cli.dump(first))
        cli.must('merge', '--quiet', '-o', second, first)
        two = read_strict(second)
        same(two['otherData']['traceloom']['origin_ns'], one['otherData']['traceloom']['origin_ns'], 'origin_ns')
        for index, (event, again) in enumerate(zip(one['traceEvents'], two['traceEvents'])):
            same(again, event, f'event {index} merged again')
        same(len(two['traceEvents']), len(one['traceEvents']), 'number of events merged again')


def args_bytes(cli, place_of):
    """Args are copied byte for byte; invalid JSON is repaired."""
    exact = '{ "a" :1.10,"big":123456789012345678901234567890,"e":1E+2, "u":"\\u00e9\\/", "list":[ 1, 2 ] }'
    with folder() as place:
        source, out = Path(place) / 'in.json', Path(place) / 'out.json'
        source.write_text('[{"name":"x","ph":"X","ts":"10.250","dur":4.5,"pid":"w","tid":7,"extra":{"k":[1]},"args":%s},\n'
                          '{"name":"y","ph":"X","ts":20,"dur":1,"pid":"w","tid":7,"args":{"v":NaN,"path":"C:\\dir","s":"a\tb"}}]' % exact)
        cli.must('merge', '--quiet', '-o', out, source)
        lines = read_lines(out)
        x = next(line for line in lines if '"name":"x"' in line)
        check(f'"args":{exact}' in x, x)
        check('"extra":{"k":[1]}' in x, x)
        y = json.loads(next(line for line in lines if '"name":"y"' in line).rstrip(','))
        same(y['args']['v'], 'NaN', 'NaN')
        same(y['args']['path'], 'C:\\dir', 'stray backslash')


def pairs_merged(cli, place_of):
    """A pair of a begin event (B) and an end event (E) becomes one complete event (X) with the args of both. If both
    have the same key, the value of the end event is used."""
    with folder() as place:
        source, out = Path(place) / 'in.json', Path(place) / 'out.json'
        source.write_text(json.dumps([
            {'name': 'p', 'ph': 'B', 'ts': 1, 'pid': 1, 'tid': 1, 'args': {'a': 1, 'b': 2}},
            {'name': 'p', 'ph': 'E', 'ts': 5, 'pid': 1, 'tid': 1, 'args': {'b': 3, 'c': 4}},
            {'name': 'open', 'ph': 'B', 'ts': 6, 'pid': 1, 'tid': 1, 'args': {'o': 1}},
            {'name': 'last', 'ph': 'i', 'ts': 9, 'pid': 1, 'tid': 1, 's': 't'}]))
        cli.must('merge', '--quiet', '-o', out, source)
        events = {event['name']: event for event in read_strict(out)['traceEvents'] if event['ph'] != 'M'}
        same((events['p']['ph'], events['p']['dur'], events['p']['args']), ('X', 4, {'a': 1, 'b': 3, 'c': 4, 'traceloom_begin_args': {'b': 2}}), 'pair')
        same((events['open']['ph'], events['open']['dur'], events['open']['traceloom']), ('X', 3, 'open'), 'open span')


def ids_apart(cli, place_of):
    """Two ranks use the same flow id for different flows. The flows stay separate in the merged file, and each rank has
    the same arrows as before when the merged file is opened."""
    flow = [{'name': 'q', 'ph': 'X', 'ts': 1, 'dur': 2, 'pid': 1, 'tid': 1}, {'name': 'f', 'cat': 'c', 'ph': 's', 'id': 7, 'ts': 2, 'pid': 1, 'tid': 1},
            {'name': 'r', 'ph': 'X', 'ts': 10, 'dur': 2, 'pid': 1, 'tid': 2}, {'name': 'f', 'cat': 'c', 'ph': 'f', 'bp': 'e', 'id': 7, 'ts': 11, 'pid': 1, 'tid': 2}]
    with folder() as place:
        for rank in (0, 1):
            (Path(place) / f'rank{rank}.json').write_text(json.dumps(flow))
        out = Path(place) / 'out' / 'merged.json'
        out.parent.mkdir()
        cli.must('merge', '--quiet', '-o', out, place)
        events = read_strict(out)['traceEvents']
        ids = Counter((event['pid'], event['id']) for event in events if event['ph'] in 'sf')
        same(sorted(ids.values()), [2, 2], 'pairs')
        same(len({ident for _, ident in ids}), 2, 'ids')
        same(sorted({event['pid'] for event in events}), [1, 2], 'pids')


STACKS = Path(__file__).resolve().parents[1] / 'import' / 'cases' / 'chrome-9-stacks' / 'stacks.json'


def stacks_of(events):
    return Counter((event['name'], tuple(event.get('stack', ())), tuple(event.get('end_stack', ()))) for event in events)


def stacks_apart(cli, place_of):
    """Stack frames with equal ids in two ranks or in two processes stay separate; a source without frames keeps its
    events unchanged. Merging again gives the same frames and events."""
    # Covers documented rows: chrome-trace-events.md §9 sf resolved to the frames of stackFrames
    sources = {'rank0.json': STACKS.read_text(), 'rank1.json': STACKS.read_text().replace('"name": "train"', '"name": "other"'),
               'rank2.json': '[{"name":"plain","ph":"X","ts":1,"dur":1,"pid":1,"tid":1,"sf":2,"esf":3}]'}
    with folder() as place:
        for name, text in sources.items():
            (Path(place) / name).write_text(text)
        wanted = [event for name in sources for event in cli.dump(Path(place) / name)]
        same(sum('other' in event.get('stack', ()) for event in wanted) > 5, True, 'ranks differ')
        first, second = Path(place) / 'out' / 'first.json', Path(place) / 'out' / 'second.json'
        first.parent.mkdir()
        cli.must('merge', '--quiet', '-o', first, *(Path(place) / name for name in sources))
        validate(first)
        same(stacks_of(cli.dump(first)), stacks_of(wanted), 'stacks read back')
        frames, events = read_strict(first)['stackFrames'], read_strict(first)['traceEvents']
        plain = next(event for event in events if event['name'] == 'plain')
        same((plain['sf'], plain['esf']), (2, 3), 'ids of a source without frames')
        check(all(event['sf'] in frames for event in events if event['name'] == 'circle'), 'ids are in the table')
        check(not any(event['sf'] in frames for event in events if event['name'] == 'unknown id'), 'unknown ids are not')
        cli.must('merge', '--quiet', '-o', second, first)
        one, two = read_strict(first), read_strict(second)
        same(two['stackFrames'], one['stackFrames'], 'frames merged again')
        same(two['traceEvents'], one['traceEvents'], 'events merged again')


def stacks_of_ends(cli, place_of):
    """The stack at the end of a pair is kept, in the composer layout too. If the pair is merged into an X event, this
    event contains the stack; if the pair stays two events, the end event contains it."""
    both = [{'ph': 'B', 'ts': 1, 'name': 'pair', 'sf': 1}, {'ph': 'E', 'ts': 9, 'name': 'pair', 'sf': 2}, {'ph': 'B', 'ts': 11, 'name': 'listed'},
            {'ph': 'E', 'ts': 12, 'name': 'listed', 'stack': ['x', 'y']}, {'ph': 'b', 'ts': 2, 'id': 1, 'cat': 'c', 'name': 'async', 'sf': 1},
            {'ph': 'e', 'ts': 8, 'id': 1, 'cat': 'c', 'name': 'async', 'sf': 2}]
    frames = {'1': {'name': 'outer'}, '2': {'name': 'inner', 'parent': '1'}}
    wanted = {'pair': (('outer',), ('inner', 'outer')), 'listed': ((), ('x', 'y')), 'async': (('outer',), ('inner', 'outer'))}
    with folder() as place:
        place = Path(place)
        for name in ('a.json', 'b.json'):
            (place / name).write_text(json.dumps({'traceEvents': [{'pid': 1, 'tid': 1, **event} for event in both], 'stackFrames': frames}))
        for sources in (['a.json'], ['a.json', 'b.json']):
            out = place / 'out' / 'merged.json'
            out.parent.mkdir(exist_ok=True)
            cli.must('merge', '--quiet', '-o', out, *(place / name for name in sources))
            for got in (cli.dump(out), cli.dump(*(place / name for name in sources))):
                same(stacks_of(got), Counter({(name, *stacks): len(sources) for name, stacks in wanted.items()}), f'stacks of {sources}')
        cli.must('merge', '--quiet', '--layout', 'composer', '-o', out, place / 'a.json')
        same(stacks_of(cli.dump(out)), Counter({(name, *stacks): 1 for name, stacks in wanted.items()}), 'composer')


def stacks_alone(cli, place_of):
    """If a single source has one table of stack frames, the merge keeps the ids of the frames. If each process has its
    own table, the merge changes the ids to unique ones."""
    with folder() as place:
        source, out = Path(place) / 'in.json', Path(place) / 'out.json'
        source.write_text(STACKS.read_text().replace('"ph": "M"', '"ph": "?"'))
        cli.must('merge', '--quiet', '-o', out, source)
        same(read_strict(out)['stackFrames']['2'], {'category': 'py', 'name': 'train', 'parent': '1'}, 'a frame')
        same([event['sf'] for event in read_strict(out)['traceEvents'] if event['name'] in ('number id', 'text id')], [3, '3'], 'ids')
        compare_dumps(cli.dump(source), cli.dump(out))
        source.write_text(STACKS.read_text())
        cli.must('merge', '--quiet', '-o', out, source)
        compare_dumps(cli.dump(source), cli.dump(out))
    round_trip(cli, STACKS)


def nanoseconds(cli, place_of):
    """Times of today's dates stay exact to the nanosecond, also in readers that use doubles."""
    with folder() as place:
        source, out = Path(place) / 'in.json', Path(place) / 'out.json'
        source.write_text('{"schemaVersion":1,"baseTimeNanoseconds":1735632360000000000,"traceEvents":['
                          '{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":4412345678901.123,"dur":0.001},'
                          '{"ph":"X","cat":"cpu_op","name":"b","pid":1,"tid":1,"ts":4412345678901.125,"dur":1.5}]}')
        cli.must('merge', '--quiet', '-o', out, source)
        document = read_strict(out)
        origin = document['otherData']['traceloom']['origin_ns']
        times = [origin + round(event['ts'] * 1000) for event in document['traceEvents'] if event['ph'] == 'X']
        same(times, [1735632360000000000 + 4412345678901123, 1735632360000000000 + 4412345678901125], 'times')


def far_apart(cli, place_of):
    """Times more than 292 years apart stay exact to the ns. So do times that are too implausible (suspect) to count in
    the extent of the run."""
    first, last = -9223372036854770, 9223372036854770
    late = [{'name': 'process_name', 'ph': 'M', 'pid': 0, 'args': {'start_time_since_epoch_in_micros': 1932984103000000}},
            {'name': 'b', 'ph': 'X', 'pid': 0, 'ts': last, 'dur': 5}]
    for others in ({'b.json': [{'name': 'b', 'ph': 'X', 'pid': 0, 'ts': 5, 'dur': 5}]}, {'1932984103000000_1-algo-2_pythontimeline.json': late}):
        with folder() as place:
            for name, events in {'a.json': [{'name': 'a', 'ph': 'X', 'pid': 0, 'ts': first, 'dur': 5}], **others}.items():
                (Path(place) / name).write_text(json.dumps(events))
            round_trip(cli, place)


def in_range(cli, place_of):
    """A range includes every event that overlaps or touches it."""
    with folder() as place:
        source, out = Path(place) / 'in.json', Path(place) / 'out.json'
        base = 1700000000000000
        spans = [('before', 0, 9), ('ends at', 0, 10), ('inside', 12, 3), ('around', 5, 50), ('starts at', 20, 5), ('behind', 21, 5)]
        source.write_text(json.dumps([{'name': name, 'ph': 'X', 'ts': base + ts, 'dur': dur, 'pid': 1, 'tid': i}
                                      for i, (name, ts, dur) in enumerate(spans)]))
        cli.must('merge', '--quiet', '--start', base + 10, '--end', base + 20, '-o', out, source)
        names = {event['name'] for event in read_strict(out)['traceEvents'] if event['ph'] == 'X'}
        same(names, {'ends at', 'inside', 'around', 'starts at'}, 'names')
        result = cli('merge', '--quiet', '--start', base + 1000, '--end', base + 2000, '-o', Path(place) / 'none.json', source)
        same((result.returncode, (Path(place) / 'none.json').exists()), (1, False), 'an empty range')


def moved(cli, source):
    """With offsets of the user for the clocks, the merged file contains the shifted times: its dump equals that of the
    source with these offsets."""
    with folder() as place:
        out = Path(place) / 'out.json'
        shifts = ['--offset', '0=-123456789', '--offset', '3=7']
        cli.must('merge', '--quiet', *shifts, '-o', out, source)
        compare_dumps(cli.dump(*shifts, source), cli.dump(out))
        clocks = read_strict(out)['otherData']['traceloom']['clocks']
        same([clocks[i]['user_offset_ns'] for i in (0, 1, 3)], [-123456789, 0, 7], 'offsets')


def part(cli, source):
    """If only a range of a run is merged, the dump of the merged file equals the dump of this range of the run, except
    for the depths of spans."""
    with folder() as place:
        out = Path(place) / 'out.json'
        info = cli.info(source)
        length = info['end_ns'] - info['start_ns']
        window = ['--start-ns', info['start_ns'] + length // 3, '--end-ns', info['end_ns'] - length // 3]
        cli.must('merge', '--quiet', *window, '-o', out, source)
        before, after = cli.dump(*window, source), cli.dump(out)
        check(len(before) > 100, 'the range is nearly empty')
        for event in before + after:
            event['depth'] = 0
        compare_dumps(before, after)


def ranks_labelled(cli, place_of):
    """Process names for other viewers contain the rank once; reading back does not add it again."""
    names = ['python', 'worker of Rank 1', 'rank 21']
    with folder() as place:
        for rank, name in enumerate(names):
            (Path(place) / f'rank{rank}.json').write_text(json.dumps({'distributedInfo': {'rank': rank}, 'schemaVersion': 1, 'traceEvents': [
                {'name': 'process_name', 'ph': 'M', 'pid': 5, 'args': {'name': name}},
                {'name': 'x', 'ph': 'X', 'ts': 1, 'dur': 2, 'pid': 5, 'tid': 1}]}))
        out = Path(place) / 'out' / 'merged.json'
        out.parent.mkdir()
        before = cli.dump(place)
        cli.must('merge', '--quiet', '-o', out, place)
        document = read_strict(out)
        shown = {event['pid']: event['args']['name'] for event in document['traceEvents'] if event['name'] == 'process_name'}
        same(shown, {1: 'rank 0 · python', 2: 'worker of Rank 1', 3: 'rank 2 · rank 21'}, 'names')
        same([process['name'] for process in document['otherData']['traceloom']['processes']], names, 'names in the head')
        compare_dumps(before, cli.dump(out))
        (Path(place) / 'alone.json').write_text(json.dumps([{'name': 'x', 'ph': 'X', 'ts': 1, 'dur': 2, 'pid': 5, 'tid': 1}]))
        cli.must('merge', '--quiet', '-o', out, Path(place) / 'alone.json')
        check('rank ' not in ''.join(read_lines(out)), 'a rank for a file that has none')


def distributed_info(cli, place_of):
    """Holistic Trace Analysis reads the rank from distributedInfo; when several ranks are merged, members that are
    equal in all of them are kept."""
    def info(rank):
        groups = [{'pg_name': str(i), 'ranks': list(range(64))} for i in range(40)]  # makes the args several KiB long
        return {'backend': 'nccl', 'rank': rank, 'world_size': 2, 'nested': {'rank': 1, 'text': 'a "b"'}, 'pg_config': groups}
    with folder() as place:
        paths = [Path(place) / name for name in ('rank0.json', 'rank1.json', 'plain.json')]
        for rank, path in enumerate(paths):
            said = {'distributedInfo': info(rank)} if rank < 2 else {}
            path.write_text(json.dumps({'schemaVersion': 1, **said, 'traceEvents': [{'name': 'x', 'ph': 'X', 'ts': 1, 'dur': 2, 'pid': 5, 'tid': 1}]}))
        out, again = Path(place) / 'out.json', Path(place) / 'again.json'
        agreed = {key: value for key, value in info(0).items() if key != 'rank'}
        for sources, wanted in ((paths, agreed), (paths[:1], info(0)), (paths[1:], info(1)), (paths[2:], None)):
            cli.must('merge', '--quiet', '-o', out, *sources)
            same(read_strict(out).get('distributedInfo'), wanted, 'distributedInfo')
            same(cli.info(out)['sources'][0]['format'], 'traceloom', 'format')
            cli.must('merge', '--quiet', '-o', again, out)
            same(read_strict(again).get('distributedInfo'), wanted, 'merged again')


def families():
    if 'LOOM_LONG' in os.environ:
        return FAMILIES + BIG_FAMILIES
    seed = int(os.environ.get('LOOM_SEED', random.randrange(2 ** 32)))
    print(f'# LOOM_SEED={seed}')
    dice = random.Random(seed)
    return [*dice.sample(FAMILIES, len(FAMILIES) // 2), dice.choice(BIG_FAMILIES)]


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for case in (args_bytes, pairs_merged, ids_apart, stacks_apart, stacks_of_ends, stacks_alone, ranks_labelled, distributed_info, nanoseconds, far_apart, in_range):
        tap.case(case.__name__, case, cli, None)
    if SAMPLE.exists():
        tap.case('round trip: data/sample', round_trip, cli, SAMPLE)
        tap.case('a clock offset set by the user', moved, cli, SAMPLE)
        tap.case('a range', part, cli, SAMPLE)
    corpus = shared_folder('corpus')
    for name in families() if corpus.exists() else []:
        tap.case(f'round trip: {name}', round_trip, cli, corpus / name)
    tap.done()


if __name__ == '__main__':
    main()
