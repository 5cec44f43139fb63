/* SPDX-License-Identifier: Apache-2.0
 *
 * Base class of tables with statistics of a range, such as names or counters. A worker thread computes the rows.
 * Subclasses define what is computed. The user can sort, filter, copy and save the rows, as in all tables. Called on
 * the main thread.
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
  GArray *tracks; /* LoomTrackId: only data of these tracks are counted; NULL for all tracks */
  gpointer known; /* the result of LoomRangeTableClass.dup_known() */
} LoomRangeQuestion;

struct _LoomRangeTableClass {
  GtkWidgetClass parent_class;

  /* text shown in place of an empty table, in English, marked for translation; NULL if the empty table is shown */
  const char *nothing;
  LoomResultTable *(*new_table) (void);
  /* Called on a worker thread. Returns the filled table; NULL when cancelled. `*found` is NULL before the call. The
   * function may set `*found` to further results, which are then passed to take(). */
  LoomResultTable *(*count) (LoomRangeQuestion *question, gpointer *found, GCancellable *cancellable);
  GDestroyNotify free_found;

  /* `dup_known`, `free_known` and `take` may be NULL. dup_known() returns data that make the next computation faster,
   * or NULL if there are none. The worker thread uses these data, and frees them with free_known(). */
  gpointer (*dup_known) (LoomRangeTable *table, LoomTimeline *timeline);
  GDestroyNotify free_known;
  /* receives the further results that count() has stored in `*found`; takes ownership of `found`; `found` is NULL if
   * the results were cleared */
  void (*take) (LoomRangeTable *table, gpointer found);
};

/* Computes and shows the statistics of the range. `tracks` (LoomTrackId): only spans or counters of these tracks are
 * counted; NULL for all tracks. The array must not change while the table uses it. */
void loom_range_table_show (LoomRangeTable *self, LoomTimeline *timeline, LoomRange range, GArray *tracks);
void loom_range_table_clear (LoomRangeTable *self);

/* Returns the range of the shown figures; an empty range if no figures are shown. */
LoomRange loom_range_table_get_range (LoomRangeTable *self);
/* Returns TRUE if the shown results are outdated and a worker thread has been computing new results for a while.
 * Sets `fraction` to the progress of the computation, from 0 to 1; −1 if it is unknown. */
gboolean loom_range_table_is_old (LoomRangeTable *self, double *fraction);
LoomTableView *loom_range_table_get_view (LoomRangeTable *self);
/* Returns the table as tab-separated text, in the displayed order, with exact numbers; "" if no table is shown.
 * Owned by the caller. */
char *loom_range_table_dup_text (LoomRangeTable *self);
