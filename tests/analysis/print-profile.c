/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the function table of one or more cProfile dumps (FILE…, added up) in the format of Python's pstats, for
 * test-pstats.py: first a line per function, then a line per caller.
 */
#include "loom-load.h"
#include "loom-python-function-table.h"

#include <math.h>
#include <stdio.h>

static char *
place_of (const LoomPythonProfileFunction *function)
{
  if (function->flags & LOOM_FUNCTION_BUILTIN)
    return g_strdup (function->name);
  return g_strdup_printf ("%s:%" G_GINT64_FORMAT "(%s)", function->file, function->line, function->name);
}

static char *
calls_of (gint64 calls, gint64 primitive)
{
  return calls == primitive ? g_strdup_printf ("%" G_GINT64_FORMAT, calls)
                            : g_strdup_printf ("%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, calls, primitive);
}

static void
print_row (const LoomPythonProfile *profile, const LoomPythonFunctionRow *row)
{
  const LoomPythonProfileFunction *function = loom_python_profile_get_function (profile, row->function);
  g_autofree char *place = place_of (function), *calls = calls_of (row->calls, row->primitive_calls);
  guint32 n;
  const LoomPythonProfileCall *callers = loom_python_profile_get_callers (profile, row->function, &n);
  if (!(row->flags & LOOM_FUNCTION_CALLER))
    printf ("%s\t%.3f\t%.3f\t%.3f\t%.3f\t%s\n", calls, (double) row->own_ns / 1e9,
            isnan (row->own_per_call_ns) ? 0 : row->own_per_call_ns / 1e9, (double) row->cumulative_ns / 1e9,
            isnan (row->cumulative_per_call_ns) ? 0 : row->cumulative_per_call_ns / 1e9, place);
  for (guint32 i = 0; i < n; i++) {
    g_autofree char *caller = place_of (loom_python_profile_get_function (profile, callers[i].caller));
    g_autofree char *from_caller = calls_of (callers[i].calls, callers[i].primitive_calls);
    if (callers[i].own_ns != LOOM_TIME_NONE)
      printf (">\t%s\t%.3f\t%.3f\t%s\t%s\n", from_caller, (double) callers[i].own_ns / 1e9,
              (double) callers[i].cumulative_ns / 1e9, caller, place);
    else
      printf (">\t%" G_GINT64_FORMAT "\t-\t-\t%s\t%s\n", callers[i].calls, caller, place);
  }
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_python_profile_unref);
  for (int i = 1; i < argc; i++) {
    const char *paths[] = { argv[i], NULL };
    g_autoptr (LoomRun) run = loom_load_paths (paths, NULL, NULL, NULL, NULL, NULL);
    if (run == NULL || loom_run_get_n_sources (run) != 1 || loom_run_get_source (run, 0)->profile == NULL)
      return 1;
    g_ptr_array_add (profiles, loom_python_profile_ref (loom_run_get_source (run, 0)->profile));
  }
  g_autoptr (LoomPythonProfile) sum =
    loom_python_profile_sum ((LoomPythonProfile *const *) profiles->pdata, profiles->len);
  if (sum == NULL)
    return 1;
  g_autoptr (LoomPythonFunctionTable) table = loom_python_function_table_new (sum, NULL);
  printf ("%" G_GINT64_FORMAT "\t%.3f\n", sum->n_calls, (double) sum->total_ns / 1e9);
  for (guint32 i = 0; i < table->rows->len; i++)
    print_row (sum, loom_python_function_table_get_row (table, i));
  return 0;
}
