/* SPDX-License-Identifier: Apache-2.0
 *
 * The sidebar: it lists the open sources by node and rank, with the states of their clocks and the numbers of their
 * problems. A click on a line shows only its sources on the timeline; a second click, or "Show All", shows all sources
 * again. A double click scrolls the timeline to the sources. A secondary click or the Menu key opens a menu
 * (loom-source-actions.h). F2 opens the dialog to rename sources; Delete removes sources. Main thread only.
 *
 * Signals: "isolated" (char **paths) when only these sources shall be shown, or all sources if the parameter is NULL.
 * "went-to" (LoomSourceItem *) when the user double-clicked a line.
 */
#pragma once

#include "loom-source-item.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_SOURCES_PANEL (loom_sources_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomSourcesPanel, loom_sources_panel, LOOM, SOURCES_PANEL, GtkWidget)

/* Sets the timeline, which may be NULL, and the name of the run for the title, which is copied. Keeps which lines
 * are collapsed and which sources are shown alone. */
void loom_sources_panel_set_timeline (LoomSourcesPanel *self, LoomTimeline *timeline, const char *name);
/* Sets the user's changes to sources, such as names and hidden sources; copied. */
void loom_sources_panel_set_edits (LoomSourcesPanel *self, const LoomSourceOverrides *edits);
