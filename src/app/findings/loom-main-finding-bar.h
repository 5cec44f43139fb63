/* SPDX-License-Identifier: Apache-2.0
 *
 * A line above the timeline that states the main finding of the run: which rank the others wait for and why, or else
 * the first severe finding. A button opens the page about it. After the user has closed the line, it stays hidden until
 * the rules find another sentence. Main thread only.
 */
#pragma once

#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_MAIN_FINDING_BAR (loom_main_finding_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomMainFindingBar, loom_main_finding_bar, LOOM, MAIN_FINDING_BAR, GtkWidget)

/* Sets the run, whose findings the line follows. Takes a reference. Call once. */
void loom_main_finding_bar_set_run (LoomMainFindingBar *self, LoomRunState *run);
/* Returns the sentence that is shown; "" while the line is hidden. Borrowed. */
const char *loom_main_finding_bar_get_text (LoomMainFindingBar *self);
