# SPDX-License-Identifier: Apache-2.0
"""Writes the framework timelines of the sample run: pythontimeline files of every rank, model_timeline files of the teachers."""
import json
import os

from .base import MS, S, T0, US, Rng, hour, write
from .job import HOSTS, LOADER

START = T0 + 1200 * MS                  # time at which the processes opened their writers
DETAILED_STEP, DETAILED_RANKS = 3, (0, 2)
LONG_KERNEL = 4 * MS                    # shorter kernels are omitted in the detailed step
WORKERS = 2


class Stream:
    """The files of one node id and kind. Every hour begins a new file; files are named after their last event."""

    def __init__(self, folder, node_id, kind, clock, first_pid):
        self.folder, self.node_id, self.kind, self.clock = folder, node_id, kind, clock
        self.base_us = clock.stamp(START) // US
        self.phases, self.first_pid = {}, first_pid
        self.lines, self.named, self.last, self.events, self.files = [], set(), None, 0, 0

    def us(self, true_ns):
        """Return a true time as µs since the start of the stream."""
        return self.clock.stamp(true_ns) // US - self.base_us

    def meta(self, pid, name, args, tid=None):
        """Append a metadata record."""
        record = {"name": name, "ph": "M", "pid": pid}
        if tid is not None:
            record["tid"] = tid
        self.lines.append(json.dumps(dict(record, args=args)))

    def pid(self, phase):
        """Return the number of a phase; writes its metadata at the first use in a file."""
        pid = self.phases.setdefault(phase, len(self.phases) + self.first_pid)
        if phase and (phase not in self.named or pid == 0):
            self.named.add(phase)
            self.meta(pid, "process_name", {"name": phase})
            self.meta(pid, "process_sort_index", {"sort_index": pid})
        return pid

    def ready(self, end):
        """Begin the file for an event that ends at a true time, if necessary."""
        stamp = self.clock.stamp(end)
        if self.lines and hour(stamp) != hour(self.last):
            self.close()
        if not self.lines:
            self.meta(0, "process_name", {"start_time_since_epoch_in_micros": self.base_us})
            self.meta(0, "process_sort_index", {"sort_index": 0})
            self.last = stamp
        self.last = max(self.last, stamp)

    def put(self, record):
        """Append an event."""
        self.lines.append(json.dumps(record))
        self.events += 1

    def close(self):
        """Write the records added since the last file."""
        if self.lines:
            name = "%d_%s_%s" % (self.last // US, self.node_id, self.kind)
            write(os.path.join(self.folder, hour(self.last), name), "[\n" + ",\n".join(self.lines) + "\n]\n")
            self.files += 1
        self.lines, self.named = [], set()


def step_events(rank, step):
    """Return the events of the hooks in a step as (end, phase, name, start, args)."""
    args = {"pid": rank.pid, "step_num": str(step.number)}
    fetched = dict(args, worker_id=step.number % WORKERS, bytes_fetched=524288)
    out = [(step.fetch[1], "DataLoaderIter", "_MultiProcessingDataLoaderIter::GetNext", step.fetch[0], fetched),
           (step.forward[1], "Forward", "LlamaForCausalLM", step.forward[0], args)]
    for phase, layers in (("Forward", step.forward_layers), ("Backward", step.backward_layers)):
        for layer in layers:
            name, phase_name = "model.layers.%d" % layer.index, phase + "-SubModuleInternal"
            for part, start, end in layer.parts if phase == "Forward" else ():
                out.append((end - US, phase_name, "%s.%s" % (name, part), start + US, args))
            out.append((layer.end, phase_name, name, layer.start, args))
    if step.train:
        out.append((step.backward[1], "Backward(post-forward)", "LlamaForCausalLM", step.backward[0], args))
    mode = "Step:ModeKeys." + step.mode
    out.append((step.end, mode, mode, step.start, args))
    return out


def detailed_events(rank, step):
    """Return the operators and longer kernels of the step that was profiled in detail."""
    out = []
    for s in rank.spans:
        if step.start <= s.start < step.end and s.cat == "cpu_op" and s.parent is None or \
                step.start <= s.start < step.end and s.name.startswith("autograd::"):
            out.append((s.end, "cpu_functions", s.name, s.start,
                        {"tid": s.tid, "step_num": step.number, "device": "cpu"}))
    base = HOSTS[rank.node].stamp(START) // US
    for w in rank.work:
        if step.start <= w.start < step.end and w.end - w.start >= LONG_KERNEL:
            launched = HOSTS[rank.node].stamp(w.launch) // US - base
            out.append((w.end, "gpu_functions-dev:%d" % rank.device, w.name.split("(")[0][:60], w.start,
                        {"tid": w.stream, "step_num": step.number, "event_name": w.cat, "device": rank.device,
                         "start_cpu_thread": w.tid, "cpu_thread_start_time": launched}))
    return out


def loader_events(rank, rng):
    """Return the creation of the data loader and the lifetimes of its workers."""
    args = {"pid": rank.pid, "num_workers": WORKERS, "pin_memory": True}
    out = [(LOADER + 310 * MS, "DataLoaderIterInitialize", "_MultiProcessingDataLoaderIter.__init__", LOADER, args)]
    last = rank.steps[-1].end
    for w in range(WORKERS):
        out.append((last + (w + 1) * 21 * MS, "DataLoaderWorker", "DataLoaderWorker",
                    LOADER + 40 * MS + w * 90 * MS + rng.ns(0, 9 * MS),
                    {"pid": rank.pid + 60 + w, "worker_id": w, "num_workers": WORKERS}))
    return out


def write_python(job, rank, folder):
    """Write the Python timeline of a rank; return its stream."""
    clock = HOSTS[rank.node]
    out = Stream(folder, "%d-%s" % (rank.number, rank.host), "pythontimeline.json", clock, 0)
    events = loader_events(rank, Rng("loader %d" % rank.number))
    for step in rank.steps:
        events += step_events(rank, step)
        if step.train and step.number == DETAILED_STEP and rank.number in DETAILED_RANKS:
            events += detailed_events(rank, step)
    for end, phase, name, start, args in sorted(events, key=lambda e: e[0]):        # events are written when they end
        out.ready(end)
        pid = out.pid(phase)
        begin = out.us(start)
        out.put({"name": name, "pid": pid, "ph": "X", "ts": begin, "dur": out.us(end) - begin, "args": args})
    if rank.device == 0:
        out.ready(job.save[1])
        out.put({"name": "Checkpoint:saved", "pid": out.pid(""), "ph": "i", "ts": out.us(job.save[1]), "s": "p",
                 "args": {"pid": rank.pid}})
    out.close()
    return out


class Native:
    """The model timeline of a teacher in the style of smdebug's native writer: events have tids, and spans are pairs of
    B and E events that both contain the args."""

    def __init__(self, stream, pid):
        self.stream, self.os_pid, self.threads = stream, pid, set()

    def put(self, ph, phase, tid, at, name=None, end=None):
        """Append one event, after the metadata of its thread at the first use in a file."""
        out = self.stream
        out.ready(end if end is not None else at)
        pid = out.pid(phase)
        if (out.files, pid, tid) not in self.threads:
            self.threads.add((out.files, pid, tid))
            out.meta(pid, "thread_name", {"name": "tid-%d_pid-%d" % (tid, self.os_pid)}, tid)
        record = {"ph": ph, "ts": out.us(at), "pid": pid, "tid": tid}
        if name:
            record = dict({"ph": ph, "name": name}, **record)
        if end is not None:
            record["dur"] = out.us(end) - record["ts"]
        if ph != "E":
            record["args"] = {"pid": str(self.os_pid), "thread_id": str(tid)}
        out.put(record)


def write_model(rank, teacher, folder):
    """Write the batches that the teacher of a node read; return the stream."""
    stream = Stream(folder, "%d-%s" % (rank.number, rank.host), "model_timeline.json", HOSTS[rank.node], 1)
    out, rng = Native(stream, rank.pid), Rng("model timeline %d" % rank.node)
    get, pipeline, nccl = rank.pid + 411, rank.pid + 412, rank.pid + 415
    events = []
    for _, read, done, work, end in teacher.batches:
        spare, length = 400 * US, done - read
        events.append((read, ("B", "DataIterator", get, read, "IteratorGetNextOp::DoCompute")))
        inner = (read + spare, done - spare)
        shuffle = (inner[0] + spare, inner[0] + length * 3 // 4)
        events.append((inner[1], ("X", "DataIterator", get, inner[0], "dataset::GetNext", inner[1])))
        events.append((done, ("E", "DataIterator", get, done)))
        for i in range(3):                      # records of the batch; one of them is slow if storage stalls
            begin = shuffle[0] + (shuffle[1] - shuffle[0]) * i // 3
            stop = begin + (shuffle[1] - shuffle[0]) // 3 - rng.ns(50 * US, 150 * US)
            events.append((stop, ("X", "Dataset", pipeline, begin, "Iterator::Model::ParallelMapV2::TFRecord", stop)))
        events.append((shuffle[1], ("X", "Dataset", pipeline, shuffle[0] - 9 * US,
                                    "Iterator::Model::Prefetch::Shuffle", shuffle[1])))
        gather = end - rng.ns(18 * MS, 22 * MS)
        events.append((end, ("X", "NcclManager", nccl, gather, "kAllGather", end)))
    for _, event in sorted(events, key=lambda e: e[0]):
        out.put(*event)
    stream.close()
    return stream


def write_all(job, folder):
    """Write all timelines; return counts and clocks."""
    pevents = os.path.join(folder, "framework", "pevents")
    streams = [write_python(job, rank, pevents) for rank in job.ranks]
    streams += [write_model(rank, job.teachers[rank.node], pevents) for rank in job.ranks if rank.device == 0]
    return {"events": {"%s_%s" % (s.node_id, s.kind): s.events for s in streams},
            "clocks": {"algo-%d" % n: c.truth() for n, c in HOSTS.items()}}
