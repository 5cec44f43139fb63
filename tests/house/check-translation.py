#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks translations.

check-translation.py files: every file with text for users is listed in po/POTFILES.

check-translation.py rules > po/rules.c: extracts the texts of the shipped rules for xgettext.

check-translation.py texts XGETTEXT-ARG…: po/traceloom.pot is up to date, its texts are translatable, and every language
of po/LINGUAS is complete."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from house import ROOT, SRC, Tap

sys.path.insert(0, str(ROOT / 'tests' / 'tools'))
import catalog  # noqa: E402

PO = ROOT / 'po'
POT = PO / 'traceloom.pot'
RULES = PO / 'rules.c'
QUERIES = PO / 'queries.c'
MARKED = re.compile(r'\b(?:_|C_|N_|NC_|n?gettext|g_dn?gettext|g_dpgettext2|loom_import_log_add|loom_import_log_add_n|loom_import_log_printf|loom_profiler_config_note|loom_error_set_from_errno) ?\(')
DESKTOP = ['.desktop.in', '.gschema.xml', '.metainfo.xml.in', '.mime.xml.in']


def listed(name):
    lines = (line.split('#')[0].strip() for line in (PO / name).read_text().splitlines())
    return [line for line in lines if line]


def speaks(path):
    """Returns True if a source file passes a string literal to one of the functions that MARKED matches. A definition of such a
    function does not count."""
    text = re.sub(r'/\*.*?\*/', '', path.read_text(), flags=re.DOTALL)
    return any(re.search(r'"', text[found.end():].split(';')[0]) for found in MARKED.finditer(text))


def with_text():
    sources = [path for path in SRC.rglob('*.[ch]') if speaks(path)]
    templates = [path for path in (ROOT / 'ui').rglob('*.ui') if 'translatable="yes"' in path.read_text()]
    desktop = [path for path in (ROOT / 'data').iterdir() if path.name.endswith(tuple(DESKTOP))]
    return {str(path.relative_to(ROOT)) for path in [*sources, *templates, *desktop, RULES, QUERIES]}


def rule_texts():
    """Returns C source with the texts of rule files, because xgettext does not read JSON."""
    lines = ['/* SPDX-License-Identifier: Apache-2.0', ' *', ' * Texts of data/rules for xgettext; not compiled. Written by “tests/house/check-translation.py rules”.', ' */']
    for path in sorted((ROOT / 'data' / 'rules').glob('*.json')):
        for rule in json.loads(path.read_text())['rules']:
            lines += [f'N_ ({json.dumps(rule[key], ensure_ascii=False)}),' for key in ('about', 'measures', 'sentence', 'headline') if key in rule]
    return '\n'.join(lines) + '\n'


def stale_rules():
    return '' if RULES.read_text() == rule_texts() else 'run “tests/house/check-translation.py rules > po/rules.c”'


def missing_files():
    return '\n'.join(sorted(with_text() - set(listed('POTFILES'))))


def silent_files():
    return '\n'.join(sorted(set(listed('POTFILES')) - with_text()))


def unsorted_files():
    return '' if listed('POTFILES') == sorted(set(listed('POTFILES'))) else 'by name, each once'


# --- the texts -----------------------------------------------------------------------------------------------------


def gathered(args):
    """Returns the messages that xgettext finds in the sources; its warnings are errors."""
    done = subprocess.run(['xgettext', *args, '--files-from=po/POTFILES', '--directory=.', '--output=-'], cwd=ROOT,
                          capture_output=True, text=True)
    if done.returncode != 0 or 'warning' in done.stderr:
        raise SystemExit(f'xgettext: {done.stderr}')
    return done.stdout


def key(message):
    return (message.context, message.id, message.plural)


def facts(message):
    return (message.comments, sorted(message.files), sorted(message.flags))


def shown(keys):
    return '\n'.join(repr(known[1]) for known in keys)


def stale(text):
    now = {key(message): facts(message) for message in catalog.parse(text) if message.id}
    kept = {key(message): facts(message) for message in catalog.parse(POT.read_text()) if message.id}
    changed = [known for known in {**now, **kept} if now.get(known) != kept.get(known)]
    return f'run “meson compile -C BUILD traceloom-pot”; other than in the sources:\n{shown(changed)}' if changed else ''


def styled(messages):
    """Yields messages that violate the style: one ellipsis character, typographic quotes (except in JSON), no
    exclamation marks, no leading or trailing blanks, which translators overlook."""
    for message in messages:
        for text in filter(None, (message.id, message.plural)):
            quotes = '"' in text and 'custom-rule' not in str(message.files)
            blanks = re.search(r'^ (?!·)|(?<!·) $', text) and not message.comments
            if quotes or blanks or '...' in text or '!' in text:
                yield message


def unplural(messages):
    """Yields plural messages without a number, and nouns written with "(s)"."""
    for message in messages:
        if '(s)' in message.id or message.plural and '%' not in message.plural:
            yield message


def bare(messages):
    """Yields single lower-case words without context or comment, because they could be a noun, a verb or part of a
    sentence."""
    for message in messages:
        if re.fullmatch(r'[a-z]+', message.id) and not message.context and not message.comments:
            yield message


def named(messages):
    return '\n'.join(f'{message.id!r} in {" ".join(message.files)}' for message in messages)


