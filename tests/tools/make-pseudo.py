#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a pseudo-translation, in which every text is in brackets, has accents and is a third longer. On screen it
shows which texts are not marked for translation, which are joined from parts, and which are cut off.

make-pseudo.py FOLDER [rtl] writes FOLDER/eo/LC_MESSAGES/traceloom.mo.

With `rtl` texts are enclosed in marks that make them run from right to left. Run with `LC_ALL=C.UTF-8 LANGUAGE=eo
LOOM_LOCALE_DIR=FOLDER build/src/app/traceloom`."""

import re
import subprocess
import sys
from pathlib import Path

import catalog

ROOT = Path(__file__).resolve().parent.parent.parent
# Unchanged: printf directives, entities, tags, placeholders of rules, and the mark of a mnemonic.
KEPT = re.compile(r'(%(?:\d+\$)?[-+ #0\']*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|j|z|<PRI[a-z0-9]+>)?[a-zA-Z%]|%<PRI[a-z0-9]+>|&[a-z]+;|</?[a-z][^>]*>|\{[a-z]+\}|_)')
ACCENTS = str.maketrans('aceinouyACEINOUY', 'áçéíñöúýÁÇÉÍÑÖÚÝ')
HEADER = 'Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\nLanguage: eo\n'


def pseudo(text, marks):
    parts = KEPT.split(text)
    words = ''.join(part if i % 2 else part.translate(ACCENTS) for i, part in enumerate(parts))
    more = '~' * max(1, len(re.sub(KEPT, '', text)) // 3)
    begin, end = re.match(r'\s*', words).group(), re.search(r'\s*$', words).group()
    return f'{begin}{marks[0]}{words.strip()}{more}{marks[1]}{end}'


def main(folder, direction='ltr'):
    marks = ('\u202e[', ']\u202c') if direction == 'rtl' else ('[', ']')
    place = Path(folder) / 'eo' / 'LC_MESSAGES'
    place.mkdir(parents=True, exist_ok=True)
    lines = [f'msgid ""\nmsgstr {catalog.quoted(HEADER)}\n']
    for message in catalog.parse((ROOT / 'po' / 'traceloom.pot').read_text()):
        if message.id:
            plural = message.plural and pseudo(message.plural, marks)
            lines.append(catalog.written(message, pseudo(message.id, marks), plural))
    po = place / 'traceloom.po'
    po.write_text('\n'.join(lines))
    subprocess.run(['msgfmt', '--check-format', '--output-file', place / 'traceloom.mo', po], check=True)


main(*sys.argv[1:])
