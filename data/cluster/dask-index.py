#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Indexes the traces of a list with the workers of a Dask cluster, and joins the indexes.

dask-index.py LIST INDEXES JOINED.loomrun [SCHEDULER]

Without SCHEDULER (tcp://HOST:8786) a cluster of this machine is started. Workers need traceloom-cli and the file system of the
traces. LIST comes from list-traces.sh."""

import os
import subprocess
import sys

from dask.distributed import Client

PROGRAM = os.environ.get('TRACELOOM_CLI', 'traceloom-cli')


def index(trace, folder):
    """Returns the exit status; 3 says that the trace could not be read, which a second attempt would not change."""
    status = subprocess.run([PROGRAM, 'index', '--quiet', '-o', folder, trace]).returncode
    if status not in (0, 3):
        raise RuntimeError(f'{trace}: exit status {status}')
    return status


def main(traces, folder, joined, scheduler=None):
    os.makedirs(folder, exist_ok=True)
    with open(traces) as lines, Client(scheduler) as client:
        tasks = client.map(index, lines.read().splitlines(), folder=os.path.abspath(folder), retries=2, pure=False)
        client.gather(tasks, errors='skip')
    sys.exit(subprocess.run([PROGRAM, 'index', '--join', folder, '-o', joined]).returncode)


if __name__ == '__main__':
    main(*sys.argv[1:])
