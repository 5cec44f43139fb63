# SPDX-License-Identifier: Apache-2.0
"""Tests memory of devices: snapshots of PyTorch's allocator (formats/memory-snapshot.md), `[memory]` events of its profiler
(formats/analysis-2.md, section 9), the code that holds memory at the peak, and the finding about growing memory."""

import json
import pickle
import sys
import tempfile
from pathlib import Path

import harness
from harness import Cli, Tap, check, same

BASE_NS = 1700000000000000000
START_US = 1776479641085368


def read_memory(cli, *places, allowed=(harness.DONE, harness.INCOMPLETE)):
    return json.loads(cli.must('report', '--format', 'json', '-o', '-', *places, allowed=allowed).stdout)['computed']['memory']


def pick(values, *keys):
    return {key: values[key] for key in keys}


# --- snapshots


# Covers documented rows: README.md §1 CUDA memory snapshot
def check_oracle(cli, folder, shared):
    """Compares memory levels, actions and blocks of a real snapshot with those of a second, simple reader."""
    wanted = json.loads((folder / 'expected.json').read_text())
    path = shared / wanted['file']
    device, = read_memory(cli, path)['devices']
    truth = wanted['devices'][0]
    events = cli.dump(path)
    memory = [event for event in events if event['name'] == '[memory]' and 'Existing' not in event['args']]
    sizes = [event['args']['Bytes'] for event in memory]
    counters = [event for event in events if event['ph'] == 'C']
    waiting = sum(event['name'] == 'Waiting to be freed' for event in counters)
    facts = cli.info(path)['sources'][0]
    pairs = [
        (device['peak_bytes'], wanted['active_size'] + truth['highest_over_start'], 'peak'),
        (device['begin_bytes'], wanted['active_size'] - truth['net_change'], 'level at the begin'),
        (device['end_bytes'], wanted['active_size'], 'level at the end'),
        (device['reserved_peak_bytes'], wanted['total_size'], 'reserved'),
        (device['allocations'], truth['actions']['alloc'], 'allocations'),
        (device['frees'], truth['actions']['free_completed'], 'frees'),
        (waiting - device['frees'], truth['actions']['free_requested'], 'requested frees'),
        (sum(sizes), truth['net_change'], 'net change'),
        (min(event['ts_ns'] for event in memory), 1000 * truth['first_us'], 'first'),
        (max(event['ts_ns'] for event in memory), 1000 * truth['last_us'], 'last'),
        (sum(event['ph'] == 'X' for event in events), truth['actions']['alloc'], 'blocks'),
        (device['breaks'], 0, 'breaks'),
        (facts['clock']['state'], 'exact', 'clock'),
        (facts['rank'], truth['device'], 'rank'),
    ]
    for got, expected, what in pairs:
        same(got, expected, what)
    held = sum(holder['held_bytes'] for holder in device['holders']) + device['before_bytes']
    same(held, device['peak_bytes'], 'what owners hold at the peak')
    print(f'# {folder.name}: {len(pairs) + 1} values equal')


def make_event(action, address, size, time, function='forward', **members):
    frames = [{'name': 'empty', 'filename': '/usr/lib/python3/torch/nn/functional.py', 'line': 9}, {'name': function, 'filename': '/home/me/train.py', 'line': 7}]
    return {'action': action, 'addr': address, 'size': size, 'stream': 0, 'time_us': START_US + time, 'frames': frames} | members


def make_block(address, size, state='active_allocated', frames=()):
    return {'address': address, 'size': size, 'requested_size': size, 'state': state, 'frames': list(frames)}


def make_snapshot(events, blocks, device=0):
    segment = {'device': device, 'address': blocks[0]['address'] if blocks else 0, 'total_size': sum(block['size'] for block in blocks), 'stream': 0,
               'segment_type': 'large', 'segment_pool_id': (0, 0), 'blocks': blocks}
    return {'segments': [segment], 'device_traces': [[] for _ in range(device)] + [events], 'allocator_settings': {}, 'external_annotations': []}


