/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements the tables with few rows, such as track, process and step. Their rows are numbered from 0. The tables
 * evaluate only the condition that selects a row by its number; SQLite evaluates all others.
 */
#include "loom-query-module.h"

#include "loom-event-list.h"
#include "loom-rank-label.h"
#include "loom-rule-weights.h"
#include "loom-track-name.h"
#include "loom-track-rank.h"

typedef struct {
  LoomQueryCursor base;
  LoomQueryRun *run;
  guint64 row, end;
  gconstpointer analysis; /* the analysis whose results the table shows, borrowed from the run; NULL in other tables */
} Cursor;

static int
next (LoomQueryCursor *base)
{
  Cursor *self = (Cursor *) base;
  self->row++;
  base->at_end = self->row >= self->end;
  return SQLITE_OK;
}

static gint64
row_id (LoomQueryCursor *base)
{
  return (gint64) ((Cursor *) base)->row;
}

/* Moves to the first row that the conditions on column 0 allow; in these tables, column 0 is the number of the row. */
static int
filter_rows (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n, guint64 n_rows)
{
  Cursor *self = (Cursor *) base;
  LoomQueryLimits limits = LOOM_QUERY_LIMITS_NONE;
  self->run = loom_query_module_host (base)->run;
  for (guint i = 0; i < n; i++)
    if (conditions[i].column == 0)
      loom_query_module_narrow (&limits, &conditions[i]);
  self->row = (guint64) CLAMP (limits.least, 0, (gint64) n_rows);
  self->end = limits.most < 0 || n_rows == 0 ? 0 : MIN ((guint64) limits.most, n_rows - 1) + 1;
  base->at_end = self->row >= self->end;
  return SQLITE_OK;
}

static int
filter (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  const LoomQueryModule *module = ((LoomQueryVtab *) base->base.pVtab)->module;
  return filter_rows (base, conditions, n, module->count (loom_query_module_host (base)->run));
}

/* Moves to the first row of a table that shows the results of `analysis`. If `analysis` is NULL, the analysis was
 * cancelled, so the query fails. Returns SQLite's result code. */
static int
filter_analysis (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n, gconstpointer analysis,
                 guint64 n_rows)
{
  ((Cursor *) base)->analysis = analysis;
  if (analysis == NULL)
    return loom_query_module_fail (base, SQLITE_INTERRUPT, NULL);
  return filter_rows (base, conditions, n, n_rows);
}

static void
set_time (sqlite3_context *context, const LoomClockMap *map, gint64 local_ns)
{
  if (local_ns != LOOM_TIME_NONE)
    sqlite3_result_int64 (context, loom_clock_map_to_timeline (map, local_ns));
}

static void
set_extent (sqlite3_context *context, const LoomClockMap *map, gint64 start_ns, gint64 end_ns)
{
  if (start_ns != LOOM_TIME_NONE && end_ns != LOOM_TIME_NONE)
    sqlite3_result_int64 (
      context, loom_time_sub (loom_clock_map_to_timeline (map, end_ns), loom_clock_map_to_timeline (map, start_ns)));
}

static void
set_span (sqlite3_context *context, LoomSpanId id)
{
  if (!loom_timeline_span_id_is_none (id) && id.span != G_MAXUINT32)
    sqlite3_result_int64 (context, loom_query_run_pack_id (id));
}

/* --- track -------------------------------------------------------------------------------------------------------- */

static guint64
count_tracks (const LoomQueryRun *run)
{
  return run->first_track[run->n_traces];
}

static void
set_track_times (const Cursor *self, guint t, const LoomTrack *track, sqlite3_context *context, guint column)
{
  const LoomClockMap *map = loom_timeline_get_map (self->run->timeline, t, track->clock);
  if (column == 11)
    set_time (context, map, track->start_ns);
  else
    set_extent (context, map, track->start_ns, track->end_ns);
}

/* Returns TRUE for a track of a host in an index file, because an index file contains only sums of most spans of hosts
 * (src/index/README.md). */
