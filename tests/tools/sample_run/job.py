# SPDX-License-Identifier: Apache-2.0
"""Simulates the job of the sample run, on the true clock.

Two nodes distill a language model. On each node two GPUs train the student (one PyTorch rank each), and two others run
the teacher (TensorFlow) one batch ahead. The job consists of twelve training steps, four evaluation batches and a
checkpoint. In step SLOW_STEP storage on node 2 stalls: its ranks wait for data, its processors wait for I/O, and the
ranks of node 1 wait for them in the first all-reduce, which spins at full utilization.

The simulation includes operators and kernels. A CPU thread runs at most half a layer ahead of its GPU, because it waits
until activations are offloaded, so CPU spans last about as long as the GPU work. A collective ends on all ranks within
1.5 µs.
"""
import collections
import contextlib

from .base import MS, S, T0, US, Clock, Rng

RANKS, NODES, LAYERS = 4, 2, 6
STEPS, EVAL_STEPS, SLOW_STEP, SLOW_NODE = 12, 4, 6, 2
LOADER = T0 + 2900 * MS         # time at which the data loader is created
LOOP = T0 + 3400 * MS           # begin of the first step
COMPUTE, COPY, NCCL = 7, 23, 27         # stream numbers
HOSTS = {1: Clock(), 2: Clock(3182417)}         # the wall clock of each node
SYNC_COST = 8 * US
ACTIVATION = 268435456          # in bytes

Span = collections.namedtuple("Span", "tid cat name start end args ident parent")
Work = collections.namedtuple("Work", "cat name start end stream correlation ident launch tid args")
Layer = collections.namedtuple("Layer", "index start end parts")        # parts: (name, start, end)

GEMM = "ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_stages_64x3_%s"
RMS = "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float, " \
      "c10::BFloat16 const*, c10::BFloat16 const*, float*, c10::BFloat16*)"
FLASH = "void pytorch_flash::flash_%s_kernel<Flash_%s_kernel_traits<128, 64, 64, 4, cutlass::bfloat16_t>, true>" \
        "(pytorch_flash::Flash_%s_params)"
POINT = "void at::native::vectorized_elementwise_kernel<4, at::native::%s, at::detail::Array<char*, 3>>(int, %s)"
FOREACH = "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::%s>"
REDUCE = "ncclDevKernel_AllReduce_Sum_%s_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
CBID = {"cudaLaunchKernel": 211, "cudaLaunchKernelExC": 430, "cudaMemcpyAsync": 41, "cudaEventSynchronize": 137,
        "cudaStreamSynchronize": 131, "cudaEventRecord": 135}


class Thread:
    """One CPU thread of a rank: its current time, and its spans."""

    def __init__(self, rank, tid):
        self.rank, self.tid, self.now = rank, tid, T0
        self.frames, self.ops = [], []          # open Python frames and operators

    @contextlib.contextmanager
    def span(self, cat, name, **args):
        """Run the body inside a span."""
        rank, start = self.rank, self.now
        rank.ident += 1
        ident = rank.ident
        open_spans = self.frames if cat == "python_function" else self.ops
        parent = open_spans[-1] if open_spans else None
        open_spans.append(ident)
        self.now += rank.rng.ns(400, 1400)
        yield
        self.now += rank.rng.ns(500, 2500)
        open_spans.pop()
        rank.spans.append(Span(self.tid, cat, name, start, self.now, args, ident, parent))

    def op(self, name, **args):
        """Run the body inside an operator."""
        return self.span("cpu_op", name, **args)

    def frame(self, name):
        """Run the body inside a Python frame."""
        return self.span("python_function", name)

    def call(self, name, lasts):
        """Make a runtime call; return its start and correlation."""
        rank = self.rank
        self.now += rank.rng.ns(2 * US, 9 * US)
        start = self.now
        self.now += lasts
        rank.correlation += 1
        args = {"cbid": CBID[name], "correlation": rank.correlation}
        owner = self.ops[-1] if self.ops else None
        rank.spans.append(Span(self.tid, "cuda_runtime", name, start, self.now, args, owner, None))
        return start, rank.correlation

    def launch(self, name, lasts, cat="kernel", stream=COMPUTE, after=0, **args):
        """Queue device work; it starts when its stream is free, but not before `after`."""
        rank = self.rank
        api = "cudaMemcpyAsync" if cat == "gpu_memcpy" else \
            "cudaLaunchKernelExC" if stream == NCCL else "cudaLaunchKernel"
        start, correlation = self.call(api, rank.rng.ns(4 * US, 9 * US))
        begin = max(rank.free[stream] + rank.rng.ns(900, 2200), start + rank.rng.ns(5 * US, 8 * US), after)
        work = Work(cat, name, begin, begin + lasts, stream, correlation, self.ops[-1] if self.ops else None,
                    start, self.tid, args)
        rank.free[stream] = work.end
        rank.work.append(work)
        return work

    def kernel(self, name, lasts, **args):
        """Queue a compute kernel of about this duration."""
        return self.launch(name, self.rank.rng.around(lasts, 0.03), **args)

    def wait(self, until, name="cudaEventSynchronize"):
        """Block until a true time, in a runtime call."""
        self.call(name, max(2 * US, until + SYNC_COST - self.now))

    def idle(self, lasts):
        """Let time pass outside of any call."""
        self.now += lasts

    def memory(self, size):
        """Record an allocation (or, if negative, a release) of device memory."""
        rank = self.rank
        rank.allocated += size
        rank.instants.append((self.tid, self.now, 0x7f0000000000 + 2097152 * rank.rng.ns(0, 20000), size,
                              rank.allocated))


