/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the reader of Python pickles: each opcode of plain data, opcodes that are refused, and the data that is read
 * from truncated pickles; and the times of dumps of flight recorders.
 */
#include "loom-pickle.h"

#include "loom-error.h"
#include "loom-flight-ends.h"

#include <string.h>
#include <time.h>

static void append_value (const LoomPlainValues *values, const LoomPlainValue *value, guint depth, GString *out);

static void
append_items (const LoomPlainValues *values, const LoomPlainValue *value, guint depth, GString *out)
{
  gboolean is_dict = value->type == LOOM_PLAIN_DICT;
  g_string_append_c (out, is_dict ? '{' : '[');
  for (guint i = 0; i < loom_plain_values_get_n (value); i++) {
    g_string_append (out, i > 0 ? "," : "");
    if (is_dict) {
      append_value (values, loom_plain_values_get_key (values, value, i), depth, out);
      g_string_append_c (out, ':');
    }
    append_value (
      values, is_dict ? loom_plain_values_get_value (values, value, i) : loom_plain_values_get_item (values, value, i),
      depth, out);
  }
  g_string_append_c (out, is_dict ? '}' : ']');
}

static void
append_value (const LoomPlainValues *values, const LoomPlainValue *value, guint depth, GString *out)
{
  if (depth > 4) {
    g_string_append (out, "…");
    return;
  }
  switch (value->type) {
  case LOOM_PLAIN_NONE: g_string_append (out, "None"); break;
  case LOOM_PLAIN_BOOL: g_string_append (out, value->integer ? "True" : "False"); break;
  case LOOM_PLAIN_INT: g_string_append_printf (out, "%" G_GINT64_FORMAT, value->integer); break;
  case LOOM_PLAIN_FLOAT: g_string_append_printf (out, "%g", value->number); break;
  case LOOM_PLAIN_TEXT: g_string_append_printf (out, "'%.*s'", (int) value->length, value->text); break;
  default: append_items (values, value, depth + 1, out);
  }
}

/* Returns the content of the pickle as text, or the error message. "(cut at N)" follows the content of a pickle that is
 * truncated at byte N. */
static char *
render (const char *bytes, gsize n)
{
  static const char *const stops[] = { "whole", "cut", "damaged", "foreign", "full" };
  LoomPickleEnd end;
  g_autoptr (GError) error = NULL;
  g_autofree char *copy = g_memdup2 (bytes, n); /* a buffer of the exact size, so that the sanitizer detects reads
                                                 * beyond its end */
  g_autoptr (LoomPlainValues) values = loom_pickle_read (copy, n, NULL, &end, &error);
  if (values == NULL)
    return g_strdup (error->message);
  GString *out = g_string_new (NULL);
  if (loom_plain_values_get_top (values) != NULL)
    append_value (values, loom_plain_values_get_top (values), 0, out);
  if (end.stop != LOOM_PICKLE_WHOLE)
    g_string_append_printf (out, " (%s at %" G_GUINT64_FORMAT ")", stops[end.stop], end.at);
  else
    g_assert_cmpuint (end.n_after, <=, n);
  return g_string_free (out, FALSE);
}

typedef struct {
  const char *bytes;
  gsize n;
  const char *wanted;
} Case;

#define BYTES(TEXT) TEXT, sizeof TEXT - 1

static void
check (const Case *cases, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *got = render (cases[i].bytes, cases[i].n);
    g_test_message ("case %u", i);
    g_assert_cmpstr (got, ==, cases[i].wanted);
  }
}

