/* SPDX-License-Identifier: Apache-2.0
 *
 * The data that queries over a timeline need besides the traces. These are, first, the numbers that tracks, processes,
 * counters and arrows of all traces have in the run; second, the results of the analyses that some tables show. An
 * analysis is computed when a query first reads a table that needs it. Events are not copied.
 *
 * Ref-counted atomically. Several queries on any threads may use an object at the same time. The object holds a
 * reference to the timeline, because texts in results of queries are borrowed from the timeline.
 */
#pragma once

#include "loom-timeline.h"

typedef struct _LoomQueryRun LoomQueryRun;

/* Makes the data for queries over the timeline. O(tracks). */
LoomQueryRun *loom_query_run_new (LoomTimeline *timeline);
LoomQueryRun *loom_query_run_ref (LoomQueryRun *run);
void loom_query_run_unref (LoomQueryRun *run); /* `run` may be NULL */

LoomTimeline *loom_query_run_get_timeline (LoomQueryRun *run); /* borrowed from the run */

/* The functions below convert the id of a span or instant to the value of the column `id`, and back.
 * loom_query_run_unpack_id() returns FALSE if the run has no such event. */
static inline gint64
loom_query_run_pack_id (LoomSpanId id)
{
  return (gint64) ((guint64) id.trace << 32 | id.span);
}
gboolean loom_query_run_unpack_id (LoomQueryRun *run, gint64 value, LoomSpanId *id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomQueryRun, loom_query_run_unref)