def incomplete(language, pot):
    """Returns what is missing in a language: messages, or agreement with format strings."""
    po = PO / f'{language}.po'
    done = subprocess.run(['msgfmt', '--check', '--output-file=/dev/null', po], capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr
    with tempfile.TemporaryDirectory() as folder:
        now = Path(folder) / 'now.pot'
        now.write_text(pot)
        merged = subprocess.run(['msgmerge', '--quiet', '--no-fuzzy-matching', '--output-file=-', po, now],
                                capture_output=True, text=True, check=True).stdout
    lacking = [message.id for message in catalog.parse(merged) if message.id and
               ('fuzzy' in message.flags or not all(text for name, text in message.texts.items() if name.startswith('msgstr')))]
    changed = [message.id for message in catalog.parse(merged) if message.id and not message.plural and
               placeholders(message.id) != placeholders(message.texts['msgstr'])]
    return '\n'.join(map(repr, lacking + changed))


def breakable():
    """Returns German texts in which a factor such as “6,0-mal” could be broken into two lines after its hyphen. It needs a non-breaking
    hyphen (U+2011)."""
    messages = catalog.parse((PO / 'de.po').read_text())
    return '\n'.join(text for message in messages for text in message.texts.values() if re.search(r'[\w%]-(?:mal|Fache)\b', text))


def placeholders(text):
    """Returns the placeholders of a rule's sentence; msgfmt checks only those of printf."""
    return sorted(re.findall(r'\{[a-z]+\}', text))


def items_of(menu):
    """Yields items and submenus that are visible together, including those of sections, as catalog key and English
    text."""
    for element in menu:
        if element.tag == 'section':
            yield from items_of(element)
        elif element.tag in ('item', 'submenu'):
            label = element.find("attribute[@name='label']")
            yield label.get('context'), label.text


# Pairs of labels of a row's menu. The menu contains one label of each pair at a time, depending on the state of the
# row.
STATES = [('_Expand', 'Collaps_e'), ('Remove _Overlay', '_Overlay on Spans'), ('Un_pin', '_Pin to Top')]


def menus():
    for path in sorted((ROOT / 'ui').glob('*.ui')):
        for element in ElementTree.parse(path).iter():
            if element.tag in ('menu', 'submenu'):
                yield list(items_of(element))
    yield from menus_of_rows()
    for name in ('export-dialog', 'preferences'):
        text = (ROOT / 'ui' / f'loom-{name}.ui').read_text()
        yield [(None, label) for label in re.findall('translatable="yes">([^<]*_[^<]*)<', text)]


def menus_of_rows():
    """Yields the menus of a row with a span and of a row with counters, in both states of the row."""
    for parts in (('span-menu', 'row-menu'), ('row-menu', 'counter-actions')):
        text = ''.join((ROOT / 'src/widgets/timeline' / f'loom-{name}.c').read_text() for name in parts)
        labels = re.findall(r'\b(?:_|ngettext) \("([^"]*_[^"]*)"', text)
        for state in range(2):
            yield [(None, label) for label in labels if label not in [pair[1 - state] for pair in STATES]]


def shared_letters(language):
    """Returns items of one menu with the same mnemonic, and items without a mnemonic."""
    said = {}
    if language != 'en':
        said = {(message.context, message.id): message.texts.get('msgstr', message.texts.get('msgstr[0]'))
                for message in catalog.parse((PO / f'{language}.po').read_text())}
    for items in menus():
        labels = [said.get(item) or item[1] for item in items]
        letters = [(re.findall('_(.)', label.lower()) or [''])[0] for label in labels]
        for letter in sorted(set(letters)):
            those = [label for label, own in zip(labels, letters) if own == letter]
            if letter == '' or len(those) > 1:
                yield ', '.join(map(repr, those))


def check_files(tap):
    tap.add('every file with translatable text is in po/POTFILES', missing_files)
    tap.add('every file in po/POTFILES exists and has text', silent_files)
    tap.add('po/POTFILES is sorted', unsorted_files)
    tap.add('po/rules.c has the texts of data/rules', stale_rules)


def check_texts(tap, args):
    if not shutil.which('xgettext') or not Path('/usr/share/gettext/its/metainfo.its').exists():
        print('1..0 # SKIP no gettext, or no rules for its reading of metainfo')
        sys.exit(0)
    text = gathered(args)
    messages = [message for message in catalog.parse(text) if message.id]
    tap.add('po/traceloom.pot is up to date', lambda: stale(text))
    tap.add('texts follow the style rules', lambda: named(styled(messages)))
    tap.add('plural texts contain the number', lambda: named(unplural(messages)))
    tap.add('short words have a context or a comment', lambda: named(bare(messages)))
    for language in listed('LINGUAS'):
        tap.add(f'{language} is complete', lambda language=language: incomplete(language, text))
    tap.add('German factors are not broken into two lines', breakable)
    for language in ['en', *listed('LINGUAS')]:
        tap.add(f'mnemonics are unique in each menu in {language}', lambda language=language: '\n'.join(shared_letters(language)))


def main(what, *args):
    tap = Tap()
    if what == 'rules':
        return print(rule_texts(), end='')
    if what == 'files':
        check_files(tap)
    else:
        check_texts(tap, args)
    tap.run()


main(*sys.argv[1:])
