/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-json-glib-workaround.h"

static const struct {
  const char *text, *mended;
} cases[] = {
  { "", "" },
  { "[1.0,2.5e-07,4e+132.0,1e-05.0]", "[1.0,2.5e-07,4e+132,1e-05]" },
  { "{\"1e+17.0\":\"a\\\"1e+17.0\",\"b\":1e+17.0}", "{\"1e+17.0\":\"a\\\"1e+17.0\",\"b\":1e+17}" },
  { "\"not closed 1e+17.0", "\"not closed 1e+17.0" },
  { "\"ends with \\", "\"ends with \\" },
  { "[inf.0,-inf.0,\"inf.0\"]", "[1e999,-1e999,\"inf.0\"]" },
  { "[true,false,null,-1]", "[true,false,null,-1]" },
};

static void
test_cases (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = g_strdup (cases[i].text);
    g_assert_cmpstr (loom_json_glib_workaround_reals (text), ==, cases[i].mended);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-mend/cases", test_cases);
  return g_test_run ();
}
