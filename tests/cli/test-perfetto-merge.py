# SPDX-License-Identifier: Apache-2.0
"""Tests merge --layout perfetto. When the Perfetto file is read again, it must give the same events as the merged JSON
file, and an independent reader of the format must find the same spans and counters. Small traces that test one property
each are written by this script; real traces come from the shared corpus."""

import collections
import functools
import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import harness
from harness import SAMPLE, Cli, Tap, check, read_events, same
from kineto import Recording

PART = 8192  # number of events after which a file starts a new part, which can be read alone
N_WHOLE = 20_000  # number of events in the file that is damaged: two complete parts and a third that is not full
# Phases that Perfetto's track events do not have; they are written as instants.
OTHER_INSTANTS = 'IRPNODVvc()'
# Real files, one or more from each writer. Some contain flow arrows, async spans, call stacks, overlapping spans or
# long numbers.
REAL = ('chrome/flow.json', 'chrome/async_begin_end.json', 'chrome/nestable_async.json', 'chrome/instant_events.json', 'chrome/tall_trace.json',
        'chrome/fuchsia_trace.json.gz', 'chrome/webview.json.gz', 'chrome/big_trace.json', 'hta/large_integer_trace', 'hta/nccl_parser_config',
        'hta/ns_resolution_trace', 'kineto/samples', 'smdebug/horovod_timeline', 'smdebug/resources', 'composer/test_json_trace_profiler_hanld0',
        'perfetto-protobuf/track_event_counters.pftrace', 'nsight/h100_2gpu_1s.sqlite')


def normal(events):
    """Converts events of a merged JSON file to their form in a Perfetto trace: each value of a counter is an event; stacks and
    flags are args."""
    found = collections.Counter()
    for event in events:
        event = dict(event)
        event['ph'] = 'i' if event['ph'] in OTHER_INSTANTS else event['ph']
        event['args'] = {**event['args'], **{key: event.pop(key) for key in ('stack', 'end_stack') if key in event}}
        event['args'].pop('traceloom', None)
        if event['ph'] == 'C':
            event['name'] = event['name'].split('[')[0]
            for key, value in event['args'].items():
                found[text({**event, 'args': {key: value}})] += 1
        else:
            found[text(event)] += 1
    return found


def number(digits):
    """Parses a number with a fraction or an exponent. If its value is whole, it becomes an int, so that 5 and 5.0 are
    equal."""
    value = float(digits)
    return int(value) if abs(value) < 2**53 and value == int(value) else value


def text(event, encode=json.JSONEncoder(sort_keys=True).encode):
    """Returns the event as text without NUL, which is shown as a symbol."""
    return encode(event).replace('\\u0000', '\\u2400')


def merge(cli, folder, *args):
    """Merges the inputs into a JSON file and a Perfetto file; returns the paths of both."""
    paths = [Path(folder) / 'merged.json', Path(folder) / 'merged.pftrace']
    for path in paths:
        cli.must('merge', '--quiet', '-o', path, *args)
    return paths


def check_equal(cli, folder, *args):
    plain, binary = merge(cli, folder, *args)
    lines = [collections.Counter(cli.dump_lines(path)) for path in (plain, binary)]
    # Most lines are equal in both dumps, to the byte; the others are compared as events.
    wanted, got = [normal(read_events((one - other).elements(), parse_float=number)) for one, other in (lines, lines[::-1])]
    same([list((wanted - got).elements())[:3], list((got - wanted).elements())[:3]], [[], []], 'events')
    return plain, binary


def check_real(cli, folder, path):
    plain, binary = check_equal(cli, folder, path)
    check(binary.stat().st_size < plain.stat().st_size, 'the binary file is not smaller')


def second_reader(shared, path):
    result = subprocess.run([sys.executable, shared / 'tools' / 'binary-truth.py', path], capture_output=True, text=True, check=True)
    truth = json.loads(result.stdout)
    return truth[0] if isinstance(truth, list) else truth


