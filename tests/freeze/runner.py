# SPDX-License-Identifier: Apache-2.0
"""Runs a command in the folder of inputs, and masks parts of the output that differ from run to run."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
WINDOW = 'traceloom'
PATIENCE_S = 600
# Only the dates of the current run are masked, because traces contain dates too.
DAYS = {time.strftime('%Y-%m-%d', time.gmtime(time.time() + hours * 3600)) for hours in (0, 12)}
NOW = re.compile(b'(%s)[T ][0-9:]{8}(\\.[0-9]+)?( UTC|Z)' % '|'.join(DAYS).encode())

# Passes on the sanitizers' options, which name suppression files, for example for memory that fontconfig keeps.
SANITIZER_OPTIONS = ('ASAN_OPTIONS', 'LSAN_OPTIONS', 'UBSAN_OPTIONS')


class Runner:
    def __init__(self, build, inputs):
        self.build, self.inputs = build.resolve(), inputs
        targets = json.loads((self.build / 'meson-info' / 'intro-targets.json').read_text())
        programs = {target['name']: Path(target['filename'][0]) for target in targets if target['type'] == 'executable'}
        self.programs = {name: path for name, path in programs.items() if path.exists()}

    def has(self, command):
        return (WINDOW if command.is_script() else command.words()[0]) in self.programs

    def argv(self, words, folder):
        program, *rest = [os.path.join(folder, word[1:]) if word[:1] == '@' else word for word in words]
        start = [sys.executable, HERE / program, self.programs[WINDOW]] if program.endswith('.py') else [self.programs[program]]
        return start + rest

    def run(self, command):
        """Returns [(name, bytes)]: the exit status with the messages, and every output."""
        with tempfile.TemporaryDirectory(prefix='traceloom-freeze-') as folder:
            home = os.path.join(folder, 'home')
            env = {'PATH': os.environ['PATH'], 'LC_ALL': 'C.UTF-8', 'TZ': 'UTC', 'HOME': home, 'GSETTINGS_BACKEND': 'memory',
                   'GSETTINGS_SCHEMA_DIR': str(self.build / 'data'),
                   **{f'XDG_{what}_HOME': home for what in ('DATA', 'STATE', 'CACHE', 'CONFIG')},
                   **{name: os.environ[name] for name in SANITIZER_OPTIONS if name in os.environ}}
            targets = [word[1:] for word in command.words() if word[:1] == '@']
            for target in targets:
                if target.endswith('/'):
                    os.mkdir(os.path.join(folder, target))
            done = subprocess.run(self.argv(command.words(), folder), cwd=self.inputs, env=env, capture_output=True, timeout=PATIENCE_S)
            written = [(target.rstrip('/'), Path(folder, target)) for target in targets]
            # A successful script prints only messages of the bus and the display.
            messages = done.stderr if done.returncode or not command.is_script() else b''
            outputs = [('messages', b'exit status %d\n' % done.returncode + messages), ('output', done.stdout), *contents(written)]
        masks = [(os.fsencode(folder), b'OUTPUT'), (os.fsencode(self.inputs), b'INPUTS')]
        return [(f'{command.name} [{what}]', masked(data, masks)) for what, data in outputs if data]


def contents(written):
    """Yields (name, bytes) of files, including those in folders."""
    for name, path in written:
        if path.is_dir():
            yield from contents((f'{name}/{entry.name}', entry) for entry in sorted(path.iterdir()))
        elif path.exists():
            yield name, path.read_bytes()


def masked(data, folders):
    """Replaces the folders of this machine and the time at which a report was made."""
    for old, new in folders:
        data = data.replace(old, new)
    return NOW.sub(b'NOW', data)
