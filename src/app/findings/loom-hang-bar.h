/* SPDX-License-Identifier: Apache-2.0
 *
 * A bar above a run that says that its job hangs and for which ranks it waits, with a button that shows the page about it. It
 * is hidden unless the rule "Hang" fires, and on the pages Summary and Hang, which say the same; closed, it stays hidden until
 * another sentence is found. Main thread only.
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
