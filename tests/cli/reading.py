# SPDX-License-Identifier: Apache-2.0
"""An independent reader of trace files for comparison. Uses Python's json module if it accepts the text, otherwise a
tolerant parser written from formats/README.md §2, and decimal arithmetic. Shares no code with the program."""

import gzip
import json
import re
import zlib
from collections import defaultdict
from decimal import Decimal, InvalidOperation, getcontext

getcontext().prec = 60
BLANK = re.compile(r'[ \t\r\n]*')
BARE = re.compile(r'[^,\]}{\["\s:]+')
CLOSES = re.compile(r'[ \t\r\n]*[,:}\]]')
NUMBER = re.compile(r'-?\d+(\.\d*)?([eE][-+]?\d+)?')


class Cut(Exception):
    """Raised if the text ends inside a value."""


def read_text(path):
    """Returns the decompressed text; for damaged gzip the part before the damage."""
    data = path.read_bytes()
    if data[:2] == b'\x1f\x8b':
        try:
            data = gzip.decompress(data)
        except (EOFError, OSError, zlib.error):
            data = zlib.decompressobj(31).decompress(data)
    return data.decode('utf-8', 'replace').lstrip('\ufeff')


def read_string(text, at):
    """Returns (string, position after it) for a string that may contain unescaped quotes."""
    end = at + 1
    while True:
        end = text.find('"', end)
        if end < 0:
            raise Cut
        slashes = len(text[at + 1:end]) - len(text[at + 1:end].rstrip('\\'))
        if slashes % 2 == 0 and (CLOSES.match(text, end + 1) or BLANK.match(text, end + 1).end() == len(text)):
            break
        end += 1
    inside = re.sub(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})', r'\\\\', re.sub(r'(?<!\\)"', r'\\"', text[at + 1:end]))
    return json.loads(f'"{inside}"', strict=False), end + 1


def read_value(text, at):
    """Returns (value, position after it); tolerates extra commas, bare words and broken strings."""
    at = BLANK.match(text, at).end()
    if at >= len(text):
        raise Cut
    if text[at] == '"':
        return read_string(text, at)
    if text[at] in '{[':
        return read_nested(text, at)
    word = BARE.match(text, at)
    if word is None:
        raise ValueError(at)
    if word.end() == len(text):
        raise Cut
    return read_bare(word[0]), word.end()


def read_bare(word):
    if NUMBER.fullmatch(word):
        return Decimal(word)
    return {'true': True, 'false': False, 'null': None}.get(word, word)


def read_nested(text, at):
    is_object = text[at] == '{'
    value, at = {} if is_object else [], at + 1
    while True:
        while (at := BLANK.match(text, at).end()) < len(text) and text[at] == ',':
            at += 1
        if at >= len(text):
            raise Cut
        if text[at] == ('}' if is_object else ']'):
            return value, at + 1
        if not is_object:
            item, at = read_value(text, at)
            value.append(item)
            continue
        key, at = read_string(text, at)
        at = BLANK.match(text, at).end()
        if text[at:at + 1] != ':':
            raise ValueError(at)
        value[key], at = read_value(text, at + 1)


def read_list(text, at):
    """Returns the objects of an event list that may be unterminated."""
    events = []
    while (at := BLANK.match(text, at).end()) < len(text) and text[at] != ']':
        if text[at] == ',':
            at += 1
            continue
        try:
            event, at = read_value(text, at)
        except Cut:
            break
        if isinstance(event, dict):
            events.append(event)
    return events


def read_tolerant(text):
    if text.lstrip().startswith('['):
        return read_list(text, text.index('[') + 1), {}
    members, at = {}, text.index('{') + 1
    events = []
    while True:
        while at < len(text) and (text[at] == ',' or text[at].isspace()):
            at += 1
        if at >= len(text) or text[at] == '}':
            return events, members
        key, at = read_string(text, at)
        at = BLANK.match(text, text.index(':', at) + 1).end()
        if key == 'traceEvents':
            events = read_list(text, at + 1)
        try:
            value, at = read_value(text, at)
        except Cut:
            return events, members
        if key != 'traceEvents':
            members[key] = value


def read_trace(path):
    """Returns (events, other members, whether Python's json accepted the text), or None if the file is not a trace."""
    text = read_text(path)
    try:
        document = json.loads(text, strict=False, parse_float=Decimal, parse_constant=str)
        strict = True
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        if lines and lines[0].lstrip().startswith('{"') and '"Timestamp"' in lines[0]:
            return read_lines(lines), {}, False
        strict = False
    if not strict:
        events, members = read_tolerant(text)
        return events, members, False
    if isinstance(document, list):
        return [event for event in document if isinstance(event, dict)], {}, True
    events = document.pop('traceEvents', None)
    return None if events is None else ([event for event in events if isinstance(event, dict)], document, True)


def read_lines(lines):
    rows = []
    for line in lines:
        try:
            rows.append(json.loads(line, parse_float=Decimal))
        except ValueError:
            continue
    return rows


def exact(value, factor=1000):
    """Converts a time to exact decimal ns; returns None if it is not a number."""
    if isinstance(value, bool) or value is None or isinstance(value, (dict, list)):
        return None
    try:
        number = Decimal(value.strip()) if isinstance(value, str) else Decimal(value)
    except InvalidOperation:
        return None
    return number * factor if number.is_finite() else None


def floor(number):
    return int(number // 1 if number >= 0 or number == number // 1 else number // 1 - 1)


def times(event):
    """Returns (start, duration) in ns; each is None if missing."""
    start = exact(event.get('ts'))
    if start is None and 'Timestamp' in event:
        start = exact(event['Timestamp'], 10 ** 9)
    length = exact(event.get('dur'))
    if start is None:
        return None, None
    return floor(start), None if length is None else floor(start + length) - floor(start)


def pairs(events):
    """Returns the matching pairs of B and E events, by the rules of chrome-trace-events.md §6."""
    lanes = defaultdict(list)
    for i, event in enumerate(events):
        start, _ = times(event)
        if str(event.get('ph', ''))[:1] in ('B', 'E') and start is not None:
            lanes[lane_of(event)].append((start, i, event))
    for lane in lanes.values():
        open_ = []
        for _, _, event in sorted(lane, key=lambda entry: entry[:2]):
            if event['ph'][0] == 'B':
                open_.append(event)
            elif (at := match(open_, event)) is not None:
                yield open_.pop(at), event


def lane_of(event):
    """Returns the key of an event's lane. The number 7 and the text "7" are different ids, 7 and 7.0 are equal."""
    return tuple((isinstance(value, str), value if not isinstance(value, (int, Decimal)) else Decimal(value))
                 for value in (event.get('pid'), event.get('tid')))


def match(open_, end):
    name = end.get('name')
    if not open_:
        return None
    if name in (None, ''):
        return len(open_) - 1
    fitting = [i for i, begin in enumerate(open_) if begin.get('name') == name]
    same = [i for i in fitting if begin_category(open_[i]) == begin_category(end)]
    return (same or fitting or [None])[-1]


def begin_category(event):
    return event.get('cat') or ''