def example():
    """Returns a memory snapshot. A block of 400 bytes exists from start to end, and one of 100 bytes is freed. Blocks
    of 300 and of 50 bytes are allocated; the block of 300 bytes is freed again."""
    events = [make_event('segment_alloc', 0x7f00, 1000, 0), make_event('alloc', 0x8000, 300, 10), make_event('free_requested', 0x9000, 100, 15),
              make_event('alloc', 0x8200, 50, 20, 'backward'), make_event('free_completed', 0x9000, 100, 30), make_event('free_requested', 0x8000, 300, 40),
              make_event('free_completed', 0x8000, 300, 50), make_event('oom', 0, 5000, 60, device_free=64)]
    frames = [{'name': 'build', 'filename': 'model.py', 'line': 3}]
    return make_snapshot(events, [make_block(0x7f00, 400, frames=frames), make_block(0x8200, 50), make_block(0x8400, 550, 'inactive')])


def write(folder, snapshot, name='rank3_memory_snapshot.pickle', protocol=4):
    path = Path(folder) / name
    path.write_bytes(pickle.dumps(snapshot, protocol))
    return path


def check_example(cli, folder):
    for protocol in range(2, 6):
        path = write(folder, example(), protocol=protocol)
        device, = read_memory(cli, path)['devices']
        same(pick(device, 'rank', 'device', 'begin_bytes', 'end_bytes', 'peak_bytes', 'peak_ns', 'before_bytes', 'reserved_peak_bytes', 'allocations', 'frees', 'breaks'),
             {'rank': 3, 'device': 'gpu0', 'begin_bytes': 500, 'end_bytes': 450, 'peak_bytes': 850, 'peak_ns': 1000 * (START_US + 20), 'before_bytes': 0,
              'reserved_peak_bytes': 1000, 'allocations': 2, 'frees': 2, 'breaks': 0}, f'device, protocol {protocol}')
        same([(holder['operator'], holder['held_bytes'], holder['allocations'], holder['left_bytes']) for holder in device['holders']],
             [('build (model.py:3)', 400, 0, 0), ('forward (train.py:7)', 300, 1, 0), ('', 100, 0, 0), ('backward (train.py:7)', 50, 1, 50)], 'holders')
    events = cli.dump(path)
    block, = (event for event in events if event['ph'] == 'X' and event['args']['Bytes'] == 300)
    same([block['dur_ns'], block['stack'][-1]], [40000, 'forward (/home/me/train.py:7)'], 'block')
    oom, = (event for event in events if event['name'] == 'out of memory')
    same(oom['args'], {'Bytes': 5000, 'Free': 64}, 'out of memory')
    levels = [event['args']['bytes'] for event in events if event['name'] == 'Allocated']
    same(levels, [800, 850, 750, 450], 'counter of what is allocated')
    same([event['args']['bytes'] for event in events if event['name'] == 'Waiting to be freed'], [100, 0, 300, 0], 'waiting')


def check_large(cli, folder):
    """Sizes beyond 32 bits are read correctly: a device has one segment of 300 GiB, and an allocation of 1 TB fails."""
    events = [make_event('segment_map', 0x1000, 300 << 30, 10), make_event('oom', 0, 10 ** 12, 20, device_free=290 << 30)]
    path = write(folder, make_snapshot(events, [make_block(0x1000, 300 << 30, 'inactive')]))
    oom, = (event for event in cli.dump(path) if event['name'] == 'out of memory')
    same(oom['args'], {'Bytes': 10 ** 12, 'Free': 290 << 30}, 'out of memory')
    same({event['args']['bytes'] for event in cli.dump(path) if event['name'] == 'Reserved'}, {300 << 30}, 'reserved')


def check_old_forms(cli, folder):
    """Snapshots in older forms are read: a list of segments, blocks without addresses, events without times, no history."""
    segments = example()['segments']
    for block in segments[0]['blocks']:
        del block['address']
    device, = read_memory(cli, write(folder, segments))['devices']
    same([device['peak_bytes'], device['allocations'], device['begin_bytes']], [450, 0, 450], 'list of segments')
    same([problem['code'] for problem in cli.info(Path(folder))['sources'][0]['problems']], ['no-history'], 'problems')
    untimed = example()
    for event in untimed['device_traces'][0]:
        del event['time_us']
    path = write(folder, untimed)
    same(read_memory(cli, path)['devices'][0]['peak_bytes'], 850, 'peak without times')
    same(cli.info(path)['sources'][0]['clock']['state'], 'none', 'clock')


