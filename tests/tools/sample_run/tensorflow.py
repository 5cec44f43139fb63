# SPDX-License-Identifier: Apache-2.0
"""Writes the TensorFlow profiler's trace of one batch of the teacher on node 1, in the folders of smdebug.

Times are relative to the start of the profiling session, in µs with six decimals. Only the name of the empty .metadata
file four folders up contains the start.
"""
import os
import time

from .base import MS, S, US, Rng, compact, hour, write
from .job import HOSTS, SLOW_STEP

BATCH = SLOW_STEP + 2                   # read and computed while the student trains on the previous batch
NODE, HOST = 1, 701
LAYERS = 32
DEVICES = ((1, 2), (2, 3))              # pid and GPU number
COMPUTE, COPY = 14, 15
DERIVED = 0xdeadbeef                    # first tid of lines that summarise others
STEPS, SCOPES, OPS = DERIVED, DERIVED + 1, DERIVED + 2
# operator, kernel, share of a layer's time in %
KERNELS = (("attention/qkv/MatMul", "ampere_fp16_s16816gemm_fp16_256x128_ldg8_f2f_stages_64x3_tn", 18),
           ("attention/Softmax", "fmha_v2_flash_attention_fp16_128_64_S_128_sm80_kernel", 16),
           ("attention/output/MatMul", "ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_64x4_tn", 11),
           ("rms_norm/mul", "fusion_rms_norm", 3),
           ("mlp/up/MatMul", "ampere_fp16_s16816gemm_fp16_256x128_ldg8_f2f_stages_64x3_tn", 29),
           ("mlp/down/MatMul", "ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_64x4_tn", 23))


