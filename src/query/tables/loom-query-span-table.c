/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements the virtual tables span and instant, and the table functions that return spans: overlap, descendants and
 * ancestors.
 */
#include "loom-query-span-cursor.h"

#include <string.h>

/* --- rows --------------------------------------------------------------------------------------------------------- */

static gboolean
next_run (LoomQuerySpanCursor *self, GCancellable *cancellable)
{
  return loom_query_span_scan_next_run (&self->scan, &self->rows, self->exact ? LOOM_QUERY_BATCH_ROWS : 1,
                                        LOOM_QUERY_BATCH_COPIED_ROWS, cancellable);
}

static gboolean
next_run_by_name (LoomQuerySpanCursor *self, GCancellable *cancellable)
{
  LoomQuerySpanRun *rows = &self->rows;
  loom_query_span_cursor_begin_names (self);
  if (self->scan.listed == NULL)
    self->scan.listed = g_new (guint32, LOOM_QUERY_BATCH_COPIED_ROWS);
  rows->list = self->scan.listed;
  rows->is_listed = TRUE;
  rows->is_direct = FALSE;
  rows->has_plain_times = FALSE;
  rows->n = loom_query_name_order_list (self->names, &self->scan, rows->list,
                                        self->exact ? LOOM_QUERY_BATCH_COPIED_ROWS : 1, cancellable);
  return rows->n > 0;
}

static int
step_batch (LoomQuerySpanCursor *self, LoomQueryHost *host)
{
  self->n_read = 0;
  gboolean by_name = self->names != NULL || loom_query_batch_is_by_name (self->base.order);
  self->base.at_end = !(by_name ? next_run_by_name (self, host->cancellable) : next_run (self, host->cancellable));
  host->batch.n_rows = self->base.at_end ? 0 : self->rows.n;
  if (self->names != NULL && loom_query_name_order_is_full (self->names))
    return SQLITE_NOMEM;
  return self->base.at_end && g_cancellable_is_cancelled (host->cancellable) ? SQLITE_INTERRUPT : SQLITE_OK;
}

/* If conditions must be evaluated for each event, makes the cursor find many events at a time, beginning with the
 * current event. The number of events is small at first, because the query may end soon, for example with LIMIT. */
static void
begin_listing (LoomQuerySpanCursor *self)
{
  const LoomQueryStretch *here = &self->scan.here;
  gboolean is_plain_scan = loom_query_span_cursor_is_scan (self->base.order) && self->names == NULL &&
                           self->keys == NULL && self->scan.once == LOOM_QUERY_ONCE_NEVER;
  self->is_plain = is_plain_scan && !self->scan.tests;
  self->is_listing = is_plain_scan && self->scan.tests && here->to - here->at > LOOM_QUERY_SPAN_CURSOR_SHORT;
  self->n_wanted = LOOM_QUERY_SPAN_CURSOR_SHORT;
  self->next_row = self->rows.n = 1;
  self->rows.end = here->at + 1;
}

static gboolean
next_listed (LoomQuerySpanCursor *self, GCancellable *cancellable)
{
  if (self->next_row >= self->rows.n) {
    self->n_wanted = MIN (2 * self->n_wanted, LOOM_QUERY_BATCH_COPIED_ROWS);
    self->next_row = 1;
    return loom_query_span_scan_next_run (&self->scan, &self->rows, self->n_wanted, LOOM_QUERY_BATCH_COPIED_ROWS,
                                          cancellable);
  }
  self->scan.here.at = self->rows.is_listed ? self->rows.list[self->next_row] : self->scan.here.at + 1;
  self->next_row++;
  return TRUE;
}

static int
step (LoomQueryCursor *base)
{
  LoomQuerySpanCursor *self = (LoomQuerySpanCursor *) base;
  if (G_LIKELY (self->is_plain && self->scan.here.at + 1 < self->scan.here.to)) {
    self->scan.here.at++;
    return SQLITE_OK;
  }
  GCancellable *cancellable = loom_query_module_host (base)->cancellable;
  base->at_end = self->failure != SQLITE_OK;
  if (base->at_end)
    return self->failure;
  if (!self->is_sorted)
    loom_query_span_scan_sort (&self->scan, base->order % LOOM_QUERY_ORDER_ROWS);
  self->is_sorted = TRUE;
  if (self->batched != NULL)
    return step_batch (self, loom_query_module_host (base));
  base->at_end =
    !(self->is_listing ? next_listed (self, cancellable) : loom_query_span_cursor_next (self, cancellable));
  if (base->at_end && ((self->longest != NULL && loom_query_longest_order_is_full (self->longest)) ||
                       (self->names != NULL && loom_query_name_order_is_full (self->names))))
    return SQLITE_NOMEM;
  if (!base->at_end && !self->is_listing)
    begin_listing (self);
  return base->at_end && g_cancellable_is_cancelled (cancellable) ? SQLITE_INTERRUPT : SQLITE_OK;
}

