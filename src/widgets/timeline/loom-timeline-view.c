/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-timeline-view.h"

#include "loom-color-key.h"
#include "loom-counter-actions.h"
#include "loom-counter-description.h"
#include "loom-hover-band.h"
#include "loom-hover-card.h"
#include "loom-hover-places.h"
#include "loom-hover-text.h"
#include "loom-mark-popover.h"
#include "loom-overview-bar.h"
#include "loom-range-button.h"
#include "loom-row-menu.h"
#include "loom-ruler-bar.h"
#include "loom-ruler-button.h"
#include "loom-span-menu.h"
#include "loom-system-font.h"
#include "loom-template.h"
#include "loom-timeline-description.h"
#include "loom-timeline-keys.h"
#include "loom-timing-card.h"
#include "loom-track-area.h"
#include "loom-track-headers.h"
#include "loom-view-animator-frames.h"

#include <glib/gi18n.h>
#include <math.h>

/* screen readers read the label of a mark if the distance between the cursor and the mark is at most this number of px;
 * the keyboard commands for marks use the same distance */
#define NOTE_PX 6
#define PANED_HANDLE_PX 1
#define MAX_HEADER_SCALING 2.0
#define MIN_HEADER_PX 96
#define MAX_MEASURED_ROWS 300

struct _LoomTimelineView {
  GtkWidget parent;
  gboolean moving_focus;
  LoomTimelineState *state;
  LoomRenderContext *scene;
  LoomViewAnimator *flight;
  LoomViewAnimatorFrames *frames;
  LoomTimelineKeys *keys;
  GtkWidget *overlay;
  LoomOverviewBar *overview;
  GtkWidget *column, *top;
  GtkSizeGroup *header_group, *end_group;
  GtkWidget *corner;
  GtkWidget *ruler;
  GtkWidget *ruler_button;
  GtkWidget *paned;
  /* greatest width in px that the names of rows have required so far; kept so that the headers do not become narrower
   * when rows are folded */
  int names_px;
  /* width in px of the headers that this widget has set last; if the headers have another width, the user has changed
   * it */
  int own_header_px;
  GtkWidget *headers;
  GtkWidget *tracks;
  GtkWidget *tracks_box;
  LoomHoverBand *band;
  GtkWidget *card;
  GtkWidget *row_filter;
  GtkWidget *mode_button;
  GtkWidget *color_key, *above_ruler;
  GtkWidget *timing;
  GtkWidget *header_overlay;
  /* button that tries once more to read the events of a rank: of the first visible rank for which this has failed */
  GtkButton *offer;
  GSimpleAction *mode_action;    /* owned by the action group "timeline" */
  GActionGroup *counter_actions; /* owned by the widget */
  LoomDragMode mode;
  GtkAdjustment *scroll;
  /* TRUE while this widget sets the adjustment to the state's scroll position; changes of the adjustment are then
   * ignored */
  gboolean syncing;
  guint describe_id, fit_id, move_id;
  LoomHoverText note;
};

G_DEFINE_FINAL_TYPE (LoomTimelineView, loom_timeline_view, GTK_TYPE_WIDGET)

enum { SEARCH_REQUESTED, CLOCK_MOVED, SPAN_HOVERED, ESCAPED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
sync_scrollbar (LoomTimelineView *self)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
  double pinned = loom_row_list_get_pinned_height (loom_timeline_state_get_row_list (self->state));
  double page = MAX (view->height_px - pinned, 1);
  double upper = MAX (loom_row_list_get_height (loom_timeline_state_get_row_list (self->state)), page);
  self->syncing = TRUE;
  gtk_adjustment_configure (self->scroll, view->scroll_px, 0, upper, LOOM_STRIP_PX, page * 0.9, page);
  self->syncing = FALSE;
}

static void
scrollbar_moved (LoomTimelineView *self)
{
  if (self->syncing)
    return;
  LoomViewport view = *loom_timeline_state_get_viewport (self->state);
  view.scroll_px = gtk_adjustment_get_value (self->scroll);
  loom_view_animator_stop (self->flight);
  loom_view_animator_move (self->flight, &view);
}

/* Returns the label of the mark at the cursor, followed by a full stop and a space. NULL if there is no mark, or if it
 * has no label. Owned by the caller. */
