#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks properties of every source file: the licence in its first line (after `#!` or `<?xml`), a layer known to the
tests, and no include with a path that bypasses the include directories."""

import re

from house import KNOWS, ROOT, SRC, Tap

SUFFIXES = {'.c', '.h', '.py', '.sh', '.css', '.ui', '.mk'}
NAMES = {'meson.build', 'Makefile', 'run', 'install-packages'}
FOLDERS = ['src', 'tests', 'ui', 'data', 'po', '.ci']


def sources():
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob('*')
             if path.is_file() and (path.suffix in SUFFIXES or path.name in NAMES)]
    return sorted(path for path in [*found, ROOT / 'meson.build', ROOT / 'Makefile']
                  if 'data/sample' not in str(path) and '__pycache__' not in str(path))


def has_licence(path):
    lines = path.read_text().splitlines()
    if lines and lines[0].startswith(('#!', '<?xml')):
        lines = lines[1:]
    return bool(lines) and 'SPDX-License-Identifier: Apache-2.0' in lines[0]


def walks_around(path):
    return re.search(r'^\s*#\s*include\s*"[^"]*/', path.read_text(), re.MULTILINE)


def without_breaks(text):
    """Returns the text without comments and with each call on one line."""
    return re.sub(r'(?<=[(,])\s*\n\s*', ' ', re.sub(r'/\*.*?\*/', '', text, flags=re.DOTALL))


# String literals and NULL may be shown directly; all other texts must use loom-bounded-text.h, which truncates them.
def shows_uncut(path):
    if path.name.startswith('loom-bounded-text.'):
        return False
    calls = re.findall(r'\b(?:gtk_label_new|gtk_label_set_text|gtk_inscription_set_text|gtk_tooltip_set_text|gtk_widget_set_tooltip_text|'
                       r'gtk_widget_create_pango_layout) \((.*)', without_breaks(path.read_text()))
    return any(not re.match(r'(?:[^"]*, )?(?:NULL|"[^"]*"|C?_ \(")', call) for call in calls)


def named(paths):
    return '\n'.join(str(path.relative_to(ROOT)) for path in paths)


def main():
    tap, layers = Tap(), [path for path in SRC.iterdir() if path.is_dir()]
    tap.add('every source names its licence', lambda: named(path for path in sources() if not has_licence(path)))
    tap.add('every folder in src is a layer', lambda: named(path for path in layers if path.name not in KNOWS))
    tap.add('every include is a name, not a path', lambda: named(filter(walks_around, SRC.rglob('*.[ch]'))))
    tap.add('texts of any length are cut before they are shown',
            lambda: named(path for layer in ('app', 'widgets') for path in (SRC / layer).rglob('*.c') if shows_uncut(path)))
    tap.add('toasts are added in one place, and none is dismissed',
            lambda: named(path for path in (SRC / 'app').rglob('*.c')
                          if 'adw_toast_dismiss (' in path.read_text() or 'adw_toast_overlay_dismiss' in path.read_text()
                          or (path.name != 'loom-toasts.c' and 'adw_toast_overlay_add_toast (' in path.read_text())))
    tap.run()


main()
