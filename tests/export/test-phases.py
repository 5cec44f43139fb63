# SPDX-License-Identifier: Apache-2.0
"""Tests that the ranks layout keeps events of every phase with any id: the dump of the merged file equals that of its sources. The
merged file also follows the rules of the importers of Catapult and Perfetto: steps of async spans have the name of their span, and flow
ids are numbers."""

import json
import os
import random
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import FAILED, Cli, Tap, check, folder, read_strict, same, shared_folder  # noqa: E402

IDS = [1, '1', 0, '0', '01', 1.0, -1, 'x y', '0x1', '0xfffffffffffffff1', 12345678901234567890, 4294967297, 9007199254740991, True, None, {}, []]
PHASES = {'nestable async': 'bne', 'old async': 'STpF', 'objects': 'NOD', 'flows': 'Xstf', 'all': 'XBEiIRCstfbneSTpFNODVvPc()'}


def write(place, *documents):
    paths = [Path(place, f'rank{i}.json') for i in range(len(documents))]
    for path, document in zip(paths, documents):
        path.write_text(json.dumps(document))
    return paths


def merge(cli, *paths):
    target = paths[0].with_name('merged.json')
    cli.must('merge', '--quiet', '-o', target, *paths)
    return target


def drawn(cli, *paths):
    """Returns the dump without two members that differ after merging. The rank of global instants is left out, because
    these belong to a file and not to a rank. The args of begin events that their end events override are left out,
    because only a merged file keeps them."""
    events = cli.dump(*paths)
    for event in events:
        if event['process'] == '':
            event['rank'] = None
        event.get('args', {}).pop('traceloom_begin_args', None)
    return Counter(json.dumps(event) for event in events)


def events_of(path, phases):
    return [event for event in read_strict(path)['traceEvents'] if event['ph'] in phases]


def orphan_end(cli):
    """An end event without a begin event becomes a span that begins at the first event of its group. In the merged
    file, this end event must not end other spans that overlap it."""
    with folder() as place:
        event = {'cat': 'io', 'pid': 1, 'tid': 1}
        paths = write(place, [{'ph': 'b', 'id': '1', 'ts': 0, 'name': 'read', **event}, {'ph': 'b', 'id': 1, 'ts': 2, 'name': 'inner', **event},
                              {'ph': 'e', 'id': '1', 'ts': 5, 'name': 'e', **event}, {'ph': 'e', 'id': '1', 'ts': 9, 'name': 'read', **event}])
        wanted = drawn(cli, *paths)
        out = merge(cli, *paths)
        same(drawn(cli, out), wanted, 'spans')
        ids = {event['name']: event['id'] for event in events_of(out, 'b')}
        same((ids['read'], ids['inner']), ('1', 1), 'unchanged ids')
        check(ids['e'] not in (1, '1'), 'the orphan has the id of its group')


def no_id(cli):
    """A null id means no id, also when the id is prefixed with the number of a file."""
    with folder() as place:
        lines = [{'ph': phase, 'id': None, 'ts': 1, 'pid': 1, 'tid': 3, 'name': 'x', 'cat': 'c'} for phase in 'bnSpO']
        paths = write(place, lines, lines)
        wanted = drawn(cli, *paths)
        out = merge(cli, *paths)
        same(drawn(cli, out), wanted, 'events')
        same({event['id'] for event in events_of(out, 'bnSpO')}, {None}, 'ids')


def steps(cli):
    """A step has the name and id of its span, which Catapult needs to find the span; the label of the step is in its
    args."""
    with folder() as place:
        event = {'cat': 'c', 'id': 7, 'pid': 1, 'tid': 1, 'name': 'load'}
        for phase in 'Tp':
            paths = write(place, [{'ph': 'S', 'ts': 0, **event}, {'ph': phase, 'ts': 1, 'args': {'step': 'parse'}, **event}, {'ph': 'F', 'ts': 3, **event}])
            wanted = drawn(cli, *paths)
            out = merge(cli, *paths)
            same([(event['ph'], event['name'], event['id']) for event in events_of(out, 'STpF')],
                 [('S', 'load', 7), (phase, 'load', 7), ('F', 'load', 7)], 'names')
            same(drawn(cli, out), wanted, 'drawn events')
            check(any('"name": "parse"' in line for line in wanted), 'the step is not shown by its label')


def last_steps(cli):
    """If a step has the time at which its span ends, the step is written before the end event. If it has the time at
    which its span begins, the step is written after the begin event."""
    with folder() as place:
        event = {'cat': 'c', 'id': 7, 'pid': 1, 'tid': 1, 'name': 'load'}
        step = {'args': {'step': 'parse'}, **event}
        paths = write(place, [{'ph': 'S', 'ts': 0, **event}, {'ph': 'T', 'ts': 3, **step}, {'ph': 'F', 'ts': 3, **event},
                              {'ph': 'S', 'ts': 4, **event}, {'ph': 'T', 'ts': 4, **step}, {'ph': 'F', 'ts': 5, **event},
                              {'ph': 'S', 'ts': 6, **event}, {'ph': 'F', 'ts': 8, **event}, {'ph': 'S', 'ts': 8, **event}, {'ph': 'F', 'ts': 9, **event}])
        wanted = drawn(cli, *paths)
        out = merge(cli, *paths)
        same(''.join(event['ph'] for event in events_of(out, 'STF')), 'STFSTFSFSF', 'order')
        same(drawn(cli, out), wanted, 'drawn events')


