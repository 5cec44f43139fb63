#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no link is broken in the HTML pages of the user guide and in the Markdown files of the project."""

import importlib.util
import re
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from house import ROOT, Tap

spec = importlib.util.spec_from_file_location('help_html', ROOT / 'data' / 'make-help-html.py')
help_html = importlib.util.module_from_spec(spec)
spec.loader.exec_module(help_html)

VOID = {'meta', 'link', 'img', 'source', 'br'}
LINK = re.compile(r'!?\[[^\]]*\]\(([^)\s]+)\)')
FENCE = re.compile(r'^```.*?^```$', re.MULTILINE | re.DOTALL)


class Page(HTMLParser):
    """Parses an HTML page: collects the addresses of links, and elements that are closed in the wrong order."""

    def __init__(self, path):
        super().__init__()
        self.path, self.links, self.open, self.wrong, self.text = path, [], [], [], ''
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        self.links += [value for name, value in attrs if name in ('href', 'src', 'srcset')]
        self.open += [tag] if tag not in VOID else []

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.text += data


def leads_nowhere(path, link):
    parts = urlsplit(link)
    if parts.scheme or link.startswith('//'):
        return False
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        return True
    return bool(parts.fragment) and target.suffix == '.md' and parts.fragment not in anchors(target)


def anchors(path):
    """Returns the anchors of the headings of a Markdown file, made as GitHub makes them."""
    headings = re.findall(r'^#+ (.*)$', FENCE.sub('', path.read_text()), re.MULTILINE)
    return {re.sub(r'[^\w\- ]', '', heading.lower()).strip().replace(' ', '-') for heading in headings}


def check_html():
    with tempfile.TemporaryDirectory(prefix='loom-help-') as folder:
        help_html.write(Path(folder))
        pages = [Page(path) for path in sorted(Path(folder).rglob('*.html'))]
        if len(pages) != 1 + len(help_html.LANGUAGES) * len(list((help_html.HELP / 'C').iterdir())):
            return f'{len(pages)} pages'
        wrong = [f'{page.path.relative_to(folder)}: {link} leads nowhere' for page in pages for link in page.links if leads_nowhere(page.path, link)]
        wrong += [f'{page.path.relative_to(folder)}: elements {page.wrong or page.open}' for page in pages
                  if page.wrong or [tag for tag in page.open if tag not in ('html', 'a')]]
        wrong += [f'{page.path.relative_to(folder)}: unread Markdown' for page in pages if '**' in page.text or '`' in page.text]
        return '\n'.join(wrong)


def check_packaged_readme():
    """The links of the README in the Debian packages lead to files of these packages: the guide, the rules and queries that are installed,
    and the two files that debian/rules adds."""
    with tempfile.TemporaryDirectory(prefix='loom-help-') as folder:
        docs = Path(folder)
        help_html.write(docs / 'help')
        added = re.findall(r'doc/traceloom-data/([\w.]+)$', (ROOT / 'data' / 'debian' / 'traceloom-data.links').read_text(), re.MULTILINE)
        links = LINK.findall(FENCE.sub('', help_html.packaged_readme()))
        wrong = [link for link in links if not ((docs / link).exists() or link in ('copyright', *added) or
                                                (link.startswith('../../traceloom/') and (ROOT / 'data' / link.removeprefix('../../traceloom/')).exists()))]
        return ' '.join(wrong) if len(links) > 15 else f'{len(links)} links'


def check_languages():
    listed = {'C'} | {line for line in (ROOT / 'po' / 'LINGUAS').read_text().splitlines() if line and not line.startswith('#')}
    return '' if listed == set(help_html.LANGUAGES) else f'po/LINGUAS has {sorted(listed)}'


def markdown_files():
    tops = [ROOT / name for name in ('src', 'tests', 'data', 'flatpak', '.github')]
    return sorted([ROOT / 'README.md', *(path for top in tops for path in top.rglob('*.md') if 'help' not in path.parts)])


def check_markdown():
    return '\n'.join(f'{path.relative_to(ROOT)}: {link} leads nowhere' for path in markdown_files()
                     for link in LINK.findall(FENCE.sub('', path.read_text())) if leads_nowhere(path, link))


def main():
    tap = Tap()
    tap.add('the guide as HTML has every page, whole, and its links lead somewhere', check_html)
    tap.add('the guide as HTML has every language', check_languages)
    tap.add('the links of the packaged README lead somewhere', check_packaged_readme)
    tap.add('no broken links in Markdown files', check_markdown)
    tap.run()


main()
