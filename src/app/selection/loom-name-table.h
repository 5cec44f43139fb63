/* SPDX-License-Identifier: Apache-2.0
 *
 * A table with one row for each name of the spans in a range: count, share, total and self time, mean, minimum and
 * maximum. Names that run on devices come first. A double click goes to the longest span of a name.
 *
 * Signal: "span-chosen" (guint trace, guint span) when the user activates a name; the span is the longest one of this
 * name.
 */
#pragma once

#include "loom-range-table.h"

#define LOOM_TYPE_NAME_TABLE (loom_name_table_get_type ())
G_DECLARE_FINAL_TYPE (LoomNameTable, loom_name_table, LOOM, NAME_TABLE, LoomRangeTable)

/* Returns the number of spans, as in "1,234 spans". Owned. */
char *loom_name_table_dup_count (LoomNameTable *self);
