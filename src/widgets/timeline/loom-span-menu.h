/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be done with a span: the actions of the group "span", each with the span as its parameter, and the sections of a
 * menu that offer those that fit. Main thread only.
 */
#pragma once

#include "loom-view-animator.h"

#include <gtk/gtk.h>

/* Installs the action group "span" on the widget. The state of `flight` must outlive the widget. */
void loom_span_menu_install (GtkWidget *widget, LoomViewAnimator *flight);

/* Appends the items for a span of the state's timeline. The first section of the menu gets the name of the span as its
 * title. O(flows of the span · log n). */
void loom_span_menu_append (GMenu *menu, LoomTimelineState *state, LoomSpanId span);
