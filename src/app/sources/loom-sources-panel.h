/* SPDX-License-Identifier: Apache-2.0
 *
 * The sidebar: the open sources by node and rank, with the states of their clocks and the numbers of their problems. A click on a
 * line shows only its sources; a second click on the same line, or "Show All", shows everything again. A double click moves the
 * view to the sources. A secondary click, or the Menu key, opens a menu (loom-source-actions.h); F2 describes, Delete removes.
 *
 * Signals: "isolated" (char **paths, NULL for all); "went-to" (LoomSourceItem *).
 */
#pragma once

#include "loom-source-item.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_SOURCES_PANEL (loom_sources_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomSourcesPanel, loom_sources_panel, LOOM, SOURCES_PANEL, GtkWidget)

/* `timeline` may be NULL. Folded and isolated lines are kept. */
void loom_sources_panel_set_timeline (LoomSourcesPanel *self, LoomTimeline *timeline);
/* Sets the names and other edits of sources; copied. */
void loom_sources_panel_set_edits (LoomSourcesPanel *self, const LoomSourceOverrides *edits);
