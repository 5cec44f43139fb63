#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the case that two files should contain the same trace, but one of them is empty, damaged or cut off. The complete file must be
loaded, even if it is the older one, and the other file must be named.

Usage: test-duplicates.py TRACELOOM-CLI"""

import gzip
import json
import os
import shutil
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import SAMPLE, Cli, Tap, check, folder, same  # noqa: E402
from kineto import Recording  # noqa: E402

N_SPANS = 2000


def kineto():
    events = ',\n'.join(json.dumps({'ph': 'X', 'name': f'operation {i}', 'pid': 1, 'tid': 1, 'ts': 10 * i, 'dur': 5}) for i in range(N_SPANS))
    return f'{{"schemaVersion": 1, "distributedInfo": {{"rank": 0}}, "traceEvents": [\n{events}\n]}}\n'.encode()


def write(place, contents):
    """Writes files, the last one as the newest."""
    for i, (name, data) in enumerate(contents):
        path = Path(place) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, (1_700_000_000 + 100 * i,) * 2)


def count_spans(cli, place):
    return sum(source['spans'] for source in cli.info(place)['sources'])


def left_out(cli, place):
    return {Path(row['path']).name: row['reason'] for row in cli.info(place)['ignored']}


def test_names(cli):
    """If a plain file and its compressed copy are in one folder, only one of them is loaded, whatever their names are. Two files of
    different contents are both loaded."""
    other = json.dumps([{'ph': 'X', 'name': 'other', 'pid': 1, 'tid': 1, 'ts': 5, 'dur': 5}]).encode()
    for name in ('trace.json', 'rank3.json', 'Notes of a run'):
        for first, second in ((name, name + '.gz'), (name + '.gz', name)):
            with folder() as place:
                write(place, [(file, gzip.compress(kineto(), mtime=0) if file.endswith('.gz') else kineto()) for file in (first, second)])
                same((count_spans(cli, place), list(left_out(cli, place))), (N_SPANS, [first]), f'{first}, {second}')
    with folder() as place:
        write(place, [('trace.json', kineto()), ('trace.json.gz', gzip.compress(other))])
        same((count_spans(cli, place), left_out(cli, place)), (N_SPANS + 1, {}), 'different contents')


def test_kineto(cli, plain):
    """A folder contains a trace both plain and compressed, and one of the two files is damaged: the complete file is loaded although
    the damaged file is newer."""
    packed = plain + '.gz'
    whole, small = kineto(), gzip.compress(kineto(), mtime=0)
    damaged = small[:len(small) // 2] + b'\0' * 200 + small[len(small) // 2 + 200:]
    cases = [('empty .gz', packed, b'', plain, whole), ('.gz cut in its header', packed, small[:9], plain, whole),
             ('cut .gz', packed, small[:len(small) // 2], plain, whole), ('damaged .gz', packed, damaged, plain, whole),
             ('empty JSON', plain, b'', packed, small), ('JSON of 20 bytes', plain, whole[:20], packed, small),
             ('cut JSON', plain, whole[:len(whole) // 2], packed, small), ('complete JSON', plain, whole, packed, small)]
    for what, newer, data, older, good in cases:
        with folder() as place:
            write(place, [(older, good), (newer, data)])
            same(count_spans(cli, place), N_SPANS, what)
            loaded, other = (newer, older) if what == 'complete JSON' else (older, newer)
            same([Path(source['path']).name for source in cli.info(place)['sources']], [loaded], what)
            check(other in left_out(cli, place), f'{what}: {other} is not named')


def test_cut_both(cli):
    """Of two files that are cut off, the one with more events is loaded."""
    whole = kineto()
    with folder() as place:
        write(place, [('r.pt.trace.json', whole[:len(whole) // 2]), ('r.pt.trace.json.gz', gzip.compress(whole[:len(whole) // 4]))])
        sources = cli.info(place)['sources']
        same([Path(source['path']).name for source in sources], ['r.pt.trace.json'], 'sources')
        check(sources[0]['spans'] > 0.4 * N_SPANS, sources[0]['spans'])


def field(number, data):
    return bytes([number << 3 | 2, len(data)]) + data


def test_jax(cli):
    """The trace of JAX is loaded from JSON if its XSpace file is empty, of another kind or cut off."""
    run = 'plugins/profile/2024_01_01_00_00_00/'
    trace = json.dumps({'displayTimeUnit': 'ns', 'metadata': {'highres-ticks': True}, 'traceEvents': [
        {'ph': 'M', 'pid': 1, 'name': 'process_name', 'args': {'name': '/host:CPU'}},
        *({'ph': 'X', 'name': f'step {i}', 'pid': 1, 'tid': 1, 'ts': 10 * i, 'dur': 5} for i in range(20))]}).encode()
    line = field(3, field(2, b'thread') + field(4, b'\x08\x01\x10\x01\x18\x01'))
    space = field(1, field(2, b'/host:CPU') + line + field(4, b'\x08\x01' + field(2, b'\x08\x01' + field(2, b'name'))))
    for what, data in (('empty', b''), ('text', b'no protobuf\n'), ('cut', space[:-8])):
        with folder() as place:
            write(place, [(run + 'h.trace.json.gz', gzip.compress(trace)), (run + 'perfetto_trace.json.gz', gzip.compress(trace)),
                          (run + 'h.xplane.pb', data)])
            same([(Path(source['path']).name, source['spans']) for source in cli.info(place)['sources']], [('h.trace.json.gz', 20)], what)
            same(set(left_out(cli, place)), {'h.xplane.pb', 'perfetto_trace.json.gz'}, what)


def test_perfetto_name(cli):
    """A file perfetto_trace.json is loaded if the other files of its folder are not traces."""
    with folder() as place:
        write(Path(place) / 'a.trace.json', [('perfetto_trace.json', kineto()), ('a.trace.json', b''), ('notes.trace.json.txt', b'notes')])
        same(count_spans(cli, place), N_SPANS, 'spans')


def test_smdebug(cli):
    """A cut timeline of SageMaker beside its complete compressed copy: the copy is loaded."""
    with folder() as place:
        place = Path(place)
        shutil.copytree(SAMPLE, place / 'run')
        before = count_spans(cli, place / 'run')
        path = max((place / 'run').rglob('*_pythontimeline.json'), key=lambda path: path.stat().st_size)
        data = path.read_bytes()
        path.with_name(path.name + '.gz').write_bytes(gzip.compress(data))
        same(count_spans(cli, place / 'run'), before, 'spans of equal copies')
        path.write_bytes(data[:len(data) // 2])
        same(count_spans(cli, place / 'run'), before, 'spans')
        check(path.name in left_out(cli, place / 'run'), 'the cut file is not named')


def test_merged(cli):
    """The files of a run are merged into a file in the same folder. The merged file is then not loaded together with them. It is loaded if
    one of them is missing, or if the user names it."""
    with folder() as place:
        run, elsewhere = Path(place) / 'run', Path(place) / 'elsewhere'
        for rank in range(2):
            recording = Recording(rank, 2)
            recording.step(0, 0, 100)
            recording.write(run / f'node{rank}')
        cli.must('merge', '-q', '-o', run, run)
        same(count_spans(cli, run), 2, 'spans of the folder')
        same(list(left_out(cli, run)), ['merged-timeline.json'], 'skipped')
        same(count_spans(cli, run / 'merged-timeline.json'), 2, 'spans of the merged file')
        cli.must('merge', '-q', '-o', run / 'all.pftrace', run / 'node0', run / 'node1')
        same(sorted(left_out(cli, run)), ['all.pftrace', 'merged-timeline.json'], 'skipped')
        same(count_spans(cli, run / 'all.pftrace'), 2, 'spans of the Perfetto file')
        alone = Path(place) / 'alone'
        shutil.copytree(run / 'node0', alone / 'node0')
        shutil.copy(run / 'all.pftrace', alone)
        same(count_spans(cli, alone), 3, 'spans beside a part of the sources')
        elsewhere.mkdir()
        shutil.copytree(run / 'node0', elsewhere / 'other' / 'node0')
        shutil.copy(run / 'merged-timeline.json', elsewhere)
        same(count_spans(cli, elsewhere), 3, 'spans beside files of another folder')
        text = (elsewhere / 'merged-timeline.json').read_text(encoding='utf-8')
        (elsewhere / 'merged-timeline.json').write_text(text.replace('"path":"', '"path":"' + 200_000 * '/', 1), encoding='utf-8')
        began = time.monotonic()
        same(count_spans(cli, elsewhere), 3, 'spans beside a file that states a very long path')
        check(time.monotonic() - began < 20, f'{time.monotonic() - began:.0f} s')


def test_merged_other(cli):
    """A merged file of another run is loaded together with the files of a run, although the files of both runs have the
    same names. The sizes of the files show that the merged file was not made from this run."""
    with folder() as place:
        run, baseline = Path(place) / 'run', Path(place) / 'baseline'
        for path, n_steps in ((run, 3), (baseline, 2)):
            for rank in range(2):
                recording = Recording(rank, 2)
                for i in range(n_steps):
                    recording.step(i, 100 * i, 100)
                recording.write(path / f'node{rank}')
        for name in ('baseline.json', 'baseline.pftrace'):
            cli.must('merge', '-q', '-o', run / name, baseline)
            same(list(left_out(cli, run)), [], f'{name}: skipped')
            same(count_spans(cli, run), 2 * 3 + 2 * 2, f'{name}: spans of both runs')
            (run / name).unlink()


def main(program):
    cli, tap = Cli(program), Tap()
    tap.case('any name, plain and compressed', test_names, cli)
    tap.case('Kineto, plain and compressed', test_kineto, cli, 'r.pt.trace.json')
    tap.case('JSON, plain and compressed', test_kineto, cli, 'rank0.json')
    tap.case('both cut off', test_cut_both, cli)
    tap.case('JAX', test_jax, cli)
    tap.case('a merged file beside its sources', test_merged, cli)
    tap.case('a merged file beside another run', test_merged_other, cli)
    tap.case('perfetto_trace.json alone', test_perfetto_name, cli)
    tap.case('SageMaker, plain and compressed', test_smdebug, cli)
    tap.done()


main(sys.argv[1])
