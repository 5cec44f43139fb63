# SPDX-License-Identifier: Apache-2.0
"""Prints the differences between a record and a build. Differences that are equal except for numbers are printed once,
with the list of commands that have them."""

import difflib
import json
import re

from store import hash_of

LONG_LINE = 300
MOST_COMPARED = 2000  # maximum number of lines to compare between the first and the last difference
MOST_NAMED = 10


def lines_of(data):
    """Splits data into lines for display; JSON in one line is pretty-printed."""
    text = data.decode('utf-8', 'replace')
    if text[:1] in '{[' and text.count('\n') < 2:
        try:
            text = json.dumps(json.loads(text), indent=1, ensure_ascii=False)
        except ValueError:
            pass
    return [part for line in text.splitlines() for part in (re.split(r'(?<=[>,]) ?', line) if len(line) > LONG_LINE else [line])]


def trim(old, new):
    """Returns (number of lines removed at the begin, rest of old, rest of new). Removes the first and the last lines
    that both texts have in common, but keeps three of them at each end as context."""
    least = min(len(old), len(new))
    head = next((i for i in range(least) if old[i] != new[i]), least)
    tail = next((i for i in range(least - head) if old[-1 - i] != new[-1 - i]), least - head)
    head, tail = max(head - 3, 0), max(tail - 3, 0)
    return head, old[head:len(old) - tail][:MOST_COMPARED], new[head:len(new) - tail][:MOST_COMPARED]


def difference(old, new):
    """Returns the lines of a unified diff, without file names."""
    if b'\0' in old[:4096] or b'\0' in new[:4096]:
        return [f'binary: {len(old)} bytes before, {len(new)} now']
    head, old_lines, new_lines = trim(lines_of(old), lines_of(new))
    found = list(difflib.unified_diff(old_lines, new_lines, lineterm=''))[2:]
    return [f'after line {head}:', *(line[:LONG_LINE] for line in found)]


class Report:
    def __init__(self, store, n_lines):
        self.store, self.n_lines = store, n_lines
        self.seen, self.equal, self.new, self.changes = set(), 0, [], {}

    def add(self, name, data):
        self.seen.add(name)
        if name not in self.store.outputs:
            self.new.append(name)
        elif self.store.outputs[name] == hash_of(data):
            self.equal += 1
        else:
            self.change(name, data)

    def change(self, name, data):
        """Groups the difference with others that are equal except for numbers."""
        old = self.store.get(name)
        lines = difference(old, data) if old is not None else [f'only the hash was kept; now {len(data)} bytes']
        key = tuple(re.sub(r'[0-9]+', '0', line) for line in lines if line[:1] in '+-') or (name,)
        self.changes.setdefault(key, (lines, []))[1].append(name)
        path = self.store.folder / 'different' / re.sub(r'[^\w.=-]+', '_', name)[-200:]
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)

    def finish(self, known):
        """Prints everything; returns the exit status."""
        for lines, names in self.changes.values():
            print(f'\n{names[0]}')
            for name in names[1:MOST_NAMED]:
                print(f'  same difference: {name}')
            if len(names) > MOST_NAMED:
                print(f'  same difference: {len(names) - MOST_NAMED} more')
            print('\n'.join(lines[:self.n_lines]))
            if len(lines) > self.n_lines:
                print(f'… {len(lines) - self.n_lines} more lines')
        missing = sorted(known - self.seen)
        for what, names in (('new', self.new), ('missing', missing)):
            for name in names[:MOST_NAMED]:
                print(f'{what}: {name}')
        n_different = sum(len(names) for _, names in self.changes.values())
        print(f'{self.equal} equal, {n_different} different, {len(self.new)} new, {len(missing)} missing')
        return 1 if n_different or missing else 0
