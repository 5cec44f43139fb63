/* SPDX-License-Identifier: Apache-2.0
 *
 * A bar in which the user enters a text to filter the rows of the timeline. Only rows whose path contains the text are
 * shown. Closing the bar shows all rows again.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_ROW_FILTER (loom_row_filter_get_type ())
G_DECLARE_FINAL_TYPE (LoomRowFilter, loom_row_filter, LOOM, ROW_FILTER, GtkWidget)

/* Sets the state whose rows are filtered; takes a reference. Must be called once, before use. */
void loom_row_filter_set_state (LoomRowFilter *self, LoomTimelineState *state);
/* Opens or closes the bar. Opening the bar moves the focus to its entry. After the bar was closed, the caller must move
 * the focus, for example in a handler of the signal "closed". */
void loom_row_filter_set_open (LoomRowFilter *self, gboolean open);
/* Sets the text of the filter, as if the user had typed it, but applies it without a delay and without moving the
 * focus. "" closes the bar. */
void loom_row_filter_set_text (LoomRowFilter *self, const char *text);
gboolean loom_row_filter_is_open (LoomRowFilter *self);
