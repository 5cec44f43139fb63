/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a hang in translated sentences, and gives its range on the timeline. Any thread. Texts are owned by the
 * caller.
 */
#pragma once

#include "loom-hang.h"
#include "loom-timeline.h"

/* Appends a rank to a list such as "9, 14". `n_before` is the number of ranks that were appended before; the ninth is
 * written as "…", and later ones are skipped. */
void loom_hang_words_append_rank (GString *text, guint n_before, gint rank);

/* Returns a list of the ranks that have a sign (LoomHangSign). If the sign is 0, returns a list of the ranks with which
 * the hang probably began (is_suspect). Owned by the caller. */
char *loom_hang_words_dup_ranks (const LoomHang *self, guint sign);

/* Returns a sentence which says that ranks call different collectives, and names the first two of these; NULL if all
 * ranks call the same collectives. */
char *loom_hang_words_dup_mismatch (const LoomHang *self);

/* Returns a sentence which says for which ranks the job waits, or why this is unknown. NULL if nothing is to be said
 * except that ranks call different collectives. Translated, owned by the caller. */
char *loom_hang_words_dup_answer (const LoomHang *self);

/* Returns the oldest open entry of a rank, which is given by its index in LoomHang.ranks, in the group in which the
 * rank is furthest behind. NULL: the rank has no open entry. O(members of the group). */
const LoomFlightEntry *loom_hang_words_find_oldest (const LoomHang *self, guint rank);

/* Returns the span of an entry in the dump of a source; LOOM_SPAN_ID_NONE if the entry is not on the timeline. O(spans
 * of the source's trace). */
LoomSpanId loom_hang_words_find_span (const LoomHang *self, guint source, const LoomFlightEntry *entry);
