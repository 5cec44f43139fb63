/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads the icon theme on another thread, so that the main thread doesn't load it when the first window appears. Called
 * on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Begins to load the theme if it is not loaded yet. `done` is called on the main thread when it is loaded; NULL: not
 * called. */
void loom_icon_theme_preload_start (GtkIconTheme *theme, GAsyncReadyCallback done, gpointer user_data);
