/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report: the critical path in words. Any thread.
 */
#pragma once

#include "loom-critical-path.h"

/* Returns the name of a kind of work inside a sentence, such as "data loading". Translated, static. */
const char *loom_path_words_get_kind (LoomPathKind kind);

/* Returns what would save time, or why this is not known, and of what the path mostly consists. `path`: of the range of
 * the collectives, not empty. Owned by the caller. O(names + collectives); the first call of the collectives computes
 * their slowdown if a link is slow. */
char *loom_path_words_dup_answer (const LoomCriticalPath *path, const LoomCollectives *collectives,
                                  GCancellable *cancellable);
