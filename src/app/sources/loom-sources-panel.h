/* SPDX-License-Identifier: Apache-2.0
 *
 * The sidebar: what is open, by node and rank, with the state of its clock and the number of its problems. A click shows
 * only that; another click on the same line, or "Show all", shows everything again. A double click goes there. A secondary
 * click, or the Menu key, opens what else can be done (loom-source-actions.h); F2 describes, Delete removes.
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
