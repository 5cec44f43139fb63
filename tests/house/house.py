# SPDX-License-Identifier: Apache-2.0
"""Shared code of the house tests: the layers, how meson compiles each of them, and a TAP printer."""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SRC = ROOT / 'src'

# Layer: the layers that it uses directly. It may also include headers of the layers that these use.
KNOWS = {
    'base': [],
    'scan': ['base'],
    'model': ['base'],
    'index': ['model'],
    'import': ['scan', 'index'],
    'clock': ['model'],
    'export': ['clock', 'scan'],
    'profiler-config': ['base'],
    'analysis': ['clock', 'index'],
    'query': ['analysis', 'export'],
    'draw': ['analysis'],
    'report': ['draw', 'query'],
    'session': ['clock'],
    'remote': ['import', 'clock'],
    'core': ['import', 'export', 'query', 'profiler-config', 'report', 'session', 'remote'],
    'cluster': ['import', 'report'],
    'widgets': ['core'],
    'cli': ['cluster', 'import', 'export', 'query', 'profiler-config', 'report', 'session', 'remote'],
    'app': ['widgets'],
}

# Lower layers that a layer uses internally, without making them visible to layers above it.
PRIVATE = {
    'profiler-config': {'scan'},  # for strict JSON
    # scan: step numbers are in args, which are kept as unparsed JSON; profiler-config: parses parameters of rules
    'analysis': {'scan', 'profiler-config'},
    'draw': {'scan'},  # for writing image files
    'report': {'profiler-config'},  # for members of JSON documents
}

# Header of an external library: the layers that may include it.
FOREIGN = {
    'gtk/gtk.h': {'widgets', 'app'},
    'adwaita.h': {'app'},
    'cairo.h': {'draw', 'report', 'core', 'widgets', 'cluster', 'cli', 'app'},
    'json-glib/json-glib.h': KNOWS.keys() - {'base', 'scan', 'model', 'index', 'clock', 'export'},
}

SYNTAX_ONLY = ['-fdiagnostics-color=never', '-fsyntax-only', '-x', 'c', '-']


def known_to(layer):
    """Returns the layer and all layers below it."""
    return {layer}.union(*(known_to(lower) for lower in KNOWS[layer]))


def headers_of(layer):
    return sorted((SRC / layer).rglob('*.h'))


class Compiler:
    """Compiles text as part of a layer: with exactly the include directories that meson gives the layer's sources."""

    def __init__(self, build_dir):
        self.build_dir = Path(build_dir)
        self.commands = {}
        for target in json.loads((self.build_dir / 'meson-info' / 'intro-targets.json').read_text()):
            folder = Path(target['defined_in']).parent
            if folder.parent == SRC:
                self._add(folder.name, target)

    def _add(self, layer, target):
        for source in target['target_sources']:
            # A program beside the layer's library may have more include directories than the library.
            if source['language'] == 'c' and (layer not in self.commands or target['type'] == 'static library'):
                flags = [p for p in source['parameters'] if re.match(r'-(I|D|isystem|std=|pthread|m|f)', p)
                         and not p.startswith('-fsanitize')]
                self.commands[layer] = [*source['compiler'], *flags]

    def layers(self):
        return [layer for layer in KNOWS if layer in self.commands]

    def compile(self, layer, text, *flags):
        """Returns the messages of the compiler, or ""."""
        done = subprocess.run([*self.commands[layer], *flags, *SYNTAX_ONLY], input=text, text=True,
                              capture_output=True, cwd=self.build_dir, env={'LC_ALL': 'C', 'PATH': '/usr/bin:/bin'})
        return '' if done.returncode == 0 else done.stderr or f'status {done.returncode}'


class Tap:
    """Collects named checks, runs them on all processors, and prints the results in order."""

    def __init__(self):
        self.checks = []

    def add(self, name, check):
        """`check` returns None or "" on success, otherwise the problem."""
        self.checks.append((name, check))

    def run(self):
        with ThreadPoolExecutor(cpu_count()) as pool:
            results = list(pool.map(lambda check: check[1](), self.checks))
        print('TAP version 13')
        print(f'1..{len(results)}')
        for number, ((name, _), problem) in enumerate(zip(self.checks, results), 1):
            print(f"{'not ok' if problem else 'ok'} {number} {name}")
            for line in (problem or '').splitlines():
                print(f'# {line}')
        sys.exit(1 if any(results) else 0)
