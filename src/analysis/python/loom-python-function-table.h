/* SPDX-License-Identifier: Apache-2.0
 *
 * The function table of a Python profile, or of its difference to another: formats/python-profiles.md §2 "Semantics".
 * Immutable, ref-counted atomically, any thread.
 */
#pragma once

#include "loom-python-profile.h"

G_BEGIN_DECLS

typedef struct _LoomPythonFunctionTable LoomPythonFunctionTable;

/* With a baseline all numbers are those of the profile without those of the baseline, what is missing counting 0. */
typedef struct {
  const char *name, *file;       /* borrowed from the table */
  gint64 line;                   /* 0: none */
  guint flags;                   /* LoomFunctionFlags */
  guint32 function;              /* in the profile; G_MAXUINT32: it stands in the baseline only */
  guint32 baseline;              /* in the baseline; G_MAXUINT32: not there */
  gint64 calls, primitive_calls; /* LOOM_CALLS_UNKNOWN where samples were taken (never in a difference of counts) */
  gint64 own_ns, cumulative_ns;
  double own_per_call_ns;        /* own ÷ calls; NaN where there are none */
  double cumulative_per_call_ns; /* cumulative ÷ primitive calls */
} LoomPythonFunctionRow;

/* References are taken. `baseline` may be NULL; with one of another kind or timer there is no table: NULL. Rows stand in
 * the order of the profile's functions. */
LoomPythonFunctionTable *loom_python_function_table_new (LoomPythonProfile *profile, LoomPythonProfile *baseline);
LoomPythonFunctionTable *loom_python_function_table_ref (LoomPythonFunctionTable *table);
void loom_python_function_table_unref (LoomPythonFunctionTable *table);

LoomPythonProfile *loom_python_function_table_get_profile (LoomPythonFunctionTable *table); /* borrowed */
LoomPythonProfile *loom_python_function_table_get_baseline (
  LoomPythonFunctionTable *table); /* borrowed, NULL without */
guint32 loom_python_function_table_get_n_rows (const LoomPythonFunctionTable *table);
const LoomPythonFunctionRow *loom_python_function_table_get_row (const LoomPythonFunctionTable *table, guint32 row);

/* Columns, in the order in which pstats has them; the sort keys of smdebug are OWN (tottime), CUMULATIVE (cumtime),
 * PRIMITIVE (pcalls) and CALLS (ncalls). */
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

/* Ascending; what has no number comes first. */
int loom_python_function_table_row_compare (const LoomPythonFunctionRow *a, const LoomPythonFunctionRow *b,
                                            LoomPythonFunctionColumn column);

/* Whether name or file hold the text, whatever the case; `needle` is from g_utf8_casefold(), "" matches all. */
gboolean loom_python_function_table_row_matches (const LoomPythonFunctionRow *row, const char *needle);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPythonFunctionTable, loom_python_function_table_unref)

G_END_DECLS
