/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables span and instant, and the table functions over spans.
 */
#include "loom-query-arg.h"
#include "loom-query-name-order.h"

#include <string.h>

#include "loom-event-list.h"
#include "loom-work-kind.h"

/* Columns of span, as in loom-query-schema.c; instant has the first three of them. */
enum {
  COLUMN_ID,
  COLUMN_NAME,
  COLUMN_CATEGORY,
  COLUMN_KIND,
  COLUMN_START,
  COLUMN_DURATION,
  COLUMN_SELF,
  COLUMN_DEPTH,
  COLUMN_TRACK,
  COLUMN_PROCESS,
  COLUMN_RANK,
  COLUMN_PARENT,
  COLUMN_OPEN,
  COLUMN_ARGS,
  COLUMN_ARGUMENT, /* the first argument of a table function */
};

enum {
  INSTANT_TIME = 3,
  INSTANT_TRACK,
  INSTANT_PROCESS,
  INSTANT_RANK,
  INSTANT_SCOPE,
  INSTANT_ARGS,
};

typedef struct {
  LoomQueryCursor base;
  LoomQuerySpanScan scan;
  gint64 argument[2];        /* values of arguments, for reading them back */
  LoomQueryNameOrder *order; /* NULL: the order of the scan */
  guint32 child;             /* where the children of the span before ended; see get_self() */
} Cursor;

/* --- rows ------------------------------------------------------------------------------------------------------------ */

static int
step (LoomQueryCursor *base)
{
  Cursor *self = (Cursor *) base;
  GCancellable *cancellable = loom_query_module_host (base)->cancellable;
  if (base->in_order && self->order == NULL)
    self->order = loom_query_name_order_new (&self->scan, cancellable);
  if (base->in_order)
    base->at_end = self->order == NULL || !loom_query_name_order_next (self->order, &self->scan);
  else
    base->at_end = !loom_query_span_scan_next (&self->scan, cancellable);
  return base->at_end && g_cancellable_is_cancelled (cancellable) ? SQLITE_INTERRUPT : SQLITE_OK;
}

static void
narrow (Cursor *self, const LoomQueryCondition *condition)
{
  LoomQuerySpanScan *scan = &self->scan;
  guint column = condition->column;
  /* columns of instants have other numbers */
  if (scan->instants && column >= INSTANT_TIME)
    column = column == INSTANT_TIME ? COLUMN_START : column == INSTANT_TRACK ? COLUMN_TRACK : COLUMN_ARGS;
  switch (column) {
  case COLUMN_ID: loom_query_module_narrow (&scan->id, condition); break;
  case COLUMN_NAME:
  case COLUMN_CATEGORY:
  case COLUMN_KIND: loom_query_span_scan_add_text (scan, condition); break;
  case COLUMN_START: loom_query_module_narrow (&scan->start_ns, condition); break;
  case COLUMN_DURATION: loom_query_module_narrow (&scan->duration_ns, condition); break;
  case COLUMN_TRACK: loom_query_module_narrow (&scan->track, condition); break;
  case COLUMN_PARENT:
    scan->has_parent = TRUE;
    loom_query_module_narrow (&scan->parent, condition);
    break;
  default: break;
  }
}

static void
read_argument (Cursor *self, const LoomQueryCondition *condition)
{
  guint number = condition->column - COLUMN_ARGUMENT;
  self->argument[number] = sqlite3_value_int64 (condition->value);
}

/* Returns TRUE if all arguments are numbers; with NULL there are no rows. */
static gboolean
read_conditions (Cursor *self, LoomQueryCursor *base, gboolean instants, const LoomQueryCondition *conditions, guint n)
{
  gboolean good = TRUE;
  loom_query_span_scan_reset (&self->scan, loom_query_module_host (base)->run, instants);
  g_clear_pointer (&self->order, loom_query_name_order_free);
  self->child = 0;
  for (guint i = 0; i < n; i++)
    if (conditions[i].column < COLUMN_ARGUMENT)
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
  loom_query_span_scan_begin (&self->scan);
  return step (base);
}

