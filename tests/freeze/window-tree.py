#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens PATH in the window, shows every panel once, opens the dialogs, and writes the accessibility tree of the window
and of each dialog to a file of its own in FOLDER. The file has a line for each object that has a name or is a control.
Usage: window-tree.py PROGRAM PATH FOLDER"""

import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'tools'))
import atspi  # noqa: E402
import pages  # noqa: E402

ROWS = 30  # number of rows to write for each table and list
# Texts of the loading progress, which stay in the progress bar after it is hidden.
PASSING = re.compile(r'\s*label “(Reading[\s…]|[0-9.]+\s(bytes|[kMG]B)\s(left|of))')
PAUSE_S = 0.5
MOST_LOOKS = 60


def line_of(node, parents):
    """Returns a line indented by the number of named ancestors. For objects without a name get_name() returns a widget
    class, which screen readers do not read, so it is omitted."""
    depth = sum(atspi.has_name(parent) for parent in parents)
    name = node.get_name() if atspi.has_name(node) else ''
    return f'{"  " * depth}{node.get_role_name()} “{name}” {node.get_description() or ""}'.rstrip()


def lines_of(program, top):
    found = []
    for node, parents in program.walk(top, ROWS):
        try:
            if atspi.has_name(node) or node.get_role_name() in atspi.CONTROLS:
                found.append(line_of(node, parents))
        except program.glib.Error:  # the object disappeared during the query
            continue
    return [line for line in found if not PASSING.match(line)]


def settled(program, top):
    """Returns the lines of the accessibility tree below `top`, as soon as three readings in a row give the same
    lines."""
    seen = []
    for _ in range(MOST_LOOKS):
        seen.append(lines_of(program, top))
        if len(seen) > 2 and seen[-1] == seen[-2] == seen[-3]:
            return seen[-1]
        time.sleep(PAUSE_S)
    raise AssertionError('the tree does not settle')


def main(path, run, folder):
    atspi.own_display()
    folder = Path(folder)
    program = atspi.Program([path, run])
    program.wait(lambda: program.find('label', 'algo-1'), 'the run')
    program.activate('win.search')
    pages.show_panels(program)
    for name, top in (('window', pages.windows(program)[0]), *pages.open_dialogs(program)):
        (folder / f'{name}.txt').write_text('\n'.join(settled(program, top)) + '\n')
    program.end()


main(*sys.argv[1:])
