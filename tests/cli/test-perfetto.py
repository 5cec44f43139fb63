# SPDX-License-Identifier: Apache-2.0
"""Tests the reading of Perfetto's binary traces. Values in real files are compared with those of an independent reader,
and with the rows that Perfetto's own tests expect. Values in generated files, some of which are damaged, are compared
with the values that the generator wrote."""

import collections
import gzip
import json
import random
import struct
import sys
import tempfile
import zlib
from pathlib import Path

import harness
from harness import Cli, Tap, check, same

# The following constants list expected differences from the independent reader and from Perfetto's rows, by file name.
# BY_STACK: files in which an end event always closes the latest span that is still open.
BY_STACK = {'range_of_interest'}
OWN_TRACKS = {'track_event_with_atrace': {'5 / t1': [2, 9000]},  # legacy events, shown on the thread of their sequence
              # track states, which the independent reader does not read
              'inline_track_event_simple_state': {'Tracks / MyStateTrack': [2, 3000]},
              'track_event_state': {'Browser / ProcState': [1, 2000], 'Browser / t1 / ThreadState': [1, 1000]}}
# Names of track states; the last state of a track lasts until the end of the trace.
STATES = {'inline_track_event_simple_state': {'state_active': [1, 2000], 'state_idle': [1, 1000]},
          'track_event_state': {'Foreground': [1, 2000], 'Running': [1, 1000]}}
OWN_ARROWS = {'flow_events_proto_v1': 2}  # legacy flow events with a step between start and end
# Counters whose samples describe the interval that ends at their time, with the expected sum of their values.
SHIFTED = {'inline_gpu_counter_duplicate_ids_different_sequences': 400, 'inline_gpu_counter_interned_descriptor': 400}
NAMES = {'gpu_render_stages_interned_spec': {'GPU 0 / 3': 'GPU 0 / #3'}}


def tally(events, key):
    """Returns key(event) → [number of spans, their total duration in ns]. Spans without a duration do not count."""
    sums = collections.defaultdict(lambda: [0, 0])
    for event in events:
        if event['ph'] == 'X':
            sums[key(event)][0] += 1
            sums[key(event)][1] += event['dur_ns']
    return dict(sums)


def label(path):
    """Returns the process and thread for a track name of the independent reader."""
    if path == 'default track':
        return 'Tracks / Default Track'
    path = path.removeprefix('pid ')
    return path if ' / ' in path else f'Tracks / {path}'


def place(event):
    return f'{event["process"]} / {event["thread"]}'


def check_counters(name, wanted, events):
    got = collections.defaultdict(lambda: [0, 0])
    for event in events:
        if event['ph'] == 'C':
            got[event['name']][0] += 1
            got[event['name']][1] += event['args']['value']
    if name in SHIFTED:
        same(sum(total for _, total in got.values()), SHIFTED[name], 'shifted samples')
        return 1
    same(sorted([n, round(total, 6)] for n, total in got.values()), sorted(wanted['counters'].values()), 'counters')
    return 2 * len(got)


def check_spans(name, wanted, events):
    gpu = [event for event in events if event['process'].startswith('GPU ')]
    spans = [event for event in events if event['ph'] == 'X' and event not in gpu]
    drawn = [event for event in spans if event['dur_ns'] > 0]
    same(tally(drawn, place), OWN_TRACKS.get(name, {label(path): sums for path, sums in wanted['tracks'].items()}), 'tracks')
    names = tally(drawn, lambda event: event['name'])
    if name in BY_STACK:
        same({key: sums[0] for key, sums in names.items()}, {key: sums[0] for key, sums in wanted['names'].items()}, 'names')
    else:
        same(names, STATES.get(name, wanted['names']), 'names')
    stages = tally(gpu, place)
    renamed = NAMES.get(name, {})
    same(stages, {renamed.get(path, path): sums[:2] for path, sums in wanted['gpu_stages'].items()}, 'queues')
    same(tally(gpu, lambda event: event['name']), wanted['gpu_stage_names'], 'stages')
    return 2 * (len(wanted['tracks']) + len(names) + len(stages) + len(wanted['gpu_stage_names']))


# Covers documented rows: README.md §1 Perfetto protobuf
def check_oracle(cli, name, wanted, path):
    events = cli.dump(path)
    n_equal = check_spans(name, wanted, events) + check_counters(name, wanted, events)
    same(sum(event['ph'] == 'f' for event in events), OWN_ARROWS.get(name, wanted['flow_arrows']), 'arrows')
    print(f'# {name}: {n_equal + 1} values equal')


