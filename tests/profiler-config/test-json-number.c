/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that numbers are printed with the digits of printf(): integers up to the limits of 64 bits, and fractions
 * rounded to 9 decimals.
 */
#include "loom-json-number.h"

#include <math.h>
#include <string.h>

#define N_NUMBERS 1000000

static void
assert_int (GString *out, gint64 value)
{
  g_autofree char *expected = g_strdup_printf ("%" G_GINT64_FORMAT, value);
  g_string_truncate (out, 0);
  loom_json_number_append_int (out, value);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
test_ints (void)
{
  static const gint64 values[] = { 0, 1, -1, 9, 10, -10, 99, 100, G_MAXINT64, G_MININT64, G_MAXINT64 - 1, 1000000000 };
  g_autoptr (GString) out = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    assert_int (out, values[i]);
}

/* Prints with printf(), then removes zeros at the end. */
static void
assert_double (GString *out, double value)
{
  char expected[400], shown[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (expected, sizeof expected, fabs (value) >= 1e15 ? "%.17g" : "%.9f", value);
  if (fabs (value) < 1e15) {
    gsize length = strlen (expected);
    while (expected[length - 1] == '0')
      length--;
    expected[expected[length - 1] == '.' ? length - 1 : length] = '\0';
  }
  g_string_truncate (out, 0);
  loom_json_number_append_double (out, value);
  if (strcmp (out->str, strcmp (expected, "-0") == 0 ? "0" : expected) != 0)
    g_error ("%s is printed as %s instead of %s", g_ascii_dtostr (shown, sizeof shown, value), out->str, expected);
}

/* Halves of the last decimal are rounded to even: 2^-10 has 10 decimals, of which the last is 5. */
static void
test_doubles (void)
{
  static const double values[] = { 0,
                                   -0.0,
                                   1,
                                   -1,
                                   0.1,
                                   0.5,
                                   1e-9,
                                   5e-10,
                                   4.9e-10,
                                   -1e-10,
                                   5e-324,
                                   1e-300,
                                   0x1p-9,
                                   0x1p-10,
                                   0x3p-10,
                                   -0x5p-10,
                                   0x1p-106,
                                   0x1p-107,
                                   0x1.fffffffffffffp-1,
                                   0.9999999999,
                                   1e15,
                                   1e15 - 0.125,
                                   999999999999999.9,
                                   -999999999999999.9,
                                   1e300,
                                   123456789.123456789,
                                   97.949070692 };
  g_autoptr (GString) out = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    assert_double (out, values[i]);
}

static void
test_many_doubles (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  for (guint i = 0; i < N_NUMBERS; i++) {
    assert_double (out, ldexp (g_test_rand_double_range (-1, 1), g_test_rand_int_range (-60, 60)));
    assert_double (out, g_test_rand_int_range (-1000000, 1000000) / 1024.0 / (double) (1 << (i % 20)));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-number/ints", test_ints);
  g_test_add_func ("/json-number/doubles", test_doubles);
  g_test_add_func ("/json-number/many-doubles", test_many_doubles);
  return g_test_run ();
}
