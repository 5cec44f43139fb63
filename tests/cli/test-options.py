# SPDX-License-Identifier: Apache-2.0
"""Tests the options shared by all verbs, dump and its variants, session files, and the structure of the info document."""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, FAILED, INCOMPLETE, SAMPLE, USAGE, Cli, Tap, check, folder, read_strict, same  # noqa: E402

BASE = 1700000000000000


def trace(rank, spans, **envelope):
    return json.dumps({'traceEvents': [
        {'name': name, 'cat': 'cpu_op', 'ph': 'X', 'ts': BASE + ts, 'dur': dur, 'pid': 10 + rank, 'tid': 1, 'args': {'External id': ts}}
        for name, ts, dur in spans], 'schemaVersion': 1, **envelope})


def two_ranks(place):
    for rank in (0, 1):
        (Path(place) / f'rank{rank}.pt.trace.json').write_text(
            trace(rank, [('ProfilerStep#3', 0, 100), ('op', 10 + rank, 5), ('ProfilerStep#4', 100, 100), ('late', 150, 5)],
                  distributedInfo={'rank': rank, 'world_size': 2}))
    return Path(place)


def info_shape(cli, place):
    document = cli.info(two_ranks(place))
    same(list(document), ['sources', 'tracks', 'ignored', 'events', 'spans', 'derived_spans', 'start_ns', 'end_ns'], 'members')
    source = document['sources'][0]
    same(list(source), ['path', 'format', 'node', 'rank', 'bytes', 'events', 'left_out', 'spans', 'instants', 'counters', 'flows',
                        'start_ns', 'end_ns', 'clock', 'problems'], 'members of a source')
    same(list(source['clock']), ['state', 'basis', 'reference_ns', 'offset_ns', 'user_offset_ns', 'drift_ppb', 'offset_error_ns', 'drift_error_ppb', 'residual_ns'], 'members of a clock')
    same((source['format'], source['rank'], source['events'], source['clock']['state']), ('kineto', 0, 4, 'exact'), 'values')
    same((source['start_ns'], source['end_ns']), (BASE * 1000, (BASE + 200) * 1000), 'times')
    track = document['tracks'][0]
    check(set(track) >= {'process', 'thread', 'kind', 'node', 'rank', 'events', 'depth'}, track)
    same((track['kind'], track['events'], track['depth'], track['rank']), ('spans', 4, 2, 0), 'track')
    text = cli.must('info', '--format', 'text', place).stdout
    check('2 sources, 8 events' in text and 'rank 1' in text, text)


def widest_span(cli, place):
    """A run over the whole range of int64 has the maximum duration in all outputs."""
    path, report = Path(place) / 'wide.json', Path(place) / 'report.html'
    path.write_text(json.dumps([{'name': name, 'ph': 'X', 'ts': ts, 'dur': 1, 'pid': 1, 'tid': 1}
                                for name, ts in (('first', -9223372036854775), ('last', 9223372036854774))]))
    text = cli.must('info', '--quiet', '--format', 'text', path).stdout
    same(text.count('106752 d'), 2, f'lengths of the run and of its source: {text}')
    cli.must('report', '--quiet', '-o', report, path)
    check('106752 d' in report.read_text(), 'length in the report')


def process_ids(cli, place):
    """A process id in the name of an smdebug file is not mistaken for a rank, also not after merging and reading back."""
    folder_of, merged, page = Path(place) / 'framework' / 'pevents' / '2024010100', Path(place) / 'merged.json', Path(place) / 'report.html'
    folder_of.mkdir(parents=True)
    for number in (3, 901):
        (folder_of / f'1704067210000000_{number}-algo-1_pythontimeline.json').write_text(json.dumps([
            {'name': 'process_name', 'ph': 'M', 'pid': 0, 'args': {'name': 'Step:ModeKeys.TRAIN', 'start_time_since_epoch_in_micros': BASE}},
            {'name': 'Step:ModeKeys.TRAIN', 'ph': 'X', 'pid': 0, 'ts': 100, 'dur': 500, 'args': {'step_num': '1'}}]))
    run = Path(place) / 'framework'
    workers = [(3, None), (None, 901)]
    told = lambda items: [(item['rank'], item.get('process_id')) for item in items]  # noqa: E731
    cli.must('merge', '--quiet', run, '-o', merged)
    known = json.loads(merged.read_text())
    same(told(known['otherData']['traceloom']['clocks']), workers, 'sources of the merged file')
    same(told(known['otherData']['traceloom']['processes']), workers, 'processes of the merged file')
    names = [event['args']['name'].split(' · ')[0] for event in known['traceEvents'] if event['name'] == 'process_name']
    same(names, ['rank 3', 'process 901'], 'names of processes')
    same(told(cli.info(run)['sources']), workers, 'sources')
    for path in (run, merged):
        same(told(cli.info(path)['tracks']), workers, f'tracks of {path.name}')
        same(sorted(told(cli.dump(path)), key=str), sorted(workers, key=str), f'lines of {path.name}')
        text = cli.must('info', '--quiet', '--format', 'text', path).stdout
        check('process 901' in text and 'rank 901' not in text and 'rank 3' in text, text)
    text = cli.must('align', '--quiet', '--format', 'text', run).stdout
    check('process  901' in text and 'rank     3' in text, text)
    cli.must('report', '--quiet', '-o', page, run)
    check('>901<' not in page.read_text(), 'the report has a rank')


