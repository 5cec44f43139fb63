/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-track-headers.h"

#include "loom-bounded-text.h"
#include "loom-click-workaround.h"
#include "loom-popover-util.h"
#include "loom-view-navigation.h"

#include <glib/gi18n.h>
#include <math.h>

#define EDGE_PX 4.0
/* minimum vertical movement of the pointer in px, between press and release, for a drag; less movement is a click */
#define DRAG_SLACK_PX 6.0
#define DROP_LINE_PX 2.0
#define MIN_COUNTER_PX 24.0
#define MAX_COUNTER_PX 400.0

struct _LoomTrackHeaders {
  LoomTimelineArea parent;
  LoomViewAnimator *flight;
  char *focus_key;  /* key of the row whose header has the keyboard focus; NULL: no row was chosen */
  char *resize_key; /* key of the counter row whose plot the user resizes; NULL: the user resizes no plot */
  double resize_start_px;
  char *move_key; /* key of the pressed row, which the user may drag; NULL: no row is pressed */
  gboolean moving;
  double drop_y; /* y of the pointer in px, while a row is dragged */
  LoomClickWorkaround press;
  int n_press;
};

/* A position to which the user drags a row: between two rows of a group, or at the end of the group. */
typedef struct {
  const char *before; /* key of the row after this position; NULL: the end of the group */
  double y;           /* y, in px, of the line that is drawn at this position */
} Drop;

G_DEFINE_FINAL_TYPE (LoomTrackHeaders, loom_track_headers, LOOM_TYPE_TIMELINE_AREA)

enum { ROW_MENU, N_SIGNALS };
static guint signals[N_SIGNALS];

static LoomRowList *
outline_of (LoomTrackHeaders *self)
{
  return loom_timeline_state_get_row_list (loom_timeline_area_get_state (LOOM_TIMELINE_AREA (self)));
}

static double
scroll_of (LoomTrackHeaders *self)
{
  return loom_timeline_state_get_viewport (loom_timeline_area_get_state (LOOM_TIMELINE_AREA (self)))->scroll_px;
}

guint
loom_track_headers_get_focus_row (LoomTrackHeaders *self)
{
  if (self->focus_key == NULL || !gtk_widget_has_focus (GTK_WIDGET (self)))
    return G_MAXUINT;
  return loom_row_list_find (outline_of (self), self->focus_key);
}

static guint
moved_row (LoomTrackHeaders *self)
{
  return self->moving && self->move_key != NULL ? loom_row_list_find (outline_of (self), self->move_key) : G_MAXUINT;
}

/* Returns the next row (`step` is 1) or the previous row (`step` is −1) in the same group and on the same level;
 * G_MAXUINT if there is none. */
static guint
sibling_of (LoomTrackHeaders *self, guint row, int step)
{
  LoomRowList *outline = outline_of (self);
  guint level = loom_row_list_get_row (outline, row)->level;
  gint64 first = loom_row_list_get_n_pinned (outline), end = loom_row_list_get_n_rows (outline);
  for (gint64 i = (gint64) row + step; i >= first && i < end; i += step) {
    const LoomTimelineRow *other = loom_row_list_get_row (outline, (guint) i);
    if (other->level <= level)
      return other->level == level ? (guint) i : G_MAXUINT;
  }
  return G_MAXUINT;
}

/* Returns the y of the lower end of the block that consists of a row and all its descendants in the tree. */
static double
block_end (LoomTrackHeaders *self, guint row)
{
  LoomRowList *outline = outline_of (self);
  guint level = loom_row_list_get_row (outline, row)->level, last = row;
  while (last + 1 < loom_row_list_get_n_rows (outline) && loom_row_list_get_row (outline, last + 1)->level > level)
    last++;
  return loom_row_list_row_top (outline, last, scroll_of (self)) + loom_row_list_get_row (outline, last)->height;
}

