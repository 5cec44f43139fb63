#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests runs of indexes in which a time range of one rank is read from that rank's trace: the events equal those of the trace opened
directly, little more than the range is read, and a message says what cannot be read.

Usage: test-ranges.py TRACELOOM-CLI"""

import gzip
import json
import re
import shutil
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import early_index  # noqa: E402
from harness import DONE, FAILED, INCOMPLETE, USAGE, Cli, Tap, check, folder, generate_parallel, need, same, shared_folder  # noqa: E402

TOOLS = shared_folder('tools')
RUN = ['--dp', '4', '--tp', '2', '--pp', '1', '--steps', '8', '--micro', '4', '--layers', '4', '--clock-us', '300', '--seed', '5']
RANK = 2
UNITS = {'bytes': 1, 'kB': 1000, 'MB': 1000000}


def make_run(place):
    generate_parallel(place, *RUN)


def trace_of(raw):
    return next(raw.glob(f'rank-{RANK}.*'))


def extent(cli, path):
    source = next(source for source in cli.info(path)['sources'] if source['rank'] == RANK)
    return source['start_ns'] + source['clock']['offset_ns'], source['end_ns'] + source['clock']['offset_ns']


def dump(cli, *words, allowed=(DONE,)):
    return cli.must('dump', *words, allowed=allowed)


def within(begin, end):
    return '--start-ns', str(begin), '--end-ns', str(end)


def ranges(begin, end):
    length = end - begin
    return [(begin + int(at * length), begin + int((at + part) * length)) for at, part in ((0.2, 0), (0.31, 0.0003), (0.5, 0.01), (0.05, 0.4), (0.9, 0.2))] + \
        [(begin - 1000, end + 1000)]


def read_bytes(result):
    found = re.search(r'rank \d+: ([\d.]+)\s(\w+) of .* read for the range', result.stderr)
    check(found, result.stderr)
    return float(found[1]) * UNITS[found[2]]


def events(lines, rank):
    return [line for line in lines.splitlines() if f'"rank":{rank},"node":' in line]


def test_equal(cli, raw, run):
    """The events of a range equal those of the whole run opened directly, including times, which depend on the clocks of all ranks."""
    begin, end = extent(cli, raw)
    size = trace_of(raw).stat().st_size
    for one in ranges(begin, end):
        direct = events(dump(cli, '--quiet', *within(*one), raw).stdout, RANK)
        result = dump(cli, *within(*one), '--rank', str(RANK), run)
        same(result.stdout.splitlines(), direct, f'events of {one}')
        if one[1] - one[0] < 0.02 * (end - begin):
            check(read_bytes(result) < 0.2 * size, result.stderr)


def test_merge_and_query(cli, raw, run, place):
    begin, end = extent(cli, raw)
    words = within(begin + (end - begin) // 3, begin + (end - begin) // 2)
    names = []
    for source, path in ((raw, place / 'direct.json'), (run, place / 'range.json')):
        cli.must('merge', '--quiet', *words, '--rank', str(RANK), source, '-o', path)
        names.append(sorted((event['ph'], event['name']) for event in json.loads(path.read_text())['traceEvents'] if event['ph'] != 'M'))
    check(names[0] and names[0] == names[1], 'merged events')
    counts = [json.loads(cli.must('query', '--quiet', '--format', 'json', *words, '--rank', str(RANK), source,
                                  'SELECT count(*) AS n, sum(duration) AS t FROM span WHERE start >= :start AND start + duration <= :end').stdout) for source in (raw, run)]
    check(counts[0][0]['n'] > 100, counts)
    same(counts[1][0]['n'], counts[0][0]['n'], 'slices')
    same(counts[1][0]['t'], counts[0][0]['t'], 'durations of slices')


def test_steps(cli, raw, run):
    """A range in steps is converted to times with the steps of the whole run."""
    words = '--unit', 'step', '--start', '3', '--end', '4'
    same(dump(cli, *words, '--rank', str(RANK), run).stdout.splitlines(), events(dump(cli, '--quiet', *words, raw).stdout, RANK), 'events')


def test_whole(cli, raw, run):
    """Without a range the whole trace is read."""
    same(dump(cli, '--rank', str(RANK), run).stdout.splitlines(), events(dump(cli, '--quiet', raw).stdout, RANK), 'events')


def pairs_trace(path):
    begin = [{'ph': 'B', 'name': f'f{i}', 'ts': 1e15 + 1000 * i, 'pid': 0, 'tid': 1} for i in range(50)]
    path.write_text(json.dumps([one for event in begin for one in (event, dict(event, ph='E', ts=event['ts'] + 500))]))


def test_other_forms(cli):
    """A trace whose form does not allow reading a range is read completely, and a message says so."""
    with folder() as place:
        trace, index = Path(place) / 'rank-0.json', Path(place) / 'index'
        pairs_trace(trace)
        cli.must('index', trace, '-o', index, allowed=(DONE,))
        words = within(10**18 + 20_000_000, 10**18 + 30_000_000)
        result = dump(cli, *words, '--rank', '0', index)
        check('as two events; the whole file is read' in result.stderr, result.stderr)
        same(result.stdout, dump(cli, '--quiet', *words, trace).stdout, 'events')
        check(result.stdout.count('\n') >= 10, result.stdout)


def test_compressed(cli, raw):
    """Of a compressed trace little more than the range is decompressed, and its index is small."""
    with folder() as place:
        place = Path(place)
        trace, index = place / f'{trace_of(raw).name}.gz', place / 'index'
        document = json.loads(trace_of(raw).read_text())
        events = document['traceEvents']
        period = max(event['ts'] + event.get('dur', 0) for event in events if event['ph'] != 'M')
        first = [event for event in events if event['ph'] == 'M']
        later = [dict(event, ts=event['ts'] + i * period) for i in range(12) for event in events if event['ph'] != 'M']
        trace.write_bytes(gzip.compress(json.dumps(dict(document, traceEvents=first + later)).encode(), 6))
        cli.must('index', trace, '-o', index, allowed=(DONE,))
        size = trace.stat().st_size
        check(next(index.iterdir()).stat().st_size < 0.04 * size, 'the index is large')
        begin, end = extent(cli, index)
        for one in ranges(begin, end):
            result = dump(cli, *within(*one), '--rank', str(RANK), index)
            same(result.stdout.splitlines(), dump(cli, '--quiet', *within(*one), trace).stdout.splitlines(), f'events of {one}')
            if one[1] - one[0] < 0.02 * (end - begin):
                check(read_bytes(result) < 0.25 * size, f'{result.stderr} of {size} bytes')
        # The index contains the text before and after the events, so only the first compressed block must be read.
        result = dump(cli, *within(begin, begin), '--rank', str(RANK), index)
        check(read_bytes(result) < 0.05 * size, f'{result.stderr} of {size} bytes')


def test_other_ranks(cli, raw):
    """A file with several ranks is read completely, and a message says so."""
    with folder() as place:
        merged = Path(place) / 'merged.json'
        cli.must('merge', '--quiet', raw, '-o', merged)
        result = dump(cli, '--rank', str(RANK), merged)
        check('has the events of other ranks, too' in result.stderr, result.stderr)
        check(len({json.loads(line)['rank'] for line in result.stdout.splitlines()}) > 1, 'the file has only one rank')


def test_rank_of_path(cli):
    """If only the path states the rank (--rank-from), events have this rank when a range is read and when the whole trace is read."""
    with folder() as place:
        trace, index = Path(place) / 'job-6.json', Path(place) / 'index'
        trace.write_text(json.dumps([{'ph': 'X', 'name': f'f{i}', 'ts': 1e15 + 1000 * i, 'dur': 500, 'pid': 0, 'tid': 1} for i in range(50)]))
        cli.must('index', '--rank-from', 'job-([0-9]+)', trace, '-o', index, allowed=(DONE,))
        for words in ((), within(10**18 + 20_000_000, 10**18 + 30_000_000)):
            result = dump(cli, *words, '--rank', '6', index)
            same({json.loads(line)['rank'] for line in result.stdout.splitlines()}, {6}, f'ranks {words}')


def content(cli, path):
    """Returns the spans and the collectives of an index."""
    report = json.loads(cli.must('report', '--format', 'json', path).stdout)
    return dump(cli, path).stdout, report['computed']['collectives']


def test_early(cli, raw):
    """An index that is converted to version 8, 6 or 1 still gives the same spans and collectives. With an index of version
    1, ranges of a trace cannot be read, and the verb index creates it again."""
    with folder() as place:
        index = Path(place) / 'index'
        cli.must('index', raw, '-o', index, allowed=(DONE,))
        before = content(cli, index)
        check('missing' not in before[1], 'the run has no collectives')
        for version in (8, 6, 1):
            cli.must('index', raw, '-o', index, allowed=(DONE,))
            for path in index.iterdir():
                early_index.convert(path, version)
            same(content(cli, index), before, f'the content of indexes of version {version}')
            shutil.rmtree(index) if version > 1 else None
        begin, end = extent(cli, index)
        result = dump(cli, *within(begin, begin + 1000), '--rank', str(RANK), index)
        check('earlier version; create it again; the whole file is read' in result.stderr, result.stderr)
        check('1 index made' in cli.must('index', trace_of(raw), '-o', index).stderr, 'the index was not made again')
        check('read for the range' in dump(cli, *within(begin, begin + 1000), '--rank', str(RANK), index).stderr, 'the message about the range is missing')


def test_problems(cli, raw):
    with folder() as place:
        place = Path(place)
        trace, index = place / trace_of(raw).name, place / 'index'
        shutil.copy(trace_of(raw), trace)
        cli.must('index', trace, '-o', index, allowed=(DONE,))
        begin, end = extent(cli, index)
        words = *within(begin, begin + 1000), '--rank', str(RANK)

        def fails(message, *more):
            result = cli('dump', *(more or (*words, index)))
            same(result.returncode, FAILED, message)
            check(message in result.stderr, lambda: f'{message}: {result.stderr}')
            same(result.stdout, '', 'output')

        fails('There is no trace of rank 17', *within(begin, end), '--rank', '17', index)
        trace.write_bytes(trace.read_bytes() + b'\n')
        fails('changed after its index was created')
        trace.unlink()
        fails('is not on this machine')
        cli.must('index', '--host', 'elsewhere', trace_of(raw), '-o', place / 'other', allowed=(DONE,))
        fails('is not on this machine', *words, place / 'other')
        same(cli('dump', '--rank', 'two', index).returncode, USAGE, 'a rank that is not a number')


def test_archive(cli, raw):
    """If the trace is in an archive, a message says that it cannot be read from there, with and without a range."""
    with folder() as place:
        archive, index = Path(place) / 'job.zip', Path(place) / 'index'
        with zipfile.ZipFile(archive, 'w') as out:
            out.write(trace_of(raw), trace_of(raw).name)
        cli.must('index', archive, '-o', index, allowed=(DONE,))
        begin, end = extent(cli, index)
        for words in ((), within(begin, end)):
            result = cli('dump', *words, '--rank', str(RANK), index)
            same((result.returncode, result.stdout), (FAILED, ''), result.stderr)
            check('is in an archive' in result.stderr and f'{archive}//{trace_of(raw).name}' in result.stderr, result.stderr)


def main(program):
    need(TOOLS)
    cli, tap = Cli(program), Tap()
    with folder() as place:
        place = Path(place)
        raw, index, run = place / 'raw', place / 'index', place / 'run.loomrun'
        make_run(raw)
        cli.must('index', raw, '-o', index, allowed=(DONE,))
        cli.must('index', '--join', index, '-o', run, allowed=(DONE, INCOMPLETE))
        tap.case('ranges of a joined file', test_equal, cli, raw, run)
        tap.case('ranges of a folder of indexes', test_equal, cli, raw, index)
        tap.case('merge and query', test_merge_and_query, cli, raw, run, place)
        tap.case('steps', test_steps, cli, raw, run)
        tap.case('no range', test_whole, cli, raw, run)
        tap.case('traces without ranges are read completely', test_other_forms, cli)
        tap.case('a file of several ranks', test_other_ranks, cli, raw)
        tap.case('a rank stated by the path', test_rank_of_path, cli)
        tap.case('a compressed trace', test_compressed, cli, raw)
        tap.case('an index of an early version', test_early, cli, raw)
        tap.case('a trace in an archive', test_archive, cli, raw)
        tap.case('problems', test_problems, cli, raw)
    tap.done()


main(sys.argv[1])
