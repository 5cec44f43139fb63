# SPDX-License-Identifier: Apache-2.0
"""Compares the output of dump and dump --raw for corpus files with that of the independent reader reading.py: names,
phases, ids, args, and times and durations to the ns. Uses a seeded sample of the smaller files, or all files if
LOOM_LONG is set."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import reading  # noqa: E402
from harness import DONE, INCOMPLETE, Cli, Tap, check, need, same, shared_folder  # noqa: E402

SAMPLE_FILES, SAMPLE_BYTES = 30, 400_000
EVENTS = Counter()


def pictured(text):
    """Replaces control characters by their Unicode pictures and lone surrogates by U+FFFD, like dump."""
    return ''.join(chr(ord(c) + 0x2400) if ord(c) < 0x20 else '\ufffd' if 0xD800 <= ord(c) < 0xE000 else c for c in text)


def plain(value):
    """Converts a value to the form that dump prints, with numbers as decimals."""
    if isinstance(value, str):
        return pictured(value)
    if isinstance(value, dict):
        return {pictured(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return Decimal(value) if isinstance(value, (int, Decimal)) and not isinstance(value, bool) else value


def text_of(value):
    """Returns the possible texts of an id or a name; None if it has no unique spelling (floats, nested values)."""
    if value is None:
        return ('', 'null')
    if isinstance(value, str):
        return (pictured(value),)
    return (str(value),) if isinstance(value, int) and not isinstance(value, bool) else None


def same_text(got, value):
    allowed = text_of(value)
    return allowed is None or got in allowed


def lines_of(cli, *args):
    with subprocess.Popen([cli.program, 'dump', '--quiet', *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, 'TZ': 'UTC'}) as process:
        for line in process.stdout:
            yield json.loads(line, parse_float=Decimal, parse_int=Decimal)
        message = process.stderr.read().decode(errors='replace')
    check(process.returncode in (DONE, INCOMPLETE), f'exit {process.returncode}: {message}')


def stated_base(events, members, form):
    """Returns the offset to add to the times of the file if it can be derived from the format, a stated start or the
    size of the times; otherwise returns None."""
    if form in ('chrome', 'composer', 'smdebug-merged', 'smdebug-system'):
        return 0
    said = {str(event['args']['start_time_since_epoch_in_micros']) for event in events
            if isinstance(event.get('args'), dict) and 'start_time_since_epoch_in_micros' in event['args']}
    if len(said) == 1 and form in ('smdebug', 'horovod'):
        return int(reading.exact(said.pop()))
    starts = [start for start, _ in map(reading.times, events) if start is not None]
    absolute = starts and sorted(starts)[len(starts) // 2] >= 10 ** 18
    if 'baseTimeNanoseconds' in members and not absolute:
        return int(members['baseTimeNanoseconds'])
    return 0 if absolute else None


def compare_raw(cli, path, events, members, form):
    base, n = stated_base(events, members, form), 0
    for got, event in zip(lines_of(cli, '--raw', path), events, strict=True):
        n += 1
        start, length = reading.times(event)
        if start is not None and base is None and event.get('ph') != 'M':
            base = int(got['ts_ns']) - start
        where = f'event {n}: {str(event)[:400]} against {str(got)[:400]}'
        if start is not None and base is not None and abs(start) < 2 ** 62 and (event.get('ph') != 'M' or 'ts_ns' in got):
            check(int(got['ts_ns']) == start + base, f'ts, {where}')
            check(length is None or int(got['dur_ns']) == length, f'dur, {where}')
        phase = event.get('ph')
        check(got.get('ph', '') == (phase[:1] if isinstance(phase, str) else ''), f'ph, {where}')
        for key, member in (('name', 'name'), ('cat', 'cat'), ('process', 'pid'), ('thread', 'tid')):
            check(same_text(got[key], event.get(member)), f'{key}, {where}')
        wanted = event.get('args', {}) if isinstance(phase, str) else event
        check(isinstance(got['args'], dict) and plain(got['args']) == plain(wanted) or plain(got['args']) == plain(wanted), f'args, {where}')
    EVENTS['raw'] += n
    return base


def wanted_spans(events, zero_length):
    """Yields name, start, duration and args of events that are certainly drawn as spans."""
    for event in events:
        start, length = reading.times(event)
        if str(event.get('ph', ''))[:1] == 'X' and start is not None and (zero_length or (length is not None and length >= 0)):
            yield event.get('name'), start, 0 if length is None else length, event.get('args')
    for begin, end in reading.pairs(events):
        first, last = reading.times(begin)[0], reading.times(end)[0]
        merged = begin.get('args'), end.get('args')
        args = {**merged[0], **merged[1]} if all(isinstance(part, dict) for part in merged) else merged[0] or merged[1]
        yield begin.get('name'), first, last - first, args


def key_of(name, start, length, args):
    args = args if isinstance(args, dict) else {}
    return (pictured(str(name)) if name is not None else '(unnamed)', start, length,
            json.dumps(plain(args), sort_keys=True, default=lambda number: str(number.normalize())))


def compare_drawn(cli, path, events, base, form):
    got = Counter(key_of(line['name'], int(line['ts_ns']) - base, int(line['dur_ns']), line['args'])
                  for line in lines_of(cli, '--clock', 'none', path) if line['ph'] == 'X')
    wanted = Counter(key_of(*span) for span in wanted_spans(events, form == 'tensorflow'))
    missing = wanted - got
    check(not missing, lambda: f'{sum(missing.values())} of {sum(wanted.values())} are not drawn: {list(missing)[:3]}')
    EVENTS['drawn'] += sum(wanted.values())


def one_file(cli, path):
    trace = reading.read_trace(path)
    if trace is None:
        return 'skip: no trace'
    events, members, _ = trace
    info = cli('info', '--format', 'json', path)
    if info.returncode not in (DONE, INCOMPLETE):
        check(not any(isinstance(event.get('ph'), str) for event in events), f'refused: {info.stderr}')
        return 'skip: no trace'
    source = json.loads(info.stdout)['sources'][0]
    base = compare_raw(cli, path, events, members, source['format'])
    # Files of smdebug and Composer are not compared here, because the program moves instants and repairs times when it
    # reads them; other tests cover them.
    if base is not None and source['format'] in ('chrome', 'kineto', 'horovod', 'tensorflow', 'smdebug-merged'):
        compare_drawn(cli, path, events, base, source['format'])
    return None


def chosen(corpus):
    files = sorted(path for path in corpus.rglob('*') if path.is_file() and ('.json' in path.name or path.suffix == '.gz'))
    if 'LOOM_LONG' in os.environ:
        return files
    seed = int(os.environ.get('LOOM_SEED', random.randrange(2 ** 32)))
    print(f'# LOOM_SEED={seed}')
    small = [path for path in files if path.stat().st_size <= (SAMPLE_BYTES // 8 if path.suffix == '.gz' else SAMPLE_BYTES)]
    return sorted(random.Random(seed).sample(small, min(SAMPLE_FILES, len(small))))


def main():
    corpus = shared_folder('corpus')
    need(corpus)
    cli, tap = Cli(sys.argv[1]), Tap()
    for path in chosen(corpus):
        tap.case(str(path.relative_to(corpus)).replace('#', ' '), one_file, cli, path)
    print(f"# {EVENTS['raw']} events as they stand, {EVENTS['drawn']} spans as drawn")
    tap.done()


if __name__ == '__main__':
    main()
