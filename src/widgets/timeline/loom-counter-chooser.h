/* SPDX-License-Identifier: Apache-2.0
 *
 * Which counters lie over a counter's plot: a list of all there are, with a check mark each, and an entry that finds
 * among them. What is checked is laid over at once.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Pops up at a point of `widget`, for the counter of that key. */
void loom_counter_chooser_popup (GtkWidget *widget, LoomTimelineState *state, const char *key, double x, double y);
