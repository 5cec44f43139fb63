/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables span and instant, and the table functions over spans.
 */
#include "loom-query-arg.h"
#include "loom-query-batch.h"
#include "loom-query-key-order.h"
#include "loom-query-longest-order.h"
#include "loom-query-name-order.h"
#include "loom-query-span-columns.h"

#include <string.h>

#include "loom-event-list.h"
#include "loom-work-kind.h"

/* Columns of the table instant. Its first three columns have the same numbers as in the table span. */
enum {
  INSTANT_TIME = 3,
  INSTANT_TRACK,
  INSTANT_PROCESS,
  INSTANT_RANK,
  INSTANT_SCOPE,
  INSTANT_ARGS,
};

/* The values of a column in a batch. */
typedef struct {
  LoomQueryBatch batch;
  gint64 *copies; /* memory for the values; NULL until needed */
  guint n_copies; /* number of values that fit into `copies` */
} Values;

typedef struct {
  LoomQueryCursor base;
  LoomQuerySpanScan scan;
  gint64 argument[2]; /* values of the arguments of a table function; the table also returns them as columns */
  /* visits the rows in the order by name; NULL: the query wants another order, or no row was read yet */
  LoomQueryNameOrder *names;
  /* visits the rows in the order by duration; NULL: the query wants another order, or no row was read yet */
  LoomQueryLongestOrder *longest;
  /* visits the rows in the order by id, time or track; NULL: the query wants another order, or no row was read yet */
  LoomQueryKeyOrder *keys;
  guint32 child;      /* column index at which get_self() searches for the children of the next span */
  gboolean is_sorted; /* FALSE: the rows of the timeline must be sorted before the first event is read */
  gboolean is_plain;  /* TRUE: all events of the stretch scan.here are rows, so none is tested */
  LoomQueryOnce once; /* which rows may be skipped */
  gboolean batched;   /* TRUE if a row is a batch of many spans (loom-query-batch.h) */
  guint32 roles;      /* LoomQueryBatchLoop.roles of the loop that reads this cursor */
  /* TRUE: the table evaluates all conditions of the query, with the same results as SQLite */
  gboolean exact;
  guint n_read;          /* number of values of the current row that SQLite has read */
  LoomQuerySpanRun rows; /* spans of the batch */
  Values *values;        /* [column] values of the batch; NULL until needed */
} Cursor;

/* --- orders ------------------------------------------------------------------------------------------------------- */

/* Returns the number of the column of the table span that corresponds to this column. `instants`: `column` is a column
 * of the table instant; FALSE: it is a column of span, and is returned unchanged. */
static guint
to_span_column (gboolean instants, guint column)
{
  if (!instants || column < INSTANT_TIME)
    return column;
  return column == INSTANT_TIME      ? LOOM_QUERY_SPAN_START
         : column == INSTANT_TRACK   ? LOOM_QUERY_SPAN_TRACK
         : column == INSTANT_PROCESS ? LOOM_QUERY_SPAN_PROCESS
         : column == INSTANT_RANK    ? LOOM_QUERY_SPAN_RANK
                                     : LOOM_QUERY_SPAN_ARGS;
}

/* Returns an order (LOOM_QUERY_ORDER_KEYS combined with the columns) that sorts by these columns; 0: the table cannot return its
 * rows in this order. Columns after the id are ignored, because the id is unique. */
