/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-view-state.h"

#include "loom-finding-marks.h"
#include "loom-hits.h"
#include "loom-pointer.h"
#include "loom-selected.h"
#include "loom-time-marks.h"

struct _LoomViewState {
  GObject parent;
  LoomTimeline *timeline;
  LoomOutline *outline;
  GHashTable *sources; /* paths of what is isolated; NULL: all */
  LoomRange extent;
  LoomViewport viewport;
  gboolean fitted;
  gboolean has_size;
  guint n_moves; /* wraps around */

  LoomSelected selected;
  LoomPointer pointer;
  char *counter; /* key; NULL: none yet */

  GArray *marks; /* LoomTimeMark */
  LoomHits hits;
  LoomFindingMarks *finding_marks;
  LoomOverview *overview;
  LoomSteps *steps;
  LoomCollectives *collectives;
  LoomReading reading;
  LoomSpanLook look;
};

G_DEFINE_FINAL_TYPE (LoomViewState, loom_view_state, G_TYPE_OBJECT)

enum { VIEW_CHANGED, ROWS_CHANGED, SELECTION_CHANGED, OVERLAY_CHANGED, FACTS_CHANGED, TIMELINE_CHANGED, COUNTER_CHANGED, RANGE_MADE, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
emit (LoomViewState *self, guint signal)
{
  g_signal_emit (self, signals[signal], 0);
}

static void
finalize (GObject *object)
{
  LoomViewState *self = LOOM_VIEW_STATE (object);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  loom_outline_free (self->outline);
  g_clear_pointer (&self->sources, g_hash_table_unref);
  g_free (self->counter);
  loom_selected_clear (&self->selected);
  g_array_unref (self->marks);
  loom_hits_take (&self->hits, NULL, NULL);
  loom_finding_marks_free (self->finding_marks);
  g_clear_pointer (&self->overview, loom_overview_unref);
  g_clear_pointer (&self->steps, loom_steps_unref);
  g_clear_pointer (&self->collectives, loom_collectives_unref);
  G_OBJECT_CLASS (loom_view_state_parent_class)->finalize (object);
}

static guint
new_signal (const char *name)
{
  return g_signal_new (name, LOOM_TYPE_VIEW_STATE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_view_state_class_init (LoomViewStateClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[VIEW_CHANGED] = new_signal ("view-changed");
  signals[ROWS_CHANGED] = new_signal ("rows-changed");
  signals[SELECTION_CHANGED] = new_signal ("selection-changed");
  signals[OVERLAY_CHANGED] = new_signal ("overlay-changed");
  signals[FACTS_CHANGED] = new_signal ("facts-changed");
  signals[TIMELINE_CHANGED] = new_signal ("timeline-changed");
  signals[COUNTER_CHANGED] = new_signal ("counter-changed");
  signals[RANGE_MADE] = new_signal ("range-made");
}

static void
loom_view_state_init (LoomViewState *self)
{
  self->outline = loom_outline_new ();
  loom_selected_init (&self->selected);
  self->marks = g_array_new (FALSE, FALSE, sizeof (LoomTimeMark));
  self->extent = (LoomRange) { 0, LOOM_NS_PER_S };
  self->pointer = (LoomPointer) LOOM_POINTER_INIT;
  self->finding_marks = loom_finding_marks_new ();
  self->fitted = TRUE;
  loom_viewport_init (&self->viewport, self->extent, 1, 1);
}

LoomViewState *
loom_view_state_new (void)
{
  return g_object_new (LOOM_TYPE_VIEW_STATE, NULL);
}

static void
update_selected (LoomViewState *self)
{
  loom_selected_update (&self->selected, self->timeline, self->collectives);
}

static gboolean
view_is_inside (LoomViewState *self)
{
  return self->viewport.end_ns > self->extent.begin_ns && self->viewport.begin_ns < self->extent.end_ns;
}

static void
update_extent (LoomViewState *self)
{
  if (self->timeline == NULL || !loom_timeline_get_extent (self->timeline, &self->extent))
    self->extent = (LoomRange) { 0, LOOM_NS_PER_S };
  if (self->fitted || !view_is_inside (self)) {
    loom_viewport_fit (&self->viewport, self->extent);
    self->fitted = TRUE;
  }
}

static void
clamp_scroll (LoomViewState *self)
{
  loom_viewport_scroll (&self->viewport, loom_outline_get_height (self->outline),
                        loom_outline_get_pinned_height (self->outline), 0);
}

void
loom_view_state_set_timeline (LoomViewState *self, LoomTimeline *timeline)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self));
  loom_selected_follow (&self->selected, self->timeline, timeline);
  if (timeline != NULL)
    loom_timeline_ref (timeline);
  else {
    g_array_set_size (self->marks, 0);
    self->fitted = TRUE;
  }
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  self->timeline = timeline;
  loom_pointer_leave_row (&self->pointer);
  loom_hits_take (&self->hits, NULL, NULL);
  loom_finding_marks_set_times (self->finding_marks, NULL, 0);
  loom_finding_marks_set_bottlenecks (self->finding_marks, NULL, 0);
  loom_finding_marks_set_stretches (self->finding_marks, NULL, 0);
  if (timeline == NULL)
    loom_view_state_set_facts (self, NULL, NULL, NULL);
  loom_outline_set_timeline (self->outline, timeline);
  update_extent (self);
  clamp_scroll (self);
  update_selected (self);
  emit (self, TIMELINE_CHANGED);
  emit (self, ROWS_CHANGED);
  emit (self, VIEW_CHANGED);
  emit (self, SELECTION_CHANGED);
}