def check_example(cli, shared):
    """The example file of the format page has the events that the page lists."""
    events = cli.dump(shared / 'corpus' / 'perfetto-protobuf' / 'track_event_counters.pftrace')
    spans = [[event['ts_ns'], event['dur_ns'], event['name']] for event in events if event['ph'] == 'X' and event['process'] == 'Browser']
    same(spans[:3], [[1000, 100, 'event1_on_t1'], [2000, 200, 'event2_on_t1'], [2000, 200, 'event3_on_t1']], 'spans')
    sizes = [[event['ts_ns'], event['args']['value']] for event in events if event['name'] == 'MySizeCounter']
    same(sizes, [[3000, 1024], [3100, 2048], [4000, 1024], [4500, 4096]], 'sizes')
    same(next(event['args']['value'] for event in events if event['name'] == 'MyDoubleCounter'), 3.1415926, 'first value')


def check_kernel(cli, shared):
    """Args of a kernel have the names that PyTorch's traces use."""
    kernel = cli.dump(shared / 'corpus' / 'perfetto-protobuf' / 'gpu_compute_launch.pftrace')[0]
    same([kernel['cat'], kernel['name'], kernel['args']['grid'], kernel['args']['block']],
         ['kernel', 'vectorAdd', [256, 1, 1], [128, 1, 1]], 'kernel')


def make(shared, folder, *options, kind='pftrace'):
    return json.loads(harness.generate(folder, 'make-binary-traces.py', kind, harness.OUT, *options))


def check_sums(cli, shared, folder, layout):
    for file in make(shared, folder, '--ranks', 2, '--events', 3000, '--layout', layout)['files']:
        path = Path(folder) / file['file']
        events = cli.dump(path)
        spans = [event for event in events if event['ph'] == 'X']
        host = [event for event in spans if not event['process'].startswith('GPU')]
        kernels = [event for event in spans if event['cat'] == 'kernel']
        same([len(host), len(spans) - len(host)], [file['slices'], file['gpu_stages']], 'spans')
        same([len(kernels), sum(event['dur_ns'] for event in kernels)], [file['kernels'], file['kernel_ns']], 'kernels')
        same(sum(event['ph'] == 'f' and event['cat'] == 'ac2g' for event in events), file['links'], 'launches')
        kinds = collections.Counter(event['cat'] for event in host)
        same([kinds['cuda_runtime'], kinds['user_annotation']], [file['links'], 10], 'calls and steps, by what they are')
        samples = [event['args']['value'] for event in events if event['ph'] == 'C']
        same([len(samples), sum(samples)], [file['samples'], file['sample_sum']], 'samples')
        info = cli.info(path)
        same(info['sources'][0]['rank'], file['rank'], 'rank')
        same(info['sources'][0]['clock']['state'], 'exact', 'clock')


def check_layouts(cli, shared, folder):
    """Generated files in the layouts of PyTorch and of Perfetto's SDK give the same events."""
    dumps = []
    for layout in ('pytorch', 'sdk'):
        path = Path(folder) / layout
        make(shared, path, '--ranks', 1, '--events', 2000, '--layout', layout)
        dumps.append(sorted(json.dumps([e['ts_ns'], e['dur_ns'], e['ph'], e['name'], e['args'], e['thread']]) for e in cli.dump(path) if e['ph'] != 'f'))
    same(dumps[0] == dumps[1], True, 'layouts')


def lines(cli, path):
    return [json.dumps([e['ts_ns'], e['dur_ns'], e['ph'], e['name'], e['args'], e['process'], e['thread']]) for e in cli.dump(path)]


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def number(key, value):
    return varint(key << 3) + varint(value & (1 << 64) - 1)