static Drop
drop_of (LoomTrackHeaders *self, guint row)
{
  LoomRowList *outline = outline_of (self);
  guint at = row, other;
  while ((other = sibling_of (self, at, -1)) != G_MAXUINT)
    at = other;
  for (; at != G_MAXUINT; at = sibling_of (self, at, 1)) {
    double top = loom_row_list_row_top (outline, at, scroll_of (self)), end = block_end (self, at);
    if (self->drop_y < (top + end) / 2)
      return (Drop) { loom_row_list_get_row (outline, at)->key, top };
    other = at;
  }
  return (Drop) { NULL, block_end (self, other) };
}

static void
paint_drop (LoomTrackHeaders *self, cairo_t *cr, double width, const LoomTheme *theme)
{
  guint row = moved_row (self);
  if (row == G_MAXUINT)
    return;
  loom_color_fill_rectangle (cr, theme->role[LOOM_COLOR_ROLE_ACCENT], 0,
                             floor (drop_of (self, row).y - DROP_LINE_PX / 2), width, DROP_LINE_PX);
}

static void
paint (LoomTimelineArea *area, cairo_t *cr, int width, int height)
{
  LoomRenderContext *scene = loom_timeline_area_get_scene (area);
  LoomPaintOptions options;
  loom_render_context_init_options (scene, &options, GTK_WIDGET (area));
  options.focus_row = loom_track_headers_get_focus_row (LOOM_TRACK_HEADERS (area));
  loom_timeline_painter_paint_headers (cr, loom_render_context_get_list (scene), width, &options);
  paint_drop (LOOM_TRACK_HEADERS (area), cr, width, options.theme);
}

static const LoomTimelineRow *
row_at (LoomTrackHeaders *self, double y)
{
  guint row = loom_row_list_row_at (outline_of (self), y, scroll_of (self));
  return row != G_MAXUINT ? loom_row_list_get_row (outline_of (self), row) : NULL;
}

/* Returns the counter row whose lower edge is near y; NULL if there is none. */
static const LoomTimelineRow *
edge_at (LoomTrackHeaders *self, double y)
{
  const LoomTimelineRow *row = row_at (self, y - EDGE_PX);
  if (row == NULL || row->kind != LOOM_ROW_COUNTER)
    return NULL;
  double top =
    loom_row_list_row_top (outline_of (self), loom_row_list_find (outline_of (self), row->key), scroll_of (self));
  return fabs (top + row->height - y) <= EDGE_PX ? row : NULL;
}

