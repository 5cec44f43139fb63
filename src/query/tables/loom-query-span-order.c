/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the order in which the tables span and instant return their rows, and moves their cursor in this order.
 */
#include "loom-query-span-cursor.h"

#include "loom-query-label-order.h"

/* Returns an order (LOOM_QUERY_ORDER_KEYS combined with the columns) that sorts by these columns; 0: the table cannot
 * return its rows in this order. Columns after the id are ignored, because the id is unique. */
static guint
sort_by_keys (gboolean instants, const LoomQueryOrderBy *by, guint n)
{
  guint order = LOOM_QUERY_ORDER_KEYS | (by[0].descending ? LOOM_QUERY_ORDER_DESCENDING : 0);
  for (guint i = 0; i < n; i++) {
    guint column = loom_query_span_cursor_to_span_column (instants, by[i].column);
    gboolean is_key =
      column == LOOM_QUERY_SPAN_ID || column == LOOM_QUERY_SPAN_START || column == LOOM_QUERY_SPAN_TRACK;
    if (!is_key || by[i].descending != by[0].descending || i == LOOM_QUERY_KEY_ORDER_COLUMNS)
      return 0;
    order |= (column + 1) << (4 * (i + 1));
    if (column == LOOM_QUERY_SPAN_ID)
      break;
  }
  return order;
}

static gboolean
is_of_row (guint column)
{
  return column == LOOM_QUERY_SPAN_DEPTH || column == LOOM_QUERY_SPAN_TRACK || column == LOOM_QUERY_SPAN_PROCESS ||
         column == LOOM_QUERY_SPAN_RANK;
}

/* If events can be returned in the required order by reading one row of the timeline after another, returns
 * LOOM_QUERY_ORDER_ROWS with the columns to sort by in the other bits; otherwise 0. This is possible for up to
 * LOOM_QUERY_SPAN_SCAN_KEYS columns that have the same value for all events of a row of the timeline, optionally
 * followed by ascending ids. */
static guint
sort_by_rows (gboolean instants, const LoomQueryOrderBy *by, guint n)
{
  guint order = LOOM_QUERY_ORDER_ROWS;
  for (guint i = 0; i < n; i++) {
    guint column = loom_query_span_cursor_to_span_column (instants, by[i].column),
          place = LOOM_QUERY_SPAN_SCAN_KEY_BITS * i;
    if (i == LOOM_QUERY_SPAN_SCAN_KEYS)
      return 0;
    if (column == LOOM_QUERY_SPAN_ID && !by[i].descending)
      return order | LOOM_QUERY_SPAN_SCAN_ID << place;
    if (!is_of_row (column))
      return 0;
    order |= (column | (by[i].descending ? LOOM_QUERY_SPAN_SCAN_DESCENDING : 0)) << place;
  }
  return order;
}

static gboolean
is_label (guint column)
{
  return column == LOOM_QUERY_SPAN_NAME || column == LOOM_QUERY_SPAN_CATEGORY || column == LOOM_QUERY_SPAN_KIND;
}

/* Returns an order (LOOM_QUERY_ORDER_LABELS combined with the columns) that sorts by name, category and kind; 0: the
 * query also sorts by another column. */
static guint
sort_by_labels (const LoomQueryRun *run, gboolean instants, const LoomQueryOrderBy *by, guint n)
{
  guint order = LOOM_QUERY_ORDER_LABELS;
  for (guint i = 0; i < n; i++) {
    guint column = loom_query_span_cursor_to_span_column (instants, by[i].column);
    if (i == LOOM_QUERY_LABEL_ORDER_KEYS || !is_label (column))
      return 0;
    order |= (column | (by[i].descending ? LOOM_QUERY_LABEL_ORDER_DESCENDING : 0))
             << (LOOM_QUERY_LABEL_ORDER_KEY_BITS * i);
  }
  return loom_query_name_order_is_possible (run) && loom_query_label_order_is_possible (run) ? order : 0;
}

static LoomQueryKeyOrderBy
unpack_order (guint order)
{
  LoomQueryKeyOrderBy by = { .descending = (order & LOOM_QUERY_ORDER_DESCENDING) != 0 };
  for (guint rest = order >> 4; rest != 0 && by.n_columns < LOOM_QUERY_KEY_ORDER_COLUMNS; rest >>= 4)
    by.columns[by.n_columns++] = (rest & 0xF) - 1;
  return by;
}

