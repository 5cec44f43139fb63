/* SPDX-License-Identifier: Apache-2.0
 *
 * What ran in a range, by name: a table that a worker fills. Sorted by a click on a column; a double click goes to the
 * longest span of a name.
 * Signals: "span-chosen" (guint trace, guint span); "summary-changed" when loom_range_table_dup_summary() is another.
 */
#pragma once

#include "loom-timeline.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_RANGE_TABLE (loom_range_table_get_type ())
G_DECLARE_FINAL_TYPE (LoomRangeTable, loom_range_table, LOOM, RANGE_TABLE, GtkWidget)

GtkWidget *loom_range_table_new (void);

/* `tracks`: LoomTrackId, the only ones that count, kept as they are; NULL: all. */
void loom_range_table_show (LoomRangeTable *table, LoomTimeline *timeline, LoomRange range, GArray *tracks);
void loom_range_table_clear (LoomRangeTable *table);

/* "1,234 spans, 12.4 ms in all"; NULL while it is counted. */
char *loom_range_table_dup_summary (LoomRangeTable *table);
/* Tab-separated, in the order shown, with exact numbers. */
char *loom_range_table_dup_text (LoomRangeTable *table);

G_END_DECLS
