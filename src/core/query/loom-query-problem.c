/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-problem.h: a table of error messages with their translations.
 */
#include "loom-query-problem.h"

#include <glib/gi18n.h>
#include <string.h>

/* Translation of an error message that begins with `begin` and ends with `end`. `words` is the translated text, in
 * which the part of the message between `begin` and `end` replaces “%s”. */
typedef struct {
  const char *begin, *end, *words;
} Message;

/* Error messages: the common ones of SQLite 3.40 for SELECT statements, and those of src/query. If one `begin` is the
 * start of another `begin`, the entry with the longer `begin` comes first, because the first matching entry is used. */
static const Message messages[] = {
  { "near \"", "\": syntax error", N_ ("Syntax error near “%s”.") },
  { "incomplete input", "", N_ ("The query is incomplete.") },
  { "no such column: ", "", N_ ("There is no column “%s”.") },
  { "no such table: ", "", N_ ("There is no table “%s”.") },
  { "no such function: ", "", N_ ("There is no function “%s”.") },
  { "ambiguous column name: ", "",
    N_ ("Several tables have a column “%s”. Write the table name and a period before it.") },
  { "unrecognized token: \"", "\"", N_ ("“%s” is not valid here. Text begins and ends with a quotation mark.") },
  { "wrong number of arguments to function ", "", N_ ("The function “%s” takes a different number of arguments.") },
  { "misuse of aggregate function ", "",
    N_ ("“%s” cannot be used here. Write conditions on sums and counts after HAVING.") },
  { "misuse of aggregate: ", "", N_ ("“%s” cannot be used here. Write conditions on sums and counts after HAVING.") },
  { "the query needs too much memory", "",
    N_ ("The query needs too much memory. Change the query to return, sort or join fewer rows.") },
  { "the query, or a value of it, is too long", "", N_ ("The query, or a value in the query, is too long.") },
  { "the query is longer than ", "", N_ ("The query is too long: it has more than %s.") },
  { "the query is empty", "", N_ ("The query is empty.") },
  { "a query can only read", "", N_ ("A query can only read the tables of the run, with SELECT, VALUES or WITH.") },
  { "the query is nested too deeply", "",
    N_ ("The query is nested too deeply. Use fewer parentheses and subqueries.") },
  { "there is more than one query", "", N_ ("There is more than one query. Run the queries one at a time.") },
  { "the query has no parameter ", "", N_ ("The query has no parameter “%s”, but a comment gives it a value.") },
  { "the parameter ", " has no value",
    N_ (
      "The parameter “%s” has no value. Give it a value in a comment at the beginning of the query: -- :name = value") },
  { "the function “", "” cannot be used here", N_ ("The function “%s” is not allowed.") },
};

/* Returns the part of `text` between message->begin and message->end; NULL if `text` does not begin and end with them.
 * Owned by the caller. */
static char *
dup_middle (const Message *message, const char *text)
{
  gsize begin = strlen (message->begin), end = strlen (message->end), length = strlen (text);
  if (length < begin + end || !g_str_has_prefix (text, message->begin) || !g_str_has_suffix (text, message->end))
    return NULL;
  return g_strndup (text + begin, length - begin - end);
}

/* Returns the text without the position at its end, as in “… (line 1, column 8)”. Owned by the caller. */
static char *
dup_without_place (const char *text)
{
  const char *place = g_strrstr (text, " (line ");
  return place != NULL && g_str_has_suffix (place, ")") ? g_strndup (text, (gsize) (place - text)) : g_strdup (text);
}

/* Replaces “%s” in `words` by the name. Does not use printf(), so that the user's text is never used as a format. */
static char *
dup_filled (const char *words, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (words, "%s", 2);
  return parts[0] != NULL && parts[1] != NULL ? g_strconcat (parts[0], name, parts[1], NULL) : g_strdup (words);
}

char *
loom_query_problem_dup_words (const GError *error)
{
  g_autofree char *text = dup_without_place (error->message);
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++) {
    g_autofree char *middle = dup_middle (&messages[i], text);
    if (middle != NULL)
      return dup_filled (_ (messages[i].words), middle);
  }
  return g_steal_pointer (&text);
}
