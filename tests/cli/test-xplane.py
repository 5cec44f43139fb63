# SPDX-License-Identifier: Apache-2.0
"""Tests the reading of XSpace files of JAX and TensorFlow. The contents of real files are compared with those that a
second, simple reader found; generated files have known contents; damaged files must be reported."""

import collections
import gzip
import json
import struct
import sys
import tempfile
from pathlib import Path

import harness
from harness import Cli, Tap, check, same

HIDDEN = ('/host:metadata', 'Task Environment', '/host:__ScopeRangeCallStack__', '/host:tfstreamz')


def picoseconds(event):
    return event['args'].get('duration_ps', event['dur_ns'] * 1000)


def tally(events, key):
    """Returns key(event) → [number of spans and instants, their total duration in ps]."""
    sums = collections.defaultdict(lambda: [0, 0])
    for event in events:
        if event['ph'] in 'Xi':
            sums[key(event)][0] += 1
            sums[key(event)][1] += picoseconds(event)
    return dict(sums)


# Compares the number and total duration of the events of each line, and of its names, with those of the second reader.
# Covers documented rows: README.md §1 XPlane
def check_oracle(cli, folder, shared):
    wanted = json.loads((folder / 'expected.json').read_text())
    events = cli.dump(shared / wanted['file'])
    planes = [plane for plane in wanted['planes'] if plane['name'] not in HIDDEN and plane['lines']]
    n_equal = 0
    lines = collections.defaultdict(lambda: [0, 0])
    for plane in planes:
        for line in plane['lines']:
            key = plane['name'], line['display_name'] or line['name']
            lines[key][0] += line['events'] - line['aggregated']
            lines[key][1] += line['duration_ps']
    got = tally(events, lambda event: (event['process'], event['thread']))
    same(got, {key: sums for key, sums in lines.items() if sums[0] > 0}, 'lines')
    n_equal += 2 * len(got)
    names = tally(events, lambda event: (event['process'], event['thread'], event['name']))
    for plane in planes:
        labels = collections.Counter(line['display_name'] or line['name'] for line in plane['lines'])
        for line in plane['lines']:
            label = line['display_name'] or line['name']
            for name, sums in line['top_names_ps'].items() if labels[label] == 1 else ():
                same(names.get((plane['name'], label, name)), sums, name)
                n_equal += 2
    print(f'# {folder.name}: {n_equal} values equal')


def check_example(cli, shared):
    """The line in the example of the format page has the events that the page states."""
    events = cli.dump(shared / 'corpus' / 'xplane' / 'jax_conv_minimal_08.tw003.xplane.pb')
    mine = [event for event in events if event['process'] == '/device:GPU:0' and event['thread'] == 'Stream #16(Kernel)' and event['ph'] == 'X']
    same(len(mine), 34, 'events')
    same(mine[0]['ts_ns'], 1771595639216518616, 'start')
    same(sum(map(picoseconds, mine)), 3578725000, 'picoseconds')
    check(mine[0]['args']['grid'] and mine[0]['args']['block'], str(mine[0]['args']))
    ids = [event['args']['correlation'] for event in events if event['process'] != '/host:CPU' and event['args'].get('correlation')]
    same(len(set(ids)), 234, 'launches')
    same(sum(event['ph'] == 'f' and event['name'] == 'ac2g' for event in events), len(ids), 'links')


def make(shared, folder, *options):
    return json.loads(harness.generate(folder, 'make-binary-traces.py', 'xplane', harness.OUT, *options))


def check_sums(cli, shared, folder):
    for file in make(shared, folder, '--ranks', 2, '--events', 3000)['files']:
        events = cli.dump(Path(folder) / file['file'])
        kernels = [event for event in events if event['cat'] == 'kernel']
        same([len(kernels), sum(event['dur_ns'] for event in kernels)], [file['kernels'], file['kernel_ns']], 'kernels')
        same(sum(event['ph'] == 'f' for event in events), file['links'], 'links')


def check_packed(cli, shared, folder):
    """A gzipped file gives the same events."""
    path = Path(folder) / make(shared, folder, '--ranks', 1, '--events', 2000)['files'][0]['file']
    packed = Path(folder) / 'packed.xplane.pb.gz'
    packed.write_bytes(gzip.compress(path.read_bytes()))

    def lines(path):
        return [json.dumps([e['ts_ns'], e['dur_ns'], e['ph'], e['name'], e['args']]) for e in cli.dump(path)]
    same(lines(packed), lines(path), 'events')


