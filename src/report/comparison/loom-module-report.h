/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints how the device time of each module (a part of the neural network, such as Layer_3) differs between two runs
 * (loom-module-comparison.h): as a table, as a sentence and as JSON. Texts are translated. The functions may be called
 * on any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-result-table.h"
#include "loom-run-comparison.h"

/* Maximum number of rows in the table. */
#define LOOM_MODULE_REPORT_MOST_ROWS 500

/* Returns TRUE if the comparison has a table of modules. Both runs must have kernels and at least one kind of caller of
 * kernels: modules, Python functions or operators. */
gboolean loom_module_report_has_table (const LoomRunComparison *comparison);
/* Returns the rows of the comparison (guint32, indices of LoomModuleComparison.rows) that the table shows, in the order
 * of the tree. These are: the subtrees of modules that explain the change (LoomModuleComparison.main, the named
 * subtrees); added and removed subtrees; modules whose time is at least 1 % of the time of all kernels, or whose change
 * is at least 0.1 % of the time of all kernels; and all modules that contain one of these. If there are more than
 * LOOM_MODULE_REPORT_MOST_ROWS such rows, only the named subtrees and the modules with the largest changes are shown.
 * Owned by the caller; NULL if there is no table. */
GArray *loom_module_report_list_rows (const LoomRunComparison *comparison);
/* Makes the table of the rows that loom_module_report_list_rows() returns. Returns NULL if that function returns NULL.
 * If some kernels belong to no module, the last row shows their time. `names`: titles of the two columns with the times
 * of the runs. `tips`: full names of the runs, for tooltips. Owned by the caller. */
LoomResultTable *loom_module_report_new_table (const LoomRunComparison *comparison, const char *const names[2],
                                               const char *const tips[2]);
/* Returns a sentence about the subtrees of modules that cause most of the change from the faster to the slower run:
 * "Device time by module: Layer_3 costs +5.2 ms per step (93 % of the change)". `names`: short names of the runs. Owned
 * by the caller; NULL if no subtree changed by at least LOOM_MODULE_COMPARISON_LEAST of the time of all kernels. */
char *loom_module_report_dup_sentence (const LoomRunComparison *comparison, const char *const names[2]);
/* Returns sentences to be shown with the table: whether its rows are modules, Python functions or operators, and which
 * device time it does not include. Owned by the caller. */
char **loom_module_report_dup_notes (const LoomRunComparison *comparison, const char *const names[2]);
/* Adds the member "modules" to an object: the rows of the comparison, and the subtrees that explain the change
 * (LoomModuleComparison.main); null if the runs have nothing in common. If the comparison has more than 20,000 rows,
 * adds only the rows that the table shows. */
void loom_module_report_build (const LoomRunComparison *comparison, JsonBuilder *builder);
