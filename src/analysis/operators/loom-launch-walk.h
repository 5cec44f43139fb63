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
  guint32 next, end;   /* range of the row's spans that are not visited yet, as indices in the columns */
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
  const guint8 *works[2]; /* [0: on tracks of the host, 1: on tracks of devices][name id] LoomWorkKind */
  gboolean host_has_work; /* TRUE if spans on tracks of the host are kernels, according to their category */
  /* LoomLaunchWalkRow: the rows of the current visit that have spans left, as a binary heap. Element 0 is the row whose
   * next span begins first; if several begin at the same time, the row that was added first. */
  GArray *rows;
  guint32 n_added; /* number of rows that were added to the current visit */
  /* launches that were assigned to their kernels by correlation ids, because no flow event connects them
   * (loom-launch-ids.h); borrowed from the trace */
  const GArray *ids;
} LoomLaunchWalk;

void loom_launch_walk_init (LoomLaunchWalk *walk, const LoomTrace *trace);
/* Like loom_launch_walk_init(), but launches are found only by arrows (flow events), and not by correlation ids. */
void loom_launch_walk_init_arrows (LoomLaunchWalk *walk, const LoomTrace *trace);
void loom_launch_walk_clear (LoomLaunchWalk *walk);

/* loom_launch_walk_begin() begins a new visit. loom_launch_walk_add_track() adds the kernels and copies of a track that
 * touch `local` to the visit, in O(rows · log spans). `local` is a range on the track's clock. A track whose spans
 * overlap each other has up to one row for each span. */
void loom_launch_walk_begin (LoomLaunchWalk *walk);
void loom_launch_walk_add_track (LoomLaunchWalk *walk, const LoomTrack *track, LoomRange local);

/* Searches a track for the last kernel or copy that ends before `local`, a range on the track's clock. Sets `before_ns`
 * to its end if the end is later than `before_ns`. Also searches for the first kernel or copy that begins after
 * `local`. Sets `after_ns` to its start if the start is earlier than `after_ns`. So the function can be called for
 * several tracks in turn. */
void loom_launch_walk_find_around (const LoomLaunchWalk *walk, const LoomTrack *track, LoomRange local,
                                   gint64 *before_ns, gint64 *after_ns);
/* Sets `span` to the next kernel or copy, and `launch` to the span that launched it (G_MAXUINT32: unknown). Returns
 * FALSE at the end. Skips work that encloses other work (MTIA) and events at implausible times. O(log rows).
 *
 * If an arrow (flow event) leads to the kernel or copy from exactly one runtime call, this call is the launch.
 * Otherwise the launch is the call with the same correlation id as the kernel or copy. If this call is unknown, the
 * launch is the last runtime call from which an arrow leads to the kernel or copy. If there is no such runtime call,
 * the launch is the last other span from which an arrow leads to it. */
gboolean loom_launch_walk_next (LoomLaunchWalk *walk, guint32 *span, guint32 *launch);
/* Returns the launch of one kernel or copy, as loom_launch_walk_next() does, independently of the visit. O(log
 * arrows). */
guint32 loom_launch_walk_find (const LoomLaunchWalk *walk, guint32 span);
/* Sets `span` to the next kernel or copy, and `n_calls` to the number of runtime calls from which an arrow leads to it.
 * Returns FALSE at the end. */
gboolean loom_launch_walk_next_arrows (LoomLaunchWalk *walk, guint32 *span, guint *n_calls);
