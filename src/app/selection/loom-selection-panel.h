/* SPDX-License-Identifier: Apache-2.0
 *
 * The panel below the timeline: the selected span in full, or what ran in a range: the selected one, or another that was
 * chosen, followed as it changes.
 * Signals: "span-chosen" (guint trace, guint span); "close".
 */
#pragma once

#include "loom-analysis-context.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_SELECTION_PANEL (loom_selection_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomSelectionPanel, loom_selection_panel, LOOM, SELECTION_PANEL, GtkWidget)

/* Where the ranges come from; its scope is not this one's. Once. */
void loom_selection_panel_set_analysis (LoomSelectionPanel *self, LoomAnalysisContext *analysis);

/* The range the tables are of while no span is selected. LOOM_RANGE_SCOPE_SELECTION when new. */
void loom_selection_panel_set_scope (LoomSelectionPanel *self, LoomRangeScope scope);
LoomRangeScope loom_selection_panel_get_scope (LoomSelectionPanel *self);

/* Other sources are isolated: a range is counted anew. */
void loom_selection_panel_sources_changed (LoomSelectionPanel *self);
/* Sources are called something else. */
void loom_selection_panel_names_changed (LoomSelectionPanel *self);

/* The line above: of which range the figures are. */
const char *loom_selection_panel_get_summary (LoomSelectionPanel *self);
/* What is shown, as text for the clipboard; owned. */
char *loom_selection_panel_dup_text (LoomSelectionPanel *self);
/* The pages "names" and "counters" of a range. */
GtkStack *loom_selection_panel_get_tables (LoomSelectionPanel *self);

G_END_DECLS
