/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-recording-advice.h"

#include <glib/gi18n.h>
#include <string.h>

static LoomRecorder
get_recorder (const char *format)
{
  static const struct {
    const char *format; /* formats of files that `recorder` writes begin with this text */
    LoomRecorder recorder;
  } recorders[] = {
    { "kineto", LOOM_RECORDER_PYTORCH },    { "composer", LOOM_RECORDER_PYTORCH },
    { "flight", LOOM_RECORDER_PYTORCH },    { "memory-snapshot", LOOM_RECORDER_PYTORCH },
    { "nsight", LOOM_RECORDER_NSIGHT },     { "xplane", LOOM_RECORDER_XLA },
    { "tensorflow", LOOM_RECORDER_XLA },    { "rocm", LOOM_RECORDER_ROCM },
    { "smdebug", LOOM_RECORDER_SAGEMAKER }, { "horovod", LOOM_RECORDER_HOROVOD },
    { "perfetto", LOOM_RECORDER_PERFETTO },
  };
  for (guint i = 0; i < G_N_ELEMENTS (recorders); i++)
    if (g_str_has_prefix (format, recorders[i].format))
      return recorders[i].recorder;
  return LOOM_RECORDER_OTHER;
}

/* A merged file has a format of its own, which does not show the profiler. Therefore the tracks are examined, too: they
 * state the formats of the original files. */
LoomRecorder
loom_recording_advice_find_recorder (LoomRun *run)
{
  LoomRecorder first = LOOM_RECORDER_OTHER;
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    first = MIN (first, get_recorder (loom_run_get_source (run, i)->format));
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++)
      first = MIN (first, get_recorder (loom_trace_get_track (trace, k)->format));
  }
  return first;
}

/* [kind of missing data][profiler] the advice; NULL: loom_recording_advice_get() returns the advice for
 * LOOM_RECORDER_OTHER instead */
