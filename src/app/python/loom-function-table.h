/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of the functions of a Python profile. A click on the title of a column sorts the rows by this column; a
 * filter text selects rows. Called on the main thread.
 *
 * Signal: "function-chosen" (guint: index of the function in the profile; G_MAXUINT for no function) when the user
 * selects a row.
 */
#pragma once

#include "loom-python-function-table.h"

#include <adwaita.h>

#define LOOM_TYPE_FUNCTION_TABLE (loom_function_table_get_type ())
G_DECLARE_FINAL_TYPE (LoomFunctionTable, loom_function_table, LOOM, FUNCTION_TABLE, AdwBin)

/* Sets the functions to show; if `table` is NULL, the list is empty. */
void loom_function_table_set_table (LoomFunctionTable *self, LoomPythonFunctionTable *table);
void loom_function_table_set_filter (LoomFunctionTable *self, const char *text);
/* Selects a function's row and scrolls to it, without emitting a signal. */
void loom_function_table_choose (LoomFunctionTable *self, guint32 function);
/* Returns the rows as tab-separated text, in the displayed order, with exact numbers. Owned by the caller. */
char *loom_function_table_dup_text (LoomFunctionTable *self);
