/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report: makes the sentences of the page "Critical Path": which work the critical path of a run
 * consists of, and which changes would shorten the path. The functions may be called on any thread.
 */
#pragma once

#include "loom-critical-path.h"

/* Returns the name of a kind of work inside a sentence, such as "data loading". Translated, static. */
const char *loom_path_words_get_kind (LoomPathKind kind);

/* Sentences about a path. */
typedef struct {
  /* a sentence that states what would save time, or on which rank the path runs; if neither is known, it states which
   * kind of work makes up most of the path, or that the host recorded too little */
  char *answer;
  char *note; /* further sentences, for example about the work that makes up most of the path; may be empty */
  /* the complete name of the work, if a sentence contains only a shortened name; otherwise NULL */
  char *full_name;
  gboolean is_in_answer; /* TRUE: the shortened name is in `answer`; FALSE: it is in `note` */
} LoomPathWords;

/* Makes the sentences. `path`: the critical path of the range of `collectives`; must not be empty. Takes O(names +
 * collectives); if other ranks wait for the rank on which most of the path runs, up to the time of
 * loom_transfers_get(), loom_stragglers_new() and loom_slowdown_get() is added. */
LoomPathWords *loom_path_words_new (const LoomCriticalPath *path, LoomCollectives *collectives,
                                    GCancellable *cancellable);
void loom_path_words_free (LoomPathWords *words);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPathWords, loom_path_words_free)
