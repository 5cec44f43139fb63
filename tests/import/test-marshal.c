/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the reader of Python's marshal format, in which profiles are stored, with bytes written by hand: one test for
 * each rule of formats/python-profiles.md §2.
 */
#include "loom-python-marshal.h"

#include "loom-error.h"

#include <string.h>

/* Returns the bytes that the words denote, such as "7B 29 'a.py'": hexadecimal bytes, and text in quotes. */
static GByteArray *
bytes_of (const char *words)
{
  GByteArray *bytes = g_byte_array_new ();
  for (const char *p = words; *p != '\0';) {
    if (*p == ' ') {
      p++;
    } else if (*p == '\'') {
      const char *end = strchr (p + 1, '\'');
      g_byte_array_append (bytes, (const guint8 *) p + 1, (guint) (end - p - 1));
      p = end + 1;
    } else {
      guint8 byte = (guint8) (g_ascii_xdigit_value (p[0]) << 4 | g_ascii_xdigit_value (p[1]));
      g_byte_array_append (bytes, &byte, 1);
      p += 2;
    }
  }
  return bytes;
}

static void
print (GString *out, const LoomPythonMarshal *marshal, const LoomPythonMarshalValue *value)
{
  static const char brackets[] = "()[]{}";
  switch ((LoomPythonMarshalType) value->type) {
  case LOOM_PYTHON_MARSHAL_NONE: g_string_append (out, "None"); return;
  case LOOM_PYTHON_MARSHAL_BOOL: g_string_append (out, value->integer != 0 ? "True" : "False"); return;
  case LOOM_PYTHON_MARSHAL_INT: g_string_append_printf (out, "%" G_GINT64_FORMAT, value->integer); return;
  case LOOM_PYTHON_MARSHAL_FLOAT: g_string_append_printf (out, "%gf", value->number); return;
  case LOOM_PYTHON_MARSHAL_TEXT: g_string_append_printf (out, "'%.*s'", (int) value->length, value->text); return;
  case LOOM_PYTHON_MARSHAL_TUPLE:
  case LOOM_PYTHON_MARSHAL_LIST:
  case LOOM_PYTHON_MARSHAL_DICT: break;
  }
  const char *pair = brackets + 2 * (value->type - LOOM_PYTHON_MARSHAL_TUPLE);
  g_string_append_c (out, pair[0]);
  for (guint32 i = 0; i < value->length; i++) {
    if (i > 0)
      g_string_append (out, value->type == LOOM_PYTHON_MARSHAL_DICT && i % 2 != 0 ? ":" : ",");
    print (out, marshal, loom_python_marshal_get_item (marshal, value, i));
  }
  g_string_append_c (out, pair[1]);
}

static void
check (const char *words, const char *expected)
{
  g_autoptr (GByteArray) bytes = bytes_of (words);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) found = g_string_new (NULL);
  gsize n_used;
  g_autoptr (LoomPythonMarshal) marshal =
    loom_python_marshal_read ((const char *) bytes->data, bytes->len, &n_used, &error);
  g_assert_no_error (error);
  print (found, marshal, loom_python_marshal_get_top (marshal));
  g_assert_cmpstr (found->str, ==, expected);
  g_assert_cmpuint (n_used, ==, bytes->len);
}

static void
check_bad (const char *words, int code, const char *message, gsize place)
{
  g_autoptr (GByteArray) bytes = bytes_of (words);
  g_autoptr (GError) error = NULL;
  gsize offset;
  g_assert_null (loom_python_marshal_read ((const char *) bytes->data, bytes->len, &offset, &error));
  g_assert_error (error, LOOM_ERROR, code);
  g_assert_cmpuint (offset, ==, place);
  if (strstr (error->message, message) == NULL)
    g_error ("“%s” does not say “%s”", error->message, message);
}

static const char example[] =
  "7B 29 03 7A 04 61 2E 70 79 69 07 00 00 00 7A 01 66 29 05 69 02 00 00 00 69 02 00 00 00 67 00 00 00 00 00 00 D0 3F "
  "67 00 00 00 00 00 00 E0 3F 7B 30 30";

static void
test_example (void)
{
  check (example, "{('a.py',7,'f'):(2,2,0.25f,0.5f,{})}");
}