def flow_ids(cli):
    """Flow ids are numbers below 2^53: equal if the ids in a file are equal, different otherwise."""
    spans = [{'ph': 'X', 'ts': 0, 'dur': 9, 'pid': 1, 'tid': 1, 'name': 'x', 'cat': 'c'}]
    flows = [{'ph': phase, 'ts': ts, 'id': ident, 'pid': 1, 'tid': 1, 'name': 'f', 'cat': str(number)}
             for number, ident in enumerate(IDS) for ts, phase in enumerate('stf')]
    with folder() as place:
        for n_files in (1, 2):
            paths = write(place, *[spans + flows] * n_files)
            wanted = drawn(cli, *paths)
            out = merge(cli, *paths)
            same(drawn(cli, out), wanted, 'drawn events')
            ids = {}
            for event in events_of(out, 'stf'):
                ids.setdefault((event['pid'], event['cat']), set()).add(json.dumps(event['id']))
            check(all(len(values) == 1 for values in ids.values()), lambda: f'an id became several: {ids}')
            numbers = [values.pop() for (_, number), values in ids.items() if IDS[int(number)] not in (None, {}, [])]
            check(all(number.isdigit() and 0 < int(number) < 2 ** 53 for number in numbers), lambda: f'{numbers}')
            # null, {} and [] are no ids, and 1 equals "1" and 0 equals "0", so five of IDS give no further number
            same(len(set(numbers)), n_files * (len(IDS) - 3 - 2), 'different ids')


def bound_flows(cli):
    with folder() as place:
        lines = [{'ph': 'X', 'ts': 10 * i, 'dur': 5, 'pid': 1, 'tid': 1, 'name': 'x', 'bind_id': ident, side: True}
                 for i, (ident, side) in enumerate([('0x1', 'flow_out'), ('0x1', 'flow_in'), (1, 'flow_out'), ('1', 'flow_in'), (None, 'flow_in')])]
        paths = write(place, lines, lines)
        ids = [event['bind_id'] for event in sorted(events_of(merge(cli, *paths), 'X'), key=lambda event: (event['pid'], event['ts']))]
        for first in (0, 5):
            same(ids[first], ids[first + 1], 'a hexadecimal id')
            same(ids[first + 2], ids[first + 3], 'a decimal id')
        same(len(set(ids)), 5, 'separate ids')
        check(all(ident is None or isinstance(ident, int) for ident in ids), f'{ids}')


def told(ph, ts, tid, name, **members):
    return {'ph': ph, 'ts': ts, 'pid': 1, 'tid': tid, 'name': name, 'cat': 'c', **members}


def flow_ends(cli):
    """A flow end without "bp" binds to the slice that starts next in time, but other readers bind it to the next slice
    in the file. A merged file contains flow events after the slices that start at the same time. Therefore a flow end
    at the start of its slice is written with "bp":"e", which binds it to the enclosing slice."""
    flow, end = {'id': 3, 'args': {}}, {'id': 3, 'args': {}, 'bp': 'x'}
    lines = [told('X', 0, 1, 'from', dur=5), told('s', 1, 1, 'f', **flow), told('X', 10, 2, 'to', dur=5), told('f', 10, 2, 'f', **flow),
             told('X', 20, 2, 'to', dur=5), told('f', 20, 2, 'h', id=3), told('f', 20, 2, 'f', **flow, bp='e'),
             told('X', 30, 1, 'from', dur=5), told('X', 30, 2, 'to', dur=5), told('s', 30, 1, 'g', **flow), told('f', 30, 2, 'g', **flow),
             told('X', 40, 1, 'from', dur=9), told('f', 42, 1, 'h', **end), told('X', 45, 1, 'to', dur=2), told('f', 45, 1, 'h', **end)]
    with folder() as place:
        for order in (lines, lines[::-1]):
            paths = write(place, order, [told('X', ts, 1, 'other', dur=1) for ts in (10, 20, 30)])
            wanted = drawn(cli, *paths)
            out = merge(cli, *paths)
            same(sorted((event['ts'], event['ph'], event['name'], event.get('bp')) for event in events_of(out, 'stf')),
                 [(1, 's', 'f', None), (10, 'f', 'f', 'e'), (20, 'f', 'f', 'e'), (20, 'f', 'h', 'e'), (30, 'f', 'g', 'e'),
                  (30, 's', 'g', None), (42, 'f', 'h', 'x'), (45, 'f', 'h', 'e')], 'ends')
            same(drawn(cli, out), wanted, 'read again')


