/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the tree that shows the args of an event: json-glib parses the structure of the args, but numbers are shown
 * with the digits of the file.
 */
#include "loom-event-args.h"
#include "loom-hover-details.h"

#include <string.h>

static LoomArg *
member (GListModel *members, guint i)
{
  LoomArg *arg = g_list_model_get_item (members, i);
  g_assert_nonnull (arg);
  g_object_unref (arg); /* the list keeps a reference */
  return arg;
}

static void
assert_member (GListModel *members, guint i, const char *name, const char *value)
{
  g_assert_cmpstr (loom_event_arg_get_name (member (members, i)), ==, name);
  g_assert_cmpstr (loom_event_arg_get_value (member (members, i)), ==, value);
}

static void
test_literals (void)
{
  LoomEventArgs *args = loom_event_args_parse ("{\"big\":123456789012345678901234567890,\"exact\":1700000000000123.456,"
                                               "\"e\":-1e-06,\"s\":\"12\",\"t\":true,\"n\":null}",
                                               -1);
  g_assert_cmpuint (g_list_model_get_n_items (args->members), ==, 6);
  assert_member (args->members, 0, "big", "123456789012345678901234567890");
  assert_member (args->members, 1, "exact", "1700000000000123.456");
  assert_member (args->members, 2, "e", "-1e-06");
  assert_member (args->members, 3, "s", "12");
  assert_member (args->members, 4, "t", "true");
  assert_member (args->members, 5, "n", "null");
  g_assert_nonnull (strstr (args->json, "\"big\" : 123456789012345678901234567890"));
  g_assert_nonnull (strstr (args->json, "\"s\" : \"12\""));
  loom_event_args_free (args);
}

/* Counts and sizes are shown with separators of thousands, but numbers that identify something are not. Args that explain
 * the event, such as sizes, come first, and those that identify something come last. */
static void
test_grouped (void)
{
  static const char *const shown[] = { "16,777,216", "9999",    "12345.5", "012345",   "12345678901234567890",
                                       "7",          "1048576", "580123",  "139700000" };
  LoomEventArgs *args = loom_event_args_parse (
    "{\"stream\":7,\"small\":9999,\"bytes\":16777216,\"External id\":1048576,\"wait_on_cuda_event_record_corr_id\":580123,"
    "\"ptr\":\"139700000\",\"fraction\":12345.5,\"code\":\"012345\",\"long\":12345678901234567890}",
    -1);
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++) {
    g_autofree char *text = loom_event_arg_dup_shown (member (args->members, i));
    g_assert_cmpstr (text, ==, shown[i]);
  }
  loom_event_args_free (args);
}

/* A short array is shown in one line; an array of objects or of many elements is shown as its length. */
static void
test_inline (void)
{
  GString *text = g_string_new ("{\"dims\":[[8,1024],[],\"a\",null],\"objects\":[{\"a\":1}],\"many\":[0");
  for (guint i = 1; i < 100; i++)
    g_string_append_printf (text, ",%u", i);
  g_string_append (text, "]}");
  LoomEventArgs *args = loom_event_args_parse (text->str, -1);
  assert_member (args->members, 0, "dims", "[[8, 1024], [], a, null]");
  g_assert_true (loom_event_arg_is_inline (member (args->members, 0)));
  assert_member (args->members, 1, "objects", "[1]");
  g_assert_false (loom_event_arg_is_inline (member (args->members, 1)));
  assert_member (args->members, 2, "many", "[100]");
  g_assert_false (loom_event_arg_is_inline (member (args->members, 2)));
  loom_event_args_free (args);
  g_string_free (text, TRUE);
}

static void
test_nested (void)
{
  LoomEventArgs *args = loom_event_args_parse ("{\"a\":[1,[2.50,{\"b\":\"-3\"}]],\"o\":{}}", -1);
  assert_member (args->members, 0, "a", "[2]");
  GListModel *a = loom_event_args_get_children (member (args->members, 0));
  assert_member (a, 0, "0", "1");
  GListModel *inner = loom_event_args_get_children (member (a, 1));
  assert_member (inner, 0, "0", "2.50");
  assert_member (loom_event_args_get_children (member (inner, 1)), 0, "b", "-3");
  g_assert_cmpuint (g_list_model_get_n_items (loom_event_args_get_children (member (args->members, 1))), ==, 0);
  loom_event_args_free (args);
}

/* Tests strings that look like numbers or contain quotes, backslashes or NUL. */
static void
test_strings (void)
{
  LoomEventArgs *args = loom_event_args_parse ("{\"1\":\"a\\\"7\\\\\",\"z\":\"x\\u0000y\",\"d\":\"-5e3\"}", -1);
  assert_member (args->members, 0, "1", "a\"7\\");
  assert_member (args->members, 1, "z", "x\xe2\x90\x80y");
  assert_member (args->members, 2, "d", "-5e3");
  loom_event_args_free (args);
}