/* Returns the number (LOOM_QUERY_ORDER_…) of the order by these columns; 0: the table cannot return its rows in this
 * order. An order by name or by duration sorts events with equal values by id. Without a required order, events are
 * visited track by track. */
static guint
sort_all (const LoomQueryRun *run, gboolean instants, const LoomQueryOrderBy *by, guint n)
{
  if (n == 1 && loom_query_span_cursor_to_span_column (instants, by[0].column) == LOOM_QUERY_SPAN_TRACK &&
      !by[0].descending)
    return LOOM_QUERY_ORDER_SCAN;
  guint rows = sort_by_rows (instants, by, n);
  if (rows != 0)
    return rows;
  guint labels = n > 1 || by[0].column != LOOM_QUERY_SPAN_NAME ? sort_by_labels (run, instants, by, n) : 0;
  if (labels != 0)
    return labels;
  gboolean then_by_id = n == 1 || (by[1].column == LOOM_QUERY_SPAN_ID && !by[1].descending);
  if (by[0].column == LOOM_QUERY_SPAN_NAME)
    return then_by_id && loom_query_name_order_is_possible (run)
             ? LOOM_QUERY_ORDER_NAME | (by[0].descending ? LOOM_QUERY_ORDER_DESCENDING : 0) |
                 (n > 1 ? LOOM_QUERY_ORDER_THEN_ID : 0)
             : 0;
  if (loom_query_span_cursor_to_span_column (instants, by[0].column) == LOOM_QUERY_SPAN_DURATION)
    return by[0].descending && then_by_id && loom_query_longest_order_is_possible (run) ? LOOM_QUERY_ORDER_LONGEST : 0;
  return sort_by_keys (instants, by, n);
}

/* Returns TRUE if an order visits the timeline row by row: first all events of one row of the timeline, then those of
 * the next row. */
gboolean
loom_query_span_cursor_is_scan (guint order)
{
  return order <= LOOM_QUERY_ORDER_SCAN || (order & LOOM_QUERY_ORDER_ROWS) != 0;
}

/* Returns which events the table may skip in an order. The query reads only the columns in the mask `distinct`, and
 * needs only rows that differ in them (LoomQueryModule.sort). */
static LoomQueryOnce
choose_once (gboolean instants, guint order, guint64 distinct)
{
  guint64 columns = 0,
          shared = 1u << LOOM_QUERY_SPAN_DEPTH | 1u << LOOM_QUERY_SPAN_TRACK | 1u << LOOM_QUERY_SPAN_PROCESS |
                   1u << LOOM_QUERY_SPAN_RANK,
          named = 1u << LOOM_QUERY_SPAN_NAME | 1u << LOOM_QUERY_SPAN_CATEGORY | 1u << LOOM_QUERY_SPAN_KIND;
  for (guint i = 0; i < 64; i++)
    columns |= distinct >> i & 1 ? G_GUINT64_CONSTANT (1) << loom_query_span_cursor_to_span_column (instants, i) : 0;
  if (columns == 0 || (columns & ~(shared | named)) != 0)
    return LOOM_QUERY_ONCE_NEVER;
  if (order & LOOM_QUERY_ORDER_LABELS)
    return (columns & ~named) == 0 ? LOOM_QUERY_ONCE_PER_NAME : LOOM_QUERY_ONCE_NEVER;
  if (!loom_query_span_cursor_is_scan (order))
    return columns == 1u << LOOM_QUERY_SPAN_NAME ? LOOM_QUERY_ONCE_PER_NAME : LOOM_QUERY_ONCE_NEVER;
  return columns & named ? LOOM_QUERY_ONCE_PER_NAME : LOOM_QUERY_ONCE_PER_ROW;
}

static guint
sort (const LoomQueryRun *run, gboolean instants, const LoomQueryOrderBy *by, guint n, guint64 distinct)
{
  guint order = sort_all (run, instants, by, n);
  return order | (guint) choose_once (instants, order, distinct) << LOOM_QUERY_ONCE_SHIFT;
}

guint
loom_query_span_cursor_sort_spans (const LoomQueryRun *run, const LoomQueryOrderBy *by, guint n, guint64 distinct)
{
  return sort (run, FALSE, by, n, distinct);
}

