/* SPDX-License-Identifier: Apache-2.0
 *
 * Orders ranks by how late they come to collectives. Pure, any thread.
 */
#pragma once

#include "loom-collectives.h"

typedef struct {
  gint rank;
  double waited_ns; /* sum of the other ranks' waits for this rank (loom-wait-attribution.h), ns */
} LoomLateRank;

/* Adds the waits in a collective to the ranks that caused them. `waits`: a table from g_hash_table_new_full (NULL, NULL,
 * NULL, g_free), one for the collectives that are compared. */
void loom_rank_order_add (GHashTable *waits, const LoomCollectiveMember *members, guint n);
/* The ranks in `waits`: LoomLateRank, longest waited for first, then by rank. Owned by the caller. */
GArray *loom_rank_order_sort (GHashTable *waits);

/* Orders the ranks of all collectives: an array of gint, owned by the caller. O(members). */
GArray *loom_rank_order_by_lateness (const LoomCollectives *collectives);
