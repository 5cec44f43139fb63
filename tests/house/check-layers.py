#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no layer can include a layer above it. For every layer a small file is compiled like the layer's own
sources: with the headers of the layer it must compile; the compiler's __has_include must not find a header of a
forbidden layer. The same is checked for GTK, which only some layers may include, and for other libraries. Usage:
check-layers.py BUILD_DIR"""

import re
import sys
from functools import cache, partial

from house import FOREIGN, KNOWS, PRIVATE, SRC, Compiler, Tap, headers_of, known_to



def check_found(compiler, layer, headers):
    return compiler.compile(layer, ''.join(f'#include <{header}>\n' for header in headers))


def check_not_found(compiler, layer, headers):
    return '\n'.join(f'{layer} can include {header}' for header in headers if header in found_by(compiler, layer))


@cache
def found_by(compiler, layer):
    """Returns all headers that the layer can include, with one run of the compiler."""
    names = {name for other in KNOWS for name in names_of(other)} | set(FOREIGN)
    told = compiler.compile(layer, ''.join(f'#if __has_include(<{name}>)\n#error found <{name}>\n#endif\n' for name in sorted(names)))
    found = set(re.findall(r'#error found <(.*)>$', told, re.MULTILINE))
    assert {header.name for header in headers_of(layer)} <= found, told  # self-test: the layer sees its own headers
    return found


def names_of(layer):
    """Returns the header names of a layer. Also returns the path of one header below src, which an include could find
    only if src itself were an include directory."""
    headers = headers_of(layer)
    return [header.name for header in headers] + [str(header.relative_to(SRC)) for header in headers[:1]]


def main(build_dir):
    compiler, tap = Compiler(build_dir), Tap()
    tap.add('layers are found', lambda: '' if compiler.layers() else 'meson compiles nothing in src/')
    for layer in compiler.layers():
        known = known_to(layer) | PRIVATE.get(layer, set())
        for other in filter(headers_of, KNOWS):
            if other in (layer, 'base'):
                tap.add(f'{layer} sees {other}', partial(check_found, compiler, layer, [header.name for header in headers_of(other)]))
            elif other not in known:  # a layer may include known layers but need not
                tap.add(f'{layer} does not see {other}', partial(check_not_found, compiler, layer, names_of(other)))
        for header, allowed in FOREIGN.items():
            if layer not in allowed:
                tap.add(f'{layer} does not see {header}', partial(check_not_found, compiler, layer, [header]))
    if 'widgets' in compiler.layers():
        tap.add('widgets sees gtk/gtk.h', partial(check_found, compiler, 'widgets', ['gtk/gtk.h']))
    tap.run()


main(sys.argv[1])
