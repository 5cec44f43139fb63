/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-python-function-table.h"

#include "loom-natural-collate.h"

#include <math.h>
#include <string.h>

static double
per_call (gint64 ns, gint64 calls)
{
  return calls > 0 ? (double) ns / (double) calls : NAN;
}

static LoomPythonFunctionRow
row_of (const LoomPythonProfileFunction *function, guint32 number)
{
  return (LoomPythonFunctionRow) {
    .name = function->name,
    .file = function->file,
    .line = function->line,
    .flags = function->flags,
    .function = number,
    .baseline = G_MAXUINT32,
    .calls = function->calls,
    .primitive_calls = function->primitive_calls,
    .own_ns = function->own_ns,
    .cumulative_ns = function->cumulative_ns,
    .own_per_call_ns = per_call (function->own_ns, function->calls),
    .cumulative_per_call_ns = per_call (function->cumulative_ns, function->primitive_calls),
  };
}

/* --- differences between two profiles ----------------------------------------------------------------------------- */

static guint
hash_function (gconstpointer data)
{
  const LoomPythonProfileFunction *function = data;
  return (g_str_hash (function->file) * 31u + g_str_hash (function->name)) * 31u + (guint) function->line;
}

static gboolean
equal_functions (gconstpointer a, gconstpointer b)
{
  const LoomPythonProfileFunction *first = a, *second = b;
  return first->line == second->line && strcmp (first->name, second->name) == 0 &&
         strcmp (first->file, second->file) == 0;
}

static gint64
minus_calls (gint64 a, gint64 b)
{
  return a == LOOM_CALLS_UNKNOWN || b == LOOM_CALLS_UNKNOWN ? LOOM_CALLS_UNKNOWN : loom_time_sub (a, b);
}

/* Returns the difference of two times per call. NaN, the value of a function that was never called, counts as 0. If
 * both times are NaN, returns NaN. */
static double
minus_per_call (double a, double b)
{
  return isnan (a) && isnan (b) ? NAN : (isnan (a) ? 0 : a) - (isnan (b) ? 0 : b);
}

static void
subtract (LoomPythonFunctionRow *row, const LoomPythonProfileFunction *from, guint32 number)
{
  const LoomPythonFunctionRow base = row_of (from, number);
  row->baseline = number;
  row->calls = minus_calls (row->calls, base.calls);
  row->primitive_calls = minus_calls (row->primitive_calls, base.primitive_calls);
  row->own_ns = loom_time_sub (row->own_ns, base.own_ns);
  row->cumulative_ns = loom_time_sub (row->cumulative_ns, base.cumulative_ns);
  row->own_per_call_ns = minus_per_call (row->own_per_call_ns, base.own_per_call_ns);
  row->cumulative_per_call_ns = minus_per_call (row->cumulative_per_call_ns, base.cumulative_per_call_ns);
}

static void
subtract_baseline (LoomPythonFunctionTable *table)
{
  g_autoptr (GHashTable) known = g_hash_table_new (hash_function, equal_functions);
  for (guint32 i = 0; i < table->rows->len; i++)
    g_hash_table_insert (known, (gpointer) loom_python_profile_get_function (table->profile, i),
                         GUINT_TO_POINTER (i + 1));
  for (guint32 i = 0; i < table->baseline->functions->len; i++) {
    const LoomPythonProfileFunction *function = loom_python_profile_get_function (table->baseline, i);
    guint32 place = GPOINTER_TO_UINT (g_hash_table_lookup (known, function));
    if (place == 0) {
      gboolean counted = function->calls != LOOM_CALLS_UNKNOWN;
      LoomPythonFunctionRow row = { .name = function->name,
                                    .file = function->file,
                                    .line = function->line,
                                    .flags = function->flags,
                                    .function = G_MAXUINT32,
                                    .calls = counted ? 0 : LOOM_CALLS_UNKNOWN,
                                    .primitive_calls = counted ? 0 : LOOM_CALLS_UNKNOWN,
                                    .own_per_call_ns = NAN,
                                    .cumulative_per_call_ns = NAN };
      g_array_append_val (table->rows, row);
      place = table->rows->len;
    }
    subtract (&g_array_index (table->rows, LoomPythonFunctionRow, place - 1), function, i);
  }
}

