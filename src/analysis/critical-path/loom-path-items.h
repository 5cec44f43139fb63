/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the items from which the graph of a critical path (loom-path-graph.h) is built. Arrays are
 * flat and owned by the items; times are timeline ns. Traces are read in parallel, then one thread builds the items.
 *
 *   work   a kernel or copy on a device
 *   call   a span of the host that launches work, or waits for devices or for other ranks
 *   wait   the work for which another work or a call waited
 *   join   a collective or message between ranks
 *   mark   the start or end of a step, or of the recording of a process
 *
 * How the awaited work is found: A wait for an event is a wait for the last work that was launched on the stream of the
 * event before the call that recorded the event. If a stream waits for an event, the next work that is launched on this
 * stream waits. A synchronizing call waits for the last work launched before it, on its stream or on all streams. If
 * the trace does not record waits (the default of PyTorch's profiler), the waits are inferred.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-path-late-ends.h"
#include "loom-steps.h"

#define LOOM_PATH_NONE G_MAXUINT32

/* Used for traces that do not record waits. A kernel or copy is assumed to have waited for a kernel or copy of another
 * stream if it begins at most this many ns after the end of the other one, and if at least one of the two is
 * communication. */
#define LOOM_PATH_INFERRED_GAP_NS 20000

/* A call that waited for a kernel or copy may be recorded as returning up to this many ns before the end of the kernel
 * or copy, because the clocks of host and device differ. */
#define LOOM_PATH_CLOCK_ERROR_NS 50000
/* A kernel or copy that waited for another one on the same device may be recorded as beginning up to this many ns
 * before the end of the other one, because times are rounded. */
#define LOOM_PATH_ROUNDING_NS 2000

/* A kernel or copy on a device, called a work. 48 bytes. */
typedef struct {
  gint64 begin_ns, end_ns;
  /* Time at which the kernel or copy ends in the graph: `end_ns` or, in two cases, an earlier time.
   *   overlap  If a later kernel or copy of the stream begins before `end_ns` and ends after it, this one ends when
   *            the later one begins.
   *   wait     If a call waited for this one and returned before `end_ns`, by at most LOOM_PATH_CLOCK_ERROR_NS, this
   *            one ends when the call returns. If another kernel or copy waited for this one and began before `end_ns`,
   *            by at most LOOM_PATH_ROUNDING_NS, this one ends when the other one begins. */
  gint64 left_ns;
  guint32 trace, span;
  guint32 launch; /* index of the call that launched the kernel or copy; LOOM_PATH_NONE: not in the file */
  /* index of the kernel or copy of the same stream that ran before this one; LOOM_PATH_NONE: there is none. Two kinds
   * of elements are never the `previous` of another element: a kernel or copy that lies within another one, and the
   * shorter one of two that begin at the same time. */
  guint32 previous;
  /* index of the LoomPathJoin of the collective or message in which the kernel takes part; LOOM_PATH_NONE: it takes
   * part in none, or the other ranks of the collective or message are not in the files */
  guint32 join;
  guint32 kind; /* LoomWorkKind of the kernel or copy */
} LoomPathWork;

typedef enum {
  LOOM_PATH_CALL_BLOCKS = 1 << 0, /* the call waits for devices */
  LOOM_PATH_CALL_MEETS = 1 << 1,  /* the call takes part in a collective of the hosts */
} LoomPathCallFlags;

/* A span of the host that launches work, or waits for devices or for other ranks. 40 bytes. */
typedef struct {
  gint64 begin_ns, end_ns;
  guint32 trace, span;
  guint32 track;
  /* number of the process, see LoomPathItems.first_line. The calls of all threads of a process form one sequence,
   * because the threads of the forward and the backward pass do not run at the same time. */
  guint32 line;
  guint32 flags; /* mask of LoomPathCallFlags */
  guint32 join;
} LoomPathCall;

typedef struct {
  guint32 work;   /* index in LoomPathItems.works of the kernel or copy for which the target waits */
  guint32 target; /* index of the kernel or copy that waits; if is_call is TRUE, index of the call that waits */
  guint8 is_call, inferred;
  /* time in ns from the end of the waiting call to the recorded end of the kernel or copy for which it waits; 0: the
   * kernel or copy ends before the call, or is_call is FALSE */
  gint64 late_ns;
} LoomPathWait;

/* A collective or a message of which at least two ranks are in the files. */
typedef struct {
  gint64 arrival_ns; /* latest start of the kernels or calls that take part */
  guint32 transfer;  /* index of the transfer in the LoomTransferList */
  gboolean of_hosts;
} LoomPathJoin;

/* A moment on the host: the start or end of a step, or of the recording of a process. */
typedef struct {
  gint64 time_ns;
  guint32 line;
  gint rank;
  gboolean begins;
  /* LoomStep.run_step of a step. LOOM_NO_RUN_STEP: this is the start or end of the recording, or the step has no
   * number, or it is partly outside the range. */
  guint32 step;
  gint64 number; /* number of the step */
  /* the thread with the span of the step or, for a recording, the main thread of the process. If there are no calls
   * next to the mark, the spans of this thread show the work of the host before and after the mark. */
  guint32 trace, track;
} LoomPathMark;

typedef struct {
  LoomTimeline *timeline; /* borrowed */
  LoomRange range;
  /* `works`: LoomPathWork, sorted by trace; `calls`: LoomPathCall, sorted by trace, then in the order of their spans */
  GArray *works, *calls;
  GArray *waits; /* LoomPathWait, sorted by is_call, then by target */
  GArray *joins, *marks;
  /* [trace] index of the first work or call of the trace; the last element is the number of works or calls */
  guint32 *first_work, *first_call;
  /* [trace] number of the trace's first process; the last element is the number of processes. LoomPathCall.line of a
   * call is first_line[trace] + process id of its track. */
  guint32 *first_line;
  /* `n_inferred`: number of waits that are not recorded but inferred; `n_unjoined`: how often a rank's part in a
   * collective ends before the last rank arrives */
  guint64 n_inferred, n_unjoined;
  GArray *late_ends; /* LoomPathLateEnds: one element for each trace */
} LoomPathItems;

/* Collects the works, calls, waits, joins and marks that touch the range. `collectives` and `steps` may be NULL.
 * O(spans of the hosts + n · log n), where n is the number of kernels and copies. Returns FALSE when cancelled; the
 * items must be cleared in any case. */
gboolean loom_path_items_init (LoomPathItems *items, LoomTimeline *timeline, LoomRange range,
                               const LoomCollectives *collectives, const LoomSteps *steps, GCancellable *cancellable);
void loom_path_items_clear (LoomPathItems *items);

/* Finds the kernels and copies of a trace that are recorded as ending after the calls that waited for them. If
 * cancelled, the result is incomplete. O(spans of the hosts + n · log n), where n is the number of kernels and
 * copies. */
LoomPathLateEnds loom_path_items_find_late_ends (LoomTimeline *timeline, guint trace, GCancellable *cancellable);

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

/* The next two functions return the index of the call, or of the kernel or copy, that has this span; LOOM_PATH_NONE:
 * there is none. O(log n). */
guint32 loom_path_items_find_call (const LoomPathItems *items, guint32 trace, guint32 span);