def check_cut(cli, shared, folder):
    """The place where a truncated file ends is stated, not only the beginning of its last part."""
    path = Path(folder) / 'cut.xplane.pb'
    path.write_bytes(b'\x0a\x60' + b'\x12\x0d/device:GPU:0' + b'\x1a\x40' + b'\x12\x09Stream #1' + b'\x22\x06\x08\x01\x10\x05\x18\x09')
    result = cli('info', '--format', 'json', path)
    same(result.returncode, harness.INCOMPLETE, f'exit: {result.stderr}')
    check('truncated at byte 38, or the part that begins at byte 0 is damaged' in result.stdout, result.stdout)


def check_pair(cli, shared, folder):
    """A JSON file of the same profiler session next to an XSpace file is not loaded, because it contains the same events or fewer."""
    path = Path(folder) / make(shared, folder, '--ranks', 1, '--events', 500)['files'][0]['file']
    alone = len(cli.dump(folder))
    twin = path.with_name(path.name.replace('.xplane.pb', '.trace.json.gz'))
    twin.write_bytes(gzip.compress(b'{"displayTimeUnit":"ns","traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"a"}]}'))
    same(len(cli.dump(folder)), alone, 'events')
    check(any(path.name in item['reason'] for item in cli.info(folder)['ignored']), 'there is no message')
    same(len(cli.dump(twin)), 1, 'events of the JSON alone')


def check_merge(cli, shared, folder):
    """A merged file, when it is read again, has the same events as the XSpace file, including args that are read from
    the binary file only when they are needed."""
    path = Path(folder) / make(shared, folder, '--ranks', 1, '--events', 2000)['files'][0]['file']
    merged = Path(folder) / 'merged.json'
    cli.must('merge', path, '-o', merged)

    def lines(path):
        return sorted(json.dumps([e['ts_ns'], e['dur_ns'], e['name'], e['args']]) for e in cli.dump(path) if e['ph'] in 'X')
    same(lines(merged), lines(path), 'events')


def varint(n):
    n &= 2**64 - 1
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


# Names of statistics, their ids are the indices; “is” is also used as a value.
STATS = ['', 'signed', 'unsigned', 'real', 'text', 'is', 'bytes', 'kernel_details', 'memcpy_details', 'correlation_id', '_p', '_pt', '_c', '_ct',
         'quoted "name"', 'of the name', 'grid']


def statistic(name, field, value):
    content = varint(field << 3 | 1) + struct.pack('<d', value) if field == 2 else \
        message(field, value) if isinstance(value, (str, bytes)) else number(field, value)
    return number(1, STATS.index(name)) + content


# Kinds of events: statistics of the event, and the args they become. Each kind occurs several times, because the text of the
# first event with a name is read and only the length of the others is computed.
KINDS = [
    ([], {}),
    ([statistic('signed', 4, -12345)], {'signed': -12345}),
    ([statistic('signed', 4, -2**63), statistic('unsigned', 3, 2**64 - 1)], {'signed': -2**63, 'unsigned': 2**64 - 1}),
    ([statistic('unsigned', 3, 10**k) for k in range(3)], {'unsigned': 1}),
    ([statistic('real', 2, 0.1)], {'real': 0.1}),
    ([statistic('real', 2, float('inf'))], {'real': None}),
    ([statistic('text', 5, 'plain')], {'text': 'plain'}),
    ([statistic('text', 5, 'a "quote", a \\ and\n\x01 “é”')], {'text': 'a "quote", a \\ and\n\x01 “é”'}),
    ([statistic('text', 5, 'x' * 200)], {'text': 'x' * 200}),
    ([statistic('text', 7, STATS.index('is')), statistic('is', 7, 99)], {'text': 'is', 'is': ''}),
    ([statistic('bytes', 6, b'\x00\xff\x00')], {'bytes': '3 bytes'}),
    ([statistic('quoted "name"', 4, 5)], {'quoted "name"': 5}),
    ([statistic('of the name', 4, 6)], {'of the name': 6}),
    ([statistic('kernel_details', 5, 'regs:32 grid:1,2,3 block:4,5,6'), statistic('grid', 4, 7)],
     {'kernel_details': 'regs:32 grid:1,2,3 block:4,5,6', 'registers per thread': 32, 'grid': [1, 2, 3], 'block': [4, 5, 6]}),
    ([statistic('grid', 4, 7)], {'grid': 7}),
    ([statistic('kernel_details', 5, 'nothing')], {'kernel_details': 'nothing'}),
    ([statistic('memcpy_details', 5, 'kind:x size:77 dest:0')], {'memcpy_details': 'kind:x size:77 dest:0', 'bytes': 77}),
    ([statistic('signed', 4, 1), statistic('text', 5, 'y' * 3000)], {'signed': 1, 'text': 'y' * 3000}),
]


