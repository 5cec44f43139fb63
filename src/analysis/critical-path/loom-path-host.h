/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: divides the time of a host thread in a range into intervals by its innermost spans. One
 * thread for each LoomPathHost.
 */
#pragma once

#include "loom-path-items.h"
#include "loom-span-walk.h"

/* Called for an interval in which `span` is the innermost span of the thread; G_MAXUINT32: the thread has no span in
 * the interval. `is_data`: TRUE if the interval is inside a span of data loading. */
typedef void (*LoomPathHostFunc) (guint32 trace, guint32 span, gboolean is_data, LoomRange range, gpointer user_data);

typedef struct {
  const LoomPathItems *items; /* borrowed */
  /* [trace] index in `walks` of the trace's first track; the last element is the length of `walks` */
  guint32 *first_track;
  /* [track] walk through the spans of the track. Each visit of the track continues where the previous visit stopped,
   * because consecutive visits usually read spans at times close to each other. */
  LoomSpanWalk *walks;
  guint32 *open; /* the spans that enclose the next interval, outermost first */
  /* `n_open`: number of spans in `open`; `n_room`: number of elements for which `open` has memory */
  guint n_open, n_room;
  guint n_data; /* number of spans in `open` that load data */
} LoomPathHost;

void loom_path_host_init (LoomPathHost *host, const LoomPathItems *items);
void loom_path_host_clear (LoomPathHost *host);

/* Divides a range (timeline ns) into intervals by the innermost span of a thread, and calls `func` for each interval.
 * First come the intervals in which the thread on track `track` has a span. Then come the gaps between these intervals,
 * divided in the same way by the spans on the track `other`. The thread of `other` made the previous call of the
 * process. O(rows · log spans + spans in the range). */
void loom_path_host_visit (LoomPathHost *host, guint32 trace, guint32 track, guint32 other, LoomRange range,
                           LoomPathHostFunc func, gpointer user_data);
