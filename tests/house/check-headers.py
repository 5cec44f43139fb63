#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every header compiles alone, and twice in one file, without warnings and with only its layer's include
directories. Headers that their own source file includes first are not compiled again, because the build of the program has checked
them. Usage: check-headers.py BUILD_DIR"""

import re
import sys
from functools import partial

from house import KNOWS, Compiler, Tap, headers_of

FLAGS = ['-Wall', '-Wextra', '-Werror', '-Wno-unused-parameter', '-Wno-missing-field-initializers']


INCLUDE = re.compile(r'^#include [<"]([^>"]+)[>"]', re.MULTILINE)


def is_shown(header):
    """Returns True if the header's own source file includes it first, and the header has an include guard."""
    source = header.with_suffix('.c')
    first = INCLUDE.search(source.read_text()) if source.exists() else None
    return first is not None and first[1] == header.name and '#pragma once' in header.read_text()


def main(build_dir):
    compiler, tap = Compiler(build_dir), Tap()
    for layer in KNOWS:
        for header in headers_of(layer):
            if is_shown(header):
                tap.add(f'{layer}/{header.name} (by its source)', lambda: '')
            elif layer in compiler.layers():
                text = f'#include "{header.name}"\n#include "{header.name}"\n'
                tap.add(f'{layer}/{header.name}', partial(compiler.compile, layer, text, *FLAGS))
            elif layer not in ('widgets', 'app'):  # a build without the window does not compile these two layers
                tap.add(f'{layer}/{header.name}', lambda: 'meson compiles no source of this layer')
    tap.run()


main(sys.argv[1])