def dump_lines(cli, place):
    lines = cli.dump(two_ranks(place))
    same([(line['name'], line['rank'], line['depth'], line['ts_ns'] - BASE * 1000) for line in lines][:4],
         [('ProfilerStep#3', 0, 0, 0), ('ProfilerStep#3', 1, 0, 0), ('op', 0, 1, 10000), ('op', 1, 1, 11000)], 'order')
    same(list(lines[0]), ['ts_ns', 'dur_ns', 'ph', 'name', 'cat', 'process', 'thread', 'rank', 'node', 'depth', 'args'], 'members')
    check('args' not in cli.dump('--no-args', place)[0], 'args with --no-args')


def nodes(cli, place):
    """cpu0 of two nodes are distinguished in both output formats; the node is null if unknown."""
    for node in ('algo-1', 'algo-2'):
        folder = Path(place) / 'system' / 'incremental' / '2023111422'
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f'1700000000.{node}.json').write_text(json.dumps(
            {'Type': 'cpu', 'Name': 'cpu0', 'Dimension': 'CPUUtilization', 'Value': 5, 'NodeId': node, 'Timestamp': 1700000000}) + '\n')
    for raw in ([], ['--raw']):
        lines = cli.dump(*raw, Path(place) / 'system')
        same(sorted(line['node'] for line in lines), ['algo-1', 'algo-2'], f'nodes {raw}')
    alone = Path(place) / 'alone.json'
    alone.write_text('[{"name":"x","ph":"X","ts":1,"dur":1,"pid":1,"tid":1}]')
    for raw in ([], ['--raw']):
        same([line['node'] for line in cli.dump(*raw, alone)], [None], f'no node {raw}')


def dump_raw(cli, place):
    path = Path(place) / 'pairs.json'
    path.write_text('[{"name":"p","ph":"B","ts":5,"pid":1,"tid":1,"args":{"a":1.50}},{"ph":"E","ts":9,"pid":1,"tid":1},'
                    '{"name":"n","ph":"M","pid":1,"args":{}}]')
    raw = cli.must('dump', '--quiet', '--raw', path).stdout
    same([json.loads(line)['ph'] for line in raw.splitlines()], ['B', 'E', 'M'], 'raw phases')
    check('"args":{"a":1.50}' in raw, raw)
    drawn = cli.dump(path)
    same([(line['ph'], line['dur_ns']) for line in drawn], [('X', 4000)], 'drawn events')


def ranges(cli, place):
    two_ranks(place)
    names = lambda *args: [line['name'] for line in cli.dump(*args, place)]  # noqa: E731
    same(names('--start', BASE + 120, '--end', BASE + 149), ['ProfilerStep#4', 'ProfilerStep#4'], 'time')
    same(names('--start-ns', (BASE + 16) * 1000, '--end-ns', (BASE + 99) * 1000), ['ProfilerStep#3'] * 2 + ['op'], 'ns')
    same(names('--end', BASE + 10), ['ProfilerStep#3'] * 2 + ['op'], 'open start')


def said(result, status, *words):
    same(result.returncode, status, result.stderr)
    check(all(word in result.stderr for word in words), result.stderr)
    return result


def ranges_that_miss(cli, place):
    two_ranks(place)
    picture = Path(place) / 'a.png'
    whole = (f'The run goes from --start {BASE} to --end {BASE + 200}\n',)
    for args in (('--start', BASE + 5000, '--end', BASE + 6000), ('--end', BASE - 5000), ('--start', BASE + 5000)):
        said(cli('render', '-o', picture, *args, place), FAILED, *whole)
        check(not picture.exists(), 'render left a picture')
        same(said(cli('dump', *args, place), DONE, 'No event overlaps the range', *whole).stdout, '', 'lines')
        document = json.loads(said(cli('info', '--format', 'json', *args, place), DONE, *whole).stdout)
        same([document['range'][key] for key in ('spans', 'instants', 'counters', 'flows')], [0] * 4, 'in the range')
        said(cli('merge', '-o', Path(place) / 'merged.json', *args, place), FAILED, *whole)
    said(cli('dump', '--start-ns', (BASE + 900) * 1000, place), DONE, f'The run goes from --start-ns {BASE}000 to --end-ns {BASE + 200}000\n')
    same(cli('dump', '--quiet', '--start', BASE + 5000, place).stderr, '', 'quiet')
    said(cli('dump', '--raw', '--start', BASE + 5000, place), DONE, 'range was not used')


