/* SPDX-License-Identifier: Apache-2.0
 *
 * A popover in which the user chooses other counters to draw over the plot of a counter: a list of all counters with
 * check buttons, and an entry to search them. Each choice takes effect at once.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Shows the popover for the plot of the counter with this key, at a point of `widget`. */
void loom_counter_chooser_popup (GtkWidget *widget, LoomTimelineState *state, const char *key, double x, double y);
