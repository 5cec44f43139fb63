/* SPDX-License-Identifier: Apache-2.0
 *
 * Base class of tables with statistics of a range, such as names or counters; a worker fills the table. Subclasses
 * define what is computed. Like all tables it can be sorted, filtered, copied and saved. Called on the main thread.
 *
 * Signal: "summary-changed" when the results have changed or become outdated.
 */
#pragma once

#include "loom-timeline.h"

#include "loom-table-view.h"

#define LOOM_TYPE_RANGE_TABLE (loom_range_table_get_type ())
G_DECLARE_DERIVABLE_TYPE (LoomRangeTable, loom_range_table, LOOM, RANGE_TABLE, GtkWidget)

typedef struct {
  LoomTimeline *timeline;
  LoomRange range;
  GArray *tracks; /* LoomTrackId: only these tracks are counted; NULL: all tracks */
  gpointer known; /* the value that dup_known() returned */
} LoomRangeQuestion;

struct _LoomRangeTableClass {
  GtkWidgetClass parent_class;

  /* text that is shown instead of an empty table, in English, marked for translation; NULL: the empty table is shown */
  const char *nothing;
  LoomResultTable *(*new_table) (void);
  /* Computes the table in a worker. Returns the filled table; NULL when cancelled. *found is NULL at first; it may be
   * set to further results, which take() receives. */
  LoomResultTable *(*count) (LoomRangeQuestion *question, gpointer *found, GCancellable *cancellable);
  GDestroyNotify free_found;

  /* `dup_known`, `free_known` and `take` may be NULL. dup_known() returns data with which the next computation is
   * faster, or NULL; the worker uses and frees these data. */
  gpointer (*dup_known) (LoomRangeTable *table, LoomTimeline *timeline);
  GDestroyNotify free_known;
  void (*take) (LoomRangeTable *table, gpointer found); /* takes ownership of `found`; NULL: the results were cleared */
};

/* Computes and shows the statistics of the range. `tracks`: LoomTrackId; only the spans or counters of these tracks
 * count; NULL: all tracks count. The array must not change while the table uses it. */
void loom_range_table_show (LoomRangeTable *self, LoomTimeline *timeline, LoomRange range, GArray *tracks);
void loom_range_table_clear (LoomRangeTable *self);

/* Returns the range of the figures that are shown; an empty range while no figures are shown. */
LoomRange loom_range_table_get_range (LoomRangeTable *self);
/* Returns TRUE if the shown results are outdated, and a worker has been computing new results for some time. Sets
 * `fraction` to the part of the computation that is done, from 0 to 1; −1 if this is unknown. */
gboolean loom_range_table_is_old (LoomRangeTable *self, double *fraction);
LoomTableView *loom_range_table_get_view (LoomRangeTable *self);
/* Returns the table as text: tab-separated, in the order shown, with exact numbers; "" if no table is shown. Owned. */
char *loom_range_table_dup_text (LoomRangeTable *self);
