/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Arrows in the orders they are asked for.
 */
#pragma once

#include "loom-trace-private.h"

G_BEGIN_DECLS

/* As one thread found them; owned by who made them. */
typedef struct {
  LoomArrow *arrows;
  guint32 n;
} LoomArrows;

/* `found`: LoomArrows. Frees them too. */
void loom_flow_arrows_free (GArray *found);

/* Sets the arrows of the trace, by source (then by target and name), and their numbers by target. `found`: LoomArrows. The
 * result does not depend on the order of arrows in them, nor on the threads. */
void loom_flow_arrows_keep (LoomTrace *trace, const GArray *found, guint n_threads);

G_END_DECLS
