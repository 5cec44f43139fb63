#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What every source file shows on its face: the licence in its first line (behind `#!` or `<?xml`), a layer that the
tests know, and no include that walks around the include directories."""

import re
from functools import partial

from house import KNOWS, ROOT, SRC, Tap

SUFFIXES = {'.c', '.h', '.py', '.sh', '.css', '.ui', '.mk'}
NAMES = {'meson.build', 'Makefile', 'run', 'install-packages'}
FOLDERS = ['src', 'tests', 'ui', 'data', 'po', '.ci']


def sources():
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob('*')
             if path.is_file() and (path.suffix in SUFFIXES or path.name in NAMES)]
    return sorted(path for path in [*found, ROOT / 'meson.build', ROOT / 'Makefile']
                  if 'data/sample' not in str(path) and '__pycache__' not in str(path))


def check_licence(path):
    lines = path.read_text().splitlines()
    if lines and lines[0].startswith(('#!', '<?xml')):
        lines = lines[1:]
    return '' if lines and 'SPDX-License-Identifier: Apache-2.0' in lines[0] else 'no SPDX line at the top'


def check_includes(path):
    walks = re.findall(r'^\s*#\s*include\s*"[^"]*/[^"]*"', path.read_text(), re.MULTILINE)
    return '\n'.join(f'a path in {walk.strip()}' for walk in walks)


def main():
    tap = Tap()
    for folder in sorted(path.name for path in SRC.iterdir() if path.is_dir()):
        tap.add(f'src/{folder} is a layer', lambda f=folder: '' if f in KNOWS else 'add it to tests/house/house.py')
    for path in sources():
        name = path.relative_to(ROOT)
        tap.add(f'{name} names its licence', partial(check_licence, path))
        if path.is_relative_to(SRC) and path.suffix in ('.c', '.h'):
            tap.add(f'{name} includes by name', partial(check_includes, path))
    tap.run()


main()
