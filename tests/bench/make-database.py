#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a generated export of Nsight Systems into a cache folder, if it is not there yet, and prints its path.

Usage: make-database.py CACHE N: N kernels and the N calls that launch them, ordered by time. Equal arguments write
equal rows."""

import hashlib
import sqlite3
import sys
from pathlib import Path

PROCESS, THREAD = 77 << 24, 77 << 24 | 77
SCHEMA = '''
create table StringIds (id integer primary key, value text);
create table CUPTI_ACTIVITY_KIND_KERNEL (start integer, end integer, deviceId integer, contextId integer, streamId integer,
  correlationId integer, globalPid integer, demangledName integer, shortName integer, gridX integer, gridY integer, gridZ integer,
  blockX integer, blockY integer, blockZ integer, registersPerThread integer, staticSharedMemory integer,
  dynamicSharedMemory integer, graphNodeId integer);
create table CUPTI_ACTIVITY_KIND_RUNTIME (start integer, end integer, eventClass integer, globalTid integer,
  correlationId integer, nameId integer, returnValue integer);
create table TARGET_INFO_SESSION_START_TIME (utcEpochNs integer);
insert into TARGET_INFO_SESSION_START_TIME values (1750000000000000000);
insert into StringIds values (1, 'cudaLaunchKernel_v7000');
'''


def kernels(n):
    for i in range(n):
        yield (i * 8000 + 5000, i * 8000 + 11000 + i % 7 * 100, 0, 1, 7, i, PROCESS, 10 + i % 60, 10 + i % 60, 64 + i % 9, 1, 1, 256, 1, 1, 40, 0, 16384, None)


def calls(n):
    for i in range(n):
        yield i * 8000, i * 8000 + 3500 + i % 5 * 100, 0, THREAD, i, 1, 0


def main():
    cache, n = Path(sys.argv[1]), int(sys.argv[2])
    recipe = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    path = cache / f'nsight-{recipe}-{n}.sqlite'
    if not path.exists():
        part = path.with_suffix('.part')
        part.unlink(missing_ok=True)
        base = sqlite3.connect(part)
        base.executescript(SCHEMA)
        base.executemany('insert into StringIds values (?, ?)', [(10 + i, f'void kernel_{i}<float, {i}>(float *, int)') for i in range(60)])
        base.executemany(f'insert into CUPTI_ACTIVITY_KIND_KERNEL values ({",".join("?" * 19)})', kernels(n))
        base.executemany('insert into CUPTI_ACTIVITY_KIND_RUNTIME values (?,?,?,?,?,?,?)', calls(n))
        base.commit()
        base.close()
        part.rename(path)
    print(path)


main()
