/* SPDX-License-Identifier: Apache-2.0
 *
 * A table with one row for each series of the counters in a range. Its columns are the mean, the minimum, the maximum
 * and the integral over time.
 */
#pragma once

#include "loom-range-table.h"

#define LOOM_TYPE_COUNTER_TABLE (loom_counter_table_get_type ())
G_DECLARE_FINAL_TYPE (LoomCounterTable, loom_counter_table, LOOM, COUNTER_TABLE, LoomRangeTable)
