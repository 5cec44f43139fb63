/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of the problems list: cells, titles, and which of them a view is sorted by.
 */
#pragma once

#include "loom-problems-model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Adds all columns to the view; their sorters order nothing themselves, see below. */
void loom_problem_columns_add (GtkColumnView *view);

/* The column the person chose to sort by; FALSE when none. The model sorts by itself: GtkSortListModel would make an
 * object of every row. */
gboolean loom_problem_columns_get_sort (GtkColumnView *view, LoomProblemColumn *column, gboolean *descending);

const char *loom_problem_severity_get_icon (LoomSeverity severity);
const char *loom_problem_severity_get_class (LoomSeverity severity); /* of the style sheet */

G_END_DECLS
