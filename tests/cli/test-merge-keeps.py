#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what a merged file keeps of its input besides the events: spans that never end, implausible times, control
characters in args, and the fact that input was incomplete. Also tests that reports claim agreement of clocks, and
absence of contradictions, only for the ranks and traces that were actually checked.

Usage: test-merge-keeps.py TRACELOOM-CLI"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import DONE, INCOMPLETE, USAGE, Cli, Tap, check, folder, generate_parallel, same, shared_folder  # noqa: E402

LAYOUTS = ('merged.json', 'merged.pftrace')
RUN = ['--dp', '2', '--steps', '4', '--clock-us', '900', '--seed', '4']


def merge(cli, path, output, allowed=(DONE,)):
    cli.must('merge', '-q', path, '-o', output, allowed=allowed)
    return output


def write_marked(path):
    """Writes a trace with three peculiarities: an event of Kineto that marks the end of the recording after 1 h, spans
    that never end, and args with control characters."""
    base = {'pid': 1, 'tid': 1}
    events = [{'ph': 'X', 'name': 'work', 'cat': 'cpu_op', 'ts': 10, 'dur': 50, **base, 'args': {'s': 'l1\nl2\tz', 'o': {'q\n': 'x\ny'}}},
              {'ph': 'B', 'name': 'open', 'cat': 'cpu_op', 'ts': 20, **base, 'args': {'a': 1}},
              {'ph': 'B', 'name': 'bare', 'cat': 'cpu_op', 'ts': 30, **base},
              {'ph': 'i', 'name': 'Record Window End', 'ts': 3_600_000_000, 's': 'g'}]
    path.write_text(json.dumps({'schemaVersion': 1, 'deviceProperties': [], 'distributedInfo': {'rank': 0}, 'traceEvents': events}))
    return path


def describe(cli, path):
    opens = cli.must('query', '-q', '--format=csv', path, 'select name, open from span order by name').stdout
    args = [(event['name'], event['args']) for event in cli.dump(path) if event['ph'] == 'X']
    return opens, args, cli.info(path)['end_ns']


def test_marks(cli):
    with folder() as place:
        place = Path(place)
        raw = write_marked(place / 'raw.json')
        wanted = describe(cli, raw)
        check('open,1' in wanted[0] and 'bare,1' in wanted[0] and 'work,0' in wanted[0], wanted[0])
        check(('work', {'s': 'l1\nl2\tz', 'o': {'q\n': 'x\ny'}}) in wanted[1], wanted[1])
        for name in LAYOUTS:
            merged = merge(cli, raw, place / name)
            same(describe(cli, merged), wanted, name)
            for again in LAYOUTS:
                same(describe(cli, merge(cli, merged, place / f'again-{name}-{again}')), wanted, f'{name} merged again as {again}')


def test_incomplete(cli):
    """A merged file states that its input was incomplete, also after it is merged again."""
    with folder() as place:
        place = Path(place)
        raw, cut = place / 'raw.json', place / 'cut.json'
        write_marked(raw)
        cut.write_text(raw.read_text()[:-150])
        for name in LAYOUTS:
            merged = merge(cli, cut, place / name, allowed=(INCOMPLETE,))
            again = merge(cli, merged, place / f'again-{name}', allowed=(INCOMPLETE,))
            for path in (merged, again):
                same([source['problems'] != [] for source in cli.info(path)['sources']], [True], f'{path.name}: problems')
                result = cli.must('report', '-q', '--format=text', path, allowed=(INCOMPLETE,))
                check(result.stdout.startswith('Incomplete: '), f'{path.name}: {result.stdout[:200]}')


def test_skipped(cli):
    """A merged file states that events of its input were skipped, and the code of the reason. It still does so after it
    is merged again."""
    with folder() as place:
        place = Path(place)
        raw = write_marked(place / 'raw.json')
        document = json.loads(raw.read_text())
        document['traceEvents'] += [{'ph': 'X', 'name': 'timeless', 'cat': 'cpu_op', 'pid': 1, 'tid': 1, 'dur': 5}] * 2
        raw.write_text(json.dumps(document))
        codes = [problem['code'] for problem in cli.info(raw)['sources'][0]['problems'] if problem['severity'] != 'info']
        same(codes, ['no-time'], 'problems of the input')
        for name in LAYOUTS:
            merged = merge(cli, raw, place / name, allowed=(INCOMPLETE,))
            again = merge(cli, merged, place / f'again-{name}', allowed=(INCOMPLETE,))
            for path in (merged, again):
                (source,) = json.loads(cli.must('info', '-q', '--format', 'json', path, allowed=(INCOMPLETE,)).stdout)['sources']
                same([problem['code'] for problem in source['problems'] if problem['severity'] != 'info'], codes, path.name)
                check(source['left_out'] > 0, f'{path.name}: {source["left_out"]}')


