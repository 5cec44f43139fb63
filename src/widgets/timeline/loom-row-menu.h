/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be done to a row of the timeline: the actions, and the menu that offers those that fit.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

/* Installs the group "row" on `widget`; the actions change the state's outline. */
void loom_row_menu_install (GtkWidget *widget, LoomTimelineState *state);

/* Pops up the menu of a row at a point of `widget`. */
void loom_row_menu_popup (GtkWidget *widget, LoomTimelineState *state, const char *key, double x, double y);
