/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves the keyboard focus from one pane of a window to the next. Panes are the widgets with the CSS class "pane" in
 * the .ui files, such as the header, the view switcher, the list of sources and the content. Panes are ordered from top
 * to bottom; panes at the same height are ordered in reading direction. A pane may contain other panes. Main thread
 * only.
 */
#pragma once

#include <gtk/gtk.h>

#define LOOM_PANE_FOCUS_CLASS "pane"

/* Moves the focus from its pane to the next or previous visible pane that can take the focus; after the last pane
 * comes the first. If the focus is in no pane, moves it to the first or last pane. Returns FALSE if no pane can take
 * the focus. O(widgets outside panes). */
gboolean loom_pane_focus_move (GtkWidget *window, gboolean forward);

/* Adds the actions "next-pane" and "previous-pane". Their keys are in the table of commands (loom-commands.h).
 * `window` must live as long as `actions`. */
void loom_pane_focus_add_actions (GActionMap *actions, GtkWidget *window);
