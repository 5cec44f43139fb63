/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-bottleneck-marks.h: a worker thread finds the bottlenecks, and their times are passed to the timeline
 * view.
 */
#include "loom-bottleneck-marks.h"

struct _LoomBottleneckMarks {
  LoomAnalysisContext *analysis;
  gboolean wanted;
  /* The timeline whose bottlenecks are marked or searched. It may have been freed, so only its address is used. */
  LoomTimeline *timeline;
  LoomAnalysisThresholds thresholds; /* thresholds with which the bottlenecks were searched */
  GCancellable *running; /* cancels the worker thread that finds the bottlenecks; NULL if no such thread is running */
};

static void
stop (LoomBottleneckMarks *self)
{
  loom_worker_cancel (&self->running);
  self->timeline = NULL;
}

static void
show (LoomBottleneckMarks *self, const gint64 *times_ns, guint n)
{
  LoomTimelineState *state = loom_analysis_context_get_state (self->analysis);
  LoomTimelineAnnotations *marks = loom_timeline_state_get_finding_marks (state);
  if (n == 0 && loom_timeline_annotations_get_n_bottlenecks (marks) == 0)
    return;
  loom_timeline_annotations_set_bottlenecks (marks, times_ns, n);
  loom_timeline_state_finding_marks_changed (state);
}

static void
found (gpointer marks, gpointer result, const GError *error, gpointer question)
{
  g_autoptr (GArray) times_ns = result;
  if (times_ns != NULL)
    show (marks, (const gint64 *) (gpointer) times_ns->data, times_ns->len);
}

static gboolean
is_asked (const LoomBottleneckMarks *self, LoomTimeline *timeline, LoomBottleneckLimits limits)
{
  const LoomBottleneckLimits *asked = &self->thresholds.bottleneck;
  return self->timeline == timeline && asked->high_cpu == limits.high_cpu && asked->low_gpu == limits.low_gpu;
}

void
loom_bottleneck_marks_update (LoomBottleneckMarks *self)
{
  LoomTimelineState *state = loom_analysis_context_get_state (self->analysis);
  LoomTimeline *timeline = loom_timeline_state_get_timeline (state);
  LoomAnalysisThresholds thresholds = loom_analysis_context_get_thresholds (self->analysis);
  if (!self->wanted || timeline == NULL || !loom_bottlenecks_have_metrics (timeline)) {
    stop (self);
    show (self, NULL, 0);
    return;
  }
  if (is_asked (self, timeline, thresholds.bottleneck))
    return;
  stop (self);
  self->timeline = timeline;
  self->thresholds = thresholds;
  loom_analysis_context_find_bottlenecks (self->analysis, &self->running, found, self);
}

/* Called on "range-changed". This signal is emitted for a new range and for new thresholds. Only new thresholds
 * require a new search, because the bottlenecks are those of the whole run. */
static void
asked_anew (LoomBottleneckMarks *self)
{
  if (self->timeline != NULL &&
      self->timeline == loom_timeline_state_get_timeline (loom_analysis_context_get_state (self->analysis)))
    loom_bottleneck_marks_update (self);
}

LoomBottleneckMarks *
loom_bottleneck_marks_new (LoomAnalysisContext *analysis)
{
  LoomBottleneckMarks *self = g_new0 (LoomBottleneckMarks, 1);
  self->analysis = g_object_ref (analysis);
  g_signal_connect_swapped (analysis, "range-changed", G_CALLBACK (asked_anew), self);
  return self;
}

void
loom_bottleneck_marks_free (LoomBottleneckMarks *self)
{
  stop (self);
  g_signal_handlers_disconnect_by_data (self->analysis, self);
  g_object_unref (self->analysis);
  g_free (self);
}

void
loom_bottleneck_marks_set_wanted (LoomBottleneckMarks *self, gboolean wanted)
{
  if (self->wanted == wanted)
    return;
  self->wanted = wanted;
  loom_bottleneck_marks_update (self);
}
