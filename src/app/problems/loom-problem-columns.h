/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the columns of the table of problems that occurred while files were loaded.
 */
#pragma once

#include "loom-problem-item.h"

/* Adds all columns of the table of problems to the view and makes them sortable, see loom-table-sort.h. */
void loom_problem_columns_add (GtkColumnView *view);
/* Hides columns. If no problem of the list has an offset, hides the column with the offset and the column with the text
 * at the offset. If the table is narrow, hides these two columns and the column of codes, so that the messages get more
 * space. */
void loom_problem_columns_fit (GtkColumnView *view, gboolean has_offsets, gboolean is_narrow);

const char *loom_problem_columns_severity_get_icon (LoomSeverity severity);
/* Returns the CSS class that the style sheet defines for a severity. */
const char *loom_problem_columns_severity_get_class (LoomSeverity severity);