static gboolean
has_sums (const LoomTrace *trace, const LoomTrack *track)
{
  return loom_trace_is_index (trace) && track->kind == LOOM_TRACK_SPANS && (track->flags & LOOM_TRACK_DEVICE) == 0;
}

/* Sets the value to a name, without the blanks at its end. Such blanks are invisible, but Kineto writes them: "stream 7
 * ". */
static void
set_stripped (sqlite3_context *context, const char *text)
{
  gsize length = text != NULL ? strlen (text) : 0;
  while (length > 0 && text[length - 1] == ' ')
    length--;
  if (text != NULL)
    sqlite3_result_text64 (context, text, length, SQLITE_STATIC, SQLITE_UTF8);
}

/* Sets the name of a counter or of async spans, or the name of a thread or stream. */
static void
set_track_name (sqlite3_context *context, const LoomTrack *track)
{
  gboolean is_own = track->kind == LOOM_TRACK_COUNTER || track->kind == LOOM_TRACK_ASYNC;
  if (!is_own && loom_track_name_get_origin (track) == LOOM_TRACK_NAME_STREAM)
    sqlite3_result_text (context, loom_track_name_dup_thread (track), -1, g_free);
  else
    set_stripped (context, is_own ? track->name : track->thread);
}

static void
set_track (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  const Cursor *self = (Cursor *) base;
  guint t = loom_query_run_find_trace (self->run, self->run->first_track, (guint) self->row);
  const LoomTrace *trace = loom_run_get_trace (self->run->run, t);
  const LoomTrack *track = loom_trace_get_track (trace, (guint) self->row - self->run->first_track[t]);
  switch (column) {
  case 0: sqlite3_result_int64 (context, row_id (base)); break;
  case 1: loom_query_module_set_name (context, loom_trace_track_kind_to_string (track->kind)); break;
  case 2: set_track_name (context, track); break;
  case 3: sqlite3_result_int64 (context, self->run->first_process[t] + track->process_id); break;
  case 4: loom_query_module_set_rank (context, loom_event_list_get_rank (trace, track)); break;
  case 5: loom_query_module_set_text (context, track->node); break;
  case 6: sqlite3_result_int64 (context, loom_run_get_first_source (self->run->run, t) + track->source); break;
  case 7: sqlite3_result_int64 (context, loom_run_get_first_clock (self->run->run, t) + track->clock); break;
  case 8: sqlite3_result_int (context, (track->flags & LOOM_TRACK_DEVICE) != 0); break;
  case 9: sqlite3_result_int (context, (track->flags & LOOM_TRACK_DERIVED) != 0); break;
  case 10: sqlite3_result_int64 (context, (gint64) track->n_events); break;
  case 13: sqlite3_result_int64 (context, track->busy_ns); break;
  case 14: sqlite3_result_int (context, has_sums (trace, track)); break;
  default: set_track_times (self, t, track, context, column); break;
  }
}

/* --- process ------------------------------------------------------------------------------------------------------ */

static guint64
count_processes (const LoomQueryRun *run)
{
  return run->processes->len;
}

static void
set_process (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  const Cursor *self = (Cursor *) base;
  const LoomQueryProcess *process = &g_array_index (self->run->processes, LoomQueryProcess, self->row);
  const LoomTrace *trace = loom_run_get_trace (self->run->run, process->trace);
  const LoomTrack *track = loom_trace_get_track (trace, process->track);
  switch (column) {
  case 0: sqlite3_result_int64 (context, row_id (base)); break;
  case 1: loom_query_module_set_name (context, track->process); break;
  case 2: loom_query_module_set_text (context, track->process_key); break;
  case 3: loom_query_module_set_rank (context, loom_event_list_get_rank (trace, track)); break;
  case 4: loom_query_module_set_text (context, track->node); break;
  default:
    sqlite3_result_int64 (context, loom_run_get_first_source (self->run->run, process->trace) + track->source);
    break;
  }
}

