/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests regular expressions shared by threads: compiled once, usable in all threads; invalid ones return an error.
 */
#include "loom-regex.h"

#define N_THREADS 8

static const GRegex *
get_rank (void)
{
  static gsize kept;
  return loom_regex_get (&kept, "rank[-_]?([0-9]+)", G_REGEX_CASELESS);
}

static gpointer
match (gpointer data)
{
  const GRegex *regex = get_rank ();
  for (guint i = 0; i < 1000; i++) {
    g_autofree char *text = g_strdup_printf ("node Rank-%u", i), *number = g_strdup_printf ("%u", i);
    g_autoptr (GMatchInfo) found = NULL;
    g_assert_true (g_regex_match (regex, text, 0, &found));
    g_autofree char *digits = g_match_info_fetch (found, 1);
    g_assert_cmpstr (digits, ==, number);
  }
  return (gpointer) regex;
}

static void
test_shared (void)
{
  GThread *threads[N_THREADS];
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("match", match, NULL);
  for (guint i = 0; i < N_THREADS; i++)
    g_assert_true (g_thread_join (threads[i]) == get_rank ());
}

static void
test_bad (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (loom_regex_new ("rank(", 0, &error));
  g_assert_error (error, G_REGEX_ERROR, G_REGEX_ERROR_UNMATCHED_PARENTHESIS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/regex/shared", test_shared);
  g_test_add_func ("/regex/bad", test_bad);
  return g_test_run ();
}