/* Narrows the scan by a condition IS NULL or IS NOT NULL. `column` must not be a column of texts. */
static void
narrow_nulls (LoomQuerySpanScan *scan, guint column, gboolean is_null)
{
  guint allowed = is_null ? LOOM_QUERY_NULLS_ONLY : LOOM_QUERY_NULLS_NEVER;
  if (column == LOOM_QUERY_SPAN_RANK)
    scan->rank_nulls &= allowed;
  else if (column == LOOM_QUERY_SPAN_PARENT)
    scan->parent_nulls &= allowed;
  else if (is_null) /* all other columns of span and instant are never NULL, so IS NULL excludes all rows */
    scan->track = (LoomQueryLimits) { 1, 0 };
}

static gboolean
is_text (guint column)
{
  return column == LOOM_QUERY_SPAN_NAME || column == LOOM_QUERY_SPAN_CATEGORY || column == LOOM_QUERY_SPAN_KIND;
}

static void
narrow (LoomQuerySpanCursor *self, const LoomQueryCondition *condition)
{
  LoomQuerySpanScan *scan = &self->scan;
  guint column = loom_query_span_cursor_to_span_column (scan->instants, condition->column);
  if (loom_query_module_is_null_test (condition->operation) && !is_text (column)) {
    narrow_nulls (scan, column, condition->operation == SQLITE_INDEX_CONSTRAINT_ISNULL);
    return;
  }
  if (condition->is_list) {
    int code = loom_query_span_scan_add_list (scan, column == LOOM_QUERY_SPAN_DURATION, condition,
                                              loom_query_module_host (&self->base)->cancellable);
    self->failure = self->failure != SQLITE_OK ? self->failure : code;
    return;
  }
  if (!is_text (column) &&
      (condition->operation == SQLITE_INDEX_CONSTRAINT_NE || condition->operation == SQLITE_INDEX_CONSTRAINT_ISNOT)) {
    loom_query_span_scan_exclude (scan, column, condition);
    return;
  }
  switch (column) {
  case LOOM_QUERY_SPAN_ID: loom_query_module_narrow (&scan->id, condition); break;
  case LOOM_QUERY_SPAN_NAME:
  case LOOM_QUERY_SPAN_CATEGORY:
  case LOOM_QUERY_SPAN_KIND: loom_query_span_scan_add_text (scan, condition); break;
  case LOOM_QUERY_SPAN_START: loom_query_module_narrow (&scan->start_ns, condition); break;
  case LOOM_QUERY_SPAN_DURATION: loom_query_module_narrow (&scan->duration_ns, condition); break;
  case LOOM_QUERY_SPAN_TRACK: loom_query_module_narrow (&scan->track, condition); break;
  case LOOM_QUERY_SPAN_PROCESS: loom_query_module_narrow (&scan->process, condition); break;
  case LOOM_QUERY_SPAN_DEPTH: loom_query_module_narrow (&scan->depth, condition); break;
  case LOOM_QUERY_SPAN_RANK:
    scan->rank_nulls &=
      LOOM_QUERY_NULLS_NEVER; /* a comparison is never true for NULL, even if it is true for all numbers */
    loom_query_module_narrow (&scan->rank, condition);
    break;
  case LOOM_QUERY_SPAN_PARENT:
    scan->has_parent = TRUE;
    loom_query_module_narrow (&scan->parent, condition);
    break;
  default: break;
  }
}

static void
read_argument (LoomQuerySpanCursor *self, const LoomQueryCondition *condition)
{
  guint number = condition->column - LOOM_QUERY_SPAN_ARGUMENT;
  self->argument[number] = sqlite3_value_int64 (condition->value);
}

/* Begins a scan of all events that the conditions may allow. If conditions on names allow few events, visits only the
 * events of these names, unless this is impossible in the order that the query requires. Returns SQLite's result
 * code. */
static int
begin_all (LoomQuerySpanCursor *self)
{
  LoomQuerySpanScan *scan = &self->scan;
  GCancellable *cancellable = loom_query_module_host (&self->base)->cancellable;
  if (self->failure != SQLITE_OK)
    return step (&self->base);
  loom_query_span_scan_begin (scan);
  gboolean has_range = scan->touches || scan->start_ns.least != G_MININT64 || scan->start_ns.most != G_MAXINT64;
  if (scan->n_texts > 0 && self->once == LOOM_QUERY_ONCE_NEVER && !has_range &&
      loom_query_span_cursor_can_visit_names (self) && loom_query_name_order_is_faster (scan, cancellable))
    loom_query_span_cursor_visit_names (self, cancellable);
  return step (&self->base);
}

/* Reads conditions and arguments. Returns FALSE if an argument is not a number; the table function then returns no
 * rows. */
