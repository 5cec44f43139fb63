/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds what an editor can complete in the text of an unfinished query: the name of a table, table function or column,
 * or a text in quotes. The functions may be called on any thread.
 */
#pragma once

#include <glib.h>

typedef enum {
  LOOM_QUERY_WORDS_NOTHING, /* a comment, a number, a parameter, a quoted name, or no word */
  LOOM_QUERY_WORDS_NAME,    /* a word that can be the name of a table or column */
  LOOM_QUERY_WORDS_TEXT,    /* a text in single quotes that is not closed in its line */
} LoomQueryWordsKind;

/* Returns the kind of the word at the end of `text`, which is the query up to the cursor. Sets `begin` to the start of
 * the word in `text`; for LOOM_QUERY_WORDS_TEXT this is the byte after the quote and, if a pattern of LIKE begins there,
 * after its %. A doubled quote in a text is read as the end of one text and the start of another. O(length). */
LoomQueryWordsKind loom_query_words_find_typed (const char *text, const char **begin);

/* Returns the names of tables, table functions, columns and arguments that begin with `word`, ignoring case, sorted,
 * each once. Returns none if `word` is a keyword of SQL or one of these names, because it is complete. The names are
 * constant; the caller owns the array. O(names). */
GPtrArray *loom_query_words_list (const char *word);