/* Tests every row of the table in formats/python-profiles.md §2 "Marshal subset". */
static void
test_kinds (void)
{
  check ("'{' 'N' 'T' 'F' 'N' '0'", "{None:True,False:None}");
  check ("')' 02 'i' FF FF FF FF 'i' 00 00 00 80", "(-1,-2147483648)");
  check ("'(' 01 00 00 00 'I' FF FF FF FF FF FF FF 7F", "(9223372036854775807)");
  check ("'[' 02 00 00 00 'N' ')' 00", "[None,()]");
  check ("'l' 00 00 00 00", "0");
  check ("'l' 02 00 00 00 01 00 01 00", "32769");
  check ("'l' FE FF FF FF 01 00 01 00", "-32769");
  check ("'l' 05 00 00 00 FF 7F FF 7F FF 7F FF 7F 07 00", "9223372036854775807");
  check ("'l' 05 00 00 00 00 00 00 00 00 00 00 00 08 00", "9.22337e+18f");
  check ("'g' 00 00 00 00 00 00 D0 3F", "0.25f");
  check ("'f' 04 '-2.5'", "-2.5f");
  check (
    "')' 08 'z' 01 'a' 'Z' 01 'b' 'a' 01 00 00 00 'c' 'A' 01 00 00 00 'd' 'u' 02 00 00 00 C3 A9 't' 01 00 00 00 'e' "
    "'s' 01 00 00 00 'g' 'z' 00",
    "('a','b','c','d','\xC3\xA9','e','g','')");
}

/* formats/python-profiles.md §2: "a value with the flag is appended to the reference list; containers … before their
 * items are read". */
static void
test_references (void)
{
  check ("A9 03 A9 01 FA 01 'x' 'r' 01 00 00 00 'r' 02 00 00 00", "(('x'),('x'),'x')");
  check ("')' 03 FA 01 'x' FA 01 'y' 'r' 00 00 00 00", "('x','y','x')");
}

/* formats/python-profiles.md §2: "In Python 2 files … t strings append to a separate interned list used by R". */
static void
test_python2 (void)
{
  check (
    "'{' '(' 03 00 00 00 't' 04 00 00 00 'a.py' 'i' 07 00 00 00 's' 01 00 00 00 'f' '(' 02 00 00 00 'R' 00 00 00 00 "
    "'f' 03 '0.5' '0'",
    "{('a.py',7,'f'):('a.py',0.5f)}");
}

static void
test_bad (void)
{
  check_bad ("", LOOM_ERROR_FORMAT, "", 0);
  check_bad ("'c'", LOOM_ERROR_FORMAT, "", 0);
  check_bad ("'{' 'N' 'N' 'c'", LOOM_ERROR_FORMAT, "", 3);
  check_bad ("')' 01 '0'", LOOM_ERROR_FORMAT, "", 2);
  check_bad ("'r' 00 00 00 00", LOOM_ERROR_FORMAT, "a reference to something that was not read", 0);
  check_bad ("')' 01 'R' 00 00 00 00", LOOM_ERROR_FORMAT, "a reference to something that was not read", 2);
  check_bad ("A9 01 'r' 00 00 00 00", LOOM_ERROR_FORMAT, "contains itself", 2);
  check_bad ("'(' FF FF FF 7F 'N'", LOOM_ERROR_FORMAT, "more items than there are bytes left", 0);
  check_bad ("'l' 00 00 00 80", LOOM_ERROR_FORMAT, "", 5);
  check_bad ("'l' 01 00 00 00 00 80", LOOM_ERROR_FORMAT, "", 0);
  check_bad ("'f' 02 '1x'", LOOM_ERROR_FORMAT, "", 0);
  check_bad ("'f' 00", LOOM_ERROR_FORMAT, "", 0);
  check_bad ("'a' 01 00 10 00", LOOM_ERROR_LIMIT, "", 0);
}

/* formats/python-profiles.md, edge case "truncated dump": wherever the file is cut, an error states the offset. */
static void
test_cut (void)
{
  g_autoptr (GByteArray) bytes = bytes_of (example);
  for (gsize n = 0; n < bytes->len; n++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *copy = g_memdup2 (bytes->data, n);
    gsize place;
    g_assert_null (loom_python_marshal_read (copy, n, &place, &error));
    g_assert_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT);
    g_assert_cmpuint (place, <=, n);
  }
}

