# SPDX-License-Identifier: Apache-2.0
"""Reads the messages of a gettext catalog (.pot, .po), and writes a catalog."""

import re
from dataclasses import dataclass, field

FIELD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?)\s+(".*")$')
ESCAPES = {'n': '\n', 't': '\t', 'r': '\r', '"': '"', '\\': '\\'}


@dataclass
class Message:
    """A message: `texts` maps msgid, msgid_plural, msgctxt and msgstr to their texts; `comments`, `files` and `flags`
    contain its lines `#.`, `#:` and `#,`."""
    texts: dict = field(default_factory=dict)
    comments: list = field(default_factory=list)
    files: list = field(default_factory=list)
    flags: set = field(default_factory=set)

    @property
    def id(self):
        return self.texts.get('msgid', '')

    @property
    def plural(self):
        return self.texts.get('msgid_plural')

    @property
    def context(self):
        return self.texts.get('msgctxt')


def unquoted(text):
    return re.sub(r'\\(.)', lambda found: ESCAPES[found.group(1)], text[1:-1])


def quoted(text):
    return '"' + text.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n').replace('\t', '\\t') + '"'


def note(message, line):
    if line.startswith('#.'):
        message.comments.append(line[2:].strip())
    elif line.startswith('#:'):
        message.files += line[2:].split()
    elif line.startswith('#,'):
        message.flags |= {flag.strip() for flag in line[2:].split(',')}


def parse(text):
    """Yields the messages in order, including the header, without obsolete ones (`#~`)."""
    for block in re.split(r'\n\s*\n', text):
        message, key = Message(), None
        for line in block.splitlines():
            found = FIELD.match(line)
            if found:
                key = found.group(1)
                message.texts[key] = unquoted(found.group(2))
            elif line.startswith('"') and key:
                message.texts[key] += unquoted(line)
            else:
                note(message, line)
        if 'msgid' in message.texts:
            yield message


def written(message, singular, plural=None):
    """Returns the message with its translation in the syntax of a catalog."""
    lines = ['#, ' + ', '.join(sorted(message.flags))] if message.flags else []
    lines += [f'{key} {quoted(message.texts[key])}' for key in ('msgctxt', 'msgid', 'msgid_plural') if key in message.texts]
    if plural is None:
        return '\n'.join([*lines, f'msgstr {quoted(singular)}', ''])
    return '\n'.join([*lines, f'msgstr[0] {quoted(singular)}', f'msgstr[1] {quoted(plural)}', ''])
