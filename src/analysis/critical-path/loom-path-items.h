/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the items from which the graph of a critical path is built. Works are kernels and copies of
 * devices; calls are the spans of the host that launch work, wait for devices or for other ranks. Arrays are flat and
 * owned by the items; times are timeline ns. Built by one thread after the traces were read in parallel.
 *
 * A wait for an event is a wait for the last work that was launched on the awaited stream before the call that recorded
 * the event; if a stream waits for an event, the next work that is launched on it waits. A synchronising call waits for
 * the last work launched before it, on its stream or on all. If the trace has no rows of waits (the default of
 * PyTorch's profiler), the waits are inferred.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-steps.h"

#define LOOM_PATH_NONE G_MAXUINT32

/* If the trace has no records of waits, work that begins at most this long after the end of work on another stream
 * is assumed to have waited for it, provided that one of both is communication. */
#define LOOM_PATH_INFERRED_GAP_NS 20000

/* 40 bytes. */
typedef struct {
  gint64 begin_ns, end_ns;
  guint32 trace, span;
  guint32 launch;   /* index of the call that launched it; LOOM_PATH_NONE: not in the file */
  guint32 previous; /* index of the previous work of the stream; LOOM_PATH_NONE for the first */
  guint32 join;     /* index of its LoomPathJoin; LOOM_PATH_NONE: none, or other members are not in the files */
  guint32 kind;     /* LoomWorkKind */
} LoomPathWork;

typedef enum {
  LOOM_PATH_CALL_BLOCKS = 1 << 0, /* waits for devices */
  LOOM_PATH_CALL_MEETS = 1 << 1,  /* is a collective of the hosts */
} LoomPathCallFlags;

/* 40 bytes. */
typedef struct {
  gint64 begin_ns, end_ns;
  guint32 trace, span;
  guint32 track;
  /* number of the process: calls of all its threads count as one sequence, because forward and backward pass take turns */
  guint32 line;
  guint32 flags; /* LoomPathCallFlags */
  guint32 join;
} LoomPathCall;

typedef struct {
  guint32 work;   /* index of the work that ends the wait */
  guint32 target; /* index of the work that waits or, if is_call, of the call */
  guint8 is_call, inferred;
} LoomPathWait;

/* A collective or a message of which at least two members are in the files. */
typedef struct {
  gint64 arrival_ns; /* latest start of the work or the calls that take part */
  gboolean of_hosts;
} LoomPathJoin;

/* A time on the host: the start or end of a step, or of the recording of a process. */
typedef struct {
  gint64 time_ns;
  guint32 line;
  gint rank;
  gboolean begins;
  gint64 step; /* number of the step; −1: the mark is not of a step */
} LoomPathMark;

typedef struct {
  LoomTimeline *timeline; /* borrowed */
  LoomRange range;
  GArray *works,
    *calls;      /* LoomPathWork and LoomPathCall, in order of traces; calls of a trace in order of their spans */
  GArray *waits; /* sorted by is_call, target */
  GArray *joins, *marks;
  guint32 *first_work, *first_call; /* [trace] index of its first work and call; the last element is the total */
  guint32 *first_line;              /* first_line[trace] + process id of a track is its line; the last element: total */
  /* number of waits that are inferred; number of members of collectives that end before the last member arrives */
  guint64 n_inferred, n_unjoined;
} LoomPathItems;

/* Collects the works, calls, waits, joins and marks that touch the range. `collectives` and `steps` may be NULL:
 * none. O(spans of the hosts + n · log n) for n kernels and copies. Returns FALSE when cancelled; clear the items in
 * any case. */
gboolean loom_path_items_init (LoomPathItems *items, LoomTimeline *timeline, LoomRange range,
                               const LoomCollectives *collectives, const LoomSteps *steps, GCancellable *cancellable);
void loom_path_items_clear (LoomPathItems *items);

static inline const LoomPathWork *
loom_path_items_get_work (const LoomPathItems *items, guint32 work)
{
  return &g_array_index (items->works, LoomPathWork, work);
}

static inline const LoomPathCall *
loom_path_items_get_call (const LoomPathItems *items, guint32 call)
{
  return &g_array_index (items->calls, LoomPathCall, call);
}

static inline LoomTrace *
loom_path_items_get_trace (const LoomPathItems *items, guint32 trace)
{
  return loom_run_get_trace (loom_timeline_get_run (items->timeline), trace);
}

/* Return the index of the call or of the work that a span is; LOOM_PATH_NONE: the span is neither. O(log n). */
guint32 loom_path_items_find_call (const LoomPathItems *items, guint32 trace, guint32 span);
