/* SPDX-License-Identifier: Apache-2.0
 *
 * The small popover in which a mark gets its note. Enter keeps what is written, Escape does not.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Pops up at a point of `widget`, for the mark at `time_ns`. Gone when it closes. */
void loom_mark_popover_popup (GtkWidget *widget, LoomTimelineState *state, gint64 time_ns, double x, double y);
