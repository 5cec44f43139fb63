#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the user guide as plain HTML, one file for each page of the help window in each language.

  make-help-html.py FOLDER [README]

In the pages of data/help each line is a heading, a list item or a paragraph, with **strong** and `typed` words and
[links](page.md) to other pages. The HTML uses relative links and loads nothing from other addresses. FOLDER/index.html leads to the
English pages. README is the README.md of a package to write beside FOLDER: its links lead to files of the packages, and links to other
files of the source tree become plain text."""

import html
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HELP = ROOT / 'data' / 'help'
WINDOW = ROOT / 'src' / 'app' / 'help' / 'loom-help-window.c'
PICTURES = ROOT / 'data' / 'screenshots'
LANGUAGES = {'C': ('en', 'English'), 'de': ('de', 'Deutsch'), 'es': ('es', 'Español'), 'fr': ('fr', 'Français'), 'ja': ('ja', '日本語'),
             'zh_CN': ('zh-CN', '简体中文')}

STYLE = '''
:root { color-scheme: light dark; }
body { font: 1rem/1.55 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; display: grid;
       grid-template-columns: 12rem 1fr; gap: 0 2rem; }
header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: baseline; }
header strong { font-size: 1.2rem; margin-inline-end: auto; }
nav ul { list-style: none; padding: 0; }
nav li { margin: .4rem 0; }
nav a[aria-current] { font-weight: 600; text-decoration: none; color: inherit; }
main { min-width: 0; max-width: 42rem; }
code { font-size: .9em; overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; }
@media (max-width: 40rem) { body { display: block; } }
'''


def page_names():
    """Returns the names of the pages in the order of the help window."""
    listed = re.search(r'pages\[\] = \{(.*?)\}', WINDOW.read_text(), re.DOTALL).group(1)
    return re.findall(r'"([\w-]+)"', listed)


def inline(text):
    text = re.sub(r'\[([^\]]+)\]\(([\w-]+)\.md\)', r'<a href="\2.html">\1</a>', html.escape(text, quote=False))
    text = re.sub(r'\*\*(.+?)\*\*', r'<strong>\1</strong>', text)
    return re.sub(r'`(.+?)`', r'<code>\1</code>', text)


def body(text):
    """Returns a page as HTML blocks; consecutive items form one list."""
    blocks = []
    for line in filter(None, text.splitlines()):
        if line.startswith('# '):
            blocks.append(f'<h1>{inline(line[2:])}</h1>')
        elif line.startswith('## '):
            blocks.append(f'<h2>{inline(line[3:])}</h2>')
        elif line.startswith('- '):
            blocks.append(f'<li>{inline(line[2:])}</li>')
        else:
            blocks.append(f'<p>{inline(line)}</p>')
    return re.sub(r'((?:<li>.*</li>\n?)+)', r'<ul>\n\1</ul>\n', '\n'.join(blocks) + '\n')


def title(language, name):
    return (HELP / language / f'{name}.md').read_text().splitlines()[0].removeprefix('# ')


def document(language, name, inner):
    tag = LANGUAGES[language][0]
    others = ' '.join(f'<a href="../{other}/{name}.html" lang="{code}" hreflang="{code}">{own}</a>' if other != language else f'<span>{own}</span>'
                      for other, (code, own) in LANGUAGES.items())
    entries = ''.join(f'<li><a href="{entry}.html"{" aria-current=page" if entry == name else ""}>{inline(title(language, entry))}</a></li>\n'
                      for entry in page_names())
    return f'''<!DOCTYPE html>
<html lang="{tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title(language, name))} – Traceloom</title>
<link rel="stylesheet" href="../style.css">
</head>
<body>
<header><strong>Traceloom</strong> {others}</header>
<nav><ul>
{entries}</ul></nav>
<main>
{inner}</main>
</body>
</html>
'''


def picture():
    return ('<picture><source media="(prefers-color-scheme: dark)" srcset="../timeline-dark.png">'
            '<img src="../timeline.png" alt="Traceloom" width="1280" height="800"></picture>\n')


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'style.css').write_text(STYLE.lstrip())
    for name in ('timeline.png', 'timeline-dark.png'):
        shutil.copy(PICTURES / name, folder)
    for language in LANGUAGES:
        (folder / language).mkdir(exist_ok=True)
        for name in page_names():
            inner = body((HELP / language / f'{name}.md').read_text())
            if name == 'timeline':
                inner = inner.replace('</h1>\n', f'</h1>\n{picture()}', 1)
            (folder / language / f'{name}.html').write_text(document(language, name, inner))
    first = f'C/{page_names()[0]}.html'
    (folder / 'index.html').write_text(f'<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Traceloom</title>\n'
                                       f'<meta http-equiv="refresh" content="0; url={first}">\n<a href="{first}">Traceloom</a>\n</html>\n')


# Places of files of the source tree in the Debian packages, seen from the folder of the README.
PACKAGED = {'LICENSE': 'copyright', 'data/NEWS.md': 'NEWS.md.gz', 'data/help/C': 'help/index.html', 'data/screenshots/timeline.png': 'help/timeline.png',
            'data/rules/README.md': '../../traceloom/rules/README.md', 'data/queries/README.md': '../../traceloom/queries/README.md'}


def packaged_link(found):
    mark, text, target = found.groups()
    page = re.fullmatch(r'data/help/(C/[\w-]+)\.md', target)
    place = f'help/{page.group(1)}.html' if page else target if '://' in target else PACKAGED.get(target)
    if place is None:
        return '' if mark else text
    return f'{mark}[{text}]({place})'


LINK = re.compile(r'(!?)\[([^\]]*)\]\(([^)\s]+)\)')


def packaged_line(line):
    """Returns a line of the README with the links of packages; nothing for a list item that only refers to other files."""
    packaged = LINK.sub(packaged_link, line)
    lost = line.startswith('- ') and LINK.search(line) and not LINK.search(packaged)
    return '' if lost else packaged


def packaged_readme():
    lines = (ROOT / 'README.md').read_text().splitlines(keepends=True)
    return re.sub(r'\n{3,}', '\n\n', ''.join(map(packaged_line, lines)))


if __name__ == '__main__':
    write(Path(sys.argv[1]))
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(packaged_readme())
