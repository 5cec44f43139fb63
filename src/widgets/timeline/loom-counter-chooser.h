/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses which counters are drawn over a counter's plot: a list of all counters with check marks, and an entry to
 * search them. Changes take effect at once.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Shows the chooser of counters to lay over the counter with this key, at a point of `widget`. */
void loom_counter_chooser_popup (GtkWidget *widget, LoomTimelineState *state, const char *key, double x, double y);