class Step:
    """The actions of one rank in one step; pairs are (start, end)."""

    def __init__(self, mode, number):
        self.mode, self.number = mode, number
        self.start = self.end = 0
        self.fetch = self.forward = self.loss = self.backward = self.optimizer = None
        self.forward_layers, self.backward_layers, self.reduces = [], [], []

    @property
    def train(self):
        """Return whether this is a training step."""
        return self.mode == "TRAIN"


class Rank:
    """One process that trains on one GPU."""

    def __init__(self, number):
        self.number, self.node, self.device = number, 1 + number // 2, number % 2
        self.host, self.pid = "algo-%d" % self.node, (1042, 1043, 977, 978)[number]
        self.rng = Rng("rank %d" % number)
        self.main, self.autograd = Thread(self, self.pid), Thread(self, self.pid + 351)
        self.free = {COMPUTE: T0, COPY: T0, NCCL: T0}
        self.spans, self.work, self.instants, self.flows, self.steps = [], [], [], [], []
        self.ident, self.correlation, self.sequence = 0, 4000, 0
        self.allocated = 21474836480
        self.marks = []                 # times at which the GPU finished each half layer
        self.forward_ops = {}           # operators whose backward pass is pending: (layer, name) -> (sequence, time)

    # -- parts of the model

    def halfway(self, thread):
        """Hold the thread back until the GPU is at most half a layer behind it."""
        self.marks.append(self.free[COMPUTE])
        thread.idle(self.rng.ns(20 * US, 60 * US))
        if len(self.marks) > 1:
            thread.wait(self.marks[-2])

    def linear(self, layer, name, lasts, dims):
        """Run a linear layer forward."""
        main = self.main
        with main.op("aten::linear"):
            self.sequence += 1
            self.forward_ops[layer, name] = (self.sequence, main.now + 300)
            shape = {"Input Dims": dims, "Input type": ["c10::BFloat16", "c10::BFloat16"]}
            with main.op("aten::mm", **{"Sequence number": self.sequence, "Fwd thread id": 0}, **shape):
                main.kernel(GEMM % "tn", lasts)
        main.memory(ACTIVATION)

    def norm(self, index, lasts):
        """Run a norm forward."""
        with self.main.frame("nn.Module: LlamaRMSNorm_%d" % index):
            with self.main.op("aten::_fused_rms_norm"):
                self.main.kernel(RMS, lasts)

    def layer_forward(self, index, scale):
        """Run one decoder layer forward; return its spans."""
        main, begin = self.main, self.main.now
        with main.frame("nn.Module: LlamaDecoderLayer_%d" % index):
            self.norm(2 * index, 700 * US * scale)
            first = main.now
            with main.frame("nn.Module: LlamaAttention_%d" % index):
                self.linear(index, "qkv", 8 * MS * scale, [[8192, 4096], [4096, 6144]])
                with main.op("aten::mul"):
                    main.kernel(POINT % ("RotaryFunctor", "RotaryFunctor"), 1100 * US * scale)
                with main.op("aten::scaled_dot_product_attention"):
                    self.sequence += 1
                    self.forward_ops[index, "flash"] = (self.sequence, main.now + 300)
                    with main.op("aten::_flash_attention_forward", **{"Sequence number": self.sequence,
                                                                     "Fwd thread id": 0}):
                        main.kernel(FLASH % (("fwd",) * 3), 9 * MS * scale)
                main.memory(ACTIVATION)
                self.linear(index, "out", 5 * MS * scale, [[8192, 4096], [4096, 4096]])
                self.halfway(main)
            second = main.now
            self.norm(2 * index + 1, 700 * US * scale)
            with main.frame("nn.Module: LlamaMLP_%d" % index):
                self.linear(index, "gate_up", 14 * MS * scale, [[8192, 4096], [4096, 28672]])
                with main.op("aten::silu"):
                    main.kernel(POINT % ("silu_kernel", "silu_kernel"), 900 * US * scale)
                self.linear(index, "down", 10 * MS * scale, [[8192, 14336], [14336, 4096]])
                with main.op("aten::copy_"):
                    main.launch("Memcpy DtoH (Device -> Pinned)", self.rng.around(7 * MS, 0.05), "gpu_memcpy", COPY,
                                after=self.free[COMPUTE], bytes=ACTIVATION)
                self.halfway(main)
        return Layer(index, begin, main.now, (("self_attn", first, second), ("mlp", second, main.now)))

    def gradient(self, node, layer, name, kernels):
        """Run one node of the backward graph."""
        thread = self.autograd
        sequence, at = self.forward_ops.pop((layer, name))
        args = {"Sequence number": sequence, "Fwd thread id": 1}
        with thread.op("autograd::engine::evaluate_function: " + node, **args):
            self.flows.append((sequence, self.main.tid, at, thread.tid, thread.now - 200))
            with thread.op(node, **args):
                for op, kernel, lasts in kernels:
                    with thread.op(op):
                        thread.kernel(kernel, lasts)
        thread.memory(-ACTIVATION)

    def layer_backward(self, index):
        """Run one decoder layer backward; return its spans."""
        thread, begin = self.autograd, self.autograd.now
        mm = lambda ms: [("aten::mm", GEMM % "nn", ms * MS), ("aten::mm", GEMM % "nt", ms * MS)]
        with thread.op("aten::copy_"):
            thread.launch("Memcpy HtoD (Pinned -> Device)", self.rng.around(6 * MS, 0.05), "gpu_memcpy", COPY,
                          bytes=ACTIVATION)
        self.gradient("MmBackward0", index, "down", mm(10))
        with thread.op("aten::silu_backward"):
            thread.kernel(POINT % ("silu_backward_kernel", "silu_backward_kernel"), 1700 * US)
        self.gradient("MmBackward0", index, "gate_up", mm(14))
        self.halfway(thread)
        middle = thread.now
        self.gradient("MmBackward0", index, "out", mm(5))
        self.gradient("ScaledDotProductFlashAttentionBackward0", index, "flash", [
            ("aten::_flash_attention_backward", FLASH % ("bwd_dq_dk_dv_loop", "bwd", "bwd"), 21 * MS)])
        self.gradient("MmBackward0", index, "qkv", mm(8))
        with thread.op("torch::autograd::AccumulateGrad"):
            thread.kernel(POINT % ("CUDAFunctor_add<c10::BFloat16>", "CUDAFunctor_add"), 1300 * US)
        self.halfway(thread)
        return Layer(index, begin, thread.now, (("mlp", begin, middle), ("self_attn", middle, thread.now)))

    # -- parts of a step

    def fetch_batch(self, step, stalled):
        """Wait for the next batch; three seconds if storage stalls."""
        main = self.main
        lasts = self.rng.ns(14 * MS, 24 * MS)
        if stalled:
            lasts = 2870 * MS + self.number * 11 * MS
        begin = main.now
        with main.frame("torch/utils/data/dataloader.py(708): __next__"):
            with main.span("user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"):
                main.idle(lasts)
        step.fetch = (begin, main.now)
        with main.op("aten::to"):
            main.launch("Memcpy HtoD (Pinned -> Device)", self.rng.around(380 * US, 0.1), "gpu_memcpy", bytes=524288)

    def forward(self, step, scale):
        """Run the model forward."""
        main = self.main
        begin = main.now
        with main.span("user_annotation", "DistributedDataParallel.forward"):
            with main.frame("nn.Module: LlamaForCausalLM_0"):
                with main.op("aten::embedding"):
                    main.kernel("void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long>",
                                1200 * US * scale)
                for i in range(LAYERS):
                    step.forward_layers.append(self.layer_forward(i, scale))
                self.norm(2 * LAYERS, 700 * US * scale)
                self.linear(LAYERS, "lm_head", 17 * MS * scale, [[8192, 4096], [4096, 32000]])
        step.forward = (begin, main.now)

    def distil(self, step):
        """Compute the loss against the teacher's logits."""
        main = self.main
        begin = main.now
        with main.frame("distil/losses.py(41): distillation_loss"):
            for op, lasts in (("aten::_log_softmax", 2400), ("aten::kl_div", 1900)):
                with main.op(op):
                    main.kernel("void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16, float>"
                                if "softmax" in op else POINT % ("kl_div_kernel", "kl_div_kernel"), lasts * US)
        step.loss = (begin, main.now)

    def backward(self, step):
        """Run the model backward; queue the all-reduces, which do not start yet."""
        main, thread = self.main, self.autograd
        begin = thread.now = main.now + 90 * US
        self.gradient("MmBackward0", LAYERS, "lm_head", [("aten::mm", GEMM % "nn", 17 * MS),
                                                         ("aten::mm", GEMM % "nt", 17 * MS)])
        for i in reversed(range(LAYERS)):
            step.backward_layers.append(self.layer_backward(i))
            self.queue_reduce(step, len(step.reduces))
        step.backward = (begin, thread.now)
        with main.frame("torch/autograd/graph.py(823): _engine_run_backward"):
            main.now = thread.now + 30 * US

    def queue_reduce(self, step, bucket):
        """Launch the all-reduce of the gradients of one layer."""
        thread = self.autograd
        args = {"Collective name": "allreduce", "In msg nelems": 218116096, "Out msg nelems": 218116096,
                "Group size": RANKS, "dtype": "BFloat16", "In split size": "[]", "Out split size": "[]",
                "Process Group Name": "0", "Process Group Description": "default_pg",
                "Process Group Ranks": "[0, 1, 2, 3]", "Rank": self.number, "Seq": step.number * LAYERS + bucket + 1}
        with thread.span("user_annotation", "nccl:all_reduce"), thread.op("c10d::allreduce_"), \
                thread.op("record_param_comms", **args):
            start, correlation = thread.call("cudaLaunchKernelExC", self.rng.ns(7 * US, 12 * US))
            ready = max(self.free[COMPUTE], start + 8 * US) + self.rng.ns(3 * US, 9 * US)
            step.reduces.append((ready, correlation, thread.ops[-1], start, args))

    def optimize(self, step):
        """Clip the gradients, update the weights, read the loss back."""
        main = self.main
        with main.frame("torch/nn/utils/clip_grad.py(206): clip_grad_norm_"):
            with main.op("aten::_foreach_norm"):
                main.kernel(FOREACH % "LpNormFunctor<c10::BFloat16, float>", 5200 * US, after=self.free[NCCL])
            self.read_back()
        begin = main.now
        with main.span("user_annotation", "Optimizer.step#AdamW.step"):
            with main.frame("torch/optim/adamw.py(221): step"), main.op("aten::_fused_adamw_"):
                for _ in range(3):
                    main.kernel(FOREACH % "FusedAdamMathFunctor<float, 4>", 17 * MS)
        step.optimizer = (begin, self.free[COMPUTE])
        with main.frame("distil/train.py(131): log_metrics"):
            self.read_back()
            main.idle(self.rng.ns(2 * MS, 5 * MS))

    def read_back(self):
        """Read one number from the device, which waits for all work before it."""
        main = self.main
        with main.op("aten::item"), main.op("aten::_local_scalar_dense"):
            work = main.launch("Memcpy DtoH (Device -> Pinned)", 2100, "gpu_memcpy", bytes=4)
            main.wait(work.end, "cudaStreamSynchronize")


