#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `meson install` puts in place is whole, works from there, and goes away again.

  check-install.py BUILD [window]
"""

import json
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


def check_uninstall(build, place):
    subprocess.run(['ninja', '-C', build, 'uninstall'], capture_output=True, check=True)
    assert files_below(place) == [], files_below(place)


def main(build, *window):
    build = Path(build)
    log = build / 'meson-logs/install-log.txt'
    kept = log.read_bytes() if log.exists() else None  # of an installation by hand
    prefix = prefix_of(build)
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix='loom-install-') as folder:
        place = Path(folder + prefix)
        subprocess.run(['meson', 'install', '-C', build, '--no-rebuild', '--destdir', folder], capture_output=True, check=True)
        tap.case('every file is there', check_files, place, ALWAYS + (WINDOW if window else []))
        tap.case('the sample is whole', check_sample, place)
        tap.case('the command line runs from there', check_runs, place)
        if window:
            tap.case('the service starts what was installed', check_service, place, prefix)
        tap.case('uninstall leaves nothing', check_uninstall, build, Path(folder))
    if kept is not None:
        log.write_bytes(kept)
    elif log.exists():
        log.unlink()
    tap.done()


if __name__ == '__main__':
    main(*sys.argv[1:])