# Pairs of the encoded fields of an annotation of an arg, and the JSON value that the arg must have.
VALUES = [
    *((number(3, 10 ** n - 1), 10 ** n - 1) for n in range(1, 20)), *((number(3, 10 ** n), 10 ** n) for n in range(20)),
    *((number(4, sign * 10 ** n), sign * 10 ** n) for n in range(19) for sign in (1, -1)), (number(3, 2 ** 64 - 1), 2 ** 64 - 1),
    (number(4, -2 ** 63), -2 ** 63), (number(2, 0), False), (number(2, 1), True), (field(6, b'plain'), 'plain'), (field(6, b''), ''),
    (field(6, b'"\\\t'), '"\\\t'), (field(6, 'é'.encode()), 'é'), (field(6, b'x' * 5000), 'x' * 5000), (number(17, 1), 'a "text"'),
    (number(17, 9), '#9'), (number(7, 255), '0xff'), (field(9, b'[1, 2]'), [1, 2]), (field(12, number(3, 5)) + field(12, number(3, 6)), [5, 6]),
    (varint(5 << 3 | 1) + struct.pack('<d', 0.5), 0.5), (b'', None)]


def span(begin, end, name, args):
    event = number(9, 1) + number(11, 10) + number(10, name) + number(3, 1) + b''.join(field(4, arg) for arg in args)
    return field(1, number(8, begin) + number(10, 1) + number(13, 2) + field(11, event)) + field(
        1, number(8, end) + number(10, 1) + field(11, number(9, 2) + number(11, 10)))


def names(flags, **texts):
    entries = b''.join(field(2, number(1, 1 + i) + field(2, text.encode())) for i, text in enumerate(texts['names']))
    entries += field(1, number(1, 1) + field(2, b'cpu_op')) + field(3, number(1, 1) + field(2, b'known')) + field(29, number(1, 1) + field(2, b'a "text"'))
    return field(1, number(10, 1) + number(13, flags) + field(12, entries))


def check_args(cli, shared, folder):
    """The program parses a repeated interned name only once, not again for each span. It must still find every arg of
    each span, whatever the lengths of the encoded fields are."""
    track = field(1, number(10, 1) + field(60, number(1, 10) + field(4, number(1, 7) + number(2, 8) + field(5, b'thread'))))
    parts, wanted = [track, names(1, names=['first', 'second'])], []
    for times in range(4):
        if times == 2:  # interned id 1 gets another text
            parts.append(names(0, names=['third']))
        for i, (value, json_value) in enumerate(VALUES):
            begin = (len(wanted) + 1) * 10 ** (3 * times + 3) + i
            end = begin + (0, 7, 1000, 99_999_000, 10 ** 11)[i % 5]
            other = VALUES[(i * 7 + times) % len(VALUES)]
            name = 1 + i % 2
            parts.append(span(begin, end, name, [number(1, 1) + value, field(10, b'own') + other[0]][:1 + (i + times) % 2]))
            args = [('known', json_value), ('own', other[1])][:1 + (i + times) % 2]
            wanted.append([begin, end - begin, ['second', 'first' if times < 2 else 'third'][name % 2], dict(args)])
    path = Path(folder) / 'args.pftrace'
    path.write_bytes(b''.join(parts))
    got = sorted(([e['ts_ns'], e['dur_ns'], e['name'], e['args']] for e in cli.dump(path)), key=lambda event: event[0])
    for one, other in zip(got, sorted(wanted, key=lambda event: event[0])):
        same(one, other, 'a span')
    same(len(got), len(wanted), 'spans')


def random_packets(dice, n, extra):
    """Returns packets with random events. Packets that have only usual fields are read faster, so `extra`, a field without effect, is
    added to each of them; b'' adds nothing."""
    times = [10**6]

    def packet(fields, event, time=True):
        times[0] += dice.choice((0, 1, 130, 20_000))
        own = ([number(8, times[0])] if time else []) + fields
        dice.shuffle(own)
        return field(1, b''.join(own) + field(11, event) + extra)

    def arg():
        value = dice.choice((number(2, 1), number(3, dice.randrange(10**9)), number(4, -dice.randrange(300)), number(17, dice.choice((1, 5))), field(6, b'text')))
        return field(4, number(1, dice.choice((1, 1, 1, 4))) + value)

    def event(kind):
        place = dice.choice(([], [number(11, 10)], [number(11, 11)], [number(11, 0)], [number(11, 2**63 + 5)]))
        text = [number(10, dice.choice((1, 2, 3, 9))), number(3, 1)][:dice.choice((2, 2, 2, 1, 0))] if kind != 2 or dice.random() < 0.1 else []
        own = [number(9, kind)] + place + text + [arg() for _ in range(dice.choice((0, 0, 1, 2)))]
        dice.shuffle(own)
        return b''.join(own)

    yield field(1, number(10, 1) + number(13, 1) + field(59, number(58, 6) + field(11, number(11, 10))))
    for i in range(n):
        what = dice.randrange(100)
        if what < 3:  # a number gets a text, or another text
            texts = b''.join(field(kind, number(1, dice.randrange(1, 4)) + field(2, b'text %d' % dice.randrange(9))) for kind in (1, 2, 2, 3, 29))
            yield field(1, number(10, 1) + field(12, texts))
        elif what == 3:
            yield field(1, number(10, dice.choice((1, 2))) + number(13, 1))
        else:
            fields = [number(10, dice.choice((1,) * 20 + (2,))), number(13, dice.choice((0, 2)))] + ([number(58, 3)] if dice.random() < 0.005 else dice.choice(([], [number(58, 6)])))
            yield packet(fields, event(dice.choice((1, 1, 1, 2, 2, 3))), time=dice.random() > 0.01)


