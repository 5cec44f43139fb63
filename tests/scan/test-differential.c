/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the scanner with json-glib (oracle.h), event by event, on every file of the corpus, if it exists, and on
 * generated texts.
 */
#include "oracle.h"

#define MAX_TEXT (8u * 1024 * 1024)

typedef struct {
  guint n_files;
  guint n_events;
} Tally;

static void
compare_file (const char *path, gpointer user_data)
{
  Tally *tally = user_data;
  gsize length, max_bytes = oracle_is_long () ? G_MAXSIZE / 2 : MAX_TEXT;
  g_autofree char *text = oracle_read_text (path, max_bytes, &length);
  guint n = length <= max_bytes ? oracle_compare (text, length, 100003) : 0;
  tally->n_files += n > 0;
  tally->n_events += n;
}

static void
test_corpus (void)
{
  Tally tally = { 0, 0 };
  const char *folder = oracle_corpus ();
  if (folder == NULL)
    return;
  oracle_each_file (folder, compare_file, &tally);
  g_test_message ("%u files, %u events compared", tally.n_files, tally.n_events);
  g_assert_cmpuint (tally.n_files, >, 80);
  g_assert_cmpuint (tally.n_events, >, 50000);
}

static void
append_random_value (GString *out, guint depth)
{
  static const char *const scalars[] = { "1",
                                         "-2.50",
                                         "1e-06",
                                         "\"x\"",
                                         "\"a\\\"b\\\\\"",
                                         "\"\\u00e9\\n\"",
                                         "true",
                                         "null",
                                         "\"{[\"",
                                         "9007199254740993",
                                         "123456789.123456",
                                         "\"é中\"",
                                         "\",:}\"" };
  gint kind = g_test_rand_int_range (0, depth > 3 ? 6 : 10);
  if (kind < 6) {
    g_string_append (out, scalars[g_test_rand_int_range (0, G_N_ELEMENTS (scalars))]);
    return;
  }
  gboolean object = kind < 8;
  g_string_append_c (out, object ? '{' : '[');
  for (gint i = 0, n = g_test_rand_int_range (0, 4); i < n; i++) {
    g_string_append (out, i > 0 ? ", " : "");
    if (object)
      g_string_append_printf (out, "\"k%d\" : ", i);
    append_random_value (out, depth + 1);
  }
  g_string_append_c (out, object ? '}' : ']');
}

static void
test_generated (void)
{
  for (guint round = 0; round < 300; round++) {
    g_autoptr (GString) text = g_string_new (round % 2 ? "[" : "{\"before\":[{\"ph\":\"no\"}],\"traceEvents\":[");
    for (gint i = 0, n = g_test_rand_int_range (0, 30); i < n; i++) {
      g_string_append_printf (
        text, "%s{\"ph\":\"X\",\"ts\":%d.%03d , \"name\":\"n\\t%d\",\"dur\": 0,\"pid\":%d,\"args\":{\"v\":",
        i > 0 ? ",\n" : "", g_test_rand_int_range (0, 1000000), g_test_rand_int_range (0, 1000), i, i % 3);
      append_random_value (text, 0);
      g_string_append (text, "}}");
    }
    g_string_append (text, round % 2 ? "]" : "],\"after\":{}}");
    oracle_compare (text->str, text->len, (gsize) g_test_rand_int_range (1, 200));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/differential/generated", test_generated);
  g_test_add_func ("/differential/corpus", test_corpus);
  return g_test_run ();
}
