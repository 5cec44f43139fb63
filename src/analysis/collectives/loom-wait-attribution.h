/* SPDX-License-Identifier: Apache-2.0
 *
 * For whom the members of a collective wait: each moment of waiting is shared equally among those who have not come yet. Of
 * arrivals a₁ ≤ … ≤ aₙ, from aₖ to aₖ₊₁ k members wait for n − k:
 *
 *   share of the i-th = Σ k / (n − k) · (aₖ₊₁ − aₖ)  for k from 1 to i − 1
 *
 * The shares add up to all waits, Σ (aₙ − aᵢ). Those who come at once have equal shares, so that of a late group nobody is
 * spared for being followed closely; whoever comes first has none. When one comes alone the last part is n − 1 waits for it.
 */
#pragma once

#include "loom-collectives.h"

G_BEGIN_DECLS

/* Of n members by arrival, in ns. O(n); pure. */
void loom_wait_attribution (const LoomCollectiveMember *members, guint n, double *shares);

G_END_DECLS
