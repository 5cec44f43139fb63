/* SPDX-License-Identifier: Apache-2.0
 *
 * Determines the kind of work of a span from its category and name. If the program that wrote the file uses a fixed set
 * of categories (Kineto's ActivityType, including the old capitalised words), the category determines the kind of work.
 * Otherwise words in the name determine it. Any thread.
 *
 * The colours of the timeline depend on families of names (loom-theme.h) instead. A family may be guessed. A kind of
 * work must not be guessed, because statistics are computed from it.
 */
#pragma once

#include "loom-trace.h"

typedef enum {
  /* Kinds of work on a device. Holistic Trace Analysis (HTA) classifies kernels by name: "ncclKernel" is communication,
   * "Memcpy" and "Memset" are memory, everything else is computation. Here, copies are recognised by their category
   * instead, and the names of all collectives are communication, including newer names of NCCL, RCCL and XLA. Work of
   * an MTIA, an accelerator of Meta (mtia_ccp_events), is classified by name, as in HTA. */
  LOOM_WORK_KIND_COMPUTE,
  LOOM_WORK_KIND_COMMUNICATION,
  LOOM_WORK_KIND_MEMCPY,
  LOOM_WORK_KIND_MEMSET,
  /* spans of an MTIA (accelerator of Meta) that enclose other work: the device is busy, but not with one of the kinds
   * above */
  LOOM_WORK_KIND_DEVICE_OTHER,
  /* Kinds of work on the host. */
  LOOM_WORK_KIND_OPERATOR,   /* operators of the framework, such as PyTorch's cpu_op */
  LOOM_WORK_KIND_COLLECTIVE, /* calls of collectives by c10d, NCCL, Gloo, Horovod and MPI */
  LOOM_WORK_KIND_RUNTIME,    /* calls of the runtime or driver of CUDA, HIP or XPU */
  LOOM_WORK_KIND_SYNC,       /* time in which the host waits for a device */
  LOOM_WORK_KIND_PYTHON,     /* calls of Python functions */
  LOOM_WORK_KIND_DATA,       /* data loading: waits (loom_work_kind_is_data_wait()) and spans of the loaders */
  LOOM_WORK_KIND_ANNOTATION, /* ranges that enclose work: user annotations, steps, Composer's events */
  LOOM_WORK_KIND_OVERHEAD,   /* overhead of the profiler itself */
  LOOM_WORK_KIND_OTHER,
  /* spans that enclose or repeat device work, or that last for the whole recording; their time is not included in any
   * sum */
  LOOM_WORK_KIND_NONE,
  LOOM_N_WORK,
} LoomWorkKind;

#define LOOM_N_DEVICE_WORK (LOOM_WORK_KIND_DEVICE_OTHER + 1)

/* Returns the kind of work of spans with a name and category. `device`: TRUE for a track that shows work of an
 * accelerator and doesn't repeat other tracks (LOOM_TRACK_DEVICE without LOOM_TRACK_DERIVED). A NULL text is treated as
 * "". O(length). */
LoomWorkKind loom_work_kind_classify (const char *text, const char *category, gboolean device);

/* Returns TRUE for LOOM_WORK_KIND_SYNC, time in which the CPU waits for a device, and for LOOM_WORK_KIND_NONE, which
 * includes waits of the device itself (cuda_sync: "Stream Wait Event"). Such time does not explain why a rank is
 * late. */
gboolean loom_work_kind_is_wait (LoomWorkKind work);

/* Returns the untranslated name of a kind for JSON output and SQL: "compute", "communication", "memcpy" … The names
 * never change. */
const char *loom_work_kind_to_string (LoomWorkKind work);

/* Returns an array: [name id] LoomWorkKind of spans with this name, on device tracks if `device` is TRUE, else on other
 * tracks. Computed once for each trace, in O(names). Borrowed from the trace. */
const guint8 *loom_work_kind_of_names (const LoomTrace *trace, gboolean device);

/* Returns TRUE if spans of this name are waits of a training loop for its next batch: `enumerate(DataLoader)…` of
 * PyTorch, `event/dataloader` of Composer and `dataloader/train` of its first versions, `train_dataloader_next` and
 * similar names of Lightning, and the names of SageMaker for which loom_work_kind_is_get_next() returns TRUE. */
gboolean loom_work_kind_is_data_wait (const char *text, const char *category);

/* Returns TRUE if a span of this name is a call that gets the next batch, as SageMaker's profiler records it. Such
 * calls are between steps. */
gboolean loom_work_kind_is_get_next (const char *text);
