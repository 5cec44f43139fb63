#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the program can be used without sight: with the keyboard and the information that the accessibility tree (AT-SPI) gives to a
screen reader. Opens the sample, finds a span by name, reads its duration and arguments, and reads two panels. Usage:
test-blind-walk.py PROGRAM COMMAND_LINE. Starts its own display and session bus; skips if AT-SPI is missing."""

import ctypes
import ctypes.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
INSIDE = 'LOOM_BLIND_WALK'  # set in the inner process, which has its own display and bus
PATIENCE_S = 30
SPAN = 'Step:ModeKeys.TRAIN'


def skip(why):
    print(f'1..0 # SKIP {why}')
    sys.exit(0)


def start_over():
    """Runs this script again with its own display, bus and home folder."""
    for tool in ('Xvfb', 'dbus-run-session'):
        if shutil.which(tool) is None:
            skip(f'no {tool}')
    with tempfile.TemporaryDirectory(prefix='loom-blind-') as home:
        env = {**os.environ, INSIDE: '1', 'GSETTINGS_BACKEND': 'memory', 'GSK_RENDERER': 'cairo', 'GDK_DEBUG': 'gl-disable',
               'LC_ALL': 'C.UTF-8', **{f'XDG_{what}_HOME': home for what in ('DATA', 'STATE', 'CACHE', 'CONFIG')}}
        env.pop('GTK_A11Y', None)
        command = [sys.executable, Path(__file__).with_name('with-display.py'), sys.executable, __file__, *sys.argv[1:]]
        result = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        # the AT-SPI registry writes to the same standard output
        own = [line for line in result.stdout.splitlines() if not line.startswith('SpiRegistry')]
        print('\n'.join(own))
        print(result.stderr, file=sys.stderr)
        sys.exit(result.returncode)


class Keyboard:
    """Sends keys to the program's window through XTest. There is no window manager, so this class also sets the input
    focus."""

    NAMES = {'Tab': 0xff09, 'Return': 0xff0d, 'Escape': 0xff1b, 'Right': 0xff53, 'Down': 0xff54, 'space': 0x20, 'slash': 0x2f,
             'shift': 0xffe1, 'ctrl': 0xffe3, 'F9': 0xffc6}

    def __init__(self):
        self.x = ctypes.CDLL(ctypes.util.find_library('X11'))
        self.test = ctypes.CDLL(ctypes.util.find_library('Xtst'))
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XDefaultRootWindow.restype = ctypes.c_ulong
        for library, names in ((self.x, ('XDefaultRootWindow', 'XSync', 'XQueryTree', 'XSetInputFocus', 'XGetWindowAttributes',
                                         'XKeysymToKeycode')), (self.test, ('XTestFakeKeyEvent',))):
            for name in names:
                getattr(library, name).argtypes = None
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(None))

    def take_window(self):
        """Gives the input focus to the largest window."""
        root, parent, n = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
        children = ctypes.POINTER(ctypes.c_ulong)()
        top = ctypes.c_ulong(self.x.XDefaultRootWindow(self.display))
        self.x.XQueryTree(self.display, top, ctypes.byref(root), ctypes.byref(parent), ctypes.byref(children), ctypes.byref(n))

        def area(window):
            geometry = (ctypes.c_int * 64)()
            self.x.XGetWindowAttributes(self.display, ctypes.c_ulong(window), geometry)
            return geometry[2] * geometry[3]

        self.x.XSetInputFocus(self.display, ctypes.c_ulong(max(children[:n.value], key=area)), 1, ctypes.c_ulong(0))
        self.x.XSync(self.display, 0)

    def hold(self, key, down):
        code = self.x.XKeysymToKeycode(self.display, ctypes.c_ulong(self.NAMES.get(key, ord(key[0]))))
        self.test.XTestFakeKeyEvent(self.display, code, down, ctypes.c_ulong(0))
        self.x.XSync(self.display, 0)

    def press(self, key, *held):
        for name in held:
            self.hold(name, 1)
        self.hold(key, 1)
        self.hold(key, 0)
        for name in reversed(held):
            self.hold(name, 0)

    def write(self, text):
        for letter in text:
            self.press(letter.lower(), *(['shift'] if letter.isupper() or letter == ':' else []))


class Reader:
    """Follows a program through the accessibility tree, as a screen reader does: finds nodes, and records which node has the focus."""

    def __init__(self, atspi, glib, program):
        self.atspi, self.glib, self.focus, self.found = atspi, glib, None, {}
        self.listener = atspi.EventListener.new(self.on_event)
        self.listener.register('object:state-changed:focused')
        self.process = subprocess.Popen([program])
        self.app = self.wait(self.find_app, 'the program to register')

    def on_event(self, event):
        if event.detail1:
            self.focus = event.source

    def turn(self):
        context = self.glib.MainContext.default()
        while context.pending():
            context.iteration(False)

    def wait(self, look, what):
        """Returns the result of `look` as soon as it is true."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            self.turn()
            try:
                found = look()
            except self.glib.Error:  # the node disappeared during the query
                found = None
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError(f'waited in vain for {what}; the focus is on {self.tell(self.focus)}')

    def find_app(self):
        desktop = self.atspi.get_desktop(0)
        apps = [desktop.get_child_at_index(i) for i in range(desktop.get_child_count())]
        return next((app for app in apps if app and app.get_name() == 'traceloom' and app.get_child_count()), None)

    def has_focus(self, node):
        return node.get_state_set().contains(self.atspi.StateType.FOCUSED)

    def tell(self, node):
        return f'{node.get_role_name()} “{node.get_name()}”' if node else 'nothing'

    def walk(self, node, into_rows=True):
        yield node
        if not into_rows and node.get_role_name() == 'table row':
            return
        for i in range(node.get_child_count()):
            child = node.get_child_at_index(i)
            if child:
                yield from self.walk(child, into_rows)

    def find(self, role, name=None, inside=None):
        """Returns the first node with that role and name. Results are cached, because each query takes time on the bus."""
        key = (role, name)
        if key not in self.found:
            self.found[key] = next((node for node in self.walk(inside or self.app, into_rows=False)
                                    if node.get_role_name() == role and (name is None or node.get_name() == name)), None)
            if self.found[key] is None:
                del self.found[key]
        return self.found.get(key)

    def texts(self, node):
        """Returns the texts in a node, in reading order."""
        return [part.get_name() for part in self.walk(node) if part.get_role_name() in ('label', 'static') and part.get_name()]

    def rows(self, table):
        """Yields the rows of a table, one at a time."""
        return (row for row in (self.texts(part) for part in self.walk(table, into_rows=False) if part.get_role_name() == 'table row') if row)


