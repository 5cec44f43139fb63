/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the model behind tables, in which a row is identified by its number in a source: order, filter and selection.
 * Few rows are sorted and filtered immediately, many rows in a worker.
 */
#include "loom-table-model.h"

#define FEW 8
#define MANY 1000000

/* A source of `n` rows: row i shows i · 7919 mod n in column 0, and i mod 3 in column 1. */
typedef struct {
  guint n, version;
} Numbers;

static GThread *main_thread;
static int n_calls_here; /* number of comparisons and filter calls that ran in the main thread */

static void
count_call (void)
{
  if (g_thread_self () == main_thread)
    n_calls_here++;
}

static guint
number_of (const Numbers *numbers, guint row)
{
  return (guint) ((guint64) row * 7919 % numbers->n);
}

static int
compare (gpointer numbers, guint a, guint b, guint column)
{
  count_call ();
  return column == 0 ? (int) number_of (numbers, a) - (int) number_of (numbers, b) : (int) (a % 3) - (int) (b % 3);
}

/* Filter function: accepts rows whose number is a multiple of `factor`. */
static gboolean
matches (gpointer numbers, guint row, gconstpointer factor)
{
  count_call ();
  return number_of (numbers, row) % *(const guint *) factor == 0;
}

/* Two versions of the source differ only in row 1. */
static gboolean
is_same_row (gpointer old, gpointer numbers, guint row)
{
  return row != 1 || ((Numbers *) old)->version == ((Numbers *) numbers)->version;
}

static guint
get_n_rows (gpointer numbers)
{
  return ((Numbers *) numbers)->n;
}

static const LoomRowSource source = {
  .ref = g_atomic_rc_box_acquire,
  .unref = g_atomic_rc_box_release,
  .get_n_rows = get_n_rows,
  .compare = compare,
  .matches = matches,
  .is_same_row = is_same_row,
};

static LoomTableModel *
new_model (guint n, gboolean at_once)
{
  LoomTableModel *model = loom_table_model_new (&source, NULL, at_once);
  Numbers *numbers = g_atomic_rc_box_new (Numbers);
  *numbers = (Numbers) { n, 0 };
  loom_table_model_set_rows (model, numbers);
  g_atomic_rc_box_release (numbers);
  return model;
}

static void
sort_by (LoomTableModel *model, guint column, gboolean descending)
{
  loom_table_model_sort (model, &(LoomTableSortKey) { column, descending }, 1);
}

static void
filter_by (LoomTableModel *model, guint factor)
{
  loom_table_model_take_filter (model, g_bytes_new (&factor, sizeof factor));
}

static void
assert_rows (LoomTableModel *model, const char *expected)
{
  g_autoptr (GString) rows = g_string_new (NULL);
  for (guint i = 0; i < loom_table_model_get_n_rows (model); i++)
    g_string_append_printf (rows, "%s%u", i > 0 ? " " : "", loom_table_model_get_row (model, i));
  g_assert_cmpstr (rows->str, ==, expected);
}

static void
test_order (void)
{
  const LoomTableSortKey two[] = { { 1, TRUE }, { 0, FALSE } };
  g_autoptr (LoomTableModel) model = new_model (FEW, TRUE);
  assert_rows (model, "0 1 2 3 4 5 6 7"); /* no order is set, so the rows are in the order of the source, in which
                                           * column 0 contains 0 7 6 5 4 3 2 1 */
  sort_by (model, 0, FALSE);
  assert_rows (model, "0 7 6 5 4 3 2 1");
  sort_by (model, 1, TRUE); /* equal rows keep the order of the source */
  assert_rows (model, "2 5 1 4 7 0 3 6");
  loom_table_model_sort (model, two, G_N_ELEMENTS (two));
  assert_rows (model, "5 2 7 4 1 0 6 3");
  filter_by (model, 2);
  assert_rows (model, "2 4 0 6");
  loom_table_model_take_filter (model, NULL);
  loom_table_model_sort (model, NULL, 0);
  assert_rows (model, "0 1 2 3 4 5 6 7");
}

static void
on_changed (GListModel *model, guint position, guint removed, guint added, GString *log)
{
  g_string_append_printf (log, "%u:-%u+%u ", position, removed, added);
}

static void
on_chosen (LoomTableModel *model, guint *n)
{
  ++*n;
}

