#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that `meson install` installs everything, that the installed program works, and that uninstalling removes
everything and nothing else. Usage: check-install.py BUILD [window]"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import ROOT, Tap  # noqa: E402

ID = 'io.github.traceloom.Traceloom'
ALWAYS = ['bin/traceloom-cli', 'share/man/man1/traceloom-cli.1', 'share/traceloom/sample/README']
WINDOW = ['bin/traceloom', 'share/man/man1/traceloom.1', f'share/applications/{ID}.desktop', f'share/metainfo/{ID}.metainfo.xml',
          f'share/glib-2.0/schemas/{ID}.gschema.xml', f'share/mime/packages/{ID}.xml', f'share/dbus-1/services/{ID}.service',
          f'share/icons/hicolor/scalable/apps/{ID}.svg', f'share/icons/hicolor/symbolic/apps/{ID}-symbolic.svg']


def prefix_of(build):
    options = subprocess.run(['meson', 'introspect', '--buildoptions', build], capture_output=True, text=True, check=True).stdout

    return next(option['value'] for option in json.loads(options) if option['name'] == 'prefix')


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob('*') if path.is_file() or path.is_symlink())


def check_files(place, expected):
    there = files_below(place)
    missing = [name for name in expected if name not in there]
    assert not missing, f'missing {missing} of {there}'


def check_sample(place):
    there, here = files_below(place / 'share/traceloom/sample'), files_below(ROOT / 'data/sample')
    assert there == here, set(there) ^ set(here)


def check_runs(place):
    text = subprocess.run([place / 'bin/traceloom-cli', 'info', '--format', 'text', place / 'share/traceloom/sample'],
                          capture_output=True, text=True, check=True).stdout
    assert 'algo-1' in text, text[:500]


def check_service(place, prefix):
    text = (place / f'share/dbus-1/services/{ID}.service').read_text()
    assert f'Exec={prefix}/bin/traceloom --gapplication-service' in text, text
    text = (place / f'share/applications/{ID}.desktop').read_text()
    assert f'Exec={prefix}/bin/traceloom %U' in text, text


# Caches that Meson updates after `meson install` without DESTDIR; when a package is installed, the package manager updates them.
LISTS = [('share/glib-2.0/schemas', 'glib-compile-schemas'), ('share/icons/hicolor', 'gtk-update-icon-cache', '-q', '-t', '-f'),
         ('share/applications', 'update-desktop-database', '-q'), ('share/mime', 'update-mime-database')]
MADE = ['share/glib-2.0/schemas/gschemas.compiled', 'share/icons/hicolor/icon-theme.cache', 'share/applications/mimeinfo.cache',
        'share/mime/mime.cache', 'share/mime/application/x-traceloom-session+json.xml']

# Files of another installed program.
OTHERS = {
    'bin/other': '#!/bin/sh\n',
    'share/glib-2.0/schemas/org.other.gschema.xml': '<schemalist><schema id="org.other" path="/org/other/"/></schemalist>',
    'share/icons/hicolor/scalable/apps/org.other.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'share/applications/org.other.desktop': '[Desktop Entry]\nType=Application\nName=O\nExec=other\nMimeType=application/x-other;\n',
    'share/mime/packages/org.other.xml': '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">'
                                         '<mime-type type="application/x-other"><glob pattern="*.other"/></mime-type></mime-info>',
}


def install(build, folder):
    subprocess.run(['meson', 'install', '-C', build, '--no-rebuild', '--destdir', folder], capture_output=True, check=True)


def uninstall(build):
    return subprocess.run([sys.executable, ROOT / 'data/uninstall.py', build], capture_output=True, text=True, check=True).stdout


def make_lists(place):
    for folder, *command in LISTS:
        subprocess.run([*command, place / folder], capture_output=True, check=True)


def tree(place):
    return {str(path.relative_to(place)): None if path.is_dir() else path.read_bytes() for path in Path(place).rglob('*')}


def check_same(place, before):
    after = tree(place)
    assert after.keys() == before.keys(), sorted(after.keys() ^ before.keys())
    assert after == before, [name for name in before if after[name] != before[name]]


def check_uninstall(build, folder):
    uninstall(build)
    check_same(folder, {})
    assert 'There are no installed files' in uninstall(build), 'a second time'


def check_lists(build, folder, place, others):
    """Caches made by desktop tools are removed too, or rebuilt from the remaining files of other programs."""
    if not all(shutil.which(command) for _, command, *_ in LISTS):
        return 'skip: not all tools of a desktop are here'
    if place.parts[-2:] == ('usr', 'local'):
        for name in ('bin', 'share/man'):  # these folders exist on every system
            (place / name).mkdir(parents=True)
    place.mkdir(parents=True, exist_ok=True)
    for name, text in others.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    if others:
        make_lists(place)
    before = tree(folder)
    for _ in range(2):  # the second installation finds its folders and does not log them
        install(build, folder)
        make_lists(place)
    check_files(place, MADE)
    uninstall(build)
    check_same(folder, before)


def with_log_kept(build, function):
    """Runs the function and restores the list of files that the user installed from this build."""
    log = build / 'meson-logs/install-log.txt'
    kept = log.read_bytes() if log.exists() else None
    try:
        function()
    finally:
        log.unlink(missing_ok=True)
        if kept is not None:
            log.write_bytes(kept)


def main(build, *window):
    build = Path(build)
    prefix = prefix_of(build)
    tap = Tap()

    def cases():
        with tempfile.TemporaryDirectory(prefix='loom-install-') as folder:
            place = Path(folder + prefix)
            install(build, folder)
            tap.case('every file is installed', check_files, place, ALWAYS + (WINDOW if window else []))
            tap.case('the sample run is complete', check_sample, place)
            tap.case('the installed command line runs', check_runs, place)
            if window:
                tap.case('service and desktop file name the installed program', check_service, place, prefix)
            tap.case('uninstall leaves nothing', check_uninstall, build, folder)
        for name, others in {'of its lists either': {}, 'beside other programs': OTHERS}.items() if window else ():
            with tempfile.TemporaryDirectory(prefix='loom-install-') as folder:
                tap.case(f'uninstall leaves nothing {name}', check_lists, build, Path(folder), Path(folder + prefix), others)

    with_log_kept(build, cases)
    tap.done()


if __name__ == '__main__':
    main(*sys.argv[1:])
