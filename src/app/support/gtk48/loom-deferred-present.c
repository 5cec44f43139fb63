/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-deferred-present.h"

typedef struct {
  GtkWindow *window; /* the window to present; NULL if it was destroyed */
} Shown;

static gboolean
present (gpointer user_data)
{
  Shown *shown = user_data;
  if (shown->window != NULL)
    gtk_window_present (shown->window);
  return G_SOURCE_REMOVE;
}

static void
shown_free (gpointer user_data)
{
  Shown *shown = user_data;
  g_clear_weak_pointer (&shown->window);
  g_free (shown);
}

void
loom_deferred_present_present (GtkWindow *window)
{
  g_return_if_fail (GTK_IS_WINDOW (window));
  Shown *shown = g_new0 (Shown, 1);
  g_set_weak_pointer (&shown->window, window);
  g_idle_add_full (G_PRIORITY_HIGH_IDLE, present, shown, shown_free);
}