class Teacher:
    """The teacher of one node: the times of its reads and of its GPU work, one batch ahead of the student."""

    def __init__(self, node):
        self.node, self.rng = node, Rng("teacher %d" % node)
        self.batches = []               # (number, read start, read end, work start, work end)

    def run(self, number, begin, stalled, work_ms=700):
        """Read and compute one batch, beginning at a true time."""
        read = begin + self.rng.ns(4 * MS, 9 * MS)
        lasts = self.rng.ns(2790 * MS, 2800 * MS) if stalled else self.rng.ns(26 * MS, 38 * MS)
        work = read + lasts + self.rng.ns(3 * MS, 6 * MS)
        self.batches.append((number, read, read + lasts, work, work + self.rng.around(work_ms * MS, 0.03)))


class Job:
    """The whole run."""

    def __init__(self):
        self.ranks = [Rank(i) for i in range(RANKS)]
        self.teachers = {n: Teacher(n) for n in range(1, NODES + 1)}
        self.rng = Rng("collectives")
        for r in self.ranks:
            r.main.now = LOOP + r.number * 170 * US
        for i in range(STEPS):
            self.train(i)
        for r in self.ranks:
            r.main.idle(240 * MS)
        for i in range(EVAL_STEPS):
            self.evaluate(i)
        self.loop_end = max(r.steps[-1].end for r in self.ranks)
        self.save = (self.loop_end + 180 * MS, self.loop_end + 2300 * MS)
        self.end = self.save[1] + 700 * MS

    def train(self, number):
        """Run one training step on all ranks."""
        steps = []
        for r in self.ranks:
            step = Step("TRAIN", number)
            stalled = number == SLOW_STEP and r.node == SLOW_NODE
            step.start = r.main.now
            if r.device == 0:
                self.teachers[r.node].run(number + 1, step.start, stalled)
            r.steps.append(step)
            steps.append(step)
            r.fetch_batch(step, stalled)
            r.forward(step, 1.25 if number == 0 else 1)
            r.distil(step)
            r.backward(step)
        self.reduce(steps)
        for r, step in zip(self.ranks, steps):
            r.optimize(step)
            step.end = r.main.now
            r.spans.append(Span(r.pid, "user_annotation", "ProfilerStep#%d" % number, step.start - 1500,
                                step.end + 1500, {}, 1000000 + number, None))
            r.main.idle(r.rng.ns(80 * US, 300 * US))

    def reduce(self, steps):
        """Run the all-reduces of a step: each ends when the last rank has arrived and the data have been exchanged."""
        for bucket in range(len(steps[0].reduces)):
            starts = [max(s.reduces[bucket][0], r.free[NCCL] + r.rng.ns(2 * US, 5 * US))
                      for r, s in zip(self.ranks, steps)]
            end = max(starts) + self.rng.around(27 * MS, 0.08)
            for r, s, start in zip(self.ranks, steps, starts):
                _, correlation, ident, launch, args = s.reduces[bucket]
                r.free[NCCL] = end + self.rng.ns(0, 1500)
                r.work.append(Work("kernel", REDUCE % "bf16", start, r.free[NCCL], NCCL, correlation, ident, launch,
                                   r.autograd.tid, args))

    def evaluate(self, number):
        """Run one evaluation batch on all ranks."""
        for r in self.ranks:
            step = Step("EVAL", number)
            step.start = r.main.now
            r.fetch_batch(step, False)
            step.fetch = (step.fetch[0], r.main.now)
            r.main.idle(r.rng.ns(24 * MS, 60 * MS))
            r.forward(step, 1)
            r.distil(step)
            r.read_back()
            step.end = r.main.now
            r.steps.append(step)
            r.main.idle(r.rng.ns(9 * MS, 16 * MS))
            r.forward_ops.clear()
            if r.device == 0:
                self.teachers[r.node].run(STEPS + number + 1, step.start, False, 240)
