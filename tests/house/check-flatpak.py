#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the Flatpak manifest requests exactly the permissions that the program needs, and that the files it names
exist."""

import re
import sys
import xml.etree.ElementTree as tree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import ROOT, Tap  # noqa: E402

ID = 'io.github.traceloom.Traceloom'
NEEDED = {'--socket=wayland', '--socket=fallback-x11', '--share=ipc', '--device=dri'}
MANIFEST = ROOT / 'flatpak' / f'{ID}.yml'


def value_of(text, key):
    found = re.findall(rf"^{key}: *'?([^'\n]+)'?$", text, re.MULTILINE)
    assert len(found) == 1, f'{key}: {found}'
    return found[0]


def check_names(text):
    metainfo = tree.parse(ROOT / 'data' / f'{ID}.metainfo.xml.in').getroot()
    assert value_of(text, 'app-id') == ID == metainfo.findtext('id')
    assert value_of(text, 'command') in [binary.text for binary in metainfo.iter('binary')]


def check_runtime(text):
    assert value_of(text, 'runtime') == 'org.gnome.Platform' and value_of(text, 'sdk') == 'org.gnome.Sdk'
    assert int(value_of(text, 'runtime-version')) >= 50


def check_permissions(text):
    block = re.search(r'^finish-args:\n((?:  - .*\n)+)', text, re.MULTILINE).group(1)
    assert set(re.findall(r'- (\S+)', block)) == NEEDED, block


def check_sources(text):
    """Every download in the manifest must be pinned by a checksum or a commit. The source of the program itself must be
    the parent folder of the manifest."""
    for source in re.split(r'^ {6}- ', text, flags=re.MULTILINE)[1:]:
        kind = re.match(r'type: (\w+)', source)
        if kind is None:
            continue
        pinned = {'dir': 'path: ..', 'archive': 'sha256:', 'git': 'commit:', 'file': 'sha256:'}[kind.group(1)]
        assert pinned in source, source


def check_indent(text):
    for number, line in enumerate(text.splitlines(), 1):
        assert '\t' not in line and line == line.rstrip() and (len(line) - len(line.lstrip())) % 2 == 0, f'line {number}: {line!r}'


def main():
    text = MANIFEST.read_text(encoding='utf-8')
    tap = Tap()
    for name, check in (('names', check_names), ('runtime', check_runtime), ('permissions', check_permissions),
                        ('sources are pinned', check_sources), ('indentation', check_indent)):
        tap.case(name, check, text)
    tap.done()


if __name__ == '__main__':
    main()
