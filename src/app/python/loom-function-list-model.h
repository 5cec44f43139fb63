/* SPDX-License-Identifier: Apache-2.0
 *
 * A table model of the rows of a LoomPythonFunctionTable, and the texts of its columns. Main thread.
 */
#pragma once

#include "loom-python-function-table.h"
#include "loom-table-model.h"

/* Makes a model for loom_table_model_set_rows() with a LoomPythonFunctionTable; it has all rows at once. */
LoomTableModel *loom_function_list_model_new (GtkSorter *sorter);
/* The position of a function of the profile; GTK_INVALID_LIST_POSITION when it is filtered out. O(n). */
guint loom_function_list_model_find (LoomTableModel *self, guint32 function);

const LoomPythonFunctionRow *loom_function_list_model_item_get_row (LoomTableItem *item); /* borrowed */

const char *loom_function_list_model_get_column_title (LoomPythonFunctionColumn column);
/* A sentence that says what the column counts. */
const char *loom_function_list_model_describe_column (LoomPythonFunctionColumn column);
gboolean loom_function_list_model_is_number_column (LoomPythonFunctionColumn column);
/* The cell's text, rounded; `exact`: without rounding, for tooltips and copies. Owned. */
char *loom_function_list_model_item_dup_cell (LoomTableItem *item, LoomPythonFunctionColumn column, gboolean exact);