def check_odd(cli, folder):
    """Unusual snapshots are read: allocations at addresses in use, times out of order, addresses above 2**63, unknown actions,
    annotations."""
    snapshot = example()
    snapshot['device_traces'][0] += [make_event('alloc', 2**64 - 512, 10, 70), make_event('alloc', 2**64 - 512, 20, 65), make_event('workspace', 0, 0, 80)]
    snapshot['external_annotations'] = [{'stage': stage, 'name': 'step 1', 'time_us': START_US + time, 'device': 0} for stage, time in (('START', 5), ('END', 55))]
    path = write(folder, snapshot)
    events = cli.dump(path)
    same({event['args']['Bytes']: event['dur_ns'] for event in events if event['ph'] == 'X' and event['args'].get('Bytes') in (10, 20)}, {10: 0, 20: 10000}, 'blocks')
    same([event['args']['Addr'] for event in events if event['name'] == '[memory]' and event['args']['Bytes'] == 20], [2**64 - 512], 'address')
    same([(event['name'], event['dur_ns']) for event in events if event['cat'] == 'annotation'], [('step 1', 50000)], 'annotations')
    check(any(event['name'] == 'workspace' for event in events), 'the unknown action is shown')
    same({problem['code'] for problem in cli.info(path)['sources'][0]['problems']} >= {'time-order', 'address-in-use'}, True, 'problems')


def check_two_devices(cli, folder):
    first, second = example(), make_snapshot([make_event('alloc', 0x10, 7, 1)], [make_block(0x10, 7)], device=2)
    first['segments'] += second['segments']
    first['device_traces'] = [first['device_traces'][0], *second['device_traces'][1:]]
    devices = read_memory(cli, write(folder, first, 'snapshot.pickle'))['devices']
    same([(device['device'], device['peak_bytes'], device['rank']) for device in devices], [('gpu0', 850, None), ('gpu2', 7, None)], 'devices')


def check_generated(cli, folder):
    """The memory in use at the end, and the figures at the peak, equal those that the generator states."""
    made = harness.generate(folder, 'make-binary-traces.py', 'memory', harness.OUT, '--ranks', 2, '--events', 2000, '--seed', 3)
    devices = read_memory(cli, folder)['devices']
    truth = json.loads(made)['files']
    same([(device['rank'], device['end_bytes'], device['peak_bytes'], device['breaks']) for device in devices],
         [(file['rank'], file['live_bytes'], file['peak_bytes'], 0) for file in truth], 'levels')