def tab_to(reader, keys, is_there, what, most=40):
    """Presses Tab until the focus is on the wanted node."""
    for _ in range(most):
        if reader.focus and is_there(reader.focus):
            return reader.focus
        before = reader.focus
        keys.press('Tab')
        reader.wait(lambda: reader.focus is not before, f'the focus to move on the way to {what}')
    raise AssertionError(f'Tab does not lead to {what}')


# --- test steps ---

def open_sample(reader, keys):
    keys.take_window()
    tab_to(reader, keys, lambda node: 'Try the Sample' in node.get_name(), 'the button that opens the sample')
    keys.press('Return')
    frame = reader.app.get_child_at_index(0)
    reader.wait(lambda: 'sample' in frame.get_name(), 'a window that says it shows the sample')
    timeline = reader.wait(lambda: reader.find('image', 'Timeline', frame), 'the timeline')
    reader.wait(lambda: 'Showing' in timeline.get_description(), 'a timeline that says what it shows')


def find_span(reader, keys):
    timeline = reader.find('image', 'Timeline')
    tab_to(reader, keys, lambda node: node.get_name() == 'Timeline', 'the timeline')
    keys.press('slash')
    # GTK 4.8 sends no event when an entry gets the focus
    entry = reader.find('entry', 'Search for spans by name and args')
    reader.wait(lambda: reader.has_focus(entry), 'the search to have the focus')
    keys.write(SPAN)
    keys.press('Return')
    reader.wait(lambda: SPAN in timeline.get_description(), 'the timeline to say that the span is selected')


def told_of(name, member):
    """Returns a member of all events with that name in the sample, as “traceloom-cli dump” prints it."""
    lines = subprocess.run([sys.argv[2], 'dump', '--quiet', str(ROOT / 'data' / 'sample')], capture_output=True, text=True, check=False).stdout
    return [event[member] for event in map(json.loads, lines.splitlines()) if event['name'] == name]


def details(reader):
    """Returns the smallest part of the window that contains both the table of arguments and the duration."""
    panel = reader.find('tree table', 'Arguments')
    while panel and not any(text.endswith(' Duration') for text in reader.texts(panel)):
        panel = panel.get_parent()
    return panel


