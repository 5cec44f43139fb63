/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Arrows in the orders they are asked for.
 */
#pragma once

#include "loom-trace-private.h"

G_BEGIN_DECLS

/* Sets the arrows of the trace, by source (then by target and name), and their numbers by target. The result does not
 * depend on the order of `arrows`, nor on the threads. */
void loom_flow_arrows_keep (LoomTrace *trace, const LoomArrow *arrows, guint32 n, guint n_threads);

G_END_DECLS
