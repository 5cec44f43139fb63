/* SPDX-License-Identifier: Apache-2.0
 *
 * The row above the panels: tabs that choose the panel, and the range of the visible panel. Tabs that do not fit are replaced by
 * a drop-down list. Main thread.
 *
 * Signals: "scope-chosen" (guint LoomRangeScope) when a person chose a range for the visible panel; "back-clicked" when they clicked
 * the button that returns to the previous range.
 */
#pragma once

#include "loom-analysis-context.h"
#include "loom-threshold-button.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_PANEL_TABS (loom_panel_tabs_get_type ())
G_DECLARE_FINAL_TYPE (LoomPanelTabs, loom_panel_tabs, LOOM, PANEL_TABS, GtkWidget)

GtkWidget *loom_panel_tabs_new (GtkStack *stack);
/* Shows the scope of the visible panel; LOOM_N_RANGE_SCOPES: the panel has no choice of scope. */
void loom_panel_tabs_set_scope (LoomPanelTabs *self, LoomRangeScope scope);
/* Shows a button that returns to this scope, after another one was shown automatically; LOOM_N_RANGE_SCOPES: no
 * button. */
void loom_panel_tabs_set_back (LoomPanelTabs *self, LoomRangeScope before);
/* Call after pages of the stack were shown or hidden. */
void loom_panel_tabs_pages_changed (LoomPanelTabs *self);
GtkDropDown *loom_panel_tabs_get_range (LoomPanelTabs *self);
LoomThresholdButton *loom_panel_tabs_get_thresholds (LoomPanelTabs *self);
