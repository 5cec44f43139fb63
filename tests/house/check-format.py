#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every C file is formatted by clang-format 14 with the project's .clang-format. Other versions format
differently, so without this version the check is skipped. To fix: clang-format -i FILE."""

import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count

from house import ROOT

VERSION = 14
TOOLS = ('clang-format-14', 'clang-format')


def formatter():
    for tool in filter(shutil.which, TOOLS):
        version = re.search(r'version (\d+)', subprocess.run([tool, '--version'], text=True, capture_output=True).stdout)
        if version and int(version[1]) == VERSION:
            return tool
    return None


def unformatted(tool, path):
    text = path.read_bytes()
    return subprocess.run([tool, '--style=file', f'--assume-filename={path}'], input=text, capture_output=True).stdout != text


def main():
    tool = formatter()
    print('TAP version 13\n1..1')
    if not tool:
        print(f'ok 1 # SKIP no clang-format {VERSION}')
        return
    paths = sorted(path for folder in ('src', 'tests') for path in (ROOT / folder).rglob('*.[ch]'))
    with ThreadPoolExecutor(cpu_count()) as pool:
        wrong = [path for path, is_wrong in zip(paths, pool.map(lambda path: unformatted(tool, path), paths)) if is_wrong]
    for path in wrong:
        print(f'# {path.relative_to(ROOT)} is not formatted')
    print(f"{'not ok' if wrong or not paths else 'ok'} 1 {len(paths)} files are formatted")
    sys.exit(1 if wrong or not paths else 0)


main()
