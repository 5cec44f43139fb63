/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins and completes sentences with the punctuation of the user's language: either a full stop and a space, or a
 * full-width full stop without a space. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns the text with a full stop at its end, which is appended if it is missing. Owned by the caller. */
char *loom_sentence_dup (const char *text);

/* Returns the text with a capital first letter. In languages with full-width full stops, returns the text unchanged,
 * because a Latin letter at its start is part of a name there. Owned by the caller. */
char *loom_sentence_dup_capital (const char *text);

/* Joins two sentences that end with full stops. `next` may be NULL or "". Owned by the caller. */
char *loom_sentence_join (const char *first, const char *next);

/* Joins `text` and the sentence `advice`, which says what the user can do. Appends a full stop to `text` if it has
 * none. `advice` must end with a full stop, or be NULL or "". Owned by the caller. */
char *loom_sentence_dup_advised (const char *text, const char *advice);

/* Appends the sentence `next`, which ends with a full stop. */
void loom_sentence_append (GString *text, const char *next);

/* Returns the text with no-break spaces between numbers and their units, so that no line break separates them: "3.2
 * s", "71 %", "× 10". Also replaces the space before a short number at the end of the text: "in step 6.". Owned by
 * the caller. */
char *loom_sentence_dup_bound (const char *text);
