/* SPDX-License-Identifier: Apache-2.0
 *
 * A table with one row for each span name in a range: count, share, total and self time, mean, minimum and maximum.
 * Names that run on devices come first.
 *
 * Signal: "span-chosen" (guint trace, guint span) when the user activates a row, for example with a double click;
 * `span` is the longest span of the name.
 */
#pragma once

#include "loom-range-table.h"

#define LOOM_TYPE_NAME_TABLE (loom_name_table_get_type ())
G_DECLARE_FINAL_TYPE (LoomNameTable, loom_name_table, LOOM, NAME_TABLE, LoomRangeTable)

/* Returns a text with the number of spans, such as "1,234 spans". Owned by the caller. */
char *loom_name_table_dup_count (LoomNameTable *self);
