# SPDX-License-Identifier: Apache-2.0
"""Writes PyTorch profiler traces of two steps of the sample run: one file per rank, each with its own clock."""
import os

from .base import MS, S, T0, US, Clock, Rng, compact, micros, write
from .job import COMPUTE, COPY, NCCL, RANKS, SLOW_STEP

FIRST, LAST = SLOW_STEP, SLOW_STEP + 1
CLOCKS = (Clock(0, 0), Clock(1274306, 7400), Clock(4618052, -11800), Clock(-5907233, 3900))
PLAIN = (0,)                                    # ranks with an uncompressed file
TRIMESTER_S = 7889238
BASE_NS = T0 // S // TRIMESTER_S * TRIMESTER_S * S
OVERHEADS = ("Instrumentation", "Activity Buffer Request", "Resource")

# Launch parameters of kernels by a part of the name: registers, shared memory, grid, block, occupancy.
SHAPES = (("gemm", 234, 98304, [48, 64, 1], [128, 1, 1], 12), ("flash", 168, 81920, [64, 32, 2], [128, 1, 1], 18),
          ("nccl", 96, 82240, [24, 1, 1], [544, 1, 1], 0), ("layer_norm", 32, 512, [8192, 1, 1], [256, 1, 1], 100),
          ("multi_tensor", 48, 0, [320, 1, 1], [512, 1, 1], 62), ("", 24, 0, [65536, 1, 1], [128, 1, 1], 100))
MULTIPROCESSORS = 108
DEVICE = {"name": "NVIDIA A100-SXM4-40GB", "totalGlobalMem": 42297786368, "computeMajor": 8, "computeMinor": 0,
          "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048, "regsPerBlock": 65536, "warpSize": 32,
          "sharedMemPerBlock": 49152, "numSms": MULTIPROCESSORS, "regsPerMultiprocessor": 65536,
          "sharedMemPerBlockOptin": 166912, "sharedMemPerMultiprocessor": 167936}


class Trace:
    """The file of one rank: event lines, with times stamped by the rank's profiler clock."""

    def __init__(self, rank):
        self.rank, self.clock, self.lines = rank, CLOCKS[rank.number], []
        steps = {s.number: s for s in rank.steps if s.train}
        self.begin, self.end = steps[FIRST].start - 20 * US, steps[LAST].end + 20 * US

    def inside(self, ns):
        """Return whether a time was recorded."""
        return self.begin <= ns <= self.end

    def ts(self, true_ns):
        """Return a true time as written in the file."""
        return micros(self.clock.stamp(true_ns) - BASE_NS)

    def put(self, ph, where, start, rest, end=None):
        """Append an event. `where` is its (pid, tid), and `rest` is a list of further members."""
        text = '{"ph":"%s","pid":%s,"tid":%s,"ts":%s' % ((ph,) + tuple(map(compact, where)) + (self.ts(start),))
        if end is not None:
            text += ',"dur":' + micros(self.clock.stamp(end) - self.clock.stamp(start))
        self.lines.append(text + "".join(',"%s":%s' % (k, compact(v)) for k, v in rest) + "}")

    def name(self, pid, process, labels, order):
        """Append the metadata of a process."""
        for key, args in (("process_name", {"name": process}), ("process_labels", {"labels": labels}),
                          ("process_sort_index", {"sort_index": order})):
            self.put("M", (pid, 0), self.begin, [("name", key), ("args", args)])

    def name_thread(self, pid, tid, name):
        """Append the metadata of a thread."""
        for key, args in (("thread_name", {"name": name}), ("thread_sort_index", {"sort_index": tid})):
            self.put("M", (pid, tid), self.begin, [("name", key), ("args", args)])


def span_args(span, index):
    """Return the args of a CPU span, which depend on its category."""
    if span.cat == "python_function":
        args = {"Python parent id": span.parent, "Python id": span.ident, "Ev Idx": index}
        if span.name.startswith("nn.Module"):
            args["Python module id"] = int(span.name.rsplit("_", 1)[1])
        return args
    if span.cat == "cuda_runtime":
        return dict({"External id": span.ident} if span.ident else {}, **span.args)
    return dict({"External id": span.ident, "Record function id": 0, "Ev Idx": index}, **span.args)


def put_cpu(trace):
    """Append the spans of the CPU threads, parents first, and the allocations."""
    rank = trace.rank
    spans = sorted((s for s in rank.spans if trace.inside(s.start) and trace.inside(s.end)),
                   key=lambda s: (s.start, -s.end))
    for index, span in enumerate(spans):
        trace.put("X", (rank.pid, span.tid), span.start,
                  [("cat", span.cat), ("name", span.name), ("args", span_args(span, index))], span.end)
    for tid, at, address, size, total in rank.instants:
        if trace.inside(at):
            args = {"Addr": address, "Bytes": size, "Device Type": 1, "Device Id": rank.device,
                    "Total Allocated": total, "Total Reserved": 34359738368}
            trace.put("i", (rank.pid, tid), at, [("s", "t"), ("cat", "cpu_instant_event"), ("name", "[memory]"),
                                                 ("args", args)])
    return spans


def work_args(trace, work):
    """Return the args of device work."""
    args = {"External id": work.ident, "device": trace.rank.device, "context": 1, "stream": work.stream,
            "correlation": work.correlation}
    if work.cat == "gpu_memcpy":
        size = work.args["bytes"]
        args.update({"bytes": size, "memory bandwidth (GB/s)": round(size / (work.end - work.start), 6)})
        return args
    registers, shared, grid, block, occupancy = next(s[1:] for s in SHAPES if s[0] in work.name)
    blocks = grid[0] * grid[1] * grid[2] / MULTIPROCESSORS
    args.update({"queued": 0, "registers per thread": registers, "shared memory": shared,
                 "blocks per SM": round(blocks, 6), "warps per SM": round(blocks * block[0] / 32, 6), "grid": grid,
                 "block": block, "est. achieved occupancy %": occupancy}, **work.args)
    return args


