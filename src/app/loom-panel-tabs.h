/* SPDX-License-Identifier: Apache-2.0
 *
 * The row above the panels: which one is seen, and which range it speaks of. Where the tabs have no room they become a
 * list to choose from. Main thread.
 */
#pragma once

#include "loom-analysis.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_PANEL_TABS (loom_panel_tabs_get_type ())
G_DECLARE_FINAL_TYPE (LoomPanelTabs, loom_panel_tabs, LOOM, PANEL_TABS, GtkWidget)

GtkWidget *loom_panel_tabs_new (GtkStack *stack, LoomAnalysis *analysis);
/* The choice of the range; for pages that always speak of the selection it is not there. */
void loom_panel_tabs_set_has_range (LoomPanelTabs *tabs, gboolean has_range);
/* Call after pages of the stack were shown or hidden. */
void loom_panel_tabs_pages_changed (LoomPanelTabs *tabs);
GtkDropDown *loom_panel_tabs_get_range (LoomPanelTabs *tabs);

G_END_DECLS
