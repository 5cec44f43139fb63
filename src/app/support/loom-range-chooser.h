/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the range that figures cover, and returns to the previous choice after a range made on the timeline replaced it. Main
 * thread.
 *
 * Signals: "scope-chosen" (guint LoomRangeScope) when a person chose a range; "back-clicked" when they clicked the button that
 * returns to the previous range.
 */
#pragma once

#include "loom-analysis-context.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_RANGE_CHOOSER (loom_range_chooser_get_type ())
G_DECLARE_FINAL_TYPE (LoomRangeChooser, loom_range_chooser, LOOM, RANGE_CHOOSER, GtkWidget)

/* `previous`: the scope that the button returns to; LOOM_N_RANGE_SCOPES: no button. Emits no signal. */
void loom_range_chooser_set_scope (LoomRangeChooser *self, LoomRangeScope scope, LoomRangeScope previous);
/* Shows the scope of the analysis from now on, and sets it when a person chooses. The analysis must live as long. */
void loom_range_chooser_follow (LoomRangeChooser *self, LoomAnalysisContext *analysis);
