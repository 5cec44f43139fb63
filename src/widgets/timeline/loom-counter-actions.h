/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions for the display mode of a counter's plot, for the menu of its row and the command palette. They apply to the
 * counter that was last under the pointer or focused, else to the first counter (loom_timeline_state_get_counter()).
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Installs the action group "counter" on `widget`. Its actions are "quantity" (value, difference, rate), "stacked",
 * "logarithmic" and "lay-over". "lay-over" opens the chooser of counters at a point of the current row, which
 * `place_of` sets in coordinates of `widget`. Returns the group, borrowed from the widget. */
typedef void (*LoomPlaceOfRow) (GtkWidget *widget, guint row, double *x, double *y);
GActionGroup *loom_counter_actions_install (GtkWidget *widget, LoomTimelineState *state, LoomPlaceOfRow place_of);

/* Appends the menu items for the counters that a row shows. */
void loom_counter_actions_append (GMenu *menu, const LoomTimelineRow *row);
