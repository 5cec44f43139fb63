# SPDX-License-Identifier: Apache-2.0
"""Runs programs and measures their times and memory. Programs that are compared run in turns, so that a change in the
speed of the machine affects all of them; a figure is the median of the rounds."""

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TIMEOUT_S = 1800
POLL_S = 0.002
KEEP_FREE = 2 * 10**9  # bytes of disk space to leave free
TICKS = os.sysconf('SC_CLK_TCK')


class Missing(Exception):
    """Raised if a program or resource is not available; the report then says so in the rows that need it."""


class Failed(Exception):
    """Raised if an available program failed."""


def run(command, **options):
    """Returns the wall time in seconds, measured from outside, and the output of the program."""
    begin = time.perf_counter()
    try:
        done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, timeout=TIMEOUT_S,
                              **{'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, 'text': True, **options})
    except subprocess.TimeoutExpired as error:
        raise Failed(f'{Path(str(command[0])).name} took more than {TIMEOUT_S} s') from error
    outside = time.perf_counter() - begin
    if done.returncode != 0:
        last = ((done.stderr or '').strip().splitlines() or ['it said nothing'])[-1]
        raise Failed(f'{Path(str(command[0])).name} ended with status {done.returncode}: {last}')
    return outside, done.stdout


def run_json(command, **options):
    """Returns the figures that the program measured itself and prints as JSON, plus `outside`, the wall time in seconds."""
    outside, text = run(command, **options)
    return json.loads(text.strip().splitlines()[-1]) | {'outside': outside}


def run_quietly(command):
    outside, _ = run(command, stdout=subprocess.DEVNULL, text=False)
    return {'wall': outside, 'outside': outside}


def peak_memory(command):
    """Returns the peak of the program's anonymous memory in bytes, sampled, and its output. Sampling slows the program
    down, so this is not used for times."""
    process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    peak, deadline = 0, time.monotonic() + TIMEOUT_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            text = Path(f'/proc/{process.pid}/status').read_text()
            at = text.find('RssAnon:')
            peak = max(peak, int(text[at + 8:].split(None, 1)[0]) * 1024 if at >= 0 else 0)
        except (OSError, ValueError):
            pass
        time.sleep(POLL_S)
    if process.poll() is None:
        process.kill()
    text = process.communicate()[0]
    if process.returncode != 0:
        raise Failed(f'{Path(str(command[0])).name} ended with status {process.returncode}')
    if peak == 0:
        raise Missing('the kernel does not say RssAnon')
    return peak, text


class Samples:
    """The results of one program, with a dict for each round of the measurement."""

    def __init__(self):
        self.rounds = []

    def __getitem__(self, key):
        return statistics.median(sample[key] for sample in self.rounds)

    def last(self, key):
        return self.rounds[-1].get(key)

    def add(self, key, function):
        for sample in self.rounds:
            sample[key] = function(sample)


def spread(above, below, key='wall', other_key=None):
    """Returns the minimum and maximum over all rounds of the ratio between two programs."""
    ratios = [a[key] / b[other_key or key] for a, b in zip(above.rounds, below.rounds)]
    return min(ratios), max(ratios)


def take_turns(runs, n):
    """Calls the functions (name: function returning a dict) in turns and returns name: Samples. An extra first round
    warms the caches and is discarded."""
    samples, names = {name: Samples() for name in runs}, list(runs)
    for i in range(n + 1):
        for name in names[i % len(names):] + names[:i % len(names)]:
            sample = runs[name]()
            if i > 0:
                samples[name].rounds.append(sample)
    return samples


class Bench:
    """Paths of programs, inputs and results."""

    def __init__(self, build, cache):
        self.build, self.cache = Path(build).resolve(), Path(cache)
        self.cache.mkdir(parents=True, exist_ok=True)

    def program(self, name, reason='is not built here'):
        path = self.build / name
        if not path.exists():
            raise Missing(f'{path.name} {reason}')
        return path

    def inputs(self, kind, size, files=1, gzip=False):
        """Returns the paths of generated files; generates them if necessary."""
        n_bytes = int(size[:-1]) * {'M': 10**6, 'G': 10**9}[size[-1]]
        needed = 0 if list(self.cache.glob(f'inputs-*/{kind}-{size}-{files}{"-gz" if gzip else ""}')) else n_bytes * 1.1
        if needed and shutil.disk_usage(self.cache).free < needed + KEEP_FREE:
            raise Missing(f'{self.cache} has no room for {size} of {kind}')
        command = [sys.executable, HERE / 'make-inputs.py', self.cache, kind, size, files, *['--gzip'] * gzip]
        return run(command)[1].splitlines()

    def made(self, script, *arguments):
        """Returns the path of a file that a script of this folder generates if it does not exist yet."""
        return run([sys.executable, HERE / script, self.cache, *arguments])[1].strip()

    def load(self, paths):
        program = self.program('tests/bench/bench-load')
        return lambda: run_json([program, *paths])

    def simdjson(self, paths):
        program = self.program('tests/bench/ref-simdjson', 'is not built: no C++ compiler or no simdjson (libsimdjson-dev)')
        return lambda: run_json([program, *paths])

    def other(self, name, *arguments):
        program = shutil.which(name)
        if program is None:
            raise Missing(f'{name} is not installed')
        return lambda: run_quietly([program, *arguments])


class Machine:
    """Description of the machine, and how much of it other programs use during the measurement."""

    def __init__(self):
        model = [line.split(':', 1)[1].strip() for line in Path('/proc/cpuinfo').read_text().splitlines()
                 if line.startswith('model name')]
        memory = os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30
        self.cores = len(os.sched_getaffinity(0))
        self.name = f'{model[0] if model else os.uname().machine}, {self.cores} cores, {memory:.0f} GiB, Linux {os.uname().release}'
        self.begin = self.now()

    @staticmethod
    def now():
        """Returns the time, busy seconds of all cores (including stolen time), and busy seconds of the benchmark's processes."""
        user, nice, system, _, _, irq, soft_irq, steal = (int(word) for word in
                                                          Path('/proc/stat').read_text().split('\n', 1)[0].split()[1:9])
        own = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return (time.monotonic(), (user + nice + system + irq + soft_irq + steal) / TICKS,
                sum(usage.ru_utime + usage.ru_stime for usage in own))

    def others(self):
        """Returns the fraction (0 to 1) of the machine that other programs have used since the start of the benchmark."""
        passed, busy, own = (now - then for now, then in zip(self.now(), self.begin))
        return max(0.0, busy - own) / (passed * self.cores) if passed > 0 else 0.0
