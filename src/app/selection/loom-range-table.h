/* SPDX-License-Identifier: Apache-2.0
 *
 * What a range holds, as a table that a worker fills: names, counters. What is counted is the subclass' business. Sorted,
 * filtered, copied and saved as every table. Main thread.
 * Signal: "summary-changed" when the figures are others, or old.
 */
#pragma once

#include "loom-timeline.h"

#include "loom-table-view.h"

G_BEGIN_DECLS

#define LOOM_TYPE_RANGE_TABLE (loom_range_table_get_type ())
G_DECLARE_DERIVABLE_TYPE (LoomRangeTable, loom_range_table, LOOM, RANGE_TABLE, GtkWidget)

typedef struct {
  LoomTimeline *timeline;
  LoomRange range;
  GArray *tracks; /* LoomTrackId; NULL: all */
  gpointer known; /* as dup_known() gave it */
} LoomRangeQuestion;

struct _LoomRangeTableClass {
  GtkWidgetClass parent_class;

  const char
    *nothing; /* what stands there instead of an empty table, in English, marked for translation; NULL: the table */
  LoomResultTable *(*new_table) (void);
  /* In a worker: the filled table; NULL when cancelled. `found`: what else take() gets, NULL at first. */
  LoomResultTable *(*count) (LoomRangeQuestion *question, gpointer *found, GCancellable *cancellable);
  GDestroyNotify free_found;

  /* The rest may be NULL. What speeds up the next count, for the worker, which frees it. */
  gpointer (*dup_known) (LoomRangeTable *table, LoomTimeline *timeline);
  GDestroyNotify free_known;
  void (*take) (LoomRangeTable *table, gpointer found); /* owned, or NULL: there is nothing any more */
};

/* `tracks`: LoomTrackId, the only ones that count, kept as they are; NULL: all. */
void loom_range_table_show (LoomRangeTable *self, LoomTimeline *timeline, LoomRange range, GArray *tracks);
void loom_range_table_clear (LoomRangeTable *self);

/* The range the figures are of: empty while there are none. */
LoomRange loom_range_table_get_range (LoomRangeTable *self);
/* Another range is being counted, and has been for a while; `fraction`: how far it is, −1 where that is not known. */
gboolean loom_range_table_is_old (LoomRangeTable *self, double *fraction);
LoomTableView *loom_range_table_get_view (LoomRangeTable *self);
/* Tab-separated, in the order shown, with exact numbers; "" when no table is shown. Owned. */
char *loom_range_table_dup_text (LoomRangeTable *self);

G_END_DECLS
