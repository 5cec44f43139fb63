/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event-scanner.h"

#include <string.h>

/* Appends a line to the text for each callback of the scanner. */
static gboolean
on_event (const LoomEvent *event, gpointer user_data)
{
  GString *out = user_data;
  LoomJsonSlice name = event->member[LOOM_MEMBER_NAME];
  char phase = loom_event_phase (event);
  g_string_append_printf (out, "%" G_GUINT64_FORMAT " %c %.*s\n", event->offset, phase != '\0' ? phase : '-',
                          (int) name.length, name.text != NULL ? name.text : "");
  return TRUE;
}

static void
on_member (LoomJsonSlice key, LoomJsonSlice value, guint64 offset, gpointer user_data)
{
  g_string_append_printf (user_data, "%" G_GUINT64_FORMAT " %.*s=%.*s\n", offset, (int) key.length, key.text,
                          (int) value.length, value.text);
}

static void
on_problem (LoomScanProblem problem, guint64 offset, gpointer user_data)
{
  static const char *const words[] = { "broken", "not-an-event", "unterminated", "cut",   "after-end", "second",
                                       "comma",  "bad-member",   "too-large",    "zeros", "deep" };
  g_string_append_printf (user_data, "%" G_GUINT64_FORMAT " !%s\n", offset, words[problem]);
}

static const LoomScanHandler handler = { on_event, on_member, on_problem };

/* Passes the text to the scanner in pieces that end at multiples of `step`, or at random places if `step` is 0. Returns
 * a line for each callback. */
static char *
scan (const char *text, gsize length, gsize step)
{
  GString *out = g_string_new (NULL);
  g_autoptr (LoomEventScanner) scanner = loom_event_scanner_new (&handler, out, FALSE);
  gsize done = 0, shown = 0;
  while (!loom_event_scanner_is_done (scanner)) {
    gsize more = step > 0 ? step : (gsize) g_test_rand_int_range (1, 40);
    shown = MIN (shown + more, length);
    /* a separate buffer of the exact size, so that the sanitizer detects reads beyond the window */
    g_autofree char *window = g_memdup2 (text + done, MAX (shown - done, 1));
    done += loom_event_scanner_scan (scanner, window, shown - done, done, shown == length);
    if (shown == length)
      break;
  }
  return g_string_free (out, FALSE);
}

static void
check_text (const char *text, gsize length, const char *expected)
{
  g_autofree char *whole = scan (text, length, length + 1);
  if (expected != NULL)
    g_assert_cmpstr (whole, ==, expected);
  for (gsize step = 0; step < MIN (length, 70); step++) {
    g_autofree char *pieces = scan (text, length, step);
    g_assert_cmpstr (pieces, ==, whole);
  }
}

static void
check (const char *text, const char *expected)
{
  check_text (text, strlen (text), expected);
}

static void
test_forms (void)
{
  check ("[{\"ph\":\"X\",\"name\":\"a\"},{\"ph\":\"B\"}]", "1 X \"a\"\n23 B \n");
  check ("{\"k\":1,\"traceEvents\":[{\"ph\":\"X\"}],\"z\":{\"q\":[]}}", "5 \"k\"=1\n22 X \n38 \"z\"={\"q\":[]}\n");
  check ("\xEF\xBB\xBF \r\n[ {\"ph\" : \"i\" } ]\n", "8 i \n");
  check ("[]", "");
  check ("{\"traceEvents\":[]}", "");
  check ("{\"traceEvents\":[{\"ph\":\"a\"}],\"traceEvents\":[{\"ph\":\"b\"}]}", "16 a \n43 b \n");
}

static void
test_open_ends (void)
{
  check ("[", "1 !unterminated\n");
  check ("[{\"ph\":\"X\"}", "1 X \n11 !unterminated\n");
  check ("[{\"ph\":\"X\"},\n", "1 X \n13 !unterminated\n");
  check ("[{\"ph\":\"X\"},{\"ph\":\"B\",\"na", "1 X \n12 !cut\n25 !unterminated\n");
  check ("{\"traceEvents\":[{\"ph\":\"X\"}", "16 X \n26 !unterminated\n");
  check ("[{\"ph\":\"X\"}] tail", "1 X \n13 !after-end\n");
  check ("[{\"ph\":\"X\"}] [ {\"ph\":\"X\"}]", "1 X \n13 !second\n");
}

