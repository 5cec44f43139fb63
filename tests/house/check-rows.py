# SPDX-License-Identifier: Apache-2.0
"""Checks that every requirement of the format pages is covered by a test or has a reason why not. rows.txt lists the
requirements with short labels; most are rows of tables, therefore they are called rows. A test names the rows that it
covers: in a file “rows” of a case of tests/import, or in a comment `rows: kineto.md §7 one label | another`, directly
above the test's function if it has one. The table in tests/README.md is generated from rows.txt and these names.
check-rows.py: checks this, and, if the format pages are available, that rows.txt has as many rows as their tables.
check-rows.py --write: writes the table in tests/README.md.
"""

import os
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from house import ROOT, Tap  # noqa: E402

TESTS = ROOT / 'tests'
README = TESTS / 'README.md'
BEGIN, END = '<!-- made by house/check-rows.py --write -->', '<!-- end of what is made -->'
KEYS = 'keys/'  # sections about input by the user: their tests must send real input
FUNCTION = re.compile(r'\n(?:static void|int)\n(\w+) \(')
COVER = re.compile(r'(\S+\.md) §(\S+) (.+)')


def read_list():
    """Returns {(page, section): [(label, whether it is from a table, reason or '')]}, and {page: reason} of pages whose rows
    are not listed."""
    rows, left_out, at = {}, {}, None
    for line in (TESTS / 'house' / 'rows.txt').read_text().splitlines():
        if not line or line.startswith('#'):
            continue
        if heading := re.fullmatch(r'\[(\S+\.md)(?: §(\S+))?\](?: -- (.*))?', line):
            at = (heading[1], heading[2])
            if heading[3]:
                left_out[heading[1]] = heading[3]
            else:
                rows[at] = []
            continue
        label, _, reason = line.partition(' -- ')
        rows[at].append((label.removeprefix('~ '), not label.startswith('~ '), reason))
    return rows, left_out


def function_below(text, at):
    """Returns a space and the name of the function whose comment contains the position; '' for other positions."""
    end = text.find('*/', at)
    found = FUNCTION.match(text, end + len('*/')) if end >= 0 else None
    return f' {found[1]}' if found else ''


def covers():
    """Yields (page, section, label, test) for each row that a test names."""
    for path in sorted((TESTS / 'import' / 'cases').glob('*/rows')):
        for line in path.read_text().splitlines():
            page, section, label = COVER.fullmatch(line).groups()
            yield page, section, label, f'import/cases/{path.parent.name}'
    for path in sorted(path for path in TESTS.rglob('*') if path.suffix in ('.c', '.py') and path != Path(__file__).resolve()):
        text = path.read_text(errors='replace')
        for line in re.finditer(r'\brows: (.*?\.md §.*?)(?: \*/)?$', text, re.MULTILINE):
            page, section, labels = COVER.fullmatch(line[1]).groups()
            for label in labels.split(' | '):
                yield page, section, label, str(path.relative_to(TESTS)) + function_below(text, line.end(1))


def tests_by_row():
    found = defaultdict(list)
    for page, section, label, test in covers():
        if test not in found[page, section, label]:
            found[page, section, label].append(test)
    return found


def made_table(rows, left_out, found):
    """Returns the generated table of rows, which stands between two marker lines in tests/README.md."""
    lines, page = [], None
    for (name, section), entries in rows.items():
        if name != page:
            page = name
            lines += ['', f'### {page}', '', '| § | row | tested by |', '|---|---|---|']
        for label, _, reason in entries:
            tests = ', '.join(f'`{test}`' for test in found.get((name, section, label), []))
            lines.append(f'| {section} | {label} | {"; ".join(filter(None, (tests, reason)))} |')
    lines += ['', '### Pages whose rows are not here', ''] + [f'- {name}: {reason}' for name, reason in left_out.items()]
    return '\n'.join(lines).strip() + '\n'


def split_readme():
    before, _, rest = README.read_text().partition(BEGIN)
    table, _, after = rest.partition(END)
    return before, table.strip() + '\n', after


def table_rows(page):
    """Returns {section: number of table rows} of a page, without code blocks."""
    counts, section, fenced = defaultdict(int), '', False
    for line in page.read_text().splitlines():
        fenced ^= line.startswith('```')
        if heading := re.match(r'## (\d+)', line):
            section = heading[1]
        if not fenced and line.startswith('|'):
            counts[section] += -1 if re.fullmatch(r'[|\s-]+', line) else 1  # the separator line cancels the header line
    return dict(counts)


def every_row_is_tested(rows, found):
    bare = [f'{page} §{section} {label}' for (page, section), entries in rows.items() for label, _, reason in entries
            if not reason and (page, section, label) not in found]
    return bare


def every_name_is_known(rows, found):
    known = {(*at, label) for at, entries in rows.items() for label, _, _ in entries}
    return [f'{" ".join(tests)}: no row {page} §{section} {label}' for (page, section, label), tests in found.items()
            if (page, section, label) not in known]


def hands_are_real(found):
    """Checks that tests of keys and pointer send real input through the display server."""
    names = {test.split()[0] for (_, section, _), tests in found.items() if (section or '').startswith(KEYS) for test in tests}
    return [f'{name} sends no real input' for name in sorted(names) if '#include "hands' not in (TESTS / name).read_text()]


def list_covers_pages(rows, left_out, folder):
    wrong = []
    for page in sorted(folder.glob('*.md')):
        if page.name in left_out:
            continue
        listed = {section: sum(table for _, table, _ in entries) for (name, section), entries in rows.items() if name == page.name}
        for section, n in table_rows(page).items():
            if listed.get(section, 0) != n:
                wrong.append(f'{page.name} §{section}: {n} rows in its tables, {listed.get(section, 0)} listed')
    return wrong


def main():
    rows, left_out = read_list()
    found = tests_by_row()
    before, table, after = split_readme()
    wanted = made_table(rows, left_out, found)
    if '--write' in sys.argv[1:]:
        README.write_text(f'{before}{BEGIN}\n{wanted}{END}{after}')
        return
    tap = Tap()
    tap.add('every row has a test or a reason', lambda: '\n'.join(every_row_is_tested(rows, found)))
    tap.add('tests name existing rows', lambda: '\n'.join(every_name_is_known(rows, found)))
    tap.add('tests of keys and pointer send real input', lambda: '\n'.join(hands_are_real(found)))
    tap.add('the table in tests/README.md is up to date', lambda: '' if table == wanted else 'run tests/house/check-rows.py --write')
    folder = Path(os.environ.get('TRACELOOM_SHARED', ROOT.parent / 'shared')) / 'formats'
    if folder.is_dir():
        tap.add('rows.txt has all rows of the pages', lambda: '\n'.join(list_covers_pages(rows, left_out, folder)))
    tap.run()


if __name__ == '__main__':
    main()
