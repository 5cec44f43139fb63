/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-words.h"

#include "loom-query-schema.h"

#include <sqlite3.h>
#include <string.h>

/* Delimiters of those parts of a query in which names of tables and columns are not searched: texts, quoted names and
 * comments. */
static const struct {
  const char *open, *close;
} quotes[] = { { "'", "'" }, { "\"", "\"" }, { "--", "\n" }, { "/*", "*/" } };

static gboolean
is_letter (char byte)
{
  return g_ascii_isalnum (byte) || byte == '_' || (guchar) byte >= 0x80; /* bytes of letters that are not ASCII */
}

static LoomQueryWordsKind
find_name (const char *text, const char **begin)
{
  const char *at = text + strlen (text);
  while (at > text && is_letter (at[-1]))
    at--;
  *begin = at;
  gboolean is_parameter = at > text && strchr (":@$?", at[-1]) != NULL;
  return *at == '\0' || g_ascii_isdigit (*at) || is_parameter ? LOOM_QUERY_WORDS_NOTHING : LOOM_QUERY_WORDS_NAME;
}

LoomQueryWordsKind
loom_query_words_find_typed (const char *text, const char **begin)
{
  for (const char *at = text; *at != '\0';) {
    guint i = 0;
    while (i < G_N_ELEMENTS (quotes) && !g_str_has_prefix (at, quotes[i].open))
      i++;
    if (i == G_N_ELEMENTS (quotes)) {
      at++;
      continue;
    }
    const char *inside = at + strlen (quotes[i].open), *close = strstr (inside, quotes[i].close);
    *begin = inside + strspn (inside, "%");
    if (close == NULL)
      return i == 0 && strchr (inside, '\n') == NULL ? LOOM_QUERY_WORDS_TEXT : LOOM_QUERY_WORDS_NOTHING;
    at = close + strlen (quotes[i].close);
  }
  return find_name (text, begin);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Adds a name if it begins with the word and was not added before. Returns TRUE if the name equals the word. */
static gboolean
add (GPtrArray *names, const char *name, const char *word)
{
  if (g_ascii_strncasecmp (name, word, strlen (word)) == 0 &&
      !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
    g_ptr_array_add (names, (gpointer) name);
  return g_ascii_strcasecmp (name, word) == 0;
}

GPtrArray *
loom_query_words_list (const char *word)
{
  GPtrArray *names = g_ptr_array_new ();
  gboolean is_complete = sqlite3_keyword_check (word, (int) strlen (word)) != 0;
  for (guint t = 0; t < LOOM_N_QUERY_TABLES_AND_FUNCTIONS; t++) {
    const LoomQueryTable *table = loom_query_schema_get (t);
    is_complete |= add (names, table->name, word);
    for (guint i = 0; i < table->n_columns + table->n_arguments; i++)
      is_complete |= add (names, table->columns[i].name, word);
  }
  if (is_complete)
    g_ptr_array_set_size (names, 0);
  g_ptr_array_sort (names, compare);
  return names;
}