LoomTimeline *
loom_view_state_get_timeline (LoomViewState *self)
{
  return self->timeline;
}

LoomOutline *
loom_view_state_get_outline (LoomViewState *self)
{
  return self->outline;
}

void
loom_view_state_rows_changed (LoomViewState *self)
{
  self->pointer.row = G_MAXUINT;
  clamp_scroll (self);
  emit (self, ROWS_CHANGED);
}

void
loom_view_state_show_sources (LoomViewState *self, const char *const *paths)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self));
  g_clear_pointer (&self->sources, g_hash_table_unref);
  if (paths != NULL)
    self->sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    g_hash_table_add (self->sources, g_strdup (paths[i]));
  loom_outline_set_sources (self->outline, paths);
  loom_view_state_rows_changed (self);
}

gboolean
loom_view_state_shows_all (LoomViewState *self)
{
  return self->sources == NULL;
}

gboolean
loom_view_state_shows_track (LoomViewState *self, LoomTrackId id)
{
  if (self->sources == NULL)
    return TRUE;
  LoomRun *run = loom_timeline_get_run (self->timeline);
  const LoomTrack *track = loom_trace_get_track (loom_run_get_trace (run, id.trace), id.track);
  const LoomSource *source = loom_run_get_source (run, loom_run_get_first_source (run, id.trace) + track->source);
  return g_hash_table_contains (self->sources, source->path);
}

LoomRange
loom_view_state_get_extent (LoomViewState *self)
{
  return self->extent;
}

const LoomViewport *
loom_view_state_get_viewport (LoomViewState *self)
{
  return &self->viewport;
}

void
loom_view_state_set_viewport (LoomViewState *self, const LoomViewport *viewport)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self) && viewport->end_ns > viewport->begin_ns);
  LoomViewport old = self->viewport;
  self->viewport = *viewport;
  self->viewport.width_px = old.width_px;
  self->viewport.height_px = old.height_px;
  clamp_scroll (self);
  if (loom_viewport_equal (&old, &self->viewport))
    return;
  self->n_moves++;
  LoomViewport all = loom_view_state_fitted (self);
  self->fitted = self->viewport.begin_ns == all.begin_ns && self->viewport.end_ns == all.end_ns;
  emit (self, VIEW_CHANGED);
}

guint
loom_view_state_get_n_moves (LoomViewState *self)
{
  g_return_val_if_fail (LOOM_IS_VIEW_STATE (self), 0);
  return self->n_moves;
}

void
loom_view_state_set_size (LoomViewState *self, double width_px, double height_px)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self));
  width_px = MAX (width_px, 1);
  height_px = MAX (height_px, 1);
  if (self->viewport.width_px == width_px && self->viewport.height_px == height_px)
    return;
  if (self->has_size)
    loom_viewport_resize (&self->viewport, self->extent, width_px, height_px);
  self->viewport.width_px = width_px; /* the first size leaves the range as it was set */
  self->viewport.height_px = height_px;
  self->has_size = TRUE;
  if (self->fitted)
    loom_viewport_fit (&self->viewport, self->extent);
  clamp_scroll (self);
  emit (self, VIEW_CHANGED);
}

LoomViewport
loom_view_state_fitted (LoomViewState *self)
{
  LoomViewport all = self->viewport;
  loom_viewport_fit (&all, self->extent);
  return all;
}

gboolean
loom_view_state_is_fitted (LoomViewState *self)
{
  return self->fitted;
}

/* What was shown of a panel is over with another selection. */
static void
unmark (LoomViewState *self)
{
  gboolean rows = loom_finding_marks_set_rows (self->finding_marks, NULL);
  if (loom_finding_marks_set_stretches (self->finding_marks, NULL, 0) || rows)
    loom_view_state_finding_marks_changed (self);
}

