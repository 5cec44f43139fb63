/* SPDX-License-Identifier: Apache-2.0
 *
 * A line above the timeline that states the main finding of the run. This is the finding that says for which rank the
 * other ranks wait, and why; if there is no such finding, it is the first severe finding. A button opens the page about
 * the finding. After the user has closed the line, it stays hidden until the sentence changes. Main thread only.
 */
#pragma once

#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_MAIN_FINDING_BAR (loom_main_finding_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomMainFindingBar, loom_main_finding_bar, LOOM, MAIN_FINDING_BAR, GtkWidget)

/* Sets the run. The line updates when the findings of the run change. Takes a reference. May be called only once. */
void loom_main_finding_bar_set_run (LoomMainFindingBar *self, LoomRunState *run);
/* Returns the sentence that is shown; "" while the line is hidden. Borrowed. */
const char *loom_main_finding_bar_get_text (LoomMainFindingBar *self);
