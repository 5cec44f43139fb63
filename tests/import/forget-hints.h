/* SPDX-License-Identifier: Apache-2.0
 *
 * Removes the hints of a run. Hints (loom-event-ref-hint.h) let readers skip parts of the text of an event, so without
 * them the whole text of every event is read. Tests check that the results are the same.
 */
#pragma once

#include "loom-event-ref-hint.h"
#include "loom-run.h"

/* Removes the hint from a reference to an event. Returns TRUE if it had one. */
static inline gboolean
forget_hint (const LoomRef *ref)
{
  guint hint = loom_event_ref_hint_of (*ref);
  *(LoomRef *) (gpointer) ref ^= loom_event_ref_hint_make (hint);
  return hint != 0;
}

/* Removes all hints of a run. Sets the numbers of hints that were removed from spans and from flow events. */
static inline void
forget_hints (LoomRun *run, guint *n_spans, guint *n_flows)
{
  *n_spans = *n_flows = 0;
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    const LoomSpans *spans = loom_trace_get_spans (trace);
    guint32 n;
    const LoomFlowPoint *points = loom_trace_get_flow_points (trace, &n);
    for (guint i = 0; i < spans->n; i++)
      *n_spans += forget_hint (&spans->ref[i]);
    for (guint i = 0; i < n; i++)
      *n_flows += forget_hint (&points[i].ref);
  }
}
