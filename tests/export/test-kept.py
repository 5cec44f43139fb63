# SPDX-License-Identifier: Apache-2.0
"""Tests that a merged file in the program's own layout keeps the members of events that do not state the time, the
process or the thread."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import ROOT, SAMPLE, Cli, Tap, check, folder, read_strict, same  # noqa: E402

COLORS = ['good', 'terrible', 'cq_build_attempt_runnig', 'no such colour']


def merged(cli, document):
    with folder() as place:
        source, target = Path(place, 'in.json'), Path(place, 'out.json')
        source.write_text(json.dumps(document))
        cli.must('merge', '--quiet', '-o', target, source)
        return read_strict(target)


def events_of(written):
    return [event for event in (written['traceEvents'] if isinstance(written, dict) else written) if event['ph'] != 'M']


# Covers documented rows: chrome-trace-events.md §3 cname
def colors(cli):
    events = [{'ph': 'X', 'pid': 1, 'tid': 1, 'ts': 10 * i, 'dur': 5, 'name': 'one name', 'cname': color} for i, color in enumerate(COLORS)]
    events.append({'ph': 'B', 'pid': 1, 'tid': 1, 'ts': 100, 'name': 'pair', 'cname': 'bad'})
    events.append({'ph': 'E', 'pid': 1, 'tid': 1, 'ts': 101})
    events.append({'ph': 'i', 'pid': 1, 'tid': 1, 'ts': 102, 'name': 'instant', 's': 't', 'cname': 'yellow'})
    found = [event.get('cname') for event in events_of(merged(cli, events)) if event['ph'] != 'E']
    same(found, COLORS + ['bad', 'yellow'], 'cname')


# Covers documented rows: chrome-trace-events.md §2 samples | traceAnnotations
def aside(cli):
    members = {'samples': [{'cpu': 3, 'tid': 1, 'ts': 7, 'name': 'cycles', 'sf': 2, 'weight': 9}],
               'traceAnnotations': [{'ts': 3, 'name': 'note'}, {'name': 'without time'}],
               'traceEvents': [{'ph': 'X', 'pid': 4, 'tid': 1, 'ts': 1, 'dur': 10, 'name': 'work'}]}
    events = {event['name']: event for event in events_of(merged(cli, members))}
    same(sorted(events), ['cycles', 'note', 'work'], 'events')
    sample = events['cycles']
    same([sample[key] for key in ('ph', 'cpu', 'sf', 'weight', 'pid', 'tid')],
         ['P', 3, 2, 9, events['work']['pid'], events['work']['tid']], 'the sample')
    same([events['note'][key] for key in ('ph', 's')], ['i', 'g'], 'the note')


# Covers documented rows: merged-timeline.md §6 read back: nodes of thread labels, counters, missing _
def counters_in_parts(cli):
    """Counters of a merged timeline are identified by name, dimension and node. The smdebug layout keeps them as they
    are; the ranks layout keeps the samples of every dimension."""
    case = ROOT / 'tests/import/cases/merged-6-counters/1932984130000000_1-host_merged_timeline.json'
    told = lambda event: [event['name'], event['ts'], event['args']]  # noqa: E731
    with folder() as place:
        path = [Path(place, name) for name in ('1_a_merged_timeline.json', '2_a_merged_timeline.json', '1.json', '2.json')]
        for layout, source, target in (('smdebug', case, 0), ('smdebug', path[0], 1), ('ranks', case, 2), ('ranks', path[2], 3)):
            cli.must('merge', '--quiet', '--layout', layout, '-o', path[target], source)
        first, second, own, again = [read_strict(file) for file in path]
        same(sorted(map(told, events_of(first)), key=str), sorted(map(told, events_of(read_strict(case))), key=str), 'names and values')
        same(second, first, 'the merge of a merge')
        same(again['traceEvents'], own['traceEvents'], 'the merge of a merge, in the own layout')
        nodes = {process['pid']: process['node'] for process in own['otherData']['traceloom']['processes']}
        gpu = [(nodes[event['pid']], dimension, value) for event in events_of(own) if event.get('traceloom_name', event['name']) == 'gpu0'
               for dimension, value in event['args'].items()]
        same(sorted(gpu), [('algo-1', 'GPUUtilization', 3.5), ('algo-2', 'GPUMemoryUtilization', 1.5), ('algo-2', 'GPUUtilization', 0.5),
                           ('algo-2', 'GPUUtilization', 2.5), ('algo-2', 'GPUUtilization', 10)], 'gpu0')


def check_series(events):
    """Checks counters as Catapult reads them: the first event of a counter defines its series, and series that appear
    later are lost."""
    series = {}
    for event in events:
        if event['ph'] == 'C':
            first = series.setdefault((event['pid'], event['name'], event.get('cat'), event.get('id')), set(event['args']))
            same(set(event['args']), first, f'series of {event["name"]}')


def uneven_counters(cli):
    """A counter whose events have different series is written as several counters, which are read back as one."""
    def told(ts, args, **members):
        return {'ph': 'C', 'pid': 1, 'ts': ts, 'name': 'cpu0', 'args': args, **members}
    uneven = [told(1, {'busy': 1}), told(2, {'wait': 2}), told(3, {'wait': 3, 'busy': 4}), told(4, {'busy': 5, 'wait': 6})]
    even = [told(1, {'a': 1, 'b': 2}, cat='even'), told(2, {'b': 3, 'a': 4}, cat='even')]
    with folder() as place:
        source, first, second = Path(place, 'in.json'), Path(place, 'first.json'), Path(place, 'second.json')
        source.write_text(json.dumps(uneven + even))
        cli.must('merge', '--quiet', '-o', first, source)
        cli.must('merge', '--quiet', '-o', second, first)
        events = events_of(read_strict(first))
        check_series(events)
        same({event['name'] for event in events}, {'cpu0', 'cpu0 busy', 'cpu0 wait', 'cpu0 busy, wait'}, 'names')
        same([event['name'] for event in events if 'cat' in event], ['cpu0', 'cpu0'], 'counters with equal series')
        same(cli.dump(first), cli.dump(source), 'read again')
        same(events_of(read_strict(second)), events, 'merged again')


def sampled_counters(cli):
    """Counters of system metrics have one value per sample. They must be written so that Catapult reads every series,
    and must keep short names such as cpu0 when the merged file is read."""
    with folder() as place:
        target = Path(place, 'out.json')
        cli.must('merge', '--quiet', '-o', target, SAMPLE)
        events = [event for event in events_of(read_strict(target)) if event['ph'] == 'C']
        check(len(events) > 1000, f'{len(events)} counter events')
        check_series(events)
        names = {event['name'] for event in cli.dump(target) if event['ph'] == 'C'}
        check('cpu0' in names and not any('CPUUtilization' in name for name in names), f'{sorted(names)[:9]}')


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    tap.case('members samples and traceAnnotations', aside, cli)
    tap.case('colors of events (cname)', colors, cli)
    tap.case('counters of a merged timeline', counters_in_parts, cli)
    tap.case('counters of different series', uneven_counters, cli)
    if SAMPLE.exists():
        tap.case('counters of system metrics', sampled_counters, cli)
    tap.done()


if __name__ == '__main__':
    main()
