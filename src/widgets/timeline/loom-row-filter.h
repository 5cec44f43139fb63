/* SPDX-License-Identifier: Apache-2.0
 *
 * The bar above the rows in which the user enters a filter. Only rows whose path contains the text are shown. Closing
 * the bar shows all rows again.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_ROW_FILTER (loom_row_filter_get_type ())
G_DECLARE_FINAL_TYPE (LoomRowFilter, loom_row_filter, LOOM, ROW_FILTER, GtkWidget)

/* Sets the state whose rows are filtered; takes a reference. Must be called once, before use. */
void loom_row_filter_set_state (LoomRowFilter *self, LoomTimelineState *state);
/* Opens or closes the bar. Opening moves the focus to the entry. After closing, the caller must move the focus, for
 * example in a handler of the signal "closed". */
void loom_row_filter_set_open (LoomRowFilter *self, gboolean open);
/* Sets the filter text as if the user had typed it, but applies it without the delay after typing,
 * and does not move the focus; "" closes the bar. */
void loom_row_filter_set_text (LoomRowFilter *self, const char *text);
gboolean loom_row_filter_is_open (LoomRowFilter *self);
