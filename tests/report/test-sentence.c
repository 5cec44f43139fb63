/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the composition of sentences: their ends and the space between them, also in languages with full-width
 * punctuation; and numbers, which are not separated from their unit by a line break.
 */
#include "loom-sentence.h"

#include "loom-locale.h"

#include <libintl.h>

static void
check (char *is, const char *wanted)
{
  g_assert_cmpstr (is, ==, wanted);
  g_free (is);
}

static void
test_ends (void)
{
  check (loom_sentence_dup ("no JSON"), "no JSON.");
  check (loom_sentence_dup ("It is read."), "It is read.");
  check (loom_sentence_dup ("Reading…"), "Reading…");
  check (loom_sentence_dup (""), "");
  check (loom_sentence_dup_capital ("été"), "Été");
  check (loom_sentence_dup_capital (""), "");
  check (loom_sentence_join ("One.", "Two."), "One. Two.");
  check (loom_sentence_join ("One.", NULL), "One.");
  GString *text = g_string_new (NULL);
  loom_sentence_append (text, "One.");
  loom_sentence_append (text, "Two.");
  check (g_string_free (text, FALSE), "One. Two.");
}

static void
test_full_width (void)
{
  g_setenv ("LANGUAGE", "ja", TRUE);
  textdomain (GETTEXT_PACKAGE); /* after LANGUAGE changes, gettext uses it only when a text domain is set */
  check (loom_sentence_dup ("JSON ではありません"), "JSON ではありません。");
  check (loom_sentence_dup ("終わりです。"), "終わりです。");
  check (loom_sentence_dup_capital ("gpu0 が"), "gpu0 が");
  check (loom_sentence_join ("一。", "二。"), "一。二。");
  g_unsetenv ("LANGUAGE");
  textdomain (GETTEXT_PACKAGE);
}

static void
test_bound (void)
{
  check (loom_sentence_dup_bound ("71.8 % of its time, limit 30 %."), "71.8\u00a0% of its time, limit 30\u00a0%.");
  check (loom_sentence_dup_bound ("about 7.1 s · from +5 µs"), "about 7.1\u00a0s · from +5\u00a0µs");
  check (loom_sentence_dup_bound ("aten::item (× 11.8)"), "aten::item (×\u00a011.8)");
  check (loom_sentence_dup_bound ("rank 3 · 4 – 5"), "rank 3 · 4 – 5");
  check (loom_sentence_dup_bound ("one wait of 2.90 s in step 6."), "one wait of 2.90\u00a0s in step\u00a06.");
  check (loom_sentence_dup_bound ("64 スパン 3 "), "64\u00a0スパン 3 ");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  loom_locale_bind ("");
  g_test_add_func ("/report/sentence/ends", test_ends);
  g_test_add_func ("/report/sentence/full-width", test_full_width);
  g_test_add_func ("/report/sentence/bound", test_bound);
  return g_test_run ();
}
