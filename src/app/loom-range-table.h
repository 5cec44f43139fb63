/* SPDX-License-Identifier: Apache-2.0
 *
 * What ran in a range, by name: a table that a worker fills. Sorted, filtered, copied and saved as every table; a
 * double click goes to the longest span of a name.
 * Signals: "span-chosen" (guint trace, guint span); "summary-changed" when the figures are others, or old.
 */
#pragma once

#include "loom-timeline.h"

#include "loom-table-view.h"

G_BEGIN_DECLS

#define LOOM_TYPE_RANGE_TABLE (loom_range_table_get_type ())
G_DECLARE_FINAL_TYPE (LoomRangeTable, loom_range_table, LOOM, RANGE_TABLE, GtkWidget)

GtkWidget *loom_range_table_new (void);

/* `tracks`: LoomTrackId, the only ones that count, kept as they are; NULL: all. */
void loom_range_table_show (LoomRangeTable *table, LoomTimeline *timeline, LoomRange range, GArray *tracks);
void loom_range_table_clear (LoomRangeTable *table);

/* The range the figures are of: empty while there are none. */
LoomRange loom_range_table_get_range (LoomRangeTable *table);
/* Another range is being counted, and has been for a while; `fraction`: how far it is, −1 where that is not known. */
gboolean loom_range_table_is_old (LoomRangeTable *table, double *fraction);
/* "1,234 spans". Owned. */
char *loom_range_table_dup_count (LoomRangeTable *table);
LoomTableView *loom_range_table_get_view (LoomRangeTable *table);
/* Tab-separated, in the order shown, with exact numbers. */
char *loom_range_table_dup_text (LoomRangeTable *table);

G_END_DECLS