/* --- counter ------------------------------------------------------------------------------------------------------ */

static guint64
count_counters (const LoomQueryRun *run)
{
  return run->counters->len;
}

static void
set_counter_place (const Cursor *self, guint t, const LoomTrack *track, guint number, sqlite3_context *context,
                   guint column)
{
  if (column == 5)
    sqlite3_result_int64 (context, self->run->first_track[t] + number);
  else if (column == 6)
    sqlite3_result_int64 (context, self->run->first_process[t] + track->process_id);
  else
    loom_query_module_set_rank (context, loom_event_list_get_rank (loom_run_get_trace (self->run->run, t), track));
}

static void
set_counter (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  const Cursor *self = (Cursor *) base;
  guint number = g_array_index (self->run->counters, guint, self->row);
  guint t = loom_query_run_find_trace (self->run, self->run->first_counter, (guint) self->row);
  const LoomTrace *trace = loom_run_get_trace (self->run->run, t);
  const LoomTrack *track = loom_trace_get_track (trace, number);
  const LoomSeries *series = loom_trace_get_series (trace, (guint) self->row - self->run->first_counter[t]);
  switch (column) {
  case 0: sqlite3_result_int64 (context, row_id (base)); break;
  case 1: loom_query_module_set_name (context, track->name); break;
  case 2: loom_query_module_set_name (context, series->name); break;
  case 3: loom_query_module_set_text (context, track->category); break;
  case 4: loom_query_module_set_text (context, series->unit); break;
  case 5:
  case 6:
  case 7: set_counter_place (self, t, track, number, context, column); break;
  case 8: sqlite3_result_int64 (context, series->n); break;
  default:
    if (series->n > 0)
      sqlite3_result_double (context, column == 9 ? series->min : series->max);
    break;
  }
}

/* --- source ------------------------------------------------------------------------------------------------------- */

static guint64
count_sources (const LoomQueryRun *run)
{
  return loom_run_get_n_sources (run->run);
}

static void
set_source_times (const Cursor *self, const LoomSource *source, sqlite3_context *context, guint column)
{
  guint clock = loom_run_get_clock_of_source (self->run->run, (guint) self->row);
  const LoomClockMap *map = &loom_alignment_get (loom_timeline_get_alignment (self->run->timeline), clock)->map;
  if (column == 9)
    set_time (context, map, source->start_ns);
  else if (column == 10)
    set_extent (context, map, source->start_ns, source->end_ns);
  else
    sqlite3_result_int64 (context, clock);
}

static void
set_source (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  const Cursor *self = (Cursor *) base;
  const LoomSource *source = loom_run_get_source (self->run->run, (guint) self->row);
  switch (column) {
  case 0: sqlite3_result_int64 (context, row_id (base)); break;
  case 1: loom_query_module_set_name (context, source->path); break;
  case 2: loom_query_module_set_name (context, source->format); break;
  case 3: loom_query_module_set_text (context, source->node); break;
  case 4:
    loom_query_module_set_rank (context, loom_rank_label_is_process (source->format, source->rank) ? -1 : source->rank);
    break;
  case 5: sqlite3_result_int64 (context, (gint64) source->n_bytes); break;
  case 6: sqlite3_result_int64 (context, (gint64) source->n_events); break;
  case 7: sqlite3_result_int64 (context, (gint64) source->n_spans); break;
  case 8: sqlite3_result_int64 (context, (gint64) source->n_instants); break;
  case 12: sqlite3_result_int (context, source->incomplete != FALSE); break;
  default: set_source_times (self, source, context, column); break;
  }
}

/* --- clock -------------------------------------------------------------------------------------------------------- */

static guint64
count_clocks (const LoomQueryRun *run)
{
  return loom_run_get_n_clocks (run->run);
}