static char *
dup_note_at_cursor (LoomTimelineView *self)
{
  gint64 at_ns = loom_timeline_state_get_pointer (self->state)->time_ns;
  gint64 near_ns = (gint64) (NOTE_PX * loom_viewport_get_ns_per_px (loom_timeline_state_get_viewport (self->state)));
  const LoomMarker *mark = at_ns != LOOM_TIME_NONE ? loom_timeline_state_find_mark (self->state, at_ns, near_ns) : NULL;
  return mark != NULL && mark->label != NULL && mark->label[0] != '\0' ? g_strconcat (mark->label, ". ", NULL) : NULL;
}

static gboolean
describe (gpointer user_data)
{
  LoomTimelineView *self = user_data;
  self->describe_id = 0;
  loom_range_button_update (self->offer, self->state);
  g_autofree char *view = loom_timeline_description_for_view (self->state), *note = dup_note_at_cursor (self);
  g_autofree char *values =
    loom_cursor_is_reading (loom_timeline_state_get_pointer (self->state)) &&
        loom_timeline_state_get_timeline (self->state) != NULL
      ? loom_counter_description_at (self->state, loom_timeline_state_get_pointer (self->state)->time_ns)
      : NULL;
  g_autofree char *words =
    g_strconcat (note != NULL ? note : "", values != NULL ? values : "", values != NULL ? " " : "", view, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->tracks), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
  return G_SOURCE_REMOVE;
}

/* Schedules an update of the accessible description, and of the button that reads the events of a rank
 * (loom-range-button.h). They are updated when the view has not moved for 300 ms, not in each frame. */
static void
describe_later (LoomTimelineView *self)
{
  g_clear_handle_id (&self->describe_id, g_source_remove);
  self->describe_id = g_timeout_add (300, describe, self);
}

static gboolean
move_offer (gpointer user_data)
{
  LoomTimelineView *self = user_data;
  self->move_id = 0;
  loom_range_button_update (self->offer, self->state);
  gtk_widget_queue_allocate (self->header_overlay);
  return G_SOURCE_REMOVE;
}

/* The button that reads the events of a rank must follow the row of this rank. Schedules moving the button before the
 * next frame. The button is not moved at once, because the view may change while widgets get their sizes; in this time,
 * no widget may request another size. */
static void
move_offer_later (LoomTimelineView *self)
{
  if (self->move_id == 0 && gtk_widget_get_visible (GTK_WIDGET (self->offer)))
    self->move_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, move_offer, self, NULL);
}

static gboolean
place_offer (GtkOverlay *overlay, GtkWidget *child, GdkRectangle *place, LoomTimelineView *self)
{
  if (self->scene == NULL)
    return FALSE;
  loom_range_button_place (GTK_BUTTON (child), self->state, self->scene, gtk_widget_get_width (GTK_WIDGET (overlay)),
                           place);
  return TRUE;
}

static void
overlay_changed (LoomTimelineView *self)
{
  if (loom_cursor_is_reading (loom_timeline_state_get_pointer (self->state)))
    describe_later (self);
}

static void
tell_hovered (LoomTimelineView *self, LoomSpanId span)
{
  if (loom_hover_text_point_at (&self->note, span))
    g_signal_emit (self, signals[SPAN_HOVERED], 0, span.trace, span.span);
}

/* Returns the text to show while the user drags a box or a range; NULL if the user drags neither. */
static char *
words_of_drag (LoomTimelineView *self)
{
  LoomVisibleBox box;
  LoomRange range;
  if (loom_track_area_get_box (LOOM_TRACK_AREA (self->tracks), &box))
    return loom_timeline_description_for_box (self->state, &box);
  return loom_track_area_get_drag (LOOM_TRACK_AREA (self->tracks), &range)
           ? loom_timeline_description_for_range (self->state, range)
           : NULL;
}

/* Sets the rectangles that the hover card must not cover: the hovered item, and the spans at the ends of the arrows of
 * flows (loom-hover-places.h). `hit`: the hovered item; NULL: no item. `dx`, `dy`: position of the tracks in the
 * overlay. */
