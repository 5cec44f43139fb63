/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements the table function critical_path(), whose rows are the segments of the critical path
 * (loom-critical-path.h) of the run or of a time range.
 */
#include "loom-query-module.h"

#include "loom-critical-path.h"
#include "loom-event-list.h"

enum {
  COLUMN_ID,
  COLUMN_KIND,
  COLUMN_NAME,
  COLUMN_SPAN,
  COLUMN_START,
  COLUMN_DURATION,
  COLUMN_RANK,
  COLUMN_ARGUMENT,
};

typedef struct {
  LoomQueryCursor base;
  LoomQueryRun *run;
  LoomQueryPath *held;
  const LoomCriticalPath *path; /* the critical path whose segments are the rows; `held` keeps it alive */
  gint64 argument[2];
  guint row;
} Cursor;

static guint64
guess_stretches (const LoomQueryRun *run)
{
  return MIN (run->n_spans, 1000000);
}

/* Reads the arguments as integers. Sets `n_given` to the number of arguments in the query. Returns how many of them are
 * numbers. */
static guint
read_range (Cursor *self, const LoomQueryCondition *conditions, guint n, guint *n_given)
{
  guint n_good = 0;
  *n_given = 0;
  for (guint i = 0; i < n; i++) {
    if (conditions[i].column < COLUMN_ARGUMENT)
      continue;
    int type = sqlite3_value_numeric_type (conditions[i].value);
    self->argument[conditions[i].column - COLUMN_ARGUMENT] = sqlite3_value_int64 (conditions[i].value);
    n_good += type == SQLITE_INTEGER || type == SQLITE_FLOAT;
    ++*n_given;
  }
  return n_good;
}

static int
filter (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  Cursor *self = (Cursor *) base;
  LoomQueryHost *host = loom_query_module_host (base);
  guint n_given, n_good = read_range (self, conditions, n, &n_given);
  LoomRange range = { self->argument[0], self->argument[1] };
  g_clear_pointer (&self->held, loom_query_run_release_path);
  self->run = host->run;
  self->row = 0;
  base->at_end = n_given > 0 && (n_good < n_given || range.begin_ns >= range.end_ns);
  if (base->at_end)
    return SQLITE_OK;
  self->held = loom_query_run_get_path (host->run, n_given > 0 ? &range : NULL, host->cancellable);
  if (self->held == NULL)
    return loom_query_module_fail (base, SQLITE_INTERRUPT, NULL);
  self->path = self->held->path;
  base->at_end = self->path->stretches->len == 0;
  return SQLITE_OK;
}

static int
next (LoomQueryCursor *base)
{
  Cursor *self = (Cursor *) base;
  base->at_end = ++self->row >= self->path->stretches->len;
  return SQLITE_OK;
}

static gint64
row_id (LoomQueryCursor *base)
{
  return ((Cursor *) base)->row;
}

static void
set_rank (const Cursor *self, LoomSpanId id, sqlite3_context *context)
{
  guint32 track, row;
  if (loom_timeline_span_id_is_none (id))
    return;
  const LoomTrace *trace = loom_run_get_trace (self->run->run, id.trace);
  loom_trace_locate_span (trace, id.span, &track, &row);
  loom_query_module_set_rank (context, loom_event_list_get_rank (trace, loom_trace_get_track (trace, track)));
}

static void
set_column (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  const Cursor *self = (Cursor *) base;
  const LoomPathStretch *stretch = &g_array_index (self->path->stretches, LoomPathStretch, self->row);
  switch (column) {
  case COLUMN_ID: sqlite3_result_int64 (context, self->row); break;
  case COLUMN_KIND: loom_query_module_set_name (context, loom_critical_path_kind_to_string (stretch->kind)); break;
  case COLUMN_NAME:
    loom_query_module_set_name (context, g_array_index (self->path->names, LoomPathName, stretch->name).name);
    break;
  case COLUMN_SPAN:
    if (!loom_timeline_span_id_is_none (stretch->span))
      sqlite3_result_int64 (context, loom_query_run_pack_id (stretch->span));
    break;
  case COLUMN_START: sqlite3_result_int64 (context, stretch->range.begin_ns); break;
  case COLUMN_DURATION: sqlite3_result_int64 (context, stretch->range.end_ns - stretch->range.begin_ns); break;
  case COLUMN_RANK: set_rank (self, stretch->span, context); break;
  default: sqlite3_result_int64 (context, self->argument[column - COLUMN_ARGUMENT]); break;
  }
}

static void
clear (LoomQueryCursor *base)
{
  g_clear_pointer (&((Cursor *) base)->held, loom_query_run_release_path);
}

const LoomQueryModule loom_query_module_critical_path = {
  LOOM_QUERY_TABLE_CRITICAL_PATH, sizeof (Cursor), guess_stretches, filter, next, set_column, row_id, clear, NULL
};