# Covers documented rows: README.md §1 Perfetto protobuf
def check_second(cli, shared, folder, path):
    """An independent reader, which shares no code with the program, finds the same counts and sums."""
    plain, binary = merge(cli, folder, path)
    truth = second_reader(shared, binary)
    sums = collections.defaultdict(lambda: [0, 0])
    values = collections.defaultdict(list)
    for event in cli.dump(plain):
        if event['ph'] == 'X':
            sums[event['name']][0] += 1
            sums[event['name']][1] += event['dur_ns']
        elif event['ph'] == 'C':
            values[event['name'].split('[')[0]] += event['args'].values()
    same(truth['slices'], sum(n for n, _ in sums.values()), 'spans')
    same([truth['unclosed'], truth['paired_by_index']], [0, 0], 'pairs')
    same(truth['names'], {name: sums[name] for name in truth['names']}, 'names')
    same(sum(n for n, _ in truth['counters'].values()), sum(len(all_of) for all_of in values.values()), 'samples')
    total = sum(value for _, value in truth['counters'].values())
    check(abs(total - sum(sum(all_of) for all_of in values.values())) <= 1e-9 * max(1, abs(total)), 'sum of the samples')


def write(folder, name, events, **members):
    path = Path(folder) / name
    path.write_text(json.dumps({**members, 'traceEvents': events}))
    return path


def span(name, ts, dur, tid=1, **members):
    return {'ph': 'X', 'name': name, 'cat': 'c', 'pid': 1, 'tid': tid, 'ts': ts, 'dur': dur, **members}


def check_overlaps(cli, shared, folder):
    """Spans of a thread that overlap without nesting are written to extra tracks for other readers; this program shows them on their
    thread. Spans that end and begin at the same time stay separate."""
    path = write(folder, 'a.json', [span('a', 0, 10), span('b', 5, 10), span('c', 8, 10), span('d', 10, 5), span('zero', 10, 0), span('e', 20, 10),
                                    span('f', 20, 10), span('g', 20, 0), span('h', 30, 1)])
    _, binary = check_equal(cli, folder, path)
    truth = second_reader(shared, binary)
    same(truth['names'], {'a': [1, 10_000], 'b': [1, 10_000], 'c': [1, 10_000], 'e': [1, 10_000], 'f': [1, 10_000], 'd': [1, 5_000],
                          'h': [1, 1_000], 'g': [1, 0], 'zero': [1, 0]}, 'names')
    same(len(truth['tracks']), 2, 'lanes')