def put_device(trace):
    """Append device work, with the flows from its launches."""
    rank = trace.rank
    works = sorted((w for w in rank.work if trace.inside(w.launch)), key=lambda w: w.start)
    for work in works:
        where = (rank.device, work.stream)
        flow = [("cat", "ac2g"), ("name", "ac2g"), ("id", work.correlation)]
        trace.put("X", where, work.start, [("cat", work.cat), ("name", work.name), ("args", work_args(trace, work))],
                  work.end)
        trace.put("s", (rank.pid, work.tid), work.launch, flow)
        trace.put("f", where, work.start, flow + [("bp", "e")])
    return works


def put_annotations(trace, spans, works):
    """Append the annotated ranges on the device: from 1 ns before to 1 ns after their work, for each stream."""
    for span in spans:
        if span.cat != "user_annotation":
            continue
        for stream in (COMPUTE, COPY, NCCL):
            mine = [w for w in works if w.stream == stream and w.tid == span.tid
                    and span.start <= w.launch <= span.end]
            if mine and (stream != COPY or span.name.startswith("Dist")):
                trace.put("X", (trace.rank.device, stream), min(w.start for w in mine) - 1,
                          [("cat", "gpu_user_annotation"), ("name", span.name), ("args", {"External id": span.ident})],
                          max(w.end for w in mine) + 1)


def put_rest(trace, rng):
    """Append forward-backward flows, spans of the profiler's overhead, and the profiler's own rows."""
    rank = trace.rank
    for sequence, tid, at, other, then in rank.flows:
        if trace.inside(at) and trace.inside(then):
            flow = [("cat", "fwdbwd"), ("name", "fwdbwd"), ("id", sequence)]
            trace.put("s", (rank.pid, tid), at, flow)
            trace.put("f", (rank.pid, other), then, flow + [("bp", "e")])
    for i, name in enumerate(OVERHEADS):
        at = trace.begin + (i + 1) * 170 * MS
        trace.put("X", (-1, 0), at, [("cat", "overhead"), ("name", name)], at + rng.ns(40 * US, 900 * US))
    trace.put("X", ("Spans", "PyTorch Profiler"), trace.begin, [
        ("cat", "Trace"), ("name", "PyTorch Profiler (0)"), ("args", {"Op count": 0})], trace.end)
    trace.put("i", ("Traces", "Trace PyTorch Profiler"), trace.begin, [
        ("s", "g"), ("name", "Iteration Start: PyTorch Profiler")])
    trace.put("i", ("", ""), trace.end + 4 * MS, [("s", "g"), ("name", "Record Window End")])


def put_names(trace):
    """Append the metadata."""
    rank = trace.rank
    trace.name(rank.pid, "python", "CPU", rank.pid)
    trace.name_thread(rank.pid, rank.main.tid, "thread %d (python)" % rank.main.tid)
    trace.name_thread(rank.pid, rank.autograd.tid, "thread %d (pt_autograd_%d)" % (rank.autograd.tid, rank.device))
    trace.name(rank.device, "python", "GPU %d" % rank.device, 5000000 + rank.device)
    for stream in (COMPUTE, COPY, NCCL):
        trace.name_thread(rank.device, stream, "stream %d " % stream)
    trace.put("M", ("Spans", 0), trace.begin, [("name", "process_sort_index"), ("args", {"sort_index": 536870912})])


def head(rank, rng):
    """Return the members of the document before the events."""
    group = {"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl", "pg_size": RANKS,
             "ranks": list(range(RANKS))}
    return {"schemaVersion": 1, "deviceProperties": [dict(id=i, **DEVICE) for i in range(4)],
            "distributedInfo": {"backend": "nccl", "rank": rank.number, "world_size": RANKS, "pg_count": 1,
                                "pg_config": [group], "nccl_version": "2.21.5"},
            "record_shapes": 1, "profile_memory": 1, "with_stack": 1, "cupti_version": 22,
            "cuda_runtime_version": 12040, "cuda_driver_version": 12040, "host_name": rank.host,
            "trace_id": "%032X" % rng.ns(1 << 120, 1 << 124), "displayTimeUnit": "ms",
            "baseTimeNanoseconds": BASE_NS}


def write_all(job, folder):
    """Write the file of every rank; return counts and clocks."""
    counts = {}
    for rank in job.ranks:
        rng, trace = Rng("kineto %d" % rank.number), Trace(rank)
        spans = put_cpu(trace)
        put_annotations(trace, spans, put_device(trace))
        put_rest(trace, rng)
        events = len(trace.lines)
        put_names(trace)
        plain = rank.number in PLAIN
        name = "%s_%d.%d.pt.trace.json%s" % (rank.host, rank.pid, trace.clock.stamp(trace.end + 412 * MS),
                                             "" if plain else ".gz")
        text = compact(head(rank, rng))[:-1] + ',\n"traceEvents":[\n' + ",\n".join(trace.lines) + '\n],"traceName":' \
            + compact("/opt/ml/output/kineto/" + name) + "}\n"
        write(os.path.join(folder, name), text, not plain)
        counts[name] = events
    return {"events": counts, "clocks": {"rank %d" % i: c.truth() for i, c in enumerate(CLOCKS)}}
