/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-scan-args.h"

#include <json-glib/json-glib.h>
#include <string.h>

static LoomJsonSlice
slice (const char *text)
{
  return (LoomJsonSlice) { text, strlen (text) };
}

static void
check_decoded (const char *literal, const char *expected)
{
  g_autofree char *decoded = loom_json_slice_dup_decoded (slice (literal));
  g_assert_cmpstr (decoded, ==, expected);
}

static void
test_decode (void)
{
  check_decoded ("\"plain\"", "plain");
  check_decoded ("\"a\\\"b\\\\c\\/d\"", "a\"b\\c/d");
  check_decoded ("\"\\u00e9\\u4e2d\"", "é中");
  check_decoded ("\"\\ud83d\\ude00\"", "😀");
  check_decoded ("\"\\ud83d\"", "\uFFFD");
  check_decoded ("\"\\ude00x\"", "\uFFFDx");
  check_decoded ("\"\\u0000\"", "␀");
  check_decoded ("\"tab\there\"", "tab␉here");
  check_decoded ("\"\\q\"", "\\q");
  check_decoded ("\"C:\\Windows\\system\"", "C:\\Windows\\system");
  check_decoded ("\"\\uZZ\"", "\\uZZ");
  check_decoded ("\"bad \xff byte\"", "bad \uFFFD byte");
  check_decoded ("12.5", "12.5");
}

static void
test_member (void)
{
  const char *text = "{\"a\":1, \"b\" : {\"a\":2},, \"a\":[3,{\"x\":\"}\"}], \"c\":NaN,}";
  g_assert_true (loom_json_slice_equal (loom_json_slice_member (slice (text), "a"), "[3,{\"x\":\"}\"}]"));
  g_assert_true (loom_json_slice_equal (loom_json_slice_member (slice (text), "b"), "{\"a\":2}"));
  g_assert_true (loom_json_slice_equal (loom_json_slice_member (slice (text), "c"), "NaN"));
  g_assert_null (loom_json_slice_member (slice (text), "x").text);
  g_assert_null (loom_json_slice_member (slice ("[1]"), "x").text);
}

/* loom_json_slice_members() finds the last member of each wanted name in one pass over an object. A longer name, or a
 * name with a NUL byte, is a different name. */
static void
test_members (void)
{
  static const char text[] = "{\"ab\":1,\"a\":2,\"\":3,\"abc\":4,\"a\0b\":5,\"a\":6}";
  static const char *const keys[] = { "a", "abc", "none", "ab" }, *const found[] = { "6", "4", NULL, "1" };
  LoomJsonSlice values[G_N_ELEMENTS (keys)];
  loom_json_slice_members ((LoomJsonSlice) { text, sizeof text - 1 }, keys, G_N_ELEMENTS (keys), values);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (found[i] != NULL)
      g_assert_true (loom_json_slice_equal (values[i], found[i]));
    else
      g_assert_null (values[i].text);
  loom_json_slice_members (slice ("[1]"), keys, G_N_ELEMENTS (keys), values);
  g_assert_null (values[0].text);
}

/* loom_json_slice_first_members() finds the first of several members with the same name. It stops when it has found all
 * wanted members. */
static void
test_first_members (void)
{
  static const char *const keys[] = { "a", "ab" }, *const more[] = { "a", "none" };
  LoomJsonSlice values[2];
  loom_json_slice_first_members (slice ("{\"ab\":1,\"a\":2,\"a\":6,\"ab\":7}"), keys, 2, values);
  g_assert_true (loom_json_slice_equal (values[0], "2"));
  g_assert_true (loom_json_slice_equal (values[1], "1"));
  loom_json_slice_first_members (slice ("{\"x\":1,\"a\":2,\"a\":6}"), more, 2, values);
  g_assert_true (loom_json_slice_equal (values[0], "2"));
  g_assert_null (values[1].text);
  loom_json_slice_first_members (slice ("[1]"), keys, 2, values);
  g_assert_null (values[0].text);
}

static void
check_strict (const char *text, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);
  loom_json_slice_append_strict (out, text, strlen (text));
  g_assert_cmpstr (out->str, ==, expected);
  g_assert_true (loom_json_slice_is_strict (out->str, out->len));
}

