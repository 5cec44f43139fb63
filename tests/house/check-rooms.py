#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rooms (subfolders) of each layer: rooms.txt lists every include between rooms of a layer, includes are not circular
except for the circles that rooms.txt lists, and a room contains about 40 files at most.

check-rooms.py: checks.

check-rooms.py --write: writes rooms.txt from the sources."""

import re
import sys
from collections import defaultdict
from pathlib import Path

from house import ROOT, SRC, Tap

ROOMS = Path(__file__).resolve().parent / 'rooms.txt'
HEAD = '''# SPDX-License-Identifier: Apache-2.0
# Each line names a room (a subfolder of a layer) and the rooms of the same layer whose headers it includes. check-rooms.py --write
# writes this file. A new dependency is a design decision: review it before you commit it. The last lines list known circular
# dependencies; check-rooms.py refuses others.
'''
INCLUDE = re.compile(r'^#include [<"](loom-[\w-]+\.h)[>"]', re.MULTILINE)
MAX_FILES = 44


def room_of(path):
    return str(path.parent.relative_to(SRC))


def graph():
    """Returns {room: rooms of the same layer that it includes}."""
    files = sorted(SRC.rglob('*.[ch]'))
    home = {path.name: room_of(path) for path in files if path.suffix == '.h'}
    found = defaultdict(set)
    for path in files:
        room = room_of(path)
        others = {home[name] for name in INCLUDE.findall(path.read_text()) if name in home}
        found[room] |= {other for other in others if other.split('/')[0] == room.split('/')[0] and other != room}
    return found


def circles(edges):
    """Returns sets of rooms that include one another, directly or indirectly, as sorted tuples."""
    reach = {room: set(others) for room, others in edges.items()}
    for middle in edges:
        for room in edges:
            if middle in reach[room]:
                reach[room] |= reach[middle]
    return sorted({tuple(sorted(other for other in edges if other in reach[room] and room in reach[other]))
                   for room in edges if room in reach[room]})


def read_rooms():
    edges, known = defaultdict(set), []
    for line in ROOMS.read_text().splitlines():
        if line.startswith('circle: '):
            known.append(tuple(line.removeprefix('circle: ').split()))
        elif line and not line.startswith('#'):
            room, _, others = line.partition(':')
            edges[room] = set(others.split())
    return edges, known


def write_rooms():
    edges = graph()
    lines = [f"{room}: {' '.join(sorted(edges[room]))}".rstrip(' ') for room in sorted(edges) if edges[room]]
    lines += [f"circle: {' '.join(circle)}" for circle in circles(edges)]
    ROOMS.write_text(HEAD + '\n'.join(lines) + '\n')


def check_edges():
    allowed, _ = read_rooms()
    return '\n'.join(f'{room} includes {other}, which rooms.txt does not list'
                     for room, others in sorted(graph().items()) for other in sorted(others - allowed[room]))


def check_circles():
    known = [set(circle) for circle in read_rooms()[1]]
    return '\n'.join(f"{' '.join(circle)} form a circle" for circle in circles(graph())
                     if not any(set(circle) <= each for each in known))


def check_stale():
    edges, (allowed, known) = graph(), read_rooms()
    stale = [f'{room} does not include {other}' for room, others in allowed.items() for other in sorted(others - edges[room])]
    now = {tuple(circle) for circle in circles(edges)}
    return '\n'.join(stale + [f"{' '.join(circle)} form no circle any more" for circle in known if circle not in now])


def check_sizes():
    count = defaultdict(int)
    for path in SRC.rglob('*.[ch]'):
        count[room_of(path)] += 1
    return '\n'.join(f'{room} has {n} files' for room, n in sorted(count.items()) if n > MAX_FILES)


def main():
    tap = Tap()
    tap.add('rooms are found', lambda: '' if len(graph()) > 10 else 'few or none')
    tap.add('rooms include only rooms that rooms.txt lists', check_edges)
    tap.add('there are no circular includes except those in rooms.txt', check_circles)
    tap.add('rooms.txt lists no includes that were removed', check_stale)
    tap.add(f'no room has more than {MAX_FILES} files', check_sizes)
    tap.run()


if '--write' in sys.argv:
    write_rooms()
else:
    main()
