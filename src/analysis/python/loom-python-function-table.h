/* SPDX-License-Identifier: Apache-2.0
 *
 * A table with one row for each function of a Python profile (calls, own time, cumulative time), or with the
 * differences between two profiles. Immutable, ref-counted atomically, any thread.
 */
#pragma once

#include "loom-python-profile.h"

/* The numbers of a function. If there is a baseline (a second profile), they are differences: the numbers in the
 * profile minus those in the baseline. If a function is missing in one of the two profiles, its numbers in this profile
 * count as 0. */
typedef struct {
  const char *name, *file; /* borrowed from the LoomPythonFunctionTable */
  gint64 line;             /* 0: unknown */
  guint flags;             /* mask of LoomFunctionFlags */
  guint32 function;        /* index of the function in the profile; G_MAXUINT32: the function is only in the baseline */
  guint32 baseline;        /* index of the function in the baseline; G_MAXUINT32: the function is not in the baseline */
  /* `calls`: number of calls; `primitive_calls`: number of primitive calls, which are not inside another call of the
   * function. LOOM_CALLS_UNKNOWN: the profile or the baseline is sampled and does not count calls. */
  gint64 calls, primitive_calls;
  gint64 own_ns, cumulative_ns;
  double own_per_call_ns;        /* own time ÷ number of calls; NaN: there are no calls */
  double cumulative_per_call_ns; /* cumulative time ÷ number of primitive calls; NaN: there are none */
} LoomPythonFunctionRow;

typedef struct {
  /* `profile`: the profile whose functions the table lists; `baseline`: the profile whose numbers are subtracted; NULL:
   * none is subtracted */
  LoomPythonProfile *profile, *baseline;
  GArray *rows; /* LoomPythonFunctionRow: the rows of the table */
  gatomicrefcount refs;
} LoomPythonFunctionTable;

/* Makes the table of a profile, and keeps references to both profiles. `baseline` may be NULL. Returns NULL if
 * `baseline` has another kind or another timer than `profile`. Rows are in the order of the profile's functions. */
LoomPythonFunctionTable *loom_python_function_table_new (LoomPythonProfile *profile, LoomPythonProfile *baseline);
LoomPythonFunctionTable *loom_python_function_table_ref (LoomPythonFunctionTable *table);
void loom_python_function_table_unref (LoomPythonFunctionTable *table);

const LoomPythonFunctionRow *loom_python_function_table_get_row (const LoomPythonFunctionTable *table, guint32 row);

/* The columns: name and place of the function, then its numbers in the order of Python's module pstats. smdebug sorts
 * by SELF (tottime), CUMULATIVE (cumtime), PRIMITIVE (pcalls) or CALLS (ncalls). */
typedef enum {
  LOOM_PYTHON_FUNCTION_COLUMN_FUNCTION,
  LOOM_PYTHON_FUNCTION_COLUMN_PLACE,
  LOOM_PYTHON_FUNCTION_COLUMN_CALLS,
  LOOM_PYTHON_FUNCTION_COLUMN_PRIMITIVE,
  LOOM_PYTHON_FUNCTION_COLUMN_SELF,
  LOOM_PYTHON_FUNCTION_COLUMN_SELF_PER_CALL,
  LOOM_PYTHON_FUNCTION_COLUMN_CUMULATIVE,
  LOOM_PYTHON_FUNCTION_COLUMN_CUMULATIVE_PER_CALL,
  LOOM_N_PYTHON_FUNCTION_COLUMNS,
} LoomPythonFunctionColumn;

/* Compares two rows by a column, in ascending order. Rows whose number is unknown come first. */
int loom_python_function_table_row_compare (const LoomPythonFunctionRow *a, const LoomPythonFunctionRow *b,
                                            LoomPythonFunctionColumn column);

/* Returns TRUE if the name or the file contains `needle`, without regard to upper and lower case. `needle` must be a
 * result of g_utf8_casefold(); "" matches all rows. */
gboolean loom_python_function_table_row_matches (const LoomPythonFunctionRow *row, const char *needle);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPythonFunctionTable, loom_python_function_table_unref)
