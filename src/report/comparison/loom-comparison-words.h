/* SPDX-License-Identifier: Apache-2.0
 *
 * Sentences for users that state the result of comparing two runs: which one is slower, and why. They are translated.
 * The functions may be called on any thread.
 */
#pragma once

#include "loom-run-comparison.h"

/* Returns a sentence that says which run is slower and why, for example "monday is 9.5 % slower than friday (median
 * step 153.0 ms instead of 139.7 ms): waiting for data +44 ms per step". If the names of the runs are paths, the
 * sentence contains only the last component of each path, unless both are equal. Owned by the caller. */
char *loom_comparison_words_dup_headline (const LoomRunComparison *comparison, const char *const names[2]);
/* Returns sentences to be shown below the headline: how the steps of the two runs were matched, which parts of a step
 * became shorter on the ranks in the headline, why devices are idle, and why a long step is long. Owned by the caller;
 * may have no elements besides the NULL at the end. */
char **loom_comparison_words_dup_notes (const LoomRunComparison *comparison, const char *const names[2]);
/* Sets `short_names` to short names of the runs, for sentences and columns: the last part of each path, in at most
 * `most` characters. If both would be equal, sets them to words such as “the first run”. The caller frees both. */
void loom_comparison_words_make_short_names (const char *const names[2], glong most, char *short_names[2]);
