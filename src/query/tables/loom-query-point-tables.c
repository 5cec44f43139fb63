/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements the tables “sample” (samples of counters) and “flow” (arrows between spans). Like the table span, they
 * read the columns of the traces in place.
 */
#include "loom-query-module.h"

#include "loom-time-bsearch.h"

/* --- sample ------------------------------------------------------------------------------------------------------- */

/* Number of ns by which a range of timeline times is extended when it is converted to local times, because a conversion
 * to local time and back may change a time by 1 ns (loom-clock-map.h). */
#define SLACK_NS 2

typedef struct {
  LoomQueryCursor base;
  const LoomQueryRun *run;
  LoomQueryLimits counters, time_ns;
  guint counter; /* number, in the run, of the counter whose samples are read now */
  const LoomSeries *series;
  const LoomClockMap *map;
  guint32 at, end;
} SampleCursor;

static void
begin_series (SampleCursor *self)
{
  guint t = loom_query_run_find_trace (self->run, self->run->first_counter, self->counter);
  const LoomTrace *trace = loom_run_get_trace (self->run->run, t);
  const LoomTrack *track = loom_trace_get_track (trace, g_array_index (self->run->counters, guint, self->counter));
  self->series = loom_trace_get_series (trace, self->counter - self->run->first_counter[t]);
  self->map = loom_timeline_get_map (self->run->timeline, t, track->clock);
  self->at = 0;
  self->end = self->series->n;
  if (self->time_ns.least != G_MININT64)
    self->at =
      loom_time_bsearch_time (self->series->time_ns, 0, self->series->n,
                              loom_time_add (loom_clock_map_to_local (self->map, self->time_ns.least), -SLACK_NS));
  if (self->time_ns.most != G_MAXINT64)
    self->end =
      loom_time_bsearch_time (self->series->time_ns, 0, self->series->n,
                              loom_time_add (loom_clock_map_to_local (self->map, self->time_ns.most), SLACK_NS));
}

/* If all samples of the current counter within the limits were read, moves to the next counter that has samples within
 * the limits; sets at_end if there is none. Returns SQLite's result code. */
static int
settle (SampleCursor *self)
{
  guint n = self->run->counters->len;
  while (self->at >= self->end) {
    self->counter++;
    if (self->counter >= n || (gint64) self->counter > self->counters.most) {
      self->base.at_end = TRUE;
      return SQLITE_OK;
    }
    begin_series (self);
  }
  return SQLITE_OK;
}

static int
next_sample (LoomQueryCursor *base)
{
  SampleCursor *self = (SampleCursor *) base;
  self->at++;
  return settle (self);
}

static int
filter_samples (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  SampleCursor *self = (SampleCursor *) base;
  self->run = loom_query_module_host (base)->run;
  self->counters = self->time_ns = LOOM_QUERY_LIMITS_NONE;
  for (guint i = 0; i < n; i++)
    loom_query_module_narrow (conditions[i].column == 0 ? &self->counters : &self->time_ns, &conditions[i]);
  self->at = self->end = 0;
  base->at_end = self->counters.least > self->counters.most || self->time_ns.least > self->time_ns.most ||
                 self->counters.least >= (gint64) self->run->counters->len;
  /* begin one before the first counter to read, because settle() moves to the next counter */
  self->counter = (guint) MAX (self->counters.least, 0) - 1;
  return base->at_end ? SQLITE_OK : settle (self);
}

static void
set_sample (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  const SampleCursor *self = (SampleCursor *) base;
  if (column == 0)
    sqlite3_result_int64 (context, self->counter);
  else if (column == 1)
    sqlite3_result_int64 (context, loom_clock_map_to_timeline (self->map, self->series->time_ns[self->at]));
  else
    sqlite3_result_double (context, self->series->value[self->at]);
}

static gint64
get_sample_id (LoomQueryCursor *base)
{
  const SampleCursor *self = (SampleCursor *) base;
  return (gint64) ((guint64) self->counter << 32 | self->at);
}

static guint64
count_samples (const LoomQueryRun *run)
{
  return run->n_samples;
}

const LoomQueryModule loom_query_module_sample = { LOOM_QUERY_TABLE_SAMPLE,
                                                   sizeof (SampleCursor),
                                                   count_samples,
                                                   filter_samples,
                                                   next_sample,
                                                   set_sample,
                                                   get_sample_id,
                                                   NULL };

/* --- flow --------------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomQueryCursor base;
  LoomQueryRun *run;
  guint trace, last_trace; /* indices of two traces: the trace whose arrows are read now, and the last trace to read */
  LoomQueryLimits id, from, to;
  const LoomTrace *here;
  const LoomArrow *arrows;
  /* indices of arrows sorted by `to`, the order in which the arrows are read; NULL: the arrows are read in the order of
   * the trace */
  const guint32 *order;
  guint32 at, end;
} FlowCursor;

/* If `order` is NULL, returns how many arrows start at a span with an index below `span` (LoomArrow.from). Otherwise
 * `order` lists the arrows sorted by their ends; returns how many arrows end at a span with an index below `span`
 * (LoomArrow.to). */