def check_encodings(cli, shared, folder):
    """Usual packets, which are read in a faster way, give the same events as the same packets with a field that is not used."""
    found = []
    for extra in (b'', number(3, 1000)):
        path = Path(folder) / f'{len(extra)}.pftrace'
        path.write_bytes(b''.join(random_packets(random.Random(5), 20_000, extra)))
        found.append((lines(cli, path), [[p['code'], p['count']] for p in cli.info(path)['sources'][0]['problems']]))
    check(len(found[0][0]) > 5000, 'few events')
    for one, other in zip(*(events for events, _ in found)):
        same(one, other, 'an event')
    same(found[0][1], found[1][1], 'problems')
    same(len(found[0][0]), len(found[1][0]), 'events')


def check_many(cli, shared, folder):
    """Events and args of a trace with so many spans that further threads provide and free the memory of events while they
    are read. Every thousandth span is so long, or has so many args, that it is not packed."""
    n, group = 60_000, 30_000
    track = field(1, number(10, 1) + field(60, number(1, 10) + field(4, number(1, 7) + number(2, 8) + field(5, b'thread'))))
    texts = field(2, number(1, 1) + field(2, b'event')) + field(1, number(1, 1) + field(2, b'cpu_op')) + field(3, number(1, 1) + field(2, b'number'))
    spans = [(1000 * i, 1000 * i + (6 * 10**9 if i % 1000 == 7 else 400 + i % 7), i, 'x' * 3000 if i % 1000 == 9 else '') for i in range(n)]

    def packet(time, event):
        return field(1, number(8, time) + number(10, 1) + field(11, event + number(11, 10)))

    def begin(start, number_of, text):
        args = field(4, number(1, 1) + number(4, number_of)) + (field(4, field(10, b'text') + field(6, text.encode())) if text else b'')
        return packet(start, number(9, 1) + number(10, 1) + number(3, 1) + args)
    parts = [track, field(1, number(10, 1) + number(13, 1) + field(12, texts))]
    for first in range(0, n, group):
        part = spans[first:first + group]
        parts += [begin(start, i, text) for start, _, i, text in part] + [packet(end, number(9, 2)) for _, end, _, _ in part]
    path = Path(folder) / 'many.pftrace'
    path.write_bytes(b''.join(parts))
    got = sorted((event['ts_ns'], event['dur_ns'], event['args']['number'], event['args'].get('text', '')) for event in cli.dump(path))
    same(got == [(start, end - start, i, text) for start, end, i, text in spans], True, f'{len(got)} spans')


def check_large(cli, shared, folder):
    """A span whose args are too large as text is dropped and logged, even if they need few bytes in the file."""
    track = field(1, number(10, 1) + field(60, number(1, 10) + field(4, number(1, 7) + number(2, 8) + field(5, b'thread'))))
    texts = (field(2, number(1, 1) + field(2, b'event')) + field(1, number(1, 1) + field(2, b'cpu_op')) + field(3, number(1, 1) + field(2, b'known')) +
             field(29, number(1, 1) + field(2, b'\x01' * 65536)))
    path = Path(folder) / 'large.pftrace'
    for n in (700, 20_000):
        large = span(2000, 2500, 1, [number(1, 1) + number(17, 1)] * n)
        path.write_bytes(track + field(1, number(10, 1) + number(13, 1) + field(12, texts)) + span(1000, 1500, 1, []) + large + span(3000, 3500, 1, []))
        source = cli.info(path)['sources'][0]
        same(source['spans'], 2, f'spans beside one with {n} args')
        check(any(problem['code'] == 'event-too-large' for problem in source['problems']), str(source['problems']))
        rows = cli.must('query', '--quiet', '--format', 'csv', path, 'SELECT count(*), count(args) FROM span').stdout.split()
        same(rows[1].split(',')[0], '2', 'rows with args')


