#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the window without a display: the message says what works there.

Usage: test-no-display.py TRACELOOM"""

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import SAMPLE, Tap, check, same  # noqa: E402


def run(program, *args):
    env = {name: value for name, value in os.environ.items() if name not in ('DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS')}
    return subprocess.run([program, *args], env={**env, 'LC_ALL': 'C.UTF-8', 'LANGUAGE': ''}, capture_output=True, text=True, timeout=60)


def test_message(program):
    result = run(program, str(SAMPLE))
    same(result.returncode, 1, 'exit status')
    check(result.stderr.rstrip().endswith('traceloom: The display cannot be opened. “traceloom-cli report RUN -o report.html” works without a display.'), result.stderr)


def test_help(program):
    for option in '--help', '--version':
        same(run(program, option).returncode, 0, option)


def main(program):
    tap = Tap()
    tap.case('the message', test_message, program)
    tap.case('help and version need no display', test_help, program)
    tap.done()


main(sys.argv[1])