def check_args(cli, folder):
    """Args keep their types and exact values, even if they are long or deeply nested."""
    deep = 1
    for i in range(40):
        deep = {'in': deep} if i % 2 else [deep]
    args = {'int': 7, 'negative': -7, 'large': 2**63 - 1, 'unsigned': 2**64 - 1, 'huge': 10**30, 'least': -2**63, 'real': 0.1, 'tiny': 5e-324, 'long': 0.30000000000000004,
            'yes': True, 'no': False, 'null': None, 'empty': '', 'text': 'ä "quoted" \\', 'list': [1, 'a', None, [], {}, [[2]]],
            'object': {'a': {'b': {'c': [1.5]}}}, 'none': {}, 'nothing': [], '': 'no key', 'deep': deep, 'wide': 'x' * 100_000}
    _, binary = check_equal(cli, folder, write(folder, 'a.json', [span('a', 0, 10, args=args), span('b', 20, 1, args={'same': 'x' * 50}), span('c', 30, 1, args={'same': 'x' * 50})]))
    got = next(event for event in cli.dump(binary) if event['name'] == 'a')['args']
    same({key: got[key] for key in args if key != 'deep'}, {key: value for key, value in args.items() if key != 'deep'}, 'args')
    check(binary.read_bytes().count(b'x' * 50) == 100_000 // 50 + 1, 'a repeated text is in the file several times')


def check_exact(cli, folder):
    """Times are exact to the ns, counters to all digits of whole numbers, and arrows keep their ends."""
    events = [span('a', 1_700_000_000_000_000.001, 0.001), span('b', 1_700_000_000_000_002.5, 3.999, tid=2),
              {'ph': 's', 'id': 'x', 'cat': 'f', 'name': 'arrow', 'pid': 1, 'tid': 1, 'ts': 1_700_000_000_000_000.001},
              {'ph': 'f', 'bp': 'e', 'id': 'x', 'cat': 'f', 'name': 'arrow', 'pid': 1, 'tid': 2, 'ts': 1_700_000_000_000_002.5},
              {'ph': 'C', 'name': 'n', 'cat': 'c', 'pid': 1, 'ts': 1_700_000_000_000_003, 'args': {'a': 2**60, 'b': -1.5}},
              {'ph': 'C', 'name': 'm', 'pid': 1, 'ts': 1_700_000_000_000_003, 'args': {'value': 3}}]
    path = Path(folder) / 'a.json'
    path.write_text(json.dumps({'traceEvents': events}).replace('1700000000000000.0', '1700000000000000.001').replace('1700000000000002.5', '1700000000000002.500'))
    _, binary = check_equal(cli, folder, path)
    dump = cli.dump(binary)
    same([[e['ts_ns'], e['dur_ns']] for e in dump if e['ph'] == 'X'], [[1_700_000_000_000_000_001, 1], [1_700_000_000_000_002_500, 3999]], 'times')
    same([e['args'] for e in dump if e['ph'] == 'C'], [{'value': 3}, {'a': 2**60}, {'b': -1.5}], 'counters')
    same([e['ph'] for e in dump if e['ph'] in 'sf'], ['s', 'f'], 'arrows')


def ordered(value):
    """Returns the value with all lists sorted, because the two files list processes in different orders."""
    if isinstance(value, dict):
        return {key: ordered(item) for key, item in value.items()}
    return sorted(map(ordered, value), key=json.dumps) if isinstance(value, list) else value


def check_reports(cli, plain, binary, *keys):
    """Checks that analyses of both files give the same results, which are not empty."""
    wanted, got = [json.loads(cli.must('report', '--format', 'json', path).stdout) for path in (plain, binary)]
    for key in keys:
        where = 'computed' if key in wanted['computed'] else None
        values = [report[where][key] if where else report[key] for report in (wanted, got)]
        check('missing' not in values[0] and any(values[0].values()), f'{key}: {values[0]}')
        same(json.dumps(ordered(values[1])), json.dumps(ordered(values[0])), key)


def check_run(cli, shared, folder):
    """A run of several ranks, merged into a Perfetto file, keeps ranks, processes, devices and clocks; analyses of this
    file agree with those of the merged JSON file."""
    run = Path(folder) / 'run'
    harness.generate(run, 'make-binary-traces.py', 'pftrace', harness.OUT, '--ranks', 3, '--events', 2000, '--skew', 1000000)
    plain, binary = check_equal(cli, folder, run)
    same(cli.info(binary)['sources'][0]['clock']['state'], 'exact', 'clock')
    check_reports(cli, plain, binary, 'devices', 'kernels', 'collectives')
    check_reports(cli, *merge(cli, folder, SAMPLE), 'steps', 'devices', 'collectives', 'operators')


def check_launches(cli, folder):
    """Launches of kernels that only equal correlation ids link, without flow events, are known in the merged file, too."""
    recording = Recording(0, 1)
    for step in range(4):
        recording.step(step, 1000 * step, 1000)
        recording.operator('aten::mm', 1000 * step + 10, 50, [])
        recording.kernel('gemm', 1000 * step + 20, 1000 * step + 100, 500)
    recording.events = [event for event in recording.events if event['ph'] not in 'sf']
    recording.write(folder)
    plain, binary = merge(cli, folder, Path(folder) / 'rank0.pt.trace.json')
    check_reports(cli, plain, binary, 'idle', 'operators')
    same([device['unlinked'] for device in json.loads(cli.must('report', '--format', 'json', binary).stdout)['computed']['idle']['devices']], [0], 'unlinked')


def field(number, value):
    """Returns a field of a protobuf message: a number, or bytes."""
    def varint(n):
        return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)
    return varint(number << 3) + varint(value) if isinstance(value, int) else varint(number << 3 | 2) + varint(len(value)) + value