def check_packed(cli, shared, folder):
    """A trace has the same events if it is gzipped or consists of compressed packets."""
    path = Path(folder) / make(shared, folder, '--ranks', 1, '--events', 2000)['files'][0]['file']
    content = path.read_bytes()
    plain = lines(cli, path)
    packed = Path(folder) / 'packed.pftrace.gz'
    packed.write_bytes(gzip.compress(content))
    same(lines(cli, packed) == plain, True, 'gzip')
    parts, at = [b''], 0
    while at < len(content):
        begin, length, shift = at, 0, 0
        at += 1
        while True:
            byte = content[at]
            length |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                break
        at += length
        if len(parts[-1]) > 50_000:
            parts.append(b'')
        parts[-1] += content[begin:at]
    inside = Path(folder) / 'inside.pftrace'
    inside.write_bytes(b''.join(part if i % 3 == 2 else field(1, field(50, zlib.compress(part))) for i, part in enumerate(parts)))
    same(lines(cli, inside) == plain, True, 'compressed packets')


def check_merge(cli, shared, folder):
    """A merged file contains the same spans and args as the binary file."""
    path = Path(folder) / make(shared, folder, '--ranks', 1, '--events', 2000)['files'][0]['file']
    merged = Path(folder) / 'merged.json'
    cli.must('merge', path, '-o', merged)

    def spans(path):
        return sorted(json.dumps([e['ts_ns'], e['dur_ns'], e['name'], e['args']]) for e in cli.dump(path) if e['ph'] in 'X')
    same(spans(merged), spans(path), 'events')


def check_skew(cli, shared, folder):
    """Clocks with an artificial offset are aligned by the collectives of the ranks."""
    truth = make(shared, folder, '--ranks', 4, '--events', 2000, '--skew', 40_000_000)
    offsets = {source['rank']: source['clock']['offset_ns'] for source in cli.info(folder)['sources']}
    skews = {file['rank']: file['skew_ns'] for file in truth['files']}
    for rank, offset in offsets.items():
        error = (offset + skews[rank]) - (offsets[0] + skews[0])
        check(abs(error) <= 5000, f'rank {rank} is off by {error} ns')


def check_mixed(cli, shared, folder):
    """Ranks of one run that different profilers recorded are aligned to one clock."""
    skews, files = {}, Path(folder) / 'mixed'
    files.mkdir()
    for rank, kind in enumerate(('pftrace', 'nsight', 'pftrace', 'xplane')):
        made = Path(folder) / kind
        truth = make(shared, made, '--ranks', 4, '--events', 1000, '--skew', 30_000_000, kind=kind)['files'][rank]
        skews[rank] = truth['skew_ns']
        (made / truth['file']).rename(files / truth['file'])
    offsets = {source['rank']: source['clock']['offset_ns'] for source in cli.info(files)['sources']}
    same(sorted(offsets), [0, 1, 2, 3], 'ranks')
    for rank, offset in offsets.items():
        error = (offset + skews[rank]) - (offsets[0] + skews[0])
        check(abs(error) <= 5000, f'rank {rank} is off by {error} ns')


def check_lost(cli, shared, folder):
    """Packets that depend on lost interned data are counted and give no events."""
    file = make(shared, folder, '--ranks', 1, '--events', 3000, '--corrupt', 'lost')['files'][0]
    source = cli.info(Path(folder) / file['file'])['sources'][0]
    codes = {problem['code']: problem for problem in source['problems']}
    check('lost-state' in codes and 'recorder-dropped' in codes, str(codes))
    check(0 < source['spans'] < file['slices'] + file['gpu_stages'], str(source['spans']))


