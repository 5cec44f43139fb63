/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the conversion of times to text: rounded for display, with all digits for files.
 */
#include "loom-locale-number.h"
#include "loom-time.h"

#include <locale.h>
#include <string.h>

typedef char *(*Formatter) (gint64 ns);

typedef struct {
  gint64 ns;
  const char *text;
} Example;

static void
check_examples (Formatter format, const Example *examples, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    g_autofree char *text = format (examples[i].ns);
    g_assert_cmpstr (text, ==, examples[i].text);
  }
}

static void
test_duration (void)
{
  static const Example examples[] = {
    { 0, "0 ns" },
    { 1, "1 ns" },
    { -1, "−1 ns" },
    { 999, "999 ns" },
    { 1000, "1.00 µs" },
    { 1234, "1.23 µs" },
    { 9994, "9.99 µs" },
    { 9995, "10.0 µs" },
    { 12400017, "12.4 ms" },
    { 99949999, "99.9 ms" },
    { 99950000, "100 ms" },
    { 999499999, "999 ms" },
    { 999500000, "1.00 s" },
    { 59949 * LOOM_NS_PER_MS, "59.9 s" },
    { 59970 * LOOM_NS_PER_MS, "1 min" },
    { 60 * LOOM_NS_PER_S, "1 min" },
    { 65 * LOOM_NS_PER_S, "1 min 5 s" },
    { 3569 * LOOM_NS_PER_S + 600 * LOOM_NS_PER_MS, "59 min 30 s" },
    { 3599 * LOOM_NS_PER_S + 600 * LOOM_NS_PER_MS, "1 h" },
    { -7200 * LOOM_NS_PER_S, "−2 h" },
    { 359819 * LOOM_NS_PER_S, "99 h 57 min" },
    { 359999 * LOOM_NS_PER_S, "4 d 4 h" },
    { 586800 * LOOM_NS_PER_S, "6 d 19 h" },
    { G_MAXINT64, "106752 d" },
    { G_MININT64, "−106752 d" },
  };
  check_examples (loom_time_format_duration, examples, G_N_ELEMENTS (examples));
}

/* Durations have at most three digits below a minute and four below an hour, and never show 1000 or 60 of a unit. */
static void
test_duration_digits (void)
{
  for (guint i = 0; i < 100000; i++) {
    gint64 ns = (gint64) (g_test_rand_double () * 3600e9) >> g_test_rand_int_range (0, 42);
    g_autofree char *text = loom_time_format_duration (ns);
    gsize n_digits = 0;
    for (const char *p = text; *p != '\0'; p++)
      n_digits += g_ascii_isdigit (*p) ? 1 : 0;
    g_assert_cmpuint (n_digits, <=, strstr (text, " min") != NULL ? 4 : 3);
    g_assert_false (g_str_has_prefix (text, "60") && (strstr (text, " s") != NULL || strstr (text, "min") != NULL));
    g_assert_false (g_str_has_suffix (text, " 60 s") || g_str_has_prefix (text, "0."));
  }
}

static void
check_column (gint64 least_ns, gint64 greatest_ns, const char *least, const char *greatest)
{
  LoomTimeColumn column;
  gboolean common = loom_time_column_init (&column, least_ns, greatest_ns);
  g_assert_cmpint (common, ==, least != NULL);
  if (!common)
    return;
  g_autofree char *low = loom_time_column_format (&column, least_ns),
                  *high = loom_time_column_format (&column, -greatest_ns), *zero = loom_time_column_format (&column, 0);
  g_autofree char *minus = g_strconcat ("−", greatest, NULL);
  g_assert_cmpstr (low, ==, least);
  g_assert_cmpstr (high, ==, minus);
  g_assert_true (g_str_has_prefix (zero, "0 "));
}

/* All values of a column have one unit and as many decimals as give the greatest value three digits, unless the values
 * differ too much. */
