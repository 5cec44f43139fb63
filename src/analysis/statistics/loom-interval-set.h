/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of time intervals per host, e.g. the instants of bottlenecks or the outlier steps. Intervals are closed at both
 * ends; an instant is an interval of length 0. Built by one thread, then read by any.
 */
#pragma once

#include <glib.h>

typedef struct _LoomIntervalSet LoomIntervalSet;

/* Makes an empty set of intervals for each host. If `pooled`, all hosts share one set, as in smdebug's analyses. */
LoomIntervalSet *loom_interval_set_new (guint n_hosts, gboolean pooled);
void loom_interval_set_free (LoomIntervalSet *windows);

void loom_interval_set_add (LoomIntervalSet *windows, guint32 host_id, gint64 begin_ns, gint64 end_ns);
/* Sorts the intervals and joins overlapping ones. Must be called before loom_interval_set_touch(). O(n log n). */
void loom_interval_set_seal (LoomIntervalSet *windows);

gboolean loom_interval_set_is_empty (const LoomIntervalSet *windows);
/* Returns TRUE if [begin, end] and an interval of the host have an instant in common. `near`: state of the search on
 * this host, initially 0; each call updates it. O(1) if calls come roughly in order of time. */
gboolean loom_interval_set_touch (const LoomIntervalSet *windows, guint32 host_id, gint64 begin_ns, gint64 end_ns,
                                  gsize *near);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIntervalSet, loom_interval_set_free)
