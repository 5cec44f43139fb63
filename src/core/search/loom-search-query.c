/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-search-query.h: the parser of queries, and the tests of names, categories and durations.
 */
#include "loom-search-query.h"

#include "loom-ellipsize.h"
#include "loom-error.h"
#include "loom-regex.h"
#include "loom-time.h"

#include <glib/gi18n.h>
#include <string.h>

#define MARKS ":=!<>"
#define MOST_QUOTED 40 /* maximum number of letters that error messages quote from an invalid filter */

struct _LoomSearchQuery {
  gatomicrefcount refs;
  char *text;    /* text that names must contain, case-folded; "": any name */
  GRegex *regex; /* regular expression for names; NULL: `text` is used */
  GPtrArray *filters;
  GArray *categories; /* CategoryTest */
  GArray *durations;  /* DurationTest */
};

typedef struct {
  LoomArgTest test; /* LOOM_ARG_HAS, LOOM_ARG_IS or LOOM_ARG_IS_NOT */
  char *value;      /* text with which the category is compared; case-folded */
  GRegex *regex;    /* the regular expression of a LOOM_ARG_HAS test; NULL: the test searches `value` as text */
} CategoryTest;

typedef struct {
  LoomArgTest test; /* one of the tests that compare numbers: any except LOOM_ARG_EXISTS and LOOM_ARG_HAS */
  gint64 ns;
} DurationTest;

/* --- reading ------------------------------------------------------------------------------------------------------ */

static GRegex *
new_regex (const char *text)
{
  return loom_regex_new (text, G_REGEX_CASELESS, NULL);
}

/* Reads a word, which ends at a blank or at one of the characters in `ends`. Within quotes, these characters belong to
 * the word. Returns NULL if there is no word, or if quotes are not closed. */
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
  static const struct {
    const char *mark;
    LoomArgTest test;
  } marks[] = {
    { ":", LOOM_ARG_HAS },       { "=", LOOM_ARG_IS },   { "!=", LOOM_ARG_IS_NOT }, { "<=", LOOM_ARG_AT_MOST },
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

/* Sets the error to `message`, and frees `message`. Always returns FALSE. */
static gboolean
refuse (GError **error, char *message)
{
  g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, message);
  g_free (message);
  return FALSE;
}

static gboolean
refuse_regex (GError **error, const char *text)
{
  g_autofree char *shown = loom_ellipsize_middle (text, MOST_QUOTED);
  return refuse (error, g_strdup_printf (_ ("“%s” is not a valid regular expression."), shown));
}

/* If a filter begins at p, returns its first word: "args" if a dot or an operator follows, "cat" or "dur" if an
 * operator follows. Returns NULL if no filter begins at p. */
static const char *
find_subject (const char *p)
{
  static const struct {
    const char *word, *behind;
  } subjects[] = { { "args", "." MARKS }, { "cat", MARKS }, { "dur", "=!<>" } };
  for (guint i = 0; i < G_N_ELEMENTS (subjects); i++) {
    gsize n = strlen (subjects[i].word);
    if (g_ascii_strncasecmp (p, subjects[i].word, n) == 0 && p[n] != '\0' &&
        strchr (subjects[i].behind, p[n]) != NULL && !g_str_has_prefix (p + n, "::"))
      return subjects[i].word;
  }
  return NULL;
}

/* Reads the words after the first word of a key, because a key may contain blanks without quotes ("External id").
 * Appends the words to `key` only if a test follows them and none of them begins a filter; otherwise the words do not
 * belong to the key ("args.dtype aten::mul"). Does not read two colons as a test, because they are part of a C++
 * name. */
static void
read_rest_of_key (const char **p, char **key)
{
  const char *at = *p;
  g_autoptr (GString) whole = g_string_new (*key);
  while (g_ascii_isspace (*at)) {
    at += strspn (at, " \t");
    const char *word = at;
    at += strcspn (at, " \t\"" MARKS);
    if (at == word || find_subject (word) != NULL || *at == '"' || g_str_has_prefix (at, "::"))
      return;
    g_string_append_c (whole, ' ');
    g_string_append_len (whole, word, at - word);
  }
  if (*at == '\0' || strchr (MARKS, *at) == NULL)
    return;
  g_free (*key);
  *key = g_strdup (whole->str);
  *p = at;
}

