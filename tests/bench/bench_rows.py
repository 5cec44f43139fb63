# SPDX-License-Identifier: Apache-2.0
"""Makes the measurements. Each chapter is a function that yields rows; a row contains the measured ratio, and as `wanted` the ratio
that is the goal."""

import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from bench_measure import HERE, Failed, Missing, Samples, peak_memory, run, run_json, run_quietly, spread, take_turns
from bench_report import Row, duration, memory

MB = 10**6
FRAME_MS = 16
LOAD_REST_S = 4  # seconds without large painting after which a load counts as finished
MANY = (12, 1000)  # thousands of spans per rank, and number of ranks, of the run with many rows
# Texts to search for in kineto inputs: 'aten::' matches a third of the spans, 'ProfilerStep' one span per step.
COMMON, RARE = 'aten::', 'ProfilerStep'
KINDS = ('composer', 'smdebug', 'lean', 'deep', 'wide', 'counters', 'args', 'disorder')

# size: size of the main input. files: number of 1 MB files that have this size together.
# part: size of the input of each kind in KINDS.
# jobs: sizes of the small and the large job for the report. sizes: sizes of the inputs whose load times are compared.
# frames: two numbers of spans per rank, in thousands; the time of a frame with 64 ranks is measured with both.
# ranks: number of indexes that are joined. view: number of events in the range of one rank that is read through serve.
# rounds: number of repetitions. rows: scale of the generated databases and Perfetto traces.
# stand_in: True if the inputs are smaller than the goals require. huge: True if 10 GB are loaded and searched, too.
SETS = {
    'default': {'size': '100M', 'files': 100, 'part': '10M', 'jobs': ('28M', '280M'), 'sizes': ['1M', '10M', '100M'], 'frames': (16, 100), 'rounds': 7, 'rows': 500_000, 'ranks': 1000, 'view': 100_000,
                'stand_in': True, 'huge': False},
    'full': {'size': '1G', 'files': 1000, 'part': '100M', 'jobs': ('280M', '2800M'), 'sizes': ['1M', '10M', '100M', '1G'], 'frames': (16, 1080), 'rounds': 5, 'rows': 5_000_000, 'ranks': 10_000, 'view': 100_000,
             'stand_in': False, 'huge': False},
}
SETS['huge'] = SETS['full'] | {'huge': True}


def compare(row_id, what, above, below, key='wall', other_key=None, below_name='simdjson', **more):
    """Returns a row that compares two Samples, in seconds."""
    other_key = other_key or key
    return Row(row_id, what, duration(above[key]), f'{below_name} {duration(below[other_key])}', above[key] / below[other_key],
               spread(above, below, key, other_key), **more)


def same_events(ours, theirs):
    """Fails if the reference program read a different number of events, because the comparison would be invalid."""
    if ours.last('events') != theirs.last('events'):
        raise Failed(f'{ours.last("events")} events loaded, {theirs.last("events")} in the reference')


def load(bench, plan):
    size, stand_in = plan['size'], plan['stand_in']
    one, packed = bench.inputs('kineto', size), bench.inputs('kineto', size, gzip=True)
    many = bench.inputs('kineto', size, plan['files'])
    runs = {'one': bench.load(one), 'gz': bench.load(packed), 'many': bench.load(many),
            '8': bench.load(bench.inputs('kineto', size, 8)), '64': bench.load(bench.inputs('kineto', size, 64)),
            'cat': bench.other('cat', *one), 'gzip': bench.other('gzip', '-dc', *packed)}
    reason = ''
    try:
        runs['simdjson'] = bench.simdjson(one)
    except Missing as missing:
        reason = f'not measured: {missing}'
    seen = take_turns(runs, plan['rounds'])
    ours, walk = seen['one'], seen.get('simdjson')
    ours.add('cpu', lambda sample: sample['user'] + sample['sys'])
    if walk:
        same_events(ours, walk)
        yield compare('load', f'load {size} kineto JSON, wall', ours, walk, wanted=0.50, stand_in=stand_in)
        yield compare('load-gz', f'load {size} kineto JSON as .gz ({os.path.getsize(packed[0]) / MB:.0f} MB), wall', seen['gz'], walk, wanted=0.75,
                      below_name='simdjson, unpacked,', stand_in=stand_in)
        yield compare('load-cpu', f'load {size} kineto JSON, CPU time (hardly affected by other programs)', ours, walk, key='cpu')
    else:
        yield Row('load', f'load {size} kineto JSON, and its .gz', note=reason)
    yield compare('load-many', f'load {plan["files"]} files of 1 MB', seen['many'], ours, wanted=1.3, below_name=f'one of {size}',
                  stand_in=stand_in)
    for files in ('64', '8'):
        yield compare(f'load-{files}', f'load {files} files, {size} in total', seen[files], ours, below_name=f'one of {size}')
    cores = [sample['cpu'] / sample['wall'] for sample in ours.rounds]
    yield Row('cpu-wall', f'CPU time compared with wall time, load {size}', f'CPU {duration(ours["cpu"])}', f'wall {duration(ours["wall"])}',
              statistics.median(cores), (min(cores), max(cores)), 1.6, at_least=True, stand_in=stand_in)
    yield compare('load-cat', f'load {size}, compared with only reading the file', ours, seen['cat'], below_name='cat >/dev/null')
    yield compare('gz-gzip', f'load {size} as .gz, compared with decompressing it', seen['gz'], seen['gzip'], below_name='gzip -dc >/dev/null')


