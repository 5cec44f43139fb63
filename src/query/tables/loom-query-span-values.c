/* SPDX-License-Identifier: Apache-2.0
 *
 * Returns the values of the columns of the tables span and instant: one value, or a batch of values.
 */
#include "loom-query-span-cursor.h"

#include "loom-event-list.h"
#include "loom-query-arg.h"
#include "loom-work-kind.h"

/* The elements of LoomQuerySpanCursor.values are indexed by the numbers of the columns before LOOM_QUERY_SPAN_ARGS. The
 * last element, ENDS, is not a column: it contains the ends of spans. N_VALUES: number of elements. */
#define ENDS LOOM_QUERY_SPAN_ARGS
#define N_VALUES (ENDS + 1)

void
loom_query_span_cursor_clear_values (LoomQuerySpanCursor *self)
{
  for (guint i = 0; self->values != NULL && i < N_VALUES; i++)
    g_free (self->values[i].copies);
  g_clear_pointer (&self->values, g_free);
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

static LoomSpanId
get_id (const LoomQuerySpanCursor *self)
{
  return (LoomSpanId) { self->scan.here.trace, self->scan.here.at };
}

gint64
loom_query_span_cursor_get_row_id (LoomQueryCursor *base)
{
  return loom_query_run_pack_id (get_id ((LoomQuerySpanCursor *) base));
}

static const LoomTrack *
get_track (const LoomQuerySpanCursor *self)
{
  return loom_trace_get_track (self->scan.trace, self->scan.here.track);
}

/* Returns the row of the track that contains the children of the current span: one level deeper, in the same lane (a
 * group of nested rows). This is the next row of the track, because the rows of a lane are ordered by depth. NULL if
 * there is no such row. */
static const LoomRow *
get_row_below (const LoomQuerySpanCursor *self)
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
measure (const LoomQuerySpanCursor *self, guint32 span)
{
  gint64 start_ns = self->scan.spans->start_ns[span], dur_ns = self->scan.spans->dur_ns[span];
  if (self->scan.map->drift_ppt == 0)
    return dur_ns;
  return loom_time_sub (loom_clock_map_to_timeline (self->scan.map, loom_time_add (start_ns, dur_ns)),
                        loom_clock_map_to_timeline (self->scan.map, start_ns));
}

/* Returns the duration of the current span without the durations of its children, which are the spans one level deeper
 * that begin inside it. The children of consecutive spans follow each other, so the search for children begins where it
 * ended for the previous span. */
static gint64
get_self (LoomQuerySpanCursor *self, gint64 duration_ns)
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
set_parent (LoomQuerySpanCursor *self, sqlite3_context *context)
{
  guint32 parent = loom_query_span_scan_get_parent (&self->scan);
  if (parent != G_MAXUINT32)
    sqlite3_result_int64 (context, loom_query_run_pack_id ((LoomSpanId) { self->scan.here.trace, parent }));
}

static void
set_kind (LoomQuerySpanCursor *self, sqlite3_context *context)
{
  LoomWorkKind kind = loom_query_span_scan_get_kind (&self->scan, self->scan.spans->name_id[self->scan.here.at]);
  sqlite3_result_text (context, loom_work_kind_to_string (kind), -1, SQLITE_STATIC);
}

static gint64
get_time (LoomQuerySpanCursor *self, guint column)
{
  gint64 start_ns, duration_ns;
  loom_query_span_scan_get_times (&self->scan, &start_ns, &duration_ns);
  return column == LOOM_QUERY_SPAN_START      ? start_ns
         : column == LOOM_QUERY_SPAN_DURATION ? duration_ns
                                              : get_self (self, duration_ns);
}

/* Returns the value of a column of integers in the row of the current event. The column must not be nullable. */
static gint64
get_int (LoomQuerySpanCursor *self, guint column)
{
  const LoomQuerySpanScan *scan = &self->scan;
  switch (column) {
  case LOOM_QUERY_SPAN_ID: return loom_query_span_cursor_get_row_id (&self->base);
  case LOOM_QUERY_SPAN_DEPTH: return loom_trace_get_row (scan->trace, scan->here.row)->depth;
  case LOOM_QUERY_SPAN_TRACK: return scan->run->first_track[scan->here.trace] + scan->here.track;
  case LOOM_QUERY_SPAN_PROCESS: return scan->run->first_process[scan->here.trace] + get_track (self)->process_id;
  case LOOM_QUERY_SPAN_OPEN: return (loom_source_ref_flags (scan->spans->ref[scan->here.at]) & LOOM_REF_OPEN) != 0;
  default: return get_time (self, column);
  }
}

/* --- batches ------------------------------------------------------------------------------------------------------ */

/* Returns a buffer for `n` values of a column in the batch. Enlarges the buffer if necessary. */
static gint64 *
get_copies (LoomQuerySpanValues *values, guint n)
{
  if (values->n_copies < n) {
    values->n_copies = MAX (n, LOOM_QUERY_BATCH_COPIED_ROWS);
    values->copies = g_renew (gint64, values->copies, values->n_copies);
  }
  return values->copies;
}

static void
copy_values (LoomQuerySpanCursor *self, guint column, gint64 *copies)
{
  LoomQuerySpanScan *scan = &self->scan;
  guint32 first = scan->here.at;
  for (guint i = 0; i < self->rows.n; i++) {
    scan->here.at = self->rows.is_listed ? self->rows.list[i] : first + i;
    copies[i] = column == ENDS ? get_time (self, LOOM_QUERY_SPAN_START) + get_time (self, LOOM_QUERY_SPAN_DURATION)
                               : get_int (self, column);
  }
  scan->here.at = first;
}

/* Copies, for each span of the batch that has a parent, the id of the parent. Returns the number of copies. */
static guint
copy_parents (LoomQuerySpanCursor *self, gint64 *copies)
{
  LoomQuerySpanScan *scan = &self->scan;
  guint32 first = scan->here.at;
  guint n = 0;
  for (guint i = 0; scan->nests && i < self->rows.n; i++) {
    scan->here.at = self->rows.is_listed ? self->rows.list[i] : first + i;
    guint32 parent = loom_query_span_scan_get_parent (scan);
    copies[n] = loom_query_run_pack_id ((LoomSpanId) { scan->here.trace, parent });
    n += parent != G_MAXUINT32;
  }
  scan->here.at = first;
  return n;
}

/* Copies the rank once for each span of the batch; all spans of a batch have the same rank. Returns the number of
 * copies; 0 if the rank is not known. */
static guint
copy_rank (const LoomQuerySpanCursor *self, gint64 *copies)
{
  gint rank = loom_event_list_get_rank (self->scan.trace, get_track (self));
  for (guint i = 0; i < self->rows.n; i++)
    copies[i] = rank;
  return rank >= 0 ? self->rows.n : 0;
}

/* Copies starts, durations or ends of spans in local time. The caller sets LoomQueryBatch.offset, which converts them
 * to timeline time. Must be called only if the conversion is the addition of an offset (has_plain_times). */
static void
gather (const LoomQuerySpanCursor *self, guint column, gint64 *copies)
{
  const gint64 *starts_ns = self->scan.spans->start_ns, *durations_ns = self->scan.spans->dur_ns;
  const gint64 *values = column == LOOM_QUERY_SPAN_DURATION ? durations_ns : starts_ns;
  guint32 first = self->scan.here.at;
  for (guint i = 0; i < self->rows.n; i++) {
    guint32 at = self->rows.is_listed ? self->rows.list[i] : first + i;
    copies[i] = values[at] + (column == ENDS ? durations_ns[at] : 0);
  }
}

/* Returns the values of a column in the batch. The column must contain integers; the column ENDS contains the ends of
 * the spans. */
static LoomQueryBatch *
make_batch (LoomQuerySpanCursor *self, guint column)
{
  LoomQuerySpanScan *scan = &self->scan;
  const LoomQuerySpanRun *rows = &self->rows;
  if (self->values == NULL)
    self->values = g_new0 (LoomQuerySpanValues, N_VALUES);
  LoomQueryBatch *batch = &self->values[column].batch;
  gboolean has_offset = column == LOOM_QUERY_SPAN_START || column == ENDS,
           is_plain = rows->has_plain_times && (has_offset || column == LOOM_QUERY_SPAN_DURATION);
  *batch = (LoomQueryBatch) { NULL, rows->n, has_offset && is_plain ? scan->map->offset_ns : 0 };
  if (is_plain && !rows->is_listed && column != ENDS) {
    batch->values =
      column == LOOM_QUERY_SPAN_START ? &scan->spans->start_ns[scan->here.at] : &scan->spans->dur_ns[scan->here.at];
    return batch;
  }
  gint64 *copies = get_copies (&self->values[column], rows->n);
  batch->values = copies;
  if (is_plain)
    gather (self, column, copies);
  else if (column == LOOM_QUERY_SPAN_PARENT)
    batch->n = copy_parents (self, copies);
  else if (column == LOOM_QUERY_SPAN_RANK)
    batch->n = copy_rank (self, copies);
  else
    copy_values (self, column, copies);
  return batch;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static const LoomName *
get_name (const LoomQuerySpanCursor *self)
{
  return loom_trace_get_name (self->scan.trace, self->scan.spans->name_id[self->scan.here.at]);
}

static void
set_value (LoomQuerySpanCursor *self, sqlite3_context *context, guint column)
{
  switch (column) {
  case LOOM_QUERY_SPAN_NAME: loom_query_module_set_name (context, get_name (self)->text); break;
  case LOOM_QUERY_SPAN_CATEGORY: loom_query_module_set_text (context, get_name (self)->category); break;
  case LOOM_QUERY_SPAN_KIND: set_kind (self, context); break;
  case LOOM_QUERY_SPAN_ID: sqlite3_result_int64 (context, loom_query_span_cursor_get_row_id (&self->base)); break;
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
  case LOOM_QUERY_SPAN_ARGS:
    loom_query_arg_set_all (loom_query_module_host (&self->base), context, get_id (self));
    break;
  default: sqlite3_result_int64 (context, self->argument[column - LOOM_QUERY_SPAN_ARGUMENT]); break;
  }
}

/* Sets the result of reading a column while a query runs over batches. The result is a batch if it is passed to an
 * aggregate function (LoomQueryBatchLoop.roles); otherwise, it is the value of the first span of the batch. */
static void
set_from_batch (LoomQuerySpanCursor *self, sqlite3_context *context, guint column)
{
  LoomQueryHost *host = loom_query_module_host (&self->base);
  /* The masks have one bit for each read of a column, 32 bits in total. Only the first 32 reads can therefore return
   * batches; later reads return the value of the first span of the batch. */
  guint32 bit = self->n_read < 32 ? 1u << self->n_read : 0;
  self->n_read++;
  if (self->batched->ends & bit)
    /* The query reads this column to compute start + duration, which is the end of a span. SQLite computes NULL for the
     * sum of two batches, so the batch of the ends is passed in the member `sum`. */
    host->batch.sum = make_batch (self, ENDS);
  else if (self->batched->roles & bit)
    loom_query_batch_set (context, make_batch (self, column));
  else
    set_value (self, context, column);
}

void
loom_query_span_cursor_set_span (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  LoomQuerySpanCursor *self = (LoomQuerySpanCursor *) base;
  const LoomQuerySpanScan *scan = &self->scan;
  /* Columns that queries read often come first, because without batches this function is called for each value. */
  gboolean is_time = column == LOOM_QUERY_SPAN_START || column == LOOM_QUERY_SPAN_DURATION;
  if (self->batched != NULL)
    set_from_batch (self, context, column);
  else if (is_time && scan->has_plain_times)
    sqlite3_result_int64 (context, column == LOOM_QUERY_SPAN_START
                                     ? scan->spans->start_ns[scan->here.at] + scan->map->offset_ns
                                     : scan->spans->dur_ns[scan->here.at]);
  else
    set_value (self, context, column);
}

static void
set_scope (const LoomQuerySpanCursor *self, sqlite3_context *context)
{
  char scope = LOOM_INSTANT_SCOPE (self->scan.spans->dur_ns[self->scan.here.at]);
  if (scope == 't' || scope == 'p' || scope == 'g')
    sqlite3_result_text (context, &scope, 1, SQLITE_TRANSIENT);
}

void
loom_query_span_cursor_set_instant (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  LoomQuerySpanCursor *self = (LoomQuerySpanCursor *) base;
  switch (column) {
  case LOOM_QUERY_INSTANT_TIME:
  case LOOM_QUERY_INSTANT_TRACK:
  case LOOM_QUERY_INSTANT_PROCESS:
  case LOOM_QUERY_INSTANT_RANK:
    loom_query_span_cursor_set_span (base, context, loom_query_span_cursor_to_span_column (TRUE, column));
    break;
  case LOOM_QUERY_INSTANT_SCOPE: set_scope (self, context); break;
  case LOOM_QUERY_INSTANT_ARGS: loom_query_arg_set_all (loom_query_module_host (base), context, get_id (self)); break;
  default: loom_query_span_cursor_set_span (base, context, column); break;
  }
}
