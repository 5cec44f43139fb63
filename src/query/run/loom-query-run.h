/* SPDX-License-Identifier: Apache-2.0
 *
 * A timeline as queries see it: numbers of its tracks, processes and counters over the whole run, and the results of the
 * analyses that some tables show, each computed when a query first reads it. It copies no events.
 *
 * Ref-counted atomically; any thread, several queries at a time. Holds a reference to the timeline: texts in results of
 * queries are borrowed from it.
 */
#pragma once

#include "loom-timeline.h"

typedef struct _LoomQueryRun LoomQueryRun;

/* O(tracks). */
LoomQueryRun *loom_query_run_new (LoomTimeline *timeline);
LoomQueryRun *loom_query_run_ref (LoomQueryRun *run);
void loom_query_run_unref (LoomQueryRun *run); /* accepts NULL */

LoomTimeline *loom_query_run_get_timeline (LoomQueryRun *run); /* borrowed */

/* These functions convert the id of a span or instant to the value of the column `id`, and back. The second function
 * returns FALSE if the run has no such event. */
static inline gint64
loom_query_run_pack_id (LoomSpanId id)
{
  return (gint64) ((guint64) id.trace << 32 | id.span);
}
gboolean loom_query_run_unpack_id (LoomQueryRun *run, gint64 value, LoomSpanId *id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomQueryRun, loom_query_run_unref)
