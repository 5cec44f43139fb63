#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks through AT-SPI that every control on every page and in every dialog has an accessible name. Usage:
test-names.py PROGRAM"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'tools'))
import atspi  # noqa: E402
import pages  # noqa: E402

WHOLES = {'combo box', 'tree table', 'push button', 'entry', 'spin button', 'tree'}
TOAST = ('AdwToastWidget',)  # class of libadwaita whose close button has no name
# Widgets of AdwPreferencesWindow without a name. They are hidden, because there is a single page and nothing to search.
LIBRARY = ('AdwViewSwitcher', 'GtkSearchEntry')
ROWS = 16  # number of rows to check in each table and list


def is_unnamed(node, parents, library):
    """Returns True if a control has no name and is not an inner part of a named control, such as the button of a named
    drop-down or the list of a named table."""
    if node.get_role_name() not in atspi.CONTROLS or atspi.has_name(node):
        return False
    if any(parent.get_role_name() in WHOLES and atspi.has_name(parent) for parent in parents[1:]):
        return False
    if node.get_name() == 'GtkImage' and node.get_role_name() == 'image':
        return False  # the widget is decoration beside a label
    if node.get_name() == 'GtkSwitch' and any(parent.get_role_name() == 'list item' and atspi.has_name(parent) for parent in parents):
        return False  # the switch of a row that has a title
    return not any(part.get_name().startswith(library) for part in [*parents, node])


def place_of(node, parents):
    return ' › '.join(f'{part.get_role_name()} “{part.get_name()}”' for part in [*parents[-6:], node] if part.get_name() or part is node)


def unnamed(program, top):
    found, n = set(), 0
    library = LIBRARY if top.get_name() == 'Preferences' else TOAST
    for node, parents in program.walk(top, ROWS):
        n += 1
        try:
            if parents and is_unnamed(node, parents, library):
                found.add(place_of(node, parents))
        except program.glib.Error:
            continue
    return sorted(found), n


class Tap:
    def __init__(self):
        self.n, self.bad = 0, 0

    def page(self, program, name, top, least):
        problems, n = unnamed(program, top)
        self.n += 1
        good = not problems and n >= least
        self.bad += not good
        print(f'{"ok" if good else "not ok"} {self.n} - {name} ({n} objects)', flush=True)
        for problem in problems:
            print(f'# {problem}')

    def has_button(self, program, top, name):
        names = {node.get_name() for node, _ in program.walk(top) if node.get_role_name() == 'push button'}
        self.n += 1
        self.bad += name not in names
        print(f'{"ok" if name in names else "not ok"} {self.n} - a button “{name}”\n# {sorted(names)}', flush=True)


def main(path):
    atspi.own_display()
    tap = Tap()
    program = atspi.Program([path])
    tap.page(program, 'nothing is open', program.app, 100)
    program.activate('win.open-sample')
    program.wait(lambda: program.find('label', 'algo-1'), 'the sample')
    program.activate('win.search')
    pages.show_panels(program)
    tap.page(program, 'the sample with all its panels', program.app, 400)
    tap.has_button(program, program.find('list', 'Findings'), 'Show on Timeline')
    least = dict(pages.DIALOGS)
    for action, top in pages.open_dialogs(program):
        tap.page(program, action, top, least[action])
    program.end()
    print(f'1..{tap.n}')
    sys.exit(1 if tap.bad else 0)


main(*sys.argv[1:])
