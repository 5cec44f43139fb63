/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: visits the kernels and copies of a device in order of their starts, each with the call on
 * the host that launched it. The call is found by the arrow (flow event) that leads from the call to the kernel. In
 * files of Kineto, these flow events are named ac2g, or async in files of 2020 and 2021, and join events with equal
 * correlation ids. If there is no arrow, the call is found by its correlation id, which is equal to that of the kernel
 * (loom-launch-ids.h). One thread per walk.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  guint32 next, end;   /* range of the row's spans that are still to be visited, as indices into the columns */
  guint32 arrow;       /* index in LoomLaunchWalk.by_target of the first arrow that may lead to the span `next` */
  guint32 order;       /* number of rows that were added before this one */
  const guint8 *works; /* [name id] LoomWorkKind of spans with this name */
} LoomLaunchWalkRow;

typedef struct {
  const LoomTrace *trace;
  const LoomSpans *spans;
  const LoomArrow *arrows;
  const guint32 *by_target;
  guint32 n_arrows;
  guint8 *works[2];       /* [0: on tracks of the host, 1: on tracks of devices][name id] LoomWorkKind */
  gboolean host_has_work; /* TRUE if spans on tracks of the host are kernels, according to their category */
  /* LoomLaunchWalkRow: the rows of the current visit that have spans left, as a binary heap: element 0 has the span
   * that begins first; of spans that begin at the same time, the one in the row that was added first */
  GArray *rows;
  guint32 n_added;   /* number of rows that were added to the current visit */
  const GArray *ids; /* launches without arrows, borrowed from the trace: loom-launch-ids.h */
} LoomLaunchWalk;

void loom_launch_walk_init (LoomLaunchWalk *walk, const LoomTrace *trace);
/* Like loom_launch_walk_init(), but the walk finds launches only by arrows (flow events), not by correlation ids. */
void loom_launch_walk_init_arrows (LoomLaunchWalk *walk, const LoomTrace *trace);
void loom_launch_walk_clear (LoomLaunchWalk *walk);

/* loom_launch_walk_begin() begins a new visit. loom_launch_walk_add_track() adds the kernels and copies of a track that
 * touch `local`, a range on the track's clock, to the visit, in O(rows · log spans). A track whose spans
 * overlap each other has up to one row for each span. */
void loom_launch_walk_begin (LoomLaunchWalk *walk);
void loom_launch_walk_add_track (LoomLaunchWalk *walk, const LoomTrack *track, LoomRange local);

/* Finds the last kernel or copy that ends before `local`, a range on the track's clock, and the first one that begins
 * after it. Raises `before_ns` to the end of the former, and lowers `after_ns` to the start of the latter; never lowers
 * `before_ns` and never raises `after_ns`. */
void loom_launch_walk_find_around (const LoomLaunchWalk *walk, const LoomTrack *track, LoomRange local,
                                   gint64 *before_ns, gint64 *after_ns);
/* Sets `span` to the next kernel or copy, and `launch` to the span that launched it (G_MAXUINT32: unknown). Returns
 * FALSE at the end. If an arrow (flow event) leads to the kernel or copy from exactly one runtime call, this call is
 * the launch. Otherwise the launch is the call with the same correlation id as the kernel or copy. If this call is
 * unknown, the launch is the last runtime call from which an arrow leads to the kernel or copy. If there is no such
 * runtime call, the launch is the last other span from which an arrow leads to it. Skips work that encloses other work
 * (MTIA) and events at implausible times. O(log rows). */
gboolean loom_launch_walk_next (LoomLaunchWalk *walk, guint32 *span, guint32 *launch);
/* Sets `span` to the next kernel or copy, and `n_calls` to the number of runtime calls from which an arrow leads to it.
 * Returns FALSE at the end. */
gboolean loom_launch_walk_next_arrows (LoomLaunchWalk *walk, guint32 *span, guint *n_calls);
