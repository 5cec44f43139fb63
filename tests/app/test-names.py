#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No control without a name: every page of the window and every dialog, as AT-SPI tells them.

  test-names.py PROGRAM
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'tools'))
import atspi  # noqa: E402

# What people operate. Cells and rows speak by what they hold.
CONTROLS = {'push button', 'toggle button', 'check box', 'radio button', 'combo box', 'entry', 'text', 'password text', 'spin button',
            'slider', 'switch', 'link', 'page tab', 'menu item', 'check menu item', 'radio menu item', 'column header', 'image',
            'table column header', 'table', 'tree table', 'tree', 'progress bar', 'page tab list'}
WHOLES = {'combo box', 'tree table', 'push button', 'entry', 'spin button', 'tree'}
TOAST = ('AdwToastWidget',)  # libadwaita's, whose way to close has no name
LIBRARY = ('AdwViewSwitcher', 'GtkSearchEntry')  # of AdwPreferencesWindow: there is one page, and nothing to search
ROWS = 16  # of each table and list


def has_name(node):
    """GTK 4.8 tells the name of the class where there is none."""
    name = node.get_name().strip()
    return bool(name) and not re.fullmatch(r'(Gtk|Adw|Loom|Gdk)[A-Z][A-Za-z]*', name)


def is_unnamed(node, parents, library):
    """A control without a name that no part of another is: of a named drop-down the button, of a named table the list."""
    if node.get_role_name() not in CONTROLS or has_name(node):
        return False
    if any(parent.get_role_name() in WHOLES and has_name(parent) for parent in parents[1:]):
        return False
    if node.get_name() == 'GtkImage' and node.get_role_name() == 'image':
        return False  # beside words
    if node.get_name() == 'GtkSwitch' and any(parent.get_role_name() == 'list item' and has_name(parent) for parent in parents):
        return False  # of a row with a title
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


def windows(program):
    return [program.app.get_child_at_index(i) for i in range(program.app.get_child_count())]


def dialogs(program, tap):
    """Each beside the ones before; those that are made new take the last place. What GTK and libadwaita make whole (about,
    keyboard shortcuts, file choosers) is theirs."""
    for action, least in (('app.preferences', 40), ('win.problems', 20), ('win.command-palette', 20), ('win.export', 40),
                          ('win.open-location', 10), ('win.edit-rules', 30), ('win.edit-config', 60), ('app.help', 40)):
        before = len(windows(program))
        program.activate(action)
        program.wait(lambda before=before: len(windows(program)) > before, f'the window of {action}')
        tap.page(program, action, windows(program)[-1], least)


def panels(program, tap):
    """Pages of panels are made when they are looked at first."""
    tabs = [node for node, _ in program.walk(most=ROWS) if node.get_role_name() == 'page tab']
    for tab in tabs:
        tab.get_action_iface().do_action(0)
    program.wait(lambda: tabs[-1].get_state_set().contains(program.atspi.StateType.SELECTED), 'the last panel')
    findings = program.find('list', 'Findings')
    program.wait(findings.get_child_count, 'findings')
    tap.page(program, 'the sample with all its panels', program.app, 400)


def main(path):
    atspi.own_display()
    tap = Tap()
    program = atspi.Program([path])
    tap.page(program, 'nothing is open', program.app, 100)
    program.activate('win.open-sample')
    program.wait(lambda: program.find('label', 'algo-1'), 'the sample')
    program.activate('win.search')
    panels(program, tap)
    dialogs(program, tap)
    program.end()
    print(f'1..{tap.n}')
    sys.exit(1 if tap.bad else 0)


main(*sys.argv[1:])