static void
avoid_ends (LoomTimelineView *self, const LoomDrawHit *hit, double dx, double dy)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (GdkRectangle));
  if (hit != NULL && loom_timeline_state_get_timeline (self->state) != NULL)
    loom_hover_places_collect (self->state, hit, places);
  for (guint i = 0; i < places->len; i++) {
    g_array_index (places, GdkRectangle, i).x += (int) dx;
    g_array_index (places, GdkRectangle, i).y += (int) dy;
  }
  loom_hover_card_avoid (LOOM_HOVER_CARD (self->card), (const GdkRectangle *) (gpointer) places->data, places->len);
}

static void
update_card (LoomTimelineView *self)
{
  LoomDrawHit hit;
  double x, y, place_x, place_y;
  gboolean hits = loom_track_area_get_hit (LOOM_TRACK_AREA (self->tracks), &hit, &x, &y);
  g_autofree char *markup = words_of_drag (self);
  if (markup == NULL && hits)
    markup = loom_hover_text_dup_words (&self->note, self->state, &hit);
  tell_hovered (self, hits ? loom_hover_text_span_of (&hit) : LOOM_SPAN_ID_NONE);
  if (!gtk_widget_translate_coordinates (self->tracks, self->overlay, x, y, &place_x, &place_y))
    return;
  avoid_ends (self, hits ? &hit : NULL, place_x - x, place_y - y);
  loom_hover_card_show (LOOM_HOVER_CARD (self->card), markup, place_x, place_y);
}

static gboolean
place_overlay_child (GtkOverlay *overlay, GtkWidget *child, GdkRectangle *place, LoomTimelineView *self)
{
  if (child != self->card)
    return FALSE;
  loom_hover_card_place (LOOM_HOVER_CARD (child), gtk_widget_get_width (GTK_WIDGET (overlay)),
                         gtk_widget_get_height (GTK_WIDGET (overlay)), place);
  return TRUE;
}

/* Returns the span to which the span actions in the menu of a row apply. If the menu was opened in the tracks, returns
 * the span at the point (x, y). If it was opened in the headers, returns the selected span, provided that this span is
 * in the row. Returns LOOM_SPAN_ID_NONE if there is no such span; the menu then has no actions for a span. */
static LoomSpanId
span_of_menu (LoomTimelineView *self, const char *key, double x, double y, GtkWidget *area)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (self->state);
  LoomSpanId lead = loom_timeline_state_get_lead (self->state);
  guint row = G_MAXUINT, strip;
  if (area == self->tracks)
    return loom_track_area_span_at (LOOM_TRACK_AREA (area), x, y);
  if (!loom_timeline_span_id_is_none (lead))
    loom_row_list_find_span (rows, lead, &row, &strip);
  return row != G_MAXUINT && row == loom_row_list_find (rows, key) ? lead : LOOM_SPAN_ID_NONE;
}

static void
menu_asked (LoomTimelineView *self, const char *key, double x, double y, GtkWidget *area)
{
  double place_x, place_y;
  loom_hover_card_show (LOOM_HOVER_CARD (self->card), NULL, 0, 0);
  if (gtk_widget_translate_coordinates (area, GTK_WIDGET (self), x, y, &place_x, &place_y))
    loom_row_menu_popup (GTK_WIDGET (self), self->state, key, span_of_menu (self, key, x, y, area), place_x, place_y);
}

static void
focus_tracks (LoomTimelineView *self)
{
  gtk_widget_grab_focus (self->tracks);
}

/* Returns the greatest width in px that is required for the names of the first MAX_MEASURED_ROWS rows. */
static double
measure_names (LoomTimelineView *self)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (self->state);
  LoomTextCache *text = loom_render_context_get_text (self->scene);
  double most = 0;
  for (guint i = 0; i < MIN (loom_row_list_get_n_rows (rows), MAX_MEASURED_ROWS); i++)
    most = MAX (most, loom_timeline_painter_measure_header (loom_row_list_get_row (rows, i), text));
  return most;
}

/* Makes the headers wide enough for the names of the rows, but at most a third of the view. Does nothing if the user
 * has changed the width of the headers. */