static guint
sort_by_keys (gboolean instants, const LoomQueryOrderBy *by, guint n)
{
  guint order = LOOM_QUERY_ORDER_KEYS | (by[0].descending ? LOOM_QUERY_ORDER_DESCENDING : 0);
  for (guint i = 0; i < n; i++) {
    guint column = to_span_column (instants, by[i].column);
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

/* Returns an order (LOOM_QUERY_ORDER_ROWS combined with the columns) that sorts by columns whose values are shared by all
 * events of a row of the timeline; 0: there is another column. */
static guint
sort_by_rows (gboolean instants, const LoomQueryOrderBy *by, guint n)
{
  guint order = LOOM_QUERY_ORDER_ROWS;
  for (guint i = 0; i < n; i++) {
    guint column = to_span_column (instants, by[i].column);
    if (i == LOOM_QUERY_SPAN_SCAN_KEYS || (column != LOOM_QUERY_SPAN_DEPTH && column != LOOM_QUERY_SPAN_TRACK &&
                                           column != LOOM_QUERY_SPAN_PROCESS && column != LOOM_QUERY_SPAN_RANK))
      return 0;
    order |= (column | (by[i].descending ? LOOM_QUERY_SPAN_SCAN_DESCENDING : 0)) << (LOOM_QUERY_SPAN_SCAN_KEY_BITS * i);
  }
  return order;
}

static LoomQueryKeyOrderBy
unpack_order (guint order)
{
  LoomQueryKeyOrderBy by = { .descending = (order & LOOM_QUERY_ORDER_DESCENDING) != 0 };
  for (guint rest = order >> 4; rest != 0 && by.n_columns < LOOM_QUERY_KEY_ORDER_COLUMNS; rest >>= 4)
    by.columns[by.n_columns++] = (rest & 0xF) - 1;
  return by;
}

/* Returns the number (LOOM_QUERY_ORDER_…) of the order by these columns; 0: the table cannot return its rows in this order. In
 * orders by name or duration, events with equal values are sorted by id. The order by track is the one in which a scan
 * visits events. */
static guint
sort_all (const LoomQueryRun *run, gboolean instants, const LoomQueryOrderBy *by, guint n)
{
  if (n == 1 && to_span_column (instants, by[0].column) == LOOM_QUERY_SPAN_TRACK && !by[0].descending)
    return LOOM_QUERY_ORDER_SCAN;
  guint rows = sort_by_rows (instants, by, n);
  if (rows != 0)
    return rows;
  gboolean then_by_id = n == 1 || (by[1].column == LOOM_QUERY_SPAN_ID && !by[1].descending);
  if (by[0].column == LOOM_QUERY_SPAN_NAME)
    return then_by_id && loom_query_name_order_is_possible (run)
             ? LOOM_QUERY_ORDER_NAME | (by[0].descending ? LOOM_QUERY_ORDER_DESCENDING : 0) |
                 (n > 1 ? LOOM_QUERY_ORDER_THEN_ID : 0)
             : 0;
  if (to_span_column (instants, by[0].column) == LOOM_QUERY_SPAN_DURATION)
    return by[0].descending && then_by_id && loom_query_longest_order_is_possible (run) ? LOOM_QUERY_ORDER_LONGEST : 0;
  return sort_by_keys (instants, by, n);
}

/* Returns TRUE if the events of a row of the timeline come one after the other in this order. */
static gboolean
is_scan (guint order)
{
  return order <= LOOM_QUERY_ORDER_SCAN || (order & LOOM_QUERY_ORDER_ROWS) != 0;
}

/* Returns which rows of an order the table may skip, if the query reads only the columns `distinct` and wants no two
 * equal rows (LoomQueryModule.sort). */
static LoomQueryOnce
choose_once (gboolean instants, guint order, guint64 distinct)
{
  guint64 columns = 0,
          shared = 1u << LOOM_QUERY_SPAN_DEPTH | 1u << LOOM_QUERY_SPAN_TRACK | 1u << LOOM_QUERY_SPAN_PROCESS |
                   1u << LOOM_QUERY_SPAN_RANK,
          named = 1u << LOOM_QUERY_SPAN_NAME | 1u << LOOM_QUERY_SPAN_CATEGORY | 1u << LOOM_QUERY_SPAN_KIND;
  for (guint i = 0; i < 64; i++)
    columns |= distinct >> i & 1 ? G_GUINT64_CONSTANT (1) << to_span_column (instants, i) : 0;
  if (columns == 0 || (columns & ~(shared | named)) != 0)
    return LOOM_QUERY_ONCE_NEVER;
  if (!is_scan (order))
    return columns == 1u << LOOM_QUERY_SPAN_NAME ? LOOM_QUERY_ONCE_PER_NAME : LOOM_QUERY_ONCE_NEVER;
  return columns & named ? LOOM_QUERY_ONCE_PER_NAME : LOOM_QUERY_ONCE_PER_ROW;
}

static guint
sort (const LoomQueryRun *run, gboolean instants, const LoomQueryOrderBy *by, guint n, guint64 distinct)
{
  guint order = sort_all (run, instants, by, n);
  return order | (guint) choose_once (instants, order, distinct) << LOOM_QUERY_ONCE_SHIFT;
}

static guint
sort_spans (const LoomQueryRun *run, const LoomQueryOrderBy *by, guint n, guint64 distinct)
{
  return sort (run, FALSE, by, n, distinct);
}

static guint
sort_instants (const LoomQueryRun *run, const LoomQueryOrderBy *by, guint n, guint64 distinct)
{
  return sort (run, TRUE, by, n, distinct);
}

static void
begin_names (Cursor *self)
{
  guint order = self->base.order;
  if (self->names == NULL)
    self->names = loom_query_name_order_new (
      &self->scan, (order & LOOM_QUERY_ORDER_DESCENDING ? LOOM_QUERY_NAME_ORDER_DESCENDING : 0) |
                     (order & LOOM_QUERY_ORDER_THEN_ID ? LOOM_QUERY_NAME_ORDER_THEN_ID : 0) |
                     (self->once != 0 ? LOOM_QUERY_NAME_ORDER_ONCE : 0));
}

static gboolean
next_by_name (Cursor *self, GCancellable *cancellable)
{
  begin_names (self);
  return loom_query_name_order_next (self->names, &self->scan, cancellable);
}

static gboolean
next_by_keys (Cursor *self, GCancellable *cancellable)
{
  LoomQueryKeyOrderBy by = unpack_order (self->base.order);
  if (self->keys == NULL)
    self->keys = loom_query_key_order_new (&self->scan, &by);
  return loom_query_key_order_next (self->keys, &self->scan, cancellable);
}

static gboolean
next_longest (Cursor *self, GCancellable *cancellable)
{
  if (self->longest == NULL)
    self->longest = loom_query_longest_order_new (&self->scan);
  return loom_query_longest_order_next (self->longest, &self->scan, cancellable);
}

/* Moves to the next event in the order that the query wants; FALSE at the end, and when cancelled. */
static gboolean
next_in_order (Cursor *self, GCancellable *cancellable)
{
  if (self->names != NULL)
    return next_by_name (self, cancellable);
  if (is_scan (self->base.order))
    return loom_query_span_scan_next (&self->scan, cancellable);
  switch (self->base.order) {
  case LOOM_QUERY_ORDER_LONGEST: return next_longest (self, cancellable);
  default:
    return (self->base.order & LOOM_QUERY_ORDER_KEYS) != 0 ? next_by_keys (self, cancellable)
                                                           : next_by_name (self, cancellable);
  }
}

static void
clear_orders (Cursor *self)
{
  g_clear_pointer (&self->longest, loom_query_longest_order_free);
  g_clear_pointer (&self->names, loom_query_name_order_free);
  g_clear_pointer (&self->keys, loom_query_key_order_free);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static gboolean
next_run (Cursor *self, GCancellable *cancellable)
{
  return loom_query_span_scan_next_run (&self->scan, &self->rows, self->exact ? LOOM_QUERY_BATCH_ROWS : 1,
                                        LOOM_QUERY_BATCH_COPIED_ROWS, cancellable);
}

static gboolean
next_run_by_name (Cursor *self, GCancellable *cancellable)
{
  LoomQuerySpanRun *rows = &self->rows;
  begin_names (self);
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
step_batch (Cursor *self, LoomQueryHost *host)
{
  self->n_read = 0;
  gboolean by_name = self->names != NULL || loom_query_batch_is_by_name (self->base.order);
  self->base.at_end = !(by_name ? next_run_by_name (self, host->cancellable) : next_run (self, host->cancellable));
  host->batch.n_rows = self->base.at_end ? 0 : self->rows.n;
  return self->base.at_end && g_cancellable_is_cancelled (host->cancellable) ? SQLITE_INTERRUPT : SQLITE_OK;
}

static int
step (LoomQueryCursor *base)
{
  Cursor *self = (Cursor *) base;
  if (G_LIKELY (self->is_plain && self->scan.here.at + 1 < self->scan.here.to)) {
    self->scan.here.at++;
    return SQLITE_OK;
  }
  GCancellable *cancellable = loom_query_module_host (base)->cancellable;
  if (!self->is_sorted)
    loom_query_span_scan_sort (&self->scan, base->order % LOOM_QUERY_ORDER_ROWS);
  self->is_sorted = TRUE;
  if (self->batched)
    return step_batch (self, loom_query_module_host (base));
  base->at_end = !next_in_order (self, cancellable);
  if (base->at_end && self->longest != NULL && loom_query_longest_order_is_full (self->longest))
    return SQLITE_NOMEM;
  self->is_plain = !base->at_end && is_scan (base->order) && !self->scan.tests && self->names == NULL &&
                   self->scan.once == LOOM_QUERY_ONCE_NEVER;
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
  else if (is_null) /* no other column can be NULL */
    scan->track = (LoomQueryLimits) { 1, 0 };
}

static gboolean
is_text (guint column)
{
  return column == LOOM_QUERY_SPAN_NAME || column == LOOM_QUERY_SPAN_CATEGORY || column == LOOM_QUERY_SPAN_KIND;
}

static void
narrow (Cursor *self, const LoomQueryCondition *condition)
{
  LoomQuerySpanScan *scan = &self->scan;
  guint column = to_span_column (scan->instants, condition->column);
  if (loom_query_module_is_null_test (condition->operation) && !is_text (column)) {
    narrow_nulls (scan, column, condition->operation == SQLITE_INDEX_CONSTRAINT_ISNULL);
    return;
  }
  if (condition->is_list) {
    loom_query_span_scan_add_list (scan, column == LOOM_QUERY_SPAN_DURATION, condition);
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
      LOOM_QUERY_NULLS_NEVER; /* no comparison with NULL is true, not even one that all numbers meet */
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
read_argument (Cursor *self, const LoomQueryCondition *condition)
{
  guint number = condition->column - LOOM_QUERY_SPAN_ARGUMENT;
  self->argument[number] = sqlite3_value_int64 (condition->value);
}

/* Begins a scan of all events that the conditions may allow. If conditions on names allow few of them, and the query wants
 * no order, the events are visited by name. */
static int
begin_all (Cursor *self)
{
  LoomQuerySpanScan *scan = &self->scan;
  GCancellable *cancellable = loom_query_module_host (&self->base)->cancellable;
  loom_query_span_scan_begin (scan);
  gboolean has_range = scan->touches || scan->start_ns.least != G_MININT64 || scan->start_ns.most != G_MAXINT64;
  if (scan->n_texts > 0 && self->base.order == 0 && self->once == LOOM_QUERY_ONCE_NEVER && !has_range &&
      loom_query_name_order_is_faster (scan, cancellable))
    self->names = loom_query_name_order_new (scan, 0);
  return step (&self->base);
}

/* Reads conditions and arguments. Returns FALSE if an argument is not a number: the table function then has no rows. */
static gboolean
read_conditions (Cursor *self, LoomQueryCursor *base, gboolean instants, const LoomQueryCondition *conditions, guint n)
{
  gboolean good = TRUE;
  loom_query_span_scan_reset (&self->scan, loom_query_module_host (base)->run, instants);
  clear_orders (self);
  self->child = 0;
  self->is_plain = FALSE;
  self->batched = loom_query_batch_find_loop (base, loom_query_module_host (base), &self->roles);
  self->exact = TRUE;
  self->rows.n = 0;
  self->once = base->order >> LOOM_QUERY_ONCE_SHIFT;
  base->order %= 1u << LOOM_QUERY_ONCE_SHIFT;
  self->is_sorted = (base->order & LOOM_QUERY_ORDER_ROWS) == 0;
  self->scan.once = is_scan (base->order) ? self->once : LOOM_QUERY_ONCE_NEVER;
  for (guint i = 0; self->batched && i < n; i++)
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
  Cursor *self = (Cursor *) base;
  read_conditions (self, base, FALSE, conditions, n);
  return begin_all (self);
}

static int
filter_instants (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  Cursor *self = (Cursor *) base;
  read_conditions (self, base, TRUE, conditions, n);
  return begin_all (self);
}

static int
filter_overlap (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  Cursor *self = (Cursor *) base;
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
  Cursor *self = (Cursor *) base;
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
clear_values (Cursor *self)
{
  for (guint i = 0; self->values != NULL && i < LOOM_QUERY_SPAN_ARGS; i++)
    g_free (self->values[i].copies);
  g_clear_pointer (&self->values, g_free);
}

static void
rest (LoomQueryCursor *base)
{
  Cursor *self = (Cursor *) base;
  clear_orders (self);
  clear_values (self);
  if (self->scan.run != NULL)
    loom_query_span_scan_reset (&self->scan, self->scan.run, self->scan.instants);
}

static void
clear (LoomQueryCursor *base)
{
  clear_orders ((Cursor *) base);
  clear_values ((Cursor *) base);
  loom_query_span_scan_clear (&((Cursor *) base)->scan);
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

static LoomSpanId
get_id (const Cursor *self)
{
  return (LoomSpanId) { self->scan.here.trace, self->scan.here.at };
}

static gint64
row_id (LoomQueryCursor *base)
{
  return loom_query_run_pack_id (get_id ((Cursor *) base));
}

static const LoomTrack *
get_track (const Cursor *self)
{
  return loom_trace_get_track (self->scan.trace, self->scan.here.track);
}

/* Returns the row below the row of the current span; NULL if no span can be inside the current span. The rows of a lane
 * are ordered by depth, so the row below is the next one of the track. */
static const LoomRow *
get_row_below (const Cursor *self)
{
  const LoomTrack *track = get_track (self);
  guint32 below = self->scan.here.row + 1;
  const LoomRow *own = loom_trace_get_row (self->scan.trace, self->scan.here.row);
  if (track->kind != LOOM_TRACK_SPANS || below >= track->first_row + track->n_rows || own->lane == LOOM_OVERFLOW_LANE)
    return NULL;
  const LoomRow *row = loom_trace_get_row (self->scan.trace, below);
  return row->lane == own->lane && row->depth == own->depth + 1 ? row : NULL;
}

static gint64
measure (const Cursor *self, guint32 span)
{
  gint64 start_ns = self->scan.spans->start_ns[span], dur_ns = self->scan.spans->dur_ns[span];
  if (self->scan.map->drift_ppt == 0)
    return dur_ns;
  return loom_time_sub (loom_clock_map_to_timeline (self->scan.map, loom_time_add (start_ns, dur_ns)),
                        loom_clock_map_to_timeline (self->scan.map, start_ns));
}

/* Returns the duration of the current span without the durations of its children: the spans one level deeper that begin
 * inside it. The children of consecutive spans are consecutive, too, so the search for children begins where it ended
 * for the previous span. */
static gint64
get_self (Cursor *self, gint64 duration_ns)
{
  const LoomRow *row = get_row_below (self);
  const gint64 *starts_ns = self->scan.spans->start_ns;
  gint64 start_ns = starts_ns[self->scan.here.at],
         end_ns = loom_time_add (start_ns, self->scan.spans->dur_ns[self->scan.here.at]);
  if (row == NULL || row->n == 0)
    return duration_ns;
  guint32 child = self->child, end = row->first + row->n;
  gboolean follows = child >= row->first && child < end && starts_ns[child] >= start_ns &&
                     (child == row->first || starts_ns[child - 1] < start_ns);
  if (!follows)
    child = row->first + loom_trace_row_lower_bound (self->scan.trace, row, start_ns);
  for (; child < end && starts_ns[child] < end_ns; child++)
    duration_ns -= measure (self, child);
  self->child = child;
  return MAX (duration_ns, 0);
}

static void
set_parent (Cursor *self, sqlite3_context *context)
{
  guint32 parent = loom_query_span_scan_get_parent (&self->scan);
  if (parent != G_MAXUINT32)
    sqlite3_result_int64 (context, loom_query_run_pack_id ((LoomSpanId) { self->scan.here.trace, parent }));
}

static void
set_kind (Cursor *self, sqlite3_context *context)
{
  LoomWorkKind kind = loom_query_span_scan_get_kind (&self->scan, self->scan.spans->name_id[self->scan.here.at]);
  sqlite3_result_text (context, loom_work_kind_to_string (kind), -1, SQLITE_STATIC);
}

static gint64
get_time (Cursor *self, guint column)
{
  gint64 start_ns, duration_ns;
  loom_query_span_scan_get_times (&self->scan, &start_ns, &duration_ns);
  return column == LOOM_QUERY_SPAN_START      ? start_ns
         : column == LOOM_QUERY_SPAN_DURATION ? duration_ns
                                              : get_self (self, duration_ns);
}

/* Returns the value of an integer column that is never NULL. */
static gint64
get_int (Cursor *self, guint column)
{
  const LoomQuerySpanScan *scan = &self->scan;
  switch (column) {
  case LOOM_QUERY_SPAN_ID: return row_id (&self->base);
  case LOOM_QUERY_SPAN_DEPTH: return loom_trace_get_row (scan->trace, scan->here.row)->depth;
  case LOOM_QUERY_SPAN_TRACK: return scan->run->first_track[scan->here.trace] + scan->here.track;
  case LOOM_QUERY_SPAN_PROCESS: return scan->run->first_process[scan->here.trace] + get_track (self)->process_id;
  case LOOM_QUERY_SPAN_OPEN: return (loom_source_ref_flags (scan->spans->ref[scan->here.at]) & LOOM_REF_OPEN) != 0;
  default: return get_time (self, column);
  }
}

/* --- batches ------------------------------------------------------------------------------------------------------ */

/* Returns memory for the values of a column in the batch. */
static gint64 *
get_copies (Values *values, guint n)
{
  if (values->n_copies < n) {
    values->n_copies = MAX (n, LOOM_QUERY_BATCH_COPIED_ROWS);
    values->copies = g_renew (gint64, values->copies, values->n_copies);
  }
  return values->copies;
}

static void
copy_values (Cursor *self, guint column, gint64 *copies)
{
  LoomQuerySpanScan *scan = &self->scan;
  guint32 first = scan->here.at;
  for (guint i = 0; i < self->rows.n; i++) {
    scan->here.at = self->rows.is_listed ? self->rows.list[i] : first + i;
    copies[i] = get_int (self, column);
  }
  scan->here.at = first;
}

/* Copies starts or durations of listed spans, for which timeline times are local times plus an offset. */
static void
gather (const Cursor *self, const gint64 *values, gint64 *copies)
{
  for (guint i = 0; i < self->rows.n; i++)
    copies[i] = values[self->rows.list[i]];
}

/* Returns the values of a column in the batch. The column must have integers, and never NULL. */
static LoomQueryBatch *
make_batch (Cursor *self, guint column)
{
  LoomQuerySpanScan *scan = &self->scan;
  if (self->values == NULL)
    self->values = g_new0 (Values, LOOM_QUERY_SPAN_ARGS);
  LoomQueryBatch *batch = &self->values[column].batch;
  gboolean is_start = column == LOOM_QUERY_SPAN_START;
  const gint64 *values = is_start ? scan->spans->start_ns : scan->spans->dur_ns;
  gint64 *copies = NULL;
  *batch = (LoomQueryBatch) { NULL, self->rows.n, is_start && self->rows.has_plain_times ? scan->map->offset_ns : 0 };
  if (!self->rows.has_plain_times || (!is_start && column != LOOM_QUERY_SPAN_DURATION))
    copy_values (self, column, copies = get_copies (&self->values[column], self->rows.n));
  else if (self->rows.is_listed)
    gather (self, values, copies = get_copies (&self->values[column], self->rows.n));
  batch->values = copies != NULL ? copies : &values[scan->here.at];
  return batch;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static const LoomName *
get_name (const Cursor *self)
{
  return loom_trace_get_name (self->scan.trace, self->scan.spans->name_id[self->scan.here.at]);
}

static void
set_span (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  Cursor *self = (Cursor *) base;
  if (self->batched && (self->roles >> self->n_read++ & 1) != 0) {
    loom_query_batch_set (context, make_batch (self, column));
    return;
  }
  switch (column) {
  case LOOM_QUERY_SPAN_NAME: loom_query_module_set_name (context, get_name (self)->text); break;
  case LOOM_QUERY_SPAN_CATEGORY: loom_query_module_set_text (context, get_name (self)->category); break;
  case LOOM_QUERY_SPAN_KIND: set_kind (self, context); break;
  case LOOM_QUERY_SPAN_ID:
  case LOOM_QUERY_SPAN_START:
  case LOOM_QUERY_SPAN_DURATION:
  case LOOM_QUERY_SPAN_SELF:
  case LOOM_QUERY_SPAN_DEPTH:
  case LOOM_QUERY_SPAN_TRACK:
  case LOOM_QUERY_SPAN_PROCESS:
  case LOOM_QUERY_SPAN_OPEN: sqlite3_result_int64 (context, get_int (self, column)); break;
  case LOOM_QUERY_SPAN_RANK:
    loom_query_module_set_rank (context, loom_event_list_get_rank (self->scan.trace, get_track (self)));
    break;
  case LOOM_QUERY_SPAN_PARENT: set_parent (self, context); break;
  case LOOM_QUERY_SPAN_ARGS: loom_query_arg_set_all (loom_query_module_host (base), context, get_id (self)); break;
  default: sqlite3_result_int64 (context, self->argument[column - LOOM_QUERY_SPAN_ARGUMENT]); break;
  }
}

static void
set_scope (const Cursor *self, sqlite3_context *context)
{
  char scope = LOOM_INSTANT_SCOPE (self->scan.spans->dur_ns[self->scan.here.at]);
  if (scope == 't' || scope == 'p' || scope == 'g')
    sqlite3_result_text (context, &scope, 1, SQLITE_TRANSIENT);
}

static void
set_instant (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  Cursor *self = (Cursor *) base;
  switch (column) {
  case INSTANT_TIME:
  case INSTANT_TRACK:
  case INSTANT_PROCESS:
  case INSTANT_RANK: set_span (base, context, to_span_column (TRUE, column)); break;
  case INSTANT_SCOPE: set_scope (self, context); break;
  case INSTANT_ARGS: loom_query_arg_set_all (loom_query_module_host (base), context, get_id (self)); break;
  default: set_span (base, context, column); break;
  }
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

#define MODULE(word, id, count, filter, column, sort)                                                    \
  const LoomQueryModule loom_query_module_##word = {                                                     \
    LOOM_QUERY_TABLE_##id, sizeof (Cursor), count, filter, step, column, row_id, clear, rest, sort, TRUE \
  }

MODULE (span, SPAN, count_spans, filter_spans, set_span, sort_spans);
MODULE (instant, INSTANT, count_instants, filter_instants, set_instant, sort_instants);
MODULE (overlap, OVERLAP, count_spans, filter_overlap, set_span, sort_spans);
MODULE (descendants, DESCENDANTS, count_spans, filter_descendants, set_span, sort_spans);
MODULE (ancestors, ANCESTORS, count_spans, filter_ancestors, set_span, sort_spans);
