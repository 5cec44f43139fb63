/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: divides the time of a host thread in a range into intervals by its innermost spans. One
 * thread for each LoomPathHost.
 */
#pragma once

#include "loom-span-walk.h"

/* Called for an interval in which `span` is the innermost span of the thread; G_MAXUINT32: the thread has no span
 * then. `is_data`: the interval is inside a span of data loading. */
typedef void (*LoomPathHostFunc) (guint32 trace, guint32 span, gboolean is_data, LoomRange range, gpointer user_data);

typedef struct {
  LoomTimeline *timeline; /* borrowed */
  guint8 **works;         /* [trace] LoomWorkKind by name id on the host */
  guint32 *first_track;   /* [trace] index in `walks` of its first track; the last element is the total */
  /* one walk per track, which continues where it stopped: the ranges of a track follow each other closely */
  LoomSpanWalk *walks;
  GArray *open; /* guint32: the spans that enclose the next one */
} LoomPathHost;

void loom_path_host_init (LoomPathHost *host, LoomTimeline *timeline);
void loom_path_host_clear (LoomPathHost *host);

/* Divides a range (timeline ns) into intervals by the innermost span of a thread, and calls `func` for each.
 * Intervals without a span are divided by the spans of `other`, the track of the thread that ran before, and
 * reported after all others. O(rows · log spans + spans in the range). */
void loom_path_host_visit (LoomPathHost *host, guint32 trace, guint32 track, guint32 other, LoomRange range,
                           LoomPathHostFunc func, gpointer user_data);
