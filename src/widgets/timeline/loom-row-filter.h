/* SPDX-License-Identifier: Apache-2.0
 *
 * The bar above the rows that leaves only those whose path contains a text. Closing it brings all rows back.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_ROW_FILTER (loom_row_filter_get_type ())
G_DECLARE_FINAL_TYPE (LoomRowFilter, loom_row_filter, LOOM, ROW_FILTER, GtkWidget)

/* The rows to filter; a reference is taken. Once, before the bar is used. */
void loom_row_filter_set_state (LoomRowFilter *self, LoomTimelineState *state);
/* Opening takes the focus; closing leaves it to the caller: signal "closed". */
void loom_row_filter_set_open (LoomRowFilter *self, gboolean open);
/* As if it was typed, at once, without taking the focus; "" closes the bar. */
void loom_row_filter_set_text (LoomRowFilter *self, const char *text);
gboolean loom_row_filter_is_open (LoomRowFilter *self);