static int
filter_instants (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  Cursor *self = (Cursor *) base;
  read_conditions (self, base, TRUE, conditions, n);
  loom_query_span_scan_begin (&self->scan);
  return step (base);
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
clear (LoomQueryCursor *base)
{
  g_clear_pointer (&((Cursor *) base)->order, loom_query_name_order_free);
  loom_query_span_scan_clear (&((Cursor *) base)->scan);
}

/* --- columns --------------------------------------------------------------------------------------------------------- */

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

/* Returns the row below that of the current span, NULL if nothing can be inside the span. Rows of a lane follow one
 * another by depth. */
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

/* Subtracts the children, which are those that begin inside the span. Spans follow one another in a scan, and so do
 * their children: the search begins where it ended for the span before. */
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
set_parent (const Cursor *self, sqlite3_context *context)
{
  guint32 parent = loom_trace_get_parent (self->scan.trace, self->scan.here.at);
  if (parent != G_MAXUINT32)
    sqlite3_result_int64 (context, loom_query_run_pack_id ((LoomSpanId) { self->scan.here.trace, parent }));
}

static void
set_kind (const Cursor *self, sqlite3_context *context)
{
  LoomWorkKind kind =
    self->scan.derived ? LOOM_WORK_KIND_NONE : self->scan.kinds[self->scan.spans->name_id[self->scan.here.at]];
  sqlite3_result_text (context, loom_work_kind_to_string (kind), -1, SQLITE_STATIC);
}

static void
set_times (Cursor *self, sqlite3_context *context, guint column)
{
  gint64 start_ns, duration_ns;
  loom_query_span_scan_get_times (&self->scan, &start_ns, &duration_ns);
  sqlite3_result_int64 (context, column == COLUMN_START      ? start_ns
                                 : column == COLUMN_DURATION ? duration_ns
                                                             : get_self (self, duration_ns));
}

static void
set_place (const Cursor *self, sqlite3_context *context, guint column)
{
  const LoomQueryRun *run = self->scan.run;
  guint trace = self->scan.here.trace;
  if (column == COLUMN_TRACK)
    sqlite3_result_int64 (context, run->first_track[trace] + self->scan.here.track);
  else if (column == COLUMN_PROCESS)
    sqlite3_result_int64 (context, run->first_process[trace] + get_track (self)->process_id);
  else
    loom_query_module_set_rank (context, loom_event_list_get_rank (self->scan.trace, get_track (self)));
}

static void
set_span (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  Cursor *self = (Cursor *) base;
  guint32 span = self->scan.here.at;
  const LoomName *name = loom_trace_get_name (self->scan.trace, self->scan.spans->name_id[span]);
  switch (column) {
  case COLUMN_ID: sqlite3_result_int64 (context, row_id (base)); break;
  case COLUMN_NAME: loom_query_module_set_name (context, name->text); break;
  case COLUMN_CATEGORY: loom_query_module_set_text (context, name->category); break;
  case COLUMN_KIND: set_kind (self, context); break;
  case COLUMN_START:
  case COLUMN_DURATION:
  case COLUMN_SELF: set_times (self, context, column); break;
  case COLUMN_DEPTH:
    sqlite3_result_int (context, loom_trace_get_row (self->scan.trace, self->scan.here.row)->depth);
    break;
  case COLUMN_TRACK:
  case COLUMN_PROCESS:
  case COLUMN_RANK: set_place (self, context, column); break;
  case COLUMN_PARENT: set_parent (self, context); break;
  case COLUMN_OPEN:
    sqlite3_result_int (context, (loom_source_ref_flags (self->scan.spans->ref[span]) & LOOM_REF_OPEN) != 0);
    break;
  case COLUMN_ARGS: loom_query_arg_set_all (loom_query_module_host (base), context, get_id (self)); break;
  default: sqlite3_result_int64 (context, self->argument[column - COLUMN_ARGUMENT]); break;
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
  case INSTANT_TIME: set_times (self, context, COLUMN_START); break;
  case INSTANT_TRACK: set_place (self, context, COLUMN_TRACK); break;
  case INSTANT_PROCESS: set_place (self, context, COLUMN_PROCESS); break;
  case INSTANT_RANK: set_place (self, context, COLUMN_RANK); break;
  case INSTANT_SCOPE: set_scope (self, context); break;
  case INSTANT_ARGS: loom_query_arg_set_all (loom_query_module_host (base), context, get_id (self)); break;
  default: set_span (base, context, column); break;
  }
}

/* --- the tables ------------------------------------------------------------------------------------------------------ */

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

static gboolean
can_sort (const LoomQueryRun *run, guint column)
{
  return column == COLUMN_NAME && loom_query_name_order_is_possible (run);
}

#define MODULE(word, id, count, filter, column)                                                  \
  const LoomQueryModule loom_query_module_##word = {                                             \
    LOOM_QUERY_TABLE_##id, sizeof (Cursor), count, filter, step, column, row_id, clear, can_sort \
  }

MODULE (span, SPAN, count_spans, filter_spans, set_span);
MODULE (instant, INSTANT, count_instants, filter_instants, set_instant);
MODULE (overlap, OVERLAP, count_spans, filter_overlap, set_span);
MODULE (descendants, DESCENDANTS, count_spans, filter_descendants, set_span);
MODULE (ancestors, ANCESTORS, count_spans, filter_ancestors, set_span);
