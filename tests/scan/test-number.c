/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-parse-time.h"

#include <string.h>

static void
check_us (const char *text, gint64 ns, guint64 atto)
{
  LoomExactTime time;
  g_assert_true (loom_parse_time_parse_us (text, strlen (text), &time));
  g_assert_cmpint (time.ns, ==, ns);
  g_assert_cmpuint (time.atto, ==, atto);
}

static void
check_bad (const char *text)
{
  LoomExactTime time;
  g_assert_false (loom_parse_time_parse_us (text, strlen (text), &time));
}

static void
test_microseconds (void)
{
  check_us ("0", 0, 0);
  check_us ("10.250", 10250, 0);
  check_us ("1700000000000123.456", G_GINT64_CONSTANT (1700000000000123456), 0);
  check_us ("\"1700000000000123.456\"", G_GINT64_CONSTANT (1700000000000123456), 0);
  check_us (" \" 7 \" ", 7000, 0);
  check_us ("5120.337251", 5120337, G_GUINT64_CONSTANT (251000000000000000));
  check_us ("1e-06", 0, G_GUINT64_CONSTANT (1000000000000000));
  check_us ("9.9999999999999995e-07", 0, G_GUINT64_CONSTANT (999999999999999));
  check_us ("1.5e3", 1500000, 0);
  check_us ("1E+2", 100000, 0);
  check_us ("-1", -1000, 0);
  check_us ("-0.0005", -1, G_GUINT64_CONSTANT (500000000000000000));
  check_us ("-0.5", -500, 0);
  check_us (".5", 500, 0);
  check_us ("12.", 12000, 0);
  check_us ("0.12", 120, 0);
  check_us ("9223372036854775.806", G_MAXINT64 - 1, 0);
  check_us ("0e999999", 0, 0);
  check_us ("00012", 12000, 0);
}

static void
test_not_numbers (void)
{
  static const char *const bad[] = { "",
                                     "\"\"",
                                     "NaN",
                                     "Infinity",
                                     "-Infinity",
                                     "inf",
                                     "N/A",
                                     "true",
                                     "null",
                                     "-",
                                     ".",
                                     "1e",
                                     "1e+",
                                     "1x",
                                     "0x10",
                                     "1.2.3",
                                     "9223372036854775.807",
                                     "1e30",
                                     "--1",
                                     "1 2",
                                     "{}" };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    check_bad (bad[i]);
}

static void
test_sum_then_floor (void)
{
  /* times are added exactly and then rounded down to ns, as in formats/tensorflow.md §7:
   * 5120.337251 µs, and its sum with 12.000499 µs */
  LoomExactTime start, length;
  g_assert_true (loom_parse_time_parse_us ("5120.337251", 11, &start));
  g_assert_true (loom_parse_time_parse_us ("12.000499", 9, &length));
  g_assert_cmpint (start.ns, ==, 5120337);
  g_assert_cmpint (loom_parse_time_add_exact (start, length).ns, ==, 5132337);
  g_assert_true (loom_parse_time_parse_us ("0.0006", 6, &start));
  g_assert_true (loom_parse_time_parse_us ("0.0005", 6, &length));
  g_assert_cmpint (loom_parse_time_add_exact (start, length).ns, ==, 1);
}

static void
test_seconds (void)
{
  LoomExactTime time;
  g_assert_true (loom_parse_time_parse_s ("1932984121.2504871", 18, &time));
  g_assert_cmpint (time.ns, ==, G_GINT64_CONSTANT (1932984121250487100));
}

static void
test_integers (void)
{
  gint64 value;
  g_assert_true (loom_parse_time_parse_int ("9223372036854775807", 19, &value));
  g_assert_cmpint (value, ==, G_MAXINT64);
  g_assert_true (loom_parse_time_parse_int ("-9223372036854775808", 20, &value));
  g_assert_cmpint (value, ==, G_MININT64);
  g_assert_false (loom_parse_time_parse_int ("9223372036854775808", 19, &value));
  g_assert_true (loom_parse_time_parse_int ("\"7.0\"", 5, &value));
  g_assert_cmpint (value, ==, 7);
  g_assert_false (loom_parse_time_parse_int ("7.5", 3, &value));
}

