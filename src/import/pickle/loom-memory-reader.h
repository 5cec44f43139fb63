/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import/pickle: the history of PyTorch's allocators from the plain values of a memory snapshot
 * (torch/cuda/memory.py, _snapshot()). Any thread. O(values). Memory: 72 bytes per event, and each call stack once.
 */
#pragma once

#include "loom-import-log.h"
#include "loom-plain-values.h"

/* Limits of one snapshot. */
#define LOOM_MEMORY_MAX_DEVICES 1024u
#define LOOM_MEMORY_MAX_FRAME_BYTES (64u * 1024 * 1024) /* bytes of all call stacks */
/* Number of blocks that are shown as spans: the largest by size and time. */
#define LOOM_MEMORY_MAX_BLOCKS 10000u

typedef enum {
  LOOM_MEMORY_EXISTING, /* a block that lived before the first event, by the list of segments */
  LOOM_MEMORY_ALLOC,
  LOOM_MEMORY_FREE_REQUESTED, /* the program gave it back, but another stream may still use it */
  LOOM_MEMORY_FREE,
  LOOM_MEMORY_SEGMENT_ALLOC, /* memory that the allocator got from the driver */
  LOOM_MEMORY_SEGMENT_FREE,
  LOOM_MEMORY_OOM,
  LOOM_MEMORY_MARK, /* a snapshot, or an action of an unknown name */
} LoomMemoryAction;

typedef struct {
  gint64 time_ns;  /* since 1970; without times the number of the event, in µs */
  gint64 end_ns;   /* end of an allocation that is shown as a span; LOOM_TIME_NONE: it is not */
  guint64 address; /* address of the block; for an event of memory that ran out: free bytes of the device */
  gint64 size;     /* bytes */
  gint64 allocated, reserved, waiting; /* bytes of the device after the event; waiting for the end of other streams */
  guint32 stack;                       /* index into the stacks */
  guint32 device;
  const char *name; /* name of a mark; else NULL */
  guint8 action;    /* LoomMemoryAction */
} LoomMemoryRecord;

typedef struct {
  const char *owner;  /* "forward (model.py:54)": the innermost Python function outside of PyTorch */
  const char *frames; /* innermost first, a line per frame; "" if not recorded */
} LoomMemoryStack;

typedef struct {
  const char *name;
  guint32 device;
  gint64 begin_ns, end_ns;
} LoomMemoryRange;

typedef struct {
  guint32 device;
  guint n_segments, n_blocks;
  gint64 reserved, active;  /* bytes of its segments, and of its active blocks, at the end */
  gint64 inactive, largest; /* bytes of inactive blocks, and of the largest of them */
  guint64 n_events;
} LoomMemoryPool;

typedef struct {
  GArray *records; /* LoomMemoryRecord, device by device in the order of the file */
  GArray *stacks;  /* LoomMemoryStack; the first one is that of events without a stack */
  GArray *ranges;  /* LoomMemoryRange: annotations of the program */
  GArray *pools;   /* LoomMemoryPool, by device */
  gboolean has_times;
  gint64 end_ns; /* time of the last event */
  GStringChunk *texts;
} LoomMemoryHistory;

/* Returns TRUE if the outermost value is a snapshot. */
gboolean loom_memory_reader_recognise (const LoomPlainValues *values);

/* Reads the history. Unusable parts are counted in the log. Owned by the caller; does not point into the values. */
LoomMemoryHistory *loom_memory_reader_read (const LoomPlainValues *values, LoomImportLog *log);
void loom_memory_reader_free (LoomMemoryHistory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMemoryHistory, loom_memory_reader_free)
