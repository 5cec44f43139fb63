/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests result tables and the pages that contain them: sort order, filter, copies as text with rounded numbers and with
 * exact numbers, and the places on the timeline to which rows lead.
 */
#include "loom-kernel-names.h"
#include "loom-page-content.h"
#include "loom-shape-text.h"

#include <locale.h>
#include <math.h>
#include <string.h>

static LoomResultTable *
new_table (void)
{
  LoomResultTable *table = loom_result_table_new ("Devices");
  loom_result_table_add_column (table, "Device", NULL, "A sentence");
  loom_result_table_add_column (table, "Busy", "%", NULL);
  loom_result_table_add_column (table, "Time", "ns", NULL);
  loom_result_table_add_column (table, "Begin", "time", NULL);
  const char *const names[] = { "gpu10", "gpu2", "odd \"name\", with\ttab" };
  const double values[] = { 12.5, NAN, 100 };
  for (guint i = 0; i < 3; i++) {
    loom_result_table_add_row (table, names[i]);
    loom_result_table_set_number (table, 1, values[i]);
    loom_result_table_set_number (table, 2, 1234567 * (i + 1));
    loom_result_table_set_number (table, 3, 1.5e9 * i);
  }
  return table;
}

static void
test_cells (void)
{
  static const char *const cells[] = { "gpu10", "12.5 %", "1.23 ms", "0 s" }, *const exact[] = { "gpu10", "12.5 %",
                                                                                                 "1.234\u202f567 ms",
                                                                                                 "0 ns" };
  g_autoptr (LoomResultTable) table = new_table ();
  for (guint i = 0; i < 4; i++) {
    g_autofree char *cell = loom_result_table_dup_cell (table, 0, i), *all = loom_result_table_dup_exact (table, 0, i);
    g_assert_cmpstr (cell, ==, cells[i]);
    g_assert_cmpstr (all, ==, exact[i]);
  }
  g_autofree char *none = loom_result_table_dup_cell (table, 1, 1),
                  *nothing = loom_result_table_dup_exact (table, 1, 1);
  g_assert_cmpstr (none, ==, "–");
  g_assert_cmpstr (nothing, ==, "");
}

/* Two names are ambiguous if they differ only in the parts that their short forms omit. Equal names, and names that
 * differ in other parts, are not ambiguous. */
