/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-headers.h"

#include "loom-popovers.h"
#include "loom-press.h"
#include "loom-shown-text.h"

#include <glib/gi18n.h>
#include <math.h>

#define EDGE_PX 4.0
#define DRAG_SLACK_PX 6.0 /* how far a click may move */
#define DROP_LINE_PX 2.0
#define MIN_COUNTER_PX 24.0
#define MAX_COUNTER_PX 400.0

struct _LoomHeaders {
  LoomArea parent;
  LoomFlight *flight;
  char *focus_key;  /* NULL: none */
  char *resize_key; /* of the plot whose height is dragged; NULL */
  double resize_start_px;
  char *move_key; /* of the row that is pressed, to be dragged; NULL */
  gboolean moving;
  double drop_y; /* the pointer, while moving */
  LoomPress press;
  int n_press;
};

/* Between which rows of its group a dragged one goes. */
typedef struct {
  const char *before; /* key; NULL: last */
  double y;           /* of the line between */
} Drop;

G_DEFINE_FINAL_TYPE (LoomHeaders, loom_headers, LOOM_TYPE_AREA)

enum { ROW_MENU, N_SIGNALS };
static guint signals[N_SIGNALS];

static LoomOutline *
outline_of (LoomHeaders *self)
{
  return loom_view_state_get_outline (loom_area_get_state (LOOM_AREA (self)));
}

static double
scroll_of (LoomHeaders *self)
{
  return loom_view_state_get_viewport (loom_area_get_state (LOOM_AREA (self)))->scroll_px;
}

guint
loom_headers_get_focus_row (LoomHeaders *self)
{
  if (self->focus_key == NULL || !gtk_widget_has_focus (GTK_WIDGET (self)))
    return G_MAXUINT;
  return loom_outline_find (outline_of (self), self->focus_key);
}

static guint
moved_row (LoomHeaders *self)
{
  return self->moving && self->move_key != NULL ? loom_outline_find (outline_of (self), self->move_key) : G_MAXUINT;
}

/* The next row (step 1) or the one before (−1) of the same group; G_MAXUINT at its end. */
static guint
sibling_of (LoomHeaders *self, guint row, int step)
{
  LoomOutline *outline = outline_of (self);
  guint level = loom_outline_get_row (outline, row)->level;
  gint64 first = loom_outline_get_n_pinned (outline), end = loom_outline_get_n_rows (outline);
  for (gint64 i = (gint64) row + step; i >= first && i < end; i += step) {
    const LoomOutlineRow *other = loom_outline_get_row (outline, (guint) i);
    if (other->level <= level)
      return other->level == level ? (guint) i : G_MAXUINT;
  }
  return G_MAXUINT;
}

/* Where the rows end that belong to this one. */
static double
block_end (LoomHeaders *self, guint row)
{
  LoomOutline *outline = outline_of (self);
  guint level = loom_outline_get_row (outline, row)->level, last = row;
  while (last + 1 < loom_outline_get_n_rows (outline) && loom_outline_get_row (outline, last + 1)->level > level)
    last++;
  return loom_outline_row_top (outline, last, scroll_of (self)) + loom_outline_get_row (outline, last)->height;
}

static Drop
drop_of (LoomHeaders *self, guint row)
{
  LoomOutline *outline = outline_of (self);
  guint at = row, other;
  while ((other = sibling_of (self, at, -1)) != G_MAXUINT)
    at = other;
  for (; at != G_MAXUINT; at = sibling_of (self, at, 1)) {
    double top = loom_outline_row_top (outline, at, scroll_of (self)), end = block_end (self, at);
    if (self->drop_y < (top + end) / 2)
      return (Drop) { loom_outline_get_row (outline, at)->key, top };
    other = at;
  }
  return (Drop) { NULL, block_end (self, other) };
}

