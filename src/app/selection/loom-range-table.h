/* SPDX-License-Identifier: Apache-2.0
 *
 * What a range holds, as a table that a worker fills: names, counters. What is counted is the subclass' business. Sorted,
 * filtered, copied and saved as every table. Main thread.
 * Signal: "summary-changed" when the figures are others, or old.
 */
#pragma once

#include "loom-timeline.h"

#include "loom-table-view.h"

#define LOOM_TYPE_RANGE_TABLE (loom_range_table_get_type ())
G_DECLARE_DERIVABLE_TYPE (LoomRangeTable, loom_range_table, LOOM, RANGE_TABLE, GtkWidget)

typedef struct {
  LoomTimeline *timeline;
  LoomRange range;
  GArray *tracks; /* LoomTrackId; NULL: all tracks */
  gpointer known; /* the value that dup_known() returned */
} LoomRangeQuestion;

struct _LoomRangeTableClass {
  GtkWidgetClass parent_class;

  const char
    *nothing; /* text shown instead of an empty table, in English, marked for translation; NULL: show the table */
  LoomResultTable *(*new_table) (void);
  /* Runs in a worker. Returns the filled table; NULL when cancelled. `found` is NULL at first and may be set to
   * further results for take(). */
  LoomResultTable *(*count) (LoomRangeQuestion *question, gpointer *found, GCancellable *cancellable);
  GDestroyNotify free_found;

  /* The members from here on may be NULL. dup_known() returns data that speed up the next count, for the worker,
   * which frees them. */
  gpointer (*dup_known) (LoomRangeTable *table, LoomTimeline *timeline);
  GDestroyNotify free_known;
  void (*take) (LoomRangeTable *table, gpointer found); /* `found` is owned; NULL: the results were cleared */
};

/* Counts the range. `tracks`: LoomTrackId, only these are counted; not changed while in use; NULL: all. */
void loom_range_table_show (LoomRangeTable *self, LoomTimeline *timeline, LoomRange range, GArray *tracks);
void loom_range_table_clear (LoomRangeTable *self);

/* The range that the shown figures cover; empty while there are none. */
LoomRange loom_range_table_get_range (LoomRangeTable *self);
/* TRUE when another range has been counted for a while and the shown figures are outdated. `fraction`: the progress,
 * −1 if unknown. */
gboolean loom_range_table_is_old (LoomRangeTable *self, double *fraction);
LoomTableView *loom_range_table_get_view (LoomRangeTable *self);
/* The table as text: tab-separated, in the order shown, with exact numbers; "" when no table is shown. Owned. */
char *loom_range_table_dup_text (LoomRangeTable *self);
