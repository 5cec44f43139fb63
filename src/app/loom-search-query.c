/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-search-query.h"

#include "loom-regex.h"

#include <string.h>

#define MARKS ":=!<>"

struct _LoomSearchQuery {
  gatomicrefcount refs;
  char *text;    /* folded, "" : any name */
  GRegex *regex; /* of the name; NULL: the text */
  GPtrArray *filters;
};

/* --- reading -------------------------------------------------------------------------------------------------------- */

static GRegex *
new_regex (const char *text)
{
  return loom_regex_new (text, G_REGEX_CASELESS, NULL);
}

/* A word up to a blank or one of `ends`; between quotes they are letters as others. NULL when quotes do not end, or there is none. */
static char *
read_word (const char **p, const char *ends)
{
  const char *from = *p;
  gboolean quoted = FALSE;
  g_autoptr (GString) word = g_string_new (NULL);
  for (; **p != '\0' && (quoted || (!g_ascii_isspace (**p) && strchr (ends, **p) == NULL)); ++*p)
    if (**p == '"')
      quoted = !quoted;
    else
      g_string_append_c (word, **p);
  return *p > from && !quoted ? g_string_free (g_steal_pointer (&word), FALSE) : NULL;
}

static gboolean
read_test (const char **p, LoomArgTest *test)
{
  static const struct { const char *mark; LoomArgTest test; } marks[] = {
    { ":", LOOM_ARG_HAS },       { "=", LOOM_ARG_IS }, { "!=", LOOM_ARG_IS_NOT }, { "<=", LOOM_ARG_AT_MOST },
    { ">=", LOOM_ARG_AT_LEAST }, { "<", LOOM_ARG_LESS }, { ">", LOOM_ARG_MORE },
  };
  *test = LOOM_ARG_EXISTS;
  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if (g_str_has_prefix (*p, marks[i].mark)) {
      *p += strlen (marks[i].mark);
      *test = marks[i].test;
      return TRUE;
    }
  return **p == '\0' || g_ascii_isspace (**p);
}

/* What stands behind "args": .key, .key and a test with its value, or a test alone. FALSE when it is not complete. */
static gboolean
read_filter (LoomSearchQuery *query, const char **p, gboolean regex)
{
  LoomArgTest test;
  g_autofree char *key = NULL, *value = NULL;
  g_autoptr (GRegex) wanted = NULL;
  if (**p == '.') {
    ++*p;
    key = read_word (p, MARKS);
    if (key == NULL || *key == '\0')
      return FALSE;
  }
  if (!read_test (p, &test) || (test != LOOM_ARG_EXISTS && (value = read_word (p, "")) == NULL))
    return FALSE;
  if (regex && test == LOOM_ARG_HAS && (wanted = new_regex (value)) == NULL)
    return FALSE;
  LoomArgFilter *filter = loom_arg_filter_new (g_steal_pointer (&key), test, g_steal_pointer (&value), g_steal_pointer (&wanted));
  if (filter != NULL)
    g_ptr_array_add (query->filters, filter);
  return filter != NULL;
}

static gboolean
is_filter (const char *p)
{
  return g_ascii_strncasecmp (p, "args", 4) == 0 && p[4] != '\0' && strchr ("." MARKS, p[4]) != NULL;
}

/* Filters out of the text, what is left for the name. */
static gboolean
read_text (LoomSearchQuery *query, const char *text, gboolean regex, GString *name)
{
  for (const char *p = text; *p != '\0';) {
    gboolean begins = p == text || g_ascii_isspace (p[-1]);
    if (!begins || !is_filter (p)) {
      g_string_append_c (name, *p++);
      continue;
    }
    p += strlen ("args");
    if (!read_filter (query, &p, regex))
      return FALSE;
    while (g_ascii_isspace (*p) && (name->len == 0 || g_ascii_isspace (name->str[name->len - 1])))
      p++; /* words on both its sides are one blank apart */
  }
  return TRUE;
}

/* --- the object ----------------------------------------------------------------------------------------------------- */

LoomSearchQuery *
loom_search_query_new (const char *text, gboolean regex)
{
  g_return_val_if_fail (text != NULL, NULL);
  g_autoptr (LoomSearchQuery) query = g_new0 (LoomSearchQuery, 1);
  g_autoptr (GString) name = g_string_new (NULL);
  g_atomic_ref_count_init (&query->refs);
  query->filters = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_arg_filter_free);
  if (!read_text (query, text, regex, name))
    return NULL;
  if (query->filters->len > 0)
    g_strstrip (name->str);
  query->text = g_utf8_casefold (name->str, -1);
  if (regex && *query->text != '\0' && (query->regex = new_regex (name->str)) == NULL)
    return NULL;
  return g_steal_pointer (&query);
}

LoomSearchQuery *
loom_search_query_ref (LoomSearchQuery *query)
{
  g_atomic_ref_count_inc (&query->refs);
  return query;
}

void
loom_search_query_unref (LoomSearchQuery *query)
{
  if (query == NULL || !g_atomic_ref_count_dec (&query->refs))
    return;
  g_free (query->text);
  g_clear_pointer (&query->regex, g_regex_unref);
  g_ptr_array_unref (query->filters);
  g_free (query);
}

/* --- asking --------------------------------------------------------------------------------------------------------- */

/* Folds up to `room` bytes of a text that is all ASCII; FALSE for others. */
static gboolean
fold_ascii (const char *text, char *folded, gsize room)
{
  gsize n = strlen (text);
  guchar all = 0;
  if (n >= room)
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    guchar c = (guchar) text[i];
    all |= c;
    folded[i] = (char) (c + ((guchar) (c - 'A') < 26 ? 'a' - 'A' : 0));
  }
  folded[n] = '\0';
  return all < 0x80;
}

gboolean
loom_search_query_matches_name (const LoomSearchQuery *query, const char *name)
{
  char room[256];
  if (query->regex != NULL)
    return g_regex_match (query->regex, name, 0, NULL);
  if (fold_ascii (name, room, sizeof room))
    return strstr (room, query->text) != NULL;
  g_autofree char *folded = g_utf8_casefold (name, -1);
  return strstr (folded, query->text) != NULL;
}

gboolean
loom_search_query_is_slow (const LoomSearchQuery *query)
{
  return query->regex != NULL;
}

const GPtrArray *
loom_search_query_get_filters (const LoomSearchQuery *query)
{
  return query->filters;
}
