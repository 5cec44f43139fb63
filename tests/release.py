#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks whether the source tree is ready for a release, and prints what is left to do.

  release.py            all checks, including uncommitted changes, `make check`, the Debian packages and lintian
  release.py --texts    only checks of files in the tree: versions, news, pictures, packaging. This is the test house/release

The last lines are the commands that make the release by hand when all checks pass."""

import datetime
import importlib.util
import re
import subprocess
import sys
import threading
import xml.etree.ElementTree as tree
from email.utils import parsedate_to_datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / 'house'))
from house import ROOT, Tap  # noqa: E402

ID = 'io.github.traceloom.Traceloom'
DATA = ROOT / 'data'
SUMMARY_LENGTH = 35  # characters; software centers truncate longer summaries


def project_version():
    return re.search(r"^  version: '([\d.]+)'", (ROOT / 'meson.build').read_text(), re.MULTILINE).group(1)


def news():
    """Returns version, date and text of the newest entry of data/NEWS.md."""
    entry = re.search(r'^## ([\d.]+) \((.*?)\)\n(.*?)(?=^## |\Z)', (DATA / 'NEWS.md').read_text(), re.MULTILINE | re.DOTALL)
    return entry.group(1), datetime.datetime.strptime(entry.group(2), '%d %B %Y').date(), entry.group(3)


def metainfo():
    return tree.parse(DATA / f'{ID}.metainfo.xml.in').getroot()


def changelog():
    """Returns version and date of the newest entry of data/debian/changelog."""
    text = (DATA / 'debian' / 'changelog').read_text()
    return re.match(r'traceloom \(([\d.]+)-\d+\) ', text).group(1), parsedate_to_datetime(re.search(r'^ -- .*>  (.*)$', text, re.MULTILINE).group(1)).date()


def check_versions():
    """Checks that four files state the same version and date."""
    newest = metainfo().find('releases')[0]
    found = {'meson.build': project_version(), 'NEWS.md': news()[0], 'metainfo': newest.get('version'), 'changelog': changelog()[0]}
    dates = {'NEWS.md': news()[1], 'metainfo': datetime.date.fromisoformat(newest.get('date')), 'changelog': changelog()[1]}
    wrong = [str(found)] if len(set(found.values())) > 1 else []
    return '\n'.join(wrong + [str(dates)] if len(set(dates.values())) > 1 else wrong)


def check_news():
    return '' if len(re.findall(r'^- ', news()[2], re.MULTILINE)) >= 1 else 'the newest entry of NEWS.md has no items'


def check_metainfo():
    root = metainfo()
    summary = root.findtext('summary')
    images = [image.text.rsplit('/', 1)[1] for image in root.iter('image')]
    wrong = [f'the summary has {len(summary)} characters: {summary}'] if len(summary) > SUMMARY_LENGTH else []
    wrong += [f'no picture {name}' for name in images if not (DATA / 'screenshots' / name).exists()]
    wrong += [] if len(list(root.find('branding'))) == 2 else ['branding needs a color for the light and one for the dark style']
    return '\n'.join(wrong)


def check_packages():
    """Checks that `make deps` installs the build dependencies of the Debian packages, and no others."""
    made = set(re.search(r'^BUILD_PACKAGES = (.*?[^\\])$', (ROOT / 'Makefile').read_text(), re.MULTILINE | re.DOTALL).group(1).replace('\\\n', ' ').split())
    needed = set(re.findall(r'^ ([\w.+-]+)', re.search(r'^Build-Depends:\n(.*?)\n\n', (DATA / 'debian' / 'control').read_text(), re.MULTILINE | re.DOTALL).group(1),
                            re.MULTILINE))
    always = {'gcc', 'libc6-dev', 'ninja-build', 'libglib2.0-dev', 'libglib2.0-dev-bin', 'python3'}  # dependencies of build-essential and of other packages in the list
    different = (made - always) ^ (needed - {'debhelper-compat', 'python3'})
    return '' if not different else f'only one of Makefile and data/debian/control has {sorted(different)}'


def check_archive():
    """Checks that make-deb.py finds every tracked file also in a source tree without git."""
    spec = importlib.util.spec_from_file_location('make_deb', DATA / 'make-deb.py')
    make_deb = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make_deb)
    if not (ROOT / '.git').exists():
        return ''
    left_out = set(make_deb.tracked_files()) - set(make_deb.files_but_builds())
    return '\n'.join(f'make-deb.py without git takes {name} for a part of a build folder' for name in sorted(left_out))


ONE_BY_ONE = threading.Lock()  # Tap runs checks in parallel, but each build uses all processors


def run(*command):
    with ONE_BY_ONE:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return '' if done.returncode == 0 else '\n'.join((done.stdout + done.stderr).splitlines()[-20:]) or f'status {done.returncode}'


def check_committed():
    return subprocess.run(['git', 'status', '--porcelain'], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def check_tag():
    tags = subprocess.run(['git', 'tag', '--list', f'v{project_version()}'], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return f'the tag {tags} exists already; increase the version' if tags else ''


def check_today():
    return '' if news()[1] == datetime.date.today() else f'the newest entry of NEWS.md has the date {news()[1]}'


def add_texts(tap):
    tap.add('all files state the same version and date', check_versions)
    tap.add('NEWS.md has an entry for the version', check_news)
    tap.add('the metainfo has a short summary, pictures and colors', check_metainfo)
    tap.add('`make deps` installs the build dependencies of the packages', check_packages)
    tap.add('the source archive is complete without git', check_archive)


def main(argv):
    tap = Tap()
    add_texts(tap)
    if '--texts' in argv:
        tap.run()
    tap.add('there are no uncommitted changes', check_committed)
    tap.add('no tag of this version exists', check_tag)
    tap.add('the date of the version is today', check_today)
    tap.add('make check: every test passes', lambda: run('make', 'check'))
    tap.add('make deb: the packages are built, and lintian finds no error', lambda: run('make', 'deb'))
    version = project_version()
    print(f'If all checks pass: look for changes in `git log` since the last tag that are missing in NEWS.md, install build-deb/*.deb on a\n'
          f'new Debian 12, open the sample run, and then run: git tag -s v{version} -m "Traceloom {version}" && git push origin v{version}',
          flush=True)
    tap.run()


if __name__ == '__main__':
    main(sys.argv[1:])
