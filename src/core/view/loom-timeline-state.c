/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-timeline-state.h: changes the parts of the state, and emits the signals about the changes.
 */
#include "loom-timeline-state.h"

#include "loom-markers.h"
#include "loom-search-hits.h"
#include "loom-selection.h"
#include "loom-shown-sources.h"
#include "loom-span-set.h"
#include "loom-timeline-annotations.h"
#include "loom-timeline-viewport.h"

struct _LoomTimelineState {
  GObject parent;
  LoomTimeline *timeline;
  LoomRowList *outline;
  GHashTable *sources; /* set of the paths of the shown sources (loom-shown-sources.h); NULL: all sources are shown */
  LoomTimelineViewport view;
  gboolean is_dragging; /* TRUE while "selection-changed" is emitted for a range that the user still drags */
  LoomSelection selected;
  LoomCursor pointer;
  LoomHoveredPlace *hovered;
  char *counter; /* key of the row of the current counter; NULL: no row was set yet */
  GArray *marks; /* LoomMarker: the user's marks, ascending */
  LoomSearchHits hits;
  LoomTimelineAnnotations *finding_marks;
  LoomMinimapData *overview;
  LoomSteps *steps;
  LoomCollectives *collectives;
  LoomDataWaits *data_waits;
  LoomLaneShares *lane_shares;
  LoomPathOverlay *path;
  LoomRulerUnit reading;
  LoomSpanColorMode look;
};

G_DEFINE_FINAL_TYPE (LoomTimelineState, loom_timeline_state, G_TYPE_OBJECT)

