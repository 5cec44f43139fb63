/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a hang in translated sentences, and finds its range on the timeline. Any thread. Texts are owned by the
 * caller.
 */
#pragma once

#include "loom-hang.h"
#include "loom-timeline.h"

/* Appends a rank to a list such as "9, 14". `n_before`: number of ranks that were appended before. Appends "…" instead
 * of the ninth rank, and nothing for later ranks. */
void loom_hang_words_append_rank (GString *text, guint n_before, gint rank);

/* Returns a list of the ranks that have the sign `sign` (LoomHangSign). If `sign` is 0, returns a list of the ranks
 * with which the hang probably began (is_suspect). Owned by the caller. */
char *loom_hang_words_dup_ranks (const LoomHang *self, guint sign);

/* Returns a sentence that states that ranks call different collectives, and names the first two such collectives. NULL
 * if all ranks call the same collectives. */
char *loom_hang_words_dup_mismatch (const LoomHang *self);

/* Returns a sentence that states for which ranks the job waits, or why this is unknown. NULL: all that is known is that
 * ranks call different collectives. Translated, owned by the caller. */
char *loom_hang_words_dup_answer (const LoomHang *self);

/* Returns the oldest open entry of a rank in the group in which the rank is furthest behind. `rank`: index in
 * LoomHang.ranks. NULL: the rank has no open entry. O(members of the group). */
const LoomFlightEntry *loom_hang_words_find_oldest (const LoomHang *self, guint rank);

/* Returns the line of the program at which a rank called its oldest open entry or, if it has no open entry, its last
 * entry. Example: "step (train.py:7)". Stack frames inside PyTorch are skipped. NULL: the dump has no call stacks.
 * Owned by the caller. O(members of the group + frames). */
char *loom_hang_words_dup_call_site (const LoomHang *self, guint rank);

/* Returns the span of an entry in the dump of a source; LOOM_SPAN_ID_NONE if the timeline does not contain the entry.
 * O(spans of the source's trace). */
LoomSpanId loom_hang_words_find_span (const LoomHang *self, guint source, const LoomFlightEntry *entry);
