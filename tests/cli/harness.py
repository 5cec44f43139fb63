# SPDX-License-Identifier: Apache-2.0
"""Shared code of the command line tests: running the program, reading its output, printing TAP, and finding the shared
corpus, which may be missing."""

import atexit
import functools
import gc
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLE = ROOT / 'data' / 'sample'
DONE, FAILED, USAGE, INCOMPLETE = range(4)
THREADS_PATIENCE = 8  # factor for time limits under the thread sanitizer

# Tests keep large documents in memory, and Python's search for reference cycles in them would take up to a third of the time.
gc.disable()


def shared_folder(name):
    """Returns a folder of the shared test material, which is in $TRACELOOM_SHARED or in the folder “shared” next to the source tree."""
    base = Path(os.environ.get('TRACELOOM_SHARED', ROOT.parent / 'shared'))
    return base / name


def need(*folders):
    """Skips the whole test if one of the folders is missing."""
    for folder in folders:
        if not Path(folder).exists():
            print(f'1..0 # SKIP no {folder}')
            sys.exit(0)  # in TAP the plan reports the skip, so the exit status is 0


OUT = 'OUT'  # placeholder for the output folder in the arguments of a generator
# Runs a Python program without the search for reference cycles, which would take a quarter of a generator's time.
WITHOUT_CYCLES = 'import gc, runpy, sys; gc.disable(); del sys.argv[0]; runpy.run_path(sys.argv[0], run_name="__main__")'


@functools.cache
def generated_folder():
    """Returns the folder in which generated runs are kept: the one of run-checks.py, which all tests share, or a new one for this
    process."""
    if shared := os.environ.get('LOOM_GENERATED'):
        return Path(shared)
    own = folder()
    atexit.register(own.cleanup)
    return Path(own.name)


def generate(place, tool, *words):
    """Makes a run in the folder `place` with a generator of the shared tools, and returns the generator's output. OUT in `words`
    is replaced by the folder. Generators take seconds, so each command runs once; later calls copy its result."""
    program, words = shared_folder('tools') / tool, [str(word) for word in words]
    made = generated_folder() / hashlib.sha256(program.read_bytes() + json.dumps(words).encode()).hexdigest()
    if not made.exists():
        keep_generated(made, program, words)
    shutil.copytree(made / 'run', place, copy_function=shutil.copyfile, dirs_exist_ok=True)
    return (made / 'printed').read_text()


def keep_generated(made, program, words):
    with tempfile.TemporaryDirectory(dir=made.parent) as place:
        fresh = Path(place) / 'fresh'
        fresh.mkdir()
        words = [fresh / 'run' if word == OUT else word for word in words]
        done = subprocess.run([sys.executable, '-c', WITHOUT_CYCLES, program, *words], stdout=subprocess.PIPE, text=True, check=True)
        (fresh / 'printed').write_text(done.stdout)
        try:
            fresh.rename(made)
        except OSError:  # another test made the same run at the same time
            check(made.exists(), f'{made} cannot be made')


def generate_parallel(place, *words):
    """Generates traces of PyTorch's profiler; deletes truth.json, which describes the run for tests and is not a trace."""
    generate(place, 'make-parallel-run.py', OUT, *words)
    (Path(place) / 'truth.json').unlink(missing_ok=True)


class Cli:
    def __init__(self, program):
        self.program = str(Path(program).resolve())
        code = Path(program).read_bytes()
        self.n_times = THREADS_PATIENCE if b'__tsan_init' in code else 1
        self.is_asan = b'__asan_init' in code

    def __call__(self, *args, env=None, cwd=None, timeout=120, **options):
        """Runs the program; the result contains returncode, stdout and stderr as text."""
        return subprocess.run([self.program, *map(str, args)], capture_output=True, text=True, timeout=timeout * self.n_times, cwd=cwd,
                              env={**os.environ, 'TZ': 'UTC', **(env or {})}, errors='replace', **options)

    def must(self, *args, allowed=(DONE, INCOMPLETE), **options):
        result = self(*args, **options)
        if result.returncode not in allowed:
            raise AssertionError(f'{args}: exit {result.returncode}\n{result.stderr}')
        return result

    def is_sanitized(self):
        """Returns True if the program runs under a sanitizer, which uses most of the memory, so that memory figures are useless."""
        return self.is_asan or self.watches_threads()

    def watches_threads(self):
        """Returns True under the thread sanitizer, which multiplies the program's memory."""
        return self.n_times > 1

    def info(self, *args):
        return json.loads(self.must('info', '--format', 'json', *args).stdout)

    def dump_lines(self, *args):
        return self.must('dump', '--quiet', *args).stdout.splitlines()

    def dump(self, *args, **options):
        """Returns the events that the verb dump prints; options are passed to json.loads()."""
        return read_events(self.dump_lines(*args), **options)


def read_events(lines, **options):
    """Parses lines that the verb dump printed, and returns the events; options are passed to json.loads()."""
    text = '],['.join(lines)
    events = json.loads(f'[[{text}]]' if text else '[]', **options)
    check(all(len(line) == 1 for line in events), 'not one event per line')
    return [event for event, in events]


def no_constant(word):
    raise ValueError(f'{word} is no JSON')


def no_twins(pairs):
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError(f'a key stands twice: {[key for key, _ in pairs]}')
    return result


def read_strict(path, twins=True):
    """Reads a file as strict JSON: finite numbers, UTF-8, nothing after the document. With `twins` False, duplicate keys are
    errors too."""
    data = Path(path).read_bytes()
    if data[:2] == b'\x1f\x8b':
        data = gzip.decompress(data)
    return json.loads(data.decode('utf-8'), parse_constant=no_constant, object_pairs_hook=None if twins else no_twins)


class Tap:
    """Runs test cases one after another; a case that raises an exception has failed."""

    def __init__(self):
        self.n = 0
        self.failed = 0

    def case(self, name, function, *args):
        self.n += 1
        try:
            note = function(*args)
        except Exception as error:  # noqa: BLE001: any failure is a result
            self.failed += 1
            text = f'{type(error).__name__}: {error}'
            print('\n'.join(f'# {line}' for line in text.splitlines()[:20]))
            print(f'not ok {self.n} - {name}', flush=True)
            return
        skip = f' # SKIP {note[5:]}' if isinstance(note, str) and note.startswith('skip:') else ''
        print(f'ok {self.n} - {name}{skip}', flush=True)

    def done(self):
        print(f'1..{self.n}')
        sys.exit(1 if self.failed else 0)


def check(condition, message):
    if not condition:
        raise AssertionError(message() if callable(message) else message)


def same(got, wanted, what):
    check(got == wanted, lambda: f'{what}:\n  got    {str(got)[:2000]}\n  wanted {str(wanted)[:2000]}')


def folder():
    """Returns a new temporary folder, deleted at the end of its context."""
    return tempfile.TemporaryDirectory(prefix='traceloom-test-')