static void
test_scalars (void)
{
  static const Case cases[] = {
    { BYTES ("\x80\x02N."), "None" },
    { BYTES ("\x80\x02\x88."), "True" },
    { BYTES ("\x80\x02\x89."), "False" },
    { BYTES ("K\xFF."), "255" },
    { BYTES ("M\x01\x02."), "513" },
    { BYTES ("J\xFE\xFF\xFF\xFF."), "-2" },
    { BYTES ("\x8A\x00."), "0" },
    { BYTES ("\x8A\x01\xFF."), "-1" },
    { BYTES ("\x8A\x02\xFF\x00."), "255" },
    { BYTES ("\x8A\x08\x00\x00\x00\x00\x00\x00\x00\x80."), "-9223372036854775808" },
    { BYTES ("\x8A\x09"
             "123456789."),
      "'123456789'" },
    { BYTES ("\x8B\x01\x00\x00\x00\x07."), "7" },
    { BYTES ("\x8B\x41\x00\x00\x00"
             "0123456789012345678901234567890123456789012345678901234567890123456789."),
      "The file is not a valid Python pickle: byte 0 is invalid" },
    { BYTES ("I7\n."), "7" },
    { BYTES ("I01\n."), "True" },
    { BYTES ("L-12L\n."), "-12" },
    { BYTES ("Ix\n."), "The file is not a valid Python pickle: byte 0 is invalid" },
    { BYTES ("G\x40\x00\x00\x00\x00\x00\x00\x00."), "2" },
    { BYTES ("F0.5\n."), "0.5" },
    { BYTES ("U\x02"
             "ab."),
      "'ab'" },
    { BYTES ("C\x01"
             "a."),
      "'a'" },
    { BYTES ("\x8C\x01"
             "a."),
      "'a'" },
    { BYTES ("X\x03\x00\x00\x00"
             "abc."),
      "'abc'" },
    { BYTES ("T\x01\x00\x00\x00"
             "a."),
      "'a'" },
    { BYTES ("B\x01\x00\x00\x00"
             "a."),
      "'a'" },
    { BYTES ("\x8D\x01\x00\x00\x00\x00\x00\x00\x00"
             "a."),
      "'a'" },
    { BYTES ("\x8E\x01\x00\x00\x00\x00\x00\x00\x00"
             "a."),
      "'a'" },
    { BYTES ("\x80\x04\x95\x02\x00\x00\x00\x00\x00\x00\x00K\x01."), "1" },
  };
  check (cases, G_N_ELEMENTS (cases));
}

static void
test_containers (void)
{
  static const Case cases[] = {
    { BYTES ("]."), "[]" },
    { BYTES (")."), "[]" },
    { BYTES ("}."), "{}" },
    { BYTES ("]K\x01"
             "a."),
      "[1]" },
    { BYTES ("](K\x01K\x02"
             "e."),
      "[1,2]" },
    { BYTES ("(K\x01K\x02l."), "[1,2]" },
    { BYTES ("(K\x01K\x02t."), "[1,2]" },
    { BYTES ("K\x01\x85."), "[1]" },
    { BYTES ("K\x01K\x02\x86."), "[1,2]" },
    { BYTES ("K\x01K\x02K\x03\x87."), "[1,2,3]" },
    { BYTES ("}K\x01K\x02s."), "{1:2}" },
    { BYTES ("}(K\x01K\x02K\x03]u."), "{1:2,3:[]}" },
    { BYTES ("(K\x01K\x02"
             "d."),
      "{1:2}" },
    { BYTES ("K\x01K\x02"
             "0."),
      "1" },
    { BYTES ("K\x01(K\x02"
             "1."),
      "1" },
    { BYTES ("K\x01"
             "q\x05"
             "0h\x05."),
      "1" },
    { BYTES ("K\x01"
             "r\x05\x00\x00\x00"
             "0j\x05\x00\x00\x00."),
      "1" },
    { BYTES ("K\x01\x94"
             "0h\x00."),
      "1" },
    { BYTES ("K\x01p3\n0g3\n."), "1" },
    { BYTES ("]q\x00h\x00"
             "a."),
      "[[[[[…]]]]]" }, /* a list that contains itself */
    { BYTES ("h\x01."), "The file is not a valid Python pickle: byte 0 is invalid" },
    { BYTES ("K\x01"
             "a."),
      "The file is not a valid Python pickle: byte 2 is invalid" },
    { BYTES ("K\x01K\x02"
             "a."),
      "The file is not a valid Python pickle: byte 4 is invalid" },
    { BYTES ("}(K\x01u."), "The file is not a valid Python pickle: byte 4 is invalid" },
    { BYTES ("e."), "The file is not a valid Python pickle: byte 0 is invalid" },
    { BYTES ("(e."), "The file is not a valid Python pickle: byte 1 is invalid" },
    { BYTES ("](\x85."), "The file is not a valid Python pickle: byte 2 is invalid" }, /* the tuple opcode has no value
                                                                                        * after the mark */
    { BYTES ("."), "The file is not a valid Python pickle: byte 0 is invalid" },
  };
  check (cases, G_N_ELEMENTS (cases));
}

