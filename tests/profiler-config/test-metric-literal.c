/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-metric-literal.h"

#include <string.h>

#include "loom-error.h"

/* Each case: a text and its canonical form, or the byte offset of the error. */
static const struct {
  const char *name, *text, *printed;
  guint byte;
} cases[] = {
  { "as the sdk writes it", "{\"StartStep\": 4, \"NumSteps\": 2, \"MetricsRegex\": \".*Next\", }",
    "{\"StartStep\":4,\"NumSteps\":2,\"MetricsRegex\":\".*Next\"}", 0 },
  { "empty", "{}", "{}", 0 },
  { "blanks", " \t\n{ }\r ", "{}", 0 },
  { "single quotes", "{'a': 'it\\'s', 'b': '\"'}", "{\"a\":\"it's\",\"b\":\"\\\"\"}", 0 },
  { "numbers", "{\"a\": -7, \"b\": 12.5, \"c\": 1e3, \"d\": +2, \"e\": 9223372036854775807}",
    "{\"a\":-7,\"b\":12.5,\"c\":1000.0,\"d\":2,\"e\":9223372036854775807}", 0 },
  { "a large number", "{\"a\": 4e132, \"b\": \"4e+132.0\"}", "{\"a\":4e+132,\"b\":\"4e+132.0\"}", 0 },
  { "words", "{\"a\": True, \"b\": false, \"c\": None, \"d\": NULL}", "{\"a\":true,\"b\":false,\"c\":null,\"d\":null}",
    0 },
  { "the last of equal keys", "{\"a\": 1, \"a\": 2}", "{\"a\":2}", 0 },
  { "backslashes", "{\"r\": \"\\\\d\\w\\n\"}", "{\"r\":\"\\\\d\\\\w\\n\"}", 0 },
  { "nothing", "", NULL, 0 },
  { "no brace", "[1]", NULL, 0 },
  { "not closed", "{\"a\": 1", NULL, 7 },
  { "text not closed", "{\"a\": \"b}", NULL, 6 },
  { "no quotes", "{a: 1}", NULL, 1 },
  { "no colon", "{\"a\" 1}", NULL, 5 },
  { "no comma", "{\"a\": 1 \"b\": 2}", NULL, 8 },
  { "two commas", "{\"a\": 1,, }", NULL, 8 },
  { "only a comma", "{,}", NULL, 1 },
  { "a call", "{\"a\": __import__('os')}", NULL, 6 },
  { "a longer word", "{\"a\": Truely}", NULL, 6 },
  { "nested", "{\"a\": {}}", NULL, 6 },
  { "no number", "{\"a\": 1e}", NULL, 6 },
  { "too large", "{\"a\": 1e999}", NULL, 6 },
  { "text behind", "{\"a\": 1} + 2", NULL, 9 },
};

static void
test_case (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) metric = loom_metric_literal_parse (cases[i].text, &error);
  if (cases[i].printed != NULL) {
    g_assert_no_error (error);
    g_autofree char *printed = loom_metric_literal_print (metric);
    g_assert_cmpstr (printed, ==, cases[i].printed);
    g_autoptr (JsonObject) again = loom_metric_literal_parse (printed, &error);
    g_assert_no_error (error);
    g_autofree char *second = loom_metric_literal_print (again);
    g_assert_cmpstr (second, ==, printed);
    return;
  }
  g_autofree char *place = g_strdup_printf ("byte %u:", cases[i].byte);
  g_assert_null (metric);
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT);
  g_assert_true (g_str_has_prefix (error->message, place));
}

static void
test_many_keys (void)
{
  g_autoptr (GString) text = g_string_new ("{");
  g_autoptr (GError) error = NULL;
  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (text, "\"k%u\": %u, ", i, i);
  g_string_append_c (text, '}');
  g_assert_null (loom_metric_literal_parse (text->str, &error));
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strdup_printf ("/profiler-config/metric-literal/%s", cases[i].name);
    g_test_add_data_func (path, GUINT_TO_POINTER (i), test_case);
  }
  g_test_add_func ("/profiler-config/metric-literal/many-keys", test_many_keys);
  return g_test_run ();
}
