/* SPDX-License-Identifier: Apache-2.0
 *
 * Hints for words in place of a verb that name something else: a page of the analysis, which is a chapter of reports, or a
 * named query.
 */
#include "loom-cli.h"

#include <string.h>

#include "loom-page.h"
#include "loom-query-library.h"

/* The verbs for pages and other parts of the window that are not chapters of reports. */
static const struct {
  const char *word, *verb;
} of_verbs[] = {
  { "findings", "rules" },  { "clocks", "align" }, { "events", "dump" },   { "samples", "dump" },
  { "timeline", "render" }, { "sources", "info" }, { "problems", "info" },
};

/* The named queries with the rows of pages. */
static const struct {
  const char *page, *query;
} of_queries[] = {
  { "idle", "idle-devices" },
  { "steps", "step-times" },
  { "stragglers", "late-ranks" },
  { "collectives", "collectives-by-size" },
  { "loading", "data-loading" },
  { "work", "kernels-by-time" },
  { "operators", "operators-by-self-time" },
};

/* Returns TRUE if the words are the same except for the case of letters, and for blanks, - and _. */
static gboolean
is_like (const char *word, const char *name)
{
  g_autofree char *a = g_strdelimit (g_ascii_strdown (word, -1), " _", '-'),
                  *b = g_strdelimit (g_ascii_strdown (name, -1), " _", '-');
  return strcmp (a, b) == 0;
}

static const LoomPage *
find_page (const char *word)
{
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  for (guint i = 0; i < n; i++)
    if (is_like (word, pages[i].id) || is_like (word, pages[i].title))
      return &pages[i];
  return NULL;
}

static gboolean
is_query (const char *word)
{
  g_autoptr (GPtrArray) queries = loom_query_library_list (NULL);
  for (guint i = 0; i < queries->len; i++)
    if (strcmp (word, ((const LoomNamedQuery *) queries->pdata[i])->name) == 0)
      return TRUE;
  return FALSE;
}

static char *
dup_of_page (const LoomPage *page)
{
  for (guint i = 0; i < G_N_ELEMENTS (of_queries); i++)
    if (strcmp (page->id, of_queries[i].page) == 0)
      return g_strdup_printf ("“%s” is a chapter of “traceloom-cli report PATH -o report.html”; "
                              "“traceloom-cli query PATH --named %s” lists its rows",
                              page->title, of_queries[i].query);
  return g_strdup_printf ("“%s” is a chapter of “traceloom-cli report PATH -o report.html”", page->title);
}

char *
loom_cli_hint_dup (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (of_verbs); i++)
    if (is_like (word, of_verbs[i].word))
      return g_strdup_printf ("use “traceloom-cli %s PATH”", of_verbs[i].verb);
  if (is_query (word))
    return g_strdup_printf ("“traceloom-cli query PATH --named %s” runs the query of this name", word);
  const LoomPage *page = find_page (word);
  return page != NULL ? dup_of_page (page) : NULL;
}