static void
test_depth (void)
{
  g_autoptr (GString) words = g_string_new (NULL);
  for (guint i = 0; i < LOOM_PYTHON_MARSHAL_MAX_DEPTH; i++)
    g_string_append (words, "')' 01 ");
  g_autofree char *deepest = g_strconcat (words->str, "'N'", NULL), *deeper = g_strconcat (words->str, "')' 00", NULL);
  check (deepest, "((((((((((((((((None))))))))))))))))");
  check_bad (deeper, LOOM_ERROR_LIMIT, "", 32);
  /* a tuple that contains 15 nested tuples, and a reference to them, is nested 16 deep; if the reference is inside a
   * further tuple, it is nested 17 deep */
  g_autoptr (GString) twice = g_string_new ("')' 02 A9 01 ");
  for (guint i = 0; i < 14; i++)
    g_string_append (twice, "')' 01 ");
  g_string_append (twice, "'N' ");
  g_autofree char *fits = g_strconcat (twice->str, "'r' 00 00 00 00", NULL),
                  *not = g_strconcat (twice->str, "')' 01 'r' 00 00 00 00", NULL);
  check (fits, "((((((((((((((((None))))))))))))))),(((((((((((((((None))))))))))))))))");
  check_bad (not, LOOM_ERROR_LIMIT, "nested more than 16 deep", 35);
}

static void
test_many (void)
{
  gsize n = LOOM_PYTHON_MARSHAL_MAX_VALUES + 16;
  g_autofree char *bytes = g_malloc (n);
  g_autoptr (GError) error = NULL;
  guint32 count = GUINT32_TO_LE (LOOM_PYTHON_MARSHAL_MAX_VALUES);
  memset (bytes, 'N', n);
  bytes[0] = '[';
  memcpy (bytes + 1, &count, 4);
  g_assert_null (loom_python_marshal_read (bytes, n, NULL, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT);
}

/* The reader stops after the value; following bytes are left to the caller. */
static void
test_rest (void)
{
  gsize n_used;
  g_autoptr (LoomPythonMarshal) marshal = loom_python_marshal_read ("{0xyz", 5, &n_used, NULL);
  g_assert_nonnull (marshal);
  g_assert_cmpuint (n_used, ==, 2);
}

static void
test_detection (void)
{
  static const char *const yes[] = { "{0",
                                     "{(",
                                     "{)",
                                     "\xFB"
                                     "0",
                                     "\xFB\xA9",
                                     "{\xA8" };
  static const char *const no[] = { "", "{", "{\"", "{ ", "{}", "{\n", "[0", "\xDB\xA9", "{\xB0" };
  for (guint i = 0; i < G_N_ELEMENTS (yes); i++)
    g_assert_true (loom_python_marshal_looks_like_profile (yes[i], strlen (yes[i])));
  for (guint i = 0; i < G_N_ELEMENTS (no); i++)
    g_assert_false (loom_python_marshal_looks_like_profile (no[i], strlen (no[i])));
}

/* For random bytes, the reader ends, and all values lie inside the input. */
static void
test_random (void)
{
  static const char kinds[] = "{{{)([iIlgfzaut srRNTF0";
  for (guint i = 0; i < 20000; i++) {
    guint8 bytes[64];
    gsize n = (gsize) g_test_rand_int_range (0, sizeof bytes + 1), n_used;
    for (gsize k = 0; k < n; k++) {
      gint pick = g_test_rand_int_range (0, 3);
      bytes[k] = pick == 0   ? (guint8) g_test_rand_int_range (0, 256)
                 : pick == 1 ? (guint8) g_test_rand_int_range (0, 4)
                             : (guint8) kinds[g_test_rand_int_range (0, 23)];
      if (g_test_rand_int_range (0, 4) == 0)
        bytes[k] |= 0x80;
    }
    g_autofree char *copy = g_memdup2 (bytes, n);
    g_autoptr (GError) error = NULL;
    g_autoptr (LoomPythonMarshal) marshal = loom_python_marshal_read (copy, n, &n_used, &error);
    g_assert_cmpuint (n_used, <=, n);
    g_assert_true ((marshal == NULL) == (error != NULL));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/marshal/python-profiles/5 example", test_example);
  g_test_add_func ("/marshal/python-profiles/2 marshal subset", test_kinds);
  g_test_add_func ("/marshal/python-profiles/2 references", test_references);
  g_test_add_func ("/marshal/python-profiles/2 python 2", test_python2);
  g_test_add_func ("/marshal/python-profiles/2 any other type", test_bad);
  g_test_add_func ("/marshal/python-profiles/2 detection", test_detection);
  g_test_add_func ("/marshal/python-profiles/2 limits: depth", test_depth);
  g_test_add_func ("/marshal/python-profiles/2 limits: values", test_many);
  g_test_add_func ("/marshal/python-profiles/2 trailing bytes", test_rest);
  g_test_add_func ("/marshal/python-profiles/4 truncated dump", test_cut);
  g_test_add_func ("/marshal/random", test_random);
  return g_test_run ();
}