static void
fit_headers (LoomTimelineView *self)
{
  double scaling = CLAMP (loom_render_context_get_text_scaling (self->scene), 1.0, MAX_HEADER_SCALING);
  int width = gtk_widget_get_width (GTK_WIDGET (self)), most = (int) (LOOM_HEADER_MAX_PX * scaling),
      least = (int) (LOOM_HEADER_PX * scaling);
  if (gtk_paned_get_position (GTK_PANED (self->paned)) != self->own_header_px)
    return;
  self->names_px = MAX (self->names_px, (int) measure_names (self));
  int wanted = CLAMP (self->names_px, least, most);
  self->own_header_px = width > 0 ? MIN (wanted, MAX (width / 3, MIN_HEADER_PX)) : wanted;
  gtk_paned_set_position (GTK_PANED (self->paned), self->own_header_px);
}

static void
timeline_changed (LoomTimelineView *self)
{
  self->names_px = 0;
  fit_headers (self);
  /* removes the additional lines of the hover card, because the id of their span may belong to another span in the new
   * timeline */
  loom_hover_text_clear (&self->note);
  if (loom_timeline_state_get_timeline (self->state) == NULL)
    loom_view_animator_forget (self->flight);
}

static void
mode_activated (GSimpleAction *action, GVariant *word, gpointer self)
{
  loom_timeline_view_set_mode (self, loom_drag_mode_from_word (g_variant_get_string (word, NULL)));
}

static void
loom_timeline_view_dispose (GObject *object)
{
  LoomTimelineView *self = LOOM_TIMELINE_VIEW (object);
  GtkWidget *child;
  g_clear_handle_id (&self->describe_id, g_source_remove);
  g_clear_handle_id (&self->move_id, g_source_remove);
  g_clear_handle_id (&self->fit_id, g_source_remove);
  g_clear_pointer (&self->keys, loom_timeline_keys_free);
  g_clear_pointer (&self->frames, loom_view_animator_frames_free);
  g_clear_object (&self->flight);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child); /* open menus are children of the view, too */
  gtk_widget_dispose_template (GTK_WIDGET (self), LOOM_TYPE_TIMELINE_VIEW);
  loom_hover_text_clear (&self->note);
  g_clear_object (&self->scene);
  g_clear_object (&self->state);
  G_OBJECT_CLASS (loom_timeline_view_parent_class)->dispose (object);
}

/* Moves the focus to the tracks. GTK calls this after a click on a part of the view that cannot have the focus itself.
 * Does nothing while Tab moves the focus, see move_focus(). */
static gboolean
grab_focus (GtkWidget *widget)
{
  LoomTimelineView *self = LOOM_TIMELINE_VIEW (widget);
  return !self->moving_focus && gtk_widget_grab_focus (self->tracks);
}

/* Moves the focus with Tab or the arrow keys. After the last child, GTK focuses the view itself, and grab_focus() would
 * then move the focus back to the tracks. grab_focus() therefore does nothing while this function runs, so that Tab
 * leaves the view. */
static gboolean
move_focus (GtkWidget *widget, GtkDirectionType direction)
{
  LoomTimelineView *self = LOOM_TIMELINE_VIEW (widget);
  self->moving_focus = TRUE;
  gboolean moved = GTK_WIDGET_CLASS (loom_timeline_view_parent_class)->focus (widget, direction);
  self->moving_focus = FALSE;
  return moved;
}

static void
read_font (LoomTimelineView *self)
{
  double scaling;
  g_autofree char *family = loom_system_font_dup_family (GTK_WIDGET (self), &scaling);
  loom_render_context_set_font (self->scene, family, scaling);
  self->names_px = 0;
  fit_headers (self);
}

static void
fit_corner (LoomTimelineView *self)
{
  int position = gtk_paned_get_position (GTK_PANED (self->paned));
  gtk_widget_set_size_request (self->corner, position + PANED_HANDLE_PX, -1);
}

static gboolean
fit_in_idle (gpointer user_data)
{
  LoomTimelineView *self = user_data;
  self->fit_id = 0;
  fit_headers (self);
  fit_corner (self);
  return G_SOURCE_REMOVE;
}

/* Called while widgets get their sizes. In this time, the column of headers and the corner above it must not be
 * resized, so they are resized in an idle callback before the next frame. */
static void
column_moved (LoomTimelineView *self)
{
  if (self->scene != NULL && self->fit_id == 0)
    self->fit_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit_in_idle, self, NULL);
}

