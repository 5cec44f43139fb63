/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests which titles of pages in sentences become links, and that all other text is escaped.
 */
#include "loom-page-links.h"

static void
assert_markup (const char *text, const char *expected)
{
  g_autofree char *markup = loom_page_links_dup_markup (text);
  g_assert_cmpstr (markup, ==, expected);
}

static void
test_titles (void)
{
  assert_markup ("Shorter; see the “Collectives” page.",
                 "Shorter; see the “<a href=\"collectives\">Collectives</a>” page.");
  assert_markup ("«\u00a0Trace Health\u00a0» and „Steps“",
                 "«\u00a0<a href=\"health\">Trace Health</a>\u00a0» and „<a href=\"steps\">Steps</a>“");
  assert_markup ("Steps take long.", NULL);      /* not between quotation marks */
  assert_markup ("“Steps of a loop” run", NULL); /* the title is only the beginning of the quoted text */
  assert_markup ("“Timeline”", NULL);            /* not a page of the analysis */
  assert_markup ("", NULL);
}

/* A name from a file must not become markup, even beside a link. */
static void
test_escapes (void)
{
  assert_markup ("“<b>a & b</b>” waits; see “Stragglers”",
                 "“&lt;b&gt;a &amp; b&lt;/b&gt;” waits; see “<a href=\"stragglers\">Stragglers</a>”");
  assert_markup ("“<a href=\"x\">Steps</a>”", NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/page-links/titles", test_titles);
  g_test_add_func ("/app/page-links/escapes", test_escapes);
  return g_test_run ();
}
