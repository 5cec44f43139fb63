/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a rank did what within a range: its devices by their outermost work, its processor by the self time of the thread
 * its steps are marked on, else of that with most events, steps and waits for devices aside. Pure functions, any thread.
 */
#pragma once

#include "loom-timeline.h"

G_BEGIN_DECLS

/* Name (borrowed from the traces) → ns, as a pointer; equal texts are one. */
typedef GHashTable LoomNameTimes;
LoomNameTimes *loom_straggler_work_new_name_times (void);
/* The name of most time, of equal ones the first; NULL for none. */
const char *loom_straggler_work_find_largest (LoomNameTimes *times, gint64 *ns);

/* Whose work: a trace of the run, a flat clock, a rank (−1: whatever the trace has). */
typedef struct {
  const LoomTimeline *timeline;
  guint32 trace;
  guint clock;
  gint rank;
  gboolean on_host;
  const guint8 *works; /* loom_work_kind_of_names() of the trace, for its devices unless on_host; borrowed */
} LoomStragglerWork;

/* Adds what it did within a range of the timeline, `sign` times (1 or −1). O(log spans + spans in the range) per row. */
void loom_straggler_work_add (const LoomStragglerWork *work, LoomRange range, gint sign, LoomNameTimes *times);

G_END_DECLS
