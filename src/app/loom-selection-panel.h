/* SPDX-License-Identifier: Apache-2.0
 *
 * The panel below the timeline: the selected span in full, or what ran in the selected range.
 * Signals: "span-chosen" (guint trace, guint span); "close".
 */
#pragma once

#include "loom-view-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_SELECTION_PANEL (loom_selection_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomSelectionPanel, loom_selection_panel, LOOM, SELECTION_PANEL, GtkWidget)

/* Follows the state's selection. Once. */
void loom_selection_panel_set_state (LoomSelectionPanel *panel, LoomViewState *state);

/* Other sources are isolated: a range is counted anew. */
void loom_selection_panel_sources_changed (LoomSelectionPanel *panel);

/* What is shown, as text for the clipboard; owned. */
char *loom_selection_panel_dup_text (LoomSelectionPanel *panel);

G_END_DECLS