def ranges_that_hit(cli, place):
    two_ranks(place)
    result = said(cli('info', '--format', 'json', '--end', BASE + 10, place), DONE)
    same(json.loads(result.stdout)['range'], {'start_ns': BASE * 1000, 'end_ns': (BASE + 10) * 1000, 'spans': 3, 'instants': 0,
                                              'counters': 0, 'flows': 0}, 'range')
    check('range' not in cli.info(place), 'the document has a range, although none was given')
    check('3 spans' in cli.must('info', '--format', 'text', '--end', BASE + 10, place).stdout, 'the text lacks the range')
    # Time beyond the run is not drawn: both pictures show the same 100 µs.
    pictures = [Path(place) / name for name in ('a.png', 'b.png')]
    for picture, end in zip(pictures, (BASE + 200, BASE + 5000)):
        said(cli('render', '-o', picture, '--start', BASE + 100, '--end', end, place), DONE)
    check(pictures[0].read_bytes() == pictures[1].read_bytes(), 'a range that ends after the run is wrong')
    said(cli('render', '-o', pictures[1], '--unit', 'step', '--start', 4, '--end', 5, place), DONE)
    whole = Path(place) / 'whole.png'
    said(cli('render', '-o', whole, place), DONE)
    check(len({picture.read_bytes() for picture in (whole, *pictures)}) > 1, 'the range of steps is wrong')
    help_text = cli.must('render', '--help').stdout
    check('--start=' in help_text and '--unit=' in help_text, help_text)


def problems_have_texts(cli, place):
    cut = Path(place) / 'cut.json'
    cut.write_text('[{"name":"a","ph":"X","ts":1,"dur":1,"pid":1,"tid":1},\n{"name":"b\x1b')
    problems = {problem['code']: problem for problem in cli.info(cut)['sources'][0]['problems']}
    same((problems['truncated']['offset'], problems['truncated']['text']), (55, '{"name":"b\\x1b'), 'text at the offset')


def pictures_that_cut(cli, place):
    (Path(place) / 'many.json').write_text(json.dumps(
        [{'name': 'a', 'ph': 'X', 'ts': 1, 'dur': 1, 'pid': 1, 'tid': tid} for tid in range(40)]))
    picture = Path(place) / 'a.png'
    stderr = said(cli('render', '-o', picture, '--size', '640x300', place), DONE, 'below the end', '--size 640x').stderr
    size = stderr.split('--size ')[1].split()[0]
    same(said(cli('render', '-o', picture, '--size', size, place), DONE).stderr,
         'traceloom-cli: 1 file is not on the timeline; “traceloom-cli info” says why\n', 'height that shows all rows')
    width, height = map(int, size.split('x'))
    said(cli('render', '-o', picture, '--size', f'{width}x{height - 1}', place), DONE, '1 of ')
    same(cli('render', '--quiet', '-o', picture, '--size', '640x300', place).stderr, '', 'quiet')


def drawn_critical_path(cli, place):
    """With --critical-path all spans off the critical path are dimmed. If a run has no critical path, a message says why and the
    picture is the same as without the option."""
    def event(category, name, ts, dur, tid, **args):
        return {'ph': 'X', 'cat': category, 'name': name, 'ts': BASE + ts, 'dur': dur, 'pid': 1 if category == 'kernel' else 10,
                'tid': tid, 'args': args}
    work = [event('cpu_op', 'aten::mm', 0, 20, 1), event('cuda_runtime', 'cudaLaunchKernel', 5, 5, 1, correlation=7),
            event('kernel', 'gemm', 30, 60, 7, correlation=7, device=0, stream=7)]
    flow = {'cat': 'ac2g', 'name': 'ac2g', 'id': 7}
    arrows = [{**flow, 'ph': 's', 'ts': BASE + 5, 'pid': 10, 'tid': 1}, {**flow, 'ph': 'f', 'bp': 'e', 'ts': BASE + 30, 'pid': 1, 'tid': 7}]
    run = Path(place) / 'run.pt.trace.json'
    pictures = [Path(place) / 'with.png', Path(place) / 'without.png']
    for events, differ in ((work + arrows, True), (work[:2], False)):
        run.write_text(json.dumps({'traceEvents': events, 'schemaVersion': 1}))
        words = () if differ else ('without the critical path', 'no GPU kernels')
        said(cli('render', '--critical-path', '--size', '640x300', '-o', pictures[0], run), DONE, *words)
        cli.must('render', '--quiet', '--size', '640x300', '-o', pictures[1], run)
        same(pictures[0].read_bytes() != pictures[1].read_bytes(), differ, 'pictures that differ')
        session = Path(place) / 'run.loom-session'
        session.write_text(json.dumps({'traceloom-session': 1, 'sources': [{'path': run.name}], 'critical_path': True}))
        said(cli('render', '--size', '640x300', '-o', pictures[1], session), DONE, *words)
        same(pictures[0].read_bytes(), pictures[1].read_bytes(), 'picture of a session')


