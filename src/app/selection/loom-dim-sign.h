/* SPDX-License-Identifier: Apache-2.0
 *
 * A small notice over the timeline while the critical path is shown, which dims all other spans. A button in the notice
 * hides the path. The notice is hidden while search hits are drawn instead of the path. Main thread only.
 */
#pragma once

#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_DIM_SIGN (loom_dim_sign_get_type ())
G_DECLARE_FINAL_TYPE (LoomDimSign, loom_dim_sign, LOOM, DIM_SIGN, GtkWidget)

/* Sets the run on whose timeline the notice is shown; takes a reference. Call once. */
void loom_dim_sign_set_run (LoomDimSign *self, LoomRunState *run);

/* Ends the dimming of the timeline: closes the search if it has hits; otherwise clears the selection and hides the
 * critical path. */
void loom_dim_sign_clear (LoomDimSign *self);