/* --- public functions --------------------------------------------------------------------------------------------- */

LoomPythonFunctionTable *
loom_python_function_table_new (LoomPythonProfile *profile, LoomPythonProfile *baseline)
{
  if (baseline != NULL && !loom_python_profile_can_add (profile, baseline))
    return NULL;
  LoomPythonFunctionTable *table = g_new0 (LoomPythonFunctionTable, 1);
  g_atomic_ref_count_init (&table->refs);
  table->profile = loom_python_profile_ref (profile);
  table->baseline = baseline != NULL ? loom_python_profile_ref (baseline) : NULL;
  table->rows = g_array_sized_new (FALSE, FALSE, sizeof (LoomPythonFunctionRow), profile->functions->len);
  for (guint32 i = 0; i < profile->functions->len; i++) {
    LoomPythonFunctionRow row = row_of (loom_python_profile_get_function (profile, i), i);
    g_array_append_val (table->rows, row);
  }
  if (baseline != NULL)
    subtract_baseline (table);
  return table;
}

LoomPythonFunctionTable *
loom_python_function_table_ref (LoomPythonFunctionTable *table)
{
  g_atomic_ref_count_inc (&table->refs);
  return table;
}

void
loom_python_function_table_unref (LoomPythonFunctionTable *table)
{
  if (table == NULL || !g_atomic_ref_count_dec (&table->refs))
    return;
  loom_python_profile_unref (table->profile);
  loom_python_profile_unref (table->baseline);
  g_array_unref (table->rows);
  g_free (table);
}

const LoomPythonFunctionRow *
loom_python_function_table_get_row (const LoomPythonFunctionTable *table, guint32 row)
{
  g_return_val_if_fail (row < table->rows->len, NULL);
  return &g_array_index (table->rows, LoomPythonFunctionRow, row);
}

static double
number_of (const LoomPythonFunctionRow *row, LoomPythonFunctionColumn column)
{
  switch (column) {
  case LOOM_PYTHON_FUNCTION_COLUMN_CALLS: return (double) row->calls;
  case LOOM_PYTHON_FUNCTION_COLUMN_PRIMITIVE: return (double) row->primitive_calls;
  case LOOM_PYTHON_FUNCTION_COLUMN_SELF: return (double) row->own_ns;
  case LOOM_PYTHON_FUNCTION_COLUMN_SELF_PER_CALL: return row->own_per_call_ns;
  case LOOM_PYTHON_FUNCTION_COLUMN_CUMULATIVE: return (double) row->cumulative_ns;
  default: return row->cumulative_per_call_ns;
  }
}

int
loom_python_function_table_row_compare (const LoomPythonFunctionRow *a, const LoomPythonFunctionRow *b,
                                        LoomPythonFunctionColumn column)
{
  if (column == LOOM_PYTHON_FUNCTION_COLUMN_FUNCTION)
    return loom_natural_collate_compare (a->name, b->name);
  if (column == LOOM_PYTHON_FUNCTION_COLUMN_PLACE) {
    int order = loom_natural_collate_compare (a->file, b->file);
    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
  }
  double x = number_of (a, column), y = number_of (b, column);
  if (isnan (x) || isnan (y))
    return isnan (y) - isnan (x) == 0 ? 0 : isnan (x) ? -1 : 1;
  return (x > y) - (x < y);
}

static gboolean
holds (const char *text, const char *needle)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);
  return strstr (folded, needle) != NULL;
}

gboolean
loom_python_function_table_row_matches (const LoomPythonFunctionRow *row, const char *needle)
{
  return needle[0] == '\0' || holds (row->name, needle) || holds (row->file, needle);
}
