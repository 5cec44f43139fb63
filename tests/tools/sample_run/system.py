# SPDX-License-Identifier: Apache-2.0
"""Writes the system metrics of both nodes of the sample run: JSON lines, a sample every half second, one file per
minute."""
import os

from .base import MS, S, T0, US, Rng, compact, hour, write
from .job import COMPUTE, HOSTS, LOADER, LOOP, NCCL, SLOW_NODE, SLOW_STEP

EVERY = 500 * MS
CORES = 4


def busy_intervals(job, node):
    """Return for each GPU of a node the times when it worked, as a list of (start, end)."""
    gpus = [[], [], [], []]
    for rank in job.ranks:
        if rank.node == node:
            gpus[rank.device] = [(w.start, w.end) for w in rank.work if w.stream in (COMPUTE, NCCL)]
    gpus[2] = gpus[3] = [(work, end) for _, _, _, work, end in job.teachers[node].batches]
    return [union(g) for g in gpus]


def union(intervals):
    """Merge overlapping intervals."""
    out = []
    for start, end in sorted(intervals):
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([start, end])
    return out


def share(intervals, start, end):
    """Return the fraction of the time from start to end that the intervals cover."""
    return sum(max(0, min(e, end) - max(s, start)) for s, e in intervals) / (end - start)


class Moment:
    """The activity of a node in the half second before a sample."""

    def __init__(self, job, node, at, busy):
        self.at, self.rng = at, None
        begin = at - EVERY
        rank = next(r for r in job.ranks if r.node == node)
        slow = next(r for r in job.ranks if r.node == SLOW_NODE).steps[SLOW_STEP].fetch
        self.stalled = node == SLOW_NODE and slow[0] + 150 * MS < at < slow[1]
        self.loading = T0 + 700 * MS < at < LOADER
        self.saving = job.save[0] < at < job.save[1] + 200 * MS
        self.loaded = min(1, (at - T0) / (LOADER - T0))
        self.training = LOOP < at < job.loop_end
        self.ended = at > job.save[1]
        self.gpus = [share(b, begin, at) for b in busy]
        works = [(w.start, w.end) for w in rank.work if w.stream == NCCL]
        silent = slow[0] + 150 * MS < at < slow[1]      # a collective that waits for a rank sends no data
        self.wire = 0 if silent else share(union(works), begin, at)


def cpu_rows(now, rng):
    """Return utilization and I/O wait of the cores; core 0 runs the trainer, 2 and 3 the loader's workers."""
    rows = []
    for core in range(CORES):
        load, wait = rng.real(3, 9), rng.real(0, 0.6)
        if now.training:
            load = (rng.real(52, 66), rng.real(46, 60), rng.real(24, 38), rng.real(22, 36))[core]
        elif now.loading or now.saving:
            load, wait = rng.real(30, 75) if core < 2 else rng.real(8, 20), rng.real(12, 30) if core < 2 else wait
        if now.stalled:
            load = (rng.real(8, 16), rng.real(95.5, 99.8), rng.real(9, 17), rng.real(8, 15))[core]
            wait = (rng.real(2, 6), rng.real(0, 0.3), rng.real(74, 88), rng.real(71, 86))[core]
        rows.append(("cpu", "cpu%d" % core, "CPUUtilization", round(load, 2)))
        rows.append(("cpu", "cpu%d" % core, "I/OWaitPercentage", round(wait, 2)))
    return rows


def gpu_rows(now, rng):
    """Return utilization and memory utilization of the GPUs; two train, two run the teacher."""
    rows = []
    for gpu, part in enumerate(now.gpus):
        load = part * (100 if gpu < 2 else 97) - rng.real(0, 2.5) if part > 0.02 else 0
        memory = 0 if now.at < T0 + 700 * MS else (rng.real(56, 60) if gpu < 2 else rng.real(71, 72)) * now.loaded
        rows.append(("gpu", "gpu%d" % gpu, "GPUUtilization", round(max(0, load))))
        rows.append(("gpu", "gpu%d" % gpu, "GPUMemoryUtilization", round(memory)))
    return rows


def io_rows(now, rng):
    """Return memory, disk and network."""
    scale = 30 if now.loading else 22 if now.stalled else 1
    used = 14 + now.loaded * 27 if not now.ended else 19
    wire = 2.35e9 * now.wire
    rows = [("memory", "MemoryUsedPercent", "", round(used + rng.real(0, 0.4), 2)),
            ("i/o", "IOPS", "", round(rng.real(70, 95) * scale ** 0.7, 1)),
            ("i/o", "ReadThroughputInBytesPerSecond", "", round(rng.real(3.5e7, 4.5e7) * scale)),
            ("i/o", "WriteThroughputInBytesPerSecond", "", round(rng.real(7e8, 9e8) if now.saving
                                                                 else rng.real(2e5, 6e5)))]
    for name in ("ReceiveBytesPerSecond", "TransmitBytesPerSecond"):
        rows.append(("network", name, "Algorithm", round(wire * rng.real(0.96, 1.04) + rng.real(2e4, 5e4))))
        rows.append(("network", name, "Platform", round(rng.real(9e3, 3e4))))
    return rows


def write_node(job, node, folder):
    """Write the metrics of one node; return the number of rows."""
    rng, clock, busy = Rng("system %d" % node), HOSTS[node], busy_intervals(job, node)
    files, count = {}, 0
    for tick in range(T0 + EVERY // 2, job.end, EVERY):
        at = tick + rng.ns(-2 * MS, 2 * MS)
        now = Moment(job, node, at, busy)
        delay = 0                               # each kind is sampled by a thread of its own
        for rows in (cpu_rows(now, rng), gpu_rows(now, rng), io_rows(now, rng)):
            for kind, name, dimension, value in rows:
                us = clock.stamp(at + delay) // US
                line = compact({"Type": kind, "Name": name, "Dimension": dimension, "Value": value,
                                "NodeId": "algo-%d" % node})
                minute = clock.stamp(tick) // (60 * S) * 60
                files.setdefault(minute, []).append('%s,"Timestamp":%d.%06d}' % (line[:-1], us // 10**6, us % 10**6))
                count += 1
            delay += rng.ns(2 * MS, 6 * MS)
    for minute, lines in files.items():
        where = os.path.join(folder, "system", "incremental", hour(minute * S))
        write(os.path.join(where, "%d.algo-%d.json" % (minute, node)), "\n".join(lines) + "\n")
    return count


def write_all(job, folder):
    """Write the metrics of all nodes; return counts."""
    return {"events": {"algo-%d" % n: write_node(job, n, folder) for n in HOSTS}}
