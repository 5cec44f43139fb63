/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests scanning with predictions: the scanner learns the structure of earlier events and expects the next one to be
 * similar. The result must be the same as without predictions, whatever events came before.
 */
#include "loom-event-predictor.h"

#include <string.h>

static const char *
pick (const char *const *choices)
{
  return choices[g_test_rand_int_range (0, (gint) g_strv_length ((char **) choices))];
}

static const char *const keys[] = {
  "ph",          "name",    "cat",     "pid",     "tid",
  "ts",          "dur",     "args",    "id",      "bp",
  "s",           "bind_id", "flow_in", "odd key", "a key that is longer than any gap that can be remembered",
  "esc\\\"aped", "",        NULL
};
static const char *const values[] = { "\"X\"",
                                      "\"a name\"",
                                      "\"a longer name that does not fit in sixteen bytes\"",
                                      "\"q\\\"uote\"",
                                      "\"\"",
                                      "1",
                                      "-12.5",
                                      "1e9",
                                      "1700000000000123.456",
                                      "12345678901234567890.123",
                                      "{}",
                                      "{\"a\": [1, 2, {\"b\": \"}\"}]}",
                                      "[]",
                                      "null",
                                      "true",
                                      "NaN",
                                      "1/2",
                                      "\"stray \"quote\" inside\"",
                                      "\"caf\xc3\xa9\"",
                                      NULL };
static const char *const commas[] = { ",",  ", ", ",\n    ", " ,",
                                      ",,", " ",  "",        ",\n                                                ",
                                      NULL };
static const char *const colons[] = { ":", ": ", " : ", ":\n  ", "", NULL };

/* Appends an event that equals the template or differs from it; `oddness` determines how often. */
static void
append_event (GString *out, GPtrArray *template, const char *comma, const char *colon, gint oddness)
{
  g_string_append (out, "{");
  for (guint i = 0; i < template->len; i++) {
    gboolean odd = g_test_rand_int_range (0, 100) < oddness;
    if (i > 0)
      g_string_append (out, odd && g_test_rand_bit () ? pick (commas) : comma);
    g_string_append_printf (out, "\"%s\"%s%s",
                            odd && g_test_rand_bit () ? pick (keys) : (const char *) template->pdata[i],
                            odd && g_test_rand_bit () ? pick (colons) : colon, pick (values));
  }
  g_string_append (out, g_test_rand_int_range (0, 100) < oddness ? "\n }" : "}");
}

/* Scans the events in a buffer of the exact size, so that the sanitizer detects reads beyond its end. */
static void
check (LoomEventShapes *shapes, const char *text, gsize length)
{
  g_autofree char *exact = g_memdup2 (text, MAX (length, 1));
  const char *end = exact + length;
  for (const char *at = exact; at < end;) {
    LoomEvent plain = { 0 }, guided = { 0 };
    const char *plain_end = at, *guided_end = at;
    LoomJsonSkip expected = loom_event_parser (&plain_end, end, &plain);
    LoomJsonSkip seen = loom_event_predictor_walk_guided (shapes, &guided_end, end, &guided);
    g_assert_cmpint (seen, ==, expected);
    if (expected == LOOM_JSON_SKIP_OK) {
      g_assert_true (guided_end == plain_end);
      g_assert_cmpmem (&guided.text, sizeof guided.text, &plain.text, sizeof plain.text);
      g_assert_cmpmem (guided.member, sizeof guided.member, plain.member, sizeof plain.member);
      g_assert_cmpuint (guided.n_members, ==, plain.n_members);
      at = plain_end;
    } else {
      at++;
    }
  }
}

static void
test_random (void)
{
  for (guint round = 0; round < 3000; round++) {
    g_autofree LoomEventShapes *shapes = g_new0 (LoomEventShapes, 1);
    g_autoptr (GString) text = g_string_new (NULL);
    GPtrArray *templates[3];
    for (guint t = 0; t < 3; t++) {
      templates[t] = g_ptr_array_new ();
      for (gint n = g_test_rand_int_range (0, t == 2 ? 30 : 10); n > 0; n--)
        g_ptr_array_add (templates[t], (gpointer) pick (keys));
    }
    const char *comma = pick (commas), *colon = pick (colons);
    for (gint n = g_test_rand_int_range (1, 20); n > 0; n--) {
      append_event (text, templates[g_test_rand_int_range (0, 3)], comma, colon, round % 3 * 15);
      g_string_append (text, g_test_rand_bit () ? ",\n" : ",");
    }
    check (shapes, text->str, text->len - (gsize) g_test_rand_int_range (0, (gint) MIN (text->len, 40)));
    for (guint t = 0; t < 3; t++)
      g_ptr_array_unref (templates[t]);
  }
}

/* If events have very many different structures, predictions are dropped; they are never used for the wrong
 * structure. */
static void
test_many_shapes (void)
{
  g_autofree LoomEventShapes *shapes = g_new0 (LoomEventShapes, 1);
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < 2000; i++) {
    g_string_append (text, "{\"ph\":\"X\"");
    for (guint k = 0; k < 5; k++)
      g_string_append_printf (text, ",\"%s\":%u", keys[g_test_rand_int_range (0, 14)], i);
    g_string_append (text, "},\n");
  }
  check (shapes, text->str, text->len);
  g_assert_cmpuint (shapes->n_misses, >, LOOM_EVENT_SHAPE_PATIENCE);
}

/* If events have equal structures, they must be scanned by the fast path. */
static void
test_learns (void)
{
  g_autofree LoomEventShapes *shapes = g_new0 (LoomEventShapes, 1);
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (
      text,
      "{ \"ph\": \"X\", \"name\": \"n%u\", \"ts\": %u.%03u,\n  \"dur\": %u, \"args\": {\"a\": [%u]} },\n{\"ph\": \"s\", \"id\": %u, \"ts\": 1},\n",
      i * i, i, i, i, i, i);
  check (shapes, text->str, text->len - 100);
  g_assert_cmpuint (shapes->n_misses, <, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scan/event-predictor/random", test_random);
  g_test_add_func ("/scan/event-predictor/many-shapes", test_many_shapes);
  g_test_add_func ("/scan/event-predictor/learns", test_learns);
  return g_test_run ();
}
