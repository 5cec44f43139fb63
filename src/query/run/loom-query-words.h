/* SPDX-License-Identifier: Apache-2.0
 *
 * Examines the text of a query: which names and texts an editor can complete, whether a text is a query at all, and
 * which names are those of Perfetto's tables and columns. The functions may be called on any thread.
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
 * the word in `text`. For LOOM_QUERY_WORDS_TEXT, `begin` is the byte after the quote, or after the % signs that follow
 * the quote in a pattern of LIKE. A doubled quote in a text is read as the end of one text and the start of another.
 * O(length). */
LoomQueryWordsKind loom_query_words_find_typed (const char *text, const char **begin);

/* Returns the names of tables, table functions, columns and arguments that begin with `word`, ignoring case; sorted,
 * and each name once. If `only_tables` is TRUE, returns only names of tables and table functions. If `word` is already
 * a complete name or a keyword of SQL, returns an empty array. The names are constant; the caller owns the array.
 * O(names). */
GPtrArray *loom_query_words_list (const char *word, gboolean only_tables);

/* Returns a query that lists the different values of a column, sorted, at most `most` rows, so that an editor can
 * complete a text in quotes. The column is the one with which the text is compared. `before`: the query up to the
 * opening quote, such as "SELECT sum(wait) FROM collective WHERE name = ". `query`: the whole query; only tables whose
 * names occur in it are considered. Returns NULL if there is no such column. Owned by the caller. */
char *loom_query_words_dup_values (const char *before, const char *query, guint most);

/* Returns TRUE if a text is a query and not, for example, a path: its first word, after comments, is SELECT, WITH or
 * VALUES. */
gboolean loom_query_words_is_query (const char *text);

/* Returns the name of the table or column that has the data of Perfetto's table or column `name`, such as "span" for
 * "slice"; NULL if Perfetto has no table or column of this name, or if the names are equal. Ignores case. Constant. */
const char *loom_query_words_translate (const char *name);