/* Parses a filter on args, from the position after the word "args": a key with a dot before it, a test with its value,
 * or both. Returns FALSE and sets `error` if a part is missing. */
static gboolean
read_filter (LoomSearchQuery *query, const char **p, gboolean regex, GError **error)
{
  g_autofree char *shown = loom_ellipsize_middle (*p - strlen ("args"), MOST_QUOTED);
  LoomArgTest test;
  g_autofree char *key = NULL, *value = NULL;
  g_autoptr (GRegex) wanted = NULL;
  if (**p == '.') {
    ++*p;
    key = read_word (p, MARKS);
    if (key == NULL || *key == '\0')
      return refuse (
        error, g_strdup_printf (_ ("“%s” is missing the name of an argument, or a closing quotation mark."), shown));
    if (g_ascii_isspace (**p) && (*p)[-1] != '"')
      read_rest_of_key (p, &key);
  }
  if (!read_test (p, &test))
    return refuse (error,
                   g_strdup_printf (_ ("“%s” is missing an operator. Use one of %s."), shown, ": = != < <= > >="));
  if (test != LOOM_ARG_EXISTS && (value = read_word (p, "")) == NULL)
    return refuse (error, g_strdup_printf (_ ("“%s” is missing a value, or a closing quotation mark."), shown));
  if (regex && test == LOOM_ARG_HAS && (wanted = new_regex (value)) == NULL)
    return refuse_regex (error, value);
  LoomArgFilter *filter =
    loom_arg_filter_new (g_steal_pointer (&key), test, g_steal_pointer (&value), g_steal_pointer (&wanted));
  if (filter == NULL)
    return refuse (error, g_strdup_printf (_ ("“%s” compares with a value that is not a number."), shown));
  g_ptr_array_add (query->filters, filter);
  return TRUE;
}

static gboolean
read_category (LoomSearchQuery *query, const char **p, gboolean regex, GError **error)
{
  g_autofree char *shown = loom_ellipsize_middle (*p - strlen ("cat"), MOST_QUOTED);
  CategoryTest one = { LOOM_ARG_HAS, NULL, NULL };
  if (!read_test (p, &one.test) || one.test > LOOM_ARG_IS_NOT)
    return refuse (
      error,
      g_strdup_printf (_ ("“%s” is not a valid search. Compare the category with one of %s, for example cat:kernel."),
                       shown, ": = !="));
  g_autofree char *value = read_word (p, "");
  if (value == NULL)
    return refuse (error, g_strdup_printf (_ ("“%s” is missing a value, or a closing quotation mark."), shown));
  if (regex && one.test == LOOM_ARG_HAS && (one.regex = new_regex (value)) == NULL)
    return refuse_regex (error, value);
  one.value = g_utf8_casefold (value, -1);
  g_array_append_val (query->categories, one);
  return TRUE;
}

static gboolean
read_duration (LoomSearchQuery *query, const char **p, GError **error)
{
  g_autofree char *shown = loom_ellipsize_middle (*p - strlen ("dur"), MOST_QUOTED);
  DurationTest one = { LOOM_ARG_IS, 0 };
  if (!read_test (p, &one.test))
    return refuse (
      error,
      g_strdup_printf (_ ("“%s” is not a valid search. Compare the duration with one of %s, for example dur>10ms."),
                       shown, "= != < <= > >="));
  g_autofree char *value = read_word (p, "");
  if (value == NULL || *value == '\0' || g_ascii_isdigit (value[strlen (value) - 1]) ||
      !loom_time_parse_duration (value, &one.ns))
    return refuse (error,
                   g_strdup_printf (_ ("“%s” is missing a duration with its unit, such as 10ms or 1.5s."), shown));
  g_array_append_val (query->durations, one);
  return TRUE;
}

/* Parses the filter at `*p`, which begins with the word `subject`. Returns FALSE and sets `error` if the filter is
 * invalid. */
