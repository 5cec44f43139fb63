/* SPDX-License-Identifier: Apache-2.0
 *
 * What kind of work a span is, from what its writer calls it. The category decides where the writer has a vocabulary
 * (formats/kineto.md §5, old capitalised words included); where it has none, words in the name do. Any thread.
 *
 * The colours of the timeline know families of names of their own (loom-theme.h): those may guess, these are counted.
 */
#pragma once

#include "loom-trace.h"

G_BEGIN_DECLS

typedef enum {
  /* On a device. Holistic Trace Analysis calls them computation, communication and memory kernels; there a name that
   * has "ncclKernel" is communication, one that has "Memcpy" or "Memset" is memory, all else is computation. Here the
   * category says what is a copy, and communication is any collective by name: NCCL's newer names, RCCL, XLA. Work of an
   * MTIA (mtia_ccp_events) is told by name as HTA does. */
  LOOM_WORK_KIND_COMPUTE,
  LOOM_WORK_KIND_COMMUNICATION,
  LOOM_WORK_KIND_MEMCPY,
  LOOM_WORK_KIND_MEMSET,
  LOOM_WORK_KIND_DEVICE_OTHER, /* encloses other work of an MTIA: the device is busy with none of the above */
  /* On the host. */
  LOOM_WORK_KIND_OPERATOR,   /* cpu_op */
  LOOM_WORK_KIND_COLLECTIVE, /* c10d, nccl:, gloo:, Horovod and MPI calls */
  LOOM_WORK_KIND_RUNTIME,    /* calls of CUDA, HIP, XPU */
  LOOM_WORK_KIND_SYNC,       /* waits for a device */
  LOOM_WORK_KIND_PYTHON,     /* frames */
  LOOM_WORK_KIND_DATA,       /* loading of data: loom_work_kind_is_data_wait() and the loaders' own spans */
  LOOM_WORK_KIND_ANNOTATION, /* ranges that enclose work: user annotations, steps, Composer's events */
  LOOM_WORK_KIND_OVERHEAD,   /* of the profiler */
  LOOM_WORK_KIND_OTHER,
  LOOM_WORK_KIND_NONE, /* encloses or repeats work on a device, or the whole recording: never summed */
  LOOM_N_WORK,
} LoomWorkKind;

#define LOOM_N_DEVICE_WORK (LOOM_WORK_KIND_DEVICE_OTHER + 1)

/* `device`: on the line of an accelerator that does not repeat other lines (LOOM_TRACK_DEVICE without
 * LOOM_TRACK_DERIVED). NULL texts count as "". O(length). */
LoomWorkKind loom_work_kind_classify (const char *text, const char *category, gboolean device);

/* Whether time of this kind is spent waiting for a device, or repeats what is elsewhere: it explains nothing of what came late.
 * Waits of a device itself (cuda_sync: "Stream Wait Event") are LOOM_WORK_KIND_NONE. */
gboolean loom_work_kind_is_wait (LoomWorkKind work);

/* "compute", "communication", "memcpy" …: stable, for documents. */
const char *loom_work_kind_to_string (LoomWorkKind work);

/* Whether a track is a line of a device on its own account. */
gboolean loom_work_kind_is_device_track (const LoomTrack *track);

/* LoomWorkKind by name id, for spans on lines of devices or on the others. Owned by the caller. O(names). */
guint8 *loom_work_kind_of_names (const LoomTrace *trace, gboolean device);

/* Whether a span is the wait of a training loop for its next batch: `enumerate(DataLoader)…` of PyTorch,
 * `event/dataloader` of Composer and `dataloader/train` of its first versions, `train_dataloader_next` and its like of
 * Lightning. */
gboolean loom_work_kind_is_data_wait (const char *text, const char *category);

G_END_DECLS
