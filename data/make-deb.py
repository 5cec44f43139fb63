#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the Debian packages of this source tree in a folder.

  make-deb.py FOLDER

Debian's tools expect the packaging in `debian` at the top of a source tree; here it is in data/debian. The script therefore
makes an archive of the source, unpacks it in FOLDER, copies the packaging to `debian` and runs dpkg-buildpackage, which writes
the packages and their list (.changes) to FOLDER. DEB_BUILD_OPTIONS is passed on. If it is not set, no tests are run, because
`make check` runs more tests than the package build would."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / 'data' / 'debian'
NOT_SOURCE = re.compile(r'(build(-[^/]*)?|_[^/]*|\.git|__pycache__)$')


def tracked_files():
    listed = subprocess.run(['git', '-C', ROOT, 'ls-files', '-z'], check=True, capture_output=True, text=True).stdout
    return [name for name in listed.split('\0') if name and (ROOT / name).exists()]


def files_but_builds():
    """Returns the files of the source tree, without build folders and .git."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if not NOT_SOURCE.match(name)]
        found += [str(Path(folder, name).relative_to(ROOT)) for name in files]
    return sorted(found)


def source_files():
    """Returns the files of the source tree: those that git tracks; without a repository, or where git is not installed, all files
    except in build folders."""
    return tracked_files() if (ROOT / '.git').exists() and shutil.which('git') else files_but_builds()


def upstream_version():
    first = (PACKAGING / 'changelog').read_text().splitlines()[0]
    return re.match(r'traceloom \((\S+)-\d+\)', first).group(1)


def anonymous(member):
    member.uid = member.gid = 0
    member.uname = member.gname = 'root'
    return member


def unpack_source(folder, version):
    """Makes the source archive, unpacks it and copies the packaging to `debian`; returns the unpacked tree."""
    tree = folder / f'traceloom-{version}'
    shutil.rmtree(tree, ignore_errors=True)
    archive = folder / f'traceloom_{version}.orig.tar.xz'
    with tarfile.open(archive, 'w:xz', preset=1) as tar:
        for name in source_files():
            tar.add(ROOT / name, f'traceloom-{version}/{name}', filter=anonymous)
    with tarfile.open(archive) as tar:
        tar.extractall(folder)
    shutil.copytree(PACKAGING, tree / 'debian')
    return tree


def main(folder):
    folder = Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for made in folder.glob('traceloom*_*'):  # packages of earlier builds
        made.unlink()
    tree = unpack_source(folder, upstream_version())
    subprocess.run(['dpkg-buildpackage', '--no-sign'], cwd=tree, check=True,
                   env={'DEB_BUILD_OPTIONS': 'nocheck'} | {name: text for name, text in os.environ.items() if name != 'MAKEFLAGS'})
    shutil.rmtree(tree)
    print(*sorted(f'{path.name}  {path.stat().st_size // 1024} KiB' for path in folder.glob('*.deb')), sep='\n')


if __name__ == '__main__':
    main(*sys.argv[1:])
