/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-function-list-model.h"

#include "loom-time.h"
#include "loom-timeline-description.h"

#include <glib/gi18n.h>
#include <math.h>

/* --- rows ------------------------------------------------------------------------------------------------------------ */

static int
compare (gpointer rows, guint a, guint b, guint column)
{
  return loom_python_function_table_row_compare (loom_python_function_table_get_row (rows, a),
                                                 loom_python_function_table_get_row (rows, b), column);
}

static gboolean
matches (gpointer rows, guint row, gconstpointer needle)
{
  return loom_python_function_table_row_matches (loom_python_function_table_get_row (rows, row), needle);
}

static const LoomRowSource function_rows = {
  .ref = (gpointer (*) (gpointer)) loom_python_function_table_ref,
  .unref = (GDestroyNotify) loom_python_function_table_unref,
  .get_n_rows = (guint (*) (gpointer)) loom_python_function_table_get_n_rows,
  .compare = compare,
  .matches = matches,
};

const LoomPythonFunctionRow *
loom_function_list_model_item_get_row (LoomTableItem *item)
{
  return loom_python_function_table_get_row (loom_table_model_item_get_rows (item),
                                             loom_table_model_item_get_row (item));
}

/* --- columns --------------------------------------------------------------------------------------------------------- */

const char *
loom_function_list_model_get_column_title (LoomPythonFunctionColumn column)
{
  switch (column) {
  case LOOM_PYTHON_FUNCTION_COLUMN_FUNCTION: return C_ ("column", "Function");
  case LOOM_PYTHON_FUNCTION_COLUMN_PLACE: return C_ ("column", "File");
  case LOOM_PYTHON_FUNCTION_COLUMN_CALLS: return C_ ("column", "Calls");
  case LOOM_PYTHON_FUNCTION_COLUMN_PRIMITIVE: return C_ ("column", "Primitive");
  case LOOM_PYTHON_FUNCTION_COLUMN_SELF: return C_ ("column", "Own");
  case LOOM_PYTHON_FUNCTION_COLUMN_SELF_PER_CALL: return C_ ("column", "Own/call");
  case LOOM_PYTHON_FUNCTION_COLUMN_CUMULATIVE: return C_ ("column", "Cumulative");
  default: return C_ ("column", "Cumulative/call");
  }
}

const char *
loom_function_list_model_describe_column (LoomPythonFunctionColumn column)
{
  switch (column) {
  case LOOM_PYTHON_FUNCTION_COLUMN_FUNCTION: return _ ("Built-in functions stand in braces");
  case LOOM_PYTHON_FUNCTION_COLUMN_PLACE: return _ ("File and line as they stand in the profile");
  case LOOM_PYTHON_FUNCTION_COLUMN_CALLS:
    return _ ("All calls; behind the slash those not from within the function itself, when fewer");
  case LOOM_PYTHON_FUNCTION_COLUMN_PRIMITIVE: return _ ("Calls not from within the function itself");
  case LOOM_PYTHON_FUNCTION_COLUMN_SELF: return _ ("Time in the function without what it called");
  case LOOM_PYTHON_FUNCTION_COLUMN_SELF_PER_CALL: return _ ("Own time by all calls");
  case LOOM_PYTHON_FUNCTION_COLUMN_CUMULATIVE: return _ ("Time in the function with what it called");
  default: return _ ("Cumulative time by primitive calls");
  }
}

gboolean
loom_function_list_model_is_number_column (LoomPythonFunctionColumn column)
{
  return column > LOOM_PYTHON_FUNCTION_COLUMN_PLACE;
}

/* A number as text: "3", or with its sign, "+3" or "−3", when two profiles are compared. */
static char *
count_text (LoomPythonFunctionTable *table, gint64 n)
{
  gboolean difference = loom_python_function_table_get_baseline (table) != NULL;
  g_autofree char *digits = loom_timeline_description_number ((guint64) (n < 0 ? -n : n));
  return g_strdup_printf ("%s%s", n < 0 ? "−" : difference && n > 0 ? "+" : "", digits);
}

static char *
time_text (LoomPythonFunctionTable *table, double ns, gboolean exact)
{
  gboolean difference = loom_python_function_table_get_baseline (table) != NULL;
  if (isnan (ns))
    return g_strdup ("");
  gint64 rounded = (gint64) llround (fabs (ns));
  g_autofree char *text = exact ? loom_time_format_exact (rounded) : loom_time_format_duration (rounded);
  return g_strdup_printf ("%s%s", ns < 0 && rounded > 0 ? "−" : difference && rounded > 0 ? "+" : "", text);
}

static char *
calls_text (LoomPythonFunctionTable *table, const LoomPythonFunctionRow *row)
{
  g_autofree char *calls = count_text (table, row->calls);
  if (row->calls == row->primitive_calls)
    return g_steal_pointer (&calls);
  g_autofree char *primitive = count_text (table, row->primitive_calls);
  return g_strdup_printf ("%s/%s", calls, primitive);
}

static char *
place_text (const LoomPythonFunctionRow *row)
{
  return row->line > 0 ? g_strdup_printf ("%s:%" G_GINT64_FORMAT, row->file, row->line) : g_strdup (row->file);
}

char *
loom_function_list_model_item_dup_cell (LoomTableItem *item, LoomPythonFunctionColumn column, gboolean exact)
{
  LoomPythonFunctionTable *table = loom_table_model_item_get_rows (item);
  const LoomPythonFunctionRow *row = loom_function_list_model_item_get_row (item);
  gboolean counted =
    row->calls != LOOM_CALLS_UNKNOWN ||
    loom_python_profile_get_kind (loom_python_function_table_get_profile (table)) == LOOM_PYTHON_PROFILE_CPROFILE;
  switch (column) {
  case LOOM_PYTHON_FUNCTION_COLUMN_FUNCTION: return g_strdup (row->name[0] != '\0' ? row->name : _ ("(no name)"));
  case LOOM_PYTHON_FUNCTION_COLUMN_PLACE: return place_text (row);
  case LOOM_PYTHON_FUNCTION_COLUMN_CALLS: return counted ? calls_text (table, row) : g_strdup ("");
  case LOOM_PYTHON_FUNCTION_COLUMN_PRIMITIVE: return counted ? count_text (table, row->primitive_calls) : g_strdup ("");
  case LOOM_PYTHON_FUNCTION_COLUMN_SELF: return time_text (table, (double) row->own_ns, exact);
  case LOOM_PYTHON_FUNCTION_COLUMN_SELF_PER_CALL: return time_text (table, row->own_per_call_ns, exact);
  case LOOM_PYTHON_FUNCTION_COLUMN_CUMULATIVE: return time_text (table, (double) row->cumulative_ns, exact);
  default: return time_text (table, row->cumulative_per_call_ns, exact);
  }
}

/* --- the list -------------------------------------------------------------------------------------------------------- */

LoomTableModel *
loom_function_list_model_new (GtkSorter *sorter)
{
  return loom_table_model_new (&function_rows, sorter, TRUE);
}

guint
loom_function_list_model_find (LoomTableModel *self, guint32 function)
{
  LoomPythonFunctionTable *table = loom_table_model_get_rows (self);
  guint n = loom_table_model_is_old (self) ? 0 : loom_table_model_get_n_rows (self);
  for (guint i = 0; i < n; i++)
    if (loom_python_function_table_get_row (table, loom_table_model_get_row (self, i))->function == function)
      return i;
  return GTK_INVALID_LIST_POSITION;
}
