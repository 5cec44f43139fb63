# SPDX-License-Identifier: Apache-2.0
"""Writes the Composer traces of the sample run: two profiling cycles of four ranks, with times of the clock of each host.

They have the peculiarities of Composer's own traces: end events without begin events (the last batch of a cycle and the
batches between cycles), a callback that begins in one file and ends in the next, metadata after events, event/epoch
without an end, and a batch number in args that is already incremented when event/batch ends.
"""
import json
import os

from .base import MS, US, Rng, write
from .job import HOSTS, LOADER, SLOW_NODE, SLOW_STEP

CYCLES = ((1, 4), (6, 9))               # first and last batch of each cycle
EVERY = 500 * MS                        # interval of the system counters


class Writer:
    """The queue of one rank's trace handler."""

    def __init__(self, rank):
        self.rank, self.clock, self.lines, self.events = rank, HOSTS[rank.node], [], 0

    def wall(self, true_ns):
        """Return a true time as the host's clock shows it, in µs."""
        return self.clock.stamp(true_ns) // US

    def put(self, at, name, cat, ph, args):
        """Queue an event."""
        event = {"name": name, "cat": cat, "ph": ph, "ts": self.wall(at), "pid": self.rank.number,
                 "tid": self.rank.pid, "args": args}
        if ph == "i":
            event["s"] = "p"
        self.events += ph != "M"
        self.lines.append((at, json.dumps(event)))

    def mark(self, at, name, ph, batch, cat=""):
        """Queue the begin or end event of a marker, or an instant."""
        self.put(at, name, cat, ph, {"epoch": 0, "batch": batch})

    def callback(self, kind, who, event, begin, end, batch):
        """Queue a callback or an algorithm."""
        for at, ph in ((begin, "B"), (end, "E")):
            self.mark(at, "%s/%s/event/%s" % (kind, who, event), ph, batch, "%s,%s" % (event, who))

    def save(self, path):
        """Write the queued events in time order."""
        self.lines.sort(key=lambda x: x[0])
        write(path, "[\n" + ",\n".join(text for _, text in self.lines) + "\n]\n")
        self.lines = []


def engine(out, step, recorded):
    """Queue the markers of Composer's engine for a batch. End events are always queued, begin events only if the batch
    is recorded."""
    b, fetched = step.number, step.fetch[1]
    done = step.optimizer[1] + 400 * US
    pairs = (("dataloader", step.fetch[0], fetched, b), ("batch", fetched + 60 * US, step.end - 40 * US, b + 1),
             ("train_batch", fetched + 260 * US, done, b), ("forward",) + step.forward + (b,),
             ("loss",) + step.loss + (b,), ("backward",) + step.backward + (b,))
    for name, begin, end, after in pairs:
        if recorded:
            out.mark(begin, "event/" + name, "B", b)
        if recorded and name == "batch":
            out.mark(begin, "event/batch", "i", b)
        out.mark(end, "event/" + name, "E", after)


def callbacks(out, step, rng):
    """Queue callbacks and an algorithm that run in a batch."""
    b, done = step.number, step.optimizer[1]
    out.callback("callback", "SpeedMonitor", "batch_start", step.fetch[1] + 90 * US,
                 step.fetch[1] + 90 * US + rng.ns(20 * US, 40 * US), b)
    out.callback("algorithm", "GradientClipping", "after_train_batch", done + 420 * US,
                 done + 420 * US + rng.ns(80 * US, 200 * US), b)
    end = step.end - 300 * US
    for who in ("SpeedMonitor", "LRMonitor"):
        out.callback("callback", who, "batch_end", end, end + rng.ns(20 * US, 90 * US), b + 1)
        end += 100 * US


def metadata(out, at, sync, bound):
    """Queue the metadata that Composer's trace handler writes at the first batch of a cycle."""
    n = out.rank.number
    for name, args in (("process_name", {"name": "Rank %d training loop process" % n}),
                       ("thread_name", {"name": "Training Loop"}), ("thread_sort_index", {"sort_index": 0}),
                       ("global_rank", {"value": n}), ("process_sort_index", {"sort_index": n}),
                       ("clock_sync_timestamp_us", {"value": out.wall(sync)}),
                       ("clock_sync_error_bound", {"value": bound // US})):
        out.put(at, name, "", "M", args)


def allocated(rank, at):
    """Return the device memory in use at a time, in 10^9 bytes."""
    last = [total for _, when, _, _, total in rank.instants if when <= at]
    return round((last[-1] if last else 21474836480) / 1e9, 5)


def counters(out, begin, end, slow, rng):
    """Queue the system counters of a cycle."""
    rank, received, read = out.rank, 91500000, 44810000000
    for i, at in enumerate(range(begin + 37 * MS, end, EVERY)):
        stalled = rank.node == SLOW_NODE and slow[0] <= at <= slow[1]
        received += rng.ns(20000, 24000) * (0 if stalled else 40)
        read += rng.ns(30, 34) * (30000000 if stalled else 500000)
        out.put(at, "cpu", "cpu", "C", {"cpu_percent": round(rng.real(61, 78) if stalled else rng.real(33, 47), 1)})
        out.put(at + 90 * US, "memory/cuda/current_allocated_mem", "memory/cuda", "C",
                {"current_allocated_mem": allocated(rank, at)})
        if i % 2 == 0:
            out.put(at + 130 * US, "disk/nvme1n1/read_bytes", "disk", "C", {"field_name": read})
            out.put(at + 170 * US, "network/eth0/kb_recv", "network", "C", {"kb_recv": received})


def write_cycle(out, number, steps, sync, rng, folder):
    """Write the file of one cycle of one rank."""
    first, last = CYCLES[number]
    idle = CYCLES[number - 1][1] + 1 if number else 0
    for b in range(idle, first):
        engine(out, steps[b], False)
    for b in range(first, last + 1):
        engine(out, steps[b], b < last)
        callbacks(out, steps[b], rng)
    opened = steps[first].fetch[1] + 120 * US
    out.callback("callback", "JSONTraceHandler", "batch_start", opened, opened + 700 * US, first)
    metadata(out, opened + 500 * US, sync + rng.ns(-40 * US, 40 * US), rng.ns(110 * US, 190 * US))
    counters(out, steps[first].start, steps[last].end, steps[SLOW_STEP].fetch, rng)
    name = "callback/JSONTraceHandler/event/batch_end"
    begun = steps[last].end - 20 * US
    out.mark(begun, name, "B", last + 1, "batch_end,JSONTraceHandler")
    out.save(os.path.join(folder, "ep0-ba%d-rank%d.json" % (last + 1, out.rank.number)))
    out.mark(begun + 9 * MS, name, "E", last + 1, "batch_end,JSONTraceHandler")


def write_all(job, folder):
    """Write all cycles of all ranks; return counts and clocks."""
    counts, shared = {}, Rng("composer barriers")
    steps = {r.number: [s for s in r.steps if s.train] for r in job.ranks}
    syncs = [max(s[first].fetch[1] for s in steps.values()) + shared.ns(200 * US, 400 * US) for first, _ in CYCLES]
    for rank in job.ranks:
        out, rng = Writer(rank), Rng("composer %d" % rank.number)
        out.mark(LOADER - 40 * MS, "event/epoch", "B", 0)
        for number, sync in enumerate(syncs):
            write_cycle(out, number, steps[rank.number], sync, rng, folder)
        counts["rank %d" % rank.number] = out.events - 1        # the last end event is in no file
    return {"events": counts, "clocks": {"rank %d" % r.number: HOSTS[r.node].truth() for r in job.ranks}}