static void
test_repairs (void)
{
  check ("[,{\"ph\":\"X\"},,{\"ph\":\"Y\",},]", "2 X \n14 Y \n");
  check ("[{\"ph\":\"X\"}{\"ph\":\"Y\"}]", "1 X \n11 !comma\n11 Y \n");
  check ("[1,{\"ph\":\"X\"},null,\"s\",[2]]",
         "1 !not-an-event\n3 X \n14 !not-an-event\n19 !not-an-event\n23 !not-an-event\n");
  check ("[{\"ph\":\"X\",\"args\":{\"a\":NaN,\"b\":-inf,\"c\":N/A}}]", "1 X \n");
  check ("[{\"ph\":\"X\",\"name\":\"say \"hi\" x\"}]", "1 X \"say \"hi\" x\"\n");
  check ("[{\"ph\":\"X\",\"name\":\"C:\\dir\\x\"}]", "1 X \"C:\\dir\\x\"\n");
  check ("[{}]", "1 - \n");
}

/* A key without a colon damages only its event; the following events are found. */
static void
test_key_without_colon (void)
{
  check ("[{\"ph\":\"X\"},{\"ph\" 5},{\"ph\" 5},{\"name\":\"b\",\"ph\":\"E\"}]", "1 X \n12 !broken\n30 E \"b\"\n");
  check ("[{\"ph\" 5},{\"name\":\"b\",\"ph\":\"E\"}]", "1 !broken\n10 E \"b\"\n");
  check ("[{\"a\\\"{\":1,\"ph\":\"X\"},{\"a\"b\":1,\"ph\":\"E\"}]", "1 X \n21 E \n");
}

static void
test_resync (void)
{
  /* an event that lacks a bracket, a quote or a value does not affect the neighbouring events */
  check ("[{\"ph\":\"X\"},{\"ph\":\"B\",\"args\":{\"a\":[1}},{\"ph\":\"E\"}]", "1 X \n12 !broken\n39 E \n");
  check ("[{\"ph\":\"X\"},{\"ph\":\"B\" \"name\"},{\"ph\":\"E\"}]", NULL);
  check ("[{\"ph\":\"X\"},{\"ph\" \"B\",\"x\":{}},\n{\"ph\":\"E\"}]", NULL);
}

#define ZEROS "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"

/* A hole (a sequence of zero bytes, as after a crash of the machine) is found wherever it begins relative to the blocks
 * that the scanner searches, also inside a long event. */
static void
test_holes_in_blocks (void)
{
  for (guint shift = 0; shift < 40; shift++) {
    g_autoptr (GString) text = g_string_new ("[");
    while (text->len < 20000)
      g_string_append (text, "{\"ph\":\"X\",\"pid\":1},");
    g_string_append (text, "{\"ph\":\"Y\",\"args\":{\"long\":\"");
    while (text->len < 32740 + shift)
      g_string_append_c (text, 'x');
    g_string_append (text, "\"},");
    gsize hole = text->len;
    g_string_set_size (text, hole + 4096);
    memset (text->str + hole, 0, 4096);
    g_string_append (text, ",{\"ph\":\"E\"}]");
    g_autofree char *heard = scan (text->str, text->len, text->len + 1);
    g_autofree char *told =
      g_strdup_printf ("\n%" G_GSIZE_FORMAT " !zeros\n%" G_GSIZE_FORMAT " E \n", hole, hole + 4097);
    g_assert_true (g_str_has_suffix (heard, told));
    g_assert_null (strstr (heard, "broken"));
  }
}

/* A hole of many zero bytes ends the event around it, and is reported with its offset; fewer zero bytes are control
 * characters of the event. */
