/* SPDX-License-Identifier: Apache-2.0
 *
 * How a counter's plot shows it: the actions, for its row's menu and the command palette. They are about the counter that
 * was pointed at or had the focus last, else the first one there is (loom_timeline_state_get_counter()).
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Installs the group "counter" on `widget`: "quantity" (value, difference, rate), "stacked", "logarithmic", "lay-over". The
 * last pops up the chooser beside the row, whose top is `place_of`'s answer in coordinates of `widget`. Returns the group,
 * borrowed from the widget. */
typedef void (*LoomPlaceOfRow) (GtkWidget *widget, guint row, double *x, double *y);
GActionGroup *loom_counter_actions_install (GtkWidget *widget, LoomTimelineState *state, LoomPlaceOfRow place_of);

/* What of it fits the row, at the end of a menu. */
void loom_counter_actions_append (GMenu *menu, const LoomTimelineRow *row);