static void
test_duration_column (void)
{
  check_column (7850 * LOOM_NS_PER_MS, 7850 * LOOM_NS_PER_MS, "7.85 s", "7.85 s");
  check_column (221 * LOOM_NS_PER_MS, 7850 * LOOM_NS_PER_MS, "0.22 s", "7.85 s");
  check_column (1440 * LOOM_NS_PER_US, 63900 * LOOM_NS_PER_US, "1.4 ms", "63.9 ms");
  check_column (310 * LOOM_NS_PER_MS, 310 * LOOM_NS_PER_MS, "310 ms", "310 ms");
  check_column (110 * LOOM_NS_PER_MS, 9 * LOOM_NS_PER_S, "0.11 s", "9.00 s");
  check_column (60 * LOOM_NS_PER_MS, 9 * LOOM_NS_PER_S, NULL, NULL);
  check_column (10 * LOOM_NS_PER_MS, 654 * LOOM_NS_PER_MS, "10 ms", "654 ms");
  check_column (9 * LOOM_NS_PER_MS, 654 * LOOM_NS_PER_MS, NULL, NULL);
  check_column (20 * LOOM_NS_PER_S, 65 * LOOM_NS_PER_S, NULL, NULL);
  check_column (3, 999, "3 ns", "999 ns");
}

static void
test_exact (void)
{
  static const Example examples[] = {
    { 0, "0 ns" },
    { 999, "999 ns" },
    { 1000, "1 µs" },
    { 1001, "1.001 µs" },
    { 1500, "1.5 µs" },
    { 12400017, "12.400\u202f017 ms" },
    { 60 * LOOM_NS_PER_S, "60 s" },
    { 7200 * LOOM_NS_PER_S + 1, "7200.000\u202f000\u202f001 s" },
    { -1000000, "−1 ms" },
    { G_MAXINT64, "9223372036.854\u202f775\u202f807 s" },
    { G_MININT64, "−9223372036.854\u202f775\u202f808 s" },
  };
  check_examples (loom_time_format_exact, examples, G_N_ELEMENTS (examples));
}