enum {
  VIEW_CHANGED,
  ROWS_CHANGED,
  SELECTION_CHANGED,
  OVERLAY_CHANGED,
  FACTS_CHANGED,
  TIMELINE_CHANGED,
  COUNTER_CHANGED,
  RANGE_MADE,
  FILTER_SET,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static void
emit (LoomTimelineState *self, guint signal)
{
  g_signal_emit (self, signals[signal], 0);
}

static void
finalize (GObject *object)
{
  LoomTimelineState *self = LOOM_TIMELINE_STATE (object);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  loom_row_list_free (self->outline);
  g_clear_pointer (&self->sources, g_hash_table_unref);
  g_object_unref (self->hovered);
  g_free (self->counter);
  loom_selection_clear (&self->selected);
  g_array_unref (self->marks);
  loom_search_hits_take (&self->hits, NULL, NULL);
  loom_timeline_annotations_free (self->finding_marks);
  g_clear_pointer (&self->overview, loom_minimap_data_unref);
  g_clear_pointer (&self->steps, loom_steps_unref);
  g_clear_pointer (&self->collectives, loom_collectives_unref);
  g_clear_pointer (&self->data_waits, loom_data_waits_free);
  g_clear_pointer (&self->lane_shares, loom_lane_shares_free);
  g_clear_pointer (&self->path, loom_path_overlay_unref);
  G_OBJECT_CLASS (loom_timeline_state_parent_class)->finalize (object);
}

static void
loom_timeline_state_class_init (LoomTimelineStateClass *klass)
{
  static const char *const names[N_SIGNALS] = {
    [VIEW_CHANGED] = "view-changed",       [ROWS_CHANGED] = "rows-changed",   [SELECTION_CHANGED] = "selection-changed",
    [OVERLAY_CHANGED] = "overlay-changed", [FACTS_CHANGED] = "facts-changed", [TIMELINE_CHANGED] = "timeline-changed",
    [COUNTER_CHANGED] = "counter-changed", [RANGE_MADE] = "range-made",       [FILTER_SET] = "filter-set",
  };
  G_OBJECT_CLASS (klass)->finalize = finalize;
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] =
      g_signal_new (names[i], LOOM_TYPE_TIMELINE_STATE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_timeline_state_init (LoomTimelineState *self)
{
  self->outline = loom_row_list_new ();
  loom_selection_init (&self->selected);
  self->marks = g_array_new (FALSE, FALSE, sizeof (LoomMarker));
  self->pointer = (LoomCursor) LOOM_CURSOR_INIT;
  self->hovered = loom_hovered_place_new ();
  self->finding_marks = loom_timeline_annotations_new ();
  loom_timeline_viewport_init (&self->view);
}

LoomTimelineState *
loom_timeline_state_new (void)
{
  return g_object_new (LOOM_TYPE_TIMELINE_STATE, NULL);
}

static void
update_selected (LoomTimelineState *self)
{
  loom_selection_update (&self->selected, self->timeline, self->collectives);
}

void
loom_timeline_state_set_timeline (LoomTimelineState *self, LoomTimeline *timeline)
{
  g_autoptr (LoomTimeline) old = self->timeline;
  loom_selection_follow (&self->selected, old, timeline);
  self->timeline = timeline != NULL ? loom_timeline_ref (timeline) : NULL;
  loom_cursor_leave_row (&self->pointer);
  loom_hovered_place_clear (self->hovered, NULL);
  loom_search_hits_take (&self->hits, NULL, NULL);
  loom_timeline_annotations_set_findings (self->finding_marks, NULL, 0, NULL);
  loom_timeline_annotations_set_bottlenecks (self->finding_marks, NULL, 0);
  loom_timeline_annotations_set_stretches (self->finding_marks, NULL, 0);
  loom_timeline_annotations_set_late_ranks (self->finding_marks, NULL, 0);
  loom_row_list_set_late (self->outline, NULL, 0);
  if (timeline == NULL) {
    g_array_set_size (self->marks, 0);
    self->view.unmoved = TRUE;
    g_clear_pointer (&self->data_waits, loom_data_waits_free);
    g_clear_pointer (&self->lane_shares, loom_lane_shares_free);
    loom_timeline_state_set_facts (self, NULL, NULL, NULL);
  }
  loom_row_list_set_timeline (self->outline, timeline);
  loom_timeline_viewport_set_extent (&self->view, timeline, NULL);
  loom_timeline_viewport_clamp_scroll (&self->view, self->outline);
  update_selected (self);
  emit (self, TIMELINE_CHANGED);
  emit (self, ROWS_CHANGED);
  emit (self, VIEW_CHANGED);
  emit (self, SELECTION_CHANGED);
}

LoomTimeline *
loom_timeline_state_get_timeline (LoomTimelineState *self)
{
  return self->timeline;
}

LoomRowList *
loom_timeline_state_get_row_list (LoomTimelineState *self)
{
  return self->outline;
}

void
loom_timeline_state_rows_changed (LoomTimelineState *self)
{
  self->pointer.row = G_MAXUINT;
  loom_timeline_viewport_clamp_scroll (&self->view, self->outline);
  emit (self, ROWS_CHANGED);
}

/* --- details ------------------------------------------------------------------------------------------------------ */

/* A position in the rows that is restored after row heights have changed. `key`: key of the first visible row below the
 * pinned rows; NULL if there is no such row. `above_px`: distance in px by which the view is scrolled beyond the top of
 * this row. */
typedef struct {
  char *key;
  double above_px;
} Anchor;

static double
get_top (LoomTimelineState *self)
{
  return self->view.viewport.scroll_px + loom_row_list_get_cover (self->outline, self->view.viewport.scroll_px) -
         loom_row_list_get_pinned_height (self->outline);
}

static Anchor
find_anchor (LoomTimelineState *self)
{
  guint row = loom_row_list_first_below (self->outline, get_top (self));
  if (row >= loom_row_list_get_n_rows (self->outline))
    return (Anchor) { NULL, 0 };
  const LoomTimelineRow *top = loom_row_list_get_row (self->outline, row);
  return (Anchor) { g_strdup (top->key), self->view.viewport.scroll_px - top->y };
}

/* Must be called after the heights of rows changed. Scrolls the view so that the row of the anchor is where it was
 * before, and forgets the row under the pointer. */
static void
keep_anchor (LoomTimelineState *self, Anchor *anchor)
{
  guint row = anchor->key != NULL ? loom_row_list_find (self->outline, anchor->key) : G_MAXUINT;
  double old_px = self->view.viewport.scroll_px;
  if (row != G_MAXUINT && row >= loom_row_list_get_n_pinned (self->outline))
    self->view.viewport.scroll_px = loom_row_list_get_row (self->outline, row)->y + anchor->above_px;
  g_free (anchor->key);
  loom_cursor_leave_row (&self->pointer);
  loom_hovered_place_clear (self->hovered, NULL);
  loom_timeline_state_rows_changed (self);
  if (self->view.viewport.scroll_px != old_px)
    emit (self, VIEW_CHANGED);
}

void
loom_timeline_state_add_detail (LoomTimelineState *self, guint detail, LoomRange range)
{
  Anchor anchor = find_anchor (self);
  loom_row_list_add_detail (self->outline, detail, range);
  keep_anchor (self, &anchor);
}

void
loom_timeline_state_remove_detail (LoomTimelineState *self, guint detail)
{
  Anchor anchor = find_anchor (self);
  loom_row_list_remove_detail (self->outline, detail);
  keep_anchor (self, &anchor);
}

void
loom_timeline_state_follow_detail (LoomTimelineState *self, guint from, guint to)
{
  if (!loom_timeline_state_selects_trace (self, from) ||
      !loom_span_set_follow_detail (self->selected.spans, loom_timeline_get_run (self->timeline), from, to))
    return;
  update_selected (self);
  emit (self, SELECTION_CHANGED);
}

gboolean
loom_timeline_state_selects_trace (LoomTimelineState *self, guint trace)
{
  const GArray *sorted = self->selected.outlined;
  guint at = loom_span_set_lower_bound (sorted, (LoomSpanId) { trace, 0 });
  return at < sorted->len && g_array_index (sorted, LoomSpanId, at).trace == trace;
}

void
loom_timeline_state_set_note (LoomTimelineState *self, guint trace, LoomRowNote note)
{
  if (loom_row_list_set_note (self->outline, trace, note))
    loom_timeline_state_rows_changed (self);
}

void
loom_timeline_state_set_row_filter (LoomTimelineState *self, const char *text)
{
  g_return_if_fail (LOOM_IS_TIMELINE_STATE (self) && text != NULL);
  /* copies `text`, because it may belong to the row list, which frees its text when another filter is set */
  g_autofree char *copy = g_strdup (text);
  loom_row_list_set_filter (self->outline, copy);
  emit (self, FILTER_SET);
  loom_timeline_state_rows_changed (self);
}

void
loom_timeline_state_show_sources (LoomTimelineState *self, const char *const *paths)
{
  g_clear_pointer (&self->sources, g_hash_table_unref);
  self->sources = loom_shown_sources_new (paths);
  loom_row_list_set_sources (self->outline, paths);
  loom_timeline_state_rows_changed (self);
}

gboolean
loom_timeline_state_shows_all (LoomTimelineState *self)
{
  return self->sources == NULL;
}

gboolean
loom_timeline_state_shows_track (LoomTimelineState *self, LoomTrackId id)
{
  return loom_shown_sources_have_track (self->sources, self->timeline, id);
}

LoomRange
loom_timeline_state_get_extent (LoomTimelineState *self)
{
  return self->view.extent;
}

void
loom_timeline_state_set_extent (LoomTimelineState *self, LoomRange extent)
{
  loom_timeline_viewport_set_extent (&self->view, self->timeline, &extent);
  emit (self, VIEW_CHANGED);
}

const LoomViewport *
loom_timeline_state_get_viewport (LoomTimelineState *self)
{
  return &self->view.viewport;
}

void
loom_timeline_state_set_viewport (LoomTimelineState *self, const LoomViewport *viewport)
{
  g_return_if_fail (LOOM_IS_TIMELINE_STATE (self) && viewport->end_ns > viewport->begin_ns);
  if (loom_timeline_viewport_move (&self->view, self->outline, viewport))
    emit (self, VIEW_CHANGED);
}

guint
loom_timeline_state_get_n_moves (LoomTimelineState *self)
{
  return self->view.n_moves;
}

/* Returns TRUE if something is selected, and only the height of the track area decreases: the panel with the details of
 * the selection is appearing below the rows. The heights of lanes must not change then; otherwise rows would move away
 * from under the pointer. */
static gboolean
makes_room_for_details (LoomTimelineState *self, double width_px, double height_px)
{
  return self->view.has_size && self->view.viewport.width_px == width_px && height_px < self->view.viewport.height_px &&
         !loom_selection_is_empty (&self->selected);
}

void
loom_timeline_state_set_size (LoomTimelineState *self, double width_px, double height_px)
{
  width_px = MAX (width_px, 1);
  height_px = MAX (height_px, 1);
  if (self->view.viewport.width_px == width_px && self->view.viewport.height_px == height_px)
    return;
  gboolean details = makes_room_for_details (self, width_px, height_px);
  loom_timeline_viewport_resize (&self->view, width_px, height_px);
  /* lanes grow to fill the height of the track area */
  if (!details && loom_row_list_set_room (self->outline, height_px))
    loom_timeline_state_rows_changed (self);
  loom_timeline_viewport_clamp_scroll (&self->view, self->outline);
  emit (self, VIEW_CHANGED);
}

LoomViewport
loom_timeline_state_fitted (LoomTimelineState *self)
{
  return loom_timeline_viewport_get_fitted (&self->view);
}

gboolean
loom_timeline_state_is_fitted (LoomTimelineState *self)
{
  return self->view.fitted || self->view.unmoved;
}

gboolean
loom_timeline_state_is_as_opened (LoomTimelineState *self)
{
  const LoomRange *first = &self->view.first, *extent = &self->view.extent;
  return self->view.unmoved ||
         (self->view.fitted && first->begin_ns == extent->begin_ns && first->end_ns == extent->end_ns);
}

/* Removes the highlighting of the rows and ranges of a finding, because it is shown only until the selection
 * changes. */
static void
unmark (LoomTimelineState *self)
{
  gboolean rows = loom_timeline_annotations_set_rows (self->finding_marks, NULL);
  if (loom_timeline_annotations_set_stretches (self->finding_marks, NULL, 0) || rows)
    loom_timeline_state_finding_marks_changed (self);
}

void
loom_timeline_state_select_span (LoomTimelineState *self, LoomSpanId span, gboolean add)
{
  g_return_if_fail (LOOM_IS_TIMELINE_STATE (self) && self->timeline != NULL && !loom_timeline_span_id_is_none (span));
  unmark (self);
  loom_selection_toggle (&self->selected, span, !add);
  update_selected (self);
  emit (self, SELECTION_CHANGED);
}

void
loom_timeline_state_take_selected (LoomTimelineState *self, GArray *spans, guint64 n_wanted)
{
  g_return_if_fail (LOOM_IS_TIMELINE_STATE (self) && spans != NULL && n_wanted >= spans->len);
  unmark (self);
  loom_selection_take (&self->selected, spans, LOOM_SELECTED_MOST, n_wanted);
  update_selected (self);
  emit (self, SELECTION_CHANGED);
}

guint64
loom_timeline_state_get_n_wanted (LoomTimelineState *self)
{
  return self->selected.spans->len + self->selected.n_left_out;
}

void
loom_timeline_state_select_range (LoomTimelineState *self, LoomRange range)
{
  unmark (self);
  loom_selection_set_range (&self->selected, range);
  update_selected (self);
  emit (self, SELECTION_CHANGED);
}

void
loom_timeline_state_drag_range (LoomTimelineState *self, LoomRange range)
{
  self->is_dragging = TRUE;
  loom_timeline_state_select_range (self, range);
  self->is_dragging = FALSE;
}

gboolean
loom_timeline_state_is_dragging (LoomTimelineState *self)
{
  return self->is_dragging;
}

void
loom_timeline_state_make_range (LoomTimelineState *self, LoomRange range)
{
  loom_timeline_state_select_range (self, range);
  if (range.end_ns > range.begin_ns)
    emit (self, RANGE_MADE);
}

void
loom_timeline_state_select_nothing (LoomTimelineState *self)
{
  if (!loom_selection_is_empty (&self->selected) || loom_timeline_annotations_get_n_stretches (self->finding_marks) > 0)
    loom_timeline_state_select_range (self, (LoomRange) { 0, 0 });
}

const LoomSpanId *
loom_timeline_state_get_selected (LoomTimelineState *self, guint *n)
{
  *n = self->selected.spans->len;
  return (const LoomSpanId *) (gpointer) self->selected.spans->data;
}

gboolean
loom_timeline_state_is_selected (LoomTimelineState *self, LoomSpanId span)
{
  return loom_selection_has (&self->selected, span);
}

LoomSpanId
loom_timeline_state_get_lead (LoomTimelineState *self)
{
  return loom_selection_get_lead (&self->selected);
}

LoomRange
loom_timeline_state_get_range (LoomTimelineState *self)
{
  return self->selected.range;
}

gboolean
loom_timeline_state_get_selected_range (LoomTimelineState *self, LoomRange *range)
{
  return loom_selection_get_range (&self->selected, self->timeline, range);
}

void
loom_timeline_state_set_cursor (LoomTimelineState *self, gint64 time_ns)
{
  loom_cursor_set_cursor (&self->pointer, time_ns);
  emit (self, OVERLAY_CHANGED);
}

void
loom_timeline_state_set_timing (LoomTimelineState *self, gboolean timing)
{
  self->pointer.timing = timing;
  emit (self, OVERLAY_CHANGED);
}

LoomHoveredPlace *
loom_timeline_state_get_hovered_place (LoomTimelineState *self)
{
  return self->hovered;
}

void
loom_timeline_state_set_pointer (LoomTimelineState *self, gint64 time_ns, guint row, LoomSpanId span)
{
  if (!loom_cursor_move (&self->pointer, time_ns, row, span))
    return;
  const LoomTimelineRow *shown = row != G_MAXUINT ? loom_row_list_get_row (self->outline, row) : NULL;
  loom_hovered_place_set_pointer (self->hovered, time_ns, shown, span, self);
  if (shown != NULL && shown->kind == LOOM_ROW_COUNTER)
    loom_timeline_state_set_counter (self, shown->key);
  emit (self, OVERLAY_CHANGED);
}

void
loom_timeline_state_set_counter (LoomTimelineState *self, const char *key)
{
  g_return_if_fail (LOOM_IS_TIMELINE_STATE (self) && key != NULL);
  if (g_strcmp0 (self->counter, key) == 0)
    return;
  g_free (self->counter);
  self->counter = g_strdup (key);
  emit (self, COUNTER_CHANGED);
}

const char *
loom_timeline_state_get_counter (LoomTimelineState *self)
{
  if (self->counter != NULL && loom_row_list_find (self->outline, self->counter) != G_MAXUINT)
    return self->counter;
  return loom_row_list_get_first_counter (self->outline);
}

const LoomCursor *
loom_timeline_state_get_pointer (LoomTimelineState *self)
{
  return &self->pointer;
}

void
loom_timeline_state_toggle_mark (LoomTimelineState *self, gint64 time_ns, gboolean temporary)
{
  g_return_if_fail (LOOM_IS_TIMELINE_STATE (self) && time_ns != LOOM_TIME_NONE);
  loom_markers_toggle (self->marks, time_ns, temporary);
  emit (self, OVERLAY_CHANGED);
}

void
loom_timeline_state_toggle_marks_of_range (LoomTimelineState *self, LoomRange range, gboolean temporary)
{
  loom_markers_toggle_ends (self->marks, range, temporary);
  emit (self, OVERLAY_CHANGED);
}

void
loom_timeline_state_add_mark (LoomTimelineState *self, gint64 time_ns, const char *label)
{
  g_return_if_fail (LOOM_IS_TIMELINE_STATE (self) && time_ns != LOOM_TIME_NONE);
  if (loom_markers_add (self->marks, time_ns, label))
    emit (self, OVERLAY_CHANGED);
}

gboolean
loom_timeline_state_remove_marks (LoomTimelineState *self, LoomRange range)
{
  gboolean removed = loom_markers_remove (self->marks, range);
  if (removed)
    emit (self, OVERLAY_CHANGED);
  return removed;
}

void
loom_timeline_state_set_mark_label (LoomTimelineState *self, gint64 time_ns, const char *label)
{
  if (loom_markers_set_label (self->marks, time_ns, label))
    emit (self, OVERLAY_CHANGED);
}

const LoomMarker *
loom_timeline_state_find_mark (LoomTimelineState *self, gint64 time_ns, gint64 within_ns)
{
  return loom_markers_nearest (self->marks, time_ns, within_ns);
}

const LoomMarker *
loom_timeline_state_get_marks (LoomTimelineState *self, guint *n)
{
  *n = self->marks->len;
  return (const LoomMarker *) (gpointer) self->marks->data;
}

void
loom_timeline_state_take_hits (LoomTimelineState *self, GArray *hits, GArray *times_ns)
{
  loom_search_hits_take (&self->hits, hits, times_ns);
  emit (self, FACTS_CHANGED);
  if (loom_search_hits_filter (&self->hits, self->timeline, self->outline))
    loom_timeline_state_rows_changed (self);
}

void
loom_timeline_state_set_only_hits (LoomTimelineState *self, gboolean only)
{
  self->hits.only = only;
  if (loom_search_hits_filter (&self->hits, self->timeline, self->outline))
    loom_timeline_state_rows_changed (self);
}

LoomTimelineAnnotations *
loom_timeline_state_get_finding_marks (LoomTimelineState *self)
{
  return self->finding_marks;
}

void
loom_timeline_state_finding_marks_changed (LoomTimelineState *self)
{
  emit (self, OVERLAY_CHANGED);
  emit (self, FACTS_CHANGED);
}

void
loom_timeline_state_set_late_ranks (LoomTimelineState *self, const LoomRowLateness *late, guint n)
{
  loom_row_list_set_late (self->outline, late, n);
  loom_timeline_annotations_set_late_ranks (self->finding_marks, late, n);
  emit (self, ROWS_CHANGED);
  loom_timeline_state_finding_marks_changed (self);
}

const LoomSpanId *
loom_timeline_state_get_hits (LoomTimelineState *self, gsize *n)
{
  *n = self->hits.spans != NULL ? self->hits.spans->len : 0;
  return self->hits.spans != NULL ? (const LoomSpanId *) (gpointer) self->hits.spans->data : NULL;
}

void
loom_timeline_state_set_facts (LoomTimelineState *self, LoomMinimapData *overview, LoomSteps *steps,
                               LoomCollectives *collectives)
{
  /* frees the old overview last, because the new one may be the same object */
  g_autoptr (LoomMinimapData) old_overview = self->overview;
  g_autoptr (LoomSteps) old_steps = self->steps;
  g_autoptr (LoomCollectives) old_collectives = self->collectives;
  self->overview = overview != NULL ? loom_minimap_data_ref (overview) : NULL;
  self->steps = steps != NULL ? loom_steps_ref (steps) : NULL;
  self->collectives = collectives != NULL ? loom_collectives_ref (collectives) : NULL;
  update_selected (self);
  emit (self, FACTS_CHANGED);
}

LoomMinimapData *
loom_timeline_state_get_overview (LoomTimelineState *self)
{
  return self->overview;
}

LoomSteps *
loom_timeline_state_get_steps (LoomTimelineState *self)
{
  return self->steps;
}

LoomCollectives *
loom_timeline_state_get_collectives (LoomTimelineState *self)
{
  return self->collectives;
}

void
loom_timeline_state_take_data_waits (LoomTimelineState *self, LoomDataWaits *waits)
{
  g_autoptr (LoomDataWaits) old = self->data_waits;
  self->data_waits = waits;
  if ((old != NULL && old->n_ranks > 0) || (waits != NULL && waits->n_ranks > 0))
    emit (self, FACTS_CHANGED);
}

const LoomDataWaits *
loom_timeline_state_get_data_waits (LoomTimelineState *self)
{
  gboolean fits = self->data_waits != NULL && self->timeline != NULL &&
                  loom_timeline_get_run (self->data_waits->timeline) == loom_timeline_get_run (self->timeline);
  return fits ? self->data_waits : NULL;
}

void
loom_timeline_state_take_lane_shares (LoomTimelineState *self, LoomLaneShares *shares)
{
  g_clear_pointer (&self->lane_shares, loom_lane_shares_free);
  self->lane_shares = shares;
}

const LoomLaneShares *
loom_timeline_state_get_lane_shares (LoomTimelineState *self)
{
  return self->lane_shares;
}

void
loom_timeline_state_set_path (LoomTimelineState *self, LoomPathOverlay *path)
{
  LoomPathOverlay *old = self->path;
  if (old == path)
    return;
  self->path = path != NULL ? loom_path_overlay_ref (path) : NULL;
  loom_path_overlay_unref (old);
  emit (self, FACTS_CHANGED);
}

LoomPathOverlay *
loom_timeline_state_get_path (LoomTimelineState *self)
{
  gboolean fits = self->path != NULL && loom_path_overlay_get_timeline (self->path) == self->timeline;
  return fits ? self->path : NULL;
}

void
loom_timeline_state_set_reading (LoomTimelineState *self, LoomRulerUnit reading)
{
  self->reading = reading;
  emit (self, FACTS_CHANGED);
}

LoomRulerUnit
loom_timeline_state_get_reading (LoomTimelineState *self)
{
  return self->reading;
}

void
loom_timeline_state_set_look (LoomTimelineState *self, LoomSpanColorMode look)
{
  self->look = look;
  emit (self, ROWS_CHANGED);
}

LoomSpanColorMode
loom_timeline_state_get_look (LoomTimelineState *self)
{
  return self->look;
}

void
loom_timeline_state_fill_options (LoomTimelineState *self, LoomPaintOptions *options)
{
  loom_selection_fill_options (&self->selected, options);
  options->marks = loom_timeline_state_get_marks (self, &options->n_marks);
  loom_cursor_fill_options (&self->pointer, options);
  options->collectives = loom_collectives_belong_to (self->collectives, self->timeline) ? self->collectives : NULL;
  loom_timeline_annotations_fill_options (self->finding_marks, self->outline, options);
  loom_search_hits_fill_options (&self->hits, options);
}
