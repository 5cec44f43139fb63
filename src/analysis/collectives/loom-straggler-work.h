/* SPDX-License-Identifier: Apache-2.0
 *
 * How much time a rank spent under each name within a range. Of its devices, the outermost spans count; of the host,
 * the self times of the thread that has the step spans, or else of the thread with most events. Steps and waits for
 * devices are left out. Pure functions, any thread.
 */
#pragma once

#include "loom-timeline.h"

/* Name (borrowed from the traces) → ns, stored in the pointer; names with equal text share an entry. */
typedef GHashTable LoomNameTimes;
LoomNameTimes *loom_straggler_work_new_name_times (void);
/* The name with the most time, the first of equals; NULL if there is none. */
const char *loom_straggler_work_find_largest (LoomNameTimes *times, gint64 *ns);

/* Selects the rank: trace of the run, flat clock, rank number (−1: all of the trace). */
typedef struct {
  const LoomTimeline *timeline;
  guint32 trace;
  guint clock;
  gint rank;
  gboolean on_host;
  /* from loom_work_kind_of_names() of the trace, of host names if on_host, else of device names; borrowed */
  const guint8 *works;
} LoomStragglerWork;

/* Adds the time that the rank spent under each name in a range of the timeline, times `sign` (1 or −1).
 * O(log spans + spans in the range) per row. */
void loom_straggler_work_add (const LoomStragglerWork *work, LoomRange range, gint sign, LoomNameTimes *times);
