# SPDX-License-Identifier: Apache-2.0
"""Reads a program through AT-SPI, as assistive technology does, on a display and a session bus of its own."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WITH_DISPLAY = Path(__file__).resolve().parent.parent / 'app' / 'with-display.py'
INSIDE = 'LOOM_ATSPI_INSIDE'  # set in the inner process, which has its own display and bus
PATIENCE_S = 60
ANSWER_MS = 20_000  # time limit of one query; the default of 0.8 s is too short on two busy cores

# Roles that need a name because users operate them. Cells and rows are read through their contents.
CONTROLS = {'push button', 'toggle button', 'check box', 'radio button', 'combo box', 'entry', 'text', 'password text', 'spin button',
            'slider', 'switch', 'link', 'page tab', 'menu item', 'check menu item', 'radio menu item', 'column header', 'image',
            'table column header', 'table', 'tree table', 'tree', 'progress bar', 'page tab list'}


def skip(why):
    print(f'1..0 # SKIP {why}')
    sys.exit(0)


def own_display(size='1400x900'):
    """Runs the calling script again with its own display, bus and XDG folders, and returns only in that inner process. Skips the
    test if the tools are missing."""
    if INSIDE in os.environ:
        return
    for tool in ('Xvfb', 'dbus-run-session'):
        if shutil.which(tool) is None:
            skip(f'no {tool}')
    if subprocess.run(['/usr/bin/python3', '-c', 'import gi; gi.require_version("Atspi", "2.0")'], capture_output=True).returncode != 0:
        skip('no gir1.2-atspi-2.0')
    with tempfile.TemporaryDirectory(prefix='loom-atspi-') as home:
        env = {**os.environ, INSIDE: '1', 'GSETTINGS_BACKEND': 'memory', 'GSK_RENDERER': 'cairo', 'GDK_DEBUG': 'gl-disable',
               'GDK_BACKEND': 'x11', 'LC_ALL': 'C.UTF-8', 'NO_AT_BRIDGE': '0',
               **{f'XDG_{what}_HOME': home for what in ('DATA', 'STATE', 'CACHE', 'CONFIG')}}
        env.pop('GTK_A11Y', None)
        command = [sys.executable, WITH_DISPLAY, '--screen', size, '/usr/bin/python3', *sys.argv]
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True)
        # The AT-SPI registry writes to the same standard output.
        print('\n'.join(line for line in done.stdout.splitlines() if not line.startswith('SpiRegistry')))
        sys.exit(done.returncode)


def load():
    """Returns the bindings; call it after own_display()."""
    import gi
    gi.require_version('Atspi', '2.0')
    from gi.repository import Atspi, Gio, GLib
    return Atspi, Gio, GLib


def has_name(node):
    """Returns True if the object has a name. Without a name GTK 4.8 reports the name of the widget class."""
    name = node.get_name().strip()
    return bool(name) and not re.fullmatch(r'(Gtk|Adw|Loom|Gdk)[A-Z][A-Za-z]*', name)


class Program:
    """A running program, its actions (over D-Bus) and its accessible tree."""

    def __init__(self, argv, app_id='io.github.traceloom.Traceloom', name='traceloom'):
        self.atspi, self.gio, self.glib = load()
        self.atspi.init()
        self.atspi.set_timeout(ANSWER_MS, ANSWER_MS)
        self.bus = self.gio.bus_get_sync(self.gio.BusType.SESSION)
        self.id, self.name = app_id, name
        self.process = subprocess.Popen(argv)
        self.app = self.wait(self._find, 'the program to register')

    def _find(self):
        desktop = self.atspi.get_desktop(0)
        apps = [desktop.get_child_at_index(i) for i in range(desktop.get_child_count())]
        return next((app for app in apps if app and app.get_name() == self.name and app.get_child_count()), None)

    def wait(self, look, what, patience=PATIENCE_S):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise AssertionError(f'the program ended with {self.process.returncode} before {what}')
            try:
                found = look()
            except self.glib.Error:  # the object disappeared during the query
                found = None
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError(f'waited in vain for {what}')

    def activate(self, action, parameter=None):
        """Activates an action; “win.…” is sent to the first window."""
        group, name = action.split('.')
        path = '/' + self.id.replace('.', '/') + ('/window/1' if group == 'win' else '')
        parameters = [] if parameter is None else [parameter]
        arguments = self.glib.Variant('(sava{sv})', (name, parameters, {}))
        self.bus.call_sync(self.id, path, 'org.gtk.Actions', 'Activate', arguments, None, 0, -1, None)

    def walk(self, node=None, most=1000):
        """Yields every descendant of an object as `(object, parents)`. If an object has more than `most` children, only
        the first `most` of them are visited. Objects that disappear meanwhile are skipped."""
        stack = [(node or self.app, [])]
        while stack:
            this, parents = stack.pop()
            yield this, parents
            try:
                children = [this.get_child_at_index(i) for i in range(min(most, this.get_child_count()))]
            except self.glib.Error:
                continue
            stack += [(child, [*parents, this]) for child in reversed(children) if child]

    def find(self, role, name=None):
        return next((node for node, _ in self.walk() if node.get_role_name() == role and name in (None, node.get_name())), None)

    def shows(self, node):
        return node.get_state_set().contains(self.atspi.StateType.SHOWING)

    def can_focus(self, node):
        return node.get_state_set().contains(self.atspi.StateType.FOCUSABLE)

    def end(self):
        self.process.terminate()
        return self.process.wait(PATIENCE_S)