static gboolean
read_about (LoomSearchQuery *query, const char *subject, const char **p, gboolean regex, GError **error)
{
  *p += strlen (subject);
  return g_str_equal (subject, "cat")   ? read_category (query, p, regex, error)
         : g_str_equal (subject, "dur") ? read_duration (query, p, error)
                                        : read_filter (query, p, regex, error);
}

/* Parses all filters in the text. The text outside the filters becomes `name`. Returns FALSE and sets `error` if a
 * filter is invalid. */
static gboolean
read_text (LoomSearchQuery *query, const char *text, gboolean regex, GString *name, GError **error)
{
  for (const char *p = text; *p != '\0';) {
    gboolean begins = p == text || g_ascii_isspace (p[-1]);
    const char *subject = begins ? find_subject (p) : NULL;
    if (subject == NULL) {
      g_string_append_c (name, *p++);
      continue;
    }
    if (!read_about (query, subject, &p, regex, error))
      return FALSE;
    while (g_ascii_isspace (*p) && (name->len == 0 || g_ascii_isspace (name->str[name->len - 1])))
      p++; /* if there are blanks before and after a filter, `name` gets only one of them */
  }
  return TRUE;
}

/* --- LoomSearchQuery ---------------------------------------------------------------------------------------------- */

static void
category_clear (gpointer test)
{
  g_free (((CategoryTest *) test)->value);
  g_clear_pointer (&((CategoryTest *) test)->regex, g_regex_unref);
}

LoomSearchQuery *
loom_search_query_new (const char *text, gboolean regex, GError **error)
{
  g_return_val_if_fail (text != NULL, NULL);
  g_autoptr (LoomSearchQuery) query = g_new0 (LoomSearchQuery, 1);
  g_autoptr (GString) name = g_string_new (NULL);
  g_atomic_ref_count_init (&query->refs);
  query->filters = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_arg_filter_free);
  query->categories = g_array_new (FALSE, FALSE, sizeof (CategoryTest));
  query->durations = g_array_new (FALSE, FALSE, sizeof (DurationTest));
  g_array_set_clear_func (query->categories, category_clear);
  if (!read_text (query, text, regex, name, error))
    return NULL;
  if (query->filters->len + query->categories->len + query->durations->len > 0)
    g_strstrip (name->str);
  query->text = g_utf8_casefold (name->str, -1);
  if (regex && *query->text != '\0' && (query->regex = new_regex (name->str)) == NULL) {
    refuse_regex (error, name->str);
    return NULL;
  }
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
  g_array_unref (query->categories);
  g_array_unref (query->durations);
  g_free (query);
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

/* Writes the case-folded form of an ASCII text to `folded`, which has room for `room` bytes. Returns FALSE if the
 * folded text is too long, or if the text is not ASCII. */
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

static gboolean
is_of_category (const CategoryTest *test, const char *category)
{
  if (test->regex != NULL)
    return g_regex_match (test->regex, category, 0, NULL);
  g_autofree char *folded = g_utf8_casefold (category, -1);
  if (test->test == LOOM_ARG_HAS)
    return strstr (folded, test->value) != NULL;
  return g_str_equal (folded, test->value) == (test->test == LOOM_ARG_IS);
}

gboolean
loom_search_query_matches_category (const LoomSearchQuery *query, const char *category)
{
  for (guint i = 0; i < query->categories->len; i++)
    if (!is_of_category (&g_array_index (query->categories, CategoryTest, i), category))
      return FALSE;
  return TRUE;
}

gboolean
loom_search_query_has_durations (const LoomSearchQuery *query)
{
  return query->durations->len > 0;
}

gboolean
loom_search_query_matches_duration (const LoomSearchQuery *query, gint64 ns)
{
  for (guint i = 0; i < query->durations->len; i++) {
    const DurationTest *test = &g_array_index (query->durations, DurationTest, i);
    gboolean matches = test->test == LOOM_ARG_LESS       ? ns < test->ns
                       : test->test == LOOM_ARG_AT_MOST  ? ns <= test->ns
                       : test->test == LOOM_ARG_MORE     ? ns > test->ns
                       : test->test == LOOM_ARG_AT_LEAST ? ns >= test->ns
                                                         : (ns == test->ns) == (test->test == LOOM_ARG_IS);
    if (!matches)
      return FALSE;
  }
  return TRUE;
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
