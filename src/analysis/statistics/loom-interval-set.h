/* SPDX-License-Identifier: Apache-2.0
 *
 * Time intervals on each host, for example the instants of bottlenecks, or the outlier steps. Both ends belong to an
 * interval; an instant is an interval of length 0. Built by one thread; then any thread may read it.
 */
#pragma once

#include <glib.h>

typedef struct _LoomIntervalSet LoomIntervalSet;

/* Makes an empty set of intervals for each host. If `pooled` is TRUE, all hosts share one set, as in smdebug's
 * analyses. */
LoomIntervalSet *loom_interval_set_new (guint n_hosts, gboolean pooled);
void loom_interval_set_free (LoomIntervalSet *windows);

void loom_interval_set_add (LoomIntervalSet *windows, guint32 host_id, gint64 begin_ns, gint64 end_ns);
/* Sorts the intervals and joins overlapping ones. Must be called after all intervals were added and before
 * loom_interval_set_touch(). O(n log n). */
void loom_interval_set_seal (LoomIntervalSet *windows);

gboolean loom_interval_set_is_empty (const LoomIntervalSet *windows);
/* Returns TRUE if the interval [begin_ns, end_ns] has at least one instant in common with an interval of the host.
 * `near`: state of the search on this host; must be 0 before the first call, and is updated by each call. O(1) if the
 * calls are roughly in order of time. */
gboolean loom_interval_set_touch (const LoomIntervalSet *windows, guint32 host_id, gint64 begin_ns, gint64 end_ns,
                                  gsize *near);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIntervalSet, loom_interval_set_free)
