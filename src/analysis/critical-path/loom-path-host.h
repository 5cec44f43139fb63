/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: divides the time of a host thread in a range into intervals by its innermost spans. One
 * thread for each LoomPathHost.
 */
#pragma once

#include "loom-path-items.h"
#include "loom-span-walk.h"

/* Called for an interval in which `span` is the innermost span of the thread; G_MAXUINT32: the thread has no span
 * then. `is_data`: the interval is inside a span of data loading. */
typedef void (*LoomPathHostFunc) (guint32 trace, guint32 span, gboolean is_data, LoomRange range, gpointer user_data);

typedef struct {
  const LoomPathItems *items; /* borrowed */
  /* [trace] index in `walks` of the trace's first track; the last element is the length of `walks` */
  guint32 *first_track;
  /* [track] walk through the spans of the track. Each visit of the track continues where the previous visit stopped,
   * because consecutive visits usually look at times close to each other. */
  LoomSpanWalk *walks;
  guint32 *open;        /* the spans that enclose the next interval, outermost first */
  guint n_open, n_room; /* number of these spans, and of elements of `open` */
  guint n_data;         /* number of these spans that load data */
} LoomPathHost;

void loom_path_host_init (LoomPathHost *host, const LoomPathItems *items);
void loom_path_host_clear (LoomPathHost *host);

/* Divides a range (timeline ns) into intervals by the innermost span of a thread, and calls `func` for each
 * interval. First come the intervals in which the thread on track `track` has a span. Then the gaps between them are
 * divided in the same way by the spans on track `other`, the thread that made the previous call of the process.
 * O(rows · log spans + spans in the range). */
void loom_path_host_visit (LoomPathHost *host, guint32 trace, guint32 track, guint32 other, LoomRange range,
                           LoomPathHostFunc func, gpointer user_data);
