/* SPDX-License-Identifier: Apache-2.0
 *
 * Words about the ranks for which the other ranks wait (loom-late-ranks.h), for the rows of the timeline.
 */
#pragma once

#include "loom-page.h"

/* Returns the late ranks of the range of `input`, as the page "Stragglers" computes them: an array of LoomRowLateness,
 * the most costly rank first, which owns its texts. Owned by the caller; NULL only when cancelled. */
GArray *loom_late_rank_words_list (const LoomPageInput *input, GCancellable *cancellable);