static void
test_holes (void)
{
  static const char in_string[] =
    "[{\"ph\":\"X\"},{\"ph\":\"B\",\"name\":\"ab" ZEROS "cd\",\"name\":1},{\"ph\":\"E\"}]";
  static const char over_two[] =
    "[{\"ph\":\"X\"},{\"ph\":\"B\",\"name\":\"ab" ZEROS ZEROS "\"},{\"ph\":\"E\"},{\"ph\":\"F\"}]";
  static const char two[] = "[{\"ph\":\"X\"},{\"ph\"!\"B\"" ZEROS "abcd" ZEROS "},{\"ph\":\"E\"}]";
  static const char two_behind[] = "[{\"ph\":\"X\"},{\"ph\"!\"B\"" ZEROS "abcd" ZEROS ZEROS "efg";
  static const char between[] = "[{\"ph\":\"X\"}," ZEROS "{\"ph\":\"B\"},{\"ph\":\"E\"}]";
  static const char at_the_end[] = "[{\"ph\":\"X\"}," ZEROS ZEROS;
  static const char few[] = "[{\"ph\":\"X\",\"name\":\"a\0\0b\"}]";
  check_text (in_string, sizeof in_string - 1, "1 X \n32 !zeros\n62 E \n");
  check_text (over_two, sizeof over_two - 1, "1 X \n32 !zeros\n67 E \n78 F \n");
  check_text (two, sizeof two - 1, "1 X \n21 !zeros\n41 !zeros\n59 E \n");
  check_text (two_behind, sizeof two_behind - 1, NULL);
  check_text (between, sizeof between - 1, "1 X \n12 !zeros\n28 B \n39 E \n");
  check_text (at_the_end, sizeof at_the_end - 1, NULL);
  g_autofree char *end = scan (at_the_end, sizeof at_the_end - 1, sizeof at_the_end),
                  *short_one = scan (few, sizeof few - 1, sizeof few);
  g_assert_true (g_str_has_prefix (end, "1 X \n12 !zeros\n"));
  g_assert_null (strstr (short_one, "zeros"));
}

static void
test_hostile (void)
{
  g_autoptr (GString) deep = g_string_new ("[{\"ph\":\"X\",\"args\":");
  for (guint i = 0; i < 2000; i++)
    g_string_append (deep, "{\"a\":");
  g_string_append (deep, "1");
  for (guint i = 0; i < 2000; i++)
    g_string_append_c (deep, '}');
  g_string_append (deep, "},{\"ph\":\"Y\"}]");
  g_autofree char *found = scan (deep->str, deep->len, deep->len + 1);
  g_assert_true (g_str_has_prefix (found, "1 !deep\n1 X \n"));
  g_assert_true (g_str_has_suffix (found, " Y \n"));
}

/* Cutting a text anywhere never loses an event that is complete before the cut. */
static void
test_cut_anywhere (void)
{
  const char *text =
    "{\"a\":\"b\",\"traceEvents\":[{\"ph\":\"X\",\"name\":\"one\",\"args\":{\"s\":\"x\\\"y\"}},{\"ph\":\"B\"},\n{\"ph\":\"E\",\"ts\":1e3}],\"t\":1}";
  gsize ends[3], n = 0, length = strlen (text);
  const char *p = strstr (text, "}},") + 2;
  ends[n++] = (gsize) (p - text);
  p = strstr (p, "\"B\"}") + 4;
  ends[n++] = (gsize) (p - text);
  ends[n++] = (gsize) (strstr (p, "1e3}") + 4 - text);
  for (gsize cut = 0; cut <= length; cut++) {
    g_autofree char *found = scan (text, cut, 0);
    guint n_events = 0, n_expected = 0;
    for (const char *line = found; *line != '\0'; line = strchr (line, '\n') + 1) {
      const char *mark = strchr (line, ' ') + 1;
      n_events += mark[0] != '!' && mark[0] != '"' && mark[0] != '-';
    }
    for (gsize i = 0; i < n; i++)
      n_expected += ends[i] <= cut;
    g_assert_cmpuint (n_events, ==, n_expected);
  }
}

static void
test_random_bytes (void)
{
  static const char alphabet[] = "[]{}\",:\\ph\"X1 \n";
  for (guint i = 0; i < 5000; i++) {
    char text[80];
    gsize n = (gsize) g_test_rand_int_range (1, sizeof text);
    for (gsize j = 0; j < n; j++)
      text[j] = alphabet[g_test_rand_int_range (0, sizeof alphabet - 1)];
    text[0] = i % 2 ? '[' : '{';
    g_autofree char *whole = scan (text, n, n + 1);
    g_assert_nonnull (whole);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scanner/forms", test_forms);
  g_test_add_func ("/scanner/open-ends", test_open_ends);
  g_test_add_func ("/scanner/repairs", test_repairs);
  g_test_add_func ("/scanner/key-without-colon", test_key_without_colon);
  g_test_add_func ("/scanner/resync", test_resync);
  g_test_add_func ("/scanner/holes", test_holes);
  g_test_add_func ("/scanner/holes-in-blocks", test_holes_in_blocks);
  g_test_add_func ("/scanner/hostile", test_hostile);
  g_test_add_func ("/scanner/cut-anywhere", test_cut_anywhere);
  g_test_add_func ("/scanner/random-bytes", test_random_bytes);
  return g_test_run ();
}
