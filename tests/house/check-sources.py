#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks every source file: the first line (after `#!` or `<?xml`) names the license, its layer is known to house.py, no include
bypasses the include directories with a path, texts of unknown length are truncated before they are shown, and no comment
contains a phrase of retired-phrases.txt."""

import re
from pathlib import Path

from house import KNOWS, ROOT, SRC, Tap

PHRASES = Path(__file__).resolve().parent / 'retired-phrases.txt'
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/', re.DOTALL)

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


def phrases():
    lines = [line.rsplit(' => ', 1) for line in PHRASES.read_text().splitlines() if line and not line.startswith('#')]
    return [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in lines]


def comments(path):
    """Returns the comments of a C source, each on one line and without /*, */ and the asterisks at the begin of
    lines."""
    found = (token for token in TOKEN.findall(path.read_text()) if token.startswith('/*'))
    return [' '.join(re.sub(r'\n\s*\* ?', ' ', token[2:-2]).split()) for token in found]


def check_phrases():
    known = phrases()
    found = [(path, pattern.search(text), instead) for path in sorted(SRC.rglob('*.[ch]'))
             for text in comments(path) for pattern, instead in known]
    return '\n'.join(f'{path.relative_to(ROOT)}: “{match[0].strip()}”: write {instead}' for path, match, instead in found if match)


def named(paths):
    return '\n'.join(str(path.relative_to(ROOT)) for path in paths)


def main():
    tap, layers = Tap(), [path for path in SRC.iterdir() if path.is_dir()]
    tap.add('every source file has a license line', lambda: named(path for path in sources() if not has_licence(path)))
    tap.add('every folder in src is a layer', lambda: named(path for path in layers if path.name not in KNOWS))
    tap.add('every include is a name, not a path', lambda: named(filter(walks_around, SRC.rglob('*.[ch]'))))
    tap.add('texts of unknown length are truncated before they are shown',
            lambda: named(path for layer in ('app', 'widgets') for path in (SRC / layer).rglob('*.c') if shows_uncut(path)))
    tap.add('retired-phrases.txt lists phrases', lambda: '' if phrases() else 'none')
    tap.add('no comment contains a retired phrase', check_phrases)
    tap.add('toasts are added in one place, and none is dismissed',
            lambda: named(path for path in (SRC / 'app').rglob('*.c')
                          if 'adw_toast_dismiss (' in path.read_text() or 'adw_toast_overlay_dismiss' in path.read_text()
                          or (path.name != 'loom-toasts.c' and 'adw_toast_overlay_add_toast (' in path.read_text())))
    tap.run()


main()
