#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds GLib with the thread sanitizer, from the source of Debian's package. Debian's own GLib is built without it, so
the sanitizer cannot see its locks and reports false races. The source is downloaded from the package archives configured on
this machine, with a separate apt configuration below FOLDER: the system is not changed, and root is not needed.

Usage: tests/build-glib.py FOLDER. Prints FOLDER/prefix on success; otherwise prints the reason and exits with status
77."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = 'glib2.0'
KEYRING = Path('/usr/share/keyrings/debian-archive-keyring.gpg')
NEEDED = ('apt-get', 'dpkg-source', 'dpkg-query', 'meson', 'cc')
OPTIONS = ['-Db_sanitize=thread', '-Db_lundef=false', '-Dbuildtype=debugoptimized', '-Dselinux=disabled',
           '-Dlibmount=disabled', '-Dman=false', '-Dgtk_doc=false', '-Dtests=false', '-Dnls=disabled', '-Dsysprof=disabled']


class Missing(Exception):
    """A missing requirement, described in a sentence."""


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def call(log, *command, **options):
    """Runs a command; its output goes to the log, because it is needed only for failures."""
    with open(log, 'ab') as out:
        out.write(f"\n$ {' '.join(map(str, command))}\n".encode())
        out.flush()
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=out, stderr=out, **options)


def installed_version():
    try:
        return output_of('dpkg-query', '-W', '-f', '${source:Version}', 'libglib2.0-dev')
    except (subprocess.CalledProcessError, OSError) as error:
        raise Missing('libglib2.0-dev is not installed as a package of Debian') from error


def archives():
    """Returns (address, release, components) of the Debian archives configured on this machine."""
    lines = output_of('apt-get', 'indextargets', '--format', '$(REPO_URI) $(RELEASE) $(COMPONENT)', 'Created-By: Packages')
    known = {}
    for address, release, component in sorted({tuple(line.split()) for line in lines.splitlines() if line.count(' ') == 2}):
        if '/debian' in address:
            known.setdefault((address, release), []).append(component)
    if not known:
        raise Missing('apt knows no archive of Debian')
    return [(address, release, ' '.join(components)) for (address, release), components in known.items()]


def configure_apt(folder):
    """Writes a list of source archives, with all of apt's state below `folder`; returns the environment for apt."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in ('parts', 'lists/partial', 'cache/archives/partial'):
        (folder / name).mkdir(parents=True)
    signed = f'Signed-By: {KEYRING}\n' if KEYRING.exists() else ''
    (folder / 'parts' / 'source.sources').write_text('\n'.join(
        f'Types: deb-src\nURIs: {address}\nSuites: {release}\nComponents: {components}\n{signed}'
        for address, release, components in archives()))
    (folder / 'apt.conf').write_text(
        f'Dir::Etc::SourceList "/dev/null";\nDir::Etc::SourceParts "{folder}/parts";\n'
        f'Dir::State::Lists "{folder}/lists";\nDir::Cache "{folder}/cache";\nAPT::Sandbox::User "";\n')
    return dict(os.environ, APT_CONFIG=str(folder / 'apt.conf'), LC_ALL='C.UTF-8')


def fetch(folder, version, log):
    """Downloads the source with Debian's patches and returns its folder."""
    env = configure_apt(folder / 'apt')
    sources = folder / 'source'
    shutil.rmtree(sources, ignore_errors=True)
    sources.mkdir(parents=True)
    try:
        call(log, 'apt-get', 'update', env=env)
        call(log, 'apt-get', 'source', f'{PACKAGE}={version}', env=env, cwd=sources)
    except subprocess.CalledProcessError as error:
        raise Missing(f'the source of {PACKAGE} {version} could not be fetched, see {log}') from error
    return next(path for path in sources.iterdir() if path.is_dir())


def build(folder, version, log):
    source, work, prefix = fetch(folder, version, log), folder / 'work', folder / 'prefix'
    for path in (work, prefix):
        shutil.rmtree(path, ignore_errors=True)
    # GLib's build runs its own programs; races in them do not matter here.
    env = dict(os.environ, TSAN_OPTIONS='report_bugs=0')
    try:
        call(log, 'meson', 'setup', work, source, f'-Dprefix={prefix}', *OPTIONS, env=env)
        call(log, 'meson', 'install', '-C', work, env=env)
    except subprocess.CalledProcessError as error:
        raise Missing(f'{PACKAGE} {version} could not be built under the thread sanitizer, see {log}') from error
    for path in (work, folder / 'apt'):
        shutil.rmtree(path, ignore_errors=True)


def main(argv):
    if len(argv) != 1:
        sys.exit(__doc__)
    folder = Path(argv[0]).resolve()
    try:
        if lacking := [name for name in NEEDED if shutil.which(name) is None]:
            raise Missing(f"{', '.join(lacking)} not found")
        version, done = installed_version(), folder / 'prefix' / 'version'
        if not done.exists() or done.read_text() != version:
            folder.mkdir(parents=True, exist_ok=True)
            log = folder / 'log.txt'
            log.unlink(missing_ok=True)
            build(folder, version, log)
            done.write_text(version)
    except Missing as missing:
        print(f'GLib cannot be built with the thread sanitizer: {missing}', file=sys.stderr)
        return 77
    print(folder / 'prefix')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
