#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the examples of the developer's guide to files. Usage: extract.py GUIDE ROOT FOLDER DEPFILE FILE…

A block “```c PATH” is a new file. A block “```diff PATH” changes a copy of ROOT/PATH: its lines without + must occur
there exactly once and are replaced by its lines without -. The files are written to FOLDER by base name and must match
FILE…, in the order of the guide. Links to all headers of the same layers are created in FOLDER, because an include in a header
searches the header's own folder first and must find the changed headers there."""

import re
import sys
from pathlib import Path

BLOCK = re.compile(r'^```(c|diff) (\S+)\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def change(text, diff, path):
    lines = diff.splitlines()
    if any(line[:1] not in (' ', '+', '-') for line in lines):
        sys.exit(f'{path}: every line of a block of changes must begin with a blank, + or -')
    before = ''.join(f'{line[1:]}\n' for line in lines if line[0] != '+')
    after = ''.join(f'{line[1:]}\n' for line in lines if line[0] != '-')
    if text.count(before) != 1:
        sys.exit(f'{path}: these lines must occur once, but occur {text.count(before)} times:\n{before}')
    return text.replace(before, after)


def texts(guide, root):
    found = {}
    for kind, path, text in BLOCK.findall(guide):
        if kind == 'c' and (path in found or (root / path).exists()):
            sys.exit(f'{path}: the guide calls this a new file, but it exists')
        found[path] = text if kind == 'c' else change(found.get(path) or (root / path).read_text(), text, path)
    return {Path(path).name: text for path, text in found.items() if not path.endswith('meson.build')}


def link_headers(folders, target, names):
    for header in (header for folder in folders for header in folder.glob('*.h') if header.name not in names):
        (target / header.name).unlink(missing_ok=True)
        (target / header.name).symlink_to(header)


def main(guide, root, folder, depfile, *names):
    guide_text, root, folder = Path(guide).read_text(), Path(root), Path(folder)
    found, paths = texts(guide_text, root), {root / path for _, path, _ in BLOCK.findall(guide_text)}
    if list(found) != list(names):
        sys.exit(f'the files in the guide are not those listed in meson.build: {" ".join(found)}')
    link_headers({path.parent for path in paths}, folder, names)
    for name, text in found.items():
        (folder / name).write_text(text)
    read = sorted({path for path in paths if path.exists()} | {path.parent for path in paths})
    Path(depfile).write_text(f'{folder / names[0]}: {" ".join(str(path).replace(" ", chr(92) + " ") for path in read)}\n')


main(*sys.argv[1:])
