/* SPDX-License-Identifier: Apache-2.0
 *
 * The popover in which the user edits the label of a mark. Enter saves the text, Escape closes the popover without
 * saving.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Shows the popover at a point of `widget`, for the mark at `time_ns`. The popover is destroyed when it closes. */
void loom_mark_popover_popup (GtkWidget *widget, LoomTimelineState *state, gint64 time_ns, double x, double y);