static const char *const advice[LOOM_N_LACKS][LOOM_N_RECORDERS] = {
  [LOOM_LACKS_KERNELS] = {
    [LOOM_RECORDER_PYTORCH] = N_ ("PyTorch records kernels if ProfilerActivity.CUDA is enabled."),
    [LOOM_RECORDER_NSIGHT] = N_ ("Nsight Systems records kernels with --trace=cuda."),
    [LOOM_RECORDER_ROCM] = N_ ("rocprofv3 records kernels with --kernel-trace."),
    [LOOM_RECORDER_OTHER] = N_ ("Record the job with a profiler of devices, such as torch.profiler, Nsight Systems, jax.profiler or rocprofv3, and open its files together with this one."),
  },
  [LOOM_LACKS_LAUNCHES] = {
    [LOOM_RECORDER_PYTORCH] = N_ ("Launches show what the devices waited for. PyTorch records them if both ProfilerActivity.CPU and ProfilerActivity.CUDA are enabled."),
    [LOOM_RECORDER_NSIGHT] = N_ ("Launches show what the devices waited for. Nsight Systems records them with --trace=cuda."),
    [LOOM_RECORDER_XLA] = N_ ("Launches show what the devices waited for. JAX and TensorFlow record them with host_tracer_level=2 in the options of the profiler."),
    [LOOM_RECORDER_ROCM] = N_ ("Launches show what the devices waited for. rocprofv3 records them with --hip-trace and --kernel-trace."),
    [LOOM_RECORDER_OTHER] = N_ ("Launches show what the devices waited for. They are found if a flow event leads from each launch to its kernel."),
  },
  [LOOM_LACKS_OPERATORS] = {
    [LOOM_RECORDER_PYTORCH] = N_ ("PyTorch records operators if ProfilerActivity.CPU is enabled."),
    [LOOM_RECORDER_NSIGHT] = N_ ("Run the training loop inside torch.autograd.profiler.emit_nvtx(record_shapes=True), and record with nsys profile --trace=cuda,nvtx."),
    [LOOM_RECORDER_XLA] = N_ ("Programs that XLA compiled have no operators on the host. “Kernels” shows what ran on the devices."),
    [LOOM_RECORDER_ROCM] = N_ ("ROCm’s profilers record no operators. torch.profiler also works with ROCm and records operators if ProfilerActivity.CPU is enabled."),
    [LOOM_RECORDER_OTHER] = N_ ("Operators are read from recordings of torch.profiler with ProfilerActivity.CPU, and of Nsight Systems with torch.autograd.profiler.emit_nvtx()."),
  },
  [LOOM_LACKS_SHAPES] = {
    [LOOM_RECORDER_PYTORCH] = N_ ("PyTorch records shapes with record_shapes=True."),
    [LOOM_RECORDER_NSIGHT] = N_ ("Run the training loop inside torch.autograd.profiler.emit_nvtx(record_shapes=True), and record with nsys profile --trace=cuda,nvtx."),
    [LOOM_RECORDER_OTHER] = N_ ("Shapes are read from recordings of torch.profiler with record_shapes=True."),
  },
  [LOOM_LACKS_MODULES] = {
    [LOOM_RECORDER_PYTORCH] = N_ ("PyTorch records modules with with_modules=True or with_stack=True."),
    [LOOM_RECORDER_OTHER] = N_ ("Modules are read from recordings of torch.profiler with with_modules=True or with_stack=True."),
  },
  [LOOM_LACKS_STEPS] = {
    [LOOM_RECORDER_PYTORCH] = N_ ("Call step() of torch.profiler.profile after each step of the training loop."),
    [LOOM_RECORDER_NSIGHT] = N_ ("Mark each step with an NVTX range named ProfilerStep#0, ProfilerStep#1 and so on, for example with torch.cuda.nvtx.range(), and record with --trace=cuda,nvtx."),
    [LOOM_RECORDER_XLA] = N_ ("Mark each step: jax.profiler.StepTraceAnnotation(name, step_num=i) in JAX, tf.profiler.experimental.Trace(name, step_num=i, _r=1) in TensorFlow."),
    [LOOM_RECORDER_ROCM] = N_ ("Mark each step with a ROCTX range named ProfilerStep#0, ProfilerStep#1 and so on, and record with rocprofv3 --marker-trace."),
    [LOOM_RECORDER_HOROVOD] = N_ ("Horovod timelines contain no steps. Record the job with torch.profiler, call its step() after each step, and open both files."),
    [LOOM_RECORDER_OTHER] = N_ ("A span is a step if it is named ProfilerStep#0, ProfilerStep#1 and so on, as torch.profiler names them."),
  },
  [LOOM_LACKS_RANKS] = {
    [LOOM_RECORDER_NSIGHT] = N_ ("Open the folder with the databases of all ranks; each rank records its own."),
    [LOOM_RECORDER_XLA] = N_ ("Open the folder with the .xplane.pb files of all hosts; each host records its own file."),
    [LOOM_RECORDER_ROCM] = N_ ("Open the folder with the databases of all ranks; each rank records its own."),
    [LOOM_RECORDER_HOROVOD] = N_ ("A Horovod timeline is written by one rank only. Record each rank with torch.profiler, and open the folder with the traces of all ranks."),
    [LOOM_RECORDER_OTHER] = N_ ("Open the folder with the traces of all ranks; each rank records its own trace. Traces of PyTorch 2.1 and later name their ranks and groups."),
  },
  [LOOM_LACKS_GPU_RANKS] = {
    [LOOM_RECORDER_NSIGHT] = N_ ("Nsight Systems records the ranks of MPI jobs. The ranks of NCCL are only in reports that are exported with “nsys export --include-json true”. Otherwise, write a report for each rank and put the rank into its name, as in “rank3”."),
    [LOOM_RECORDER_XLA] = N_ ("One process uses all devices of its host, so its recording has no ranks. The pages about GPUs compare the devices."),
    [LOOM_RECORDER_OTHER] = N_ ("Write a file for each rank and put the rank into its name, as in “rank3”."),
  },
  [LOOM_LACKS_LOADING] = {
    [LOOM_RECORDER_NSIGHT] = N_ ("Nsight Systems records the wait for a batch if it is marked: fetch the batch inside a torch.cuda.nvtx.range named dataloader_next, and record with --trace=cuda,nvtx."),
    [LOOM_RECORDER_XLA] = N_ ("JAX’s profiler records the wait for a batch if it is marked: fetch the batch inside a jax.profiler.TraceAnnotation named dataloader_next."),
    [LOOM_RECORDER_ROCM] = N_ ("ROCm’s profilers record the wait for a batch if it is marked: fetch the batch inside a ROCTX range named dataloader_next."),
    [LOOM_RECORDER_OTHER] = N_ ("PyTorch’s profiler records waits for data if it covers the loop over a DataLoader; Composer, Lightning and SageMaker record them automatically."),
  },
  [LOOM_LACKS_METRICS] = {
    [LOOM_RECORDER_SAGEMAKER] = N_ ("System metrics are read from the JSON files that SageMaker’s profiler writes to profiler-output/system. Add that folder to the run, or open the whole folder profiler-output."),
    [LOOM_RECORDER_OTHER] = N_ ("Bottlenecks are found from the utilization of GPUs and CPU cores, which only SageMaker’s profiler records. For this recording, “Idle Time” says why GPUs wait."),
  },
  [LOOM_LACKS_DUMPS] = {
    [LOOM_RECORDER_XLA] = N_ ("Only PyTorch has flight recorders, which list the collectives that each rank called. This recording is of another framework."),
    [LOOM_RECORDER_OTHER] = N_ ("PyTorch writes one file per rank when a collective times out: set TORCH_NCCL_DUMP_ON_TIMEOUT=1 and TORCH_FR_BUFFER_SIZE=2000, and open the folder of all dumps."),
  },
  [LOOM_LACKS_MEMORY] = {
    [LOOM_RECORDER_PYTORCH] = N_ ("PyTorch records allocations with profile(profile_memory=True), or in a snapshot of torch.cuda.memory._dump_snapshot()."),
    [LOOM_RECORDER_SAGEMAKER] = N_ ("PyTorch records allocations with profile(profile_memory=True), or in a snapshot of torch.cuda.memory._dump_snapshot()."),
    [LOOM_RECORDER_OTHER] = N_ ("Allocations are read from PyTorch’s profiler and from its memory snapshots. The files that are open are of another profiler."),
  },
  [LOOM_LACKS_HOST] = {
    [LOOM_RECORDER_PYTORCH] = N_ ("PyTorch records more of the host with ProfilerActivity.CPU and with_stack=True."),
    [LOOM_RECORDER_NSIGHT] = N_ ("Nsight Systems records more of the host with --trace=cuda,nvtx,osrt."),
    [LOOM_RECORDER_XLA] = N_ ("JAX and TensorFlow record more of the host with host_tracer_level=3 and python_tracer_level=1 in the options of the profiler."),
    [LOOM_RECORDER_ROCM] = N_ ("rocprofv3 records more of the host with --hip-trace and --marker-trace."),
    [LOOM_RECORDER_OTHER] = N_ ("Record the host with more spans, such as those of operators and of functions of Python."),
  },
};

const char *
loom_recording_advice_get (LoomRecorder recorder, LoomLack lack)
{
  g_return_val_if_fail (recorder < LOOM_N_RECORDERS && lack < LOOM_N_LACKS, NULL);
  const char *own = advice[lack][recorder], *text = own != NULL ? own : advice[lack][LOOM_RECORDER_OTHER];
  return text != NULL ? _ (text) : NULL;
}
