/* SPDX-License-Identifier: Apache-2.0
 *
 * The allocations and frees of a run, read from the args of the instant events "[memory]" of PyTorch's profiler, and what
 * made them: the innermost operator of the thread, or the owner that a memory snapshot states. One thread.
 */
#pragma once

#include "loom-timeline.h"

#define LOOM_MEMORY_UNKNOWN G_MININT64
/* Number of events that are read from one run: 1 GB. */
#define LOOM_MEMORY_MAX_EVENTS (16u * 1024 * 1024)

/* What allocates memory. Texts are owned by the events. */
typedef struct {
  const char *name;   /* name of an operator, or "forward (model.py:54)"; "": unknown */
  const char *module; /* "Linear_3"; "": none recorded */
} LoomMemoryOwner;

typedef struct {
  gint64 time_ns; /* timeline */
  guint64 place;  /* source and offset: the order of the file */
  guint64 address;
  gint64 bytes;               /* allocation positive, free negative */
  gint64 allocated, reserved; /* bytes of the device after the event; LOOM_MEMORY_UNKNOWN: not stated */
  LoomSpanId span;            /* the instant */
  guint32 owner;              /* index into the owners; 0: unknown */
  guint16 device;             /* index of the device of a process in the places */
  guint8 is_existing;         /* the block was allocated before the recording */
} LoomMemoryEvent;

/* A device of a process. */
typedef struct {
  guint32 trace, process;
  gint64 type;    /* 0: host; else as PyTorch numbers the kinds of devices, 1 is CUDA */
  gint64 number;  /* number of the device */
  guint32 track;  /* track of its first event */
  guint32 source; /* index in the run of the source of its first event */
} LoomMemoryPlace;

typedef struct {
  GArray *events; /* LoomMemoryEvent, sorted by device, time, place */
  GArray *places; /* LoomMemoryPlace */
  GArray *owners; /* LoomMemoryOwner; the first one is unknown */
  guint64 n_left; /* events that were not read because there were too many */
  guint64 n_lost; /* events whose args could not be read */
  /* Private: */
  GHashTable *by_key; /* text of an owner → index + 1 */
  GStringChunk *texts;
} LoomMemoryEvents;

/* Returns TRUE if the run has allocations. O(names). */
gboolean loom_memory_events_are_recorded (const LoomRun *run);

/* O(n log n) of the instants, and O(spans) of their threads. NULL only when cancelled. */
LoomMemoryEvents *loom_memory_events_new (LoomTimeline *timeline, GCancellable *cancellable);
void loom_memory_events_free (LoomMemoryEvents *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMemoryEvents, loom_memory_events_free)
