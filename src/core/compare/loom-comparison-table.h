/* SPDX-License-Identifier: Apache-2.0
 *
 * The names whose mean time changed between two runs, as a table. Any thread.
 */
#pragma once

#include "loom-name-comparison.h"
#include "loom-result-table.h"

/* Makes a table whose rows have the order of the changes. */
LoomResultTable *loom_comparison_table_new (const LoomNameComparison *changes);