static void
clock_moved (LoomTimelineView *self, guint clock, gint64 by_ns, gboolean begins)
{
  g_signal_emit (self, signals[CLOCK_MOVED], 0, clock, by_ns, begins);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  const GType parts[] = { LOOM_TYPE_OVERVIEW_BAR, LOOM_TYPE_COLOR_KEY,     LOOM_TYPE_RULER_BAR,  LOOM_TYPE_RULER_BUTTON,
                          LOOM_TYPE_ROW_FILTER,   LOOM_TYPE_TRACK_HEADERS, LOOM_TYPE_TRACK_AREA, LOOM_TYPE_TIMING_CARD,
                          LOOM_TYPE_HOVER_CARD,   LOOM_TYPE_HOVER_BAND };
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_type_ensure (parts[i]);
  loom_template_set (widget_class, "loom-timeline-view.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, overlay);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, overview);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, column);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, end_group);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, header_group);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, top);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, corner);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, ruler);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, ruler_button);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, row_filter);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, paned);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, headers);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, tracks_box);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, tracks);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, scroll);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, timing);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, header_overlay);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, offer);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, mode_button);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, color_key);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, above_ruler);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, band);
  gtk_widget_class_bind_template_child (widget_class, LoomTimelineView, card);
  gtk_widget_class_bind_template_callback (widget_class, place_overlay_child);
  gtk_widget_class_bind_template_callback (widget_class, place_offer);
  gtk_widget_class_bind_template_callback (widget_class, loom_timeline_view_edit_note);
  gtk_widget_class_bind_template_callback (widget_class, focus_tracks);
  gtk_widget_class_bind_template_callback (widget_class, column_moved);
  gtk_widget_class_bind_template_callback (widget_class, menu_asked);
  gtk_widget_class_bind_template_callback (widget_class, update_card);
  gtk_widget_class_bind_template_callback (widget_class, clock_moved);
  gtk_widget_class_bind_template_callback (widget_class, scrollbar_moved);
}

static void
loom_timeline_view_class_init (LoomTimelineViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = loom_timeline_view_dispose;
  widget_class->grab_focus = grab_focus;
  widget_class->focus = move_focus;
  bind_template (widget_class);
  gtk_widget_class_set_css_name (widget_class, "timeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  signals[SEARCH_REQUESTED] =
    g_signal_new ("search-requested", LOOM_TYPE_TIMELINE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ESCAPED] =
    g_signal_new ("escaped", LOOM_TYPE_TIMELINE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CLOCK_MOVED] = g_signal_new ("clock-moved", LOOM_TYPE_TIMELINE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 3, G_TYPE_UINT, G_TYPE_INT64, G_TYPE_BOOLEAN);
  signals[SPAN_HOVERED] = g_signal_new ("span-hovered", LOOM_TYPE_TIMELINE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
}

/* Sets x and y to a point in the header of a row, in coordinates of `widget`. If the row is outside of the view, sets
 * them to a point at the nearest edge of the view. */
static void
place_of_row (GtkWidget *widget, guint row, double *x, double *y)
{
  LoomTimelineView *self = LOOM_TIMELINE_VIEW (widget);
  const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
  double top =
    loom_row_list_row_top (loom_timeline_state_get_row_list (self->state), row, view->scroll_px) + LOOM_STRIP_PX;
  gtk_widget_translate_coordinates (self->headers, widget, LOOM_STRIP_PX, CLAMP (top, 0, view->height_px), x, y);
}

static void
add_actions (LoomTimelineView *self)
{
  static const GActionEntry actions[] = { { "mode", mode_activated, "s", "'select'", NULL } };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (group), actions, G_N_ELEMENTS (actions), self);
  self->mode_action = G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (group), "mode"));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "timeline", G_ACTION_GROUP (group));
  self->counter_actions = loom_counter_actions_install (GTK_WIDGET (self), self->state, place_of_row);
}

