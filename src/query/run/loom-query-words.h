/* SPDX-License-Identifier: Apache-2.0
 *
 * Examines the text of a query: what an editor can complete in it, whether a text is a query at all, and which names in
 * it belong to Perfetto. The functions may be called on any thread.
 */
#pragma once

#include <glib.h>

typedef enum {
  LOOM_QUERY_WORDS_NOTHING, /* a comment, a number, a parameter, a quoted name, or no word */
  LOOM_QUERY_WORDS_NAME,    /* a word that can be the name of a table or column */
  LOOM_QUERY_WORDS_TABLE,   /* a word after FROM or JOIN, which can only be the name of a table */
  LOOM_QUERY_WORDS_TEXT,    /* a text in single quotes that is not closed in its line */
} LoomQueryWordsKind;

/* Returns the kind of the word at the end of `text`, which is the query up to the cursor. Sets `begin` to the start of
 * the word in `text`; for LOOM_QUERY_WORDS_TEXT this is the byte after the quote and, if a pattern of LIKE begins there,
 * after its %. A doubled quote in a text is read as the end of one text and the start of another. O(length). */
LoomQueryWordsKind loom_query_words_find_typed (const char *text, const char **begin);

/* Returns the names of tables, table functions, columns and arguments that begin with `word`, ignoring case, sorted,
 * each once; if `only_tables` is TRUE, the names of tables and table functions. Returns none if `word` is a keyword of
 * SQL or one of these names, because it is complete. The names are constant; the caller owns the array. O(names). */
GPtrArray *loom_query_words_list (const char *word, gboolean only_tables);

/* Returns a query for the texts that a column contains, one column sorted by text, if a text in quotes is compared with
 * this column: `before` is the query up to the quote, such as "SELECT sum(wait) FROM collective WHERE name = ". Only
 * tables whose names occur in `query`, the whole text, count. At most `most` rows. NULL: the column is unknown. Owned by
 * the caller. */
char *loom_query_words_dup_values (const char *before, const char *query, guint most);

/* Returns TRUE if a text is a query and not, for example, a path: its first word, after comments, is SELECT, WITH or
 * VALUES. */
gboolean loom_query_words_is_query (const char *text);

/* Returns the name of the table or column that has the data of Perfetto's table or column `name`, such as "span" for
 * "slice"; NULL if Perfetto has no table or column of this name, or if the names are equal. Ignores case. Constant. */
const char *loom_query_words_translate (const char *name);