def read_duration(reader, keys):
    texts = reader.texts(reader.wait(lambda: details(reader), 'details with a duration'))
    # the accessible name of a value ends with its label
    duration = next((text for text in texts if text.endswith(' Duration')), '')
    number, unit = re.fullmatch(r'([\d.\s]+)\s(s|ms|µs|ns) Duration', duration).groups()
    number = re.sub(r'\s', '', number)
    ns, digits = {'s': 10 ** 9, 'ms': 10 ** 6, 'µs': 10 ** 3, 'ns': 1}[unit], len(number.partition('.')[2])
    assert any(f'{dur_ns / ns:.{digits}f}' == number for dur_ns in told_of(SPAN, 'dur_ns')), f'“{duration}” is no duration of {SPAN}'
    assert SPAN in texts, f'the details do not name the span: {texts[:12]}'


def read_arguments(reader, keys):
    table = reader.find('tree table', 'Arguments')
    rows = reader.wait(lambda: [row for row in reader.rows(table) if len(row) == 2 and row != ['Argument', 'Value']], 'rows of arguments')
    steps = {args['step_num'] for args in told_of(SPAN, 'args')}
    assert any(row[0] == 'step_num' and row[1].strip('"“”') in steps for row in rows), f'no step number among the arguments: {rows}'


def choose_view(reader, keys, number):
    keys.press('Escape')
    keys.press(number, 'ctrl')


def choose_page(reader, keys, name):
    """Selects a page in the list of pages with the Down key. Leaves the list and enters it again before, because GTK
    may send no event when a row that was just created gets the focus."""
    choose_view(reader, keys, '2')
    reader.wait(lambda: reader.find('list', 'Pages of the analysis'), 'the list of pages')
    choose_view(reader, keys, '3')
    # the first control of the view: the switch between events and samples
    reader.wait(lambda: reader.focus and (reader.focus.get_role_name(), reader.focus.get_name()) == ('page tab', 'Events'),
                'the focus to be in the events')
    choose_view(reader, keys, '2')
    reader.wait(lambda: reader.focus and reader.focus.get_role_name() == 'list item' and reader.focus.get_name() == 'Summary',
                'the focus to be in the list of pages')
    for _ in range(15):
        if reader.focus.get_name() == name:
            return
        before = reader.focus
        keys.press('Down')
        reader.wait(lambda before=before: reader.focus is not before, 'the focus to move in the list of pages')
    raise AssertionError(f'{name} is not among the pages')


def read_events(reader, keys):
    choose_view(reader, keys, '3')
    table = reader.wait(lambda: reader.find('tree table', 'Events'), 'the table of events')
    row = reader.wait(lambda: next((row for row in reader.rows(table) if SPAN in row), None), 'the row of the span in the table of events')
    assert any(part.endswith((' s', ' ms')) for part in row), f'the row does not tell how long: {row}'


def read_steps(reader, keys):
    choose_page(reader, keys, 'Steps')
    table = reader.wait(lambda: reader.find('tree table', 'Outlier steps'), 'the table of outlier steps')
    row = reader.wait(lambda: next((row for row in reader.rows(table) if '6' in row), None), 'the seventh step among the outliers of the sample')
    assert any(part.endswith(' s') for part in row), f'the row does not tell how long: {row}'


STEPS = [('opens the sample with Tab and Return', open_sample), ('finds a span by its name', find_span),
         ('reads its duration', read_duration), ('reads its arguments', read_arguments),
         ('reads the table of events', read_events), ('reads the page Steps', read_steps)]


def main():
    try:
        import gi
        gi.require_version('Atspi', '2.0')
        from gi.repository import Atspi, GLib
    except (ImportError, ValueError):
        skip('no AT-SPI for Python (gir1.2-atspi-2.0, python3-gi)')
    if ctypes.util.find_library('Xtst') is None:
        skip('no libXtst')
    if INSIDE not in os.environ:
        start_over()
    keys = Keyboard()
    if not keys.display:
        skip('no display')
    reader = Reader(Atspi, GLib, sys.argv[1])
    print(f'1..{len(STEPS)}', flush=True)
    status = 0
    for number, (what, step) in enumerate(STEPS, 1):
        try:
            begin = time.monotonic()
            step(reader, keys)
            print(f'# {time.monotonic() - begin:.1f} s')
            print(f'ok {number} - {what}', flush=True)
        except AssertionError as problem:
            print(f'not ok {number} - {what}\n# {problem}', flush=True)
            status = 1
            break
    reader.process.kill()
    sys.exit(status)


main()
