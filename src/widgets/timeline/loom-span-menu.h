/* SPDX-License-Identifier: Apache-2.0
 *
 * Defines the actions for a span, such as zooming to it, in the action group "span". The parameter of each action is
 * the span. Also makes context menu items for the actions that are possible for a span. The functions must be called on
 * the main thread.
 */
#pragma once

#include "loom-view-animator.h"

#include <gtk/gtk.h>

/* Installs the action group "span" on the widget. `flight`: the animator of the view; its state must live longer than
 * the widget. */
void loom_span_menu_install (GtkWidget *widget, LoomViewAnimator *flight);

/* Appends the items for a span of the state's timeline. The title of the first section is the name of the span. O(flows
 * of the span · log n). */
void loom_span_menu_append (GMenu *menu, LoomTimelineState *state, LoomSpanId span);