def drawn_lane(cli, place):
    """--lane shows the rows of a named query as a lane above the timeline. An unknown name is a usage error; a query whose rows
    cannot be shown as a lane is skipped."""
    pictures = [Path(place) / f'{name}.png' for name in ('without', 'with', 'two', 'none')]
    size = ('--size', '800x600', '--quiet')
    cli.must('render', *size, '-o', pictures[0], SAMPLE)
    cli.must('render', *size, '--lane', 'launch-queue', '-o', pictures[1], SAMPLE)
    cli.must('render', *size, '--lane', 'launch-queue', '--lane', 'idle-gaps', '-o', pictures[2], SAMPLE)
    same(len({picture.read_bytes() for picture in pictures[:3]}), 3, 'different pictures')
    # In a low picture, the lanes of ranks have their least height, so that the further lane does not make them lower.
    heights = [json.loads(cli.must('render', '--size', '800x200', '--format', 'json', '-o', pictures[3], *lane, SAMPLE).stdout)['height_of_all']
               for lane in ((), ('--lane', 'launch-queue'))]
    # The additional lane has one row of 24 pixels for each of four devices.
    same(heights[1] - heights[0], 96, 'height of the lane')
    said(cli('render', *size, '--lane', 'nothing', '-o', pictures[3], SAMPLE), USAGE, 'nothing', 'query --list')
    run = Path(place) / 'run.json'
    run.write_text(json.dumps([{'ph': 'X', 'pid': 1, 'tid': 1, 'ts': 1, 'dur': 5, 'name': 'op'}]))
    said(cli('render', '--size', '800x600', '--lane', 'launch-queue', '-o', pictures[3], run), DONE, 'launch-queue', 'no rows')
    cli.must('render', *size, '-o', pictures[0], run)
    same(pictures[3].read_bytes(), pictures[0].read_bytes(), 'picture without a lane')


def steps(cli, place):
    two_ranks(place)
    result = cli('dump', '--quiet', '--unit', 'step', '--start', 3, '--end', 4, place)
    same(result.returncode, DONE, result.stderr)
    names = {json.loads(line)['name'] for line in result.stdout.splitlines()}
    same(names, {'ProfilerStep#3', 'op'}, 'names')
    result = cli('dump', '--unit', 'step', '--start', 30, '--end', 40, place)
    same(result.returncode, 1, result.stderr)
    check('3' in result.stderr and '30' in result.stderr, result.stderr)


def suffixes(cli, place):
    two_ranks(place)
    (Path(place) / 'other.json').write_text(trace(2, [('x', 0, 1)]))
    same(len(cli.info(place)['sources']), 3, 'all files')
    same(len(cli.info('--suffix', '.pt.trace.json', place)['sources']), 2, 'one suffix')
    same(len(cli.info('--suffix', 'rank0.pt.trace.json', '--suffix', 'other.json', place)['sources']), 2, 'two suffixes')


def offsets(cli, place):
    two_ranks(place)
    second = Path(place) / 'rank1.pt.trace.json'
    for name in ('1', second):
        sources = cli.info('--offset', f'{name}=-2500', place)['sources']
        same([source['clock']['offset_ns'] for source in sources], [0, -2500], f'offset by {name}')
        same(sources[1]['start_ns'], BASE * 1000 - 2500, 'start')


def ranks(cli, place):
    for name in ('a7', 'b9'):
        (Path(place) / f'{name}.json').write_text(trace(0, [('x', 0, 1)]))
    got = cli.info('--rank-from', r'[ab]([0-9])\.json$', place)['sources']
    same([source['rank'] for source in got], [7, 9], 'ranks')


def sessions(cli, place):
    traces = Path(place) / 'traces'
    traces.mkdir()
    two_ranks(traces)
    session = Path(place) / 'mine.traceloom'
    session.write_text(json.dumps({'traceloom-session': 1, 'sources': [{'path': 'traces'}],
                                   'offsets': [{'path': 'traces/rank1.pt.trace.json', 'offset_ns': 777}]}))
    document = cli.info(session)
    same([source['clock']['offset_ns'] for source in document['sources']], [0, 777], 'offsets')
    later = Path(place) / 'later.traceloom'
    later.write_text('{"traceloom-session": 99, "sources": []}')
    result = cli('info', later)
    same(result.returncode, 1, 'exit status')
    check(str(later) in result.stderr and '99' in result.stderr, result.stderr)
    deep = Path(place) / 'deep.traceloom'
    deep.write_text('{"traceloom-session": 1, "x": ' + '[' * 100000 + ']' * 100000 + '}')
    result = cli('info', deep)
    same(result.returncode, 1, result.stderr)