static void
set_clock (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  const Cursor *self = (Cursor *) base;
  const LoomClockFit *fit = loom_alignment_get (loom_timeline_get_alignment (self->run->timeline), (guint) self->row);
  switch (column) {
  case 0: sqlite3_result_int64 (context, row_id (base)); break;
  case 1: loom_query_module_set_name (context, loom_declared_clock_state_to_string (fit->state)); break;
  case 2: loom_query_module_set_text (context, fit->basis); break;
  case 3: sqlite3_result_int64 (context, fit->map.offset_ns); break;
  case 4: sqlite3_result_double (context, (double) fit->map.drift_ppt / 1000.0); break;
  case 5: sqlite3_result_int64 (context, fit->map.reference_ns); break;
  case 6: sqlite3_result_int64 (context, fit->user_offset_ns); break;
  case 7:
    if (fit->residual_ns >= 0)
      sqlite3_result_int64 (context, fit->residual_ns);
    break;
  case 8: sqlite3_result_int64 (context, fit->pairs); break;
  case 9: sqlite3_result_int64 (context, fit->rejected); break;
  default: sqlite3_result_int (context, fit->placed != FALSE); break;
  }
}

/* --- step --------------------------------------------------------------------------------------------------------- */

/* Returns a typical number of steps, which is sufficient to plan a query; counting the steps would require an analysis
 * of the run. */
static guint64
guess_steps (const LoomQueryRun *run)
{
  return 100 * (guint64) MAX (run->n_traces, 1);
}

static int
filter_steps (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  LoomQueryHost *host = loom_query_module_host (base);
  const LoomSteps *steps = loom_query_run_get_steps (host->run, host->cancellable);
  return filter_analysis (base, conditions, n, steps, steps != NULL ? steps->n : 0);
}

static gboolean
is_process (LoomQueryCursor *base, const LoomStep *step)
{
  guint32 track, row;
  const LoomTrace *trace = loom_run_get_trace (
    loom_timeline_get_run (loom_query_run_get_timeline (loom_query_module_host (base)->run)), step->span.trace);
  loom_trace_locate_span (trace, step->span.span, &track, &row);
  const LoomTrack *own = loom_trace_get_track (trace, track);
  return loom_track_rank_is_process (own, own->format);
}

static void
set_step (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  const Cursor *self = (Cursor *) base;
  const LoomStep *step = &((const LoomSteps *) self->analysis)->all[self->row];
  switch (column) {
  case 0: sqlite3_result_int64 (context, row_id (base)); break;
  case 1:
    if (step->number >= 0)
      sqlite3_result_int64 (context, step->number);
    break;
  case 2: sqlite3_result_int64 (context, step->begin_ns); break;
  case 3: sqlite3_result_int64 (context, loom_time_sub (step->end_ns, step->begin_ns)); break;
  case 4: loom_query_module_set_rank (context, is_process (base, step) ? -1 : step->rank); break;
  case 5: loom_query_module_set_text (context, step->node); break;
  case 6: loom_query_module_set_name (context, loom_step_mode_to_string (step->mode)); break;
  case 7: loom_query_module_set_name (context, step->format); break;
  default: set_span (context, step->span); break;
  }
}

/* --- collective --------------------------------------------------------------------------------------------------- */

static guint64
guess_collectives (const LoomQueryRun *run)
{
  return 1000 * (guint64) MAX (run->n_traces, 1);
}

static int
filter_collectives (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  LoomQueryHost *host = loom_query_module_host (base);
  const LoomCollectives *all = loom_query_run_get_collectives (host->run, host->cancellable);
  const LoomCollective *last = all != NULL && all->n > 0 ? &all->all[all->n - 1] : NULL;
  return filter_analysis (base, conditions, n, all, all != NULL && last != NULL ? all->members->len : 0);
}

/* Returns the number of the collective to which a member belongs. Members are in the order in which collectives were
 * found, but collectives are sorted by time, so the collective is looked up by the sync event of the member. */
static guint
find_collective (const LoomCollectives *all, const LoomCollectiveMember *member)
{
  return all->collective_of[all->first_place[member->trace] + member->meeting];
}

