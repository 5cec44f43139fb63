/* SPDX-License-Identifier: Apache-2.0
 *
 * A small notice over the timeline that says why most of the timeline is dim: because search hits, a selection or the
 * critical path stand out. Its button removes this reason. It is hidden while nothing is dim. Main thread only.
 */
#pragma once

#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_DIM_SIGN (loom_dim_sign_get_type ())
G_DECLARE_FINAL_TYPE (LoomDimSign, loom_dim_sign, LOOM, DIM_SIGN, GtkWidget)

/* Sets the run on whose timeline the sign is shown; takes a reference. Call once. */
void loom_dim_sign_set_run (LoomDimSign *self, LoomRunState *run);

/* Closes the search if it is open; otherwise removes the selection and hides the critical path. Does nothing if nothing
 * is dimmed. */
void loom_dim_sign_clear (LoomDimSign *self);
