/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests parsing of numbers to doubles: if the fast path accepts a text, its result equals that of g_ascii_strtod(), bit
 * for bit.
 */
#include "loom-parse-double.h"
#include "loom-parse-time.h"

#include <string.h>

/* Checks that loom_parse_time_parse_double() gives the same result as g_ascii_strtod(), and that the fast path,
 * loom_parse_double_scan(), does so if it accepts the text. Returns FALSE if the fast path refuses the text. */
static gboolean
check (const char *text)
{
  gsize length = strlen (text);
  double expected = g_ascii_strtod (text, NULL), found, quick;
  g_assert_true (loom_parse_time_parse_double (text, length, &found));
  if (memcmp (&found, &expected, sizeof found) != 0)
    g_error ("%s: %.17g, not %.17g", text, found, expected);
  const char *end = loom_parse_double_scan (text, text + length, &quick);
  if (end == NULL)
    return FALSE;
  g_assert_true (end == text + length);
  if (memcmp (&quick, &expected, sizeof quick) != 0)
    g_error ("%s: quickly %.17g, not %.17g", text, quick, expected);
  return TRUE;
}

static void
test_shapes (void)
{
  static const char *const quick[] = { "0",
                                       "-0",
                                       "0.0",
                                       "-0.000",
                                       "7",
                                       "007",
                                       "-12.5",
                                       "1e5",
                                       "1E+5",
                                       "1e-06",
                                       "0.1",
                                       "0.30000000000000004",
                                       "9007199254740992",
                                       "9007199254740993",
                                       "9007199254740995",
                                       "18014398509481983",
                                       "9999999999999999999",
                                       "1234567890123456789",
                                       "0.0000000000000000001234567890123456789e19",
                                       "1e22",
                                       "1e23",
                                       "9e27",
                                       "1e-27",
                                       "1.7976931348623157",
                                       "2.2250738585072014",
                                       "0000000000000000000000000000001.5" };
  static const char *const slow[] = {
    ".5", "5.", "+5", "12345678901234567890", "1e28", "1e-300", "4.9406564584124654e-324", "\"1.5\"", " 2 "
  };
  for (guint i = 0; i < G_N_ELEMENTS (quick); i++)
    check (quick[i]);
  for (guint i = 0; i < G_N_ELEMENTS (slow); i++) {
    double value;
    g_assert_true (loom_parse_time_parse_double (slow[i], strlen (slow[i]), &value));
    g_assert_true (loom_parse_double_scan (slow[i], slow[i] + strlen (slow[i]), &value) != slow[i] + strlen (slow[i]));
  }
}

static void
test_not_numbers (void)
{
  static const char *const bad[] = { "", "-", "e5", "1e", "1e+", "1.2.3", "0x10", "nan", "inf", "1e999", "--1", "1-" };
  double value;
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (loom_parse_time_parse_double (bad[i], strlen (bad[i]), &value));
}

/* The parser never reads bytes after the end of the text. */
static void
test_ends (void)
{
  static const char digits[] = { '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0',
                                 '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0' };
  double value = 1;
  g_autofree char *copy = g_memdup2 (digits, sizeof digits);
  g_assert_true (loom_parse_double_scan (copy, copy + sizeof digits, &value) == copy + sizeof digits);
  g_assert_cmpfloat (value, ==, 0);
  copy[1] = '7';
  g_assert_true (loom_parse_double_scan (copy, copy + 2, &value) == copy + 2);
  g_assert_cmpfloat (value, ==, 7);
}

static void
append_digits (GString *text, GRand *dice, gint n)
{
  for (gint i = 0; i < n; i++)
    g_string_append_c (text, (char) ('0' + g_rand_int_range (dice, 0, 10)));
}

static void
test_random (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (7);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_quick = 0, n = g_test_slow () ? 50000000 : 600000;
  for (guint i = 0; i < n; i++) {
    g_string_truncate (text, 0);
    if (g_rand_boolean (dice))
      g_string_append_c (text, '-');
    append_digits (text, dice, g_rand_int_range (dice, 1, 14));
    if (g_rand_int_range (dice, 0, 4) > 0) {
      g_string_append_c (text, '.');
      append_digits (text, dice, g_rand_int_range (dice, 1, 10));
    }
    if (g_rand_int_range (dice, 0, 4) == 0)
      g_string_append_printf (text, "e%d", g_rand_int_range (dice, -40, 30));
    n_quick += check (text->str);
  }
  g_assert_cmpuint (n_quick, >, n / 2);
}

/* Tests doubles as programs print them, and numbers exactly between two neighbouring doubles. */
static void
test_doubles (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (11);
  char text[64];
  guint n_quick = 0, n = g_test_slow () ? 20000000 : 300000;
  for (guint i = 0; i < n; i++) {
    guint64 bits = (guint64) g_rand_int (dice) << 32 | g_rand_int (dice);
    bits >>= i % 2 == 0 ? 0 : g_rand_int_range (dice, 0, 63);
    g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, bits);
    check (text);
    /* an odd number of mostly 54 bits is exactly between two doubles */
    g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, bits >> 10 | 1);
    check (text);
    double real = (double) bits / (double) (1 + g_rand_int (dice) % 1000003);
    g_ascii_dtostr (text, sizeof text, real);
    n_quick += check (text);
    g_ascii_formatd (text, sizeof text, "%.15g", real);
    check (text);
    g_ascii_formatd (text, sizeof text, "%.4f", real / 1e6);
    check (text);
  }
  g_assert_cmpuint (n_quick, >, n / 2);
}

/* Tests quotients that are very close to the middle between two doubles. */
static void
test_near_middles (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (13);
  char text[64];
  for (guint i = 0; i < 200000; i++) {
    guint64 odd = ((guint64) 1 << 53) + 1 + 2 * ((guint64) g_rand_int (dice) << 10);
    gint shift = g_rand_int_range (dice, 1, 10); /* prints all digits of odd / 2^shift, which is odd × 5^shift /
                                                  * 10^shift */
    guint64 digits = odd;
    for (gint k = 0; k < shift && digits < G_MAXUINT64 / 5; k++)
      digits *= 5;
    for (gint beside = -1; beside <= 1; beside++) {
      g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT "e-%d", digits + (guint64) beside, shift);
      check (text);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/double/shapes", test_shapes);
  g_test_add_func ("/double/not-numbers", test_not_numbers);
  g_test_add_func ("/double/ends", test_ends);
  g_test_add_func ("/double/random", test_random);
  g_test_add_func ("/double/doubles", test_doubles);
  g_test_add_func ("/double/near-middles", test_near_middles);
  return g_test_run ();
}
