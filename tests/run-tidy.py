#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy 14 with the checks of .clang-tidy over C sources and prints each finding once.

  run-tidy.py BUILD [--since COMMIT | PATH…]

With paths, checks these files, or all sources below these folders. Otherwise checks the sources that differ from COMMIT (default:
the merge base with origin/main); for a changed header, checks the source of the same name."""

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIDY = shutil.which('clang-tidy-14') or shutil.which('clang-tidy')
FINDING = re.compile(r'^(.+?):(\d+):(\d+): (?:error|warning): (.*)$')


def git(*words):
    return subprocess.run(['git', '-C', ROOT, *words], capture_output=True, text=True).stdout.split('\n')


def changed(since):
    base = since or (git('merge-base', 'HEAD', 'origin/main')[0] or 'HEAD')
    names = {name for name in [*git('diff', '--name-only', base), *git('ls-files', '--others', '--exclude-standard')] if name}
    return {(ROOT / name).with_suffix('.c') if name.endswith('.h') else ROOT / name for name in names}


def chosen(words, known):
    if words[:1] == ['--since']:
        wanted = changed(words[1])
    elif words:
        paths = [Path(word).resolve() for word in words]
        wanted = {file for file in known if any(file == path or path in file.parents for path in paths)}
    else:
        wanted = changed(None)
    return sorted(wanted & known)


def check(build, file):
    done = subprocess.run([TIDY, '--quiet', '-p', build, f'--extra-arg=-I{ROOT}/src', str(file)], capture_output=True, text=True)
    return done.stdout + (done.stderr if 'Error while processing' in done.stderr and not FINDING.search(done.stdout) else '')


def main(build, *words):
    if TIDY is None:
        sys.exit('clang-tidy is not installed (Debian: clang-tidy)')
    commands = json.loads((Path(build) / 'compile_commands.json').read_text())
    known = {Path(command['directory'], command['file']).resolve() for command in commands}
    files = chosen(list(words), {file for file in known if ROOT in file.parents and Path(build).resolve() not in file.parents})
    found = set()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for text in pool.map(lambda file: check(build, file), files):
            for line in text.splitlines():
                if match := FINDING.match(line):
                    path = os.path.relpath(os.path.normpath(os.path.join(build, match[1])), ROOT)
                    found.add(f'{path}:{match[2]}:{match[3]}: {match[4]}')
    print(*sorted(found), f'{len(files)} files checked, {len(found)} findings', sep='\n')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
