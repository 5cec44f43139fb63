/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be done with a span: the actions of the group "span", each with the span as its parameter, and the sections of a
 * menu that offer those that fit. Main thread only.
 */
#pragma once

#include "loom-view-animator.h"

#include <gtk/gtk.h>

/* Adds the group "span" to the widget. The state of `flight` outlives it. */
void loom_span_menu_install (GtkWidget *widget, LoomViewAnimator *flight);

/* Appends the sections for a span, which is one of the state's timeline: its name is the title of the first one. O(flows of the
 * span · log n). */
void loom_span_menu_append (GMenu *menu, LoomTimelineState *state, LoomSpanId span);