static void
paint_drop (LoomHeaders *self, cairo_t *cr, double width, const LoomTheme *theme)
{
  guint row = moved_row (self);
  if (row == G_MAXUINT)
    return;
  loom_color_set_source (cr, theme->role[LOOM_ROLE_ACCENT]);
  cairo_rectangle (cr, 0, floor (drop_of (self, row).y - DROP_LINE_PX / 2), width, DROP_LINE_PX);
  cairo_fill (cr);
}

static void
paint (LoomArea *area, cairo_t *cr, int width, int height)
{
  LoomScene *scene = loom_area_get_scene (area);
  LoomPaintOptions options;
  loom_scene_init_options (scene, &options, GTK_WIDGET (area));
  options.focus_row = loom_headers_get_focus_row (LOOM_HEADERS (area));
  loom_headers_paint (cr, loom_scene_get_list (scene), width, &options);
  paint_drop (LOOM_HEADERS (area), cr, width, options.theme);
}

static const LoomOutlineRow *
row_at (LoomHeaders *self, double y)
{
  guint row = loom_outline_row_at (outline_of (self), y, scroll_of (self));
  return row != G_MAXUINT ? loom_outline_get_row (outline_of (self), row) : NULL;
}

/* The plot whose lower edge is at y. */
static const LoomOutlineRow *
edge_at (LoomHeaders *self, double y)
{
  const LoomOutlineRow *row = row_at (self, y - EDGE_PX);
  if (row == NULL || row->kind != LOOM_ROW_COUNTER)
    return NULL;
  double top =
    loom_outline_row_top (outline_of (self), loom_outline_find (outline_of (self), row->key), scroll_of (self));
  return fabs (top + row->height - y) <= EDGE_PX ? row : NULL;
}

