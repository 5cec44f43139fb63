/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-narrow-table.h"

#define WATCH "loom-narrow-table"

typedef struct {
  GtkScrolledWindow *scrolled; /* `scrolled` and `owner` are borrowed */
  GtkAdjustment *columns;      /* horizontal adjustment of the table's scrolled window */
  void (*changed) (gpointer owner);
  gpointer owner;
  guint idle; /* id of the GLib idle source that calls `changed`; 0 if no call is scheduled */
  gboolean is_narrow;
} Watch;

static double
get_width (GtkScrolledWindow *scrolled)
{
  return gtk_adjustment_get_page_size (gtk_scrolled_window_get_hadjustment (scrolled));
}

gboolean
loom_narrow_table_is (GtkScrolledWindow *scrolled)
{
  double width = get_width (scrolled);
  return width > 0 && width < LOOM_NARROW_TABLE_PX;
}

static gboolean
tell (gpointer data)
{
  Watch *self = data;
  gboolean is_narrow = loom_narrow_table_is (self->scrolled);
  self->idle = 0;
  if (is_narrow != self->is_narrow) {
    self->is_narrow = is_narrow;
    self->changed (self->owner);
  }
  return G_SOURCE_REMOVE;
}

/* Schedules a call of `changed`. Does not call it directly: the width changes during size allocation, and `changed` may
 * request another size for widgets, which is not allowed during size allocation. */
static void
width_changed (Watch *self)
{
  if (self->idle == 0 && loom_narrow_table_is (self->scrolled) != self->is_narrow)
    self->idle = g_idle_add_full (GTK_PRIORITY_RESIZE, tell, self, NULL);
}

static void
free_watch (gpointer data)
{
  Watch *self = data;
  g_clear_handle_id (&self->idle, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->columns, self);
  g_object_unref (self->columns);
  g_free (self);
}

void
loom_narrow_table_watch (GtkScrolledWindow *scrolled, void (*changed) (gpointer owner), gpointer owner)
{
  Watch *self = g_new0 (Watch, 1);
  *self = (Watch) { .scrolled = scrolled,
                    .columns = g_object_ref (gtk_scrolled_window_get_hadjustment (scrolled)),
                    .changed = changed,
                    .owner = owner,
                    .is_narrow = loom_narrow_table_is (scrolled) };
  g_signal_connect_swapped (self->columns, "notify::page-size", G_CALLBACK (width_changed), self);
  g_object_set_data_full (G_OBJECT (scrolled), WATCH, self, free_watch);
}
