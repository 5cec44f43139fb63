/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the known word that a user probably meant by a misspelled one. Any thread.
 */
#pragma once

#include <glib.h>

/* Longer words are not compared. */
#define LOOM_NEAR_WORD_MAX_BYTES 100

/* Returns the number of letters (bytes) to insert, delete, replace or swap with the next letter to make `a` from `b`. Upper and
 * lower case are equal. Both words have at most LOOM_NEAR_WORD_MAX_BYTES bytes. O(bytes of `a` · bytes of `b`). */
guint loom_near_word_count_changes (const char *a, const char *b);

/* Returns the element of `words` (NULL-terminated) that differs least from `word`; the first of several. It differs by
 * at most one letter or, if `word` has six or more, by a third of its letters. A beginning of at least three letters
 * counts as one change. NULL if there is none. */
const char *loom_near_word_find (const char *word, const char *const *words);