static void
test_ambiguous_names (void)
{
  static const char *const names[] = { "aten::mm", "autograd::aten::mm", "aten::add", "aten::add", "copy" };
  g_autoptr (LoomResultTable) table = loom_result_table_new ("Names");
  loom_result_table_add_column (table, "Name", NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    loom_result_table_add_row (table, names[i]);
  g_autoptr (GHashTable) ambiguous = loom_result_table_find_ambiguous_names (table);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpint (g_hash_table_contains (ambiguous, names[i]), ==, i < 2);
}

/* Kernels that are too long for the column show their functor and, where this is equal, a word in which they differ. */
static void
test_kernel_names (void)
{
  static const char *const names[] = {
    "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, at::detail::Array<char*, 3> >(int)",
    "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<long>, at::detail::Array<char*, 3> >(int)",
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float> > >(T3)",
    "void at::native::vectorized_elementwise_kernel<8, copy_kernel(at::Iterator&)::[lambda(float)], Array<char*, 2> >(int)",
    "aten::mm",
    "void small<Functor<int> >(int)",
  };
  static const char *const labels[] = { "vectorized_elementwis…AddFunctor, float",
                                        "vectorized_elementwise…AddFunctor, long",
                                        "reduce_kernel…MeanOps",
                                        "vectorized_elementwise_kern…copy_kernel",
                                        NULL,
                                        NULL };
  g_autoptr (LoomResultTable) table = loom_result_table_new ("Names");
  loom_result_table_add_column (table, "Name", NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    loom_result_table_add_row (table, names[i]);
  g_autoptr (GHashTable) found = loom_kernel_names_find (table, 39);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (g_hash_table_lookup (found, names[i]), ==, labels[i]);
}

static void
test_shapes (void)
{
  static const char *const shapes[][3] = {
    { "[8192, 4096], [4096, 6144]", "8192×4096, 4096×6144", "4096×6144" },
    { "[32, 3, 8, 8]", "32×3×8×8", "32×3×8×8" },
    { "[64, 32], [32, 16] (gradient)", "gradient of 64×32, 32×16", "gradient of 32×16" },
    { "[16], [64, 32], [32, 16]", "16, 64×32, 32×16", "64×32" },
    { "[], [32, 3, 8], [], [7], []", "32×3×8, 7", "32×3×8" },
    { "[]", "", "" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    g_autofree char *all = loom_shape_text_dup (shapes[i][0]), *second = loom_shape_text_dup_input (shapes[i][0], 1);
    g_assert_cmpstr (all, ==, shapes[i][1]);
    g_assert_cmpstr (second, ==, shapes[i][2]);
  }
}

static LoomResultTable *
new_phases (const double (*rows)[2], guint n)
{
  LoomResultTable *table = loom_result_table_new ("Phases");
  loom_result_table_add_column (table, "Begin", "time", NULL);
  loom_result_table_add_column (table, "End", "time", NULL);
  loom_result_table_add_column (table, "Duration", "ns", NULL);
  for (guint i = 0; i < n; i++) {
    loom_result_table_add_row (table, NULL);
    loom_result_table_set_number (table, 0, rows[i][0]);
    loom_result_table_set_number (table, 1, rows[i][0] + rows[i][1]);
    loom_result_table_set_number (table, 2, rows[i][1]);
  }
  return table;
}

static void
check_phases (const double (*rows)[2], const char *const (*cells)[3], guint n)
{
  g_autoptr (LoomResultTable) table = new_phases (rows, n);
  for (guint i = 0; i < n; i++)
    for (guint column = 0; column < 3; column++) {
      g_autofree char *cell = loom_result_table_dup_cell (table, i, column);
      g_assert_cmpstr (cell, ==, cells[i][column]);
    }
}

/* All times of a column have the same unit and number of digits, which are enough for the shortest duration. */
static void
test_instants (void)
{
  static const double ms[][2] = { { 147000, 20823000 }, { 1500147000, 2e9 }, { 1500147000, NAN } },
                      ns[][2] = { { 1500147123, 20823 }, { 0, 100 } }, s[][2] = { { 1500147000, 2e9 } };
  static const char *const ms_cells[][3] = { { "+0.000147 s", "+0.020970 s", "20.8 ms" },
                                             { "+1.500147 s", "+3.500147 s", "2.00 s" },
                                             { "+1.500147 s", "–", "–" } },
                           *const ns_cells[][3] = { { "+1.500147123 s", "+1.500167946 s", "20.8 µs" },
                                                    { "0 s", "+0.000000100 s", "100 ns" } },
                           *const s_cells[][3] = { { "+1.500 s", "+3.500 s", "2.00 s" } };
  check_phases (ms, ms_cells, G_N_ELEMENTS (ms));
  check_phases (ns, ns_cells, G_N_ELEMENTS (ns));
  check_phases (s, s_cells, G_N_ELEMENTS (s));
}

static void
check_column (const char *unit, LoomResultBars bars, const double *values, const char *const *cells, guint n)
{
  g_autoptr (LoomResultTable) table = loom_result_table_new ("Numbers");
  loom_result_table_add_column (table, "Number", unit, NULL);
  loom_result_table_set_bars (table, 0, bars);
  for (guint i = 0; i < n; i++) {
    loom_result_table_add_row (table, NULL);
    loom_result_table_set_number (table, 0, values[i]);
  }
  for (guint i = 0; i < n; i++) {
    g_autofree char *cell = loom_result_table_dup_cell (table, i, 0);
    g_assert_cmpstr (cell, ==, cells[i]);
  }
}

/* All numbers of a column have the same number of decimals; counts are shown with all digits. */
static void
test_decimals (void)
{
  static const double shares[] = { 52.44, 0.003, 0, 100 }, whole[] = { 50, 100 }, counts[] = { 1432, 7, -12345678 },
                      ratios[] = { 0.999, 0.49, 0 }, rates[] = { 3e-5, 0.5 }, changes[] = { 44e6, -1.5e6, 0 };
  static const char
    *const share_cells[] = { "52.4 %", "<0.1 %", "0.0 %", "100.0 %" },
           *const whole_cells[] = { "50 %", "100 %" }, *const count_cells[] = { "1,432", "7", "−12,345,678" },
           *const ratio_cells[] = { "0.999", "0.490", "0.000" }, *const rate_cells[] = { "3e−5", "0.5" },
           *const change_cells[] = { "+44.0 ms", "−1.5 ms", "0 ms" };
  check_column ("%", LOOM_RESULT_BARS_OF_SHARES, shares, share_cells, 4);
  check_column ("%", LOOM_RESULT_BARS_NONE, whole, whole_cells, 2);
  check_column ("", LOOM_RESULT_BARS_NONE, counts, count_cells, 3);
  check_column ("", LOOM_RESULT_BARS_NONE, ratios, ratio_cells, 3);
  check_column ("", LOOM_RESULT_BARS_NONE, rates, rate_cells, 2);
  check_column ("ns", LOOM_RESULT_BARS_OF_CHANGES, changes, change_cells, 3);
}

/* Bars in table cells: a share of 100 % fills the whole width. A column without values counts as empty, except in a
 * table without rows. */
static void
test_bars (void)
{
  g_autoptr (LoomResultTable) table = loom_result_table_new ("Shares");
  loom_result_table_add_column (table, "Name", NULL, NULL);
  loom_result_table_add_column (table, "Group", NULL, NULL);
  loom_result_table_add_share_column (table, "Share", NULL);
  g_assert_false (loom_result_table_is_empty_column (table, 1));
  for (guint i = 0; i < 2; i++) {
    loom_result_table_add_row (table, "gpu");
    loom_result_table_set_number (table, 2, i == 0 ? 25 : NAN);
  }
  g_assert_cmpfloat (loom_result_table_get_bar (table, 0, 2), ==, 0.25);
  g_assert_true (isnan (loom_result_table_get_bar (table, 1, 2)));
  g_assert_false (loom_result_table_is_empty_column (table, 0));
  g_assert_true (loom_result_table_is_empty_column (table, 1));
  g_assert_false (loom_result_table_is_empty_column (table, 2));
}

/* Sorting compares the numbers inside of names as numbers; missing values come first. */
static void
test_order (void)
{
  g_autoptr (LoomResultTable) table = new_table ();
  gboolean descending;
  g_assert_cmpint (loom_result_table_compare (table, 0, 1, 0), >, 0); /* gpu10 sorts after gpu2 */
  g_assert_cmpint (loom_result_table_compare (table, 1, 0, 1), <, 0);
  g_assert_cmpint (loom_result_table_compare (table, 0, 1, 1), >, 0);
  g_assert_cmpint (loom_result_table_compare (table, 1, 1, 1), ==, 0);
  g_assert_cmpint (loom_result_table_compare (table, 2, 0, 2), >, 0);
  g_assert_cmpuint (loom_result_table_get_order (table, &descending), ==, G_MAXUINT);
  loom_result_table_set_order (table, 2, TRUE);
  g_assert_cmpuint (loom_result_table_get_order (table, &descending), ==, 2);
  g_assert_true (descending);
}

static void
test_filter (void)
{
  g_autoptr (LoomResultTable) table = new_table ();
  g_assert_true (loom_result_table_matches (table, 0, ""));
  g_assert_true (loom_result_table_matches (table, 0, "pu1"));
  g_assert_false (loom_result_table_matches (table, 1, "pu1"));
  g_assert_true (loom_result_table_matches (table, 2, "odd \"n"));
  g_assert_false (loom_result_table_matches (table, 0, "12.5")); /* the filter does not search numbers */
}

static void
test_text (void)
{
  const guint last[] = { 2 };
  g_autoptr (LoomResultTable) table = new_table ();
  g_autofree char *tsv = loom_result_table_dup_tsv (table, NULL, 0), *csv = loom_result_table_dup_csv (table, NULL, 0),
                  *one = loom_result_table_dup_csv (table, last, 1), *none = loom_result_table_dup_tsv (table, last, 0);
  g_assert_cmpstr (
    tsv, ==,
    "Device\tBusy\tTime\tBegin\ngpu10\t12.5 %\t1.234\u202f567 ms\t0 ns\ngpu2\t\t2.469\u202f134 ms\t1.5 s\n"
    "odd \"name\", with tab\t100 %\t3.703\u202f701 ms\t3 s\n");
  g_assert_cmpstr (csv, ==,
                   "Device,Busy (%),Time (ns),Begin (ns)\r\ngpu10,12.5,1234567,0\r\ngpu2,,2469134,1500000000\r\n"
                   "\"odd \"\"name\"\", with\ttab\",100,3703701,3000000000\r\n");
  g_assert_true (g_str_has_prefix (one, "Device,Busy (%),Time (ns),Begin (ns)\r\n\"odd"));
  g_assert_cmpstr (none, ==, "Device\tBusy\tTime\tBegin\n");
}

/* Columns with the unit "row" take the unit from each row. */
static void
test_row_units (void)
{
  static const char *const cells[] = { "1.5 GB/s", "50 %", "7" }, *const exact[] = { "1500000000 B/s", "50 %", "7" };
  static const double values[] = { 1.5e9, 50, 7 };
  g_autoptr (LoomResultTable) table = loom_result_table_new ("Resources");
  loom_result_table_add_column (table, "Mean", "row", NULL);
  for (guint i = 0; i < 3; i++) {
    loom_result_table_add_row (table, NULL);
    loom_result_table_set_number (table, 0, values[i]);
    if (i < 2)
      loom_result_table_set_row_unit (table, i == 0 ? "B/s" : "%");
  }
  for (guint i = 0; i < 3; i++) {
    g_autofree char *cell = loom_result_table_dup_cell (table, i, 0), *all = loom_result_table_dup_exact (table, i, 0);
    g_assert_cmpstr (cell, ==, cells[i]);
    g_assert_cmpstr (all, ==, exact[i]);
  }
  g_autofree char *csv = loom_result_table_dup_csv (table, NULL, 0);
  g_assert_cmpstr (csv, ==, "Mean\r\n1500000000\r\n50\r\n7\r\n");
}

static void
test_sheet (void)
{
  const LoomSpanId spans[] = { { 1, 2 }, { 3, 4 } };
  g_autofree LoomSpanId *many = g_new0 (LoomSpanId, LOOM_NAVIGATION_TARGET_MAX_SPANS + 1);
  g_autoptr (LoomPageContent) sheet = loom_page_content_new ((LoomRange) { 5, 10 });
  LoomNavigationTarget place;
  loom_page_content_add_note (sheet, "A note.");
  loom_page_content_add_facts (sheet, "Facts");
  loom_page_content_add_fact (sheet, "Steps", "12");
  loom_page_content_take_table (sheet, new_table ());
  loom_page_content_set_place (sheet, 2, (LoomRange) { 6, 7 }, spans, 2);
  loom_page_content_set_place (sheet, 0, (LoomRange) { 6, 9 }, many, LOOM_NAVIGATION_TARGET_MAX_SPANS + 1);
  LoomChart *chart = loom_chart_new_pie ("Pie", "", "n");
  loom_chart_add_slice (chart, "a", 1, 0);
  loom_page_content_take_chart (sheet, chart, TRUE);
  g_assert_cmpuint (sheet->blocks->len, ==, 4);
  g_assert_true (loom_page_content_get_place (sheet, 2, 2, &place));
  g_assert_cmpuint (place.n_spans, ==, 2);
  g_assert_cmpuint (place.spans[1].span, ==, 4);
  g_assert_true (loom_page_content_get_place (sheet, 2, 0, &place));
  g_assert_cmpuint (place.n_spans, ==, 0); /* with too many spans, a place stores only the range */
  g_assert_false (loom_page_content_get_place (sheet, 2, 1, &place));
  g_assert_false (loom_page_content_get_place (sheet, 2, 7, &place));
  g_assert_false (loom_page_content_get_place (sheet, 3, 0, &place));
  loom_page_content_move_last_first (sheet);
  g_assert_cmpint (loom_page_content_get_block (sheet, 0)->kind, ==, LOOM_BLOCK_CHART);
  g_autofree char *text = loom_page_content_dup_tsv (sheet);
  g_assert_true (g_str_has_prefix (text, "Pie\n\tn\na\t1\n\nA note.\n\nFacts\nSteps\t12\n\nDevices\nDevice\tBusy\t"));
}

/* If a place consists of several parts, its range extends from the first to the last part. With too many parts, only
 * the range is stored. */
static void
test_parts (void)
{
  const LoomRange parts[] = { { 10, 12 }, { 20, 25 } };
  g_autofree LoomRange *many = g_new (LoomRange, LOOM_NAVIGATION_TARGET_MAX_PARTS + 1);
  g_autoptr (LoomPageContent) sheet = loom_page_content_new ((LoomRange) { 0, 100 });
  LoomNavigationTarget place;
  for (guint i = 0; i <= LOOM_NAVIGATION_TARGET_MAX_PARTS; i++)
    many[i] = (LoomRange) { 2 * i, 2 * i + 1 };
  loom_page_content_add_facts (sheet, "Facts");
  loom_page_content_set_parts (sheet, 0, parts, 2);
  loom_page_content_set_parts (sheet, 1, parts, 0);
  loom_page_content_set_parts (sheet, 2, many, LOOM_NAVIGATION_TARGET_MAX_PARTS + 1);
  g_assert_true (loom_page_content_get_place (sheet, 0, 0, &place));
  g_assert_cmpint (place.range.begin_ns, ==, 10);
  g_assert_cmpint (place.range.end_ns, ==, 25);
  g_assert_cmpuint (place.n_parts, ==, 2);
  g_assert_cmpint (place.parts[1].begin_ns, ==, 20);
  g_assert_cmpuint (place.n_spans, ==, 0);
  g_assert_false (loom_page_content_get_place (sheet, 0, 1, &place));
  g_assert_true (loom_page_content_get_place (sheet, 0, 2, &place));
  g_assert_cmpuint (place.n_parts, ==, 0);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sheet/cells", test_cells);
  g_test_add_func ("/sheet/ambiguous-names", test_ambiguous_names);
  g_test_add_func ("/sheet/kernel-names", test_kernel_names);
  g_test_add_func ("/sheet/shapes", test_shapes);
  g_test_add_func ("/table/instants", test_instants);
  g_test_add_func ("/table/decimals", test_decimals);
  g_test_add_func ("/table/bars", test_bars);
  g_test_add_func ("/sheet/order", test_order);
  g_test_add_func ("/sheet/filter", test_filter);
  g_test_add_func ("/sheet/text", test_text);
  g_test_add_func ("/sheet/row-units", test_row_units);
  g_test_add_func ("/sheet/sheet", test_sheet);
  g_test_add_func ("/sheet/parts", test_parts);
  return g_test_run ();
}