void
loom_view_state_select_span (LoomViewState *self, LoomSpanId span, gboolean add)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self) && self->timeline != NULL && !loom_span_id_is_none (span));
  unmark (self);
  loom_selected_toggle (&self->selected, span, !add);
  update_selected (self);
  emit (self, SELECTION_CHANGED);
}

void
loom_view_state_take_selected (LoomViewState *self, GArray *spans, guint64 n_wanted)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self) && spans != NULL && n_wanted >= spans->len);
  unmark (self);
  loom_selected_take (&self->selected, spans, n_wanted);
  update_selected (self);
  emit (self, SELECTION_CHANGED);
}

guint64
loom_view_state_get_n_wanted (LoomViewState *self)
{
  g_return_val_if_fail (LOOM_IS_VIEW_STATE (self), 0);
  return self->selected.spans->len + self->selected.n_left_out;
}

void
loom_view_state_select_range (LoomViewState *self, LoomRange range)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self));
  unmark (self);
  loom_selected_set_range (&self->selected, range);
  update_selected (self);
  emit (self, SELECTION_CHANGED);
}

void
loom_view_state_make_range (LoomViewState *self, LoomRange range)
{
  loom_view_state_select_range (self, range);
  if (range.end_ns > range.begin_ns)
    emit (self, RANGE_MADE);
}

void
loom_view_state_select_nothing (LoomViewState *self)
{
  if (!loom_selected_is_empty (&self->selected) || loom_finding_marks_get_n_stretches (self->finding_marks) > 0)
    loom_view_state_select_range (self, (LoomRange) { 0, 0 });
}

const LoomSpanId *
loom_view_state_get_selected (LoomViewState *self, guint *n)
{
  *n = self->selected.spans->len;
  return (const LoomSpanId *) (gpointer) self->selected.spans->data;
}

LoomSpanId
loom_view_state_get_lead (LoomViewState *self)
{
  return loom_selected_get_lead (&self->selected);
}

LoomRange
loom_view_state_get_range (LoomViewState *self)
{
  return self->selected.range;
}

gboolean
loom_view_state_get_selected_range (LoomViewState *self, LoomRange *range)
{
  return loom_selected_get_range (&self->selected, self->timeline, range);
}

void
loom_view_state_set_cursor (LoomViewState *self, gint64 time_ns)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self));
  loom_pointer_set_cursor (&self->pointer, time_ns);
  emit (self, OVERLAY_CHANGED);
}

gboolean
loom_view_state_has_cursor (LoomViewState *self)
{
  g_return_val_if_fail (LOOM_IS_VIEW_STATE (self), FALSE);
  return self->pointer.is_cursor;
}

void
loom_view_state_set_timing (LoomViewState *self, gboolean timing)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self));
  self->pointer.timing = timing;
  emit (self, OVERLAY_CHANGED);
}

gboolean
loom_view_state_is_reading (LoomViewState *self)
{
  return loom_pointer_is_reading (&self->pointer);
}

void
loom_view_state_set_pointer (LoomViewState *self, gint64 time_ns, guint row, LoomSpanId span)
{
  if (!loom_pointer_move (&self->pointer, time_ns, row, span))
    return;
  if (row != G_MAXUINT && loom_outline_get_row (self->outline, row)->kind == LOOM_ROW_COUNTER)
    loom_view_state_set_counter (self, loom_outline_get_row (self->outline, row)->key);
  emit (self, OVERLAY_CHANGED);
}

void
loom_view_state_set_counter (LoomViewState *self, const char *key)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self) && key != NULL);
  if (g_strcmp0 (self->counter, key) == 0)
    return;
  g_free (self->counter);
  self->counter = g_strdup (key);
  emit (self, COUNTER_CHANGED);
}

const char *
loom_view_state_get_counter (LoomViewState *self)
{
  g_return_val_if_fail (LOOM_IS_VIEW_STATE (self), NULL);
  if (self->counter != NULL && loom_outline_find (self->outline, self->counter) != G_MAXUINT)
    return self->counter;
  return loom_outline_get_first_counter (self->outline);
}

gint64
loom_view_state_get_pointer_ns (LoomViewState *self)
{
  return self->pointer.time_ns;
}

guint
loom_view_state_get_pointer_row (LoomViewState *self)
{
  return self->pointer.row;
}

LoomSpanId
loom_view_state_get_pointer_span (LoomViewState *self)
{
  return self->pointer.span;
}

void
loom_view_state_toggle_mark (LoomViewState *self, gint64 time_ns, gboolean temporary)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self) && time_ns != LOOM_TIME_NONE);
  loom_time_marks_toggle (self->marks, time_ns, temporary);
  emit (self, OVERLAY_CHANGED);
}

