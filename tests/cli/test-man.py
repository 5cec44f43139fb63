#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the manual pages list exactly the options of --help, and that groff formats them without warnings.

Usage: test-man.py TRACELOOM-CLI [TRACELOOM]"""

import re
import shutil
import subprocess
import sys

from harness import ROOT, Tap

VERBS = ['info', 'dump', 'merge', 'align', 'report', 'compare', 'render', 'query', 'mcp', 'index', 'serve', 'rules', 'config show', 'config check', 'config write']
PAGES = ROOT / 'data' / 'man'


def page_options(name):
    text = (PAGES / name).read_text(encoding='utf-8').replace('\\-', '-')
    return set(re.findall(r'--[a-z0-9]+(?:-[a-z0-9]+)*', text))


def help_options(*command):
    text = subprocess.run([*command, '--help'], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r'^\s+(?:-\w, )?(--[a-z0-9-]+)', text, re.MULTILINE))


def check_cli(program):
    known = {'--help'}.union(*(help_options(program, *verb.split()) for verb in VERBS))
    assert len(known) > 40, known
    written = page_options('traceloom-cli.1')
    assert written == known, f'missing {sorted(known - written)}, unknown {sorted(written - known)}'


def check_verbs(program):
    text = subprocess.run([program, '--help'], capture_output=True, text=True, check=True).stdout
    verbs = set(re.findall(r'^  (\w+)  +', text, re.MULTILINE))
    assert verbs == {verb.split()[0] for verb in VERBS}, verbs
    page = (PAGES / 'traceloom-cli.1').read_text(encoding='utf-8')
    for verb in verbs:
        assert f'\n.B {verb}\n' in page, verb


def check_window(program):
    known, written = help_options(program), page_options('traceloom.1')
    assert written == known, f'missing {sorted(known - written)}, unknown {sorted(written - known)}'


def check_groff(groff, name):
    result = subprocess.run([groff, '-man', '-Tutf8', '-ww', '-z', str(PAGES / name)], capture_output=True, text=True)
    assert result.returncode == 0 and not result.stderr, result.stderr


def main(cli, window=None):
    tap = Tap()
    tap.case('options of the command line', check_cli, cli)
    tap.case('verbs', check_verbs, cli)
    if window:
        tap.case('options of the window', check_window, window)
    groff = shutil.which('groff')
    for page in sorted(path.name for path in PAGES.glob('*.1')):
        if groff:
            tap.case(f'{page} has no groff warnings', check_groff, groff, page)
    tap.done()


if __name__ == '__main__':
    main(*sys.argv[1:])