/* The tree marks numbers internally with a reserved code point; if a string of the file contains this code point, it is
 * replaced. */
static void
test_marks (void)
{
  LoomEventArgs *args = loom_event_args_parse ("{\"a\":\"\xEF\xB7\x90"
                                               "7\",\"b\":\"\\ufdd0\",\"c\":7}",
                                               -1);
  assert_member (args->members, 0, "a",
                 "\xEF\xBF\xBD"
                 "7");
  assert_member (args->members, 1, "b", "\xEF\xBF\xBD");
  assert_member (args->members, 2, "c", "7");
  g_assert_nonnull (strstr (args->json, "\"\xEF\xBF\xBD"
                                        "7\""));
  loom_event_args_free (args);
}

/* A string may contain half of a surrogate pair, which json-glib turns into invalid UTF-8. The args show a replacement
 * character instead. */
static void
test_half_pairs (void)
{
  LoomEventArgs *args = loom_event_args_parse (
    "{\"a\":\"\\ud83d00\",\"b\":\"\\ude00\",\"c\":\"\\ud83d\\ude00\",\"d\":\"\\ud83d\\u0041\"}", -1);
  static const char *const wanted[] = { "\xEF\xBF\xBD"
                                        "00",
                                        "\xEF\xBF\xBD", "\xF0\x9F\x98\x80",
                                        "\xEF\xBF\xBD"
                                        "A" };
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++) {
    g_autoptr (LoomArg) arg = g_list_model_get_item (args->members, i);
    g_assert_cmpstr (loom_event_arg_get_value (arg), ==, wanted[i]);
  }
  loom_event_args_free (args);
}

static void
test_broken (void)
{
  LoomEventArgs *args = loom_event_args_parse ("{\"v\":NaN,\"p\":\"C:\\q\"", -1);
  assert_member (args->members, 0, "v", "NaN");
  g_assert_cmpuint (g_list_model_get_n_items (args->members), ==, 2);
  loom_event_args_free (args);
  args = loom_event_args_parse ("", 0);
  loom_event_args_free (args);
  args = loom_event_args_parse ("\n\n{\"a\":1}", -1);
  assert_member (args->members, 0, "a", "1");
  loom_event_args_free (args);
}

static void
test_deep (void)
{
  g_autoptr (GString) text = g_string_new ("{\"a\":");
  for (guint i = 0; i < 5000; i++)
    g_string_append_c (text, '[');
  LoomEventArgs *args = loom_event_args_parse (text->str, (gssize) text->len);
  g_assert_cmpuint (g_list_model_get_n_items (args->members), <=, 1);
  loom_event_args_free (args);
}

/* --- args in the hover card --- */

static void
assert_chosen (const char *json, const char *lines)
{
  LoomEventArgs *args = loom_event_args_parse (json, -1);
  g_autofree char *chosen = loom_hover_details_choose (args->members);
  g_assert_cmpstr (chosen, ==, lines);
  loom_event_args_free (args);
}

/* Args that users look for come first, regardless of their order in the file; ids and addresses come last. */
static void
test_chosen (void)
{
  assert_chosen (
    "{\"External id\":7,\"stream\":20,\"Input Dims\":[[64,128],[128]],\"correlation\":3,\"bytes\":4096,\"step\":12}",
    "step: 12\nInput Dims: [[64, 128], [128]]\nbytes: 4096\nstream: 20\nExternal id: 7");
  assert_chosen ("{\"b\":2,\"a\":1}", "b: 2\na: 1");
  assert_chosen ("{\"empty\":\"\",\"none\":null,\"list\":[],\"object\":{}}", NULL);
  assert_chosen ("{}", NULL);
  assert_chosen ("{\"o\":{\"x\":[1,2]},\"text\":\"two\\nlines\"}", "o: {x: [1, 2]}\ntext: two lines");
}

/* Long values are truncated, and of huge lists only the beginning is read. */
static void
test_cut (void)
{
  g_autoptr (GString) json = g_string_new ("{\"shape\":[0");
  for (guint i = 1; i < 100000; i++)
    g_string_append_printf (json, ",%u", i);
  g_string_append (json, "]}");
  assert_chosen (json->str, "shape: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, …");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/event-args/literals", test_literals);
  g_test_add_func ("/app/event-args/grouped", test_grouped);
  g_test_add_func ("/app/event-args/nested", test_nested);
  g_test_add_func ("/app/event-args/inline", test_inline);
  g_test_add_func ("/app/event-args/strings", test_strings);
  g_test_add_func ("/app/event-args/marks", test_marks);
  g_test_add_func ("/app/event-args/half-pairs", test_half_pairs);
  g_test_add_func ("/app/event-args/broken", test_broken);
  g_test_add_func ("/app/event-args/deep", test_deep);
  g_test_add_func ("/app/event-args/chosen", test_chosen);
  g_test_add_func ("/app/event-args/cut", test_cut);
  return g_test_run ();
}
