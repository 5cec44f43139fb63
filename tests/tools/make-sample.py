#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the sample run, data/sample: one simulated training job, recorded by several profilers.

    make-sample.py [FOLDER]             write it there (default: data/sample of this source tree)
    make-sample.py --check [FOLDER]     compare what is there with what would be written

The job is simulated once (sample_run/job.py) and then written in each format, so all files agree. The script always writes
the same bytes, except that compressed bytes depend on the version of zlib; therefore --check compares decompressed contents.
Prints as JSON what the files contain: the number of events by kind of file (without metadata), and the error of each clock.
A clock shows true + offset_ns + drift_ppb * (true - reference_ns) / 10^9.
"""
import argparse
import gzip
import json
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True          # writes no __pycache__ into the source tree

from sample_run import composer, kineto, smdebug, system, tensorflow
from sample_run.base import SEED, T0
from sample_run.job import SLOW_NODE, SLOW_STEP, STEPS, Job

HERE = os.path.dirname(os.path.abspath(__file__))
DEFAULT = os.path.normpath(os.path.join(HERE, "..", "..", "data", "sample"))
RUN = "llama-8b"


def write_run(folder):
    """Write all files of the job into a folder; return event counts and clock errors."""
    job = Job()
    output = os.path.join(folder, "profiler-output")
    slow = next(r for r in job.ranks if r.node == SLOW_NODE).steps[SLOW_STEP]
    return {"seed": SEED, "start_ns": T0, "loop_end_ns": job.loop_end, "end_ns": job.end, "steps": STEPS,
            "slow_step": {"number": SLOW_STEP, "node": "algo-%d" % SLOW_NODE, "stall_start_ns": slow.fetch[0],
                          "stall_end_ns": slow.fetch[1]},
            "smdebug": smdebug.write_all(job, output), "system": system.write_all(job, output),
            "tensorflow": tensorflow.write_all(job, output),
            "composer": composer.write_all(job, os.path.join(folder, "composer", "traces")),
            "kineto": kineto.write_all(job, os.path.join(folder, "kineto"))}


def contents(folder):
    """Return {relative path: decompressed bytes} of every file below a folder."""
    out = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with (gzip.open if name.endswith(".gz") else open)(path, "rb") as f:
                out[os.path.relpath(path, folder)] = f.read()
    return out


def check(folder):
    """Compare a folder with a newly written run; return the exit status."""
    with tempfile.TemporaryDirectory() as made:
        write_run(made)
        want, have = contents(made), contents(folder)
    bad = sorted(p for p in want.keys() | have.keys() if want.get(p) != have.get(p))
    for path in bad:
        state = "missing" if path not in have else "unexpected" if path not in want else "different"
        print("%s: %s" % (os.path.join(folder, path), state), file=sys.stderr)
    return 1 if bad else 0


def main():
    """Write or check the run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=DEFAULT)
    parser.add_argument("--check", action="store_true", help="compare only")
    options = parser.parse_args()
    run = os.path.join(options.folder, RUN)
    if options.check:
        return check(run)
    shutil.rmtree(run, ignore_errors=True)
    print(json.dumps(write_run(run), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
