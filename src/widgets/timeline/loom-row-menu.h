/* SPDX-License-Identifier: Apache-2.0
 *
 * The actions for a row of the timeline, such as folding or hiding it, and the context menu of a row.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Installs the action group "row" on `widget`; the actions change the row list of the state. */
void loom_row_menu_install (GtkWidget *widget, LoomTimelineState *state);

/* Shows the menu of a row at a point of `widget`. If `span` is not LOOM_SPAN_ID_NONE, the menu also has the items for
 * this span (loom-span-menu.h). */
void loom_row_menu_popup (GtkWidget *widget, LoomTimelineState *state, const char *key, LoomSpanId span, double x,
                          double y);
