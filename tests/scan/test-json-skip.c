/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the methods of skipping a nested JSON value, which use different instructions of the processor: all end at the
 * same byte as the simplest method.
 */
#include "loom-json-skip.h"

#include <string.h>

static const LoomJsonSkipNested walks[] = {
  loom_json_skip_nested_plain,
#if defined(__x86_64__) && defined(__GNUC__)
  loom_json_skip_nested_sse2,
  loom_json_skip_nested_avx2,
#endif
};

static guint
n_walks (void)
{
#if defined(__x86_64__) && defined(__GNUC__)
  gboolean has_avx2 = __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("bmi");
  return has_avx2 ? 3 : 2;
#else
  return G_N_ELEMENTS (walks);
#endif
}

static void
check (const char *text, gsize length)
{
  const char *plain_end = text;
  LoomJsonSkip plain = loom_json_skip_nested_plain (&plain_end, text + length);
  for (guint i = 1; i < n_walks (); i++) {
    const char *end = text;
    LoomJsonSkip walk = walks[i](&end, text + length);
    if (walk != plain || (walk == LOOM_JSON_SKIP_OK && end != plain_end))
      g_error ("walk %u gives %d at %td, plain %d at %td: %.*s", i, walk, end - text, plain, plain_end - text,
               (int) length, text);
  }
}

static void
test_random (void)
{
  static const char *const pieces[] = { "{",
                                        "}",
                                        "[",
                                        "]",
                                        "\"",
                                        "\\",
                                        ",",
                                        ":",
                                        "\"a\":",
                                        "\"b\\\"c\",",
                                        "{\"k\":[1,2]}",
                                        "[[],[]],",
                                        " ",
                                        "x",
                                        "1.5",
                                        "\"long enough to fill a block of sixty-four bytes nearly alone\",",
                                        "\"\\\\\",",
                                        "\"é\":",
                                        "\n",
                                        "\"{[\"," };
  for (guint round = 0; round < 100000; round++) {
    g_autoptr (GString) text = g_string_new (round % 2 ? "{" : "[");
    for (gint i = 0, n = g_test_rand_int_range (0, 60); i < n; i++)
      g_string_append (text, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);
    g_autofree char *exact = g_memdup2 (text->str, text->len);
    check (exact, text->len);
  }
}

static void
append_value (GString *out, guint depth)
{
  gint n = depth > 5 ? 0 : g_test_rand_int_range (0, 4);
  gboolean object = g_test_rand_int_range (0, 2);
  g_string_append_c (out, object ? '{' : '[');
  for (gint i = 0; i < n; i++) {
    if (i > 0)
      g_string_append (out, ",");
    if (object)
      g_string_append_printf (out, "\"key %d\":", g_test_rand_int_range (0, 100000));
    if (g_test_rand_int_range (0, 3) == 0)
      append_value (out, depth + 1);
    else
      g_string_append (out, g_test_rand_int_range (0, 2) ? "\"a string with \\\" and \\\\ in it\"" : "-12.5e3");
  }
  g_string_append_c (out, object ? '}' : ']');
}

/* Tests well-formed values, complete and truncated, followed by other bytes. The fast methods must
 * skip these values without falling back to the simple method. */
static void
test_values (void)
{
  for (guint round = 0; round < 20000; round++) {
    g_autoptr (GString) text = g_string_new (NULL);
    append_value (text, 0);
    gsize length = text->len;
    g_string_append (text,
                     ",{\"next\":\"event\",\"of\":\"the file, to be looked at by the block that ends the value\"}");
    const char *end = text->str;
    g_assert_cmpint (loom_json_skip_nested (&end, text->str + text->len), ==, LOOM_JSON_SKIP_OK);
    g_assert_cmpuint ((gsize) (end - text->str), ==, length);
    check (text->str, text->len);
    check (text->str, (gsize) g_test_rand_int_range (1, (gint) length + 1));
  }
}

static void
test_deep (void)
{
  for (guint depth = 500; depth < 530; depth++) {
    g_autoptr (GString) text = g_string_new (NULL);
    for (guint i = 0; i < depth; i++)
      g_string_append (text, i % 3 ? "[" : "{\"a\":");
    for (guint i = depth; i-- > 0;)
      g_string_append (text, i % 3 ? "]" : "}");
    g_string_append (text, ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,");
    check (text->str, text->len);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/walk/random", test_random);
  g_test_add_func ("/walk/values", test_values);
  g_test_add_func ("/walk/deep", test_deep);
  return g_test_run ();
}
