/* SPDX-License-Identifier: Apache-2.0
 *
 * The function table of a Python profile, or of the difference between two profiles. Immutable, ref-counted atomically, any
 * thread.
 */
#pragma once

#include "loom-python-profile.h"

/* The figures of a function. With a baseline, they are profile minus baseline; a function that is missing in one of
 * both counts as 0. */
typedef struct {
  const char *name, *file; /* borrowed from the table */
  gint64 line;             /* 0: unknown */
  guint flags;             /* LoomFunctionFlags */
  guint32 function;        /* index in the profile; G_MAXUINT32: only in the baseline */
  guint32 baseline;        /* index in the baseline; G_MAXUINT32: not in the baseline */
  /* LOOM_CALLS_UNKNOWN for sampled profiles (never for a difference of counted profiles) */
  gint64 calls, primitive_calls;
  gint64 own_ns, cumulative_ns;
  double own_per_call_ns;        /* own time ÷ calls; NaN without calls */
  double cumulative_per_call_ns; /* cumulative time ÷ primitive calls */
} LoomPythonFunctionRow;

typedef struct {
  LoomPythonProfile *profile, *baseline; /* `baseline`: NULL if there is none */
  GArray *rows;                          /* LoomPythonFunctionRow */
  gatomicrefcount refs;
} LoomPythonFunctionTable;

/* Makes the table of a profile, and keeps references to both profiles. `baseline` may be NULL; if it has another
 * kind or timer than the profile, returns NULL. Rows are in the order of the profile's functions. */
LoomPythonFunctionTable *loom_python_function_table_new (LoomPythonProfile *profile, LoomPythonProfile *baseline);
LoomPythonFunctionTable *loom_python_function_table_ref (LoomPythonFunctionTable *table);
void loom_python_function_table_unref (LoomPythonFunctionTable *table);

const LoomPythonFunctionRow *loom_python_function_table_get_row (const LoomPythonFunctionTable *table, guint32 row);

/* Columns in the order of pstats; smdebug's sort keys are OWN (tottime), CUMULATIVE (cumtime), PRIMITIVE (pcalls) and
 * CALLS (ncalls). */
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

/* Returns TRUE if the name or file contains the text, ignoring case; `needle` is from g_utf8_casefold(), "" matches
 * all. */
gboolean loom_python_function_table_row_matches (const LoomPythonFunctionRow *row, const char *needle);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPythonFunctionTable, loom_python_function_table_unref)
