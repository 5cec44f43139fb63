/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks in the order of how late they come to collectives. Pure, any thread.
 */
#pragma once

#include "loom-collectives.h"

G_BEGIN_DECLS

/* Ranks (gint) that others waited for, by their share of it (loom-wait-attribution.h), the longest first; of equal ones the lower.
 * Owned. O(members). */
GArray *loom_rank_order_by_lateness (const LoomCollectives *collectives);

G_END_DECLS
