# SPDX-License-Identifier: Apache-2.0
"""Finds the input files and folders of freeze.py. Inputs from the source tree are copied into the store, so that later edits of a test
case do not appear as differences. The corpus of real files is linked. Runs for which there are results of reference programs
(oracle) are generated again."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'cli'))
from harness import ROOT, SAMPLE, shared_folder  # noqa: E402

LARGE_BYTES = 2 << 20  # larger files and folders are used by fewer commands, unless --large is given
TREE = {'sample': SAMPLE, 'cases': ROOT / 'tests/import/cases', 'sessions': ROOT / 'tests/fuzz/session',
        'configurations': ROOT / 'tests/fuzz/config', 'rules': ROOT / 'data/rules'}
NO_TRACES = {'README.md', 'sources.tsv'}
# Folders of the corpus that are runs with steps and ranks.
RUNS = {'corpus/param/dlrm_kineto'}
# Families of the corpus over which only the few commands for unreadable files (QUICK) are run.
UNREAD = {'flight-recorder', 'memory-snapshot'}


@dataclass
class Input:
    """An input; `path` is relative to the folder of inputs."""
    path: str
    kind: str  # sample, case, session, configuration, refused, file, folder or run
    is_large: bool = False


def commit():
    return subprocess.run(['git', '-C', ROOT, 'describe', '--always', '--dirty'], capture_output=True, text=True).stdout.strip()


def copy(folder, no_corpus):
    """Creates the folder of inputs."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, source in TREE.items():
        shutil.copytree(source, folder / name)
    if no_corpus:
        return
    for name in ('corpus', 'oracle'):
        if shared_folder(name).exists():
            (folder / name).symlink_to(shared_folder(name).resolve())
    generate(folder / 'generated')


def generate(folder):
    """Generates the runs for which the folder "oracle" has results of reference programs. The commands that generate
    them are in that folder, too."""
    for case, words in sorted(generators()):
        place = folder / case
        folder.mkdir(exist_ok=True)
        tool = shared_folder('tools') / Path(words[0]).name
        words = [str(place) if word in ('OUT', 'FOLDER') else word for word in words[1:]]
        subprocess.run([sys.executable, tool, *words], check=True, stdout=subprocess.DEVNULL)
        (place / 'truth.json').unlink(missing_ok=True)


def generators():
    """Yields (case, words of a command), each command once."""
    found = {}
    for document in sorted(shared_folder('oracle').glob('*/expected.json')):
        readme = document.with_name('README.md')
        data = json.loads(document.read_text()).get('data')
        command = re.search(r'make-profiler-output\.py FOLDER (?!ARGUMENTS).*', readme.read_text()) if readme.exists() else None
        command = command[0] if command else data if isinstance(data, str) and data.startswith('tools/') else None
        if command:
            found.setdefault(command, document.parent.name)
    return [(case, shlex.split(command)) for command, case in found.items() if (shared_folder('tools') / Path(command.split()[0]).name).exists()]


def find(folder, no_corpus):
    yield Input('sample/llama-8b', 'sample')
    for name, kind in (('cases', 'case'), ('sessions', 'session'), ('configurations', 'configuration')):
        for path in sorted((folder / name).iterdir()):
            yield Input(f'{name}/{path.name}', kind)
    for path in sorted((folder / 'generated').glob('*')):
        yield Input(f'generated/{path.name}', 'run')
    if not no_corpus and (folder / 'corpus').exists():
        yield from find_corpus(folder)


def find_corpus(folder):
    for path in sorted((folder / 'oracle').glob('*/timeline.json.gz')):
        yield Input(str(path.relative_to(folder)), 'file')
    for path in sorted((folder / 'corpus').rglob('*')):
        name = path.relative_to(folder)
        kind = 'refused' if name.parts[1] in UNREAD else 'folder' if path.is_dir() else 'file'
        files = [path] if path.is_file() else [file for file in path.rglob('*') if file.is_file()]
        # A folder with a single entry gives the same output as that entry.
        is_alone = path.is_dir() and (len(files) < 2 or len(list(path.iterdir())) < 2 and len(name.parts) > 2)
        if path.name not in NO_TRACES and not is_alone:
            is_large = sum(file.stat().st_size for file in files) > LARGE_BYTES
            yield Input(str(name), 'run') if str(name) in RUNS else Input(str(name), kind, is_large)
