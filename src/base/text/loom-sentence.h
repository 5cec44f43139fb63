/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins and completes sentences with the punctuation of the user's language: a full stop and a space, or a full-width
 * stop without a space. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns the text, with a full stop appended if it has none; owned. */
char *loom_sentence_dup (const char *text);

/* Returns the text with its first letter capitalised. In languages with full-width stops the text is unchanged, because
 * a Latin letter there belongs to a name. Owned. */
char *loom_sentence_dup_capital (const char *text);

/* Joins two sentences that end with stops; `next` may be NULL or empty. Owned. */
char *loom_sentence_join (const char *first, const char *next);

/* Joins `text`, with a full stop appended if it has none, and the sentence `advice`, which says what the user can do.
 * `advice` ends with a stop, or is NULL or empty. Owned. */
char *loom_sentence_dup_advised (const char *text, const char *advice);

/* Appends the sentence `next`, which ends with a stop. */
void loom_sentence_append (GString *text, const char *next);

/* Returns the text with no-break spaces between numbers and their units, so that no line ends there: "3.2 s", "71 %",
 * "× 10"; and before a short number at its end: "in step 6.". Owned. */
char *loom_sentence_dup_bound (const char *text);
