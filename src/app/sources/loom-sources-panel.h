/* SPDX-License-Identifier: Apache-2.0
 *
 * The sidebar: the open sources by node and rank, with the states of their clocks and the numbers of their problems. A
 * click on a line shows only its sources; a second click on the line, or "Show All", shows all sources again. A double
 * click moves the view to the sources. A secondary click or the Menu key opens a menu (loom-source-actions.h); F2 opens
 * the dialog for names, Delete removes sources.
 *
 * Signals: "isolated" (char **paths; NULL: all sources); "went-to" (LoomSourceItem *).
 */
#pragma once

#include "loom-source-item.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_SOURCES_PANEL (loom_sources_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomSourcesPanel, loom_sources_panel, LOOM, SOURCES_PANEL, GtkWidget)

/* Sets the timeline, which may be NULL, and the name of the run for the title, which is copied. Folded and isolated
 * lines are kept. */
void loom_sources_panel_set_timeline (LoomSourcesPanel *self, LoomTimeline *timeline, const char *name);
/* Sets the names and other edits of sources; copied. */
void loom_sources_panel_set_edits (LoomSourcesPanel *self, const LoomSourceOverrides *edits);
