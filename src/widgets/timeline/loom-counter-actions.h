/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions for the display mode of a counter's plot, for the menu of its row and the command palette. They apply to the
 * counter that was last under the pointer or focused, else to the first counter (loom_timeline_state_get_counter()).
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Installs the action group "counter" on `widget`, with the actions "quantity" (value, difference, rate), "stacked",
 * "logarithmic" and "lay-over". The last one opens the chooser of counters at the position of the row, which
 * `place_of` returns in coordinates of `widget`. Returns the group, borrowed from the widget. */
typedef void (*LoomPlaceOfRow) (GtkWidget *widget, guint row, double *x, double *y);
GActionGroup *loom_counter_actions_install (GtkWidget *widget, LoomTimelineState *state, LoomPlaceOfRow place_of);

/* Appends the items for the counters of a row to a menu. */
void loom_counter_actions_append (GMenu *menu, const LoomTimelineRow *row);