/* Opcodes that could run code or create objects of classes are refused. */
static void
test_refused (void)
{
  static const guint8 opcodes[] = { 'c',  0x93, 'R',  'b',  0x81, 0x92, 'i',  'o', 'P', 'Q',  0x82, 0x83,
                                    0x84, 0x96, 0x97, 0x98, 0x8F, 0x90, 0x91, 'S', 'V', 0x00, 0xFF };
  for (guint i = 0; i < G_N_ELEMENTS (opcodes); i++) {
    const char bytes[] = { 'N', (char) opcodes[i], '.' };
    LoomPickleEnd end;
    g_autoptr (GError) error = NULL;
    g_autofree char *wanted = g_strdup_printf (
      "The file contains Python objects (opcode 0x%02x at byte 1); only plain data is read", opcodes[i]);
    g_assert_null (loom_pickle_read (bytes, sizeof bytes, NULL, &end, &error));
    g_assert_error (error, LOOM_ERROR, LOOM_ERROR_UNSUPPORTED);
    g_assert_cmpstr (error->message, ==, wanted);
  }
}

static void
test_cuts (void)
{
  static const Case cases[] = {
    { BYTES (""), " (cut at 0)" },
    { BYTES ("}(K\x01K\x02K\x03"), "{1:2} (cut at 8)" },
    { BYTES ("}(K\x01](K\x05}(K\x06K\x07X\x09\x00\x00\x00"
             "abc"),
      "{1:[5,{6:7}]} (cut at 14)" },
    { BYTES ("}K\x01K\x02sK"), "{1:2} (cut at 6)" },
    { BYTES ("X\xFF\xFF\xFF\xFF"), " (cut at 0)" },
    { BYTES ("\x8D\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF."), " (cut at 0)" },
    { BYTES ("\x95\xFF\x00\x00\x00\x00\x00\x00\x00]."), "[] (cut at 0)" },
    { BYTES ("I7"), " (cut at 0)" },
    { BYTES ("(K\x01"), " (cut at 3)" },
  };
  check (cases, G_N_ELEMENTS (cases));
}

/* The reader returns the data before the damage. */
static void
test_damage (void)
{
  static const Case cases[] = {
    { BYTES ("}(K\x01K\x02K\x03h\x09."), "{1:2} (damaged at 8)" },
    { BYTES ("}(K\x01](K\x05}(K\x06K\x07K\x08u"
             "."),
      "{1:[5,{6:7}]} (damaged at 16)" },
    { BYTES ("}(K\x01](K\x05K\x06"
             "cm\x01\nname\n"),
      "{1:[5,6]} (foreign at 10)" },
    { BYTES ("}(K\x01](K\x05K\x06"
             "cmod\nname\n"),
      "The file contains Python objects (opcode 0x63 at byte 10); only plain data is read" },
    { BYTES ("}(K\x01\x8C\x02os\x8C\x06system\x93u."),
      "The file contains Python objects (opcode 0x93 at byte 16); only plain data is read" },
    { BYTES ("](K\x01K\x02\xFFK\x03"
             "e."),
      "[1,2] (foreign at 6)" },
  };
  check (cases, G_N_ELEMENTS (cases));
}

static void
test_values (void)
{
  LoomPickleEnd end;
  static const char bytes[] = "}(\x8C\x01"
                              "aK\x01\x8C\x01"
                              "a\x8C\x02"
                              "42\x8C\x01"
                              "f"
                              "G\x40\x00\x00\x00\x00\x00\x00\x00\x8C\x01tNu.after";
  g_autoptr (LoomPlainValues) values = loom_pickle_read (bytes, sizeof bytes - 1, NULL, &end, NULL);
  const LoomPlainValue *top = loom_plain_values_get_top (values);
  g_assert_cmpuint (end.n_after, ==, strlen ("after"));
  g_assert_cmpuint (loom_plain_values_get_n (top), ==, 4);
  /* the key "a" occurs twice in the dict; the last value counts */
  g_assert_cmpint (loom_plain_values_to_int (loom_plain_values_find (values, top, "a"), -1), ==, 42);
  g_assert_cmpint (loom_plain_values_to_int (loom_plain_values_find (values, top, "f"), -1), ==, 2);
  g_assert_cmpint (loom_plain_values_to_int (loom_plain_values_find (values, top, "t"), -1), ==, -1);
  g_assert_cmpint (loom_plain_values_to_int (loom_plain_values_find (values, top, "none"), -1), ==, -1);
  g_assert_null (loom_plain_values_get_item (values, top, 0)); /* a dict has no items that can be accessed by index */
  g_assert_null (loom_plain_values_dup_text (loom_plain_values_find (values, top, "f")));
}