static void
say_focus (LoomHeaders *self)
{
  guint index = self->focus_key != NULL ? loom_outline_find (outline_of (self), self->focus_key) : G_MAXUINT;
  if (index == G_MAXUINT)
    return;
  const LoomOutlineRow *row = loom_outline_get_row (outline_of (self), index);
  const char *fold = !row->foldable ? "" : row->folded ? C_ ("row", "folded") : C_ ("row", "unfolded");
  g_autofree char *text = g_strdup_printf ("%s %s", row->detail, fold);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static void
set_focus_key (LoomHeaders *self, const char *key)
{
  char *copy = g_strdup (key);
  g_free (self->focus_key);
  self->focus_key = copy;
  guint row = loom_outline_find (outline_of (self), copy);
  if (row != G_MAXUINT && loom_outline_get_row (outline_of (self), row)->kind == LOOM_ROW_COUNTER)
    loom_view_state_set_counter (loom_area_get_state (LOOM_AREA (self)), copy);
  say_focus (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
set_folded (LoomHeaders *self, const char *key, gboolean folded)
{
  g_autofree char *copy = g_strdup (key); /* the outline's own goes with the layout */
  loom_outline_set_folded (outline_of (self), copy, folded);
  loom_view_state_rows_changed (loom_area_get_state (LOOM_AREA (self)));
  say_focus (self);
}

static void
pressed (LoomHeaders *self, int n_press, double x, double y, GtkGestureClick *gesture)
{
  loom_press_begin (&self->press, GTK_GESTURE (gesture), x, y);
  self->n_press = n_press;
  const LoomOutlineRow *row = row_at (self, y), *edge = edge_at (self, y);
  if (row != NULL)
    set_focus_key (self, edge != NULL ? edge->key : row->key); /* who takes hold of a plot's edge means the plot */
  gtk_widget_grab_focus (GTK_WIDGET (self));                   /* after the key is set, else the focus picks a row of its own */
  if (row == NULL)
    return;
  GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (gesture));
  if (event != NULL && gdk_event_triggers_context_menu (event))
    g_signal_emit (self, signals[ROW_MENU], 0, row->key, x, y);
}

static void
released (LoomHeaders *self, int n_press, double x, double y)
{
  const LoomOutlineRow *row = row_at (self, y);
  if (self->press.button != GDK_BUTTON_PRIMARY || self->moving || row == NULL || !row->foldable || edge_at (self, y) != NULL)
    return;
  if (row->kind == LOOM_ROW_GROUP || loom_headers_is_arrow (row, x) || n_press == 2)
    set_folded (self, row->key, !row->folded);
}

static void
cancelled (LoomHeaders *self, GdkEventSequence *sequence, GtkGesture *gesture)
{
  if (loom_press_was_let_go (&self->press, gesture))
    released (self, self->n_press, self->press.x, self->press.y);
}

static void
pointer_moved (LoomHeaders *self, double x, double y)
{
  guint row = loom_outline_row_at (outline_of (self), y, scroll_of (self));
  loom_view_state_set_pointer (loom_area_get_state (LOOM_AREA (self)), LOOM_TIME_NONE, row, LOOM_SPAN_ID_NONE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), edge_at (self, y) != NULL ? "row-resize" : NULL);
}

static void
pointer_left (LoomHeaders *self)
{
  loom_view_state_set_pointer (loom_area_get_state (LOOM_AREA (self)), LOOM_TIME_NONE, G_MAXUINT, LOOM_SPAN_ID_NONE);
}

static void
drag_begun (LoomHeaders *self, double x, double y)
{
  const LoomOutlineRow *edge = edge_at (self, y), *row = row_at (self, y);
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
resize (LoomHeaders *self, double dy)
{
  double height = CLAMP (self->resize_start_px + dy, MIN_COUNTER_PX, MAX_COUNTER_PX);
  loom_outline_set_row_height (outline_of (self), self->resize_key, height);
  loom_view_state_rows_changed (loom_area_get_state (LOOM_AREA (self)));
}

static void
drag_updated (LoomHeaders *self, double dx, double dy, GtkGestureDrag *gesture)
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
drag_ended (LoomHeaders *self)
{
  guint row = moved_row (self);
  if (row != G_MAXUINT) {
    g_autofree char *before = g_strdup (drop_of (self, row).before);
    if (g_strcmp0 (before, self->move_key) != 0 && loom_outline_move (outline_of (self), self->move_key, before))
      loom_view_state_rows_changed (loom_area_get_state (LOOM_AREA (self)));
  }
  g_clear_pointer (&self->move_key, g_free); /* `moving` stays: the same release is no click */
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
drag_cancelled (LoomHeaders *self)
{
  g_clear_pointer (&self->move_key, g_free); /* `moving` stays here, too */
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
scrolled (LoomHeaders *self, double dx, double dy, GtkEventControllerScroll *controller)
{
  gboolean wheel = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;
  loom_flight_scroll (self->flight, wheel ? dy * 3 * LOOM_STRIP_PX : dy);
  return GDK_EVENT_STOP;
}

/* The first row in view, whole where there is one; G_MAXUINT without rows. */
static guint
first_row_in_view (LoomHeaders *self)
{
  LoomOutline *outline = outline_of (self);
  guint row = loom_outline_row_at (outline, 0, scroll_of (self)), next = row + 1;
  if (row == G_MAXUINT || loom_outline_row_top (outline, row, scroll_of (self)) >= 0 || next >= loom_outline_get_n_rows (outline))
    return row;
  double end = loom_outline_row_top (outline, next, scroll_of (self)) + loom_outline_get_row (outline, next)->height;
  return end <= gtk_widget_get_height (GTK_WIDGET (self)) ? next : row;
}

static void
move_focus (LoomHeaders *self, int step)
{
  LoomOutline *outline = outline_of (self);
  guint n = loom_outline_get_n_rows (outline);
  guint at = loom_headers_get_focus_row (self);
  if (n == 0)
    return;
  guint to = at == G_MAXUINT ? first_row_in_view (self) : (guint) CLAMP ((gint64) at + step, 0, (gint64) n - 1);
  if (to == G_MAXUINT)
    return;
  set_focus_key (self, loom_outline_get_row (outline, to)->key);
  double top = loom_outline_row_top (outline, to, scroll_of (self));
  double bottom = top + loom_outline_get_row (outline, to)->height;
  double first = loom_outline_get_row (outline, to)->pinned ? 0 : loom_outline_get_pinned_height (outline);
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  if (top < first)
    loom_flight_scroll (self->flight, top - first);
  else if (bottom > height)
    loom_flight_scroll (self->flight, MIN (bottom - height, top - first));
}

static gboolean
fold_focused (LoomHeaders *self, int wish)
{
  guint at = loom_headers_get_focus_row (self);
  const LoomOutlineRow *row = at != G_MAXUINT ? loom_outline_get_row (outline_of (self), at) : NULL;
  if (row == NULL || !row->foldable)
    return GDK_EVENT_STOP;
  gboolean folded = wish < 0 ? !row->folded : wish == 1;
  if (folded != row->folded)
    set_folded (self, row->key, folded);
  return GDK_EVENT_STOP;
}

static gboolean
open_menu (LoomHeaders *self)
{
  guint at = loom_headers_get_focus_row (self);
  if (at == G_MAXUINT)
    return GDK_EVENT_PROPAGATE;
  g_signal_emit (self, signals[ROW_MENU], 0, loom_outline_get_row (outline_of (self), at)->key, 24.0,
                 loom_outline_row_top (outline_of (self), at, scroll_of (self)) + 12);
  return GDK_EVENT_STOP;
}

static gboolean
key_pressed (LoomHeaders *self, guint keyval, guint keycode, GdkModifierType state)
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

/* The focus also comes when the widget that had it goes away: that must not scroll what is looked at. */
static void
focus_changed (LoomHeaders *self)
{
  gboolean picks = gtk_widget_has_focus (GTK_WIDGET (self)) && loom_headers_get_focus_row (self) == G_MAXUINT;
  guint row = picks ? first_row_in_view (self) : G_MAXUINT;
  if (row != G_MAXUINT)
    set_focus_key (self, loom_outline_get_row (outline_of (self), row)->key);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const LoomOutlineRow *row = keyboard ? NULL : row_at (LOOM_HEADERS (widget), y);
  if (row == NULL || row->detail == NULL || *row->detail == '\0' || loom_popover_is_open (widget))
    return FALSE;
  loom_shown_text_set_tooltip (tooltip, row->detail);
  return TRUE;
}

static void
finalize (GObject *object)
{
  g_free (LOOM_HEADERS (object)->focus_key);
  g_free (LOOM_HEADERS (object)->resize_key);
  g_free (LOOM_HEADERS (object)->move_key);
  G_OBJECT_CLASS (loom_headers_parent_class)->finalize (object);
}

static void
loom_headers_class_init (LoomHeadersClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  GTK_WIDGET_CLASS (klass)->query_tooltip = query_tooltip;
  LOOM_AREA_CLASS (klass)->paint = paint;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "headers");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_TREE);
  signals[ROW_MENU] = g_signal_new ("row-menu", LOOM_TYPE_HEADERS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                    3, G_TYPE_STRING, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
add_pointer (LoomHeaders *self)
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
loom_headers_init (LoomHeaders *self)
{
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  add_pointer (self);
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect (self, "notify::has-focus", G_CALLBACK (focus_changed), NULL);
}

GtkWidget *
loom_headers_new (LoomScene *scene, LoomFlight *flight)
{
  LoomHeaders *self = g_object_new (LOOM_TYPE_HEADERS, NULL);
  loom_area_set_scene (LOOM_AREA (self), scene);
  loom_area_set_natural_size (LOOM_AREA (self), LOOM_HEADER_PX, -1);
  self->flight = flight;
  g_signal_connect_object (loom_scene_get_state (scene), "rows-changed", G_CALLBACK (say_focus), self, G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Tracks"), -1);
  return GTK_WIDGET (self);
}
