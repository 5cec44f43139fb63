#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Indexes a list of traces with the workers of a Dask cluster, and joins the indexes.

dask-index.py LIST INDEXES JOINED.loomrun [SCHEDULER]

LIST is written by list-traces.sh. Without SCHEDULER (tcp://HOST:8786) Dask starts a cluster on this machine. Workers need
traceloom-cli and access to the file system with the traces."""

import os
import subprocess
import sys

from dask.distributed import Client

PROGRAM = os.environ.get('TRACELOOM_CLI', 'traceloom-cli')


def index(trace, folder):
    """Returns the exit status of traceloom-cli. Status 3 (the trace could not be read) is no exception, because a retry would
    not help."""
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
