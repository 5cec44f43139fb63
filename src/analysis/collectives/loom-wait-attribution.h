/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes the waits in a collective to ranks: each moment of waiting is shared equally among the members that have
 * not arrived yet. For arrivals a₁ ≤ … ≤ aₙ, k members wait for n − k others between aₖ and aₖ₊₁:
 *
 *   share of the i-th = Σ k / (n − k) · (aₖ₊₁ − aₖ)   for k from 1 to i − 1
 *
 * The shares add up to all waits, Σ (aₙ − aᵢ). Members that arrive at the same time have equal shares, so in a late
 * group each member gets its share even if another follows closely; the first to arrive has none. If the last member
 * arrives alone, the last part of its share is n − 1 waits.
 */
#pragma once

#include "loom-collectives.h"

/* `members`: n of them, sorted by arrival; `shares` in ns. O(n); pure. */
void loom_wait_attribution (const LoomCollectiveMember *members, guint n, double *shares);
