#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Removes the files that `meson install` installed from BUILD. Also updates the desktop's caches of file types, programs, icons
and settings schemas: rebuilds them from the files of other programs, or removes them if no such files are left.

  uninstall.py BUILD
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

# Each entry: pattern of installed files; number of folders between such a file and the caches; pattern of files from which the
# caches are made; names of the caches; command that makes them.
LISTS = [
    ('glib-2.0/schemas/*.gschema.xml', 1, '*.gschema.xml', ['gschemas.compiled'], ['glib-compile-schemas']),
    ('applications/*.desktop', 1, '**/*.desktop', ['mimeinfo.cache'], ['update-desktop-database', '-q']),
    ('hicolor/*/apps/*.svg', 3, '*/**/*.*', ['icon-theme.cache'], ['gtk-update-icon-cache', '-q', '-t', '-f']),
    ('mime/packages/*.xml', 2, 'packages/*.xml',
     ['XMLnamespaces', 'aliases', 'generic-icons', 'globs', 'globs2', 'icons', 'magic', 'mime.cache', 'subclasses', 'treemagic',
      'types', 'version'], ['update-mime-database']),
]
SYSTEMS = re.compile(r'/usr(/local)?/(bin|share|share/man)$')  # folders of the system, never removed even if empty


def read_log(build):
    log = build / 'meson-logs/install-log.txt'
    lines = log.read_text().splitlines() if log.exists() else []
    return [Path(line) for line in lines if not line.startswith('#')]


def list_folders(files):
    """Returns the folders above the installed files, to be removed if they are empty. The log lists only folders that the last
    installation created, not those of an earlier one."""
    folders = set()
    for folder in (file.parent for file in files):
        while not SYSTEMS.search(str(folder)) and folder != folder.parent:
            folders.add(folder)
            if folder.name in ('bin', 'share'):
                break
            folder = folder.parent
    return folders


def remove_empty(folders):
    for folder in sorted(folders, key=lambda folder: len(folder.parts), reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def refresh(folder, others, lists, command):
    """Rebuilds the caches with the command, which also removes its files for types that no program declares any more. Removes the
    caches if no file of `others` is left, because the command would write empty ones."""
    full = [path for path in folder.iterdir() if path.is_dir() and any(path.iterdir())]
    if shutil.which(command[0]) and any((folder / name).exists() for name in lists):
        subprocess.run([*command, folder], capture_output=True, check=False)
    if not any(folder.glob(others)):
        for name in lists:
            (folder / name).unlink(missing_ok=True)
        remove_empty(full)


def uninstall(build):
    paths = read_log(build)
    files = [path for path in paths if path.is_symlink() or path.is_file()]
    folders = {path for path in paths if path.is_dir() and not path.is_symlink()} | list_folders(files)
    for file in files:
        file.unlink()
    for pattern, up, *lists in LISTS:
        for folder in {file.parents[up - 1] for file in files if file.match(pattern)}:
            refresh(folder, *lists)
    remove_empty(folders)
    return len(files)


def main(build):
    try:
        n_files = uninstall(Path(build))
    except PermissionError as error:
        sys.exit(f'{error.filename}: {error.strerror}; run “make uninstall” as the user who installed it, for example with sudo')
    print(f'{n_files} files removed' if n_files > 0 else f'There are no installed files of {build}')


if __name__ == '__main__':
    main(*sys.argv[1:])
