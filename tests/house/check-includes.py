#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every source includes what it uses, directly or through headers of the project. With src/precompiled.h
the compiler does not report missing includes. The compiler is asked which names an external header declares; a file
that uses such a name must reach a header that declares it. Usage: check-includes.py BUILD_DIR"""

import re
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from os import cpu_count

from house import ROOT, SRC, Compiler, Tap

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^\s*#\s*include[^\n]*', re.DOTALL | re.MULTILINE)
# Names that the project does not declare itself: types, functions and macros of the libraries, and functions of the
# C library.
NAME = re.compile(r'\b(?:(?:(?:g|gtk|gdk|gsk|adw|json|pango|cairo)_\w+|(?:Gtk|Gdk|Gsk|Adw|Json|Pango|G)[A-Z]\w+'
                  r'|(?:G|GTK|GDK|GSK|ADW|JSON|PANGO|CAIRO)_[A-Z]\w+|errno|INFINITY|NAN|M_PI)\b'
                  r'|(?:_|N_|C_|NC_|(?:mem|str)[a-z]+|is(?:nan|inf|finite)|l?l?round|fabs|fmin|fmax|fmod|modf|floor|ceil|trunc|pow|sqrt|exp2?'
                  r'|log(?:2|10|1p)?|hypot|sin|cos|atan2?)(?= ?\())')


def own_files():
    found = [path for folder in (SRC, ROOT / 'tests') for path in folder.rglob('*.[ch]')]
    return sorted(path for path in found if path != SRC / 'precompiled.h' and 'bench' not in path.parts)


class Files:
    """The project's files by name. Tests may have headers of the same name; a file sees those of its own folder first."""

    def __init__(self, paths):
        self.paths = paths
        self.texts = {path: path.read_text() for path in paths}
        self.by_name = defaultdict(list)
        for path in paths:
            self.by_name[path.name].append(path)

    def found(self, path, name):
        own = path.parent / name
        return [own] if own in self.texts else self.by_name.get(name, [])

    @cache
    def reached(self, path):
        """Returns the external headers that a file includes, directly or through headers of the project."""
        found, seen, waiting = set(), set(), [path]
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            for kind, name in INCLUDE.findall(self.texts[at]):
                own = self.found(at, name)
                waiting += own
                if not own and kind == '<':
                    found.add(name)
        return frozenset(found)

    def used(self, path):
        return set(NAME.findall(NOISE.sub(' ', self.texts[path])))


class Declared:
    """The names declared by an external header and the headers it includes; empty if the header is not installed."""

    def __init__(self, compiler):
        self.compiler = compiler
        self.command = [*compiler.commands['app' if 'app' in compiler.layers() else 'cli'], '-D_GNU_SOURCE', '-E', '-dD', '-x', 'c', '-']

    @cache
    def by(self, header):
        done = subprocess.run(self.command, input=f'#include <{header}>\n', text=True, capture_output=True, cwd=self.compiler.build_dir)
        return frozenset(NAME.findall(done.stdout)) if done.returncode == 0 else frozenset()


def missing(files, declared, path, precompiled):
    wanted = files.used(path) & declared.known
    for header in sorted(files.reached(path), key=lambda header: header not in precompiled):
        wanted -= declared.by(header) if wanted else set()
    return f"{path.relative_to(ROOT)} uses {', '.join(sorted(wanted)[:5])} and includes nothing that has it" if wanted else ''


def main(build_dir):
    tap, files, declared = Tap(), Files(own_files()), Declared(Compiler(build_dir))
    precompiled = {name for _, name in INCLUDE.findall((SRC / 'precompiled.h').read_text())}
    with ThreadPoolExecutor(cpu_count()) as pool:
        declared.known = frozenset().union(*pool.map(declared.by, sorted(precompiled)))
    tap.add('the compiler lists the names that headers declare', lambda: '' if 'g_file_new_for_path' in declared.known else 'it does not')
    tap.add('every source includes what it uses',
            lambda: '\n'.join(filter(None, (missing(files, declared, path, precompiled) for path in files.paths))))
    tap.run()


main(sys.argv[1])