def number(ps):
    """Return picoseconds as decimal µs without trailing zeros."""
    text = ("%d.%06d" % (ps // 10**6, ps % 10**6)).rstrip("0")
    return text.rstrip(".")


class Trace:
    """The events of the session; times are ns since its start, plus random picoseconds."""

    def __init__(self, rng):
        self.rng, self.lines, self.events = rng, [], 0

    def name(self, pid, process, threads):
        """Append the metadata of a process and its lines."""
        def meta(kind, args, tid=None):
            where = {"pid": pid} if tid is None else {"pid": pid, "tid": tid}
            self.lines.append(compact(dict({"ph": "M"}, **where, name=kind, args=args)))
        meta("process_name", {"name": process})
        meta("process_sort_index", {"sort_index": pid})
        for tid, name in threads:
            meta("thread_name", {"name": name}, tid)
            meta("thread_sort_index", {"sort_index": tid}, tid)

    def put(self, pid, tid, start, end, name, **args):
        """Append a slice."""
        first, last = start * 1000 + self.rng.ns(0, 900), end * 1000
        text = '{"ph":"X","pid":%d,"tid":%d,"ts":%s,"dur":%s,"name":%s' % (
            pid, tid, number(first), number(last - first), compact(name))
        self.lines.append(text + (',"args":' + compact(args) if args else "") + "}")
        self.events += 1


def put_device(trace, pid, gpu, begin, end):
    """Append the work of one GPU: streams, and the lines derived from them."""
    rng, now, correlation = trace.rng, begin, 7000
    step = (end - begin) // (LAYERS + 1)
    trace.put(pid, STEPS, begin, end, str(BATCH), group_id=str(BATCH), step_num=str(BATCH))
    trace.put(pid, COPY, begin - 900 * US, begin - 300 * US, "MemcpyH2D", memcpy_details="kind:H2D size:524288")
    for layer in range(LAYERS):
        scope = "teacher/layer_%d" % layer
        first = now
        for op, kernel, part in KERNELS:
            lasts = step * part // 100 - rng.ns(2 * US, 40 * US)
            correlation += 1
            trace.put(pid, COMPUTE, now, now + lasts, kernel, correlation_id=str(correlation),
                      group_id=str(BATCH), tf_op="%s/%s:%s" % (scope, op, op.rsplit("/", 1)[1]))
            if op.endswith("MatMul"):
                trace.put(pid, OPS, now, now + lasts, "%s/%s" % (scope, op))
            now += lasts + rng.ns(1500, 9 * US)
        trace.put(pid, SCOPES, first, now, scope)
    trace.put(pid, COMPUTE, now, end, "ncclDevKernel_AllGather_RING_LL", correlation_id=str(correlation + 1),
              group_id=str(BATCH), tf_op="teacher/gather_logits:CollectiveGatherV2")


def put_host(trace, read, done, begin, end):
    """Append the work of the host: reading, then launching layer by layer."""
    rng, executor, data, pool = trace.rng, 2201, 2207, 2209
    trace.put(HOST, data, read, done, "IteratorGetNextOp::DoCompute", iter_type="Prefetch", step_num=str(BATCH))
    trace.put(HOST, data, read + 30 * US, done - 30 * US, "Iterator::Model::Prefetch", id="2976532075292600119",
              parent_id="0")
    for i in range(6):
        at = read + (done - read) * i // 6
        trace.put(HOST, pool, at, at + (done - read) // 6 - 60 * US, "Iterator::Model::ParallelMapV2::TFRecord",
                  id=str(8288562507704599781 + i), parent_id="2976532075292600119")
    trace.put(HOST, executor, done + 800 * US, end, "TraceContext", group_id=str(BATCH), step_num=str(BATCH))
    trace.put(HOST, executor, done + 900 * US, end - 100 * US, "aws_marker-ForwardPass/teacher:NoOp")
    now = begin - 400 * US
    for layer in range(LAYERS):
        first = now
        for op, _, _ in KERNELS:
            lasts = rng.ns(60 * US, 190 * US)
            trace.put(HOST, executor, now + 9 * US, now + lasts, "teacher/layer_%d/%s:%s"
                      % (layer, op, op.rsplit("/", 1)[1]), long_name=op, group_id=str(BATCH))
            now += lasts + rng.ns(8 * US, 30 * US)
        trace.put(HOST, executor, first + 4 * US, now, "ExecutorState::Process", id=str(layer), iter_num="0")
        now = max(now + 20 * US, begin + (end - begin) * layer // (LAYERS + 2))
    trace.put(HOST, executor, end - 90 * US, end - 90 * US + 1, "ExecutorDoneCallback", id="-1")


def write_all(job, folder):
    """Write the trace and the file whose name contains its start; return the count and the start."""
    trace = Trace(Rng("tensorflow"))
    _, read, done, work, end = next(b for b in job.teachers[NODE].batches if b[0] == BATCH)
    start, stop = (read - 12 * MS) // US * US, (end + 9 * MS) // US * US
    for pid, gpu in DEVICES:
        trace.name(pid, "/device:GPU:%d (pid %d)" % (gpu, pid), (
            (COMPUTE, "Stream #14(Compute)"), (COPY, "Stream #15(MemcpyH2D)"), (STEPS, "Steps"),
            (SCOPES, "TensorFlow Name Scope"), (OPS, "TensorFlow Ops")))
    trace.name(HOST, "/host:CPU", ((2201, "tf_Compute"), (2207, "tf_data_iterator_get_next"),
                                   (2209, "tf_data_private_threadpool")))
    for pid, gpu in DEVICES:
        put_device(trace, pid, gpu, work - start, end - start)
    put_host(trace, read - start, done - start, work - start, end - start)
    wall = HOSTS[NODE].stamp(start)
    base = os.path.join(folder, "framework", "tensorflow", "detailed_profiling", hour(wall), "%09d" % BATCH)
    run = time.strftime("%Y_%m_%d_%H_%M_%S", time.gmtime(wall // S))
    text = '{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[\n' \
        + ",\n".join(trace.lines) + ",\n{}]}\n"
    write(os.path.join(base, "plugins", "profile", run, "algo-%d.trace.json.gz" % NODE), text, True)
    write(os.path.join(base, "0-algo-%d_%d_%d.metadata" % (NODE, wall // US, HOSTS[NODE].stamp(stop) // US)), "")
    return {"events": {"algo-%d" % NODE: trace.events}, "session_start_ns": wall}
