/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-late-rank-marks.h: a worker thread finds the late ranks, and the result is passed to the timeline
 * state.
 */
#include "loom-late-rank-marks.h"

struct _LoomLateRankMarks {
  LoomAnalysisContext *analysis;
  LoomFindingsState *findings;
  /* The timeline whose late ranks were requested. It may have been freed, so only its address is used. */
  LoomTimeline *timeline;
  GCancellable *running; /* cancels the worker thread that finds the late ranks; NULL if no such thread is running */
};

static void
found (gpointer owner, gpointer result, const GError *error, gpointer question)
{
  LoomLateRankMarks *self = owner;
  g_autoptr (GArray) late = result;
  if (late != NULL) /* if NULL, the timeline was closed while the ranks were computed */
    loom_timeline_state_set_late_ranks (loom_analysis_context_get_state (self->analysis),
                                        (const LoomRowLateness *) (gpointer) late->data, late->len);
}

/* Called when the findings have changed. Finds the late ranks once for each timeline that was evaluated. When the
 * timeline changes, the findings are removed, so the late ranks of the old timeline are no longer needed. */
static void
findings_changed (LoomLateRankMarks *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (loom_analysis_context_get_state (self->analysis));
  gboolean evaluated = timeline != NULL && loom_findings_state_get_findings (self->findings) != NULL;
  if (evaluated && timeline == self->timeline)
    return;
  loom_worker_cancel (&self->running);
  self->timeline = evaluated ? timeline : NULL;
  if (evaluated)
    loom_analysis_context_find_late_ranks (self->analysis, &self->running, found, self);
}

LoomLateRankMarks *
loom_late_rank_marks_new (LoomAnalysisContext *analysis, LoomFindingsState *findings)
{
  LoomLateRankMarks *self = g_new0 (LoomLateRankMarks, 1);
  self->analysis = g_object_ref (analysis);
  self->findings = g_object_ref (findings);
  g_signal_connect_swapped (findings, "notify::findings", G_CALLBACK (findings_changed), self);
  return self;
}

void
loom_late_rank_marks_free (LoomLateRankMarks *self)
{
  loom_worker_cancel (&self->running);
  g_signal_handlers_disconnect_by_data (self->findings, self);
  g_object_unref (self->findings);
  g_object_unref (self->analysis);
  g_free (self);
}