def bound_elsewhere(events):
    """Returns the slices to which Catapult and Perfetto both bind flow events: starts and ends with "bp":"e" bind to
    the innermost enclosing slice that precedes them in the file, other ends to the first slice that follows them in
    the file and does not start before them."""
    arrows, starts = [], {}
    for place, event in enumerate(events):
        slices = [(at, other) for at, other in enumerate(events) if (other['ph'], other['pid'], other['tid']) == ('X', event['pid'], event['tid'])]
        around = [(other['ts'], at, other['name']) for at, other in slices if at < place and event['ts'] < other['ts'] + other['dur']]
        after = [other['name'] for at, other in slices if at > place]
        bound = max(around)[2] if event['ph'] == 's' or event.get('bp') == 'e' else next(iter(after), None)
        if event['ph'] == 's':
            starts[event['id']] = bound
        elif event['ph'] == 'f':
            arrows.append((starts.get(event['id']), bound))
    return sorted(arrows)


def flow_targets(cli):
    """Catapult and Perfetto draw the same flow arrows as this program: each arrow begins at the innermost slice at the
    time of the flow's start, and ends at the innermost slice that starts at the time of the flow's end, or at the next
    slice."""
    lines = [told('X', 0, 1, 'a', dur=9), told('s', 1, 1, 'f', id=1), told('X', 20, 2, 'outer', dur=9), told('X', 20, 2, 'b', dur=5),
             told('f', 20, 2, 'f', id=1), told('X', 30, 1, 'c', dur=5), told('s', 30, 1, 'f', id=2), told('X', 30, 2, 'd', dur=5),
             told('f', 30, 2, 'f', id=2), told('X', 40, 1, 'e', dur=5), told('s', 40, 1, 'f', id=3), told('f', 41, 2, 'f', id=3),
             told('X', 45, 2, 'g', dur=5), told('X', 60, 2, 'last', dur=5)]
    with folder() as place:
        for order in (lines, lines[::-1]):
            out = merge(cli, *write(place, order))
            same(bound_elsewhere(events_of(out, 'Xsf')), [('a', 'b'), ('c', 'd'), ('e', 'g')], 'arrows')


def ident_of(dice):
    ident = dice.choice([{'id': dice.choice(IDS)}] * 3 + [{'id2': {dice.choice(['local', 'global']): dice.choice(IDS)}}, {}])
    return {**ident, 'scope': dice.choice('xy')} if dice.random() < 0.2 else ident


def any_event(dice, number, phases):
    phase = dice.choice(phases)
    event = {'ph': phase, 'ts': dice.randrange(12), 'pid': dice.choice([1, 2, '1']), 'tid': dice.choice([1, 2]), 'name': dice.choice('abc'),
             'cat': dice.choice(['io', 'net']), 'args': {'n': number}}
    for member in ('name', 'cat', 'tid', 'args'):
        if dice.random() < 0.08:
            del event[member]
    if phase == 'X':
        event['dur'] = dice.randrange(4)
    if phase in 'iIR':
        event['s'] = dice.choice('tpg')
    if phase == 'C':
        event['args'] = {name: dice.randrange(9) for name in dice.sample('xyz', dice.choice([1, 2]))}
    if phase in 'Tp':
        event['args'] = {'n': number, **dice.choice([{}, {'step': 'one'}, {'step': 'two'}])}
    if phase in 'bneSTpFstfNODVv()':
        event.update(ident_of(dice))
    if phase == 'f':
        event.update(dice.choice([{}, {'bp': 'e'}]))
    return event


def by_chance(cli, phases):
    seed = int(os.environ.get('LOOM_SEED', random.randrange(2 ** 32)))
    print(f'# LOOM_SEED={seed}')
    for number in range(400 if 'LOOM_LONG' in os.environ else 12):
        dice = random.Random(seed + number)
        documents = [[any_event(dice, i, phases) for i in range(dice.choice([4, 10, 60]))] for _ in range(dice.choice([1, 2]))]
        with folder() as place:
            paths = write(place, *documents)
            wanted = drawn(cli, *paths)
            if not wanted:  # the file has only end events
                same(cli('merge', '-o', Path(place, 'none.json'), *paths).returncode, FAILED, 'a merge of nothing')
                continue
            out = merge(cli, *paths)
            got = drawn(cli, out)
            same(list((got - wanted).elements()), list((wanted - got).elements()), f'seed {seed + number}, read again')


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for case in (orphan_end, no_id, steps, last_steps, flow_ids, flow_ends, flow_targets, bound_flows):
        tap.case(case.__name__, case, cli)
    for name, phases in PHASES.items():
        tap.case(f'random events: {name}', by_chance, cli, phases)
    tap.done()


if __name__ == '__main__':
    main()