static void
test_offset (void)
{
  static const struct {
    gint64 ns, step_ns;
    const char *text;
  } examples[] = {
    { 0, LOOM_NS_PER_S, "0 s" },
    { 0, 5, "0 ns" },
    { 12450 * LOOM_NS_PER_MS, 50 * LOOM_NS_PER_MS, "+12.45 s" },
    { 12450 * LOOM_NS_PER_MS, LOOM_NS_PER_MS, "+12.450 s" },
    { 12450 * LOOM_NS_PER_MS, LOOM_NS_PER_S, "+12 s" },
    { 200 * LOOM_NS_PER_MS, 200 * LOOM_NS_PER_MS, "+200 ms" },
    { -1500, 500, "−1.5 µs" },
    { -1500, 1, "−1.500 µs" },
    { 1500, 0, "+1.500 µs" },
    { 120 * LOOM_NS_PER_S, 60 * LOOM_NS_PER_S, "+120 s" },
    { 1, 1, "+1 ns" },
    { G_MAXINT64, 1, "+9223372036.854775807 s" },
    { G_MININT64, 1, "−9223372036.854775808 s" },
    { G_MININT64, G_MAXINT64, "−9223372036 s" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (examples); i++) {
    g_autofree char *text = loom_time_format_offset (examples[i].ns, examples[i].step_ns);
    g_assert_cmpstr (text, ==, examples[i].text);
  }
}

static void
test_instant_in_column (void)
{
  static const struct {
    gint64 ns;
    guint digits;
    gint64 extent_ns;
    const char *text;
  } examples[] = {
    { 50860 * LOOM_NS_PER_MS, 6, 90 * LOOM_NS_PER_S, "+50.860\u202f000 s" },
    { 50859981 * LOOM_NS_PER_US, 6, 90 * LOOM_NS_PER_S, "+50.859\u202f981 s" },
    { 0, 3, 90 * LOOM_NS_PER_S, "+0.000 s" },
    { 1, 9, LOOM_NS_PER_S, "+0.000\u202f000\u202f001 s" },
    { 3700 * LOOM_NS_PER_S, 0, 4000 * LOOM_NS_PER_S, "+3700 s" },
    { 1500, 6, 80 * LOOM_NS_PER_MS, "+0.001 ms" },
    { -2500000, 9, 80 * LOOM_NS_PER_MS, "−2.500\u202f000 ms" },
    { 12, 9, 800, "+12 ns" },
    { G_MININT64, 9, G_MAXINT64, "−9223372036.854\u202f775\u202f808 s" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (examples); i++) {
    g_autofree char *text =
      loom_time_format_instant_in_column (examples[i].ns, examples[i].digits, examples[i].extent_ns);
    g_assert_cmpstr (text, ==, examples[i].text);
  }
}

static void
test_clock (void)
{
  static const struct {
    gint64 ns;
    guint digits;
    const char *text;
  } examples[] = {
    { 0, 0, "00:00:00" },
    { 0, 3, "00:00:00.000" },
    { -1, 9, "23:59:59.999999999" },
    { -1, 0, "23:59:59" },
    { G_GINT64_CONSTANT (1741096951250000000), 3, "14:02:31.250" },
    { G_GINT64_CONSTANT (1741096951250000000), 20, "14:02:31.250000000" },
    { G_MAXINT64, 9, "23:47:16.854775807" },
    { G_MININT64, 9, "00:12:43.145224192" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (examples); i++) {
    g_autofree char *text = loom_time_format_clock (examples[i].ns, examples[i].digits, FALSE);
    g_assert_cmpstr (text, ==, examples[i].text);
  }
}

static void
test_clock_local (void)
{
  g_autofree char *text = loom_time_format_clock (G_GINT64_CONSTANT (1741096951250000000), 1, TRUE);
  g_assert_cmpstr (text, ==, "19:32:31.2");
}

static void
test_date (void)
{
  static const Example examples[] = {
    { 0, "1970-01-01 00:00:00.000000000 UTC" },
    { -1, "1969-12-31 23:59:59.999999999 UTC" },
    { G_GINT64_CONSTANT (1741096951250000000), "2025-03-04 14:02:31.250000000 UTC" },
    { LOOM_TIME_PLAUSIBLE_MIN, "1990-01-01 00:00:00.000000000 UTC" },
    { LOOM_TIME_PLAUSIBLE_MAX, "2100-01-01 00:00:00.000000000 UTC" },
    { G_MAXINT64, "2262-04-11 23:47:16.854775807 UTC" },
    { G_MININT64, "1677-09-21 00:12:43.145224192 UTC" },
  };
  check_examples (loom_time_format_date, examples, G_N_ELEMENTS (examples));
}

static char *
dup_us (gint64 ns)
{
  char buffer[LOOM_TIME_US_MAX];
  return g_strndup (buffer, loom_time_write_us (ns, buffer));
}

static char *
dup_int (gint64 value)
{
  char buffer[24];
  return g_strndup (buffer, loom_time_write_int (value, buffer));
}

static void
test_write_us (void)
{
  static const Example examples[] = {
    { 0, "0" },
    { 1, "0.001" },
    { -1, "-0.001" },
    { 250, "0.250" },
    { 1000, "1" },
    { 1500000, "1500" },
    { -1001, "-1.001" },
    { G_GINT64_CONSTANT (1700000000000123456), "1700000000000123.456" },
    { G_MAXINT64, "9223372036854775.807" },
    { G_MININT64, "-9223372036854775.808" },
  };
  check_examples (dup_us, examples, G_N_ELEMENTS (examples));
}

static void
test_write_int (void)
{
  static const Example examples[] = {
    { 0, "0" },
    { -1, "-1" },
    { 10, "10" },
    { G_MAXINT64, "9223372036854775807" },
    { G_MININT64, "-9223372036854775808" },
  };
  check_examples (dup_int, examples, G_N_ELEMENTS (examples));
}

static gint64
random_ns (void)
{
  guint64 bits = ((guint64) (guint32) g_test_rand_int () << 32) | (guint32) g_test_rand_int ();
  return (gint64) bits >> g_test_rand_int_range (0, 64);
}

/* Parses µs with decimals without floating point: the digits without the decimal point are ns. */
static gint64
read_us (const char *text)
{
  g_autoptr (GString) digits = g_string_new (text);
  const char *point = strchr (text, '.');
  gsize n_fraction = point != NULL ? strlen (point + 1) : 0;
  g_assert_true (n_fraction == 0 || n_fraction == 3);
  if (point != NULL)
    g_string_erase (digits, point - text, 1);
  else
    g_string_append (digits, "000");
  gint64 value;
  g_assert_true (g_ascii_string_to_signed (digits->str, 10, G_MININT64, G_MAXINT64, &value, NULL));
  return value;
}

static void
test_write_us_round_trip (void)
{
  for (guint i = 0; i < 200000; i++) {
    gint64 ns = random_ns ();
    g_autofree char *us = dup_us (ns);
    g_assert_cmpint (read_us (us), ==, ns);
    g_autofree char *whole = dup_int (ns);
    g_assert_cmpint (g_ascii_strtoll (whole, NULL, 10), ==, ns);
  }
}

static void
test_saturation (void)
{
  g_assert_cmpint (loom_time_add (1, 2), ==, 3);
  g_assert_cmpint (loom_time_add (G_MAXINT64, 1), ==, G_MAXINT64);
  g_assert_cmpint (loom_time_add (G_MININT64, -1), ==, G_MININT64);
  g_assert_cmpint (loom_time_add (G_MININT64, G_MAXINT64), ==, -1);
  g_assert_cmpint (loom_time_sub (G_MAXINT64, -1), ==, G_MAXINT64);
  g_assert_cmpint (loom_time_sub (G_MININT64, 1), ==, G_MININT64);
  g_assert_cmpint (loom_time_sub (0, G_MININT64), ==, G_MAXINT64);
  g_assert_cmpint (loom_time_sub (-1, G_MININT64), ==, G_MAXINT64);
  g_assert_cmpint (loom_time_from (-3, LOOM_NS_PER_MS), ==, -3000000);
  g_assert_cmpint (loom_time_from (G_GINT64_CONSTANT (9223372036854775), LOOM_NS_PER_US), ==,
                   G_GINT64_CONSTANT (9223372036854775000));
  g_assert_cmpint (loom_time_from (G_GINT64_CONSTANT (9223372036854776), LOOM_NS_PER_US), ==, G_MAXINT64);
  g_assert_cmpint (loom_time_from (G_GINT64_CONSTANT (-9223372037), LOOM_NS_PER_S), ==, G_MININT64);
  g_assert_true (loom_time_is_saturated (loom_time_from (G_MAXINT64, LOOM_NS_PER_S)));
  g_assert_false (loom_time_is_saturated (G_MAXINT64 - 1));
}

/* Builds and sets a German locale, with a decimal comma, if the sources of locales are installed. */
static gboolean
set_german (void)
{
  g_autofree char *folder = g_dir_make_tmp ("loom-locale-XXXXXX", NULL),
                  *place = g_build_filename (folder, "de_DE.UTF-8", NULL);
  const char *const argv[] = { "localedef", "-i", "de_DE", "-f", "UTF-8", place, NULL };
  int status = -1;
  if (!g_spawn_sync (NULL, (char **) argv, NULL,
                     G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                     NULL, &status, NULL))
    return FALSE;
  g_setenv ("LOCPATH", folder, TRUE);
  gboolean is_set = setlocale (LC_NUMERIC, "de_DE.UTF-8") != NULL && setlocale (LC_TIME, "de_DE.UTF-8") != NULL;
  const char *const clean[] = { "rm", "-r", folder, NULL };
  g_spawn_sync (NULL, (char **) clean, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  return is_set;
}

/* Texts for people use the locale's decimal point and date format. Texts for files do not, and neither does anything
 * between loom_locale_number_begin() and loom_locale_number_end(). */
static void
test_locale (void)
{
  if (!set_german ()) {
    g_test_skip ("no locale with a decimal comma can be made here");
    return;
  }
  g_autofree char *text = loom_time_format_duration (12400017), *exact = loom_time_format_exact (1500000);
  g_autofree char *offset = loom_time_format_offset (-2500000, LOOM_NS_PER_US);
  g_autofree char *us = dup_us (1001);
  g_autofree char *date = loom_time_format_date (G_GINT64_CONSTANT (1741096951250000000));
  LoomLocaleNumber before = loom_locale_number_begin ();
  g_autofree char *plain_date = loom_time_format_date (G_GINT64_CONSTANT (1741096951250000000));
  g_autofree char *plain = loom_time_format_duration (12400017), *printed = g_strdup_printf ("%.1f", 1.5);
  loom_locale_number_end (before);
  g_autofree char *again = loom_time_format_duration (12400017);
  setlocale (LC_NUMERIC, "C");
  setlocale (LC_TIME, "C");
  g_assert_cmpstr (date, ==, "04.03.2025 14:02:31,250000000 UTC");
  g_assert_cmpstr (plain_date, ==, "2025-03-04 14:02:31.250000000 UTC");
  g_assert_cmpstr (text, ==, "12,4 ms");
  g_assert_cmpstr (exact, ==, "1,5 ms");
  g_assert_cmpstr (offset, ==, "−2,500 ms");
  g_assert_cmpstr (us, ==, "1.001");
  g_assert_cmpstr (plain, ==, "12.4 ms");
  g_assert_cmpstr (printed, ==, "1.5");
  g_assert_cmpstr (again, ==, "12,4 ms");
}

static void
check_duration (const char *text, gint64 expected_ns)
{
  gint64 ns = -1;
  g_assert_true (loom_time_parse_duration (text, &ns));
  g_assert_cmpint (ns, ==, expected_ns);
}

static void
test_parse_instant (void)
{
  static const struct {
    const char *text;
    gint64 ns;
  } good[] = {
    { "1.5 s", 1500 * LOOM_NS_PER_MS },   { "250ms", 250 * LOOM_NS_PER_MS },
    { "+12.45", 12450 * LOOM_NS_PER_MS }, { "7", 7 * LOOM_NS_PER_S },
    { "1:02.5", 62500 * LOOM_NS_PER_MS }, { "-0:30", -30 * LOOM_NS_PER_S },
    { "90:00", 5400 * LOOM_NS_PER_S },    { "2:01:02.000 000 001", 7262 * LOOM_NS_PER_S + 1 },
    { "1 min 5 s", 65 * LOOM_NS_PER_S },
  };
  static const char *const wrong[] = { "",       " ",       ":", "1:",      "1:60", ":30",
                                       "1.5:30", "1:2:3:4", "s", "1:02 ms", "--1",  "9999999999:00:00",
                                       "\xff" };
  gint64 ns;
  for (gsize i = 0; i < G_N_ELEMENTS (good); i++) {
    if (!loom_time_parse_instant (good[i].text, &ns))
      g_error ("“%s” is refused", good[i].text);
    g_assert_cmpint (ns, ==, good[i].ns);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    if (loom_time_parse_instant (wrong[i], &ns))
      g_error ("“%s” is read as %" G_GINT64_FORMAT, wrong[i], ns);
}

static void
test_parse_duration (void)
{
  static const char *const wrong[] = { "",
                                       "ms",
                                       "-",
                                       ".",
                                       "1.5.2 ms",
                                       "5 parsecs",
                                       "1 ms 2",
                                       "--3",
                                       "9223372036854775808",
                                       "1e3",
                                       "10000000000 s",
                                       "5 s 1 min",
                                       "1 s 1 s",
                                       "\xff" };
  gint64 ns, samples_ns[] = { 0, 1, -1, 999, 12400017, -3600000000001, G_MAXINT64, -G_MAXINT64 };
  check_duration ("1.5 ms", 1500000);
  check_duration ("-300us", -300000);
  check_duration ("\xe2\x88\x92"
                  "2 \xc2\xb5s",
                  -2000);
  check_duration ("+0,25 s", 250000000);
  check_duration ("7", 7);
  check_duration ("1 min 5 s", 65 * LOOM_NS_PER_S);
  check_duration ("−2 h 10 min", -7800 * LOOM_NS_PER_S);
  check_duration (".5 ns", 1); /* rounded up to 1 ns */
  check_duration ("9223372036854775807", G_MAXINT64);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (loom_time_parse_duration (wrong[i], &ns));
  for (guint i = 0; i < G_N_ELEMENTS (samples_ns); i++) {
    g_autofree char *text = loom_time_format_exact (samples_ns[i]);
    if (ABS (samples_ns[i]) < G_MAXINT64) /* values of several days are shown with two units */
      check_duration (text, samples_ns[i]);
  }
}

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "<+0530>-5:30", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/time/duration", test_duration);
  g_test_add_func ("/base/time/duration-digits", test_duration_digits);
  g_test_add_func ("/base/time/duration-column", test_duration_column);
  g_test_add_func ("/base/time/exact", test_exact);
  g_test_add_func ("/base/time/offset", test_offset);
  g_test_add_func ("/base/time/instant-in-column", test_instant_in_column);
  g_test_add_func ("/base/time/clock", test_clock);
  g_test_add_func ("/base/time/clock-local", test_clock_local);
  g_test_add_func ("/base/time/date", test_date);
  g_test_add_func ("/base/time/write-us", test_write_us);
  g_test_add_func ("/base/time/write-us-round-trip", test_write_us_round_trip);
  g_test_add_func ("/base/time/write-int", test_write_int);
  g_test_add_func ("/base/time/saturation", test_saturation);
  g_test_add_func ("/base/time/locale", test_locale);
  g_test_add_func ("/time/parse-duration", test_parse_duration);
  g_test_add_func ("/time/parse-instant", test_parse_instant);
  return g_test_run ();
}
