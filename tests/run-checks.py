#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds and runs every test twice, plain (warnings are errors) and under the address and undefined behaviour
sanitizers, and prints one line with the totals of both logs. Each subtest of a TAP program counts as a test.

tests/run-checks.py [--long] [plain] [sanitize] [-- arguments of `meson test`, e.g. --suite unit]

With --long the tests that otherwise use a seeded sample of their cases (suite `long`) use all cases, which takes much longer."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# name: build folder, configuration, factor for the time limits of tests, excluded suites. The house suites are excluded
# from the second build, because they check sources and installation. Options keep the builds short: debug information
# is for sanitizer reports only, and sanitized code is hardly optimised, as the sanitizers' documentation advises. Sanitized
# programs are linked to a fixed address, because each start would relocate half a million pointers of the sanitizers' tables.
RUNS = {
    'plain': ('build-check', ['--werror', '-Ddebug=false'], 2, []),
    'sanitize': ('build-sanitize', ['-Db_sanitize=address,undefined', '-Db_lundef=false', '-Doptimization=1',
                                    '-Dc_args=-fno-omit-frame-pointer -g1', '-Dc_link_args=-no-pie'], 5, ['house', 'translation']),
}

BESIDE = '--build-beside'  # option with which this program calls itself
# niceness of a background build, which gives it a tenth of a test's share of the processors; at 19 it would hardly progress
BEHIND = 10
LONG_PATIENCE = 60  # factor for the time limits with --long

TAP_LINE = re.compile(r'^(not )?ok\b[^#]*(?:#\s*(skip|todo))?', re.IGNORECASE)
TAP_SKIP_ALL = re.compile(r'^1\.\.0\s*#\s*skip', re.IGNORECASE)
GOOD = {'OK', 'EXPECTEDFAIL'}


def environment(is_long=False):
    """Returns the environment of tests, which is the same on every machine: language, settings, software renderer, and
    sanitizers that stop at the first error.

    Three checks of the address sanitizer, which take a third of its time, run only with --long: use of stack memory after
    return, use of freed memory that has left a quarantine of 32 MB, and the bounds of both strings of strstr(). Duplicate
    global names are not checked, because the linker reports them."""
    address = 'allocator_may_return_null=1:detect_odr_violation=0'
    address += ':detect_stack_use_after_return=1' if is_long else ':quarantine_size_mb=32:intercept_strstr=0'
    house = ROOT / 'tests' / 'house'
    env = dict(os.environ, LC_ALL='C.UTF-8', GSETTINGS_BACKEND='memory', GSK_RENDERER='cairo', GDK_BACKEND='x11',
               G_SLICE='always-malloc', XDG_CONFIG_DIRS=f'{house}/config:/etc/xdg',
               ASAN_OPTIONS=address,
               UBSAN_OPTIONS='halt_on_error=1:print_stacktrace=1',
               LSAN_OPTIONS=f'suppressions={house}/leaks.supp:print_suppressions=0')
    env.setdefault('MESON_TESTTHREADS', str(os.cpu_count() + 1))  # tests wait for nearly half of their time
    if not is_long:
        env.setdefault('LOOM_SEED', '1')  # a fixed sample, so that a failure is caused by a change and not by chance
    for name in ('LANGUAGE', 'WAYLAND_DISPLAY', 'DESTDIR', 'MAKEFLAGS', 'MAKELEVEL', 'MFLAGS'):
        env.pop(name, None)
    return env


def with_display(command):
    """Prefixes a command with its own display and session bus, or uses those of the machine if the tools are missing."""
    if shutil.which('dbus-run-session'):
        command = ['dbus-run-session', '--', *command]
    if shutil.which('xvfb-run'):
        command = ['xvfb-run', '-a', '-s', '-screen 0 1600x900x24 -noreset', *command]
    return command


def build(folder, options):
    if not (folder / 'build.ninja').exists():
        # About two hundred programs are linked; gold takes a third of the default linker's time.
        linker = {'CC_LD': 'gold'} if shutil.which('ld.gold') else {}
        subprocess.run(['meson', 'setup', '-Dgui=enabled', '-Db_pch=true', *options, folder, ROOT], check=True, env=linker | os.environ)
    # ccache caches compilations with precompiled headers only with these options.
    ccache = {'CCACHE_SLOPPINESS': 'pch_defines,time_macros'}
    subprocess.run(['meson', 'compile', '-C', folder], check=True, env=ccache | os.environ)


class BuildBeside:
    """Builds in the background with low priority while tests of another build run. These tests leave the processor idle
    for nearly half of their time."""

    def __init__(self, name):
        self.log = tempfile.TemporaryFile(mode='w+', errors='replace')
        self.process = subprocess.Popen([sys.executable, __file__, BESIDE, name], stdout=self.log, stderr=subprocess.STDOUT,
                                        start_new_session=True)

    def finish(self):
        set_niceness(0, self.process.pid)  # restores the priority, if permitted, because no tests run any more
        if self.process.wait() != 0:
            self.log.seek(0)
            print(self.log.read())
            raise subprocess.CalledProcessError(self.process.returncode, self.process.args)

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)


def set_niceness(niceness, leader):
    """Sets the niceness of a process group. Also sets that of its session (autogroup), because Linux may first divide
    the processor time among sessions, and only then among the processes of each session."""
    try:
        os.setpriority(os.PRIO_PGRP, leader, niceness)
        Path(f'/proc/{leader}/autogroup').write_text(str(niceness))
    except OSError:
        pass


