/* SPDX-License-Identifier: Apache-2.0
 *
 * A bar above the pages of a run. The bar says that the job hangs and for which ranks the job waits, and has a button
 * that opens the page Hang. The bar is visible while the rule "Hang" has a finding. On the pages Summary and Hang, it
 * is hidden, because these pages show the same sentence. After the user has closed the bar, it stays hidden until the
 * sentence changes. Main thread only.
 */
#pragma once

#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_HANG_BAR (loom_hang_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomHangBar, loom_hang_bar, LOOM, HANG_BAR, GtkWidget)

/* Sets the run. The bar shows the finding of the rule "Hang" and updates when the finding changes. Takes a
 * reference. May be called only once. */
void loom_hang_bar_set_run (LoomHangBar *self, LoomRunState *run);
/* Returns the sentence that is shown; "" while the bar is hidden. Borrowed. */
const char *loom_hang_bar_get_text (LoomHangBar *self);