def check_damage(cli, shared, folder, damage):
    path = Path(folder) / make(shared, folder, '--ranks', 1, '--events', 3000, '--corrupt', damage)['files'][0]['file']
    result = cli('info', '--format', 'json', path)
    check(result.returncode in (harness.INCOMPLETE, harness.FAILED) or damage in ('flip', 'nest'), f'exit {result.returncode}: {result.stderr}')
    if damage in ('truncate', 'zero', 'lengths'):
        source = json.loads(result.stdout)['sources'][0]
        problems = [problem for problem in source['problems'] if problem['code'] in ('truncated', 'damaged-packet', 'damaged-args')]
        check(source['spans'] > 1000 and problems and problems[0]['offset'] is not None, str(source))


def check_unordered(cli, shared, folder):
    """Perfetto writes the value of a GPU counter at the end of the measured period, but the sample must be shown at the
start of that period, whatever the order of the packets."""
    def packet(time, value=None):
        described = field(1, field(1, number(1, 1) + field(2, b'GPU Active'))) if value is None else b''
        return field(1, number(8, time) + field(52, described + (b'' if value is None else field(2, number(1, 1) + number(2, value)))) + number(10, 1))
    found = []
    for order in ((1, 2, 3, 4), (1, 3, 2, 4), (4, 3, 2, 1)):
        path = Path(folder) / f'{order}.pftrace'
        path.write_bytes(packet(1000) + b''.join(packet(1000 * i, 10 * i) for i in order))
        found.append(sorted((event['ts_ns'], event['args']['value']) for event in cli.dump(path) if event['ph'] == 'C'))
    same(found, 3 * [[(1000, 20), (2000, 30), (3000, 40), (4000, 0)]], 'samples')


def check_open(cli, shared, folder):
    """A span without an end lasts until the last event of the trace, also if it is the last event of its thread."""
    def packet(time_ns, kind, track, name):
        event = number(9, kind) + number(11, track) + (field(23, name) if name else b'')
        return field(1, number(8, time_ns) + number(10, 1) + field(11, event))
    threads = b''.join(field(1, field(60, number(1, tid) + field(4, number(1, 7) + number(2, tid)))) for tid in (8, 9))
    path = Path(folder) / 'open.pftrace'
    path.write_bytes(threads + packet(100, 1, 8, b'done') + packet(200, 2, 8, None) + packet(300, 1, 8, b'hangs') + packet(100, 1, 9, b'other')
                     + packet(5000, 2, 9, None))
    same({event['name']: event['dur_ns'] for event in cli.dump(path)}, {'done': 100, 'hangs': 4700, 'other': 4900}, 'durations')
    same([problem['code'] for problem in cli.info(path)['sources'][0]['problems']], ['open-span'], 'problems')


def check_every_cut(cli, shared, folder):
    """If a file is cut off at any byte, all packets before the cut are kept."""
    content = (shared / 'corpus' / 'perfetto-protobuf' / 'track_event_counters.pftrace').read_bytes()
    path = Path(folder) / 'cut.pftrace'
    before = 0
    for n in range(60, len(content), 23):
        path.write_bytes(content[:n])
        result = cli('dump', path)
        check(result.returncode in (0, harness.INCOMPLETE), f'cut at {n}: exit {result.returncode}: {result.stderr}')
        events = len(result.stdout.splitlines())
        check(events >= before, f'cut at {n}: {events} events after {before}')
        before = events


def in_folder(function, *args):
    with tempfile.TemporaryDirectory() as folder:
        function(*args[:2], folder, *args[2:])


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    shared = harness.shared_folder('.').resolve()
    harness.need(shared / 'oracle', shared / 'tools' / 'make-binary-traces.py')
    expected = json.loads((shared / 'oracle' / 'perfetto-protobuf-track-events' / 'expected.json').read_text())
    for name, wanted in sorted(expected.items()):
        tap.case(name, check_oracle, cli, name, wanted, shared / wanted['file'])
    tap.case('example', check_example, cli, shared)
    tap.case('kernel', check_kernel, cli, shared)
    for layout in ('pytorch', 'sdk'):
        tap.case(f'sums: {layout}', in_folder, check_sums, cli, shared, layout)
    for function in (check_layouts, check_args, check_encodings, check_many, check_large, check_packed, check_merge, check_skew, check_mixed, check_lost, check_unordered, check_open, check_every_cut):
        tap.case(function.__name__, in_folder, function, cli, shared)
    for damage in ('truncate', 'zero', 'flip', 'head', 'text', 'lengths', 'nest'):
        tap.case(f'damage: {damage}', in_folder, check_damage, cli, shared, damage)
    tap.done()


main()
