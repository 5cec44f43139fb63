/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-cxx-name.h"
#include "loom-device-label.h"
#include "loom-ellipsize.h"

#include <string.h>

static void
assert_short (const char *text, glong max_letters, const char *expected)
{
  g_autofree char *shown = loom_ellipsize_head (text, max_letters);
  g_assert_cmpstr (shown, ==, expected);
}

static void
test_head (void)
{
  assert_short ("", 4, "");
  assert_short ("rank.json", 9, "rank.json");
  assert_short ("/runs/llama/rank0.json", 11, "…rank0.json");
  assert_short ("/läufe/rang.json", 16, "/läufe/rang.json");
  assert_short ("/läufe/rang.json", 15, "…äufe/rang.json");
  assert_short ("ab", 1, "…");
}

static void
assert_ends (const char *text, glong max_letters, const char *expected)
{
  g_autofree char *shown = loom_ellipsize_middle (text, max_letters);
  g_assert_cmpstr (shown, ==, expected);
}

static void
test_middle (void)
{
  assert_ends ("rank.json", 9, "rank.json");
  assert_ends ("/runs/llama/rank0.json", 11, "/runs….json");
  assert_ends ("/läufe/rang.json", 8, "/lä…json");
  assert_ends ("ab", 1, "…");
}

static void
assert_shown (const char *text, const char *expected)
{
  g_autofree char *shown = loom_ellipsize_shown (text);
  g_assert_cmpstr (shown, ==, expected);
}

static char *
dup_lines (guint n)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? "\n" : "", i);
  return g_string_free (text, FALSE);
}

static void
test_shown (void)
{
  g_autofree char *fits = g_strnfill (LOOM_SHOWN_LETTERS, 'x'), *name = g_strnfill (60000, 'x');
  g_autofree char *cut = loom_ellipsize_shown (name);
  assert_shown ("", "");
  assert_shown ("one\n\nthree\n", "one\n\nthree\n");
  assert_shown (fits, fits);
  g_assert_cmpint (g_utf8_strlen (cut, -1), ==, LOOM_SHOWN_LETTERS);
  g_assert_true (g_utf8_validate (cut, -1, NULL) && strstr (cut, "…") != NULL);
  g_autofree char *two = g_strconcat ("ä", name, "ö\nß", name, "é", NULL), *shown = loom_ellipsize_shown (two);
  g_assert_cmpint (g_utf8_strlen (shown, -1), ==, 2 * LOOM_SHOWN_LETTERS + 1);
  g_assert_true (g_utf8_validate (shown, -1, NULL) && g_str_has_prefix (shown, "äx") && g_str_has_suffix (shown, "xé"));
  g_assert_nonnull (strstr (shown, "xö\nßx"));
}

static void
test_shown_lines (void)
{
  g_autofree char *fit = dup_lines (LOOM_SHOWN_LINES), *many = dup_lines (5000), *cut = loom_ellipsize_shown (many);
  g_auto (GStrv) lines = g_strsplit (cut, "\n", -1);
  assert_shown (fit, fit);
  g_assert_cmpuint (g_strv_length (lines), ==, LOOM_SHOWN_LINES);
  g_assert_cmpstr (lines[0], ==, "0");
  g_assert_cmpstr (lines[LOOM_SHOWN_LINES / 2], ==, "…");
  g_assert_cmpstr (lines[LOOM_SHOWN_LINES / 2 + 1], ==, "4901");
  g_assert_cmpstr (lines[LOOM_SHOWN_LINES - 1], ==, "4999");
}

/* Text is truncated before it is escaped for a label, so that no entity is cut in two. */
static void
test_markup (void)
{
  g_autofree char *amps = g_strnfill (2 * LOOM_SHOWN_LETTERS, '&'), *cut = loom_ellipsize_shown (amps),
                  *escaped = g_markup_escape_text (cut, -1);
  g_autofree char *few = loom_ellipsize_markup ("a < b & c"), *many = loom_ellipsize_markup (amps);
  g_assert_cmpstr (few, ==, "a &lt; b &amp; c");
  g_assert_cmpstr (many, ==, escaped);
  g_assert_cmpuint (strlen (cut), <, strlen (amps));
}

static void
assert_cxx (const char *text, const char *expected)
{
  g_autofree char *name = loom_cxx_name_dup_short (text);
  g_assert_cmpstr (name, ==, expected);
}

/* Shortening a C++ name omits the return type, namespaces and parameters; template arguments stay, because kernels
 * differ in them. */
static void
test_cxx_name (void)
{
  assert_cxx ("void at::native::vectorized_kernel<4, at::native::GeluFunctor>(int, at::X<int>)",
              "vectorized_kernel<4, GeluFunctor>");
  assert_cxx ("void at::native::(anonymous namespace)::apply<at::native::(anonymous namespace)::List<4>, Adam>",
              "apply<List<4>, Adam>");
  assert_cxx ("std::vector<int>::operator[](unsigned long)", "operator[]");
  assert_cxx ("sm90_xmma_gemm", "sm90_xmma_gemm");
  assert_cxx ("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<(unsigned long)4096>)", "ncclDevKernel_SendRecv");
  assert_cxx ("Memcpy HtoD (Pageable -> Device)", "Memcpy HtoD (Pageable -> Device)");
  assert_cxx ("enumerate(DataLoader)#next", "enumerate(DataLoader)#next");
  assert_cxx ("std::", "std::"); /* the namespace is not omitted, because nothing would remain */
  assert_cxx ("a::b<", "b<");    /* the name has a bracket that is never closed */
  assert_cxx ("void (", "void (");
}

/* Devices that are named by paths get short names; other names do not change. */
static void
test_device_label (void)
{
  static const char *const names[][2] = { { "/device:GPU:4", "GPU 4" },
                                          { "/device:TPU:12", "TPU 12" },
                                          { "/device:GPU:3 (pid 2)", "GPU 3 (pid 2)" },
                                          { "/device:GPU:", "/device:GPU:" },
                                          { "/device:GPU:4x", "/device:GPU:4x" },
                                          { "GPU 0", "GPU 0" } };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *label = loom_device_label_dup (names[i][0]);
    g_assert_cmpstr (label, ==, names[i][1]);
  }
}

/* In sentences, C++ names also lose long template arguments; other names are truncated in the middle. */
static void
test_cxx_brief (void)
{
  g_autofree char *engine =
                    loom_cxx_name_dup_brief ("void cudnn::detail::dgrad_engine<float, 512, 6, 5, 3>(int, int)", 20),
                  *kernel = loom_cxx_name_dup_brief ("void at::native::gelu<4>(int)", 20),
                  *plain = loom_cxx_name_dup_brief ("abcdefghijklmnopqrstuvwxyz<1>", 20);
  g_assert_cmpstr (engine, ==, "dgrad_engine");
  g_assert_cmpstr (kernel, ==, "gelu<4>");
  g_assert_cmpint (g_utf8_strlen (plain, -1), ==, 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/shorten/cxx-brief", test_cxx_brief);
  g_test_add_func ("/base/shorten/device-label", test_device_label);
  g_test_add_func ("/base/shorten/head", test_head);
  g_test_add_func ("/base/shorten/middle", test_middle);
  g_test_add_func ("/base/shorten/shown", test_shown);
  g_test_add_func ("/base/shorten/cxx-name", test_cxx_name);
  g_test_add_func ("/base/shorten/shown-lines", test_shown_lines);
  g_test_add_func ("/base/shorten/markup", test_markup);
  return g_test_run ();
}
