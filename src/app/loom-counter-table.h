/* SPDX-License-Identifier: Apache-2.0
 *
 * The counters of a range: mean, least, most and integral of each series, in a table that a worker fills. Main thread.
 * Signal: "summary-changed" when the figures are others, or old.
 */
#pragma once

#include "loom-timeline.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_COUNTER_TABLE (loom_counter_table_get_type ())
G_DECLARE_FINAL_TYPE (LoomCounterTable, loom_counter_table, LOOM, COUNTER_TABLE, GtkWidget)

GtkWidget *loom_counter_table_new (void);

/* `tracks`: LoomTrackId, the only ones that count, kept as they are; NULL: all. */
void loom_counter_table_show (LoomCounterTable *table, LoomTimeline *timeline, LoomRange range, GArray *tracks);
void loom_counter_table_clear (LoomCounterTable *table);

/* The range the figures are of: empty while there are none. */
LoomRange loom_counter_table_get_range (LoomCounterTable *table);
/* Another range is being counted, and has been for a while; `fraction`: how far it is, −1 where that is not known. */
gboolean loom_counter_table_is_old (LoomCounterTable *table, double *fraction);

/* Tab-separated, in the order shown, with exact numbers; "" when there are no counters. Owned. */
char *loom_counter_table_dup_text (LoomCounterTable *table);

G_END_DECLS
