/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-number-runs.h"

static void
assert_runs (const gint *numbers, gsize n, const char *separator, guint most, const char *expected)
{
  g_autofree char *text = loom_number_runs_dup (numbers, n, separator, most);
  g_assert_cmpstr (text, ==, expected);
}

#define RUNS(separator, most, expected, ...)                                                                     \
  assert_runs ((const gint[]) { __VA_ARGS__ }, G_N_ELEMENTS (((const gint[]) { __VA_ARGS__ })), separator, most, \
               expected)

static void
test_runs (void)
{
  RUNS (", ", 8, "0–7", 0, 1, 2, 3, 4, 5, 6, 7);
  RUNS (", ", 8, "0–3, 8, 9, 12–14", 0, 1, 2, 3, 8, 9, 12, 13, 14);
  RUNS (", ", 8, "5", 5);
  assert_runs (NULL, 0, ", ", 8, "");
}

/* A list of only two numbers is not shortened to a range: a message from rank 0 to rank 1 is written "0 → 1". The order
 * of numbers and repeated numbers are preserved. */
static void
test_not_shortened (void)
{
  RUNS (" → ", 8, "0 → 1", 0, 1);
  RUNS (", ", 8, "3, 2, 1", 3, 2, 1);
  RUNS (", ", 8, "1, 1, 2", 1, 1, 2);
  RUNS (", ", 8, "-1–1", -1, 0, 1);
  RUNS (", ", 8, "2147483647, -2147483648", G_MAXINT, G_MININT);
}

/* A long list of numbers is truncated between two of its ranges, never in the middle of a range. "…" is appended only
 * if something was omitted. */
static void
test_cut (void)
{
  RUNS (", ", 2, "0, 2, …", 0, 2, 4);
  RUNS (", ", 2, "0–2, 8–10", 0, 1, 2, 8, 9, 10);
  RUNS (", ", 2, "0–2, 8–10, …", 0, 1, 2, 8, 9, 10, 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/number-runs/runs", test_runs);
  g_test_add_func ("/number-runs/not-shortened", test_not_shortened);
  g_test_add_func ("/number-runs/cut", test_cut);
  return g_test_run ();
}
