/* SPDX-License-Identifier: Apache-2.0
 *
 * The panel below the timeline. It shows the details of the selected span. If no span is selected, it shows tables of
 * the names, ranks and counters in a range, which is the selected range or another scope. The tables are updated when
 * the range changes.
 *
 * Signals: "span-chosen" (guint trace, guint span) when the user activates a name or a link to another span;
 * "rank-chosen" (guint trace, guint span) when the user activates a rank: `span` is a span on the rank's device.
 */
#pragma once

#include "loom-analysis-context.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_SELECTION_PANEL (loom_selection_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomSelectionPanel, loom_selection_panel, LOOM, SELECTION_PANEL, GtkWidget)

/* Sets the analysis context, which computes ranges. The scope of the panel does not depend on the scope of the
 * context. May be called only once. */
void loom_selection_panel_set_analysis (LoomSelectionPanel *self, LoomAnalysisContext *analysis);

/* Sets the scope of the tables, which are shown if no span is selected. The default is LOOM_RANGE_SCOPE_SELECTION. */
void loom_selection_panel_set_scope (LoomSelectionPanel *self, LoomRangeScope scope);
LoomRangeScope loom_selection_panel_get_scope (LoomSelectionPanel *self);

/* Computes the tables again. Must be called when the user shows or hides sources. */
void loom_selection_panel_sources_changed (LoomSelectionPanel *self);
/* Shows the new names of sources. Must be called when the user has renamed sources. */
void loom_selection_panel_names_changed (LoomSelectionPanel *self);

/* Returns the contents of the panel as text for the clipboard; owned by the caller. */
char *loom_selection_panel_dup_text (LoomSelectionPanel *self);
/* Returns the stack with the pages "names", "ranks" and "counters", which have the statistics of a range. Borrowed. */
GtkStack *loom_selection_panel_get_tables (LoomSelectionPanel *self);
