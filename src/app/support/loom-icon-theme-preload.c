/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-icon-theme-preload.h"

/* Looks up an icon, no matter which, because GTK loads the theme for that. GTK allows lookups on any thread; a lookup on
 * the main thread waits for them. */
static void
load (GTask *task, gpointer theme, gpointer data, GCancellable *cancellable)
{
  gtk_icon_theme_has_icon (theme, "open-menu-symbolic");
  g_task_return_boolean (task, TRUE);
}

void
loom_icon_theme_preload_start (GtkIconTheme *theme, GAsyncReadyCallback done, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (theme, NULL, done, user_data);
  g_task_run_in_thread (task, load);
}
