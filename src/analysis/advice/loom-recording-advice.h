/* SPDX-License-Identifier: Apache-2.0
 *
 * Advice on how to record data that is missing in a run. The advice is always for the profiler that recorded the open
 * files, because advice for another profiler would not help. Pages and reports take their advice only from here.
 */
#pragma once

#include "loom-run.h"

/* The profilers for which there is separate advice. If several profilers recorded a run,
 * loom_recording_advice_find_recorder() returns the first of them in this order. */
typedef enum {
  LOOM_RECORDER_PYTORCH,   /* torch.profiler, also in Composer; flight recorders and memory snapshots of PyTorch */
  LOOM_RECORDER_NSIGHT,    /* Nsight Systems */
  LOOM_RECORDER_XLA,       /* jax.profiler and the profiler of TensorFlow */
  LOOM_RECORDER_ROCM,      /* rocprofv3 and other tools that write rocpd or RPD databases */
  LOOM_RECORDER_SAGEMAKER, /* SageMaker Debugger's profiler */
  LOOM_RECORDER_HOROVOD,   /* Horovod timelines */
  LOOM_RECORDER_PERFETTO,  /* Perfetto traces, whose writer is unknown */
  LOOM_RECORDER_OTHER,     /* Chrome JSON and all other files whose writer is unknown */
  LOOM_N_RECORDERS
} LoomRecorder;

typedef enum {
  LOOM_LACKS_NOTHING,
  LOOM_LACKS_KERNELS,   /* kernels of devices */
  LOOM_LACKS_LAUNCHES,  /* links from calls of the host to kernels */
  LOOM_LACKS_OPERATORS, /* operators of the framework on the host */
  LOOM_LACKS_SHAPES,    /* shapes of the input tensors of operators */
  LOOM_LACKS_MODULES,   /* nn.Module spans */
  LOOM_LACKS_STEPS,     /* training steps */
  LOOM_LACKS_RANKS,     /* collectives in which several ranks take part */
  LOOM_LACKS_GPU_RANKS, /* the rank of each GPU, if one file contains several GPUs */
  LOOM_LACKS_LOADING,   /* waits for data */
  LOOM_LACKS_METRICS,   /* utilization of GPUs and CPU cores */
  LOOM_LACKS_DUMPS,     /* dumps of PyTorch's flight recorder */
  LOOM_LACKS_MEMORY,    /* allocations on devices */
  LOOM_LACKS_HOST,      /* work of the host between the recorded spans */
  LOOM_N_LACKS
} LoomLack;

/* Returns the profiler that recorded the files of the run. If several profilers recorded them, returns the one that is
 * first in the order of LoomRecorder. O(files + tracks), any thread. */
LoomRecorder loom_recording_advice_find_recorder (LoomRun *run);

/* Returns a translated text of one to three sentences: how to record the data with the profiler. Static. NULL only for
 * LOOM_LACKS_NOTHING. */
const char *loom_recording_advice_get (LoomRecorder recorder, LoomLack lack);
