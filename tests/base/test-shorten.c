/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-shorten.h"

static void
assert_short (const char *text, glong max_letters, const char *expected)
{
  g_autofree char *shown = loom_shorten_head (text, max_letters);
  g_assert_cmpstr (shown, ==, expected);
}

static void
test_head (void)
{
  assert_short ("", 4, "");
  assert_short ("rank.json", 9, "rank.json");
  assert_short ("/runs/llama/rank0.json", 11, "…rank0.json");
  assert_short ("/läufe/rang.json", 16, "/läufe/rang.json");
  assert_short ("/läufe/rang.json", 15, "…äufe/rang.json");
  assert_short ("ab", 1, "…");
}

static void
assert_ends (const char *text, glong max_letters, const char *expected)
{
  g_autofree char *shown = loom_shorten_middle (text, max_letters);
  g_assert_cmpstr (shown, ==, expected);
}

static void
test_middle (void)
{
  assert_ends ("rank.json", 9, "rank.json");
  assert_ends ("/runs/llama/rank0.json", 11, "/runs….json");
  assert_ends ("/läufe/rang.json", 8, "/lä…json");
  assert_ends ("ab", 1, "…");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/shorten/head", test_head);
  g_test_add_func ("/base/shorten/middle", test_middle);
  return g_test_run ();
}
