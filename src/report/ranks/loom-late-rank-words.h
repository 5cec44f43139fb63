/* SPDX-License-Identifier: Apache-2.0
 *
 * Short texts, for the rows of the timeline, about ranks for which other ranks wait (loom-late-ranks.h).
 */
#pragma once

#include "loom-page.h"

/* Returns the late ranks of the range of `input`, as the page "Stragglers" shows them: an array of LoomRowLateness,
 * with the rank that costs most time first. The array owns its texts. Owned by the caller; NULL only when cancelled. */
GArray *loom_late_rank_words_list (const LoomPageInput *input, GCancellable *cancellable);