static void
follow_state (LoomTimelineView *self)
{
  g_signal_connect_object (self->state, "timeline-changed", G_CALLBACK (timeline_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "view-changed", G_CALLBACK (sync_scrollbar), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "rows-changed", G_CALLBACK (sync_scrollbar), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "rows-changed", G_CALLBACK (fit_headers), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "view-changed", G_CALLBACK (describe_later), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "rows-changed", G_CALLBACK (describe_later), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "view-changed", G_CALLBACK (move_offer_later), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "rows-changed", G_CALLBACK (move_offer_later), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "selection-changed", G_CALLBACK (describe_later), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "overlay-changed", G_CALLBACK (overlay_changed), self, G_CONNECT_SWAPPED);
}

/* Makes the children of the view. In children with a time axis, the time always goes from left to right, also in
 * languages that are written from right to left. */
static void
loom_timeline_view_init (LoomTimelineView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  GtkWidget *left_to_right[] = { self->paned, self->tracks_box, self->top, self->mode_button, self->above_ruler };
  for (guint i = 0; i < G_N_ELEMENTS (left_to_right); i++)
    gtk_widget_set_direction (left_to_right[i], GTK_TEXT_DIR_LTR);
  loom_drag_mode_button_set_menu (self->mode_button);
  loom_hover_text_clear (&self->note);
}

void
loom_timeline_view_set_state (LoomTimelineView *self, LoomTimelineState *state, LoomViewAnimator *flight)
{
  g_return_if_fail (LOOM_IS_TIMELINE_VIEW (self) && self->state == NULL);
  self->state = g_object_ref (state);
  self->flight = g_object_ref (flight);
  self->scene = loom_render_context_new (state);
  self->frames = loom_view_animator_frames_new (GTK_WIDGET (self), self->flight);
  loom_track_headers_set_scene (LOOM_TRACK_HEADERS (self->headers), self->scene, flight);
  loom_track_area_set_scene (LOOM_TRACK_AREA (self->tracks), self->scene, flight);
  loom_ruler_bar_set_scene (LOOM_RULER_BAR (self->ruler), self->scene, flight);
  loom_ruler_button_set_scene (LOOM_RULER_BUTTON (self->ruler_button), self->scene);
  loom_overview_bar_set_scene (self->overview, self->scene, flight);
  loom_color_key_set_scene (LOOM_COLOR_KEY (self->color_key), self->scene);
  loom_hover_band_set_scene (self->band, self->scene, GTK_WIDGET (self->overview), self->tracks, self->headers, state);
  loom_row_filter_set_state (LOOM_ROW_FILTER (self->row_filter), state);
  loom_timing_card_set_state (LOOM_TIMING_CARD (self->timing), state);
  read_font (self);
  fit_corner (self);
  loom_system_font_follow (GTK_WIDGET (self), G_CALLBACK (read_font));
  follow_state (self);
  loom_row_menu_install (GTK_WIDGET (self), self->state);
  loom_span_menu_install (GTK_WIDGET (self), self->flight);
  add_actions (self);
}

LoomTimelineState *
loom_timeline_view_get_state (LoomTimelineView *self)
{
  return self->state;
}

LoomRenderContext *
loom_timeline_view_get_scene (LoomTimelineView *self)
{
  return self->scene;
}

LoomViewAnimator *
loom_timeline_view_get_flight (LoomTimelineView *self)
{
  return self->flight;
}

GtkWidget *
loom_timeline_view_get_tracks (LoomTimelineView *self)
{
  return self->tracks;
}

void
loom_timeline_view_listen (LoomTimelineView *self, GtkWidget *window)
{
  g_clear_pointer (&self->keys, loom_timeline_keys_free);
  self->keys = loom_timeline_keys_new (self, window);
}

void
loom_timeline_view_set_mode (LoomTimelineView *self, LoomDragMode mode)
{
  g_return_if_fail (LOOM_IS_TIMELINE_VIEW (self) && mode < LOOM_N_DRAG_MODES);
  self->mode = mode;
  loom_track_area_set_mode (LOOM_TRACK_AREA (self->tracks), mode);
  loom_drag_mode_button_show (self->mode_button, mode);
  loom_timing_card_set_shown (LOOM_TIMING_CARD (self->timing), mode == LOOM_DRAG_MODE_TIMING);
  loom_timeline_state_set_timing (self->state, mode == LOOM_DRAG_MODE_TIMING);
  g_simple_action_set_state (self->mode_action, g_variant_new_string (loom_drag_mode_get_word (mode)));
}

LoomDragMode
loom_timeline_view_get_mode (LoomTimelineView *self)
{
  return self->mode;
}

void
loom_timeline_view_set_note (LoomTimelineView *self, LoomSpanId span, const char *note)
{
  if (loom_hover_text_set (&self->note, span, note))
    update_card (self);
}

void
loom_timeline_view_escape (LoomTimelineView *self)
{
  guint n;
  LoomRange range = loom_timeline_state_get_range (self->state);
  if (loom_track_area_drop_box (LOOM_TRACK_AREA (self->tracks)))
    return;
  loom_timeline_state_get_selected (self->state, &n);
  if (n > 0 || range.end_ns > range.begin_ns)
    loom_timeline_state_select_nothing (self->state);
  else
    g_signal_emit (self, signals[ESCAPED], 0);
}

void
loom_timeline_view_set_hand (LoomTimelineView *self, gboolean hand)
{
  loom_track_area_set_hand (LOOM_TRACK_AREA (self->tracks), hand);
}

void
loom_timeline_view_edit_note (LoomTimelineView *self, gint64 time_ns)
{
  double x, y, at = loom_viewport_x (loom_timeline_state_get_viewport (self->state), time_ns);
  at = CLAMP (at, 0, gtk_widget_get_width (self->tracks));
  loom_hover_card_show (LOOM_HOVER_CARD (self->card), NULL, 0, 0);
  if (gtk_widget_translate_coordinates (self->tracks, GTK_WIDGET (self), at, 0, &x, &y))
    loom_mark_popover_popup (GTK_WIDGET (self), self->state, time_ns, x, y);
}

gboolean
loom_timeline_view_open_span_menu (LoomTimelineView *self)
{
  LoomSpanId span = loom_timeline_state_get_lead (self->state);
  LoomRowList *rows = loom_timeline_state_get_row_list (self->state);
  const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
  LoomRange range;
  guint row = G_MAXUINT, strip = 0;
  double x, y;
  if (loom_timeline_span_id_is_none (span))
    return FALSE;
  gboolean itself = loom_row_list_find_span (rows, span, &row, &strip);
  if (row == G_MAXUINT)
    return FALSE;
  loom_timeline_get_span (loom_timeline_state_get_timeline (self->state), span, &range.begin_ns, &range.end_ns);
  double top = loom_row_list_row_top (rows, row, view->scroll_px) + (itself ? (strip + 1) * LOOM_STRIP_PX : 0);
  double from = CLAMP (loom_viewport_x (view, range.begin_ns), 0, view->width_px);
  loom_hover_card_show (LOOM_HOVER_CARD (self->card), NULL, 0, 0);
  if (gtk_widget_translate_coordinates (self->tracks, GTK_WIDGET (self), from, CLAMP (top, 0, view->height_px), &x, &y))
    loom_row_menu_popup (GTK_WIDGET (self), self->state, loom_row_list_get_row (rows, row)->key, span, x, y);
  return TRUE;
}

GActionGroup *
loom_timeline_view_get_counter_actions (LoomTimelineView *self)
{
  return self->counter_actions;
}

int
loom_timeline_view_get_header_width (LoomTimelineView *self)
{
  return gtk_widget_get_width (self->headers);
}

void
loom_timeline_view_add_above (LoomTimelineView *self, GtkWidget *child)
{
  g_return_if_fail (LOOM_IS_TIMELINE_VIEW (self));
  gtk_box_insert_child_after (GTK_BOX (self->column), child, self->top);
}

void
loom_timeline_view_align (LoomTimelineView *self, GtkWidget *header, GtkWidget *end)
{
  g_return_if_fail (LOOM_IS_TIMELINE_VIEW (self));
  gtk_size_group_add_widget (self->header_group, header);
  gtk_size_group_add_widget (self->end_group, end);
}

void
loom_timeline_view_show_parts (LoomTimelineView *self, gboolean overview, gboolean ruler)
{
  g_return_if_fail (LOOM_IS_TIMELINE_VIEW (self));
  gtk_widget_set_visible (GTK_WIDGET (self->overview), overview);
  gtk_widget_set_visible (self->above_ruler, overview);
  gtk_widget_set_visible (self->top, overview || ruler);
}

LoomRowFilter *
loom_timeline_view_get_row_filter (LoomTimelineView *self)
{
  return LOOM_ROW_FILTER (self->row_filter);
}

gboolean
loom_timeline_view_press_key (LoomTimelineView *self, guint keyval, GdkModifierType modifiers)
{
  g_return_val_if_fail (LOOM_IS_TIMELINE_VIEW (self) && self->keys != NULL, FALSE);
  return loom_timeline_keys_press (self->keys, keyval, modifiers);
}
