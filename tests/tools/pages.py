# SPDX-License-Identifier: Apache-2.0
"""Lists every page of the window and every dialog, for tests that check all of them with atspi.Program."""

# Actions that open a window, and the minimum number of accessible objects in it. Windows that GTK and libadwaita build (about,
# keyboard shortcuts, file choosers) are excluded.
DIALOGS = (('app.preferences', 40), ('win.problems', 20), ('win.command-palette', 20), ('win.export', 40), ('win.open-location', 10),
           ('win.edit-rules', 30), ('win.edit-config', 60), ('app.help', 40))

FEW = 60  # number of rows to search
PAGES = ('selection', 'found', 'events', 'overview', 'utilization', 'work', 'operators', 'calls', 'balance', 'steps', 'bottlenecks', 'loading', 'stragglers',
         'clocks')


def windows(program):
    return [program.app.get_child_at_index(i) for i in range(program.app.get_child_count())]


def open_dialogs(program):
    """Yields (action, its window); earlier windows stay open, so the new one is the last."""
    for action, _ in DIALOGS:
        before = len(windows(program))
        program.activate(action)
        program.wait(lambda before=before: len(windows(program)) > before, f'the window of {action}')
        yield action, windows(program)[-1]


def show_panels(program):
    """Shows each page once, because pages are built on first use. Only a few rows of the table of events are searched."""
    for page in PAGES:
        program.activate('win.show-page', program.glib.Variant('s', page))
    def seen(role, name):
        return next((node for node, _ in program.walk(most=FEW) if node.get_role_name() == role and node.get_name() == name), None)

    program.wait(lambda: seen('tree table', 'Clocks'), 'the last page')
    program.activate('win.show-page', program.glib.Variant('s', 'overview'))
    findings = program.wait(lambda: seen('list', 'Findings'), 'the list of findings')
    program.wait(findings.get_child_count, 'findings')
