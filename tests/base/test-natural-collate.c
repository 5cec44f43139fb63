/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-natural-collate.h"

#include <string.h>

static int
sign (int order)
{
  return (order > 0) - (order < 0);
}

static void
test_order (void)
{
  static const char *const ascending[] = {
    "",
    "0",
    "00",
    "01",
    "1",
    "2",
    "9",
    "10",
    "18446744073709551615",
    "18446744073709551616",
    "A",
    "a",
    "a0",
    "a00",
    "a1b2",
    "a1b10",
    "a2b1",
    "node-2",
    "node-10",
    "rank",
    "rank ",
    "rank 2",
    "rank 10",
    "rank 10a",
    "rank2",
    "rank10",
    "ä",
  };
  for (gsize i = 0; i < G_N_ELEMENTS (ascending); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (ascending); j++)
      g_assert_cmpint (sign (loom_natural_collate_compare (ascending[i], ascending[j])), ==, sign ((int) i - (int) j));
}

static void
test_null (void)
{
  g_assert_cmpint (loom_natural_collate_compare (NULL, NULL), ==, 0);
  g_assert_cmpint (loom_natural_collate_compare (NULL, ""), ==, 0);
  g_assert_cmpint (loom_natural_collate_compare (NULL, "a"), <, 0);
  g_assert_cmpint (loom_natural_collate_compare ("a", NULL), >, 0);
}

static void
fill_random (char *text, gsize n_max)
{
  static const char letters[] = "00129ab :";
  gsize n = (gsize) g_test_rand_int_range (0, (gint32) n_max);
  for (gsize i = 0; i < n; i++)
    text[i] = letters[g_test_rand_int_range (0, sizeof letters - 1)];
  text[n] = '\0';
}

/* Tests that the natural order is total, which sorting requires: antisymmetric, transitive, and
 * equal only for equal bytes. */
static void
test_total_order (void)
{
  for (guint i = 0; i < 200000; i++) {
    char a[6], b[6], c[6];
    fill_random (a, sizeof a);
    fill_random (b, sizeof b);
    fill_random (c, sizeof c);
    int ab = sign (loom_natural_collate_compare (a, b)), bc = sign (loom_natural_collate_compare (b, c));
    g_assert_cmpint (ab, ==, -sign (loom_natural_collate_compare (b, a)));
    g_assert_cmpint (ab == 0, ==, strcmp (a, b) == 0);
    if (ab <= 0 && bc <= 0)
      g_assert_cmpint (loom_natural_collate_compare (a, c), <=, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/natural-collate/order", test_order);
  g_test_add_func ("/base/natural-collate/null", test_null);
  g_test_add_func ("/base/natural-collate/total-order", test_total_order);
  return g_test_run ();
}
