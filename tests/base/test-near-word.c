/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-near-word.h"

#include <string.h>

static void
test_changes (void)
{
  static const struct {
    const char *a, *b;
    guint n;
  } cases[] = { { "", "", 0 },
                { "", "ab", 2 },
                { "report", "report", 0 },
                { "Report", "rEPORT", 0 },
                { "reprot", "report", 1 },
                { "repot", "report", 1 },
                { "reports", "report", 1 },
                { "resort", "report", 1 },
                { "kitten", "sitting", 3 },
                { "ca", "abc", 3 } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_cmpuint (loom_near_word_count_changes (cases[i].a, cases[i].b), ==, cases[i].n);
    g_assert_cmpuint (loom_near_word_count_changes (cases[i].b, cases[i].a), ==, cases[i].n);
  }
}

static void
test_find (void)
{
  static const char *const words[] = { "info", "merge", "report", "compare", "mcp", "index", NULL };
  g_autofree char *huge = g_strnfill (LOOM_NEAR_WORD_MAX_BYTES + 1, 'r');
  static const struct {
    const char *word, *found;
  } cases[] = { { "reprot", "report" }, { "inof", "info" },       { "mpc", "mcp" },   { "compares", "compare" },
                { "comp", "compare" },  { "comprae", "compare" }, { "ind", "index" }, { "in", NULL },
                { "open", NULL },       { "diff", NULL },         { "x", NULL },      { "", NULL } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (loom_near_word_find (cases[i].word, words), ==, cases[i].found);
  g_assert_null (loom_near_word_find (huge, words));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/near-word/changes", test_changes);
  g_test_add_func ("/base/near-word/find", test_find);
  return g_test_run ();
}
