/* SPDX-License-Identifier: Apache-2.0
 *
 * A table with one row for each function of a Python profile (calls, own time, cumulative time), or with the
 * differences between two profiles. Immutable, ref-counted atomically, any thread.
 */
#pragma once

#include "loom-python-profile.h"

/* The figures of a function. If there is a baseline (a second profile), they are differences: the figures in the
 * profile minus those in the baseline. A function that is missing in one of the two profiles has the figures 0
 * there. */
typedef struct {
  const char *name, *file; /* borrowed from the LoomPythonFunctionTable */
  gint64 line;             /* 0: unknown */
  guint flags;             /* mask of LoomFunctionFlags */
  guint32 function;        /* index of the function in the profile; G_MAXUINT32: the function is only in the baseline */
  guint32 baseline;        /* index of the function in the baseline; G_MAXUINT32: the function is not in the baseline */
  /* numbers of calls and of primitive calls; LOOM_CALLS_UNKNOWN if the profile or the baseline does not count calls,
   * because it is sampled */
  gint64 calls, primitive_calls;
  gint64 own_ns, cumulative_ns;
  double own_per_call_ns;        /* own time ÷ calls; NaN without calls */
  double cumulative_per_call_ns; /* cumulative time ÷ primitive calls */
} LoomPythonFunctionRow;

typedef struct {
  /* `profile`: the profile whose functions the table lists; `baseline`: the profile whose figures are subtracted; NULL:
   * nothing is subtracted */
  LoomPythonProfile *profile, *baseline;
  GArray *rows; /* LoomPythonFunctionRow: the rows of the table */
  gatomicrefcount refs;
} LoomPythonFunctionTable;

/* Makes the table of a profile, and keeps references to both profiles. `baseline` may be NULL. Returns NULL if
 * `baseline` has another kind or timer than `profile`. Rows are in the order of the profile's functions. */
LoomPythonFunctionTable *loom_python_function_table_new (LoomPythonProfile *profile, LoomPythonProfile *baseline);
LoomPythonFunctionTable *loom_python_function_table_ref (LoomPythonFunctionTable *table);
void loom_python_function_table_unref (LoomPythonFunctionTable *table);

const LoomPythonFunctionRow *loom_python_function_table_get_row (const LoomPythonFunctionTable *table, guint32 row);

/* The columns: name and place of the function, then its figures in the order of Python's module pstats. smdebug sorts
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

/* Compares two rows by a column, in ascending order; rows without a number come first. */
int loom_python_function_table_row_compare (const LoomPythonFunctionRow *a, const LoomPythonFunctionRow *b,
                                            LoomPythonFunctionColumn column);

/* Returns TRUE if the name or file contains `needle`, ignoring case. `needle` must be a result of g_utf8_casefold(); ""
 * matches all rows. */
gboolean loom_python_function_table_row_matches (const LoomPythonFunctionRow *row, const char *needle);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPythonFunctionTable, loom_python_function_table_unref)