def rows_as_left(cli, place):
    """A picture of a session shows counters as the session saved them; without such edits it equals the picture of the
    files."""
    counters = [{'name': 'memory', 'ph': 'C', 'ts': BASE + 100 * i, 'pid': 1, 'tid': 1, 'args': {'bytes': i % 3}} for i in range(10)]
    traces = Path(place) / 'memory.json'
    traces.write_text(json.dumps({'traceEvents': counters}))

    def picture(source, name):
        drawn = Path(place) / name
        cli.must('render', '--quiet', '-o', drawn, '--size', '640x300', source)
        return drawn.read_bytes()

    def session(name, **rows):
        written = Path(place) / name
        written.write_text(json.dumps({'traceloom-session': 1, 'sources': [{'path': 'memory.json'}], **rows}))
        return written

    row = '\\u001f'.join(('job', 'chrome', '1', '1', 'plot', 'memory', ''))
    plain = picture(traces, 'plain.png')
    check(picture(session('untouched.traceloom'), 'untouched.png') == plain, 'rows that the session did not change differ')
    rates = picture(session('rates.traceloom', rows="{'%s': {'quantity': <'rate'>}}" % row), 'rates.png')
    check(rates != plain, 'rates are not drawn')
    check(picture(session('logarithmic.traceloom', rows="{'%s': {'logarithmic': <true>}}" % row), 'log.png') not in (plain, rates), 'the logarithmic scale is not drawn')


def places_by_hand(cli, place):
    """Ranks and nodes set by a session, by pattern or by hand, appear in every verb and in every layout of the merged
    file.
    Covers documented rows: ../README.md §sources changes of sources apply to the command line and to merged files
    """
    traces = Path(place) / 'traces'
    traces.mkdir()
    two_ranks(traces)
    session, merged = Path(place) / 'mine.traceloom', Path(place) / 'merged.json'
    session.write_text(json.dumps({'traceloom-session': 1, 'sources': [{'path': 'traces'}], 'place-pattern': '(?<node>rank)(?<rank>\\d)',
                                   'source-edits': [{'path': 'traces/rank1.pt.trace.json', 'rank': 7, 'node': 'box'}]}))
    wanted = [('rank', 0), ('box', 7)]
    same([(source['node'], source['rank']) for source in cli.info(session)['sources']], wanted, 'info')
    same(sorted({(line['node'], line['rank']) for line in cli.dump('--no-args', session)}), [('box', 7), ('rank', 0)], 'dump')
    cli.must('merge', '--quiet', '-o', merged, session)
    notes = json.loads(merged.read_text())['otherData']['traceloom']
    for part in ('clocks', 'processes'):
        same([(entry['node'], entry['rank']) for entry in notes[part]], wanted, part)
    same(sorted(event['args']['labels'] for event in json.loads(merged.read_text())['traceEvents'] if event['name'] == 'process_labels'),
         ['node box', 'node rank'], 'labels')
    same(sorted(event['args']['name'][:9] for event in json.loads(merged.read_text())['traceEvents'] if event['name'] == 'process_name'),
         ['rank 0 · ', 'rank 7 · '], 'names')
    again = Path(place) / 'again.json'
    cli.must('merge', '--quiet', '-o', again, merged)
    same(json.loads(again.read_text())['traceEvents'], json.loads(merged.read_text())['traceEvents'], 'merged again')
    same(sorted({line['rank'] for line in cli.dump('--no-args', merged)}), [0, 7], 'read back')
    cli.must('merge', '--quiet', '--layout', 'smdebug', '-o', merged, session)
    threads = [event['args']['name'] for event in json.loads(merged.read_text()) if event['name'] == 'thread_name']
    check(threads and {thread.rpartition('_')[0] for thread in threads} == {'rank-0', 'box-7'}, f'smdebug: {threads}')
    cli.must('merge', '--quiet', '--layout', 'composer', '-o', merged, session)
    same(sorted({event['pid'] for event in json.loads(merged.read_text()) if event['ph'] == 'X'}), [0, 7], 'composer')


def names_by_hand(cli, place):
    """The name that a session gives to a source becomes the name of the source's process in the merged file, and is
    kept when the merged file is opened."""
    traces = Path(place) / 'traces'
    traces.mkdir()
    two_ranks(traces)
    (traces / 'both.json').write_text(json.dumps([
        *({'name': 'process_name', 'ph': 'M', 'pid': pid, 'args': {'name': name}} for pid, name in ((5, 'host'), (6, ''), (7, 'rank 7'))),
        *({'name': 'x', 'ph': 'X', 'pid': pid, 'tid': 1, 'ts': 0, 'dur': 1} for pid in (5, 6, 7))]))
    session, merged = Path(place) / 'mine.traceloom', Path(place) / 'merged.json'
    session.write_text(json.dumps({'traceloom-session': 1, 'sources': [{'path': 'traces'}], 'source-edits': [
        {'path': 'traces/rank1.pt.trace.json', 'name': 'the “slow” one'}, {'path': 'traces/both.json', 'name': 'driver'}]}))
    cli.must('merge', '--quiet', '-o', merged, session)
    document = read_strict(merged)
    shown = sorted(event['args']['name'] for event in document['traceEvents'] if event['name'] == 'process_name')
    same(shown, ['driver · 6', 'driver · host', 'driver · rank 7', 'rank 0 · 10', 'rank 1 · the “slow” one'], 'labels')
    names = sorted(process['name'] for process in document['otherData']['traceloom']['processes'])
    same(names, ['10', 'driver · 6', 'driver · host', 'driver · rank 7', 'the “slow” one'], 'the head')
    same(sorted({line['process'] for line in cli.dump('--no-args', merged)}), names, 'read back')
    same(sorted({line.get('source', '') for line in cli.dump('--no-args', session)}), ['', 'driver', 'the “slow” one'], 'dump')
    check(not any('source' in line for line in cli.dump('--no-args', traces)), 'a source has a name that was not given')
    pictures = []
    for source in (traces, session):
        pictures.append(Path(place) / f'{len(pictures)}.svg')
        cli.must('render', '--quiet', '-o', pictures[-1], source)
    check(pictures[0].read_bytes() != pictures[1].read_bytes(), 'the picture has the old names')


