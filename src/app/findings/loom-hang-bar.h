/* SPDX-License-Identifier: Apache-2.0
 *
 * A bar above the pages of a run. It says that the job hangs and for which ranks it waits, and has a button that opens
 * the page Hang. It is visible while the rule "Hang" fires, but not on the pages Summary and Hang, which show the same
 * sentence. After the user has closed the bar, it stays hidden until the sentence of the rule changes. Main thread
 * only.
 */
#pragma once

#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_HANG_BAR (loom_hang_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomHangBar, loom_hang_bar, LOOM, HANG_BAR, GtkWidget)

/* Sets the run. The bar shows the finding of the rule "Hang", and follows its changes. Takes a reference. Call once. */
void loom_hang_bar_set_run (LoomHangBar *self, LoomRunState *run);
/* Returns the sentence that is shown; "" while the bar is hidden. Borrowed. */
const char *loom_hang_bar_get_text (LoomHangBar *self);
