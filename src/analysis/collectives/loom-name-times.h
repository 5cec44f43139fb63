/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a rank works under each name in a range of time. On devices, the outermost spans count. On the host, the
 * self times of one thread count: the thread with the step spans or, if there is none, the thread with the most events.
 * Spans of steps and waits for devices don't count. Any thread. Private to src/analysis/collectives.
 */
#pragma once

#include "loom-timeline.h"

/* The work of a rank, selected by trace and clock (both indices in the run) and rank number (−1: all work in the
 * trace). All pointers are borrowed. */
typedef struct {
  const LoomTimeline *timeline;
  guint32 trace;
  guint clock;
  gint rank;
  gboolean on_host;
  const LoomTrack *main;    /* the thread of the host, loom_main_thread_find(); only used if on_host is TRUE */
  const char *const *names; /* the result of loom_counted_names_list(), which has one pointer for each text */
} LoomNameTimes;

/* Adds the time that the rank spent under each name in a range of the timeline, times `sign` (1 or −1), to `times`. Its
 * keys are elements of `work->names`; its values are times in ns, stored in the pointer. O(log spans + spans in the
 * range) per row. */
void loom_name_times_add (const LoomNameTimes *work, LoomRange range, gint sign, GHashTable *times);

/* Returns the time in ns under one name in a range of the timeline. `name`: an element of `work->names`. Faster than
 * loom_name_times_add(), which sums up all names. */
gint64 loom_name_times_get (const LoomNameTimes *work, LoomRange range, const char *name);
