/* SPDX-License-Identifier: Apache-2.0
 *
 * A line above the timeline that names the rank for which the others wait, and why it is late, with a button that opens
 * the page Stragglers. It is visible while a finding names such a rank. After the user has closed the line, it stays
 * hidden until the rules find another sentence. Main thread only.
 */
#pragma once

#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_LATE_RANK_BAR (loom_late_rank_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomLateRankBar, loom_late_rank_bar, LOOM, LATE_RANK_BAR, GtkWidget)

/* Sets the run, whose findings the line follows. Takes a reference. Call once. */
void loom_late_rank_bar_set_run (LoomLateRankBar *self, LoomRunState *run);
/* Returns the sentence that is shown; "" while the line is hidden. Borrowed. */
const char *loom_late_rank_bar_get_text (LoomLateRankBar *self);
