/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions that change how the plot of a counter is displayed, for the menu of the counter's row and the command
 * palette. They apply to the current counter: the counter that was last under the pointer or focused; if there is none,
 * the first counter (loom_timeline_state_get_counter()).
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Installs the action group "counter" on `widget`. Its actions are "quantity" (value, difference, rate), "stacked",
 * "logarithmic" and "lay-over". The action "lay-over" opens the chooser of counters at a point of the current row;
 * `place_of` sets x and y to this point, in coordinates of `widget`. Returns the group, borrowed from the widget. */
typedef void (*LoomPlaceOfRow) (GtkWidget *widget, guint row, double *x, double *y);
GActionGroup *loom_counter_actions_install (GtkWidget *widget, LoomTimelineState *state, LoomPlaceOfRow place_of);

/* Appends the menu items that change how the counters of the row are displayed. */
void loom_counter_actions_append (GMenu *menu, const LoomTimelineRow *row);
