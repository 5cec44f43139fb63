/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a rank spends in spans of each name in a range of time. On devices, the outermost spans count. On the host,
 * the self times of one thread count: the thread with the step spans or, if there is none, the thread with the most
 * events. Spans of steps and waits for devices don't count. Any thread. Private to src/analysis/collectives.
 */
#pragma once

#include "loom-timeline.h"

/* The work of a rank: its trace and clock (indices in the run), and its number (−1: all work in the trace). All
 * pointers are borrowed. */
typedef struct {
  const LoomTimeline *timeline;
  guint32 trace;
  guint clock;
  gint rank;
  gboolean on_host;
  const LoomTrack *main; /* the thread of the host that loom_main_thread_find() returns; only used if on_host is TRUE */
  const char *const *names; /* result of loom_counted_names_list(): equal texts have equal pointers */
} LoomNameTimes;

/* For each name, adds the time that the rank spent under this name in a range of the timeline to the table `times`; if
 * `sign` is −1, subtracts this time. Keys of the table: elements of `work->names`. Values: times in ns, stored in the
 * pointer itself. O(log spans + spans in the range) per row. */
void loom_name_times_add (const LoomNameTimes *work, LoomRange range, gint sign, GHashTable *times);

/* Returns the time in ns that the rank spent under one name in a range of the timeline. `name`: an element of
 * `work->names`. Faster than loom_name_times_add(), which adds up the times of all names. */
gint64 loom_name_times_get (const LoomNameTimes *work, LoomRange range, const char *name);
