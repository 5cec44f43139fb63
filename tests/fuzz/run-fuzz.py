#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every fuzz target of a build for a given time and reports the result.

tests/fuzz/run-fuzz.py BUILD SECONDS [TARGET…]

A target starts with the cases of its folder here, with fixtures of other tests that it can read, and with interesting
inputs of earlier runs (BUILD/corpus/TARGET). Findings are stored in BUILD/findings; after the fix a finding is added to
the target's folder, where `make check` replays it. Exit status 1 if there was a finding."""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
CASES = TESTS / 'import' / 'cases'
SEPARATOR = b'\x1e'  # between the files of one case, see fuzz-trace.h
MOST_BYTES = 4096  # maximum size of an input
ONE_RUN_SECONDS = 90  # slower runs count as findings; wall time
MEMORY_MB = 3000

LAST_LINE = re.compile(r'cov: (\d+) ft: (\d+) corp: (\d+)/')
STAT_LINE = re.compile(r'stat::(\w+):\s+(\d+)')


def environment():
    house = TESTS / 'house'
    return dict(os.environ, G_SLICE='always-malloc', LC_ALL='C.UTF-8',
                ASAN_OPTIONS='detect_stack_use_after_return=1:allocator_may_return_null=1:'
                             'quarantine_size_mb=32:malloc_context_size=12',
                UBSAN_OPTIONS='halt_on_error=1:print_stacktrace=1',
                LSAN_OPTIONS=f'suppressions={house}/leaks.supp:print_suppressions=0')


def fixtures(name):
    """Yields the bytes of other tests' files that a target can use."""
    if name.startswith('import-') or name in ('merge', 'scanner', 'sniff', 'walk'):
        for case in sorted(path for path in CASES.iterdir() if path.is_dir()):
            files = [path.read_bytes() for path in sorted(case.rglob('*')) if path.is_file() and path.name != 'expected.txt']
            if name == 'sniff':
                yield from (f'{case.name}.json\n'.encode() + content for content in files)
            elif name in ('scanner', 'walk'):
                yield from files
            else:
                yield SEPARATOR.join(files[:3])
    elif name.startswith('gzip'):
        yield from (path.read_bytes() for path in sorted(CASES.rglob('*.gz')))


def put_seeds(name, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for i, content in enumerate(fixtures(name)):
        if len(content) <= MOST_BYTES:
            (folder / f'fixture-{i}').write_bytes(content)


def dictionary(name):
    own = HERE / f'{name}.dict'
    return own if own.exists() else HERE / 'json.dict'


def run(program, build, seconds):
    name = program.name.removeprefix('fuzz-')
    corpus, seeds, findings, log = (build / 'corpus' / name, build / 'seeds' / name, build / 'findings', build / 'logs' / f'{name}.txt')
    for folder in (corpus, findings, log.parent):
        folder.mkdir(parents=True, exist_ok=True)
    put_seeds(name, seeds)
    own = [HERE / name] if (HERE / name).is_dir() else []
    with open(log, 'wb') as out:
        status = subprocess.run([program, f'-max_total_time={seconds}', f'-timeout={ONE_RUN_SECONDS}', f'-rss_limit_mb={MEMORY_MB}',
                                 f'-max_len={MOST_BYTES}', '-print_final_stats=1', '-entropic=0', f'-dict={dictionary(name)}', f'-artifact_prefix={findings}/{name}-',
                                 corpus, *own, seeds], env=environment(), stdout=out, stderr=out).returncode
    return name, status, log


def report(name, status, log):
    text = log.read_text(errors='replace')
    stats = dict(STAT_LINE.findall(text))
    cov, ft, corpus = (LAST_LINE.findall(text) or [('?', '?', '?')])[-1]
    print(f"{name:22} {stats.get('number_of_executed_units', '?'):>10} runs {stats.get('average_exec_per_sec', '?'):>7}/s  "
          f"cov {cov:>5}  ft {ft:>6}  corpus {corpus:>5}  {'good' if status == 0 else f'FINDING, see {log}'}", flush=True)
    return status == 0


def main(argv):
    if len(argv) < 2:
        sys.exit(__doc__)
    build, seconds, chosen = Path(argv[0]).resolve(), int(argv[1]), argv[2:]
    programs = sorted(path for path in (build / 'tests').rglob('fuzz-*') if path.is_file() and os.access(path, os.X_OK))
    if chosen:
        programs = sorted((path for path in programs if path.name.removeprefix('fuzz-') in chosen),
                          key=lambda path: chosen.index(path.name.removeprefix('fuzz-')))
    if not programs:
        sys.exit(f'No such target below {build}/tests; is it a build with -Dfuzz=true?')
    good = True
    with ThreadPoolExecutor(max_workers=max(1, min(2, os.cpu_count() or 1))) as pool:
        for result in pool.map(lambda program: run(program, build, seconds), programs):
            good &= report(*result)
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