def per_event(row_id, what, n_bytes, events, allowed, stand_in):
    most = allowed * events + 64 * MB
    return Row(row_id, what, f'{memory(n_bytes)} = {n_bytes / events:.1f} B per event',
               f'{allowed} B × {events:,} + 64 MB = {memory(most)}', n_bytes / most, wanted=1, stand_in=stand_in)


def memory_of_load(bench, plan):
    program = bench.program('tests/bench/bench-load')
    for kind, paths in (('kineto JSON', bench.inputs('kineto', plan['size'])), ('.gz', bench.inputs('kineto', plan['size'], gzip=True))):
        rounds = [peak_memory([program, '--memory', *paths]) for _ in range(3)]
        peak, seen = statistics.median(peak for peak, _ in rounds), json.loads(rounds[0][1])
        word = 'gz-' if kind == '.gz' else ''
        yield per_event(f'{word}rest', f'anonymous memory at rest, {plan["size"]} {kind}', seen['rest'], seen['events'], 40,
                        plan['stand_in'])
        yield per_event(f'{word}peak', f'anonymous memory at peak, {plan["size"]} {kind}', peak, seen['events'], 60, plan['stand_in'])


def growth(bench, plan):
    sizes, inputs = plan['sizes'], {size: bench.inputs('kineto', size) for size in plan['sizes']}
    seen = take_turns({size: bench.load(inputs[size]) for size in sizes}, plan['rounds'])
    for small, big in zip(sizes, sizes[1:]):
        times = os.path.getsize(inputs[big][0]) / os.path.getsize(inputs[small][0])
        yield Row(f'growth-{big}', f'load, from {small} to {big}', duration(seen[big]['wall']),
                  f'{times:.1f} × {duration(seen[small]["wall"])}', seen[big]['wall'] / seen[small]['wall'] / times)


def kinds(bench, plan):
    size = plan['part']
    for kind in KINDS:
        paths = bench.inputs(kind, size)
        seen = take_turns({'ours': bench.load(paths), 'simdjson': bench.simdjson(paths)}, plan['rounds'])
        same_events(seen['ours'], seen['simdjson'])
        yield compare(f'kind-{kind}', f'load {size} {kind}', seen['ours'], seen['simdjson'])


def json_glib(bench, plan):
    paths, program = bench.inputs('kineto', '10M'), bench.program('tests/bench/ref-json-glib')
    seen = take_turns({'ours': bench.load(paths), 'glib': lambda: run_json([program, *paths])}, 3)
    same_events(seen['ours'], seen['glib'])
    yield compare('json-glib', 'load 10M kineto JSON', seen['ours'], seen['glib'], below_name='json-glib DOM')


def binary(bench, plan, kind, what, counted, few, many, walk, walk_name, wanted):
    """Measures loading two files of a binary format, `many` with ten times as many rows as `few`. The reference program `walk` only
    walks over the rows of `many`."""
    seen = take_turns({'few': bench.load([few]), 'many': bench.load([many]), 'walk': lambda: run_json([*walk, many])}, plan['rounds'])
    seen['many'].add('cpu', lambda sample: sample['user'] + sample['sys'])
    yield compare(kind, f'load {what}', seen['many'], seen['walk'], wanted=wanted, below_name=walk_name)
    yield compare(f'{kind}-cpu', f'load {what}, CPU time (hardly affected by other programs)', seen['many'], seen['walk'], key='cpu', below_name=walk_name)
    yield Row(f'{kind}-growth', f'load {what}, growth from a tenth of the {counted}', duration(seen['many']['wall']), f'10 × {duration(seen["few"]["wall"])}',
              seen['many']['wall'] / seen['few']['wall'] / 10, wanted=1.1)
    yield from memory_of_file(bench, kind, what, many, plan['stand_in'])


