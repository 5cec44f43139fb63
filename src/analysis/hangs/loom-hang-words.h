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

/* Returns a list of the ranks that have a sign (LoomHangSign) or, with the sign 0, of the suspects. Owned by the
 * caller. */
char *loom_hang_words_dup_ranks (const LoomHang *self, guint sign);

/* Returns a sentence which says that ranks call different collectives, and names the first ones; NULL if they do
 * not. */
char *loom_hang_words_dup_mismatch (const LoomHang *self);

/* Returns a sentence which says for which ranks the job waits, or why this is unknown; NULL if only a mismatch is to
 * be reported. Translated, owned by the caller. */
char *loom_hang_words_dup_answer (const LoomHang *self);

/* Returns the oldest open entry of a rank, given by its index, in the group in which it is furthest behind; NULL: it has
 * none. O(members of the group). */
const LoomFlightEntry *loom_hang_words_find_oldest (const LoomHang *self, guint rank);

/* Returns the span of an entry of a source; LOOM_SPAN_ID_NONE if it is not on the timeline. O(spans of the source's
 * trace). */
LoomSpanId loom_hang_words_find_span (const LoomHang *self, guint source, const LoomFlightEntry *entry);