static void
set_member (const Cursor *self, const LoomCollectiveMember *member, sqlite3_context *context, guint column)
{
  const LoomCollectives *all = self->analysis;
  guint32 n;
  const LoomSyncEvent *meetings = loom_trace_get_meetings (loom_run_get_trace (self->run->run, member->trace), &n);
  switch (column) {
  case 5: loom_query_module_set_rank (context, member->rank); break;
  case 6: sqlite3_result_int64 (context, member->arrival_ns); break;
  case 7: sqlite3_result_int64 (context, member->wait_ns); break;
  case 11: sqlite3_result_int64 (context, loom_time_sub (member->end_ns, member->arrival_ns)); break;
  case 13:
    if (member->meeting < n && meetings[member->meeting].bytes > 0)
      sqlite3_result_int64 (context, meetings[member->meeting].bytes);
    break;
  default: set_span (context, loom_collectives_get_span (all, member)); break;
  }
}

static void
set_collective (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  const Cursor *self = (Cursor *) base;
  const LoomCollectives *all = self->analysis;
  const LoomCollectiveMember *member = &g_array_index (all->members, LoomCollectiveMember, self->row);
  guint number = find_collective (all, member);
  const LoomCollective *collective = &all->all[number];
  switch (column) {
  case 0: sqlite3_result_int64 (context, row_id (base)); break;
  case 1: sqlite3_result_int64 (context, number); break;
  case 2: loom_query_module_set_name (context, collective->name); break;
  case 3: loom_query_module_set_text (context, collective->group); break;
  case 4:
    if (collective->sequence != LOOM_SEQUENCE_NONE)
      sqlite3_result_int64 (context, collective->sequence);
    break;
  case 8: sqlite3_result_int64 (context, collective->arrival_ns); break;
  case 9: sqlite3_result_int64 (context, collective->late_by_ns); break;
  case 10: sqlite3_result_int64 (context, collective->transfer_ns); break;
  case 12: sqlite3_result_int64 (context, collective->n); break;
  default: set_member (self, member, context, column); break;
  }
}

/* --- finding ------------------------------------------------------------------------------------------------------ */

static guint64
guess_findings (const LoomQueryRun *run)
{
  return 30;
}

static int
filter_findings (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  LoomQueryHost *host = loom_query_module_host (base);
  const GArray *findings = loom_query_run_get_findings (host->run, host->cancellable);
  return filter_analysis (base, conditions, n, findings, findings != NULL ? findings->len : 0);
}

static void
set_finding_place (const LoomRuleResult *result, gint rank, sqlite3_context *context, guint column)
{
  guint64 n_places = (result->marks != NULL ? result->marks->len : 0) + result->n_left_out;
  if (column == 8)
    sqlite3_result_int64 (context, (gint64) n_places);
  else if (column == 9)
    loom_query_module_set_rank (context, rank);
  else if (n_places > 0)
    sqlite3_result_int64 (context, column == 6 ? result->range.begin_ns
                                               : loom_time_sub (result->range.end_ns, result->range.begin_ns));
}

static void
set_finding (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  static const char *const severities[] = { "info", "warning", "severe" };
  const Cursor *self = (Cursor *) base;
  const LoomQueryFinding *finding = &g_array_index ((const GArray *) self->analysis, LoomQueryFinding, self->row);
  const LoomRuleResult *result = finding->result;
  switch (column) {
  case 0: sqlite3_result_int64 (context, row_id (base)); break;
  case 1: loom_query_module_set_name (context, result->name); break;
  case 2: loom_query_module_set_name (context, loom_rule_result_status_to_string (result->status)); break;
  case 3: loom_query_module_set_name (context, severities[MIN (finding->severity, LOOM_RULE_SEVERE)]); break;
  case 4: loom_query_module_set_name (context, result->sentence); break;
  case 5:
  case 10:
  case 11:
    if (result->lost_ns > 0)
      sqlite3_result_int64 (context, column == 5 ? result->lost_ns
                                     : column == 10
                                       ? finding->explained_ns
                                       : loom_rule_weights_get_own_ns (result, finding->explained_ns, FALSE));
    break;
  default: set_finding_place (result, finding->rank, context, column); break;
  }
}

