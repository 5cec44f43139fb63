#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a test with its own X display and session bus, so that window tests can run in parallel.

  with-display.py [--screen WIDTHxHEIGHT] PROGRAM [ARGUMENT…]

Ends with the exit status of the program. Xvfb chooses a free display number itself. If Xvfb or dbus-run-session is not
installed, the program uses the display or the bus of the machine; window tests skip if there is none.
"""

import os
import shutil
import subprocess
import sys

SCREEN = '1280x900'


def start_display(size):
    """Starts Xvfb; returns its process and display name as soon as it accepts connections."""
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