static void
say_focus (LoomTrackHeaders *self)
{
  guint index = self->focus_key != NULL ? loom_row_list_find (outline_of (self), self->focus_key) : G_MAXUINT;
  if (index == G_MAXUINT)
    return;
  const LoomTimelineRow *row = loom_row_list_get_row (outline_of (self), index);
  const char *fold = !row->foldable ? "" : row->folded ? C_ ("row", "collapsed") : C_ ("row", "expanded");
  g_autofree char *text = g_strdup_printf ("%s %s", row->detail, fold);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static void
set_focus_key (LoomTrackHeaders *self, const char *key)
{
  char *copy = g_strdup (key);
  g_free (self->focus_key);
  self->focus_key = copy;
  guint row = loom_row_list_find (outline_of (self), copy);
  if (row != G_MAXUINT && loom_row_list_get_row (outline_of (self), row)->kind == LOOM_ROW_COUNTER)
    loom_timeline_state_set_counter (loom_timeline_area_get_state (LOOM_TIMELINE_AREA (self)), copy);
  say_focus (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
pressed (LoomTrackHeaders *self, int n_press, double x, double y, GtkGestureClick *gesture)
{
  loom_click_workaround_begin (&self->press, GTK_GESTURE (gesture), x, y);
  self->n_press = n_press;
  const LoomTimelineRow *row = row_at (self, y), *edge = edge_at (self, y);
  if (row != NULL)
    /* if the pointer is on the lower edge of a plot, the row of this plot gets the focus, because the user may resize
     * it */
    set_focus_key (self, edge != NULL ? edge->key : row->key);
  /* The widget takes the focus after set_focus_key(), because focus_changed() would choose another row if no key were
   * set. */
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (row == NULL)
    return;
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (gesture));
  if (event != NULL && gdk_event_triggers_context_menu (event))
    g_signal_emit (self, signals[ROW_MENU], 0, row->key, x, y);
}

/* Returns TRUE if the point is on the words that say what the lateness of a rank costs. */
static gboolean
is_on_lateness (LoomTrackHeaders *self, double x, double y)
{
  guint at = loom_row_list_row_at (outline_of (self), y, scroll_of (self));
  return at != G_MAXUINT &&
         loom_timeline_painter_is_late_line (loom_row_list_get_row (outline_of (self), at), x,
                                             y - loom_row_list_row_top (outline_of (self), at, scroll_of (self)));
}

static void
released (LoomTrackHeaders *self, int n_press, double x, double y)
{
  const LoomTimelineRow *row = row_at (self, y);
  if (self->press.button == GDK_BUTTON_PRIMARY && !self->moving && is_on_lateness (self, x, y)) {
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-page", "s", "stragglers");
    return;
  }
  if (self->press.button != GDK_BUTTON_PRIMARY || self->moving || row == NULL || !row->foldable ||
      edge_at (self, y) != NULL)
    return;
  if (row->kind == LOOM_ROW_GROUP || loom_timeline_painter_is_header_arrow (row, x) || n_press == 2)
    loom_view_navigation_toggle_fold (self->flight, row->key);
}

static void
cancelled (LoomTrackHeaders *self, GdkEventSequence *sequence, GtkGesture *gesture)
{
  if (loom_click_workaround_was_let_go (&self->press, gesture))
    released (self, self->n_press, self->press.x, self->press.y);
}

static void
pointer_moved (LoomTrackHeaders *self, double x, double y)
{
  guint row = loom_row_list_row_at (outline_of (self), y, scroll_of (self));
  loom_timeline_state_set_pointer (loom_timeline_area_get_state (LOOM_TIMELINE_AREA (self)), LOOM_TIME_NONE, row,
                                   LOOM_SPAN_ID_NONE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), edge_at (self, y) != NULL     ? "row-resize"
                                                      : is_on_lateness (self, x, y) ? "pointer"
                                                                                    : NULL);
}

static void
pointer_left (LoomTrackHeaders *self)
{
  loom_timeline_state_set_pointer (loom_timeline_area_get_state (LOOM_TIMELINE_AREA (self)), LOOM_TIME_NONE, G_MAXUINT,
                                   LOOM_SPAN_ID_NONE);
}

static void
drag_begun (LoomTrackHeaders *self, double x, double y)
{
  const LoomTimelineRow *edge = edge_at (self, y), *row = row_at (self, y);
  g_clear_pointer (&self->resize_key, g_free);
  g_clear_pointer (&self->move_key, g_free);
  self->moving = FALSE;
  if (edge != NULL) {
    self->resize_key = g_strdup (edge->key);
    self->resize_start_px = edge->height;
  } else if (row != NULL && !row->pinned)
    self->move_key = g_strdup (row->key);
}

static void
resize (LoomTrackHeaders *self, double dy)
{
  double height = CLAMP (self->resize_start_px + dy, MIN_COUNTER_PX, MAX_COUNTER_PX);
  loom_row_list_set_row_height (outline_of (self), self->resize_key, height);
  loom_timeline_state_rows_changed (loom_timeline_area_get_state (LOOM_TIMELINE_AREA (self)));
}

static void
drag_updated (LoomTrackHeaders *self, double dx, double dy, GtkGestureDrag *gesture)
{
  double x, y;
  if (self->resize_key != NULL)
    resize (self, dy);
  if (self->move_key == NULL || (!self->moving && fabs (dy) < DRAG_SLACK_PX))
    return;
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  self->moving = TRUE;
  self->drop_y = y + dy;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
drag_ended (LoomTrackHeaders *self)
{
  guint row = moved_row (self);
  if (row != G_MAXUINT) {
    g_autofree char *before = g_strdup (drop_of (self, row).before);
    if (g_strcmp0 (before, self->move_key) != 0 && loom_row_list_move (outline_of (self), self->move_key, before))
      loom_timeline_state_rows_changed (loom_timeline_area_get_state (LOOM_TIMELINE_AREA (self)));
  }
  /* `moving` stays TRUE until the next press, so that the release of the button does not count as a click */
  g_clear_pointer (&self->move_key, g_free);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
drag_cancelled (LoomTrackHeaders *self)
{
  /* the key is cleared so that the drag ends; `moving` stays TRUE until the next press, so that the
   * release of the button does not count as a click */
  g_clear_pointer (&self->move_key, g_free);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
scrolled (LoomTrackHeaders *self, double dx, double dy, GtkEventControllerScroll *controller)
{
  gboolean wheel = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;
  loom_view_animator_scroll (self->flight, wheel ? dy * 3 * LOOM_STRIP_PX : dy);
  return GDK_EVENT_STOP;
}

/* Returns the first row that is completely visible or, if there is none, the first row that is partly visible;
 * G_MAXUINT if there are no rows. */
static guint
first_row_in_view (LoomTrackHeaders *self)
{
  LoomRowList *outline = outline_of (self);
  guint row = loom_row_list_row_at (outline, 0, scroll_of (self)), next = row + 1;
  if (row == G_MAXUINT || loom_row_list_row_top (outline, row, scroll_of (self)) >= 0 ||
      next >= loom_row_list_get_n_rows (outline))
    return row;
  double end = loom_row_list_row_top (outline, next, scroll_of (self)) + loom_row_list_get_row (outline, next)->height;
  return end <= gtk_widget_get_height (GTK_WIDGET (self)) ? next : row;
}

static void
move_focus (LoomTrackHeaders *self, int step)
{
  LoomRowList *outline = outline_of (self);
  guint n = loom_row_list_get_n_rows (outline);
  guint at = loom_track_headers_get_focus_row (self);
  if (n == 0)
    return;
  guint to = at == G_MAXUINT ? first_row_in_view (self) : (guint) CLAMP ((gint64) at + step, 0, (gint64) n - 1);
  if (to == G_MAXUINT)
    return;
  set_focus_key (self, loom_row_list_get_row (outline, to)->key);
  const LoomTimelineRow *row = loom_row_list_get_row (outline, to);
  double first = row->pinned ? 0 : loom_row_list_get_cover_of_row (outline, to);
  double top = row->pinned ? row->y : loom_row_list_get_pinned_height (outline) + row->y - scroll_of (self);
  double bottom = top + row->height, height = gtk_widget_get_height (GTK_WIDGET (self));
  if (top < first)
    loom_view_animator_scroll (self->flight, top - first);
  else if (bottom > height)
    loom_view_animator_scroll (self->flight, MIN (bottom - height, top - first));
}

static gboolean
fold_focused (LoomTrackHeaders *self, int wish)
{
  guint at = loom_track_headers_get_focus_row (self);
  const LoomTimelineRow *row = at != G_MAXUINT ? loom_row_list_get_row (outline_of (self), at) : NULL;
  if (row == NULL || !row->foldable)
    return GDK_EVENT_STOP;
  gboolean folded = wish < 0 ? !row->folded : wish == 1;
  if (folded != row->folded)
    loom_view_navigation_toggle_fold (self->flight, row->key);
  return GDK_EVENT_STOP;
}

static gboolean
open_menu (LoomTrackHeaders *self)
{
  guint at = loom_track_headers_get_focus_row (self);
  if (at == G_MAXUINT)
    return GDK_EVENT_PROPAGATE;
  g_signal_emit (self, signals[ROW_MENU], 0, loom_row_list_get_row (outline_of (self), at)->key, 24.0,
                 loom_row_list_row_top (outline_of (self), at, scroll_of (self)) + 12);
  return GDK_EVENT_STOP;
}

static gboolean
key_pressed (LoomTrackHeaders *self, guint keyval, guint keycode, GdkModifierType state)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return GDK_EVENT_PROPAGATE;
  switch (keyval) {
  case GDK_KEY_Up: move_focus (self, -1); return GDK_EVENT_STOP;
  case GDK_KEY_Down: move_focus (self, 1); return GDK_EVENT_STOP;
  case GDK_KEY_Left: return fold_focused (self, 1);
  case GDK_KEY_Right: return fold_focused (self, 0);
  case GDK_KEY_space:
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter: return fold_focused (self, -1);
  case GDK_KEY_F10: return state & GDK_SHIFT_MASK ? open_menu (self) : GDK_EVENT_PROPAGATE;
  case GDK_KEY_Menu: return open_menu (self);
  default: return GDK_EVENT_PROPAGATE;
  }
}

/* Chooses a row when the headers receive the focus and no row is chosen. Does not scroll to the row, because the
 * headers also receive the focus when the widget with the focus disappears. */
static void
focus_changed (LoomTrackHeaders *self)
{
  gboolean picks = gtk_widget_has_focus (GTK_WIDGET (self)) && loom_track_headers_get_focus_row (self) == G_MAXUINT;
  guint row = picks ? first_row_in_view (self) : G_MAXUINT;
  if (row != G_MAXUINT)
    set_focus_key (self, loom_row_list_get_row (outline_of (self), row)->key);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Returns the text of the tooltip: the path of the row and, for a plot of several series, their full names, because the
 * legend shortens them. Owned by the caller. */
static char *
dup_tip (const LoomTimelineRow *row)
{
  GString *tip = g_string_new (row->detail);
  for (guint i = 0; i < row->n_series && row->series[row->n_series - 1].color > 0; i++)
    if (i == 0 || row->series[i].color != row->series[i - 1].color)
      g_string_append_printf (tip, "\n%s", row->series[i].label);
  return g_string_free (tip, FALSE);
}

static gboolean
query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const LoomTimelineRow *row = keyboard ? NULL : row_at (LOOM_TRACK_HEADERS (widget), y);
  if (row == NULL || row->detail == NULL || *row->detail == '\0' || loom_popover_util_is_open (widget))
    return FALSE;
  g_autofree char *tip = dup_tip (row);
  loom_bounded_text_set_tooltip (tooltip, tip);
  return TRUE;
}

static void
finalize (GObject *object)
{
  g_free (LOOM_TRACK_HEADERS (object)->focus_key);
  g_free (LOOM_TRACK_HEADERS (object)->resize_key);
  g_free (LOOM_TRACK_HEADERS (object)->move_key);
  G_OBJECT_CLASS (loom_track_headers_parent_class)->finalize (object);
}

static void
loom_track_headers_class_init (LoomTrackHeadersClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  GTK_WIDGET_CLASS (klass)->query_tooltip = query_tooltip;
  LOOM_TIMELINE_AREA_CLASS (klass)->paint = paint;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "headers");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_TREE);
  signals[ROW_MENU] = g_signal_new ("row-menu", LOOM_TYPE_TRACK_HEADERS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 3, G_TYPE_STRING, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
add_pointer (LoomTrackHeaders *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begun), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_updated), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (drag_ended), self);
  g_signal_connect_swapped (drag, "cancel", G_CALLBACK (drag_cancelled), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  GtkGesture *click = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed), self);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released), self);
  g_signal_connect_swapped (click, "cancel", G_CALLBACK (cancelled), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (pointer_moved), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (pointer_left), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (scrolled), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
}

static void
loom_track_headers_init (LoomTrackHeaders *self)
{
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  add_pointer (self);
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect (self, "notify::has-focus", G_CALLBACK (focus_changed), NULL);
}

void
loom_track_headers_set_scene (LoomTrackHeaders *self, LoomRenderContext *scene, LoomViewAnimator *flight)
{
  loom_timeline_area_set_scene (LOOM_TIMELINE_AREA (self), scene);
  loom_timeline_area_set_natural_size (LOOM_TIMELINE_AREA (self), LOOM_HEADER_PX, -1);
  self->flight = flight;
  g_signal_connect_object (loom_render_context_get_state (scene), "rows-changed", G_CALLBACK (say_focus), self,
                           G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Tracks"), -1);
}
