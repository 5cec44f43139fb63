/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-words.h"

#include "loom-query-schema.h"

#include <sqlite3.h>
#include <string.h>

/* Delimiters of texts, quoted names and comments. In these parts of a query, names of tables and columns are not
 * searched for. */
static const struct {
  const char *open, *close;
} quotes[] = { { "'", "'" }, { "\"", "\"" }, { "--", "\n" }, { "/*", "*/" } };

static gboolean
is_letter (char byte)
{
  /* bytes from 0x80 on belong to UTF-8 characters beyond ASCII */
  return g_ascii_isalnum (byte) || byte == '_' || (guchar) byte >= 0x80;
}

/* Returns TRUE if the last word before `at` in `text` is FROM or JOIN. */
static gboolean
is_after_from (const char *text, const char *at)
{
  const char *end = at;
  while (end > text && g_ascii_isspace (end[-1]))
    end--;
  const char *begin = end;
  while (begin > text && is_letter (begin[-1]))
    begin--;
  return end < at && end - begin == 4 &&
         (g_ascii_strncasecmp (begin, "from", 4) == 0 || g_ascii_strncasecmp (begin, "join", 4) == 0);
}

static LoomQueryWordsKind
find_name (const char *text, const char **begin)
{
  const char *at = text + strlen (text);
  while (at > text && is_letter (at[-1]))
    at--;
  *begin = at;
  gboolean is_parameter = at > text && strchr (":@$?", at[-1]) != NULL;
  if (*at == '\0' || g_ascii_isdigit (*at) || is_parameter)
    return LOOM_QUERY_WORDS_NOTHING;
  return is_after_from (text, at) ? LOOM_QUERY_WORDS_TABLE : LOOM_QUERY_WORDS_NAME;
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

/* Adds a name if it begins with `word` and is not in `names` yet. Returns TRUE if the name equals `word`. */
static gboolean
add (GPtrArray *names, const char *name, const char *word)
{
  if (g_ascii_strncasecmp (name, word, strlen (word)) == 0 &&
      !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
    g_ptr_array_add (names, (gpointer) name);
  return g_ascii_strcasecmp (name, word) == 0;
}

GPtrArray *
loom_query_words_list (const char *word, gboolean only_tables)
{
  GPtrArray *names = g_ptr_array_new ();
  gboolean is_complete = sqlite3_keyword_check (word, (int) strlen (word)) != 0;
  for (guint t = 0; t < LOOM_N_QUERY_TABLES_AND_FUNCTIONS; t++) {
    const LoomQueryTable *table = loom_query_schema_get (t);
    is_complete |= add (names, table->name, word);
    for (guint i = 0; !only_tables && i < table->n_columns + table->n_arguments; i++)
      is_complete |= add (names, table->columns[i].name, word);
  }
  if (is_complete)
    g_ptr_array_set_size (names, 0);
  g_ptr_array_sort (names, compare);
  return names;
}

/* If `before` ends with the name of a column and an operator, as in "WHERE name = ", returns this name in lower case;
 * otherwise NULL. Owned by the caller. */
static char *
dup_compared (const char *before)
{
  g_autoptr (GRegex) regex = g_regex_new ("(\\w+)\\s*(?:[=<>!]+|\\b(?:NOT\\s+)?(?:LIKE|GLOB)\\b|\\bIS(?:\\s+NOT)?\\b|"
                                          "\\b(?:NOT\\s+)?IN\\s*\\((?:\\s*'[^']*'\\s*,)*)\\s*$",
                                          G_REGEX_CASELESS | G_REGEX_DOLLAR_ENDONLY, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  if (!g_regex_match (regex, before, 0, &match))
    return NULL;
  g_autofree char *column = g_match_info_fetch (match, 1);
  return g_ascii_strdown (column, -1);
}

/* Returns TRUE if `word` is a whole word of `text`, ignoring case. */
static gboolean
has_word (const char *text, const char *word)
{
  gsize length = strlen (word);
  for (const char *at = text; *at != '\0'; at++)
    if (g_ascii_strncasecmp (at, word, length) == 0 && !is_letter (at[length]) && (at == text || !is_letter (at[-1])))
      return TRUE;
  return FALSE;
}

/* Returns TRUE if the query contains the name of the table, and the table has a column with the name `column` that
 * contains texts. For the table span, the names of the table functions that return spans count, too. Excludes the
 * column `args`, whose texts differ for each event. */
static gboolean
has_texts (LoomQueryTableId table, const char *column, const char *query)
{
  const LoomQueryColumn *found = loom_query_schema_find (loom_query_schema_get (table)->name, column);
  gboolean is_read = has_word (query, loom_query_schema_get (table)->name);
  for (LoomQueryTableId t = LOOM_QUERY_TABLE_OVERLAP; table == LOOM_QUERY_TABLE_SPAN && t <= LOOM_QUERY_TABLE_ANCESTORS;
       t++)
    is_read |= has_word (query, loom_query_schema_get (t)->name);
  return is_read && found != NULL && found->type == LOOM_QUERY_TEXT && strcmp (found->name, "args") != 0;
}

char *
loom_query_words_dup_values (const char *before, const char *query, guint most)
{
  g_autofree char *column = dup_compared (before);
  GString *sql = g_string_new (NULL);
  for (LoomQueryTableId t = 0; column != NULL && t < LOOM_N_QUERY_TABLES; t++) {
    const LoomQueryTable *table = loom_query_schema_get (t);
    if (!has_texts (t, column, query))
      continue;
    const char *name = loom_query_schema_find (table->name, column)->name;
    g_string_append_printf (sql, "%sSELECT DISTINCT %s FROM %s WHERE %s IS NOT NULL", sql->len > 0 ? " UNION " : "",
                            name, table->name, name);
  }
  if (sql->len > 0)
    g_string_append_printf (sql, " ORDER BY 1 LIMIT %u", most);
  return g_string_free (sql, sql->len == 0);
}

/* Returns the first byte of `text` after blanks and comments. */
static const char *
skip_comments (const char *text)
{
  while (TRUE) {
    text += strspn (text, " \t\n\f\r");
    const char *close = g_str_has_prefix (text, "--") ? "\n" : g_str_has_prefix (text, "/*") ? "*/" : NULL;
    const char *end = close != NULL ? strstr (text + 2, close) : NULL;
    if (close == NULL)
      return text;
    text = end != NULL ? end + strlen (close) : text + strlen (text);
  }
}

gboolean
loom_query_words_is_query (const char *text)
{
  static const char *const verbs[] = { "select", "with", "values" };
  const char *word = skip_comments (text);
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++) {
    gsize length = strlen (verbs[i]);
    if (g_ascii_strncasecmp (word, verbs[i], length) == 0 && !is_letter (word[length]))
      return TRUE;
  }
  return FALSE;
}

const char *
loom_query_words_translate (const char *name)
{
  /* the tables and columns of Perfetto's “PerfettoSQL Prelude” that have a counterpart with another name */
  static const char *const names[][2] = {
    { "slice", "span" },       { "slices", "span" },         { "thread_slice", "span" },  { "process_slice", "span" },
    { "gpu_slice", "span" },   { "thread", "track" },        { "thread_track", "track" }, { "process_track", "track" },
    { "gpu_track", "track" },  { "counter_track", "track" }, { "counters", "counter" },   { "args", "arg(id, 'key')" },
    { "ts", "start" },         { "dur", "duration" },        { "cat", "category" },       { "track_id", "track" },
    { "parent_id", "parent" }, { "slice_id", "id" },         { "arg_set_id", "args" },    { "utid", "track" },
    { "upid", "process" },     { "slice_out", "from_id" },   { "slice_in", "to_id" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (name, names[i][0]) == 0)
      return names[i][1];
  return NULL;
}