def drawn_bottlenecks(cli, place):
    """The picture has a shaded area behind all rows for each bottleneck of the report, and none for a run without metrics."""
    picture = Path(place) / 'run.svg'
    instants = json.loads(cli.must('report', '--quiet', '--format', 'json', SAMPLE).stdout)['bottlenecks']['instants']
    check(len(instants) > 1, 'the sample has bottlenecks')
    for source, n_lines in ((SAMPLE, len({instant['time_ns'] for instant in instants})), (SAMPLE / 'llama-8b/composer', 0)):
        cli.must('render', '--quiet', '-o', picture, '--size', '1600x900', source)
        rows = {}
        for x, y in re.findall(r'fill-opacity:0\.349\d*;" d="M (\d+) (\d+) ', picture.read_text()):
            rows.setdefault(x, set()).add(y)
        same(len(rows), n_lines, f'{source}: tints')
        check(all(len(own) > 10 and own == next(iter(rows.values())) for own in rows.values()), f'{source}: tints of all rows: {rows}')


def to_standard_output(cli, place):
    result = cli.must('merge', '--quiet', '-o', '-', two_ranks(place))
    out = Path(place) / 'out.json'
    out.write_text(result.stdout)
    same(len([event for event in read_strict(out)['traceEvents'] if event['ph'] == 'X']), 8, 'events')


def over_an_input(cli, place):
    """An input is never overwritten, whatever path it is given by."""
    path, link, session = Path(place) / 'own.json', Path(place) / 'link.json', Path(place) / 'mine.traceloom'
    path.write_text(trace(0, [('x', 0, 1)]))
    link.symlink_to(path)
    session.write_text(json.dumps({'traceloom-session': 1, 'sources': [{'path': 'own.json'}]}))
    (Path(place) / 'twin.json').hardlink_to(path)
    before = {name.name: name.read_text() for name in Path(place).iterdir()}
    for target, source in ((path, path), (link, path), (path, link), (Path(place) / 'twin.json', path), (path, session),
                           (session, session)):
        for layout in ('ranks', 'smdebug', 'composer'):
            result = cli('merge', '--layout', layout, '-o', target, source)
            same(result.returncode, FAILED, f'{source} -> {target}: {result.stderr}')
            check(target.name in result.stderr and 'another file' in result.stderr, result.stderr)
    same({name.name: name.read_text() for name in Path(place).iterdir()}, before, 'files')
    cli.must('merge', '--quiet', '-o', place, path)
    result = cli('merge', '-o', place, place)  # the default name of the output is an input now
    check(result.returncode == FAILED and 'merged-timeline.json' in result.stderr, result.stderr)


