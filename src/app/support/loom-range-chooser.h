/* SPDX-License-Identifier: Apache-2.0
 *
 * A drop-down to choose the scope of results, which is the range that they cover, such as the whole run or the visible
 * range. When the user selects a range on the timeline, this range becomes the scope, and a button appears that
 * restores the previous scope. Called on the main thread.
 *
 * Signals: "scope-chosen" (guint LoomRangeScope) when the user chooses a scope; "back-clicked" when the user clicks the
 * button.
 */
#pragma once

#include "loom-analysis-context.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_RANGE_CHOOSER (loom_range_chooser_get_type ())
G_DECLARE_FINAL_TYPE (LoomRangeChooser, loom_range_chooser, LOOM, RANGE_CHOOSER, GtkWidget)

/* Sets the scope without emitting a signal. `previous`: scope that the button restores; LOOM_N_RANGE_SCOPES hides
 * the button. */
void loom_range_chooser_set_scope (LoomRangeChooser *self, LoomRangeScope scope, LoomRangeScope previous);
/* Shows the scope of the analysis, and updates when it changes. When the user chooses a scope, sets it in the
 * analysis. While nothing is selected on the timeline, the item “Selection” is insensitive and shows the reason. The
 * analysis must live as long as the chooser. */
void loom_range_chooser_follow (LoomRangeChooser *self, LoomAnalysisContext *analysis);
/* Sets whether there is little space. If `is_narrow` is TRUE, the label before the drop-down is hidden, and the button
 * that restores the previous scope shows an icon and no text, so that the title beside the chooser is not truncated. */
void loom_range_chooser_set_narrow (LoomRangeChooser *self, gboolean is_narrow);
