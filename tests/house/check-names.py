#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks names of files, functions and parameters.
- A public function begins with the stem of its header (singular or plural), so that a name in a backtrace leads to its
file.
- Each file name is used once in src, because includes name files without folders.
- No public name and no file name contains a word of retired.txt, a list of words that names must no longer contain.
- A parameter has the same name in the header and in the source."""

import re
from collections import defaultdict
from pathlib import Path

from house import ROOT, SRC, Tap

RETIRED = Path(__file__).resolve().parent / 'retired.txt'
COMMENT = re.compile(r'/\*.*?\*/', re.DOTALL)
PROTOTYPE = re.compile(r'^(?:[\w*]+ )+\**(loom_\w+) \(|^(loom_\w+) \(', re.MULTILINE)
PUBLIC = re.compile(r'\b(?:loom_\w+|Loom[A-Z]\w*|LOOM_\w+)')
INSIDE = r'(?:[^();{}]|\([^()]*\))*'
DECLARATION = re.compile(rf'\b(loom_\w+) \(({INSIDE})\)\s*(?:;|G_GNUC)')
PARAMETER = re.compile(r'.*?[\s*](\w+)(?:\[\w*\])?', re.DOTALL)
WORD = re.compile(r'[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+')


def headers():
    return sorted(SRC.rglob('loom-*.h'))


def stem_of(path):
    return path.stem.removeprefix('loom-').removesuffix('-private').replace('-', '_')


def carries(name, stem):
    stems = {stem, stem + 's', stem.removesuffix('s'), re.sub('y$', 'ies', stem)}
    return any(name == f'loom_{each}' or name.startswith(f'loom_{each}_') for each in stems)


def strangers(path):
    names = [match[1] or match[2] for match in PROTOTYPE.finditer(COMMENT.sub('', path.read_text()))]
    return [name for name in names if not carries(name, stem_of(path))]


def check_stems():
    found = [(path, name) for path in headers() for name in strangers(path)]
    return '\n'.join(f'{path.relative_to(ROOT)}: {name} does not begin with loom_{stem_of(path)}_' for path, name in found)


def check_files():
    places = defaultdict(list)
    for path in sorted(SRC.rglob('loom-*.[ch]')):
        places[path.name].append(str(path.relative_to(ROOT)))
    return '\n'.join(' and '.join(same) for same in places.values() if len(same) > 1)


def retired():
    lines = [line.split() for line in RETIRED.read_text().splitlines() if line and not line.startswith('#')]
    return {line[0]: ' '.join(line[1:]) for line in lines}


def words_of(name):
    """Returns `LoomRowList` and `loom_row_list` as "-loom-row-list-"."""
    return '-'.join(['', *(word.lower() for part in re.split('[-_]', name) for word in WORD.findall(part)), ''])


def check_words():
    words, problems = retired(), []
    for path in sorted(SRC.rglob('loom-*.[ch]')):
        names = {path.name.removesuffix(path.suffix)}
        if path.suffix == '.h':
            names |= set(PUBLIC.findall(COMMENT.sub('', path.read_text())))
        for name in sorted(names):
            problems += [f'{path.relative_to(ROOT)}: {name}: write {words[word]} for {word}'
                         for word in sorted(words) if f'-{word}-' in words_of(name)]
    return '\n'.join(problems)


def parameters(text):
    """Returns the names of parameters; None for a parameter without a name, as in prototypes of function pointers."""
    depth, parts = 0, ['']
    for letter in text:
        depth += {'(': 1, ')': -1}.get(letter, 0)
        if letter == ',' and depth == 0:
            parts.append('')
        else:
            parts[-1] += letter
    found = [PARAMETER.fullmatch(part.strip()) for part in parts]
    return [match[1] if match else None for match in found]


def differing(path, source):
    """Yields (function, name in the header, name in the source) for parameters of the header `path` whose names differ."""
    code = COMMENT.sub('', source.read_text())
    for declared in DECLARATION.finditer(COMMENT.sub('', path.read_text())):
        defined = re.search(rf'^{declared[1]} \((' + INSIDE + r')\)\s*\{', code, re.MULTILINE)
        if defined:
            pairs = zip(parameters(declared[2]), parameters(defined[1]))
            yield from ((declared[1], one, other) for one, other in pairs if one and other and one != other)


def check_parameters():
    found = [(path, *names) for path in headers() if path.with_suffix('.c').exists() for names in differing(path, path.with_suffix('.c'))]
    return '\n'.join(f'{path.relative_to(ROOT)}: {function}: {one} is {other} in the source' for path, function, one, other in found)


def main():
    tap = Tap()
    tap.add('headers and retired words are found', lambda: '' if headers() and retired() else 'none')
    tap.add('names of public functions begin with the stem of their header', check_stems)
    tap.add('each file name is used once', check_files)
    tap.add('no public name contains a retired word', check_words)
    tap.add('parameters have the same name in header and source', check_parameters)
    tap.run()


main()
