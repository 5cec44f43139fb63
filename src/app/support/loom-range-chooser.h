/* SPDX-License-Identifier: Apache-2.0
 *
 * A drop-down with which the user chooses the scope of results: the range that they cover, such as the whole run or the
 * visible range. A range that the user selects on the timeline becomes the scope; a button then returns to the previous
 * scope. Called on the main thread.
 *
 * Signals: "scope-chosen" (guint LoomRangeScope) when the user selects a scope; "back-clicked" when the user clicks the
 * button.
 */
#pragma once

#include "loom-analysis-context.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_RANGE_CHOOSER (loom_range_chooser_get_type ())
G_DECLARE_FINAL_TYPE (LoomRangeChooser, loom_range_chooser, LOOM, RANGE_CHOOSER, GtkWidget)

/* Sets the scope without emitting a signal. `previous`: scope to which the button returns; LOOM_N_RANGE_SCOPES: the
 * button is hidden. */
void loom_range_chooser_set_scope (LoomRangeChooser *self, LoomRangeScope scope, LoomRangeScope previous);
/* Shows the scope of the analysis and follows its changes. When the user selects a scope, sets it in the analysis. While
 * nothing is selected on the timeline, the user cannot choose the selection, and its item says why. The analysis must
 * live as long as the chooser. */
void loom_range_chooser_follow (LoomRangeChooser *self, LoomAnalysisContext *analysis);
/* Sets whether there is little room. If so, the label before the drop-down is hidden, and the button that goes back has
 * an icon instead of its text, so that the title next to the chooser is not cut. */
void loom_range_chooser_set_narrow (LoomRangeChooser *self, gboolean is_narrow);
