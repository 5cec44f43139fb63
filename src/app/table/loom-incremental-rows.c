/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-incremental-rows.h"

#define KEY "loom-row-supply" /* a model stores its LoomIncrementalRows as object data with this key */
#define FIRST 8               /* number of rows added immediately after a reset */
/* number of rows added before the user begins to use the table; larger than the number of rows that are visible
 * without scrolling */
#define AT_REST 16
#define STEP 2
/* when this many rows have been added, all remaining rows are added at once, because GTK makes no widgets for them
 * until the user scrolls */
#define ENOUGH 256

static guint
count_wanted (const LoomIncrementalRows *self)
{
  return self->wants_all ? self->n_all : MIN (self->n_all, MAX (AT_REST, self->n_shown));
}

static void
tell_stale (LoomIncrementalRows *self)
{
  guint at = gtk_bitset_get_minimum (self->stale), n = 1;
  while (n < STEP && gtk_bitset_contains (self->stale, at + n))
    n++;
  gtk_bitset_remove_range (self->stale, at, n);
  if (at + n <= self->n_shown)
    g_list_model_items_changed (self->model, at, n, n);
}

static void
add (LoomIncrementalRows *self, guint n)
{
  guint at = self->n_shown;
  self->n_shown += n;
  g_list_model_items_changed (self->model, at, 0, n);
}

/* Returns TRUE if the rows that have been added do not fill the view, so that the user would see further rows. Must be
 * called after each step, because GTK does not report changes of the adjustment while all rows fit into the view. */
static gboolean
has_room (const LoomIncrementalRows *self)
{
  return self->room != NULL && self->n_shown < self->n_all && self->n_shown >= count_wanted (self) &&
         gtk_adjustment_get_upper (self->room) <= gtk_adjustment_get_page_size (self->room) &&
         gtk_adjustment_get_page_size (self->room) > 0;
}

/* Adds the next rows. Returns FALSE if all rows have been added. */
static gboolean
advance (gpointer supply)
{
  LoomIncrementalRows *self = supply;
  self->wants_all |= has_room (self);
  guint left = count_wanted (self) - self->n_shown;
  if (!gtk_bitset_is_empty (self->stale))
    tell_stale (self);
  else if (left > 0)
    add (self, self->n_shown < ENOUGH ? MIN (left, STEP) : left);
  else
    return FALSE;
  return TRUE;
}

static void
begin (LoomIncrementalRows *self)
{
  if (self->n_shown < count_wanted (self) || !gtk_bitset_is_empty (self->stale))
    loom_idle_queue_begin (&self->turns);
}

void
loom_incremental_rows_init (LoomIncrementalRows *self, GListModel *model)
{
  *self = (LoomIncrementalRows) { .model = model, .stale = gtk_bitset_new_empty () };
  loom_idle_queue_init (&self->turns, advance, self);
  g_object_set_data (G_OBJECT (model), KEY, self);
}

void
loom_incremental_rows_clear (LoomIncrementalRows *self)
{
  loom_idle_queue_stop (&self->turns);
  g_clear_weak_pointer (&self->room);
  g_clear_pointer (&self->stale, gtk_bitset_unref);
}

void
loom_incremental_rows_reset (LoomIncrementalRows *self, guint n_all)
{
  guint n_before = self->n_shown;
  gtk_bitset_remove_all (self->stale);
  self->n_all = n_all;
  self->n_shown = self->at_once ? n_all : MIN (n_all, FIRST);
  g_list_model_items_changed (self->model, 0, n_before, self->n_shown);
  begin (self);
}

void
loom_incremental_rows_refresh (LoomIncrementalRows *self, GtkBitset *positions)
{
  gtk_bitset_union (self->stale, positions);
  gtk_bitset_unref (positions);
  begin (self);
}

void
loom_incremental_rows_want_all (LoomIncrementalRows *self)
{
  self->wants_all = TRUE;
  begin (self);
}

void
loom_incremental_rows_show_all (LoomIncrementalRows *self)
{
  if (self->n_shown < self->n_all)
    add (self, self->n_all - self->n_shown);
}

/* --- all rows, once the user uses the table ----------------------------------------------------------------------- */

static void
somebody_came (GListModel *model)
{
  loom_incremental_rows_want_all (g_object_get_data (G_OBJECT (model), KEY));
}

static gboolean
scrolled (GListModel *model)
{
  somebody_came (model);
  return GDK_EVENT_PROPAGATE;
}

static void
room_changed (GListModel *model)
{
  LoomIncrementalRows *self = g_object_get_data (G_OBJECT (model), KEY);
  if (has_room (self))
    loom_incremental_rows_want_all (self);
}

void
loom_incremental_rows_watch (GListModel *model, GtkScrolledWindow *rows)
{
  GtkEventController *motion = gtk_event_controller_motion_new (), *focus = gtk_event_controller_focus_new ();
  GtkEventController *wheel = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (rows);
  LoomIncrementalRows *self = g_object_get_data (G_OBJECT (model), KEY);
  g_set_weak_pointer (&self->room, adjustment);
  g_signal_connect_object (motion, "enter", G_CALLBACK (somebody_came), model, G_CONNECT_SWAPPED);
  g_signal_connect_object (focus, "enter", G_CALLBACK (somebody_came), model, G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (somebody_came), model, G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (room_changed), model, G_CONNECT_SWAPPED);
  g_signal_connect_object (wheel, "scroll", G_CALLBACK (scrolled), model, G_CONNECT_SWAPPED);
  gtk_event_controller_set_propagation_phase (wheel, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (gtk_scrolled_window_get_vscrollbar (rows), motion);
  gtk_widget_add_controller (GTK_WIDGET (rows), wheel);
  gtk_widget_add_controller (GTK_WIDGET (rows), focus);
}
