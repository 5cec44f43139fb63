/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions on a row of the timeline, and a menu with those that apply to a row.
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
