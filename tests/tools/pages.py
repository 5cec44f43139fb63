# SPDX-License-Identifier: Apache-2.0
"""Every page of the window and every dialog, for tests that look at all of them (with atspi.Program)."""

# What opens a window of our own, and the least number of objects in it. What GTK and libadwaita make whole (about, keyboard
# shortcuts, file choosers) is theirs.
DIALOGS = (('app.preferences', 40), ('win.problems', 20), ('win.command-palette', 20), ('win.export', 40), ('win.open-location', 10),
           ('win.edit-rules', 30), ('win.edit-config', 60), ('app.help', 40))


def windows(program):
    return [program.app.get_child_at_index(i) for i in range(program.app.get_child_count())]


def open_dialogs(program):
    """(action, its window), each beside the ones before; those that are made new take the last place."""
    for action, _ in DIALOGS:
        before = len(windows(program))
        program.activate(action)
        program.wait(lambda before=before: len(windows(program)) > before, f'the window of {action}')
        yield action, windows(program)[-1]


def show_panels(program, most):
    """Pages of panels are made when they are looked at first."""
    tabs = [node for node, _ in program.walk(most=most) if node.get_role_name() == 'page tab']
    for tab in tabs:
        tab.get_action_iface().do_action(0)
    program.wait(lambda: tabs[-1].get_state_set().contains(program.atspi.StateType.SELECTED), 'the last panel')
    findings = program.find('list', 'Findings')
    program.wait(findings.get_child_count, 'findings')