static void
test_strict (void)
{
  static const char *const same[] = { "{}",
                                      "[]",
                                      "{\"a\":1.50,\"b\":[true,null,\"x\\u0041\"]}",
                                      "123456789012345678901234567890",
                                      "\"\"",
                                      "{ \"a\" : 1 }",
                                      "-0.0e-7",
                                      "\"\\uD83D\\ude00\"" };
  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    check_strict (same[i], same[i]);
  check_strict ("{\"a\":NaN}", "{\"a\":\"NaN\"}");
  check_strict ("{\"a\":-inf,\"b\":N/A,}", "{\"a\":\"-inf\",\"b\":\"N/A\"}");
  check_strict ("[1,,2,]", "[1,2]");
  check_strict ("{\"p\":\"C:\\x\"}", "{\"p\":\"C:\\\\x\"}");
  check_strict ("{\"p\":\"a\xff\"}", "{\"p\":\"a\uFFFD\"}");
  check_strict ("{\"p\":\"say \"hi\" now\"}", "{\"p\":\"say \\\"hi\\\" now\"}");
  check_strict ("{\"a\":[1,2", "{\"a\":[1,2]}");
  check_strict ("01", "\"01\"");
  check_strict ("{\n\"a\":\n1}", "{ \"a\": 1}");
  check_strict ("\n\n \t{\"a\":1}", "{\"a\":1}");
  check_strict (" [1,NaN] \r\n", "[1,\"NaN\"]");
  check_strict (" 1.50 ", "1.50");
  check_strict ("\n", "null");
  check_strict ("{\"a\\ud83d\":1}", "{\"a\uFFFD\":1}");
  check_strict ("[\"\\ud83d\\u0041\",\"\\ude00\\ud83d\"]", "[\"\uFFFDA\",\"\uFFFD\uFFFD\"]");
}

static void
test_not_strict (void)
{
  static const char *const bad[] = { "",
                                     "{",
                                     "[1,]",
                                     "{\"a\"}",
                                     "{\"a\":}",
                                     "{a:1}",
                                     "'x'",
                                     "01",
                                     "1.",
                                     ".5",
                                     "+1",
                                     "NaN",
                                     "[1 2]",
                                     "\"\t\"",
                                     "\"\\x\"",
                                     "\"\xff\"",
                                     "{} {}",
                                     "tru",
                                     "[1}",
                                     "\"abc",
                                     "\"\\ud83d\"",
                                     "\"\\ud83d\\ud83d\"",
                                     "\"\\ude00\"",
                                     "\"\\ud83d\\ude0\"",
                                     "\"\\ud83d\\n\"" };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (loom_json_slice_is_strict (bad[i], strlen (bad[i])));
}

static void
test_depth (void)
{
  for (guint depth = LOOM_LIMIT_DEPTH; depth <= LOOM_LIMIT_DEPTH + 1; depth++) {
    g_autoptr (GString) text = g_string_new (NULL);
    for (guint i = 0; i < depth; i++)
      g_string_append_c (text, '[');
    for (guint i = 0; i < depth; i++)
      g_string_append_c (text, ']');
    g_assert_cmpint (loom_json_slice_is_strict (text->str, text->len), ==, depth <= LOOM_LIMIT_DEPTH);
    g_autoptr (GString) out = g_string_new (NULL);
    loom_json_slice_append_strict (out, text->str, text->len);
    g_assert_true (loom_json_slice_is_strict (out->str, out->len));
  }
}

/* Any bytes can be repaired to strict JSON, which json-glib accepts. */
static void
test_repair_random (void)
{
  static const char alphabet[] = "{}[]\",:\\ 1e-.NanulsfE+x\xff\xc3\xa9\n\t";
  for (guint i = 0; i < 20000; i++) {
    char text[48];
    gsize n = (gsize) g_test_rand_int_range (1, sizeof text);
    for (gsize j = 0; j < n; j++)
      text[j] = alphabet[g_test_rand_int_range (0, sizeof alphabet - 1)];
    g_autoptr (GString) out = g_string_new (NULL);
    g_autoptr (GError) error = NULL;
    loom_json_slice_append_strict (out, text, n);
    g_assert_true (loom_json_slice_is_strict (out->str, out->len));
    g_assert_true (g_utf8_validate (out->str, (gssize) out->len, NULL));
    g_autoptr (JsonParser) parser = json_parser_new ();
    if (!json_parser_load_from_data (parser, out->str, (gssize) out->len, &error))
      g_error ("%s: %s", out->str, error->message);
  }
}

