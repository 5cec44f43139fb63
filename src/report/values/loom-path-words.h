/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report: makes sentences that say of what the critical path of a run consists, and what would shorten
 * it. They are shown on the page "Critical Path". The functions may be called on any thread.
 */
#pragma once

#include "loom-critical-path.h"

/* Returns the name of a kind of work inside a sentence, such as "data loading". Translated, static. */
const char *loom_path_words_get_kind (LoomPathKind kind);

/* Sentences about a path. */
typedef struct {
  char *answer; /* a sentence that says what would save time, on which rank the path runs, or why this is not known */
  char *note;   /* further sentences, such as of what the path mostly consists; may be empty */
  /* the complete name of the work that a sentence names in a shorter form; NULL: no name is shortened */
  char *full_name;
  gboolean is_in_answer; /* TRUE: the answer contains this name; FALSE: the note does */
} LoomPathWords;

/* Makes the sentences. `path`: the critical path of the range of `collectives`, not empty. O(names + collectives); if the
 * others wait for the rank of the path, also loom_stragglers_new() and loom_slowdown_get(). */
LoomPathWords *loom_path_words_new (const LoomCriticalPath *path, LoomCollectives *collectives,
                                    GCancellable *cancellable);
void loom_path_words_free (LoomPathWords *words);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPathWords, loom_path_words_free)