def count_tap(text):
    counts = Counter()
    for line in text.splitlines():
        if match := TAP_LINE.match(line):
            counts['skipped' if match[2] else 'failed' if match[1] else 'passed'] += 1
        elif TAP_SKIP_ALL.match(line):
            counts['skipped'] += 1
    return counts


def count_test(record, protocol):
    """Returns the numbers of passed, failed and skipped subtests of a test. A test that failed as a whole (crash, time
    limit, leak at exit) counts as at least one failure."""
    result = record['result']
    if protocol == 'tap':
        counts = count_tap(record['stdout'] or '')
        if result not in GOOD | {'SKIP'} and counts['failed'] == 0:
            counts['failed'] += 1
        return counts
    return Counter({'passed' if result in GOOD else 'skipped' if result == 'SKIP' else 'failed': 1})


def read_log(folder):
    log = folder / 'meson-logs' / 'testlog.json'
    records = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    for record in records:
        record['name'] = record['name'].split(' / ', 1)[-1]  # without "project:suite / "
    return records


def shown(text, limit=200):
    lines = [line for line in (text or '').splitlines() if not line.startswith('ok ')]
    cut = [f'… {len(lines) - limit} lines left out …'] if len(lines) > limit else []
    return '\n'.join(cut + lines[-limit:])


def failed_parts(record):
    """Returns the failed subtests of a record; if there are none, the result of the whole test."""
    lines = [line for line in (record['stdout'] or '').splitlines() if line.startswith('not ok')]
    return lines or [record['result']]


def count_run(name, folder, records, selected, left_out, failures):
    """Counts the results of a run. Appends a line to `failures` for each failure, to be printed at the end."""
    introspected = subprocess.run(['meson', 'introspect', '--tests', folder], check=True, capture_output=True).stdout
    protocols = {test['name']: test['protocol'] for test in json.loads(introspected)
                 if not left_out & {suite.split(':')[-1] for suite in test['suite']}}
    total = Counter()
    for record in records:
        counts = count_test(record, protocols[record['name']])
        total += counts
        if counts['failed']:
            print(f"\n=== {name}: {record['name']}: {record['result']}", shown(record['stdout']),
                  shown(record.get('stderr')), sep='\n')
            failures += [f"{name}: {record['name']}: {part}" for part in failed_parts(record)]
    missing = [] if selected else sorted(protocols.keys() - {record['name'] for record in records})
    for test in missing:
        print(f'\n=== {name}: {test}: did not run')
        failures.append(f'{name}: {test}: did not run')
    total['failed'] += len(missing)
    return total


def run(name, arguments, is_long, built_beside, is_built, failures):
    """Runs the tests of a build. Calls `is_built` as soon as the programs of the build are compiled, before its tests
    run."""
    folder_name, options, patience, left_out = RUNS[name]
    left_out = [] if arguments else left_out
    patience *= LONG_PATIENCE if is_long else 1
    folder = ROOT / folder_name
    start = time.monotonic()
    try:
        if built_beside:
            built_beside.finish()
        else:
            build(folder, options)
        built = time.monotonic()
        is_built()
        (folder / 'meson-logs' / 'testlog.json').unlink(missing_ok=True)
        status = subprocess.run(with_display(['meson', 'test', '-C', str(folder), '--no-rebuild',
                                              '--timeout-multiplier', str(patience),
                                              *[part for suite in left_out for part in ('--no-suite', suite)], *arguments]),
                                env=environment(is_long) | ({'LOOM_LONG': '1'} if is_long else {})).returncode
        counts = count_run(name, folder, read_log(folder), bool(arguments), set(left_out), failures)
    except (subprocess.CalledProcessError, OSError) as error:
        print(f'{name}: {error}', file=sys.stderr)
        return Counter(failed=1)
    if status != 0 and counts['failed'] == 0 or sum(counts.values()) == 0:
        print(f'{name}: meson test ended with status {status}', file=sys.stderr)
        counts['failed'] += 1
    beside = 'beside the tests before it and in ' if built_beside else 'in '
    print(f'{name}: built {beside}{built - start:.0f} s, tested in {time.monotonic() - built:.0f} s')
    return counts


def run_all(names, arguments, is_long, failures):
    """Runs the builds one after another; while one is tested the next one is built."""
    total, beside = Counter(), {}
    try:
        for name, following in zip(names, [*names[1:], None]):
            total += run(name, arguments, is_long, beside.get(name),
                         lambda: beside.update({following: BuildBeside(following)}) if following else None,
                         failures)
    finally:
        for build in beside.values():
            build.stop()
    return total


def main(argv):
    if argv[:1] == [BESIDE]:
        set_niceness(BEHIND, os.getpid())
        return build(ROOT / RUNS[argv[1]][0], RUNS[argv[1]][1])
    split = argv.index('--') if '--' in argv else len(argv)
    names, arguments = argv[:split], argv[split + 1:]
    is_long = '--long' in names
    names = [name for name in names if name != '--long']
    if unknown := set(names) - RUNS.keys():
        sys.exit(f"Unknown build: {', '.join(sorted(unknown))}; known builds are {', '.join(RUNS)}")
    sys.stdout.reconfigure(line_buffering=True, errors='replace')
    failures = []
    with tempfile.TemporaryDirectory(prefix='traceloom-check-') as generated:
        os.environ['LOOM_GENERATED'] = generated  # runs that tests of both builds generate, each once
        total = run_all(names or list(RUNS), arguments, is_long, failures)
    skipped = f", {total['skipped']} skipped" if total['skipped'] else ''
    if failures:
        print('\nFailed:', *failures, sep='\n  ')
    print(f"{total['passed']} passed, {total['failed']} failed{skipped}")
    return 1 if total['failed'] else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