/* For invalid JSON, the reported place is the first token that is not allowed there. */
static void
test_fault (void)
{
  static const struct {
    const char *text;
    gsize at;
  } rows[] = {
    { "{\"a\": 1}", G_MAXSIZE },
    { " [1, 2]\n", G_MAXSIZE },
    { "{\"a\": nil}", 6 },
    { "{\"a\": 1,}", 8 },
    { "{\"a\" 1}", 5 },
    { "{\"a\": 1 \"b\": 2}", 8 },
    { "[1, \"cut]", 4 },
    { "\n{\"a\": [", 8 },
    { "{\"a\": {\"b\": 01}}", 13 },
    { "[1] 2", 4 },
    { "", 0 },
    { "{a: 1}", 1 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_test_message ("%s", rows[i].text);
    g_assert_cmpuint (loom_json_slice_find_fault (rows[i].text, strlen (rows[i].text)), ==, rows[i].at);
  }
}

/* --- args of events ----------------------------------------------------------------------------------------------- */

static const LoomJsonSlice arg_keys[] = { LOOM_SCAN_ARGS_KEY ("stream"), LOOM_SCAN_ARGS_KEY ("id") };

/* `expected`: the values of `stream` and `id`, "" for an absent one; NULL: the text cannot be read. */
static void
check_args (const char *event, const char *stream, const char *id)
{
  LoomJsonSlice values[2];
  const char *expected[] = { stream, id };
  gboolean is_read = loom_scan_args_find (event, strlen (event), arg_keys, 2, values);
  g_assert_cmpint (is_read, ==, stream != NULL);
  for (guint i = 0; is_read && i < 2; i++) {
    g_autofree char *value = values[i].text != NULL ? g_strndup (values[i].text, values[i].length) : g_strdup ("");
    g_assert_cmpstr (value, ==, expected[i]);
  }
}

static void
test_event_args (void)
{
  check_args ("{\"name\": \"a\", \"args\": {\"x\": [1, {\"id\": 2}], \"stream\": 7, \"id\": \"b\"}}", "7", "\"b\"");
  check_args ("{\"args\": {\"id\": 1, \"id\": 2}, \"ts\": 3}", "", "1");
  check_args ("{\"args\": {\"streams\": 1, \"strea\": 2}}", "", "");
  check_args ("{\"id\": 5, \"name\": \"\\\"args\\\": {\", \"args\": {}}", "", "");
  check_args ("{\"args\": {\"id\": 1}, \"args\": {\"stream\": 2}}", "2", "");
  check_args ("{\"args\": [1, 2], \"id\": 3}", "", "");
  check_args ("{\"args\": {\"stream\": 1, \"id\": 2}, damaged", "1", "2");
  check_args ("{\"args\": {\"stream\": 1, damaged", NULL, NULL);
  check_args ("{\"args\": {\"stream\": 1}", NULL, NULL);
  check_args ("{\"args\": {\"stream\"", NULL, NULL);
  check_args ("{\"args\":", NULL, NULL);
  check_args ("", NULL, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-text/decode", test_decode);
  g_test_add_func ("/json-text/member", test_member);
  g_test_add_func ("/json-text/members", test_members);
  g_test_add_func ("/json-text/first-members", test_first_members);
  g_test_add_func ("/json-text/strict", test_strict);
  g_test_add_func ("/json-text/not-strict", test_not_strict);
  g_test_add_func ("/json-text/depth", test_depth);
  g_test_add_func ("/json-text/repair-random", test_repair_random);
  g_test_add_func ("/json-text/fault", test_fault);
  g_test_add_func ("/json-text/event-args", test_event_args);
  return g_test_run ();
}
