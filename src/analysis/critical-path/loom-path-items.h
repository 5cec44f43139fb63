/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: what the graph of a critical path is made of. Works are kernels and copies of devices; calls are
 * the spans of the host that launch work, wait for devices or for other ranks. Arrays are flat and owned by the items;
 * times are timeline ns. Built by one thread after the traces were read in parallel.
 *
 * A wait for an event is a wait for the last work that was launched on the awaited stream before the call that recorded the
 * event; if a stream waits for an event, the next work that is launched on it is held back. A synchronising call waits for the
 * last work launched before it, on its stream or on all. If the trace has no rows of waits (the default of PyTorch's
 * profiler), the waits are inferred.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-steps.h"

#define LOOM_PATH_NONE G_MAXUINT32

/* If the trace has no rows of waits: work that begins this soon after the end of work on another stream is assumed to have
 * waited for it, if one of both is communication. */
#define LOOM_PATH_INFERRED_GAP_NS 20000

/* 40 bytes. */
typedef struct {
  gint64 begin_ns, end_ns;
  guint32 trace, span;
  guint32 launch;   /* call; LOOM_PATH_NONE: not in the file */
  guint32 previous; /* work before it on the stream, LOOM_PATH_NONE for the first */
  guint32 join;     /* index of its collective; LOOM_PATH_NONE: none, or its other members are not there */
  guint32 kind;     /* LoomWorkKind */
} LoomPathWork;

typedef enum {
  LOOM_PATH_CALL_BLOCKS = 1 << 0, /* waits for devices */
  LOOM_PATH_CALL_MEETS = 1 << 1,  /* a collective of the hosts */
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
  guint32 work;   /* work that is awaited */
  guint32 target; /* work, or call if is_call */
  guint8 is_call, inferred;
} LoomPathWait;

/* A collective or a message of which at least two members are in the files. */
typedef struct {
  gint64 arrival_ns; /* arrival of the last member */
  gboolean of_hosts;
} LoomPathJoin;

/* A moment of the host: the start or end of a step, or of everything that its process recorded. */
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
  GArray *works, *calls; /* in order of traces; calls of a trace in order of their spans */
  GArray *waits;         /* sorted by is_call, target */
  GArray *joins, *marks;
  guint32 *first_work, *first_call; /* [trace]; the last element is the total */
  guint32 *first_line;              /* [trace] + process id of a track: its line; the last element is the total */
  guint64 n_inferred, n_unjoined;   /* waits that are inferred; members that end before the last one arrives */
} LoomPathItems;

/* Collects what touches the range, with the collectives of it and the steps (NULL: none). O(spans of the hosts + kernels and
 * copies · log). Returns FALSE when cancelled; clear the items in any case. */
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

/* Returns the index of the call (or work) of a span; LOOM_PATH_NONE: the span is not one. O(log n). */
guint32 loom_path_items_find_call (const LoomPathItems *items, guint32 trace, guint32 span);
