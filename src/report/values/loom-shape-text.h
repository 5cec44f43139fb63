/* SPDX-License-Identifier: Apache-2.0
 *
 * Short texts for the shapes of the inputs of operators. The functions may be called on any thread.
 */
#pragma once

#include <glib.h>

/* Returns the shapes of all inputs: "8192×4096, 4096×6144" for "[8192, 4096], [4096, 6144]". If an operator belongs to
 * the backward pass and its shapes were derived from the forward pass (loom-work-forward.h), returns "gradient of
 * 8192×4096, …", translated. Owned by the caller. */
char *loom_shape_text_dup (const char *shape);

/* Returns the shape of one input; if the operator has no such input, returns the shapes of all inputs. Owned by the
 * caller. */
char *loom_shape_text_dup_input (const char *shape, guint input);
