/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report: makes sentences that say of what the critical path of a run consists, and what would shorten
 * it. They are shown on the page "Critical Path". The functions may be called on any thread.
 */
#pragma once

#include "loom-critical-path.h"

/* Returns the name of a kind of work inside a sentence, such as "data loading". Translated, static. */
const char *loom_path_words_get_kind (LoomPathKind kind);

/* Returns sentences that say what would save time, or why this is not known, and of what the path mostly consists.
 * `path`: the critical path of the range of `collectives`, not empty. Owned by the caller. O(names + collectives); if a
 * link is slow, the first call for these collectives also computes their slowdown. */
char *loom_path_words_dup_answer (const LoomCriticalPath *path, const LoomCollectives *collectives,
                                  GCancellable *cancellable);