def check_cut(cli, folder):
    """Of a truncated snapshot, the events before the cut are kept."""
    events = [make_event('alloc', 512 * i, 512, i, f'layer{i % 7}') for i in range(1, 400)]
    path = write(folder, make_snapshot(events, [make_block(512 * i, 512) for i in range(1, 400)]))
    data = path.read_bytes()
    n_before = 0
    for n in range(len(data) // 2, len(data), len(data) // 29):
        path.write_bytes(data[:n])
        result = cli('info', '--format', 'json', path)
        same(result.returncode, harness.INCOMPLETE, f'exit, cut at {n}: {result.stderr}')
        source = json.loads(result.stdout)['sources'][0]
        check(source['spans'] >= n_before, f'{source["spans"]} spans after {n} bytes')
        n_before = source['spans']
    check(n_before > 350, f'{n_before} spans at last')


def check_cut_levels(cli, folder):
    """If the end of a snapshot is missing, or an event is damaged, levels are not computed from the memory at the end, and the level
    before the first event is unknown."""
    events = [make_event('alloc', 512 * i, 512, i) for i in range(1, 200)]
    events[10] = make_event('free_completed', 0x900000, 4096, 11)
    path = write(folder, make_snapshot(events, [make_block(512 * i, 512) for i in range(1, 200) if i != 11] + [make_block(0x800000, 1 << 20)]))
    data = path.read_bytes()
    path.write_bytes(data[:data.index((START_US + 100).to_bytes(8, 'little')[:7])])
    device, = read_memory(cli, path)['devices']
    same(pick(device, 'relative', 'begin_bytes', 'peak_bytes', 'reserved_peak_bytes'),
         {'relative': True, 'begin_bytes': 4096, 'peak_bytes': 99 * 512, 'reserved_peak_bytes': None}, 'cut')
    problems = {problem['code'] for problem in json.loads(cli('info', '--format', 'json', path).stdout)['sources'][0]['problems']}
    same(problems, {'truncated', 'unknown-start'}, 'problems')
    events[20] = 7
    device, = read_memory(cli, write(folder, make_snapshot(events, [make_block(0x800000, 1 << 20)])))['devices']
    same(pick(device, 'relative', 'begin_bytes'), {'relative': True, 'begin_bytes': 4096}, 'damaged event')


def check_hostile(cli, folder):
    """Lists that contain themselves, absurd numbers and values of wrong types neither hang nor crash the program."""
    again = []
    again.append(again)
    snapshot = example()
    snapshot['segments'] += [again, None, 7, {'device': 10**9, 'blocks': again}, {'device': -1}, {'device': 3, 'blocks': [{'size': 2**70, 'state': again}] * 50}]
    snapshot['device_traces'] += [again, None, [again, {'action': again, 'addr': -5, 'size': -2**62, 'time_us': 2**63 - 1, 'frames': again}] * 500]
    snapshot['external_annotations'] = [again, {'stage': 'END', 'name': again, 'time_us': 5, 'device': 1}] * 500
    for protocol in (2, 4):
        result = cli('report', '--format', 'json', '-o', '-', write(folder, snapshot, protocol=protocol), timeout=60)
        check(result.returncode in (harness.DONE, harness.INCOMPLETE), f'exit {result.returncode}: {result.stderr}')


# --- the profiler


def check_repeated(cli, folder):
    """A list can repeat a value at two bytes each, so a small pickle could describe a huge list: the number of elements read is
    limited by the number of values in the pickle."""
    starts = [{'stage': 'START', 'name': 'a' * 500 + f'{i:04}', 'device': 0, 'time_us': 5} for i in range(999)]
    end = {'stage': 'END', 'name': 'a' * 500 + 'zzzz', 'device': 0, 'time_us': 9}
    segment = {**{f'k{i:03}': i for i in range(250)}, 'device': 0}
    for name, members in (('annotations', {'segments': [], 'external_annotations': starts + 2000000 * [end]}),
                          ('segments', {'segments': 2000000 * [segment]})):
        path = write(folder, {'device_traces': [[]], **members}, f'{name}_memory_snapshot.pickle')
        cli.must('info', '--format', 'json', path, timeout=30, allowed=(harness.DONE, harness.INCOMPLETE, harness.FAILED))


def allocate(time, size, address=1, level=None, reserved=None, tid=100, device=0, kind=1):
    args = {'Bytes': size, 'Addr': address, 'Device Id': device, 'Device Type': kind}
    args |= {'Total Allocated': level} if level is not None else {}
    args |= {'Total Reserved': reserved} if reserved is not None else {}
    return {'ph': 'i', 's': 't', 'cat': 'cpu_instant_event', 'name': '[memory]', 'pid': 100, 'tid': tid, 'ts': time, 'args': args}


def span(name, begin, end, category='cpu_op', tid=100):
    return {'ph': 'X', 'cat': category, 'name': name, 'pid': 100, 'tid': tid, 'ts': begin, 'dur': end - begin}


def write_trace(folder, events, rank=0):
    document = {'schemaVersion': 1, 'distributedInfo': {'rank': rank, 'world_size': 2}, 'baseTimeNanoseconds': BASE_NS, 'traceEvents': events}
    (Path(folder) / f'rank{rank}.pt.trace.json').write_text(json.dumps(document))


def check_page_example(cli, folder):
    """Tests the example of formats/analysis-2.md: changes by +100 bytes at 1 µs, +50 at 2 µs, −100 at 3 µs and +20 at 4
    µs give the memory levels 100, 150, 50 and 70 bytes."""
    write_trace(folder, [span('aten::mm', 0, 10), allocate(1, 100, 1, 100, 200), allocate(2, 50, 2, 150, 200), allocate(3, -100, 1, 50, 200), allocate(4, 20, 3, 70, 200)])
    device, = read_memory(cli, folder)['devices']
    same(pick(device, 'peak_bytes', 'peak_ns', 'begin_bytes', 'end_bytes', 'reserved_at_peak_bytes', 'before_bytes', 'breaks', 'relative'),
         {'peak_bytes': 150, 'peak_ns': BASE_NS + 2000, 'begin_bytes': 0, 'end_bytes': 70, 'reserved_at_peak_bytes': 200, 'before_bytes': 0, 'breaks': 0, 'relative': False}, 'device')
    same([pick(holder, 'operator', 'held_bytes', 'left_bytes', 'allocated_bytes', 'largest_bytes') for holder in device['holders']],
         [{'operator': 'aten::mm', 'held_bytes': 150, 'left_bytes': 70, 'allocated_bytes': 170, 'largest_bytes': 100}], 'holders')


def check_owners(cli, folder):
    """An allocation belongs to the innermost operator and module of its thread. Without an operator, it belongs to the
    innermost annotation; without an annotation, too, it belongs to a Python function."""
    write_trace(folder, [
        span('train.py(3): main', 0, 100, 'python_function'), span('nn.Module: Net_0', 1, 60, 'python_function'), span('nn.Module: Linear_1', 2, 30, 'python_function'),
        span('aten::linear', 3, 20), span('aten::addmm', 5, 15), allocate(10, 1, 1, 1), allocate(18, 2, 2, 3), allocate(40, 4, 3, 7), allocate(80, 8, 4, 15),
        span('step', 85, 95, 'user_annotation'), allocate(90, 16, 5, 31), span('aten::other', 0, 100, tid=101), allocate(200, 32, 6, 63)])
    holders = read_memory(cli, folder)['devices'][0]['holders']
    same({(holder['operator'], holder['module']): holder['held_bytes'] for holder in holders},
         {('aten::addmm', 'Linear_1'): 1, ('aten::linear', 'Linear_1'): 2, ('train.py(3): main', 'Net_0'): 4, ('train.py(3): main', ''): 8, ('step', ''): 16, ('', ''): 32}, 'owners')


def check_breaks(cli, folder):
    """Tests memory events whose stated levels do not follow from the previous levels, events without levels, and frees
    of memory that was allocated before the recording."""
    write_trace(folder, [allocate(1, 100, 1, 500), allocate(2, 50, 2, 900), allocate(3, -7, 9, 893)])
    write_trace(folder, [allocate(1, 100), allocate(2, -100), allocate(3, 30)], rank=1)
    first, second = read_memory(cli, folder)['devices']
    same(pick(first, 'breaks', 'peak_bytes', 'before_bytes', 'begin_bytes'), {'breaks': 1, 'peak_bytes': 900, 'before_bytes': 750, 'begin_bytes': 400}, 'stated')
    same(pick(second, 'breaks', 'peak_bytes', 'relative', 'end_bytes'), {'breaks': 0, 'peak_bytes': 100, 'relative': True, 'end_bytes': 30}, 'not stated')


def check_shared_address(cli, folder):
    """Several blocks have the same address. The total memory that the events state shows that all of the blocks exist,
    so none replaces another."""
    write_trace(folder, [span('aten::mm', 0, 10), span('aten::add', 20, 30), allocate(1, 100, 1, 100), allocate(2, 50, 1, 150), allocate(21, 30, 1, 180), allocate(22, -30, 1, 150)])
    device, = read_memory(cli, folder)['devices']
    same(pick(device, 'peak_bytes', 'before_bytes', 'breaks'), {'peak_bytes': 180, 'before_bytes': 0, 'breaks': 0}, 'device')
    same([(holder['operator'], holder['held_bytes'], holder['left_bytes']) for holder in device['holders']], [('aten::mm', 150, 150), ('aten::add', 30, 0)], 'holders')
    # the event frees the block that has the size it states, not the newest block of that address
    write_trace(folder, [span('aten::mm', 0, 10), span('aten::add', 20, 30), allocate(1, 100, 1, 100), allocate(21, 30, 1, 130), allocate(22, -100, 1, 30)])
    device, = read_memory(cli, folder)['devices']
    same([(holder['operator'], holder['held_bytes'], holder['left_bytes']) for holder in device['holders']], [('aten::mm', 100, 0), ('aten::add', 30, 30)], 'sizes')


def check_unmatched(cli, folder):
    """If many blocks are freed, but none at the address of a recorded allocation, it is not known which allocations were not freed. Few such
    frees may be frees of memory from before the recording."""
    for n, left in ((9, 90), (10, None)):
        events = [event for i in range(n) for event in (allocate(10 * i + 1, 10, 1 + i, 110), allocate(10 * i + 2, -10, 101 + i, 100))]
        write_trace(folder, [span('aten::mm', 0, 1000), *events])
        device, = read_memory(cli, folder)['devices']
        same([(holder['operator'], holder['allocated_bytes'], holder['left_bytes']) for holder in device['holders']], [('aten::mm', 10 * n, left)], f'{n} frees')
    page = cli.must('report', '-q', '--format', 'html', '-o', '-', folder).stdout
    check('No freed block has the address of a recorded allocation' in page, 'note')


def check_range(cli, folder):
    """In a range, the memory level at its start counts for the peak."""
    write_trace(folder, [span('aten::mm', 0, 9000), allocate(1000, 100, 1, 100), allocate(2000, 900, 2, 1000), allocate(5000, -900, 2, 100), allocate(6000, 50, 3, 150)])
    text = cli.must('report', '--format', 'json', '-o', '-', '--start-ns', str(BASE_NS + 3000000), '--end-ns', str(BASE_NS + 5500000), folder).stdout
    device, = json.loads(text)['computed']['memory']['devices']
    same(pick(device, 'peak_bytes', 'begin_bytes', 'end_bytes', 'allocations', 'frees'), {'peak_bytes': 1000, 'begin_bytes': 1000, 'end_bytes': 100, 'allocations': 0, 'frees': 1}, 'range')
    same([(holder['operator'], holder['held_bytes']) for holder in device['holders']], [('aten::mm', 1000)], 'holders')


def make_steps(growth, n=8):
    events = []
    level = 1000
    for i in range(n):
        events += [span(f'ProfilerStep#{i}', 1000 * i, 1000 * i + 900, 'user_annotation'), allocate(1000 * i + 10, 500, 1, level + 500), allocate(1000 * i + 500, -500, 1, level)]
        level += growth
        events += [allocate(1000 * i + 600, growth, 100 + i, level)] if growth else []
    return events


def check_growth(cli, folder):
    """Memory that grows with every step is a finding; constant or hardly growing memory is not."""
    for growth, fired in ((0, False), (5, False), (200, True)):
        write_trace(folder, make_steps(growth))
        result = json.loads(cli.must('rules', '--format', 'json', folder, allowed=(harness.DONE,)).stdout)['MemoryLeak']
        same(result['RuleTriggered'] > 0, fired, f'growth {growth}: {result}')
        steps = read_memory(cli, folder)['devices'][0]['step_end_bytes']
        same(steps, [1000 + growth * (i + 1) for i in range(8)], 'levels at the ends of steps')
    write_trace(folder, make_steps(200, 3))
    result = json.loads(cli.must('rules', '--format', 'json', folder, allowed=(harness.DONE,)).stdout)['MemoryLeak']
    same(result['RuleTriggered'], 0, 'three steps')


# Covers documented rows: README.md §1 CUDA memory snapshot
def check_planted(cli, folder):
    """In a generated run of four ranks, the peaks are those that the generator states."""
    shared = harness.shared_folder('tools')
    place = Path(folder) / 'run'
    expected = json.loads((shared.parent / 'oracle/parallel-experts/expected.json').read_text())
    options = expected['data'].split(' OUT ')[1].split()
    harness.generate_parallel(place, *options)
    devices = read_memory(cli, place)['devices']
    truth = expected['truth']['memory']
    same({str(device['rank']): {'peak_bytes': device['peak_bytes'], 'events': device['allocations'] + device['frees'], 'left_bytes': device['end_bytes']} for device in devices}, truth, 'memory')
    same([device['breaks'] for device in devices], [0] * len(devices), 'breaks')
    print(f'# parallel-experts: {3 * len(devices)} values equal')


def in_folder(function, cli):
    with tempfile.TemporaryDirectory() as folder:
        function(cli, folder)


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    shared = harness.shared_folder('.').resolve()
    for folder in sorted((shared / 'oracle').glob('memory-snapshot-*')):
        tap.case(folder.name, check_oracle, cli, folder, shared)
    generated = (check_generated, check_planted) if (shared / 'tools').exists() else ()
    for function in (check_example, check_large, check_old_forms, check_odd, check_two_devices, check_cut, check_cut_levels, check_hostile, check_page_example,
                     check_repeated, check_owners, check_breaks, check_shared_address, check_unmatched, check_range, check_growth, *generated):
        tap.case(function.__name__, in_folder, function, cli)
    tap.done()


main()