/* Returns the ns of a number of µs, computed by a simple independent method: moves the decimal point of the text by
 * three digits. */
static gint64
slow_ns (gint64 whole, guint n_digits, guint64 fraction)
{
  g_autofree char *text = g_strdup_printf ("%0*" G_GUINT64_FORMAT "000", (int) n_digits, fraction);
  text[3] = '\0';
  return whole * 1000 + g_ascii_strtoll (text, NULL, 10);
}

static void
test_random (void)
{
  for (guint i = 0; i < 200000; i++) {
    guint n_digits = (guint) g_test_rand_int_range (1, 10);
    guint64 limit = 1;
    for (guint d = 0; d < n_digits; d++)
      limit *= 10;
    gint64 whole = ((gint64) g_test_rand_int () & 0x3FFFFF) << 31 | ((gint64) g_test_rand_int () & 0x7FFFFFFF);
    guint64 fraction = ((guint64) (guint32) g_test_rand_int () << 16 ^ (guint32) g_test_rand_int ()) % limit;
    g_autofree char *text =
      g_strdup_printf ("%" G_GINT64_FORMAT ".%0*" G_GUINT64_FORMAT, whole, (int) n_digits, fraction);
    LoomExactTime time;
    g_assert_true (loom_parse_time_parse_us (text, strlen (text), &time));
    g_assert_cmpint (time.ns, ==, slow_ns (whole, n_digits, fraction));
  }
}

/* Appending the exponent e0 forces the general path of the parser: its result must equal that of the fast path, also
 * for numbers that are too large. */
static void
check_ways (const char *text)
{
  g_autofree char *long_way = g_strconcat (text, "e0", NULL);
  LoomExactTime found = { 0, 0 }, expected = { 0, 0 };
  gboolean good = loom_parse_time_parse_us (long_way, strlen (long_way), &expected);
  g_assert_cmpint (loom_parse_time_parse_us (text, strlen (text), &found), ==, good);
  if (!good)
    return;
  g_assert_cmpint (found.ns, ==, expected.ns);
  g_assert_cmpuint (found.atto, ==, expected.atto);
}

static void
test_ways (void)
{
  static const char *const edges[] = { "9223372036854774",
                                       "9223372036854775",
                                       "9223372036854776",
                                       "9999999999999999",
                                       "9223372036854774.999999999",
                                       "9223372036854775.806",
                                       "9223372036854775.807",
                                       "99999999999999999",
                                       "0.000000001",
                                       "1.0000000000",
                                       "5.",
                                       ".5",
                                       "1.2.3",
                                       "1.",
                                       "1735632360000000",
                                       "1735632360000000.123456789",
                                       "0000000000000000.1" };
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    check_ways (edges[i]);
  for (guint i = 0; i < 200000; i++) {
    g_string_truncate (text, 0);
    for (gint n = g_test_rand_int_range (1, 19); n > 0; n--)
      g_string_append_c (text, (char) ('0' + g_test_rand_int_range (0, 10)));
    if (i % 3 > 0) {
      g_string_append_c (text, '.');
      for (gint n = g_test_rand_int_range (0, 12); n > 0; n--)
        g_string_append_c (text, (char) ('0' + g_test_rand_int_range (0, 10)));
    }
    check_ways (text->str);
    text->str[g_test_rand_int_range (0, (gint) text->len)] = "/:.-+;0\xB5\x10"[g_test_rand_int_range (0, 9)];
    check_ways (text->str);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/number/microseconds", test_microseconds);
  g_test_add_func ("/number/not-numbers", test_not_numbers);
  g_test_add_func ("/number/sum-then-floor", test_sum_then_floor);
  g_test_add_func ("/number/seconds", test_seconds);
  g_test_add_func ("/number/integers", test_integers);
  g_test_add_func ("/number/random", test_random);
  g_test_add_func ("/number/ways", test_ways);
  return g_test_run ();
}