void
loom_view_state_toggle_marks_of_range (LoomViewState *self, LoomRange range, gboolean temporary)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self));
  loom_time_marks_toggle_ends (self->marks, range, temporary);
  emit (self, OVERLAY_CHANGED);
}

void
loom_view_state_add_mark (LoomViewState *self, gint64 time_ns, const char *label)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self) && time_ns != LOOM_TIME_NONE);
  if (loom_time_marks_add (self->marks, time_ns, label))
    emit (self, OVERLAY_CHANGED);
}

gboolean
loom_view_state_remove_marks (LoomViewState *self, LoomRange range)
{
  gboolean removed = loom_time_marks_remove (self->marks, range);
  if (removed)
    emit (self, OVERLAY_CHANGED);
  return removed;
}

void
loom_view_state_set_mark_label (LoomViewState *self, gint64 time_ns, const char *label)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self));
  if (loom_time_marks_set_label (self->marks, time_ns, label))
    emit (self, OVERLAY_CHANGED);
}

const LoomTimeMark *
loom_view_state_find_mark (LoomViewState *self, gint64 time_ns, gint64 within_ns)
{
  return loom_time_marks_nearest (self->marks, time_ns, within_ns);
}

const LoomTimeMark *
loom_view_state_get_marks (LoomViewState *self, guint *n)
{
  *n = self->marks->len;
  return (const LoomTimeMark *) (gpointer) self->marks->data;
}

void
loom_view_state_take_hits (LoomViewState *self, GArray *hits, GArray *times_ns)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self));
  loom_hits_take (&self->hits, hits, times_ns);
  emit (self, FACTS_CHANGED);
  if (loom_hits_filter (&self->hits, self->timeline, self->outline))
    loom_view_state_rows_changed (self);
}

void
loom_view_state_set_only_hits (LoomViewState *self, gboolean only)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self));
  self->hits.only = only;
  if (loom_hits_filter (&self->hits, self->timeline, self->outline))
    loom_view_state_rows_changed (self);
}

LoomFindingMarks *
loom_view_state_get_finding_marks (LoomViewState *self)
{
  return self->finding_marks;
}

void
loom_view_state_finding_marks_changed (LoomViewState *self)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self));
  emit (self, OVERLAY_CHANGED);
  emit (self, FACTS_CHANGED);
}

const LoomSpanId *
loom_view_state_get_hits (LoomViewState *self, gsize *n)
{
  const GArray *spans = self->hits.spans;
  *n = spans != NULL ? spans->len : 0;
  return spans != NULL ? (const LoomSpanId *) (gpointer) spans->data : NULL;
}

void
loom_view_state_set_facts (LoomViewState *self, LoomOverview *overview, LoomSteps *steps, LoomCollectives *collectives)
{
  g_return_if_fail (LOOM_IS_VIEW_STATE (self));
  g_autoptr (LoomOverview) old_overview = self->overview; /* may be the same */
  g_autoptr (LoomSteps) old_steps = self->steps;
  g_autoptr (LoomCollectives) old_collectives = self->collectives;
  self->overview = overview != NULL ? loom_overview_ref (overview) : NULL;
  self->steps = steps != NULL ? loom_steps_ref (steps) : NULL;
  self->collectives = collectives != NULL ? loom_collectives_ref (collectives) : NULL;
  update_selected (self);
  emit (self, FACTS_CHANGED);
}

LoomOverview *
loom_view_state_get_overview (LoomViewState *self)
{
  return self->overview;
}

LoomSteps *
loom_view_state_get_steps (LoomViewState *self)
{
  return self->steps;
}

LoomCollectives *
loom_view_state_get_collectives (LoomViewState *self)
{
  return self->collectives;
}

void
loom_view_state_set_reading (LoomViewState *self, LoomReading reading)
{
  self->reading = reading;
  emit (self, FACTS_CHANGED);
}

LoomReading
loom_view_state_get_reading (LoomViewState *self)
{
  return self->reading;
}

void
loom_view_state_set_look (LoomViewState *self, LoomSpanLook look)
{
  self->look = look;
  emit (self, ROWS_CHANGED);
}

LoomSpanLook
loom_view_state_get_look (LoomViewState *self)
{
  return self->look;
}

void
loom_view_state_fill_options (LoomViewState *self, LoomPaintOptions *options)
{
  loom_selected_fill_options (&self->selected, options);
  options->marks = loom_view_state_get_marks (self, &options->n_marks);
  loom_pointer_fill_options (&self->pointer, options);
  options->collectives = loom_collectives_belong_to (self->collectives, self->timeline) ? self->collectives : NULL;
  loom_finding_marks_fill_options (self->finding_marks, self->outline, options);
  loom_hits_fill_options (&self->hits, options);
}