def answers(cli, path):
    text = cli.must('report', '-q', '--format=text', path).stdout
    return {line.split(':')[0].strip(): line.split(':', 1)[1].strip() for line in text.splitlines() if line.startswith(('  Clocks:', '  Trace Health:'))}


def test_answers(cli):
    """The report of a merged file says that its clocks were aligned when the files were merged, and that most checks
    for contradictions could not be made."""
    if not shared_folder('tools').exists():
        return 'skip: no generators'
    with folder() as place:
        place = Path(place)
        generate_parallel(place / 'raw', *RUN, '--fault', 'drop-kernels:1')
        check('contradicts itself' in answers(cli, place / 'raw')['Trace Health'], answers(cli, place / 'raw'))
        for name in LAYOUTS:
            found = answers(cli, merge(cli, place / 'raw', place / name))
            check('when their files were merged' in found['Clocks'], found)
            same(found['Trace Health'], 'No contradictions were found, but most checks were not made for 1 of 1 trace.', name)


def test_groups(cli):
    """For ranks whose clocks were not compared with each other, the command align says that the order of their events
    is not known, and states no limit of error for this order."""
    if not shared_folder('tools').exists():
        return 'skip: no generators'
    with folder() as place, folder() as refused:
        generate_parallel(place, '--pp', '2', *RUN)
        line = cli.must('align', '-q', '--format=text', place).stdout.splitlines()[1]
        check('between the groups (rank 0, rank 1 / rank 2, rank 3), the order is not known' in line, line)
        generate_parallel(refused, *RUN, '--tp', '2', '--fault', 'clock-jump:2')
        line = cli.must('align', '-q', '--format=text', refused).stdout.splitlines()[1]
        check('The order is not known for the events of ' in line and 'rank 2' in line, line)
    return None


def test_many_series(cli):
    """Merging a counter with 60,000 series must not take time in proportion to the square of the number of series,
    which would be half a minute."""
    with folder() as place:
        raw, n = Path(place) / 'raw.json', 60_000
        raw.write_text(json.dumps({'traceEvents': [{'ph': 'C', 'name': 'counter', 'pid': 1, 'ts': i, 'args': {f's{i}': i}} for i in range(n)]}))
        merged = Path(place) / 'merged.json'
        cli.must('merge', '-q', raw, '-o', merged, timeout=15)
        same(cli.info(merged)['tracks'], cli.info(raw)['tracks'], 'tracks')


def test_suffix(cli):
    """Without --layout, a file name that ends in .sqlite or .db selects the layout of a database. A name such as
    m.sqlite.gz is refused, because SQLite cannot read a compressed database."""
    with folder() as path:
        place = Path(path)
        write_marked(place / 'a.pt.trace.json')
        for name in 'm.sqlite', 'm.db':
            merged = merge(cli, place / 'a.pt.trace.json', place / name)
            same(merged.read_bytes()[:15], b'SQLite format 3', f'begin of {name}')
        result = cli.must('merge', '-q', place / 'a.pt.trace.json', '-o', place / 'm.sqlite.gz', allowed=(USAGE,))
        check('not compressed' in result.stderr and not (place / 'm.sqlite.gz').exists(), result.stderr)


def main(program):
    cli, tap = Cli(program), Tap()
    tap.case('open spans, implausible times and control characters', test_marks, cli)
    tap.case('incomplete input', test_incomplete, cli)
    tap.case('skipped events', test_skipped, cli)
    tap.case('clocks and health of merged files', test_answers, cli)
    tap.case('order of events of ranks that were not compared', test_groups, cli)
    tap.case('a database by the name of the file', test_suffix, cli)
    tap.case('a counter with many series', test_many_series, cli)
    tap.done()


main(sys.argv[1])
