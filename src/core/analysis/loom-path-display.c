/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-path-display.h: a worker thread computes the critical path, which is passed to the timeline view.
 */
#include "loom-path-display.h"

#include <glib/gi18n.h>

struct _LoomPathDisplay {
  GObject parent;
  LoomAnalysisContext *analysis;
  LoomDebouncedTask task;
  gboolean shown;
  const char *missing;
  /* The timeline whose path was computed or is being computed; owned. NULL if no path was requested. */
  LoomTimeline *timeline;
  LoomRange range; /* time range for which the path was computed or is being computed */
};

G_DEFINE_FINAL_TYPE (LoomPathDisplay, loom_path_display, G_TYPE_OBJECT)

enum { PROP_0, PROP_SHOWN, PROP_MISSING, N_PROPS };
static GParamSpec *properties[N_PROPS];

typedef struct {
  LoomTimeline *timeline;
  LoomRange range;
  /* static text that says why there is no path; set by the worker thread; NULL if there is a path */
  const char *missing;
} Question;

static void
question_free (Question *question)
{
  loom_timeline_unref (question->timeline);
  g_free (question);
}

static gpointer
compute (Question *question, GCancellable *cancellable, GError **error)
{
  return loom_path_overlay_new_of_range (question->timeline, question->range, cancellable, &question->missing);
}

static LoomTimelineState *
view_of (LoomPathDisplay *self)
{
  return loom_analysis_context_get_state (self->analysis);
}

static void
set_missing (LoomPathDisplay *self, const char *missing)
{
  if (self->missing == missing)
    return;
  self->missing = missing;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MISSING]);
}

static void
computed (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  LoomPathDisplay *self = owner;
  g_autoptr (LoomPathOverlay) path = result;
  const Question *question = data;
  loom_timeline_state_set_path (view_of (self), path);
  set_missing (self, question->missing != NULL ? question->missing : "");
}

static void
start (LoomDebouncedTask *task, gpointer owner)
{
  LoomPathDisplay *self = owner;
  static const LoomWorkerKind kind = { (LoomWorkerFunc) compute, (GDestroyNotify) question_free,
                                       (GDestroyNotify) loom_path_overlay_unref };
  loom_debounced_task_run (task, &kind,
                           LOOM_WORKER_INPUT (Question, loom_timeline_ref (self->timeline), self->range, NULL));
}

static void
show_work (gboolean working, gpointer owner)
{
}

static void
forget (LoomPathDisplay *self)
{
  loom_debounced_task_stop (&self->task);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  loom_timeline_state_set_path (view_of (self), NULL);
  set_missing (self, "");
}

/* Returns a sentence that says why the range of the analysis is empty; "" while a worker thread looks for the
 * training loop. */
static const char *
say_why_empty (LoomPathDisplay *self)
{
  LoomRange range;
  LoomRangeScope scope = loom_analysis_context_get_scope (self->analysis);
  if (scope != LOOM_RANGE_SCOPE_LOOP)
    return _ ("Nothing is selected. Drag over the timeline to select a range.");
  return loom_analysis_context_get_range (self->analysis, scope, &range)
           ? _ ("There are no training steps, so the bounds of the training loop are unknown.")
           : "";
}

/* Called on "range-changed". Computes the path if the timeline or the range is new. The signal is also emitted for
 * new thresholds and names, but the path does not depend on them. */
static void
update (LoomPathDisplay *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (view_of (self));
  LoomRange range = loom_analysis_context_get_asked_range (self->analysis);
  if (!self->shown || timeline == NULL) {
    forget (self);
    return;
  }
  if (range.end_ns <= range.begin_ns) {
    forget (self);
    set_missing (self, say_why_empty (self));
    return;
  }
  if (timeline == self->timeline && range.begin_ns == self->range.begin_ns && range.end_ns == self->range.end_ns)
    return;
  if (self->timeline == NULL)
    set_missing (self, ""); /* remove the message that the range is empty, because this message may still be shown */
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  self->timeline = loom_timeline_ref (timeline);
  self->range = range;
  loom_debounced_task_ask (&self->task);
}

static void
dispose (GObject *object)
{
  LoomPathDisplay *self = LOOM_PATH_DISPLAY (object);
  loom_debounced_task_stop (&self->task);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  g_clear_object (&self->analysis);
  G_OBJECT_CLASS (loom_path_display_parent_class)->dispose (object);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  LoomPathDisplay *self = LOOM_PATH_DISPLAY (object);
  if (id == PROP_SHOWN)
    g_value_set_boolean (value, self->shown);
  else
    g_value_set_string (value, self->missing);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  loom_path_display_set_shown (LOOM_PATH_DISPLAY (object), g_value_get_boolean (value));
}

static void
loom_path_display_class_init (LoomPathDisplayClass *klass)
{
  const GParamFlags flags = G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  G_OBJECT_CLASS (klass)->set_property = set_property;
  properties[PROP_SHOWN] = g_param_spec_boolean ("shown", NULL, NULL, FALSE, G_PARAM_READWRITE | flags);
  properties[PROP_MISSING] = g_param_spec_string ("missing", NULL, NULL, "", G_PARAM_READABLE | flags);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
}

static void
loom_path_display_init (LoomPathDisplay *self)
{
  self->missing = "";
  loom_debounced_task_init (&self->task, start, computed, show_work, self);
}

LoomPathDisplay *
loom_path_display_new (LoomAnalysisContext *analysis)
{
  g_return_val_if_fail (LOOM_IS_ANALYSIS_CONTEXT (analysis), NULL);
  LoomPathDisplay *self = g_object_new (LOOM_TYPE_PATH_DISPLAY, NULL);
  self->analysis = g_object_ref (analysis);
  g_signal_connect_object (analysis, "range-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (analysis, "loop-found", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return self;
}

void
loom_path_display_set_shown (LoomPathDisplay *self, gboolean shown)
{
  g_return_if_fail (LOOM_IS_PATH_DISPLAY (self));
  if (self->shown == shown)
    return;
  self->shown = shown;
  update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOWN]);
}

gboolean
loom_path_display_get_shown (LoomPathDisplay *self)
{
  return self->shown;
}

const char *
loom_path_display_get_missing (LoomPathDisplay *self)
{
  return self->missing;
}

gboolean
loom_path_display_is_working (LoomPathDisplay *self)
{
  return loom_debounced_task_is_open (&self->task);
}
