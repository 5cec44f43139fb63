/* SPDX-License-Identifier: Apache-2.0
 *
 * A small notice over the timeline while the critical path is highlighted and all other spans are dimmed. A button in
 * the notice hides the path. The notice is hidden while search hits are highlighted instead of the path. Main thread
 * only.
 */
#pragma once

#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_DIM_SIGN (loom_dim_sign_get_type ())
G_DECLARE_FINAL_TYPE (LoomDimSign, loom_dim_sign, LOOM, DIM_SIGN, GtkWidget)

/* Sets the run on whose timeline the notice is shown, and takes a reference. May be called only once. */
void loom_dim_sign_set_run (LoomDimSign *self, LoomRunState *run);

/* Ends the dimming of spans on the timeline. If search hits are highlighted, closes the search. If not, clears the
 * selection and hides the critical path. */
void loom_dim_sign_clear (LoomDimSign *self);
