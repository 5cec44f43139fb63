#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the user guide in every language: it has the pages of data/help/C with the same structure, all pages are part
of the program, and it uses the words of the window.

Two pages have the same structure if they have the same headings, paragraphs and items in the same order, each with the
same number of words in bold (**word**), the same commands, and links to the same pages. A word in bold that occurs in
the window must be translated as in the window. The text of a link is the title of its page."""

import re
import sys

from house import ROOT, Tap

sys.path.insert(0, str(ROOT / 'tests' / 'tools'))
import catalog  # noqa: E402

HELP = ROOT / 'data' / 'help'
RESOURCES = ROOT / 'ui' / 'traceloom.gresource.xml'
STRONG, TYPED, LINK = re.compile(r'\*\*(.+?)\*\*'), re.compile(r'`(.+?)`'), re.compile(r'\[([^]]+)\]\(([^)]+)\)')


def languages():
    return [line for line in (ROOT / 'po' / 'LINGUAS').read_text().splitlines() if line and not line.startswith('#')]


def pages():
    return sorted(path.name for path in (HELP / 'C').iterdir())


def typed(line):
    """Returns, for each part of a line between backquotes, its words without placeholders, which are written in
    capitals or in another script."""
    return [[word for word in text.split() if word.isascii() and not word.isupper()] for text in TYPED.findall(line)]


def build(line):
    kind = re.match(r'#+ |- |', line).group()
    return (kind, bool(line), len(STRONG.findall(line)), typed(line), [page for _, page in LINK.findall(line)])


def lines(language, page):
    return (HELP / language / page).read_text().splitlines()


def unlike(language):
    """Returns pages and lines whose structure differs from that of the English pages (C)."""
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
    """Returns a label without its mnemonic and trailing dots."""
    return re.sub(r'\(_\w\)|_|[\s\u00a0]*…', '', text).casefold()


def words(language):
    """Returns the messages of the window, each with its translations in a language."""
    said = {}
    for message in catalog.parse((ROOT / 'po' / f'{language}.po').read_text()):
        if message.id and not message.plural:
            said.setdefault(bare(message.id), set()).add(bare(message.texts['msgstr']))
    return said


def otherwise(language):
    """Returns the words in bold (**word**) of the pages that are translated differently in the window."""
    said, wrong = words(language), []
    for page in pages():
        for mine, its in zip(lines(language, page), lines('C', page)):
            for word, original in zip(STRONG.findall(mine), STRONG.findall(its)):
                known = said.get(bare(original), {bare(word)})
                is_name = word == original and word.islower()  # name of an export layout
                if not is_name and bare(word) not in known:
                    wrong.append(f'{page}: “{word}” for “{original}”; the window says {known}')
    return '\n'.join(wrong)


def titled_otherwise(language):
    """Returns links whose text is not the title of the page they lead to."""
    titles = {page: lines(language, page)[0].removeprefix('# ') for page in pages()}
    return '\n'.join(f'{page}: “{text}” leads to {target}, which is “{titles.get(target)}”' for page in pages()
                     for line in lines(language, page) for text, target in LINK.findall(line) if titles.get(target) != text)


def not_in_the_program():
    listed = set(re.findall(r'>help/(\S+)</file>', RESOURCES.read_text()))
    there = {f'{language}/{page}' for language in ['C', *languages()] for page in pages()}
    return '\n'.join(sorted(listed ^ there))


def main():
    tap = Tap()
    tap.add('every page in every language is part of the program', not_in_the_program)
    for language in ['C', *languages()]:
        tap.add(f'links of the guide in {language} bear the titles of pages', lambda language=language: titled_otherwise(language))
    for language in languages():
        tap.add(f'the guide in {language} is built like the one in C', lambda language=language: unlike(language))
        tap.add(f'the guide in {language} has the words of the window', lambda language=language: otherwise(language))
    tap.run()


main()