def write_kinds(path, n):
    """Writes n events of each kind on a line of a device, and a host event that launches each. Returns the expected args."""
    rows, calls, wanted = b'', b'', []
    for i in range(n):
        for k, (stats, args) in enumerate(KINDS):
            at, name, correlation = (i * len(KINDS) + k) * 10**7, 1 + k % 2, 1 + i * len(KINDS) + k
            linked = k % 3 > 0
            own = stats + [statistic('correlation_id', 3, correlation)] * linked
            more = k % 4
            rows += message(4, number(1, name) + number(2, at + more) + number(3, 5 * 10**6 + more) + b''.join(message(4, stat) for stat in own))
            calls += message(4, number(1, name) + number(2, at) + number(3, 10**6) + message(4, statistic('correlation_id', 3, correlation)))
            wanted.append(args | ({'correlation': correlation} if linked else {}) | ({'duration_ps': 5 * 10**6 + more} if more else {}) |
                          ({'of the name': 123} if name == 2 and 'of the name' not in args else {}))
    names = b''.join(message(4, number(1, i) + message(2, number(1, i) + message(2, f'name {i}') + extra))
                     for i, extra in ((1, b''), (2, message(5, statistic('of the name', 4, 123)))))
    kinds = b''.join(message(5, number(1, i) + message(2, number(1, i) + message(2, name))) for i, name in enumerate(STATS) if name)

    def plane(title, line, events):
        return message(1, message(2, title) + message(3, number(1, 7) + message(2, line) + number(3, 10**18) + events) + names + kinds)
    path.write_bytes(plane('/device:GPU:0', 'Stream #7', rows) + plane('/host:CPU', 'python', calls))
    return wanted


def check_args(cli, shared, folder):
    """All kinds of statistics become args, whether the text of an event is made or only its length is computed; the flow events
    lie between the spans."""
    path = Path(folder) / 'kinds.xplane.pb'
    wanted = write_kinds(path, 40)
    events = cli.dump(path)
    got = [event['args'] for event in events if event['ph'] == 'X' and event['process'] == '/device:GPU:0']
    for i, (mine, expected) in enumerate(zip(got, wanted)):
        same(mine, expected, f'event {i}, kind {i % len(KINDS)}')
    same(len(got), len(wanted), 'events')
    same(sum(event['ph'] == 'f' for event in events), sum('correlation' in args for args in wanted), 'links')


def check_damage(cli, shared, folder, damage):
    path = Path(folder) / make(shared, folder, '--ranks', 1, '--events', 3000, '--corrupt', damage)['files'][0]['file']
    result = cli('info', '--format', 'json', path)
    check(result.returncode in (harness.INCOMPLETE, harness.FAILED) or damage == 'flip', f'exit {result.returncode}: {result.stderr}')
    if damage == 'truncate':
        source = json.loads(result.stdout)['sources'][0]
        check(source['spans'] > 1000 and any(problem['code'] == 'truncated' for problem in source['problems']), str(source))
    if damage == 'text':
        check('text conversion' in result.stdout + result.stderr, result.stderr)


def check_steps(cli, shared):
    """In some profiles, training steps are recorded only on the line that sums up the work of a device. These steps
    must count as training steps."""
    path = shared / 'corpus' / 'xplane' / 'GPU-multi-worker.34.83.195.179_6003.xplane.pb'
    steps = json.loads(cli.must('report', '--format', 'json', path).stdout)['steps']
    same((steps['count'], steps['ranks'][0]['median_ns']), (2, 20587921.5), 'steps')


def check_balance(cli, shared):
    """Two GPUs of one file compute for 14.8 and 14.9 ms. The one with the shorter recorded work is idle from then on: none of them
    computes more than the other."""
    path = shared / 'corpus' / 'xplane' / 'GPU-multi-worker.34.83.195.179_6003.xplane.pb'
    page = cli.must('report', '--format', 'html', path).stdout
    check('The GPUs compute for 0 % (GPU 1) to 1.56 % (GPU 6) of their recorded time.' in page, 'answer')
    check('/device:GPU:6 ·' not in page and 'GPU 6 · Computing' in page, 'names of devices')


def in_folder(function, *args):
    with tempfile.TemporaryDirectory() as folder:
        function(*args[:2], folder, *args[2:])


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    shared = harness.shared_folder('.').resolve()
    harness.need(shared / 'oracle', shared / 'tools' / 'make-binary-traces.py')
    for folder in sorted((shared / 'oracle').glob('xplane-*')):
        tap.case(folder.name, check_oracle, cli, folder, shared)
    tap.case('example', check_example, cli, shared)
    tap.case('steps', check_steps, cli, shared)
    tap.case('load balance', check_balance, cli, shared)
    for function in (check_args, check_cut, check_sums, check_packed, check_pair, check_merge):
        tap.case(function.__name__, in_folder, function, cli, shared)
    for damage in ('truncate', 'zero', 'flip', 'head', 'text', 'lengths'):
        tap.case(f'damage: {damage}', in_folder, check_damage, cli, shared, damage)
    tap.done()


main()
