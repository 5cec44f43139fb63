/* SPDX-License-Identifier: Apache-2.0
 *
 * Orders ranks by how late they come to collectives. Pure, any thread.
 */
#pragma once

#include "loom-collectives.h"

/* Ranks (gint) that others waited for, sorted by their share of the waits (loom-wait-attribution.h), longest first,
 * then by rank. Owned by the caller. O(members). */
GArray *loom_rank_order_by_lateness (const LoomCollectives *collectives);
