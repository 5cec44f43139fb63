/* SPDX-License-Identifier: Apache-2.0
 *
 * Short texts for the shapes of the inputs of operators. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns the shape of all inputs: "8192×4096, 4096×6144" for "[8192, 4096], [4096, 6144]". The shape of an operator of
 * the backward pass that was derived from the forward pass (loom-work-forward.h) is "gradient of 8192×4096, …",
 * translated. Owned by the caller. */
char *loom_shape_text_dup (const char *shape);

/* Returns the shape of one input alone; the whole shape if there is no such input. Owned by the caller. */
char *loom_shape_text_dup_input (const char *shape, guint input);
