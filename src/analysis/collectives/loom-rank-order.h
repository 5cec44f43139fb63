/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes waits in collectives to the ranks that arrive late, and sorts ranks by how long others waited for them.
 * Pure functions, any thread.
 */
#pragma once

#include "loom-collectives.h"

/* Divides the waits in a collective among the late members: each moment of waiting is shared equally among the members
 * that have not arrived yet. For arrivals a₁ ≤ … ≤ aₙ, k members wait for n − k others between aₖ and aₖ₊₁:
 *
 *   share of the i-th = Σ k / (n − k) · (aₖ₊₁ − aₖ)   for k from 1 to i − 1
 *
 * The shares add up to all waits, Σ (aₙ − aᵢ). The first member to arrive has the share 0. Members that arrive at the
 * same time have equal shares. So if several members come late together, each of them has a large share, even if
 * another one follows closely. If the last member arrives alone, its share contains all waits since the arrival before
 * it.
 *
 * `members`: n of them, sorted by arrival; `shares` in ns. O(n). */
void loom_rank_order_share_waits (const LoomCollectiveMember *members, guint n, double *shares);

/* Returns an array: the share of each member of a collective in the collective's waits, in ns
 * (loom_rank_order_share_waits()). Counts only waits inside the range of the collectives. Owned by the caller. */
double *loom_rank_order_dup_shares (const LoomCollectives *collectives, const LoomCollective *collective);
/* Returns how long a member waits for the last member, in ns. Counts only time inside the range of the collectives. */
gint64 loom_rank_order_get_wait (const LoomCollectives *collectives, const LoomCollective *collective,
                                 const LoomCollectiveMember *member);

typedef struct {
  gint rank;
  /* how long other ranks waited for this rank: the sum of its shares as computed by loom_rank_order_share_waits() */
  double waited_ns;
} LoomLateRank;

/* Adds the waits in a collective to the ranks that caused them. Counts only time inside the range of the collectives.
 * `waits`: a table from g_hash_table_new_full (NULL, NULL, NULL, g_free), in which the waits of several collectives can
 * be summed. */
void loom_rank_order_add (GHashTable *waits, const LoomCollectives *collectives, const LoomCollective *collective);
/* Returns the ranks in `waits` as LoomLateRank. The rank for which others waited longest comes first; ranks with equal
 * waits are sorted by number. Owned by the caller. */
GArray *loom_rank_order_sort (GHashTable *waits);

/* Returns the ranks (gint) of all collectives in the order of loom_rank_order_sort(). Owned by the caller.
 * O(members). */
GArray *loom_rank_order_by_lateness (const LoomCollectives *collectives);
