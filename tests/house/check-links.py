#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the command line starts on a machine without a desktop: it loads no library of the window system. Usage:
check-links.py PROGRAM [WINDOW_PROGRAM]; the second program must load one, which validates the check."""

import re
import subprocess
import sys

from house import Tap

WINDOW_LIBRARY = re.compile(r'^\s*(lib(?:gtk|gdk|adwaita|wayland)\S*)', re.MULTILINE)


def libraries(program):
    return subprocess.run(['ldd', program], check=True, capture_output=True, text=True).stdout


def window_libraries(program):
    # GdkPixbuf is allowed, because the command line reads pictures with it. libX11 is not searched for, because cairo
    # loads it on Debian.
    return [name for name in WINDOW_LIBRARY.findall(libraries(program)) if not name.startswith('libgdk_pixbuf')]


def main(program, window_program=None):
    tap = Tap()
    tap.add('ldd shows libraries', lambda: '' if 'libglib-2.0' in libraries(program) else libraries(program))
    tap.add('the command line loads no library of the window system', lambda: '\n'.join(window_libraries(program)))
    if window_program:
        tap.add('the window program loads such a library', lambda: '' if window_libraries(window_program) else 'none found')
    tap.run()


main(*sys.argv[1:])