def memory_of_file(bench, kind, what, path, stand_in):
    program = bench.program('tests/bench/bench-load')
    rounds = [peak_memory([program, '--memory', path]) for _ in range(3)]
    seen = json.loads(rounds[0][1])
    for word, n_bytes, allowed in (('rest', seen['rest'], 40), ('peak', statistics.median(peak for peak, _ in rounds), 60)):
        yield per_event(f'{kind}-{word}', f'anonymous memory at {word}, {what}', n_bytes, seen['events'], allowed, stand_in)


def databases(bench, plan):
    walk = [bench.program('tests/bench/ref-sqlite')]
    for kind, what in (('nsight', 'an Nsight export'), ('rocpd', 'a rocpd database'), ('rpd', 'an RPD database')):
        few, many = (bench.made('make-database.py', kind, n) for n in (plan['rows'] // 10, plan['rows']))
        yield from binary(bench, plan, 'database' if kind == 'nsight' else kind, f'{2 * plan["rows"]:,} rows of {what}', 'rows', few, many, walk,
                          'a step through its columns', 2)


def protobuf(bench, plan):
    walk, n = bench.program('tests/bench/ref-protobuf'), 2 * plan['rows']
    for kind, script, what, options in (('pftrace', 'make-pftrace.py', "slices of a Perfetto trace in PyTorch's layout", []),
                                        ('xplane', 'make-xplane.py', 'events of an XSpace', ['--xspace'])):
        few, many = bench.made(script, n // 10), bench.made(script, n)
        yield from binary(bench, plan, kind, f'{n:,} {what}', what.split()[0], few, many, [walk, *options], 'a walk over its varints', 2.5)


def run_afresh(command, output):
    """Deletes the output and returns the wall seconds that the command takes to write it. Replacing a large file takes extra time,
    and users usually write a new one."""
    output.unlink(missing_ok=True)
    return run(command)[0]


def merge_as(bench, plan, row_id, what, paths, output, rounds, **more):
    command = [bench.program('src/cli/traceloom-cli'), 'merge', '--quiet', *paths, '-o', output]
    seen = take_turns({'merge': lambda: {'outside': run_afresh(command, output)}, 'load': bench.load(paths)}, rounds)
    return compare(row_id, what, seen['merge'], seen['load'], key='outside', below_name='loading', stand_in=plan['stand_in'], **more)


def merge(bench, plan):
    size, program, loader = plan['size'], bench.program('src/cli/traceloom-cli'), bench.program('tests/bench/bench-load')
    paths, even = bench.inputs('kineto', size, 8), bench.inputs('even', size, 8)
    folder = bench.cache / 'merged'
    folder.mkdir(exist_ok=True)
    try:
        what = f'merge 8 ranks, {size} together, to one %s, a new file (load and write)'
        yield merge_as(bench, plan, 'merge', what % 'JSON', paths, folder / 'merged.json', plan['rounds'], wanted=2.0)
        yield merge_as(bench, plan, 'merge.gz', what % 'JSON.gz', paths, folder / 'merged.json.gz', 3)
        yield merge_as(bench, plan, 'merge-even', 'the same of ranks whose flows fall on the same instants', even, folder / 'even.json', plan['rounds'], wanted=2.0)
        peaks = [(peak_memory([program, 'merge', '--quiet', *paths, '-o', folder / 'merged.json'])[0],
                  peak_memory([loader, *paths])[0]) for _ in range(3)]
        merging, loading = (statistics.median(peak) for peak in zip(*peaks))
        yield Row('merge-memory', 'peak of anonymous memory of the first merge', memory(merging), f'loading {memory(loading)}',
                  merging / loading, wanted=1.05, stand_in=plan['stand_in'])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fly(bench, thousands, *scene):
    """Runs the frame benchmark on a generated run of 64 ranks, and returns what parse_frames() returns."""
    available = int(re.search(r'MemAvailable:\s+(\d+)', Path('/proc/meminfo').read_text())[1]) * 1024
    if available < thousands * 64000 * 80:
        raise Missing(f'{thousands * 64 // 1000} million spans need more memory than is free')
    return parse_frames(run([bench.program('tests/draw/bench-frames'), thousands, 64, *scene])[1])


def parse_frames(text):
    """Returns the number of spans and (median, p99, max) in seconds of the slower scene, parsed from the output of the frame benchmark."""
    frames = re.findall(r'^frame +median +([\d.]+) ms +p99 +([\d.]+) ms +max +([\d.]+) ms', text, re.MULTILINE)
    spans = re.search(r'([\d,]+) spans', text)
    if not frames or not spans:
        raise Failed('the frame benchmark prints something else now')
    return int(spans[1].replace(',', '')), [max(float(frame[i]) for frame in frames) / 1000 for i in range(3)]


def frames(bench, plan):
    few, many = plan['frames']
    rounds = [(fly(bench, few), fly(bench, many)) for _ in range(1 if many > 1000 else 2)]
    n_few, n_many = rounds[0][0][0], rounds[0][1][0]
    for i, (word, allowed_ms) in enumerate((('median', 4), ('p99', 8), ('max', 16))):
        seen = statistics.median(one[1][1][i] for one in rounds)
        yield Row(f'frame-{word}', f'frame 1920×1080, 64 ranks, {n_many / MB:.1f} million spans, {word}, wall', duration(seen),
                  f'{allowed_ms} ms', seen * 1000 / allowed_ms, wanted=1, stand_in=plan['stand_in'])
    n, seen = fly(bench, few, 'critical-path')
    for i, (word, allowed_ms) in enumerate((('median', 4), ('p99', 8))):
        yield Row(f'frame-path-{word}', f'frame 1920×1080 with a critical path, {n / MB:.1f} million spans, {word}, wall', duration(seen[i]),
                  f'{allowed_ms} ms', seen[i] * 1000 / allowed_ms, wanted=1, stand_in=plan['stand_in'])
    small, big = (statistics.median(one[n][1][0] for one in rounds) for n in (0, 1))
    yield Row('frame-growth', f'frame, median, from {n_few / MB:.1f} to {n_many / MB:.1f} million spans', duration(big), duration(small),
              big / small, wanted=2, stand_in=plan['stand_in'])


def rows(bench, plan):
    """Measures actions on very many rows, including the frame that shows the result. The run is generated in memory and is the same in
    every set."""
    deeds = {'fold row': 'a row folded or unfolded', 'fold group': 'a group folded or unfolded', 'fold all': 'all folded or unfolded',
             'pin': 'a row pinned or unpinned', 'page': 'a page further', 'leap': 'a leap of the scroll bar', 'filter': 'a letter of a filter of rows'}
    text = run([bench.program('tests/draw/bench-frames'), *MANY])[1]
    seen = {name: float(most) for name, most in re.findall(r'^(\w[\w ]*?) +median .* max +([\d.]+) ms', text, re.MULTILINE)}
    said = re.search(r', (\d+) spans', text), re.search(r'done to (\d+) rows', text)
    if deeds.keys() - seen.keys() or None in said:
        raise Failed('the frame benchmark prints something else now')
    label = f'{int(said[0][1]) / MB:.1f} million spans, {MANY[1]:,} ranks, {int(said[1][1]):,} rows'
    for name, what in deeds.items():
        yield Row(f'rows-{name.replace(" ", "-")}', f'{what} and the frame, {label}, the longest', f'{seen[name]:.2f} ms', f'{FRAME_MS} ms',
                  seen[name] / FRAME_MS, wanted=1)
    found = run_json([bench.program('tests/bench/bench-ask', 'is not built: no GTK'), 'gemm', '--made', *MANY])
    parts = {'search': (f'first results of “gemm”, {found["found"]:,}', 50), 'letter_first': ('main thread, the first letter typed', FRAME_MS),
             'letter': ('main thread, a letter typed', FRAME_MS), 'answer': ('main thread, results shown, only matching rows', FRAME_MS)}
    for key, (what, allowed_ms) in parts.items():
        yield Row(f'rows-{key.replace("_", "-")}', f'search in many rows: {what}', f'{found[key]:.2f} ms', f'{allowed_ms} ms', found[key] / allowed_ms, wanted=1)


def ask(bench, plan):
    program = bench.program('tests/bench/bench-ask', 'is not built: no GTK')
    kind, size, common, rare = ('lean', '10G', 'linear.f', 'linear.f7') if plan['huge'] else ('kineto', plan['size'], COMMON, RARE)
    paths, stand_in = bench.inputs(kind, size), not plan['huge']
    seen = {text: run_json([program, text, *paths]) for text in (common, rare)}
    many, few = seen[common], seen[rare]
    label = f'{many["spans"] / MB:.2f} million spans'
    yield Row('details', f'details of a span, args included, {label}, median', f'{many["details"]:.3f} ms', '5 ms', many['details'] / 5,
              wanted=1, stand_in=stand_in)
    yield Row('search-first', f'first results of “{common}”, {label}', f'{many["search"]:.2f} ms', '50 ms', many['search'] / 50,
              wanted=1, stand_in=stand_in)
    for word, one, text in (('rare', few, rare), ('common', many, common)):
        yield Row(f'search-{word}', f'all {one["found"]:,} of “{text}”, {label}', f'{one["search"]:.2f} ms',
                  f'one pass over the name column {one["pass"]:.2f} ms', one['search'] / one['pass'], wanted=1, stand_in=stand_in)


def selection(bench, plan):
    """Measures the table of a selected range; the reference is one pass over the columns of its spans. The run is generated in memory
    and is the same in every set."""
    program = bench.program('tests/bench/bench-selection')
    few, many = ([run_json([program, *size]) for _ in range(3)] for size in ((1000, 8), (10000, 64)))
    small, big, plain = (statistics.median(one[key] for one in rounds) for rounds, key in ((few, 'table'), (many, 'table'), (many, 'pass')))
    label = f'{many[0]["spans"] / MB:.1f} million spans, {many[0]["names"]} names'
    yield Row('selection', f'the Selection table of a range, {label}', f'{big:.1f} ms',
              f'one plain pass over start, duration and name {plain:.1f} ms', big / plain, wanted=3)
    times = many[0]['spans'] / few[0]['spans']
    yield Row('selection-growth', f'the Selection table, growth from {few[0]["spans"] / MB:.1f} million spans', f'{big:.1f} ms', f'{times:.1f} × less: {small:.1f} ms',
              big / small, wanted=11)


def query(bench, plan):
    """Measures queries over a generated run; the reference is SQLite with the same queries over the exported file."""
    seen = run_json([bench.program('tests/bench/bench-query'), 100, 8])
    label = f'{seen["spans"] / MB:.1f} million spans'
    yield Row('query-pass', f'SQL: sum of all durations, {label}', f'{seen["scan"]:.1f} ms', f'one plain pass over three columns {seen["pass"]:.1f} ms',
              seen['scan'] / seen['pass'], wanted=3)
    yield Row('query-rows', f'SQL: sum of an expression, row by row, {label}', f'{seen["rows"]:.1f} ms',
              f'SQLite over a table that costs nothing {seen["floor"]:.1f} ms', seen['rows'] / seen['floor'], wanted=2)
    for key, what, wanted in (('scan', 'sum of all durations', 0.5), ('name', 'count and sum of one name', 0.5), ('like', 'names that match a pattern', 0.5)):
        yield Row(f'query-{key}', f'SQL: {what}, {label}', f'{seen[key]:.1f} ms', f'its exported file {seen[key + "_file"]:.1f} ms',
                  seen[key] / seen[key + '_file'], wanted=wanted)
    for key, what in (('id', 'a span by its id'), ('range', 'spans by name and range')):
        yield Row(f'query-{key}', f'SQL: {what}, {label}', f'{seen[key]:.3f} ms', '1 ms', seen[key], wanted=1)
    _, text = run([bench.program('tests/bench/bench-query'), 20, 8, '--queries', HERE / 'query-ratios.sql'])
    lines = text.strip().splitlines()
    live, stored, ratio, sql = max((line.split(None, 3) for line in lines[:-1]), key=lambda parts: float(parts[2]))
    yield Row('query-file', f'SQL: the query with the largest ratio, of {len(lines) - 1}: {sql}', f'{live} ms', f'its exported file {stored} ms',
              float(ratio), wanted=0.5)
    cold = run_json([bench.program('tests/bench/bench-query'), 300, 16, '--lookups'])
    label = f'{cold["spans"] / MB:.1f} million spans, caches cold'
    yield Row('query-cold-pass', f'SQL: sum of all durations, {label}', f'{cold["scan"]:.1f} ms',
              f'one plain pass over three columns {cold["pass"]:.1f} ms', cold['scan'] / cold['pass'], wanted=3)
    for key, what in (('first', 'the first lookup by name and range of a run'), ('range', 'spans by name and range'), ('id', 'a span by its id')):
        yield Row(f'query-cold-{key}', f'SQL: {what}, {label}', f'{cold[key]:.3f} ms', '1 ms', cold[key], wanted=1)


def tree(bench, plan):
    """Measures the call tree of all CPU threads and the table of operators; the reference is loading the same file."""
    program = bench.program('tests/bench/bench-selection')
    seen = [run_json([program, '0', '1', *bench.inputs('kineto', plan['size'])]) for _ in range(3)]
    loaded = statistics.median(one['load'] for one in seen)
    for word, what, wanted in (('tree', 'the call tree, top-down', 0.5), ('tree_up', 'the call tree, bottom-up', 0.5),
                               ('operators', 'operators, with shapes', 3)):
        ours = statistics.median(one[word] for one in seen)
        yield Row(word.replace('_', '-'), f'{what}, {seen[0]["spans"] / MB:.2f} million spans', f'{ours:.1f} ms', f'loading {loaded:.1f} ms',
                  ours / loaded, wanted=wanted, stand_in=plan['stand_in'])


def on_display(bench):
    """Returns a command that runs and watches a program on a separate display, and its environment."""
    watcher = bench.program('tests/bench/bench-start', 'is not built: no GTK, libX11 or libXdamage')
    for tool in ('xvfb-run', 'dbus-run-session'):
        if shutil.which(tool) is None:
            raise Missing(f'{tool} is not installed')
    env = dict(os.environ, GSK_RENDERER='cairo', GDK_BACKEND='x11', GSETTINGS_BACKEND='memory', LC_ALL='C.UTF-8',
               GSETTINGS_SCHEMA_DIR=str(bench.build / 'data'))
    env.pop('WAYLAND_DISPLAY', None)
    # Uses separate XDG folders: files opened here must not appear in the user's recent files or sessions.
    home = bench.cache / 'home'
    shutil.rmtree(home, ignore_errors=True)
    env |= {f'XDG_{kind}_HOME': str(home / kind.lower()) for kind in ('DATA', 'CONFIG', 'STATE')}
    return ['dbus-run-session', '--', 'xvfb-run', '-a', '-s', '-screen 0 1600x900x24', watcher], env


def start(bench, plan):
    display, env = on_display(bench)
    sample = Path(__file__).resolve().parents[2] / 'data' / 'sample'
    ours = [bench.program('src/app/traceloom', 'is not built: no GTK'), sample]
    empty = [bench.program('tests/bench/ref-empty-window', 'is not built: no GTK')]
    seen = take_turns({'ours': lambda: run_json([*display, *ours], env=env),
                       'empty': lambda: run_json([*display, *empty], env=env)}, 5)
    yield compare('start', 'start to window with the sample run shown (last large painting)', seen['ours'], seen['empty'], key='shown',
                  below_name='empty libadwaita window', wanted=2.5)
    yield compare('start-first', 'start to first picture', seen['ours'], seen['empty'], key='first', below_name='empty libadwaita window')


def watch_load(bench, paths):
    """Returns the figures of the program's own watchdog for one load into a new window, in seconds."""
    display, env = on_display(bench)
    program = bench.program('src/app/traceloom', 'is not built: no GTK')
    text = run([*display, f'--rest={LOAD_REST_S}', program, *paths], env=env | {'LOOM_WATCH_STALLS': str(FRAME_MS)},
               stderr=subprocess.STDOUT)[1]
    picture = re.search(r'^load: first picture ([\d.]+) ms', text, re.MULTILINE)
    load = re.search(r'^load: longest turn ([\d.]+) ms, most computing ([\d.]+) ms; .* one ([\d.]+) ms', text, re.MULTILINE)
    if not picture or not load:
        raise Failed('the program says nothing of its load')
    values = [float(number) / 1000 for number in (picture[1], *load.groups())]
    return dict(zip(('picture', 'turn', 'computing', 'frame'), values))


def window(bench, plan):
    """Measures the time to the first picture, and the main loop and frames while loading. Other programs on the machine affect all
    figures except `computing`."""
    rows = (('picture', 'first source ready to its picture', 300, 1), ('turn', 'longest turn of the main loop', FRAME_MS, 1),
            ('computing', 'most computing in a turn', FRAME_MS, 1), ('frame', 'longest wait for a frame', FRAME_MS, None))
    for files in (1, 8, plan['files']):
        paths, seen = bench.inputs('kineto', plan['size'], files), Samples()
        seen.rounds = [watch_load(bench, paths) for _ in range(5)]
        for key, what, allowed_ms, wanted in rows:
            ratios = [one[key] * 1000 / allowed_ms for one in seen.rounds]
            label = f'loading {plan["size"]}' if files == 1 else f'loading {files} files, {plan["size"]} together'
            yield Row(f'window-{key}-{files}', f'{label} into a window: {what}', duration(seen[key]), f'{allowed_ms} ms',
                      statistics.median(ratios), (min(ratios), max(ratios)), wanted=wanted, stand_in=plan['stand_in'])


def ten_gigabytes(bench, plan):
    if not plan['huge']:
        yield Row('10G', '10 GB, 70 million events', note='measured with BENCH=huge only')
        return
    small, big = bench.inputs('lean', '1G'), bench.inputs('lean', '10G')
    seen = take_turns({'1G': bench.load(small), '10G': bench.load(big)}, 2)
    times = os.path.getsize(big[0]) / os.path.getsize(small[0])
    yield Row('10G', f'load 10 GB, {seen["10G"].last("events") / MB:.0f} million events', duration(seen['10G']['wall']),
              f'1 GB {duration(seen["1G"]["wall"])}, {times:.1f} × smaller', seen['10G']['wall'] / seen['1G']['wall'], wanted=11)
    peak, _ = peak_memory([bench.program('tests/bench/bench-load'), *big])
    yield Row('10G-peak', 'load 10 GB, peak of anonymous memory', memory(peak), '6 GB', peak / 6e9, wanted=1)


def report(bench, plan):
    """Measures all analyses of a job with as many spans as samples. A span or a sample takes about 125 bytes, so 280 MB contain about
    1.1 million spans and 1.1 million samples."""
    program, sizes = bench.program('src/cli/traceloom-cli'), plan['jobs']
    inputs = {size: bench.inputs('job', size, 2) for size in sizes}
    runs = {'load': bench.load(inputs['280M'])}
    for size in sizes:
        command = [program, 'report', '--quiet', '--format', 'json', *inputs[size]]
        runs[size] = lambda command=command: run_quietly(command)
    seen = take_turns(runs, 3)
    yield compare('report', f'load and report on a million spans and a million samples (of {seen["load"].last("events"):,} events)',
                  seen['280M'], seen['load'], below_name='loading', wanted=3)
    small, big = sizes
    times = sum(map(os.path.getsize, inputs[big])) / sum(map(os.path.getsize, inputs[small]))
    yield Row('report-growth', f'load and report, from {small} to {big}', duration(seen[big]['wall']),
              f'{times:.1f} × {duration(seen[small]["wall"])}', seen[big]['wall'] / seen[small]['wall'] / times, wanted=1.1,
              stand_in=plan['stand_in'])


def rules(bench, plan):
    """Measures SageMaker's rules and the rules in data/rules on a million samples; the reference is loading the
    samples. The number of samples is the same in every set."""
    folder = Path(__file__).resolve().parents[2] / 'data' / 'rules'
    samples = bench.inputs('job', '280M', 2)[1]
    seen = run_json([bench.program('tests/bench/bench-rules'), folder, samples])
    label = f'{seen["n_rules"]} rules on {seen["samples"] / MB:.2f} million samples'
    evaluating = seen['rules'] + seen['own']
    yield Row('rules', label, f'{evaluating:.1f} ms', f'loading them {seen["load"]:.1f} ms', evaluating / seen['load'], wanted=1)
    yield Row('rules-frame', 'rules on a million samples, including the data frame that they read', f'{evaluating + seen["frame"]:.1f} ms', f'loading {seen["load"]:.1f} ms',
              (evaluating + seen['frame']) / seen['load'], wanted=1)


def path(bench, plan):
    """Measures the critical path with its savings, compared with two references: the time to load the same file, and the time of the
    critical path of a file that has about a tenth of the size."""
    program = bench.program('tests/bench/bench-path')
    small, big = ([run_json([program, *bench.inputs('kineto', size)]) for _ in range(3)] for size in plan['sizes'][-2:])
    few, many, loaded = (statistics.median(one[key] for one in rounds) for rounds, key in ((small, 'path'), (big, 'path'), (big, 'load')))
    label = f'{big[0]["spans"] / MB:.1f} million spans, {big[0]["works"]:,} kernels and copies'
    yield Row('path', f'the critical path of {label}', f'{many:.1f} ms', f'loading them {loaded:.1f} ms', many / loaded, wanted=2,
              stand_in=plan['stand_in'])
    times = big[0]['spans'] / small[0]['spans']
    yield Row('path-growth', f'the critical path, growth from {small[0]["spans"] / MB:.2f} million spans', f'{many:.1f} ms', f'{times:.1f} × less: {few:.1f} ms', many / few,
              wanted=1.1 * times, stand_in=plan['stand_in'])


def indexes(bench, plan):
    """Measures joining the indexes of many ranks, and opening the joined file."""
    cli, n = bench.program('src/cli/traceloom-cli'), plan['ranks']
    folders = [run([sys.executable, HERE / 'make-indexes.py', bench.cache, ranks, cli])[1].strip() for ranks in (n // 10, n)]
    files = [bench.cache / f'indexes-{ranks}.loomrun' for ranks in (n // 10, n)]
    times = {i: Samples() for i in (0, 1)}
    for _ in range(3):
        for i in (0, 1):
            times[i].rounds.append({'wall': run_afresh([cli, 'index', '--quiet', '--join', folders[i], '-o', files[i]], files[i])})
    yield Row('join', f'join the indexes of {n:,} ranks', duration(times[1]['wall']), '60 s', times[1]['wall'] / 60, wanted=1,
              stand_in=plan['stand_in'])
    yield Row('join-growth', 'join the indexes, growth from a tenth of the ranks', duration(times[1]['wall']), f'10 × {duration(times[0]["wall"])}',
              times[1]['wall'] / times[0]['wall'] / 10, wanted=1.1)
    opened = take_turns({'run': bench.load([files[1]])}, 3)['run']
    yield Row('join-open', f'open the joined run, {opened.last("spans") / MB:.1f} million spans', duration(opened['wall']), '2 s', opened['wall'] / 2,
              wanted=1, stand_in=plan['stand_in'])
    peak, _ = peak_memory([bench.program('tests/bench/bench-load'), files[1]])
    yield Row('join-peak', 'open the joined run, peak of anonymous memory', memory(peak), '3 GB', peak / 3e9, wanted=1, stand_in=plan['stand_in'])
    spans, seen = parse_frames(run([bench.program('tests/draw/bench-frames'), files[1]])[1])
    yield Row('join-frames', f'frame 1920×1080 of the joined run, {spans / MB:.1f} million spans, p99, wall', duration(seen[1]), '8 ms', seen[1] / 0.008,
              wanted=1, stand_in=plan['stand_in'])
    seen = watch_load(bench, [files[1]])
    yield Row('join-picture', 'open the joined run in a window: time from the first loaded source to its picture', duration(seen['picture']), '500 ms', seen['picture'] / 0.5,
              wanted=1, stand_in=plan['stand_in'])


SETTLE_S = 0.12  # seconds without a change of the view after which the window reads the events of a rank (src/core/details)


def make_index(cli, paths, folder):
    """Returns a function that makes the indexes of the paths afresh and returns the wall seconds that this takes."""
    def make():
        shutil.rmtree(folder, ignore_errors=True)
        return {'wall': run([cli, 'index', '--quiet', *paths, '-o', folder])[0]}
    return make


def index_cost(bench, plan):
    """Measures making the indexes of traces; the reference is loading the same files."""
    cli, size, folder = bench.program('src/cli/traceloom-cli'), plan['size'], bench.cache / 'index-cost'
    inputs = {'a file': bench.inputs('kineto', size), 'a .gz': bench.inputs('kineto', size, gzip=True),
              '64 files': bench.inputs('kineto', size, 64), f'{plan["files"]} files': bench.inputs('kineto', size, plan['files'])}
    for label, paths in inputs.items():
        seen = take_turns({'index': make_index(cli, paths, folder), 'load': bench.load(paths)}, 3)
        yield compare(f'index-cost-{len(paths)}{"-gz" if label == "a .gz" else ""}', f'make the indexes of {label}, {size} together', seen['index'],
                      seen['load'], below_name='loading', wanted=1.3)


def ranges(bench, plan):
    """Measures reading a range of one rank from a .gz through serve, while only its index is open. At most three times the compressed
    size of the range may be read, for a range as long as a view. Decompression can start only at restart points, some MB apart, so
    shorter ranges read relatively more."""
    cli, size = bench.program('src/cli/traceloom-cli'), plan['size']
    packed, raw = (Path(bench.inputs('kineto', size, gzip=gzip)[0]) for gzip in (True, False))
    folder = bench.cache / f'range-index-{size}'
    run([cli, 'index', '--quiet', packed, '-o', folder])
    index, = folder.glob('*.loomidx')
    command = shlex.join([str(cli), 'serve', '--stdio', str(packed)])
    rounds = [run_json([bench.program('tests/bench/bench-range'), index, command, plan['view']]) for _ in range(3)]
    first = statistics.median(one['first'] for one in rounds)
    wanted_bytes = rounds[0]['text'] * packed.stat().st_size / raw.stat().st_size
    label = f'read {rounds[0]["events"]:,} events of one rank of a .gz of {memory(packed.stat().st_size)} through serve'
    yield Row('range', label, duration(first), f'0.5 s less {duration(SETTLE_S)}', first / (0.5 - SETTLE_S), wanted=1, stand_in=plan['stand_in'])
    yield Row('range-bytes', 'read that range through serve: bytes read', memory(rounds[0]['read']), f'the range, packed: {memory(wanted_bytes)}',
              rounds[0]['read'] / wanted_bytes, wanted=3, stand_in=plan['stand_in'])
    share = index.stat().st_size / packed.stat().st_size
    yield Row('index-size', 'size of the index of the .gz', memory(index.stat().st_size), f'3 % of it: {memory(0.03 * packed.stat().st_size)}', share / 0.03,
              wanted=1)


CHAPTERS = {'load': load, 'memory': memory_of_load, 'growth': growth, 'huge': ten_gigabytes, 'kinds': kinds, 'json-glib': json_glib, 'databases': databases, 'protobuf': protobuf,
            'merge': merge, 'frames': frames, 'rows': rows, 'ask': ask, 'selection': selection, 'query': query, 'tree': tree, 'report': report, 'rules': rules, 'path': path, 'indexes': indexes, 'index-cost': index_cost, 'ranges': ranges, 'start': start,
            'window': window}
