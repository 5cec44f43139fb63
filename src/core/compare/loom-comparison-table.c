/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-comparison-table.h"

#include <glib/gi18n.h>

enum { NAME, CHANGE, CHANGE_PERCENT, MEAN_A, MEAN_B, COUNT_A, COUNT_B, TOTAL_A, TOTAL_B };

static void
add_columns (LoomResultTable *table)
{
  loom_result_table_add_column (table, C_ ("column", "Name"), NULL,
                                _ ("Double-click a row to go to its longest spans in both runs"));
  loom_result_table_add_column (table, C_ ("column", "Change"), "ns",
                                _ ("From the mean above to the mean below; less than nothing: it became shorter"));
  loom_result_table_add_column (table, C_ ("column", "Change, %"), "%", _ ("Of the mean above"));
  loom_result_table_add_column (table, C_ ("column", "Mean above"), "ns", _ ("Total by count in the run above"));
  loom_result_table_add_column (table, C_ ("column", "Mean below"), "ns", _ ("Total by count in the run below"));
  loom_result_table_add_column (table, C_ ("column", "Count above"), "", _ ("Spans of the run above"));
  loom_result_table_add_column (table, C_ ("column", "Count below"), "", _ ("Spans of the run below"));
  loom_result_table_add_column (table, C_ ("column", "Total above"), "ns",
                                _ ("Summed over all tracks of the run above"));
  loom_result_table_add_column (table, C_ ("column", "Total below"), "ns",
                                _ ("Summed over all tracks of the run below"));
}

/* The name, with its category if the table has it in several categories. */
static char *
dup_name (const LoomNameChange *change, GHashTable *names)
{
  const char *name = *change->name != '\0' ? change->name : _ ("(no name)");
  if (GPOINTER_TO_UINT (g_hash_table_lookup (names, change->name)) < 2 || *change->category == '\0')
    return g_strdup (name);
  return g_strdup_printf ("%s · %s", name, change->category);
}

/* How often each name occurs in the rows. */
static GHashTable *
count_names (const LoomNameChange *rows, guint n)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < n; i++) {
    guint count = GPOINTER_TO_UINT (g_hash_table_lookup (names, rows[i].name));
    g_hash_table_insert (names, (gpointer) rows[i].name, GUINT_TO_POINTER (count + 1));
  }
  return names;
}

static void
add_row (LoomResultTable *table, const LoomNameChange *change, GHashTable *names)
{
  g_autofree char *name = dup_name (change, names);
  gboolean both = change->count[0] > 0 && change->count[1] > 0;
  gint64 change_ns = loom_name_comparison_get_ns (change);
  loom_result_table_add_row (table, name);
  if (both)
    loom_result_table_set_number (table, CHANGE, (double) change_ns);
  if (both && change->mean_ns[0] > 0)
    loom_result_table_set_number (table, CHANGE_PERCENT, 100.0 * (double) change_ns / (double) change->mean_ns[0]);
  for (guint i = 0; i < 2; i++) {
    loom_result_table_set_number (table, COUNT_A + i, (double) change->count[i]);
    if (change->count[i] == 0)
      continue;
    loom_result_table_set_number (table, MEAN_A + i, (double) change->mean_ns[i]);
    loom_result_table_set_number (table, TOTAL_A + i, (double) change->total_ns[i]);
  }
}

LoomResultTable *
loom_comparison_table_new (const LoomNameComparison *changes)
{
  LoomResultTable *table = loom_result_table_new (_ ("What Changed"));
  guint n;
  const LoomNameChange *rows = loom_name_comparison_get (changes, &n);
  g_autoptr (GHashTable) names = count_names (rows, n);
  add_columns (table);
  for (guint i = 0; i < n; i++)
    add_row (table, &rows[i], names);
  return table;
}