static guint32
count_below (const LoomArrow *arrows, const guint32 *order, guint32 n, guint64 span)
{
  guint32 low = 0, high = n;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    guint32 found = order != NULL ? arrows[order[middle]].to : arrows[middle].from;
    if (found < span)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Limits reading to the arrows that start at the span with the index limits.least; if `order` is not NULL, to the
 * arrows that end at this span. */
static void
cut_to_span (FlowCursor *self, LoomQueryLimits limits, const guint32 *order, guint32 n)
{
  guint64 span = (guint32) limits.least;
  self->order = order;
  self->at = count_below (self->arrows, order, n, span);
  self->end = count_below (self->arrows, order, n, span + 1);
}

static gboolean
is_one (LoomQueryLimits limits)
{
  return limits.least == limits.most;
}

static void
begin_trace (FlowCursor *self)
{
  guint32 n;
  gint64 first = (gint64) self->run->first_flow[self->trace];
  self->here = loom_run_get_trace (self->run->run, self->trace);
  self->arrows = loom_trace_get_arrows (self->here, &n);
  self->order = NULL;
  self->at = 0;
  self->end = n;
  if (is_one (self->from))
    cut_to_span (self, self->from, NULL, n);
  else if (is_one (self->to))
    cut_to_span (self, self->to, loom_trace_get_arrows_by_target (self->here), n);
  else {
    self->at = (guint32) CLAMP (loom_time_sub (self->id.least, first), 0, (gint64) n);
    self->end = self->id.most < first ? 0 : (guint32) MIN (loom_time_sub (self->id.most, first), (gint64) n - 1) + 1;
  }
}

static int
settle_flow (FlowCursor *self)
{
  while (self->at >= self->end) {
    if (self->trace >= self->last_trace) {
      self->base.at_end = TRUE;
      return SQLITE_OK;
    }
    self->trace++;
    begin_trace (self);
  }
  return SQLITE_OK;
}

static int
next_flow (LoomQueryCursor *base)
{
  FlowCursor *self = (FlowCursor *) base;
  self->at++;
  return settle_flow (self);
}

/* Sets the first and the last trace whose arrows are read. Returns FALSE if no arrow is within the limits. If the
 * conditions limit one end of the arrow to one span, only the trace of this span is read, because both ends of an arrow
 * are in the same trace. */
static gboolean
choose_traces (FlowCursor *self)
{
  LoomSpanId span;
  LoomQueryLimits one = is_one (self->from) ? self->from : self->to;
  self->trace = 0;
  self->last_trace = self->run->n_traces - 1;
  if (self->run->n_traces == 0 || self->id.least > self->id.most || self->from.least > self->from.most ||
      self->to.least > self->to.most)
    return FALSE;
  if (!is_one (one))
    return TRUE;
  if (!loom_query_run_unpack_id (self->run, one.least, &span))
    return FALSE;
  self->trace = self->last_trace = span.trace;
  return TRUE;
}

static int
filter_flows (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  FlowCursor *self = (FlowCursor *) base;
  self->run = loom_query_module_host (base)->run;
  self->id = self->from = self->to = LOOM_QUERY_LIMITS_NONE;
  for (guint i = 0; i < n; i++)
    loom_query_module_narrow (conditions[i].column == 0   ? &self->id
                              : conditions[i].column == 3 ? &self->from
                                                          : &self->to,
                              &conditions[i]);
  base->at_end = !choose_traces (self);
  if (base->at_end)
    return SQLITE_OK;
  begin_trace (self);
  return settle_flow (self);
}

static guint32
get_arrow (const FlowCursor *self)
{
  return self->order != NULL ? self->order[self->at] : self->at;
}

static gint64
get_flow_id (LoomQueryCursor *base)
{
  const FlowCursor *self = (FlowCursor *) base;
  return (gint64) (self->run->first_flow[self->trace] + get_arrow (self));
}

static void
set_start (const FlowCursor *self, sqlite3_context *context, guint32 span)
{
  gint64 start_ns, end_ns;
  loom_timeline_get_span (self->run->timeline, (LoomSpanId) { self->trace, span }, &start_ns, &end_ns);
  sqlite3_result_int64 (context, start_ns);
}

static void
set_flow (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  const FlowCursor *self = (FlowCursor *) base;
  const LoomArrow *arrow = &self->arrows[get_arrow (self)];
  const LoomName *name = loom_trace_get_name (self->here, arrow->name_id);
  switch (column) {
  case 0: sqlite3_result_int64 (context, get_flow_id (base)); break;
  case 1: loom_query_module_set_name (context, name->text); break;
  case 2: loom_query_module_set_text (context, name->category); break;
  case 3: sqlite3_result_int64 (context, loom_query_run_pack_id ((LoomSpanId) { self->trace, arrow->from })); break;
  case 4: sqlite3_result_int64 (context, loom_query_run_pack_id ((LoomSpanId) { self->trace, arrow->to })); break;
  default: set_start (self, context, column == 5 ? arrow->from : arrow->to); break;
  }
}

static guint64
count_flows (const LoomQueryRun *run)
{
  return run->first_flow[run->n_traces];
}

const LoomQueryModule loom_query_module_flow = {
  LOOM_QUERY_TABLE_FLOW, sizeof (FlowCursor), count_flows, filter_flows, next_flow, set_flow, get_flow_id, NULL
};