static gboolean
read_conditions (LoomQuerySpanCursor *self, LoomQueryCursor *base, gboolean instants,
                 const LoomQueryCondition *conditions, guint n)
{
  gboolean good = TRUE;
  loom_query_span_scan_reset (&self->scan, loom_query_module_host (base)->run, instants);
  loom_query_span_cursor_clear_orders (self);
  self->child = 0;
  self->is_plain = self->is_listing = FALSE;
  self->failure = SQLITE_OK;
  loom_query_module_host (base)->batch.sum = NULL;
  self->batched = loom_query_batch_find_loop (base, loom_query_module_host (base));
  self->exact = TRUE;
  self->rows.n = 0;
  self->once = base->order >> LOOM_QUERY_ONCE_SHIFT;
  base->order %= 1u << LOOM_QUERY_ONCE_SHIFT;
  self->is_sorted = (base->order & LOOM_QUERY_ORDER_ROWS) == 0;
  self->scan.once = loom_query_span_cursor_is_scan (base->order) ? self->once : LOOM_QUERY_ONCE_NEVER;
  for (guint i = 0; self->batched != NULL && i < n; i++)
    self->exact &= loom_query_batch_is_exact (&conditions[i]);
  for (guint i = 0; i < n; i++)
    if (conditions[i].column < LOOM_QUERY_SPAN_ARGUMENT)
      narrow (self, &conditions[i]);
    else {
      read_argument (self, &conditions[i]);
      int type = sqlite3_value_numeric_type (conditions[i].value);
      good &= type == SQLITE_INTEGER || type == SQLITE_FLOAT;
    }
  return good;
}

static int
filter_spans (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  LoomQuerySpanCursor *self = (LoomQuerySpanCursor *) base;
  read_conditions (self, base, FALSE, conditions, n);
  return begin_all (self);
}

static int
filter_instants (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  LoomQuerySpanCursor *self = (LoomQuerySpanCursor *) base;
  read_conditions (self, base, TRUE, conditions, n);
  return begin_all (self);
}

static int
filter_overlap (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  LoomQuerySpanCursor *self = (LoomQuerySpanCursor *) base;
  gboolean good = read_conditions (self, base, FALSE, conditions, n);
  self->scan.touches = TRUE;
  self->scan.range = (LoomRange) { self->argument[0], self->argument[1] };
  if (good && self->argument[0] < self->argument[1])
    loom_query_span_scan_begin (&self->scan);
  return step (base);
}

static int
filter_relatives (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n,
                  void (*begin) (LoomQuerySpanScan *scan, LoomSpanId id))
{
  LoomQuerySpanCursor *self = (LoomQuerySpanCursor *) base;
  LoomSpanId id;
  if (read_conditions (self, base, FALSE, conditions, n) &&
      loom_query_run_unpack_id (self->scan.run, self->argument[0], &id))
    begin (&self->scan, id);
  return step (base);
}

static int
filter_descendants (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  return filter_relatives (base, conditions, n, loom_query_span_scan_begin_below);
}

static int
filter_ancestors (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  return filter_relatives (base, conditions, n, loom_query_span_scan_begin_around);
}

static void
rest (LoomQueryCursor *base)
{
  LoomQuerySpanCursor *self = (LoomQuerySpanCursor *) base;
  loom_query_span_cursor_clear_orders (self);
  loom_query_span_cursor_clear_values (self);
  if (self->scan.run != NULL)
    loom_query_span_scan_reset (&self->scan, self->scan.run, self->scan.instants);
}

static void
clear (LoomQueryCursor *base)
{
  loom_query_span_cursor_clear_orders ((LoomQuerySpanCursor *) base);
  loom_query_span_cursor_clear_values ((LoomQuerySpanCursor *) base);
  loom_query_span_scan_clear (&((LoomQuerySpanCursor *) base)->scan);
}

/* --- definitions of the tables ------------------------------------------------------------------------------------ */

static guint64
count_spans (const LoomQueryRun *run)
{
  return run->n_spans;
}

static guint64
count_instants (const LoomQueryRun *run)
{
  return run->n_instants;
}

#define MODULE(word, id, count, filter, column, sort)                                   \
  const LoomQueryModule loom_query_module_##word = { LOOM_QUERY_TABLE_##id,             \
                                                     sizeof (LoomQuerySpanCursor),      \
                                                     count,                             \
                                                     filter,                            \
                                                     step,                              \
                                                     column,                            \
                                                     loom_query_span_cursor_get_row_id, \
                                                     clear,                             \
                                                     rest,                              \
                                                     sort,                              \
                                                     TRUE }

MODULE (span, SPAN, count_spans, filter_spans, loom_query_span_cursor_set_span, loom_query_span_cursor_sort_spans);
MODULE (instant, INSTANT, count_instants, filter_instants, loom_query_span_cursor_set_instant,
        loom_query_span_cursor_sort_instants);
MODULE (overlap, OVERLAP, count_spans, filter_overlap, loom_query_span_cursor_set_span,
        loom_query_span_cursor_sort_spans);
MODULE (descendants, DESCENDANTS, count_spans, filter_descendants, loom_query_span_cursor_set_span,
        loom_query_span_cursor_sort_spans);
MODULE (ancestors, ANCESTORS, count_spans, filter_ancestors, loom_query_span_cursor_set_span,
        loom_query_span_cursor_sort_spans);