static void
spin (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* If the rows change, rows whose content changed are deselected and other rows stay selected.
 * Changing the order deselects all rows. Neither change emits "chosen", which reports selections by
 * the user. */
static void
test_selection (void)
{
  guint n_chosen = 0;
  g_autoptr (GString) log = g_string_new (NULL);
  g_autoptr (LoomTableModel) model = new_model (FEW, TRUE);
  GtkSelectionModel *selection = GTK_SELECTION_MODEL (model);
  g_signal_connect (model, "items-changed", G_CALLBACK (on_changed), log);
  g_signal_connect (model, "chosen", G_CALLBACK (on_chosen), &n_chosen);
  gtk_selection_model_select_range (selection, 1, 2, TRUE);
  g_assert_cmpuint (n_chosen, ==, 1);
  g_assert_cmpuint (loom_table_model_get_lead (model), ==, 2);
  Numbers *other = g_atomic_rc_box_new (Numbers);
  *other = (Numbers) { FEW, 1 };
  loom_table_model_set_rows (model, other);
  g_atomic_rc_box_release (other);
  spin ();
  g_assert_cmpstr (log->str, ==, "1:-1+1 ");
  g_assert_false (gtk_selection_model_is_selected (selection, 1));
  g_assert_true (gtk_selection_model_is_selected (selection, 2));
  sort_by (model, 0, FALSE);
  g_assert_cmpuint (loom_table_model_get_n_selected (model), ==, 0);
  g_assert_cmpuint (n_chosen, ==, 1);
}

static void
wait_until_worked (LoomTableModel *model)
{
  while (loom_table_model_is_working (model))
    g_main_context_iteration (NULL, TRUE);
}

/* With many rows, the main thread compares no rows and shows them in the old order until a worker has sorted them. If
 * several orders are requested, the last request wins. */
static void
test_many (void)
{
  g_autoptr (LoomTableModel) model = new_model (MANY, TRUE);
  n_calls_here = 0;
  gint64 begun_us = g_get_monotonic_time ();
  sort_by (model, 0, TRUE);
  g_assert_true (loom_table_model_is_working (model));
  g_assert_cmpuint (loom_table_model_get_row (model, 1), ==, 1);
  wait_until_worked (model);
  gint64 sorted_us = g_get_monotonic_time ();
  g_assert_cmpuint (number_of (loom_table_model_get_rows (model), loom_table_model_get_row (model, 0)), ==, MANY - 1);
  g_assert_cmpuint (number_of (loom_table_model_get_rows (model), loom_table_model_get_row (model, MANY - 1)), ==, 0);
  filter_by (model, 7);
  filter_by (model, 250000);
  wait_until_worked (model);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 4);
  g_assert_cmpuint (number_of (loom_table_model_get_rows (model), loom_table_model_get_row (model, 0)), ==, 750000);
  g_assert_cmpint (n_calls_here, ==, 0);
  g_test_message ("sorted in %.0f ms, filtered in %.0f ms", (double) (sorted_us - begun_us) / 1e3,
                  (double) (g_get_monotonic_time () - sorted_us) / 1e3);
}

/* If the source gets new rows while a worker sorts the old rows, the result of the worker is discarded. */
static void
test_old (void)
{
  g_autoptr (LoomTableModel) model = new_model (MANY, TRUE);
  sort_by (model, 0, FALSE);
  wait_until_worked (model);
  gpointer before = loom_table_model_get_rows (model);
  Numbers *fewer = g_atomic_rc_box_new (Numbers);
  *fewer = (Numbers) { MANY / 2, 1 };
  loom_table_model_set_rows (model, fewer);
  g_assert_true (loom_table_model_is_old (model));
  g_assert_true (loom_table_model_get_rows (model) == before);
  g_assert_cmpuint (loom_table_model_get_n_rows (model), ==, MANY);
  wait_until_worked (model);
  g_assert_false (loom_table_model_is_old (model));
  g_assert_cmpuint (loom_table_model_get_n_rows (model), ==, MANY / 2);
  sort_by (model, 0, TRUE);
  g_atomic_rc_box_release (fewer);
  g_clear_object (&model); /* freed while the worker runs */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  main_thread = g_thread_self ();
  g_test_add_func ("/app/table-model/order", test_order);
  g_test_add_func ("/app/table-model/selection", test_selection);
  g_test_add_func ("/app/table-model/many", test_many);
  g_test_add_func ("/app/table-model/old", test_old);
  return g_test_run ();
}
