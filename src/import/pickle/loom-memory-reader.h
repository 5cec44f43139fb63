/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import/pickle: reads the history of PyTorch's memory allocators from the plain values of a memory
 * snapshot (torch/cuda/memory.py, _snapshot()). May be called on any thread. Takes O(number of values). Memory: 72
 * bytes per event, and each call stack once.
 */
#pragma once

#include "loom-import-log.h"
#include "loom-plain-values.h"

/* Limits on the content of a snapshot: numbers of devices, events and so on. */
#define LOOM_MEMORY_MAX_DEVICES 1024u
#define LOOM_MEMORY_MAX_FRAME_BYTES (64u * 1024 * 1024) /* maximum number of bytes of all call stacks together */
/* Maximum number of blocks that are shown as spans: those with the largest product of size and duration. */
#define LOOM_MEMORY_MAX_BLOCKS 10000u

typedef enum {
  LOOM_MEMORY_EXISTING, /* a block that was allocated before the first event */
  LOOM_MEMORY_ALLOC,
  LOOM_MEMORY_FREE_REQUESTED, /* the program freed the block, but another stream may still use it */
  LOOM_MEMORY_FREE,
  LOOM_MEMORY_SEGMENT_ALLOC, /* memory that the allocator got from the driver */
  LOOM_MEMORY_SEGMENT_FREE,
  LOOM_MEMORY_OOM,
  LOOM_MEMORY_MARK, /* the moment of a snapshot, or an event whose action is unknown */
} LoomMemoryAction;

typedef struct {
  /* time of the event in ns since 1970; in a history without times, each event is one µs after the previous one */
  gint64 time_ns;
  /* end of a block that is shown as a span, in ns; LOOM_TIME_NONE: the record is not shown as a span */
  gint64 end_ns;
  guint64 address; /* address of the block; for LOOM_MEMORY_OOM, the free bytes of the device */
  gint64 size;     /* number of bytes of the block, segment or request */
  /* numbers of bytes on the device after the event; `waiting`: bytes that the program has freed, but other streams may
   * still use */
  gint64 allocated, reserved, waiting;
  guint32 stack; /* index into LoomMemoryHistory.stacks */
  guint32 device;
  const char *name; /* name of a mark; NULL for other records */
  guint8 action;    /* kind of the record: a LoomMemoryAction */
} LoomMemoryRecord;

typedef struct {
  /* the innermost Python function outside of PyTorch, which owns the memory: "forward (model.py:54)" */
  const char *owner;
  const char *frames; /* the call stack, innermost frame first, one line per frame; "": not recorded */
} LoomMemoryStack;

typedef struct {
  const char *name;
  guint32 device;
  gint64 begin_ns, end_ns;
} LoomMemoryRange;

typedef struct {
  guint32 device;
  guint n_segments, n_blocks;
  gint64 reserved, active; /* total number of bytes of all segments, and of all active blocks, when the snapshot was
                            * made */
  /* total number of bytes of all inactive blocks, and number of bytes of the largest inactive block, when the snapshot
   * was made */
  gint64 inactive, largest;
  guint64 n_events;
} LoomMemoryPool;

typedef struct {
  GArray *records; /* LoomMemoryRecord elements, sorted by device; the records of one device are in the order of the
                    * file */
  GArray *stacks;  /* LoomMemoryStack elements; the first element is empty and used for events without a stack */
  GArray *ranges;  /* LoomMemoryRange: periods that the program has annotated with a name */
  GArray *pools;   /* LoomMemoryPool elements, indexed by device: the memory of the device when the snapshot was made */
  gboolean has_times;
  /* TRUE: parts of the snapshot are missing. It is then unknown how many bytes of each device were allocated and
   * reserved before the first event. Therefore, the members `allocated` and `reserved` of each LoomMemoryRecord are
   * only lower bounds */
  gboolean is_partial;
  gint64 end_ns; /* time in ns of the last event */
  GStringChunk *texts;
} LoomMemoryHistory;

/* Returns TRUE if the outermost value is a snapshot. */
gboolean loom_memory_reader_recognise (const LoomPlainValues *values);

/* Returns the history. It is owned by the caller and does not refer to `values`. The numbers of unusable blocks and
 * events are written to the log. `is_cut`: the end of the file could not be read. */
LoomMemoryHistory *loom_memory_reader_read (const LoomPlainValues *values, gboolean is_cut, LoomImportLog *log);
void loom_memory_reader_free (LoomMemoryHistory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMemoryHistory, loom_memory_reader_free)