def over_any_input(cli, place):
    """No verb overwrites its inputs: traces, archives, sessions, rules, parameters, configurations."""
    place = Path(place)
    run = place / 'run'
    (run / 'profiler-reports').mkdir(parents=True)
    files = {'trace.json': trace(0, [('x', 0, 1)]), 'bad.trace.json': '{"traceEvents": 7', 'no-trace.txt': 'notes',
             'profiler-reports/LowGPUUtilization.json': '{"RuleTriggered": 1, "Violations": 2, "Datapoints": 3}',
             'config.json': '{"ProfilingIntervalInMilliseconds": 500}'}
    for name, text in files.items():
        (run / name).write_text(text)
    (place / 'mine.traceloom').write_text(json.dumps({'traceloom-session': 1, 'sources': [{'path': 'run'}], 'rules': [{'path': 'team.json'}]}))
    (place / 'team.json').write_text(json.dumps({'traceloom-rules': 1, 'rules': [
        {'name': 'Mine', 'where': {'name': 'x'}, 'window': 'all', 'statistic': 'count', 'above': 9, 'sentence': 'many'}]}))
    (place / 'rules.json').write_text('{"SlowStart": {"factor": 3}}')
    with zipfile.ZipFile(place / 'packed.zip', 'w') as archive:
        archive.write(run / 'trace.json', 'trace.json')
    (place / 'link.svg').symlink_to(run / 'trace.json')
    (place / 'twin.html').hardlink_to(run / 'trace.json')
    before = {path: path.read_bytes() for path in place.rglob('*') if path.is_file()}
    targets = [(run / 'trace.json', run / 'trace.json'), (run / 'trace.json', run), (place / 'run/../run/trace.json', run),
               (place / 'twin.html', run), (run / 'bad.trace.json', run),
               (run / 'profiler-reports/LowGPUUtilization.json', run), (place / 'mine.traceloom', place / 'mine.traceloom'),
               (place / 'packed.zip', place / 'packed.zip'), (run / 'trace.json', place / 'mine.traceloom'),
               (place / 'team.json', place / 'mine.traceloom')]
    for target, source in targets:
        for verb in (['merge'], ['report', '--format', 'json']):
            result = cli(*verb, '-o', target, source)
            same(result.returncode, FAILED, f'{verb} {source} -> {target}: {result.stderr}')
            check(target.name in result.stderr and 'another file' in result.stderr, result.stderr)
    (place / 'twin.svg').hardlink_to(run / 'trace.json')
    for target in ('link.svg', 'twin.svg'):
        said(cli('render', '-o', place / target, run), FAILED, target, 'another file')
    said(cli('config', 'write', '--kind', 'request', '--from', run / 'config.json', '-o', run / 'config.json', '--start-step', 1, '--num-steps', 2),
         FAILED, 'another file')
    for verb, held in ((['dump'], run / 'trace.json'), (['rules', '--parameters', place / 'rules.json'], place / 'rules.json'),
                       (['rules', '--rules', place / 'team.json'], place / 'team.json')):
        with open(held, 'ab') as appended:  # like “>>” in a shell
            result = subprocess.run([cli.program, *map(str, verb), run], stdout=appended, stderr=subprocess.PIPE, text=True)
        check(result.returncode == FAILED and 'another file' in result.stderr, f'{verb}: {result.stderr}')
    (place / 'twin.svg').unlink()
    same({path: path.read_bytes() for path in place.rglob('*') if path.is_file()}, before, 'files')
    for again in range(2):  # the second time overwrites the first report, which is allowed, because a report is not an input
        cli.must('report', '--quiet', '-o', run / 'report.json', run)


def redirected_among_traces(cli, place):
    """An output file that the shell created is empty when the folder is searched, and is not treated as an input."""
    two_ranks(place)
    with open(Path(place) / 'rank7.trace.json', 'wb') as out:
        result = subprocess.run([cli.program, 'dump', '--quiet', str(place)], stdout=out, stderr=subprocess.PIPE, text=True)
    check(result.returncode in (DONE, INCOMPLETE), result.stderr)
    same(len((Path(place) / 'rank7.trace.json').read_text().splitlines()), 8, 'lines')


def report_among_traces(cli, place):
    """A report stored in the folder of its traces is not reported as an unreadable trace when the folder is opened again."""
    two_ranks(place)
    cli.must('report', '-o', Path(place) / 'report.json', place, allowed=(DONE,))
    cli.must('dump', place, allowed=(DONE,))
    same([entry['reason'] for entry in cli.info(place)['ignored']], ['a report of Traceloom, not a trace'], 'ignored')


def odd_outputs(cli, place):
    """“-” means standard output; an empty name is an error."""
    two_ranks(place)
    check(json.loads(cli.must('report', '-o', '-', place).stdout)['about'], 'there is no report on standard output')
    for args in (['merge', '-o', ''], ['report', '-o', ''], ['render', '-o', ''], ['config', 'write', '--kind', 'request', '-o', '']):
        same(cli(*args, *([] if args[0] == 'config' else [place])).returncode, USAGE, f'{args}')
    check('“sow”' in cli('config', 'sow', 'x.json').stderr, 'the invalid word is not quoted')


def suggestions(cli, place):
    """A misspelled verb, option or query is refused with the nearest known one, if one is near."""
    for args, wanted in ((['reprot', place], 'Did you mean “report”?'), (['help', 'comprae'], 'Did you mean “compare”?'),
                         (['report', '--fromat', 'text', place], 'Did you mean “--format”?'),
                         (['report', '--rank-from', '--foo', '--outptu', 'x', place], 'Did you mean “--output”?'),
                         (['compare', '--strat=3', place, place], 'Did you mean “--start”?'),
                         (['query', '--named', 'latte-ranks', place], 'Did you mean “late-ranks”?')):
        result = cli(*args)
        same(result.returncode, USAGE, f'{args}')
        check(wanted in result.stderr, result.stderr)
    for args in (['open', place], ['report', '--xyzzy', place], ['report', '--format', 'fromat', place], ['query', '--named', 'xyzzy', place]):
        result = cli(*args)
        same(result.returncode, USAGE, f'{args}')
        check('Did you mean' not in result.stderr, result.stderr)


