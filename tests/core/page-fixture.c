/* SPDX-License-Identifier: Apache-2.0 */
#include "page-fixture.h"

#include <string.h>

static gboolean
is_answered (gpointer page)
{
  return !loom_analysis_page_is_outdated (page);
}

LoomAnalysisPage *
page_fixture_wait (LoomAnalysisPage *page)
{
  g_assert_true (fixture_wait (is_answered, page));
  return page;
}

LoomAnalysisPage *
page_fixture_show (LoomRunState *run, const char *id)
{
  LoomAnalysisPage *page = loom_analysis_page_new (loom_run_state_get_analysis (run), loom_page_find (id));
  loom_analysis_page_set_wanted (page, TRUE);
  return page_fixture_wait (page);
}

static guint
find (LoomAnalysisPage *page, const char *title)
{
  LoomPageContent *content = loom_analysis_page_get_content (page);
  guint n = content->blocks->len, i = 0;
  while (i < n && strcmp (loom_page_content_get_block (content, i)->text, title) != 0)
    i++;
  return i < n ? i : G_MAXUINT;
}

guint
page_fixture_find (LoomAnalysisPage *page, const char *title)
{
  guint block = find (page, title);
  if (block == G_MAXUINT)
    g_error ("no block “%s”", title);
  return block;
}

const LoomBlock *
page_fixture_get (LoomAnalysisPage *page, const char *title)
{
  return loom_page_content_get_block (loom_analysis_page_get_content (page), page_fixture_find (page, title));
}

gboolean
page_fixture_has (LoomAnalysisPage *page, const char *title)
{
  return find (page, title) != G_MAXUINT;
}

gboolean
page_fixture_lacks (LoomAnalysisPage *page)
{
  LoomPageContent *content = loom_analysis_page_get_content (page);
  for (guint i = 0; i < content->blocks->len; i++)
    if (loom_page_content_get_block (content, i)->kind == LOOM_BLOCK_MISSING)
      return TRUE;
  return FALSE;
}
