#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the test suites of all layers below the window under the thread sanitizer. Uses a GLib that build-glib.py builds with the
sanitizer, because Debian's GLib causes false reports. If this GLib cannot be built, says so and passes.

tests/check-threads.py [arguments of `meson test`]"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = 'build-threads'
PATIENCE = 20
UNAVAILABLE = 77


def load_checks():
    spec = importlib.util.spec_from_file_location('run_checks', HERE / 'run-checks.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(arguments):
    checks = load_checks()
    glib = subprocess.run([HERE / 'build-glib.py', checks.ROOT / 'build-tsan'], stdout=subprocess.PIPE, text=True)
    if glib.returncode == UNAVAILABLE:
        print('The thread sanitizer was not run')
        return 0
    if glib.returncode != 0:
        return 1
    library = next(Path(glib.stdout.strip()).glob('**/libglib-2.0.so')).parent
    os.environ.update(PKG_CONFIG_PATH=str(library / 'pkgconfig'), LD_LIBRARY_PATH=str(library),
                      TSAN_OPTIONS=f'suppressions={HERE}/house/races.supp:print_suppressions=0:second_deadlock_stack=1')
    checks.RUNS = {'threads': (FOLDER, ['-Dgui=disabled', '-Db_sanitize=thread', '-Db_lundef=false',
                                        '-Dc_args=-fno-omit-frame-pointer'], PATIENCE, [])}
    checks.with_display = lambda command: command
    counts = checks.run('threads', ['--no-suite', 'house', *arguments], False, None, lambda: None)
    log = checks.ROOT / FOLDER / 'meson-logs' / 'testlog.txt'
    n_reports = log.read_text(errors='replace').count('WARNING: ThreadSanitizer') if log.exists() else 0
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped, {n_reports} reports of the thread sanitizer")
    return 1 if counts['failed'] or n_reports else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