/* --- times of dumps ----------------------------------------------------------------------------------------------- */

#define BASE_NS (G_GINT64_CONSTANT (1700000000) * LOOM_NS_PER_S)

typedef struct {
  gint rank;
  gint64 end_ns;
} DumpTime;

/* Compares each dump with all others. */
static gint64
find_by_comparing (const DumpTime *dumps, guint n, gint rank, gint64 own_ns, gint64 timeout_ns)
{
  gint64 end_ns = LOOM_TIME_NONE;
  for (guint i = 0; i < n; i++) {
    if (rank >= 0 && dumps[i].rank == rank && dumps[i].end_ns > own_ns)
      return own_ns;
    if (dumps[i].end_ns <= own_ns + timeout_ns)
      end_ns = MAX (end_ns, dumps[i].end_ns);
  }
  return end_ns;
}

static void
test_ends (void)
{
  DumpTime dumps[300];
  LoomFlightEnds *ends = loom_flight_ends_new ();
  g_assert_cmpint (loom_flight_ends_find (ends, 0, BASE_NS, 5), ==, LOOM_TIME_NONE);
  g_assert_cmpint (loom_flight_ends_get_latest (ends), ==, LOOM_TIME_NONE);
  loom_flight_ends_add (ends, 0, 5);
  for (guint i = 0; i < G_N_ELEMENTS (dumps); i++) {
    dumps[i] = (DumpTime) { g_test_rand_int_range (-1, 40), BASE_NS + g_test_rand_int_range (0, 100) };
    loom_flight_ends_add (ends, dumps[i].rank, dumps[i].end_ns);
    for (guint k = 0; k <= i; k++) {
      gint64 timeout_ns = g_test_rand_int_range (0, 30);
      g_assert_cmpint (loom_flight_ends_find (ends, dumps[k].rank, dumps[k].end_ns, timeout_ns), ==,
                       find_by_comparing (dumps, i + 1, dumps[k].rank, dumps[k].end_ns, timeout_ns));
    }
  }
  loom_flight_ends_free (ends);
}

/* Returns the processor time in s for finding the end of each of `n` dumps. */
static double
measure_ends (guint n)
{
  LoomFlightEnds *ends = loom_flight_ends_new ();
  clock_t begin = clock ();
  for (guint i = 0; i < n; i++)
    loom_flight_ends_add (ends, (gint) i, BASE_NS + (gint64) (i * 7919 % n));
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (loom_flight_ends_find (ends, -1, BASE_NS + i, LOOM_NS_PER_S), ==, BASE_NS + n - 1);
  double spent = (double) (clock () - begin) / CLOCKS_PER_SEC;
  loom_flight_ends_free (ends);
  return spent;
}

/* A comparison of each dump with all others took 100 times as long for ten times as many dumps. */
static void
test_growth_of_ends (void)
{
  double few = measure_ends (20000), many = measure_ends (200000);
  g_assert_cmpfloat (many, <, 40 * MAX (few, 0.001));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/import/pickle/scalars", test_scalars);
  g_test_add_func ("/import/pickle/containers", test_containers);
  g_test_add_func ("/import/pickle/refused", test_refused);
  g_test_add_func ("/import/pickle/cuts", test_cuts);
  g_test_add_func ("/import/pickle/damage", test_damage);
  g_test_add_func ("/import/pickle/values", test_values);
  g_test_add_func ("/import/pickle/ends", test_ends);
  g_test_add_func ("/import/pickle/growth-of-ends", test_growth_of_ends);
  return g_test_run ();
}
