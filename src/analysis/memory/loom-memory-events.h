/* SPDX-License-Identifier: Apache-2.0
 *
 * The allocations and frees of a run, and the owner of each. They are read from the args of the instant events
 * "[memory]" of PyTorch's profiler. The owner is the innermost operator of the thread at that time, or the owner that a
 * memory snapshot states. Immutable when made, ref-counted atomically; any thread.
 */
#pragma once

#include "loom-timeline.h"

#define LOOM_MEMORY_UNKNOWN G_MININT64
/* Maximum number of events that are read from one run. So many events take 1 GB of memory. */
#define LOOM_MEMORY_MAX_EVENTS (16u * 1024 * 1024)

/* The code that allocated memory. Texts are owned by LoomMemoryEvents. */
typedef struct {
  const char *name;   /* name of an operator, or of a Python function such as "forward (model.py:54)"; "": unknown */
  const char *module; /* name of a module, such as "Linear_3"; "": not recorded */
} LoomMemoryOwner;

typedef struct {
  gint64 time_ns; /* on the timeline */
  /* sort key for the order of the files: source of the event, then offset in the source's file */
  guint64 place;
  guint64 address;
  gint64 bytes; /* if positive, number of allocated bytes; if negative, number of freed bytes */
  /* Total bytes allocated on the device after the event. If the file does not state them, they are computed: `bytes`
   * plus `allocated` of the previous event (0 for the first event). */
  gint64 allocated;
  gint64 reserved;    /* total reserved bytes on the device after the event; LOOM_MEMORY_UNKNOWN: not stated */
  LoomSpanId span;    /* the instant that records the event */
  guint32 owner;      /* index in LoomMemoryEvents.owners; 0: unknown */
  guint16 device;     /* index of the device in LoomMemoryEvents.places */
  guint8 is_existing; /* TRUE if the block was allocated before the start of the recording */
} LoomMemoryEvent;

/* The memory of one device, as used by one process. */
typedef struct {
  guint32 trace, process;
  gint64 type;    /* number of the kind of device in PyTorch: 0 is the host, 1 is CUDA */
  gint64 number;  /* number of the device among the devices of this kind */
  guint32 track;  /* track of the first event on this device */
  guint32 source; /* index, in the run, of the source that contains the first event on this device */
  /* TRUE if the files do not state how many bytes are allocated; then `allocated` of the events is relative to the
   * start of the recording */
  gboolean is_relative;
  guint64 n_breaks; /* number of events whose `allocated` is not that of the previous event plus their `bytes` */
} LoomMemoryPlace;

typedef struct {
  GArray *events; /* LoomMemoryEvent, sorted by device, then time, then position in the files */
  GArray *places; /* LoomMemoryPlace: the devices on which memory is allocated */
  GArray *owners; /* LoomMemoryOwner; the first one is the unknown owner */
  guint64 n_left; /* number of events that were not read because the run has more than LOOM_MEMORY_MAX_EVENTS */
  guint64 n_lost; /* number of events whose args could not be read */
  /* Private: */
  gatomicrefcount refs;
  LoomTimeline *timeline; /* owned */
  GHashTable *by_key;     /* text that identifies an owner → index in `owners`, plus 1 */
  GStringChunk *texts;
} LoomMemoryEvents;

/* Returns TRUE if the run contains recorded allocations of memory. O(names). */
gboolean loom_memory_events_are_recorded (const LoomRun *run);

/* Returns the events of all traces with their owners. If another caller still has a reference to the events of this
 * timeline, returns these; else reads the events: O(n · log n), where n is the number of instants, plus O(spans of the
 * threads with these instants). Owned by the caller. NULL only when cancelled. */
LoomMemoryEvents *loom_memory_events_get (LoomTimeline *timeline, GCancellable *cancellable);
void loom_memory_events_unref (LoomMemoryEvents *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMemoryEvents, loom_memory_events_unref)
