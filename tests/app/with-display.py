#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a test with an X display and a session bus of its own, so that tests of windows can run side by side.

  with-display.py [--screen WIDTHxHEIGHT] PROGRAM [ARGUMENT…]

Ends as the program does. The server picks a free number itself; where there is no Xvfb the program gets the machine's
display, or none, and skips. The same for dbus-run-session.
"""

import os
import shutil
import subprocess
import sys

SCREEN = '1280x900'


def start_display(size):
    """Starts the server; returns it and the name of its display as soon as it accepts connections."""
    read, write = os.pipe()
    # -noreset: otherwise the server resets after its last client and rejects clients that connect meanwhile.
    command = ['Xvfb', '-displayfd', str(write), '-screen', '0', f'{size}x24', '-nolisten', 'tcp', '-noreset']
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as answer:
        number = answer.readline().strip()
    if not number:
        sys.exit(f'with-display.py: Xvfb did not start ({server.wait()})')
    return server, ':' + number


def main(command):
    size = SCREEN
    if command[0] == '--screen':
        size, command = command[1], command[2:]
    if shutil.which('dbus-run-session'):
        command = ['dbus-run-session', '--', *command]
    if not shutil.which('Xvfb'):
        return subprocess.run(command).returncode
    server, display = start_display(size)
    try:
        status = subprocess.run(command, env={**os.environ, 'DISPLAY': display}).returncode
    finally:
        server.terminate()
        server.wait()
    return status if status >= 0 else 128 - status


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