/* --- problem ------------------------------------------------------------------------------------------------------ */

static guint64
count_problems (const LoomQueryRun *run)
{
  guint64 n = loom_run_get_n_ignored (run->run);
  for (guint i = 0; i < loom_run_get_n_sources (run->run); i++)
    n += loom_import_log_get_n_problems (loom_run_get_source (run->run, i)->log);
  return n;
}

/* Finds a problem. On entry, `*number` is its number among all problems of the run. Usually, the problem is in the
 * import log of a source. The function then returns this source, sets `*source` to its number, and sets `*number` to
 * the index of the problem in the log. If the problem is a file that was not loaded, returns NULL and sets `*number` to
 * the index of this file. */
static const LoomSource *
find_problem (const LoomQueryRun *run, guint64 *number, guint *source)
{
  for (*source = 0; *source < loom_run_get_n_sources (run->run); ++*source) {
    const LoomSource *found = loom_run_get_source (run->run, *source);
    guint n = loom_import_log_get_n_problems (found->log);
    if (*number < n)
      return found;
    *number -= n;
  }
  return NULL;
}

static void
set_unloaded (const LoomRunSkippedFile *file, sqlite3_context *context, guint column)
{
  switch (column) {
  case 2: loom_query_module_set_name (context, file->path); break;
  case 3: loom_query_module_set_name (context, file->failed ? "unreadable" : "not-loaded"); break;
  case 4: loom_query_module_set_name (context, file->failed ? "error" : "info"); break;
  case 5: sqlite3_result_int (context, 1); break;
  case 7: loom_query_module_set_name (context, file->reason); break;
  default: break;
  }
}

static void
set_problem (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  const Cursor *self = (Cursor *) base;
  guint64 number = self->row;
  guint source_number;
  const LoomSource *source = find_problem (self->run, &number, &source_number);
  const LoomProblem *problem = source != NULL ? loom_import_log_get_problem (source->log, (guint) number) : NULL;
  if (column == 0)
    sqlite3_result_int64 (context, row_id (base));
  else if (problem == NULL)
    set_unloaded (loom_run_get_ignored (self->run->run, (guint) number), context, column);
  else if (column == 1)
    sqlite3_result_int64 (context, source_number);
  else if (column == 2)
    loom_query_module_set_name (context, source->path);
  else if (column == 3)
    loom_query_module_set_name (context, problem->code);
  else if (column == 4)
    loom_query_module_set_name (context, loom_import_log_severity_to_string (problem->severity));
  else if (column == 5)
    sqlite3_result_int64 (context, (gint64) problem->count);
  else if (column == 6 && problem->offset != LOOM_OFFSET_NONE)
    sqlite3_result_int64 (context, (gint64) problem->offset);
  else if (column == 7)
    loom_query_module_set_name (context, problem->message);
}

/* --- definitions of the tables ------------------------------------------------------------------------------------ */

#define MODULE(word, id, count, filter, column)                                       \
  const LoomQueryModule loom_query_module_##word = {                                  \
    LOOM_QUERY_TABLE_##id, sizeof (Cursor), count, filter, next, column, row_id, NULL \
  }

MODULE (track, TRACK, count_tracks, filter, set_track);
MODULE (process, PROCESS, count_processes, filter, set_process);
MODULE (counter, COUNTER, count_counters, filter, set_counter);
MODULE (source, SOURCE, count_sources, filter, set_source);
MODULE (clock, CLOCK, count_clocks, filter, set_clock);
MODULE (step, STEP, guess_steps, filter_steps, set_step);
MODULE (collective, COLLECTIVE, guess_collectives, filter_collectives, set_collective);
MODULE (finding, FINDING, guess_findings, filter_findings, set_finding);
MODULE (problem, PROBLEM, count_problems, filter, set_problem);
