/* SPDX-License-Identifier: Apache-2.0
 *
 * Stretches of time, host by host: the instants of bottlenecks, the outlier steps. Closed at both ends; an instant is a
 * stretch of no length. Built by one thread, then read by any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LoomIntervalSet LoomIntervalSet;

/* `pooled`: hosts are not told apart, as smdebug's analyses do. */
LoomIntervalSet *loom_interval_set_new (guint n_hosts, gboolean pooled);
void loom_interval_set_free (LoomIntervalSet *windows);

void loom_interval_set_add (LoomIntervalSet *windows, guint32 host_id, gint64 begin_ns, gint64 end_ns);
/* Sorts and joins what overlaps; before the first question. O(n log n). */
void loom_interval_set_seal (LoomIntervalSet *windows);

gboolean loom_interval_set_is_empty (const LoomIntervalSet *windows);
/* Whether [begin, end] and a stretch of the host have an instant in common. `near` is where the last search of this
 * host's ended, from 0: questions in about the order of time cost O(1). */
gboolean loom_interval_set_touch (const LoomIntervalSet *windows, guint32 host_id, gint64 begin_ns, gint64 end_ns,
                                  gsize *near);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIntervalSet, loom_interval_set_free)

G_END_DECLS