def units(cli, path):
    return cli.must('query', path, 'SELECT name, series, unit FROM counter ORDER BY 1, 2').stdout


def check_units(cli, folder):
    """Series of a counter keep their own units; a series without a unit does not get that of another."""
    packets = [field(60, field(1, 1) + field(2, b'used'))]  # the counter, below which its series are
    for uuid, name, unit in ((2, b'a', b'B'), (3, b'b', None), (4, b'c', b'W')):
        about = (field(6, unit) if unit else b'') + field(7, b'used')
        packets.append(field(60, field(1, uuid) + field(5, 1) + field(2, name) + field(8, about)))
        packets.append(field(8, 1000 + uuid) + field(11, field(9, 4) + field(11, uuid) + field(30, uuid)))
    path = Path(folder) / 'units.pftrace'
    path.write_bytes(b''.join(field(1, packet + field(10, 1)) for packet in packets))
    _, binary = check_equal(cli, folder, path)
    wanted = units(cli, path)
    check(all(word in wanted for word in ('used', '"B"', '"W"')), wanted)
    same(units(cli, binary), wanted, 'units')


def check_strays(cli, folder):
    """Each process that has only flow events, but no other events, gets its own pid. The pid fits into 32 bits even if
    tids are large."""
    events = [span('a', 0, 10, tid=2**32 - 1), span('b', 20, 10, tid=2**31)]
    events += [{'ph': 's' if i % 2 == 0 else 'f', 'id': i // 2, 'cat': 'f', 'name': 'arrow', 'pid': 70 + i, 'tid': 1, 'ts': i} for i in range(4)]
    _, binary = merge(cli, folder, write(folder, 'a.json', events))
    places = {event['name']: set() for event in events}
    for event in cli.dump(binary):
        places[event['name']].add(event['process'])
    same([places['a'], places['b'], len(places['arrow'])], [{'1'}, {'1'}, 4], 'processes')
    check('1' not in places['arrow'], places)


def check_suspect(cli, folder):
    """One event with an implausible time does not move other events and does not change the clock; its time becomes 0, and a message reports it."""
    events = [span('a', 1_700_000_000_000_010, 5), span('b', 1_700_000_000_000_100, 5), span('bad', -8_000_000_000_000_000, 5, tid=2)]
    binary = Path(folder) / 'a.pftrace'
    said = cli.must('merge', '-o', binary, write(folder, 'a.json', events)).stderr
    check('1 event has a time that the layout “perfetto” cannot represent' in said, said)
    same({e['name']: [e['ts_ns'], e['dur_ns']] for e in cli.dump(binary)},
         {'a': [1_700_000_000_000_010_000, 5000], 'b': [1_700_000_000_000_100_000, 5000], 'bad': [0, 0]}, 'times')
    same(cli.info(binary)['sources'][0]['clock']['state'], 'exact', 'clock')


def check_early(cli, folder):
    """Relative times before 0 keep their distances, even if the first event is too early for the format."""
    for first, moved in ((-50, 0), (-8_000_000_000_000_000, 1)):
        events = [span('first', first, 5), span('a', -20, 5), span('b', 5_000_000_000_000_000 if moved else 100, 5)]
        binary = Path(folder) / 'a.pftrace'
        said = cli.must('merge', '-o', binary, write(folder, 'a.json', events)).stderr
        same('cannot represent' in said, bool(moved), said)
        times = {e['name']: e['ts_ns'] for e in cli.dump(binary)}
        same(times['b'] - times['a'], (events[2]['ts'] + 20) * 1000, 'distance between two times')


def check_range(cli, folder):
    """Ranges, compression, a folder as output and the option --layout work as for other layouts."""
    plain, binary = Path(folder) / 'a.json', Path(folder) / 'a.pftrace.gz'
    for path in (plain, binary):
        cli.must('merge', '--quiet', '--start-ns', '1750154396000000000', '--end-ns', '1750154398000000000', '-o', path, SAMPLE)
    same(normal(cli.dump(binary, parse_float=number)) == normal(cli.dump(plain, parse_float=number)), True, 'range')
    check(gzip.decompress(binary.read_bytes())[0] == 0x0a, 'the file does not begin with a packet')
    cli.must('merge', '--quiet', '--layout', 'perfetto', '-o', folder, SAMPLE)
    check((Path(folder) / 'merged-timeline.pftrace').exists(), 'the file in the folder has another name')
    out = subprocess.run([cli.program, 'merge', '--quiet', '--layout', 'perfetto', '-o', '-', SAMPLE], capture_output=True, check=False).stdout
    same(out == (Path(folder) / 'merged-timeline.pftrace').read_bytes(), True, 'standard output')
    cli.must('merge', '--quiet', '--layout', 'ranks', '-o', Path(folder) / 'b.pftrace', SAMPLE)
    check((Path(folder) / 'b.pftrace').read_bytes().startswith(b'{'), '--layout does not override the suffix')


def check_parts(cli, folder):
    """A long file repeats names and tracks in each part, so that a reader can begin in the middle."""
    events = [span(f'name {i % 7}', i * 10, 5, tid=1 + i % 3, args={'i': i}) for i in range(20_000)]
    _, binary = check_equal(cli, folder, write(folder, 'a.json', events))
    content = binary.read_bytes()
    same(content.count(b'traceloom: merged'), 3, 'parts')
    same(content.count(b'name 3'), 3, 'occurrences of a name')
    tail = Path(folder) / 'tail.pftrace'
    cut = content.rindex(b'traceloom: merged')
    begin = content.rindex(b'\x0a\x04\x50\x01\x68\x01', 0, cut)  # the packet that clears the state
    tail.write_bytes(content[begin:])
    got = cli.dump(tail)
    same([len(got), {e['thread'] for e in got}, got[-1]['args']], [20_000 - 2 * PART, {'thread 1', 'thread 2', 'thread 3'}, {'i': 19_999}], 'last part')


@functools.cache
def packet_starts(content):
    """Returns the offsets at which packets begin; a file that is cut there has no incomplete packet."""
    starts, at = set(), 0
    while at < len(content):
        starts.add(at)
        at, shift, length = at + 1, 0, 0  # skips the one-byte tag of a packet
        while True:
            length |= (content[at] & 0x7f) << shift
            at, shift = at + 1, shift + 7
            if content[at - 1] < 0x80:
                break
        at += length
    return starts


def damage_with(content, at, kind):
    if kind == 'cut':
        return content[:at]
    if kind == 'lost':
        return content[:at] + content[at + 1000:]
    if kind == 'length':  # sets the length of the next packet to more than the rest of the file
        at = content.index(b'\x0a', at)
        return content[:at + 1] + b'\xff\xff\xff\x7f' + content[at + 5:]
    return content[:at] + bytes((i * 37 + at) % 251 for i in range(1000)) + content[at + 1000:]


def lines_of(cli, path):
    """Returns the lines of a dump without the depths, which lost spans change."""
    return re.sub('"depth": *[0-9]+', '', cli.must('dump', '--quiet', path).stdout).splitlines()


@functools.cache
def make_whole(cli, folder):
    """Returns the content of an undamaged file with several parts, and the lines of its dump."""
    source = write(folder, 'a.json', [span(f'name {i % 7}', i * 10, 5, tid=1 + i % 3, args={'i': i, 'text': f'text {i % 11}'}) for i in range(N_WHOLE)])
    binary = Path(folder) / 'whole.pftrace'
    cli.must('merge', '--quiet', '-o', binary, source)
    return binary.read_bytes(), set(lines_of(cli, binary))


def check_damage(cli, folder, kind):
    """Damage loses at most the events of its part of the file, because later events of the part may refer to names in the damaged
    bytes. No event gets a wrong name, time or arg, and the offset of the damage is reported."""
    n = N_WHOLE
    content, wanted = make_whole(cli, folder)
    same(len(wanted), n, 'events')
    for at in range(50_001, len(content) - 2000, len(content) // 5):
        at += at in packet_starts(content)
        path = Path(folder) / 'damaged.pftrace'
        path.write_bytes(damage_with(content, at, kind))
        got = lines_of(cli, path)
        least = n * at // len(content) - 100 if kind == 'cut' else n - PART - 200
        check(len(got) >= least, f'{kind} at {at}: {len(got)} of {n}')
        problems = {problem['code']: problem['offset'] for problem in cli.info(path)['sources'][0]['problems']}
        others = [event for event in got if event not in wanted]  # spans whose end is lost, which last to the end of the file
        check(not others or (len(others) == 1 and 'open-span' in problems), f'{kind} at {at}: {others[:2]}')
        place = problems.get('truncated' if kind == 'cut' else 'damaged-part')
        place = problems.get('no-begin') if place is None and kind == 'lost' else place  # the rests of two packets may form a valid packet
        check(place is not None and abs(place - at) < 400, f'{kind} at {at}: {problems}')


def check_memory(cli, folder):
    """Memory for writing depends on the number of tracks, not of events: more events need only the memory of the loaded trace."""
    if cli.is_sanitized():
        return
    used = []
    for n in (500_000, 700_000):  # both larger than the cache of texts
        path = Path(folder) / f'{n}.json'
        event = '{"ph": "X", "name": "name %d", "pid": 1, "tid": 1, "ts": %d, "dur": 5, "args": {"i": %d, "text": "text %d"}}'
        path.write_text('[' + ',\n'.join(event % (i % 50, i * 10, i, i) for i in range(n)) + ']')
        binary = Path(folder) / f'{n}.pftrace'
        script = 'import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)'
        used.append(int(subprocess.run([sys.executable, '-c', script, cli.program, 'merge', '--quiet', '-o', binary, path], capture_output=True, text=True, check=True).stdout))
    per_event = (used[1] - used[0]) * 1024 / 200_000
    check(per_event < 100, f'{per_event:.0f} bytes per event')


def in_folder(function, cli, *args):
    with tempfile.TemporaryDirectory() as folder:
        function(cli, *[Path(folder) if arg is None else arg for arg in args])


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    shared = harness.shared_folder('.').resolve()
    tap.case('sample', in_folder, check_equal, cli, None, SAMPLE)
    for function in (check_args, check_exact, check_units, check_strays, check_suspect, check_early, check_range, check_parts, check_memory, check_launches):
        tap.case(function.__name__, in_folder, function, cli, None)
    with harness.folder() as folder:
        for kind in ('cut', 'lost', 'length', 'overwritten'):
            tap.case(f'damage: {kind}', check_damage, cli, folder, kind)
    if (shared / 'corpus').exists() and (shared / 'tools' / 'binary-truth.py').exists():
        for name in REAL:
            tap.case(name, in_folder, check_real, cli, None, shared / 'corpus' / name)
        for path in (SAMPLE, *(shared / 'corpus' / name for name in ('chrome/flow.json', 'hta/nccl_parser_config', 'composer/test_json_trace_profiler_hanld0'))):
            tap.case(f'second reader: {path.name}', in_folder, check_second, cli, shared, None, path)
        tap.case('overlaps', in_folder, check_overlaps, cli, shared, None)
        tap.case('run', in_folder, check_run, cli, shared, None)
    tap.done()


main()