def kept_targets(cli, place):
    """Every output keeps a link and the permissions of the file that it replaces. It never replaces a pipe."""
    place, run = Path(place), two_ranks(place)
    for verb, name in ((['merge'], 'm.json'), (['merge', '--layout', 'sqlite'], 'm.sqlite'), (['report'], 'r.html'),
                       (['render', '--size', '300x100'], 'p.png'), (['render', '--size', '300x100'], 'p.svg')):
        real, link, pipe = place / f'real-{name}', place / f'link-{name}', place / f'pipe-{name}'
        real.touch(0o600)
        link.symlink_to(real.name)
        dangling, absent = place / f'dangling-{name}', place / f'absent-{name}'
        dangling.symlink_to(absent.name)
        cli.must(*verb, '--quiet', '-o', dangling, run)
        check(dangling.is_symlink() and absent.stat().st_size > 100, f'{name} replaced the link to a file that does not exist')
        os.mkfifo(pipe)
        cli.must(*verb, '--quiet', '-o', link, run)
        check(link.is_symlink() and real.stat().st_size > 100, f'{name} replaced the link')
        same(real.stat().st_mode & 0o777, 0o600, f'permissions of {name}')
        reader = subprocess.Popen(['cat', pipe], stdout=subprocess.DEVNULL)
        result = cli(*verb, '--quiet', '-o', pipe, run)
        check(pipe.is_fifo(), f'{name} replaced the pipe')
        same(result.returncode, FAILED if name == 'm.sqlite' else DONE, f'{name}: {result.stderr}')
        reader.kill()
        reader.wait()


def left_out(cli, place):
    """Events of the selection that a layout cannot represent are counted and named."""
    path, out = Path(place) / 'mixed.json', Path(place) / 'out.json'
    common = {'cat': 'c', 'pid': 1, 'tid': 1}
    events = [{'name': 'x', 'ph': 'X', 'ts': 1, 'dur': 20, **common}, {'name': 'f', 'ph': 's', 'id': 1, 'ts': 2, **common},
              {'name': 'f', 'ph': 'f', 'id': 1, 'ts': 9, **common}, {'name': 'a', 'ph': 'b', 'id': 2, 'ts': 3, **common},
              {'name': 'a', 'ph': 'e', 'id': 2, 'ts': 8, **common}, {'ph': 'X', 'ts': 4, 'dur': 1, **common},
              {'name': 'p', 'ph': 'i', 'ts': 5, 'pid': 1, 'tid': 'PyTorch Profiler (0)'}, {'name': 'm', 'ph': 'M', 'pid': 1},
              {'name': 'y', 'ph': 'X', 'ts': 15, 'dur': 1, 'bind_id': '0x1', 'flow_out': True, **common}]
    path.write_text(json.dumps(events))
    for args, wanted in ((['smdebug'], '3 of the selected events cannot be stored in the layout “smdebug”: 2 flow events, 1 async span;'),
                         (['smdebug', '--end', '5'], ': 1 flow event, 1 async span;'),
                         (['composer'], ': 1 event without pid, tid or name, 1 event on the profiler’s own thread;')):
        check(wanted in cli.must('merge', '--layout', *args, '-o', out, path).stderr, cli('merge', '--layout', *args, '-o', out, path).stderr)
    for args in (['ranks'], ['smdebug', '--start', '12'], ['smdebug', '--quiet']):
        stderr = cli.must('merge', '--layout', *args, '-o', out, path).stderr
        check('cannot be stored' not in stderr, stderr)
    path.write_text(json.dumps(events[1:5]))
    result = cli('merge', '--quiet', '--layout', 'smdebug', '-o', out, path)
    same(result.returncode, FAILED, result.stderr)
    check('2 flow events, 1 async span; nothing was written' in result.stderr, result.stderr)


def compressed(cli, place):
    out = Path(place) / 'out.json.gz'
    cli.must('merge', '--quiet', '-o', out, two_ranks(place))
    same(out.read_bytes()[:2], b'\x1f\x8b', 'magic')
    read_strict(out)


def run(case, cli):
    with folder() as place:
        case(cli, place)


def main():
    cli, tap = Cli(sys.argv[1]), Tap()
    for case in (info_shape, dump_lines, nodes, dump_raw, ranges, ranges_that_miss, ranges_that_hit, problems_have_texts, pictures_that_cut, drawn_critical_path, drawn_lane, steps, suffixes, offsets, ranks, sessions, rows_as_left, places_by_hand, names_by_hand, drawn_bottlenecks, to_standard_output,
                 over_an_input, over_any_input, redirected_among_traces, report_among_traces, odd_outputs, suggestions, kept_targets, left_out, compressed):
        tap.case(case.__name__, run, case, cli)
    tap.case('widest_span', run, widest_span, cli)
    tap.case('process_ids', run, process_ids, cli)
    tap.done()


if __name__ == '__main__':
    main()
