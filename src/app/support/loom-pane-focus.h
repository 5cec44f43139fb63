/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves the keyboard focus from one pane of a window to the next: its header, view switcher, list of sources or pages,
 * content, drawer. The panes are the widgets with the CSS class "pane" in the .ui files, from top to bottom
 * and in reading direction. A pane may contain others. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#define LOOM_PANE_FOCUS_CLASS "pane"

/* Moves the focus from the pane that has it to the next or previous visible pane that can take the focus; the order is
 * circular. If no pane has the focus, starts at the first or last pane. Returns FALSE if no pane can take the focus.
 * O(widgets outside panes). */
gboolean loom_pane_focus_move (GtkWidget *window, gboolean forward);

/* Adds the actions "next-pane" and "previous-pane", whose keys are in the table of commands. `window` must live as long
 * as `actions`. */
void loom_pane_focus_add_actions (GActionMap *actions, GtkWidget *window);
