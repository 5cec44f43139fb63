/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy the whole run was, in a fixed number of buckets: the strip above the timeline. Computed once per timeline
 * (in a worker), immutable, ref-counted atomically, painted at any width.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"

G_BEGIN_DECLS

typedef struct _LoomOverview LoomOverview;

#define LOOM_OVERVIEW_BUCKETS 2048

/* Busy is the mean over ranks (or processes) of the share of time in which something ran: on accelerators where there
 * are any, else on the threads. Cost O(tracks · buckets). NULL only when cancelled. */
LoomOverview *loom_overview_new (LoomTimeline *timeline, GCancellable *cancellable);
LoomOverview *loom_overview_ref (LoomOverview *overview);
void loom_overview_unref (LoomOverview *overview);

/* The range the buckets divide; empty when the timeline is. */
LoomRange loom_overview_get_range (const LoomOverview *overview);
/* LOOM_OVERVIEW_BUCKETS values 0 … 1. */
const float *loom_overview_get_busy (const LoomOverview *overview);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomOverview, loom_overview_unref)

G_END_DECLS
