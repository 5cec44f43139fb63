#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The user guide, in every language: the pages of data/help/C, built like them, part of the program, and in the words of the window.

A page is built like another when it has the same headings, paragraphs and items in the same order, with as many strong words in
each, and the same commands. A strong word that the window says too is translated as there.
"""

import re
import sys

from house import ROOT, Tap

sys.path.insert(0, str(ROOT / 'tests' / 'tools'))
import catalog  # noqa: E402

HELP = ROOT / 'data' / 'help'
RESOURCES = ROOT / 'ui' / 'traceloom.gresource.xml'
STRONG, TYPED = re.compile(r'\*\*(.+?)\*\*'), re.compile(r'`(.+?)`')


def languages():
    return [line for line in (ROOT / 'po' / 'LINGUAS').read_text().splitlines() if line and not line.startswith('#')]


def pages():
    return sorted(path.name for path in (HELP / 'C').iterdir())


def typed(line):
    """What is typed, without the words that stand for what a person fills in."""
    return [[word for word in text.split() if word.isascii() and not word.isupper()] for text in TYPED.findall(line)]


def build(line):
    kind = re.match(r'#+ |- |', line).group()
    return (kind, bool(line), len(STRONG.findall(line)), typed(line))


def lines(language, page):
    return (HELP / language / page).read_text().splitlines()


def unlike(language):
    """Pages and lines that are built otherwise than those of C."""
    found = sorted(path.name for path in (HELP / language).iterdir())
    if found != pages():
        return f'pages: {found}'
    wrong = []
    for page in pages():
        here, there = lines(language, page), lines('C', page)
        wrong += [f'{page}: {len(here)} lines, not {len(there)}'] if len(here) != len(there) else []
        wrong += [f'{page}: {mine!r} for {its!r}' for mine, its in zip(here, there) if build(mine) != build(its)]
    return '\n'.join(wrong)


def bare(text):
    """A label without its mnemonic and its dots."""
    return re.sub(r'\(_\w\)|_|[\s\u00a0]*…', '', text).casefold()


def words(language):
    """What the window says, and the ways in which it says it in a language."""
    said = {}
    for message in catalog.parse((ROOT / 'po' / f'{language}.po').read_text()):
        if message.id and not message.plural:
            said.setdefault(bare(message.id), set()).add(bare(message.texts['msgstr']))
    return said


def otherwise(language):
    """Strong words that the window says otherwise."""
    said, wrong = words(language), []
    for page in pages():
        for mine, its in zip(lines(language, page), lines('C', page)):
            for word, original in zip(STRONG.findall(mine), STRONG.findall(its)):
                known = said.get(bare(original), {bare(word)})
                is_name = word == original and word.islower()  # of a layout
                if not is_name and bare(word) not in known:
                    wrong.append(f'{page}: “{word}” for “{original}”; the window says {known}')
    return '\n'.join(wrong)


def not_in_the_program():
    listed = set(re.findall(r'>help/(\S+)</file>', RESOURCES.read_text()))
    there = {f'{language}/{page}' for language in ['C', *languages()] for page in pages()}
    return '\n'.join(sorted(listed ^ there))


def main():
    tap = Tap()
    tap.add('every page in every language is part of the program', not_in_the_program)
    for language in languages():
        tap.add(f'the guide in {language} is built like the one in C', lambda language=language: unlike(language))
        tap.add(f'the guide in {language} has the words of the window', lambda language=language: otherwise(language))
    tap.run()


main()