guint
loom_query_span_cursor_sort_instants (const LoomQueryRun *run, const LoomQueryOrderBy *by, guint n, guint64 distinct)
{
  return sort (run, TRUE, by, n, distinct);
}

void
loom_query_span_cursor_begin_names (LoomQuerySpanCursor *self)
{
  guint order = self->base.order;
  if (self->names == NULL && order & LOOM_QUERY_ORDER_LABELS)
    self->names = loom_query_name_order_new_of (
      &self->scan, loom_query_label_order_sort (&self->scan, order % LOOM_QUERY_ORDER_ROWS),
      self->once != 0 ? LOOM_QUERY_NAME_ORDER_ONCE : 0);
  else if (self->names == NULL)
    self->names = loom_query_name_order_new (
      &self->scan, (order & LOOM_QUERY_ORDER_DESCENDING ? LOOM_QUERY_NAME_ORDER_DESCENDING : 0) |
                     (order & LOOM_QUERY_ORDER_THEN_ID ? LOOM_QUERY_NAME_ORDER_THEN_ID : 0) |
                     (self->once != 0 ? LOOM_QUERY_NAME_ORDER_ONCE : 0));
}

static gboolean
next_by_name (LoomQuerySpanCursor *self, GCancellable *cancellable)
{
  loom_query_span_cursor_begin_names (self);
  return loom_query_name_order_next (self->names, &self->scan, cancellable);
}

#define BY_ID (LOOM_QUERY_ORDER_ROWS | LOOM_QUERY_SPAN_SCAN_ID)

gboolean
loom_query_span_cursor_can_visit_names (const LoomQuerySpanCursor *self)
{
  guint order = self->base.order;
  if (order & LOOM_QUERY_ORDER_LABELS || (order & LOOM_QUERY_ORDER_ROWS && order != BY_ID))
    return FALSE;
  return order == 0 || (self->batched == NULL && (order == BY_ID || (order & LOOM_QUERY_ORDER_KEYS) != 0));
}

void
loom_query_span_cursor_visit_names (LoomQuerySpanCursor *self, GCancellable *cancellable)
{
  LoomQueryKeyOrderBy by = unpack_order (self->base.order);
  if (self->base.order == 0) {
    self->names = loom_query_name_order_new (&self->scan, 0);
    return;
  }
  if (self->base.order == BY_ID)
    by = (LoomQueryKeyOrderBy) { { LOOM_QUERY_SPAN_ID }, 1, FALSE };
  self->keys = loom_query_key_order_new_named (&self->scan, &by, cancellable);
}

static gboolean
next_by_keys (LoomQuerySpanCursor *self, GCancellable *cancellable)
{
  LoomQueryKeyOrderBy by = unpack_order (self->base.order);
  if (self->keys == NULL)
    self->keys = loom_query_key_order_new (&self->scan, &by);
  return loom_query_key_order_next (self->keys, &self->scan, cancellable);
}

static gboolean
next_longest (LoomQuerySpanCursor *self, GCancellable *cancellable)
{
  if (self->longest == NULL)
    self->longest = loom_query_longest_order_new (&self->scan);
  return loom_query_longest_order_next (self->longest, &self->scan, cancellable);
}

/* Moves to the next event in the order that the query requires. Returns FALSE at the end, and when cancelled. */
gboolean
loom_query_span_cursor_next (LoomQuerySpanCursor *self, GCancellable *cancellable)
{
  if (self->names != NULL)
    return next_by_name (self, cancellable);
  if (self->keys != NULL)
    return next_by_keys (self, cancellable);
  if (loom_query_span_cursor_is_scan (self->base.order))
    return loom_query_span_scan_next (&self->scan, cancellable);
  if (self->base.order & LOOM_QUERY_ORDER_LABELS)
    return next_by_name (self, cancellable);
  switch (self->base.order) {
  case LOOM_QUERY_ORDER_LONGEST: return next_longest (self, cancellable);
  default:
    return (self->base.order & LOOM_QUERY_ORDER_KEYS) != 0 ? next_by_keys (self, cancellable)
                                                           : next_by_name (self, cancellable);
  }
}

void
loom_query_span_cursor_clear_orders (LoomQuerySpanCursor *self)
{
  g_clear_pointer (&self->longest, loom_query_longest_order_free);
  g_clear_pointer (&self->names, loom_query_name_order_free);
  g_clear_pointer (&self->keys, loom_query_key_order_free);
}
