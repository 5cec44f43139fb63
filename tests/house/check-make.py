#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks `make run` without a display: it draws the sample as a picture and merges it into one file, and no line of its
output is repeated. Usage: check-make.py BUILD"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import ROOT, Tap  # noqa: E402


def make(*words, **variables):
    env = {name: text for name, text in os.environ.items() if name not in ('DISPLAY', 'WAYLAND_DISPLAY', 'MAKEFLAGS', 'MAKELEVEL')}
    return subprocess.run(['make', '-C', ROOT, *words], env=env | variables, capture_output=True, text=True, check=True)


def check_draw(build):
    with tempfile.TemporaryDirectory(prefix='loom-make-') as folder:
        (Path(folder) / 'src').symlink_to(build / 'src')
        result = make('draw', f'BUILD={folder}')
        lines = [line for line in (result.stdout + result.stderr).splitlines() if 'directory' not in line]
        assert len(lines) == len(set(lines)), lines
        assert any('aligned' in line for line in lines), lines
        assert (Path(folder) / 'sample.png').read_bytes().startswith(b'\x89PNG'), 'a picture'
        assert json.loads((Path(folder) / 'sample-merged.json').read_text())['traceEvents'], 'a timeline'


def check_choice():
    """Only checks which target would be made, because making it would install packages and build."""
    for display, target in ({}, 'draw'), ({'DISPLAY': ':7'}, 'show'), ({'WAYLAND_DISPLAY': 'wayland-7'}, 'show'):
        words = make('run', '-o', 'deps', 'MAKE=echo', **display).stdout.split()
        assert [word for word in words if word in ('programs', 'show', 'draw')] == ['programs', target], (display, words)


tap = Tap()
tap.case('without a display each note is printed once', check_draw, Path(sys.argv[1]).resolve())
tap.case('a display opens the window', check_choice)
tap.done()
