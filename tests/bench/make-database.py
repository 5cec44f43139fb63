#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a generated profiler database into a cache folder, if it is not there yet, and prints its path.

  make-database.py CACHE FORMAT N

FORMAT is nsight (an export of Nsight Systems), rocpd (the format of rocprofv3) or rpd (the format of rocmProfileData). The database
has N kernels and the N calls that launch them, ordered by time. The same arguments give the same rows."""

import hashlib
import sqlite3
import sys
from pathlib import Path

PROCESS, THREAD, PID = 77 << 24, 77 << 24 | 77, 77
EPOCH = 1_750_000_000_000_000_000
NSIGHT = '''
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
ROCPD = '''
create table rocpd_metadata_made (id integer primary key, tag text, value text);
create table rocpd_string_made (id integer primary key, guid text, string text);
create table rocpd_info_node_made (id integer primary key, guid text, hostname text);
create table rocpd_info_process_made (id integer primary key, guid text, nid integer, pid integer, environment text);
create table rocpd_info_thread_made (id integer primary key, guid text, nid integer, pid integer, tid integer);
create table rocpd_info_agent_made (id integer primary key, guid text, type text, absolute_index integer);
create table rocpd_info_kernel_symbol_made (id integer primary key, guid text, kernel_name text, display_name text);
create table rocpd_event_made (id integer primary key, guid text, category_id integer, stack_id integer, parent_stack_id integer,
  correlation_id integer);
create table rocpd_region_made (id integer primary key, guid text, nid integer, pid integer, tid integer, start integer,
  end integer, name_id integer, event_id integer);
create table rocpd_kernel_dispatch_made (id integer primary key, guid text, nid integer, pid integer, tid integer,
  agent_id integer, kernel_id integer, dispatch_id integer, queue_id integer, stream_id integer, start integer, end integer,
  workgroup_size_x integer, workgroup_size_y integer, workgroup_size_z integer, grid_size_x integer, grid_size_y integer,
  grid_size_z integer, event_id integer);
insert into rocpd_metadata_made values (1, 'schema_version', '3'), (2, 'uuid', '_made'), (3, 'guid', 'made');
insert into rocpd_string_made values (1, 'made', 'hipLaunchKernel'), (2, 'made', 'HIP_RUNTIME_API_EXT'), (3, 'made', 'KERNEL_DISPATCH');
insert into rocpd_info_node_made values (1, 'made', 'node0');
insert into rocpd_info_process_made values (1, 'made', 1, 77, '{}');
insert into rocpd_info_thread_made values (1, 'made', 1, 1, 77);
insert into rocpd_info_agent_made values (1, 'made', 'CPU', 0), (2, 'made', 'GPU', 1);
'''
RPD = '''
create table rocpd_string (id integer primary key, string text);
create table rocpd_api (id integer primary key, pid integer, tid integer, start integer, end integer, apiName_id integer,
  args_id integer);
create table rocpd_op (id integer primary key, gpuId integer, queueId integer, sequenceId integer, start integer, end integer,
  description_id integer, opType_id integer);
create table rocpd_api_ops (id integer primary key, api_id integer, op_id integer);
create table rocpd_kernelapi (api_ptr_id integer primary key, stream text, gridX integer, gridY integer, gridZ integer,
  workgroupX integer, workgroupY integer, workgroupZ integer, kernelName_id integer);
insert into rocpd_string values (1, 'hipLaunchKernel'), (2, 'KernelExecution'), (3, '');
'''


def name_of(i):
    return f'void kernel_{i}<float, {i}>(float *, int)'


def work(i):
    return i * 8000 + 5000, i * 8000 + 11000 + i % 7 * 100


def call(i):
    return i * 8000, i * 8000 + 3500 + i % 5 * 100


def fill(base, table, rows):
    """Inserts rows, which all have the same number of values."""
    rows = iter(rows)
    first = next(rows)
    command = f'insert into {table} values ({",".join("?" * len(first))})'
    base.execute(command, first)
    base.executemany(command, rows)


def nsight(base, n):
    base.executescript(NSIGHT)
    fill(base, 'StringIds', ((10 + i, name_of(i)) for i in range(60)))
    fill(base, 'CUPTI_ACTIVITY_KIND_KERNEL', ((*work(i), 0, 1, 7, i, PROCESS, 10 + i % 60, 10 + i % 60, 64 + i % 9, 1, 1, 256, 1, 1, 40, 0, 16384, None)
                                              for i in range(n)))
    fill(base, 'CUPTI_ACTIVITY_KIND_RUNTIME', ((*call(i), 0, THREAD, i, 1, 0) for i in range(n)))


def since_epoch(times):
    return EPOCH + times[0], EPOCH + times[1]


def rocpd(base, n):
    base.executescript(ROCPD)
    fill(base, 'rocpd_info_kernel_symbol_made', ((1 + i, 'made', f'kernel_{i}.kd', name_of(i)) for i in range(60)))
    fill(base, 'rocpd_event_made', ((1 + i, 'made', 2 + i % 2, 1 + i // 2, i % 2 * (1 + i // 2), 0) for i in range(2 * n)))
    fill(base, 'rocpd_region_made', ((1 + i, 'made', 1, 1, 1, *since_epoch(call(i)), 1, 1 + 2 * i) for i in range(n)))
    fill(base, 'rocpd_kernel_dispatch_made', ((1 + i, 'made', 1, 1, 1, 2, 1 + i % 60, 1 + i, 1, 1, *since_epoch(work(i)), 256, 1, 1, 256 * (64 + i % 9), 1, 1, 2 + 2 * i)
                                              for i in range(n)))


def rpd(base, n):
    base.executescript(RPD)
    fill(base, 'rocpd_string', ((10 + i, name_of(i)) for i in range(60)))
    fill(base, 'rocpd_api', ((1 + i, PID, PID, *since_epoch(call(i)), 1, 3) for i in range(n)))
    fill(base, 'rocpd_op', ((1 + i, 0, 0, i, *since_epoch(work(i)), 10 + i % 60, 2) for i in range(n)))
    fill(base, 'rocpd_api_ops', ((1 + i, 1 + i, 1 + i) for i in range(n)))
    fill(base, 'rocpd_kernelapi', ((1 + i, '0x5581', 64 + i % 9, 1, 1, 256, 1, 1, 10 + i % 60) for i in range(n)))


def main():
    cache, kind, n = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    recipe = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    path = cache / f'{kind}-{recipe}-{n}.{"rpd" if kind == "rpd" else "sqlite"}'
    if not path.exists():
        part = path.with_suffix('.part')
        part.unlink(missing_ok=True)
        base = sqlite3.connect(part)
        {'nsight': nsight, 'rocpd': rocpd, 'rpd': rpd}[kind](base, n)
        base.commit()
        base.close()
        part.rename(path)
    print(path)


main()
