/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-span-scan.h"

#include <string.h>

#include "loom-event-list.h"
#include "loom-query-limits.h"
#include "loom-query-span-columns.h"
#include "loom-query-text.h"
#include "loom-row-summary.h"
#include "loom-time-bsearch.h"
#include "loom-work-kind.h"

/* Number of ns by which a range of timeline times is widened when it is converted to local times: the conversion there
 * and back is exact only to within 1 ns (loom-clock-map.h). */
#define SLACK_NS 2

/* In a range of at most this many spans of a row (LoomQueryStretch), the texts of each span are compared with the
 * conditions. In longer ranges it is cheaper to compare each name only once, and to keep the result. */
#define SHORT 64

/* The result for a name is stored separately for tracks of hosts, tracks of devices, and derived tracks of each,
 * because the conditions may allow it on one kind of track and not on another. */
#define N_TRACK_KINDS 4

enum { COLUMN_NAME = 1, COLUMN_CATEGORY = 2, COLUMN_KIND = 3 };

/* --- conditions --------------------------------------------------------------------------------------------------- */

static void
clear_texts (LoomQuerySpanScan *scan)
{
  for (guint i = 0; i < scan->n_texts; i++)
    sqlite3_value_free (scan->texts[i].value);
  g_clear_pointer (&scan->texts, g_free);
  for (guint i = 0; scan->all_verdicts != NULL && i < N_TRACK_KINDS * scan->run->n_traces; i++)
    g_free (scan->all_verdicts[i]);
  g_clear_pointer (&scan->all_verdicts, g_free);
  scan->verdicts = NULL;
  scan->n_texts = 0;
}

void
loom_query_span_scan_reset (LoomQuerySpanScan *scan, LoomQueryRun *run, gboolean instants)
{
  clear_texts (scan);
  if (scan->stretches == NULL)
    scan->stretches = g_array_new (FALSE, FALSE, sizeof (LoomQueryStretch));
  g_array_set_size (scan->stretches, 0);
  scan->run = run;
  scan->instants = instants;
  scan->id = scan->track = scan->process = scan->rank = scan->depth = LOOM_QUERY_LIMITS_NONE;
  scan->start_ns = scan->duration_ns = scan->parent = LOOM_QUERY_LIMITS_NONE;
  scan->rank_nulls = scan->parent_nulls = LOOM_QUERY_NULLS_ANY;
  g_clear_pointer (&scan->starts_ns, g_array_unref);
  g_clear_pointer (&scan->durations_ns, g_array_unref);
  scan->has_parent = scan->touches = FALSE;
  scan->once = LOOM_QUERY_ONCE_NEVER;
  scan->n_seen_names = 0;
  scan->n_done = 0;
  scan->here = (LoomQueryStretch) { 0 };
}

void
loom_query_span_scan_add_text (LoomQuerySpanScan *scan, const LoomQueryCondition *condition)
{
  scan->texts = g_renew (LoomQueryCondition, scan->texts, scan->n_texts + 1);
  scan->texts[scan->n_texts] = *condition;
  scan->texts[scan->n_texts++].value = sqlite3_value_dup (condition->value);
}

static gboolean
is_listed (const GArray *values, gint64 value)
{
  guint low = 0, high = values->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    gint64 at = g_array_index (values, gint64, middle);
    if (at == value)
      return TRUE;
    if (at < value)
      low = middle + 1;
    else
      high = middle;
  }
  return FALSE;
}

/* If there was a list, keeps only the values that are in both. */
int
loom_query_span_scan_add_list (LoomQuerySpanScan *scan, gboolean durations, const LoomQueryCondition *condition)
{
  GArray **list = durations ? &scan->durations_ns : &scan->starts_ns;
  g_autoptr (GArray) before = g_steal_pointer (list);
  *list = g_array_new (FALSE, FALSE, sizeof (gint64));
  int code = loom_query_module_read_list (condition, *list);
  guint n = 0;
  for (guint i = 0; before != NULL && i < (*list)->len; i++) {
    gint64 value = g_array_index (*list, gint64, i);
    g_array_index (*list, gint64, n) = value;
    n += is_listed (before, value);
  }
  if (before != NULL)
    g_array_set_size (*list, n);
  return code;
}

void
loom_query_span_scan_clear (LoomQuerySpanScan *scan)
{
  clear_texts (scan);
  g_clear_pointer (&scan->starts_ns, g_array_unref);
  g_clear_pointer (&scan->durations_ns, g_array_unref);
  g_clear_pointer (&scan->stretches, g_array_unref);
  g_clear_pointer (&scan->listed, g_free);
  g_clear_pointer (&scan->seen, g_free);
}

LoomWorkKind
loom_query_span_scan_get_kind (LoomQuerySpanScan *scan, guint32 name_id)
{
  if (scan->derived)
    return LOOM_WORK_KIND_NONE;
  if (scan->kinds == NULL)
    scan->kinds = loom_query_run_get_kinds (scan->run, scan->here.trace, scan->on_device);
  return scan->kinds[name_id];
}

/* Returns the text that a column (name, category or kind of work) contains for events of this name; NULL: the column is
 * SQL's NULL. */
static const char *
get_text (LoomQuerySpanScan *scan, guint32 name_id, guint column)
{
  const LoomName *name = loom_trace_get_name (scan->trace, name_id);
  if (column == COLUMN_NAME)
    return name->text;
  if (column == COLUMN_CATEGORY)
    return name->category != NULL && name->category[0] != '\0' ? name->category : NULL;
  return loom_work_kind_to_string (loom_query_span_scan_get_kind (scan, name_id));
}

static gboolean
is_name_allowed (LoomQuerySpanScan *scan, guint32 name_id)
{
  for (guint i = 0; i < scan->n_texts; i++)
    if (!loom_query_text_is_met (&scan->texts[i], get_text (scan, name_id, scan->texts[i].column)))
      return FALSE;
  return TRUE;
}

gboolean
loom_query_span_scan_may_allow_name (const LoomQuerySpanScan *scan, guint trace, guint32 name_id)
{
  const LoomName *name = loom_trace_get_name (loom_run_get_trace (scan->run->run, trace), name_id);
  const char *category = name->category != NULL && name->category[0] != '\0' ? name->category : NULL;
  for (guint i = 0; i < scan->n_texts; i++)
    if (scan->texts[i].column != COLUMN_KIND &&
        !loom_query_text_is_met (&scan->texts[i], scan->texts[i].column == COLUMN_NAME ? name->text : category))
      return FALSE;
  return TRUE;
}

/* Sets the trace and the kind of track from which events are read next. Whether the conditions allow a name depends on
 * both. */
static void
set_track (LoomQuerySpanScan *scan, guint32 t, const LoomTrack *track)
{
  scan->here.trace = t;
  scan->trace = loom_run_get_trace (scan->run->run, t);
  scan->spans = loom_trace_get_spans (scan->trace);
  scan->on_device = loom_work_kind_is_device_track (track);
  scan->derived = (track->flags & LOOM_TRACK_DERIVED) != 0;
  scan->kinds = NULL;
}

/* Sets scan->verdicts to the array of results for names of this trace on this kind of track; NULL: there is none.
 * `make`: makes the array if there is none. */
static void
use_verdicts (LoomQuerySpanScan *scan, gboolean make)
{
  gsize of = (gsize) scan->here.trace * N_TRACK_KINDS + (scan->on_device ? 1 : 0) + (scan->derived ? 2 : 0);
  if (make && scan->all_verdicts == NULL)
    scan->all_verdicts = g_new0 (guint8 *, (gsize) N_TRACK_KINDS * scan->run->n_traces);
  if (make && scan->all_verdicts[of] == NULL)
    scan->all_verdicts[of] = g_malloc0 (loom_trace_get_n_names (scan->trace) + 1);
  scan->verdicts = scan->all_verdicts != NULL ? scan->all_verdicts[of] : NULL;
}

static inline gboolean
is_text_allowed (LoomQuerySpanScan *scan, guint32 name_id)
{
  if (scan->verdicts == NULL)
    return is_name_allowed (scan, name_id);
  if (scan->verdicts[name_id] == 0)
    scan->verdicts[name_id] = is_name_allowed (scan, name_id) ? 1 : 2;
  return scan->verdicts[name_id] == 1;
}

/* Returns FALSE if the conditions on texts allow none of the names of the trace on this kind of track. Returns TRUE
 * without a test if there are too many names in relation to the spans (LOOM_QUERY_SPANS_PER_NAME). */
static gboolean
has_allowed_name (LoomQuerySpanScan *scan, guint32 t, const LoomTrack *track)
{
  set_track (scan, t, track);
  guint32 n_names = loom_trace_get_n_names (scan->trace), i = 0;
  if (scan->spans->n / LOOM_QUERY_SPANS_PER_NAME < n_names)
    return TRUE;
  use_verdicts (scan, TRUE);
  while (i < n_names && !is_text_allowed (scan, i))
    i++;
  return i < n_names;
}

static inline gboolean
is_limited (LoomQueryLimits limits)
{
  return limits.least != G_MININT64 || limits.most != G_MAXINT64;
}

static inline gboolean
is_empty (LoomQueryLimits limits)
{
  return limits.least > limits.most;
}

static inline gboolean
is_within (LoomQueryLimits limits, gint64 value)
{
  return limits.least <= value && value <= limits.most;
}

static gboolean
is_time_allowed (const LoomQuerySpanScan *scan)
{
  gint64 start_ns, duration_ns;
  loom_query_span_scan_get_times (scan, &start_ns, &duration_ns);
  if (!is_within (scan->start_ns, start_ns) || !is_within (scan->duration_ns, duration_ns) ||
      (scan->starts_ns != NULL && !is_listed (scan->starts_ns, start_ns)) ||
      (scan->durations_ns != NULL && !is_listed (scan->durations_ns, duration_ns)))
    return FALSE;
  return !scan->touches ||
         (start_ns < scan->range.end_ns &&
          (start_ns >= scan->range.begin_ns || loom_time_add (start_ns, duration_ns) > scan->range.begin_ns));
}

/* Returns TRUE if spans of this row may have a parent. */
static gboolean
is_row_nested (const LoomTrack *track, const LoomRow *row)
{
  return track->kind == LOOM_TRACK_SPANS && row->depth > 0 && row->lane != LOOM_OVERFLOW_LANE;
}

guint32
loom_query_span_scan_get_parent (LoomQuerySpanScan *scan)
{
  if (!scan->nests)
    return G_MAXUINT32;
  const gint64 *starts_ns = scan->spans->start_ns, *durations_ns = scan->spans->dur_ns;
  guint32 span = scan->here.at;
  const LoomRow *row = loom_trace_get_row (scan->trace, scan->here.row - 1);
  scan->above = loom_time_bsearch_near (starts_ns + row->first, 0, row->n, MIN (scan->above, row->n),
                                        loom_time_add (starts_ns[span], 1));
  if (scan->above == 0)
    return G_MAXUINT32;
  guint32 parent = row->first + scan->above - 1;
  return loom_time_add (starts_ns[parent], durations_ns[parent]) >= loom_time_add (starts_ns[span], durations_ns[span])
           ? parent
           : G_MAXUINT32;
}

static gboolean
is_parent_allowed (LoomQuerySpanScan *scan)
{
  gboolean is_null = loom_query_span_scan_get_parent (scan) == G_MAXUINT32;
  return (scan->parent_nulls & (is_null ? LOOM_QUERY_NULLS_ONLY : LOOM_QUERY_NULLS_NEVER)) != 0;
}

/* --- stretches ---------------------------------------------------------------------------------------------------- */

static gint64
to_local (const LoomClockMap *map, gint64 time_ns, gint64 slack_ns)
{
  if (time_ns == G_MININT64 || time_ns == G_MAXINT64)
    return time_ns;
  return loom_time_add (loom_clock_map_to_local (map, time_ns), slack_ns);
}

/* Estimates which span of a row is the first one that starts at `time_ns` (local time) or later, assuming that the
 * starts are evenly distributed over the track. Returns the index of this span within the row. */
static guint32
guess_start (const LoomTrack *track, const LoomRow *row, gint64 time_ns)
{
  double length_ns = (double) track->end_ns - (double) track->start_ns,
         share = length_ns > 0 ? ((double) time_ns - (double) track->start_ns) / length_ns : 0;
  return row->n > 0 ? (guint32) CLAMP (share * row->n, 0, row->n - 1) : 0;
}

/* Returns the column index of the first span of a row that starts at `time_ns` (local time) or later. The search begins
 * at a guess, which reads less memory than a binary search of the whole row. */
static guint32
find_start (const LoomTrace *trace, const LoomTrack *track, const LoomRow *row, gint64 time_ns)
{
  const gint64 *starts_ns = loom_trace_get_spans (trace)->start_ns + row->first;
  return row->first + loom_time_bsearch_near (starts_ns, 0, row->n, guess_start (track, row, time_ns), time_ns);
}

/* Removes those spans from the end of `part` that start at `time_ns` (local time) or later. The search begins at the
 * start of `part`, because ranges in queries are short, while a binary search of a long row has a cache miss in each
 * step. */
static void
cut_end (const LoomTrace *trace, LoomQueryStretch *part, gint64 time_ns)
{
  if (part->at < part->to)
    part->to = loom_time_bsearch_near (loom_trace_get_spans (trace)->start_ns, part->at, part->to, part->at, time_ns);
}

/* Restricts the events [at, to) of `part` to those that may meet the conditions on the start and on `range`. */
static void
cut_times (const LoomQuerySpanScan *scan, const LoomTrace *trace, LoomQueryStretch *part, const LoomClockMap *map)
{
  const LoomRow *row = loom_trace_get_row (trace, part->row);
  gint64 from_ns = scan->start_ns.least, to_ns = scan->start_ns.most;
  if (from_ns != G_MININT64)
    part->at = MAX (
      part->at, find_start (trace, loom_trace_get_track (trace, part->track), row, to_local (map, from_ns, -SLACK_NS)));
  if (to_ns != G_MAXINT64)
    cut_end (trace, part, to_local (map, to_ns, SLACK_NS));
  if (!scan->touches)
    return;
  from_ns = to_local (map, scan->range.begin_ns, -SLACK_NS);
  part->at = MAX (part->at, row->first + loom_trace_row_first_ending_after (trace, row, from_ns));
  cut_end (trace, part, to_local (map, scan->range.end_ns, SLACK_NS));
}

static void
cut_ids (const LoomQuerySpanScan *scan, LoomQueryStretch *part)
{
  gint64 first = (gint64) part->trace << 32;
  if (scan->id.least > first + part->at)
    part->at = (guint32) MIN (scan->id.least - first, (gint64) part->to);
  if (scan->id.most < first + part->to - 1)
    part->to = scan->id.most < first + part->at ? part->at : (guint32) (scan->id.most - first + 1);
}

static gboolean
is_kind_wanted (const LoomQuerySpanScan *scan, LoomTrackKind kind)
{
  return scan->instants ? kind == LOOM_TRACK_INSTANTS : kind == LOOM_TRACK_SPANS || kind == LOOM_TRACK_ASYNC;
}

static gboolean
is_rank_wanted (const LoomQuerySpanScan *scan, const LoomTrace *trace, const LoomTrack *track)
{
  if (!is_limited (scan->rank) && scan->rank_nulls == LOOM_QUERY_NULLS_ANY)
    return TRUE;
  gint rank = loom_event_list_get_rank (trace, track);
  if (rank < 0)
    return !is_limited (scan->rank) && scan->rank_nulls & LOOM_QUERY_NULLS_ONLY;
  return is_within (scan->rank, rank) && scan->rank_nulls & LOOM_QUERY_NULLS_NEVER;
}

/* Returns TRUE if the conditions allow events of this track. */
static gboolean
is_track_wanted (const LoomQuerySpanScan *scan, const LoomTrace *trace, guint t, guint number)
{
  const LoomTrack *track = loom_trace_get_track (trace, number);
  return is_kind_wanted (scan, track->kind) && is_within (scan->track, scan->run->first_track[t] + number) &&
         is_within (scan->process, scan->run->first_process[t] + track->process_id) &&
         is_rank_wanted (scan, trace, track);
}

/* Returns TRUE if the conditions allow spans of this row. */
static gboolean
is_row_wanted (const LoomQuerySpanScan *scan, const LoomTrack *track, const LoomRow *row)
{
  return is_within (scan->depth, row->depth) &&
         (scan->parent_nulls & LOOM_QUERY_NULLS_ONLY || (scan->parent_nulls != 0 && is_row_nested (track, row)));
}

/* Returns TRUE if all spans of the row are shorter than the conditions require. Compares with half of the required
 * duration, because a clock may drift, but by much less. */
static gboolean
is_row_too_short (const LoomQuerySpanScan *scan, const LoomTrace *trace, const LoomQueryStretch *part)
{
  LoomSpanSummary summary = { 0 };
  if (scan->duration_ns.least <= 0 || scan->instants || part->to - part->at <= SHORT)
    return FALSE;
  loom_row_summary_add (trace, loom_trace_get_row (trace, part->row), G_MININT64, G_MAXINT64, &summary);
  return summary.n > 0 && summary.longest_ns < scan->duration_ns.least / 2;
}

/* Adds to the stretches of the scan those events of `part` that the conditions may allow. */
static void
add_stretch (LoomQuerySpanScan *scan, const LoomTrace *trace, LoomQueryStretch part)
{
  const LoomTrack *track = loom_trace_get_track (trace, part.track);
  if (!is_track_wanted (scan, trace, part.trace, part.track) || is_empty (scan->start_ns) || part.at >= part.to ||
      !is_row_wanted (scan, track, loom_trace_get_row (trace, part.row)))
    return;
  if (is_limited (scan->id))
    cut_ids (scan, &part);
  if (is_limited (scan->start_ns) || scan->touches)
    cut_times (scan, trace, &part, loom_timeline_get_map (scan->run->timeline, part.trace, track->clock));
  if (part.at < part.to && !is_row_too_short (scan, trace, &part))
    g_array_append_val (scan->stretches, part);
}

static void
add_track (LoomQuerySpanScan *scan, const LoomTrace *trace, guint t, guint number)
{
  const LoomTrack *track = loom_trace_get_track (trace, number);
  if (!is_track_wanted (scan, trace, t, number))
    return;
  /* Skips the track if the conditions allow none of the names that the trace has on it. This is not tested if there is
   * a time range, because only few spans remain then, and testing only their names is faster. */
  if (scan->n_texts > 0 && !scan->touches && !is_limited (scan->start_ns) && !has_allowed_name (scan, t, track))
    return;
  for (guint32 i = 0; i < track->n_rows; i++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + i);
    add_stretch (scan, trace, (LoomQueryStretch) { t, number, track->first_row + i, row->first, row->first + row->n });
  }
}

/* --- relatives ---------------------------------------------------------------------------------------------------- */

/* Returns the span as a stretch. Lookups of a join often find spans of one row, so the row of the last one is tried first. */
static LoomQueryStretch
locate (LoomQuerySpanScan *scan, const LoomTrace *trace, LoomSpanId id)
{
  LoomQueryStretch *last = &scan->located;
  const LoomRow *row = last->to > 0 && last->trace == id.trace ? loom_trace_get_row (trace, last->row) : NULL;
  if (row == NULL || id.span < row->first || id.span >= row->first + row->n)
    loom_trace_locate_span (trace, id.span, &last->track, &last->row);
  *last = (LoomQueryStretch) { id.trace, last->track, last->row, id.span, id.span + 1 };
  return *last;
}

/* Returns those spans of a deeper row that start between the start and the end of the first span of `of`, both
 * included. A span of length zero that starts exactly at one of these two times may be inside a neighbour of the first
 * span of `of` instead; the caller removes such spans. */
static LoomQueryStretch
find_below (const LoomTrace *trace, const LoomQueryStretch *of, guint32 row_number)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  const LoomRow *row = loom_trace_get_row (trace, row_number);
  gint64 start_ns = spans->start_ns[of->at], end_ns = loom_time_add (start_ns, spans->dur_ns[of->at]);
  return (LoomQueryStretch) { of->trace, of->track, row_number,
                              row->first + loom_trace_row_lower_bound (trace, row, start_ns),
                              row->first + loom_trace_row_lower_bound (trace, row, loom_time_add (end_ns, 1)) };
}

/* Returns TRUE if the row `row_number` may contain spans that are inside spans of the row `above` of the same track. */
static gboolean
is_row_below (const LoomTrace *trace, const LoomTrack *track, const LoomRow *above, guint32 row_number)
{
  const LoomRow *row = row_number < track->first_row + track->n_rows ? loom_trace_get_row (trace, row_number) : NULL;
  return row != NULL && track->kind == LOOM_TRACK_SPANS && row->lane == above->lane && row->depth > above->depth &&
         above->lane != LOOM_OVERFLOW_LANE;
}

static gboolean
is_inside (const LoomTrace *trace, guint32 span, guint32 of)
{
  while (span != G_MAXUINT32 && span != of)
    span = loom_trace_get_parent (trace, span);
  return span == of;
}

/* Removes spans from both ends of `part` until the first and the last span are inside the span `of`. */
static void
trim (const LoomTrace *trace, LoomQueryStretch *part, guint32 of)
{
  while (part->at < part->to && !is_inside (trace, part->at, of))
    part->at++;
  while (part->at < part->to && !is_inside (trace, part->to - 1, of))
    part->to--;
}

/* Adds the spans that are nested in a span, from at most `n_rows` rows below its row. */
static void
add_below (LoomQuerySpanScan *scan, LoomSpanId id, guint n_rows)
{
  const LoomTrace *trace = loom_run_get_trace (scan->run->run, id.trace);
  LoomQueryStretch of = locate (scan, trace, id);
  const LoomTrack *track = loom_trace_get_track (trace, of.track);
  const LoomRow *above = loom_trace_get_row (trace, of.row);
  for (guint i = 1; i <= n_rows && is_row_below (trace, track, above, of.row + i); i++) {
    LoomQueryStretch part = find_below (trace, &of, of.row + i);
    if (part.at >= part.to)
      return;
    trim (trace, &part, id.span);
    add_stretch (scan, trace, part);
  }
}

void
loom_query_span_scan_begin_at (LoomQuerySpanScan *scan, LoomSpanId id)
{
  const LoomTrace *trace = loom_run_get_trace (scan->run->run, id.trace);
  add_stretch (scan, trace, locate (scan, trace, id));
}

void
loom_query_span_scan_begin_below (LoomQuerySpanScan *scan, LoomSpanId id)
{
  add_below (scan, id, G_MAXUINT16);
}

void
loom_query_span_scan_begin_around (LoomQuerySpanScan *scan, LoomSpanId id)
{
  const LoomTrace *trace = loom_run_get_trace (scan->run->run, id.trace);
  guint32 parent = loom_trace_span_is_instant (trace, id.span) ? G_MAXUINT32 : loom_trace_get_parent (trace, id.span);
  for (; parent != G_MAXUINT32; parent = loom_trace_get_parent (trace, parent))
    add_stretch (scan, trace, locate (scan, trace, (LoomSpanId) { id.trace, parent }));
}

static void
add_tracks (LoomQuerySpanScan *scan)
{
  for (guint t = 0; t < scan->run->n_traces; t++) {
    const LoomTrace *trace = loom_run_get_trace (scan->run->run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
      add_track (scan, trace, t, i);
  }
}

/* Listed starts that are at most this far apart are one range, so that the ranges of events don't overlap, although each
 * is extended by SLACK_NS. */
#define NEAR_NS 1000

/* Calls `visit` with each range of listed starts. */
static guint
visit_ranges (LoomQuerySpanScan *scan, void (*visit) (LoomQuerySpanScan *scan))
{
  const LoomQueryLimits all = scan->start_ns;
  guint n = 0;
  for (guint i = 0, next; i < scan->starts_ns->len; i = next, n++) {
    gint64 last_ns = g_array_index (scan->starts_ns, gint64, i);
    scan->start_ns = (LoomQueryLimits) { MAX (all.least, last_ns), all.most };
    for (next = i + 1; next < scan->starts_ns->len; next++) {
      gint64 start_ns = g_array_index (scan->starts_ns, gint64, next);
      if (loom_time_sub (start_ns, last_ns) > NEAR_NS)
        break;
      last_ns = start_ns;
    }
    scan->start_ns.most = MIN (all.most, last_ns);
    if (visit != NULL && !is_empty (scan->start_ns))
      visit (scan);
  }
  scan->start_ns = all;
  return n;
}

static int
compare_scan_order (gconstpointer a, gconstpointer b)
{
  const LoomQueryStretch *first = a, *second = b;
  if (first->trace != second->trace)
    return first->trace < second->trace ? -1 : 1;
  if (first->track != second->track)
    return first->track < second->track ? -1 : 1;
  if (first->row != second->row)
    return first->row < second->row ? -1 : 1;
  return (first->at > second->at) - (first->at < second->at);
}

/* Finds the events of each range of listed starts by binary search in the rows. Returns FALSE if reading all events takes
 * less time. The stretches are sorted as if there were one range, because a scan is an order by track. */
static gboolean
find_ranges (LoomQuerySpanScan *scan)
{
  guint64 n_rows = 0;
  for (guint t = 0; t < scan->run->n_traces; t++) {
    const LoomTrace *trace = loom_run_get_trace (scan->run->run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
      n_rows += loom_trace_get_track (trace, i)->n_rows;
  }
  if (visit_ranges (scan, NULL) * n_rows > (scan->run->n_spans + scan->run->n_instants) / 4)
    return FALSE;
  visit_ranges (scan, add_tracks);
  g_array_sort (scan->stretches, compare_scan_order);
  return TRUE;
}

void
loom_query_span_scan_begin (LoomQuerySpanScan *scan)
{
  LoomSpanId id;
  if (is_empty (scan->id) || is_empty (scan->track) || is_empty (scan->process) || is_empty (scan->rank) ||
      is_empty (scan->depth) || is_empty (scan->start_ns) || is_empty (scan->duration_ns))
    return;
  if (scan->has_parent && scan->parent.least == scan->parent.most) {
    if (loom_query_run_unpack_id (scan->run, scan->parent.least, &id))
      add_below (scan, id, 1);
    return;
  }
  if (scan->has_parent && scan->parent.least > scan->parent.most)
    return;
  if (scan->id.least == scan->id.most) {
    if (loom_query_run_unpack_id (scan->run, scan->id.least, &id))
      loom_query_span_scan_begin_at (scan, id);
    return;
  }
  if (scan->starts_ns != NULL && find_ranges (scan))
    return;
  add_tracks (scan);
}

/* --- walking ------------------------------------------------------------------------------------------------------ */

static gboolean
begin_stretch (LoomQuerySpanScan *scan)
{
  if (scan->n_done >= scan->stretches->len)
    return FALSE;
  scan->here = g_array_index (scan->stretches, LoomQueryStretch, scan->n_done++);
  const LoomTrace *trace = loom_run_get_trace (scan->run->run, scan->here.trace);
  const LoomTrack *track = loom_trace_get_track (trace, scan->here.track);
  set_track (scan, scan->here.trace, track);
  scan->timed = scan->touches || is_limited (scan->start_ns) || is_limited (scan->duration_ns) ||
                scan->starts_ns != NULL || scan->durations_ns != NULL;
  scan->map = loom_timeline_get_map (scan->run->timeline, scan->here.trace, track->clock);
  scan->nests = !scan->instants && is_row_nested (track, loom_trace_get_row (scan->trace, scan->here.row));
  scan->above = 0;
  scan->tests = scan->n_texts > 0 || scan->timed || (scan->nests && scan->parent_nulls != LOOM_QUERY_NULLS_ANY);
  use_verdicts (scan, scan->n_texts > 0 && scan->here.to - scan->here.at > SHORT);
  return TRUE;
}

void
loom_query_span_scan_enter (LoomQuerySpanScan *scan, guint stretch)
{
  scan->n_done = stretch;
  begin_stretch (scan);
}

gboolean
loom_query_span_scan_is_allowed (LoomQuerySpanScan *scan)
{
  return (scan->n_texts == 0 || is_text_allowed (scan, scan->spans->name_id[scan->here.at])) &&
         (!scan->timed || is_time_allowed (scan)) &&
         (scan->parent_nulls == LOOM_QUERY_NULLS_ANY || is_parent_allowed (scan));
}

/* Returns FALSE if the query does not want the current event, because it had one with the same values (scan->once). */
static gboolean
is_new (LoomQuerySpanScan *scan)
{
  if (scan->once == LOOM_QUERY_ONCE_PER_ROW)
    scan->here.to = scan->here.at + 1; /* the next event is in another stretch */
  if (scan->once != LOOM_QUERY_ONCE_PER_NAME)
    return TRUE;
  guint32 name_id = scan->spans->name_id[scan->here.at], n_names = loom_trace_get_n_names (scan->trace);
  if (n_names > scan->n_seen_names) {
    scan->seen = g_renew (guint, scan->seen, n_names);
    memset (scan->seen + scan->n_seen_names, 0, (n_names - scan->n_seen_names) * sizeof (guint));
    scan->n_seen_names = n_names;
  }
  gboolean is_new = scan->seen[name_id] != scan->n_done;
  scan->seen[name_id] = scan->n_done;
  return is_new;
}

gboolean
loom_query_span_scan_next (LoomQuerySpanScan *scan, GCancellable *cancellable)
{
  gboolean good = scan->here.at < scan->here.to;
  if (good)
    scan->here.at++;
  for (guint n_seen = 1; TRUE; n_seen++) {
    while (scan->here.at >= scan->here.to)
      if (!begin_stretch (scan))
        return FALSE;
    if (loom_query_span_scan_is_allowed (scan) && is_new (scan))
      return TRUE;
    if (n_seen % LOOM_QUERY_LOOK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
    scan->here.at++;
  }
}

/* --- moving over many events at a time ---------------------------------------------------------------------------- */

/* Returns TRUE if timeline times of the track are local times plus a constant offset. */
static gboolean
has_plain_times (const LoomQuerySpanScan *scan)
{
  const LoomTrack *track = loom_trace_get_track (scan->trace, scan->here.track);
  gint64 time_ns;
  return scan->map->drift_ppt == 0 && !scan->instants && track->end_ns < G_MAXINT64 &&
         !__builtin_add_overflow (track->start_ns, scan->map->offset_ns, &time_ns) &&
         !__builtin_add_overflow (track->end_ns, scan->map->offset_ns, &time_ns);
}

/* Returns TRUE if the verdicts for all names are known, or if there are no conditions on texts. Decides them at the
 * first call, unless there are too many names in relation to the spans; the element after those of the names tells
 * whether this was done. */
static gboolean
has_all_verdicts (LoomQuerySpanScan *scan)
{
  guint32 n_names = loom_trace_get_n_names (scan->trace);
  if (scan->n_texts == 0)
    return TRUE;
  if (scan->verdicts == NULL || scan->spans->n / LOOM_QUERY_SPANS_PER_NAME < n_names)
    return FALSE;
  for (guint32 i = 0; scan->verdicts[n_names] == 0 && i < n_names; i++)
    is_text_allowed (scan, i);
  scan->verdicts[n_names] = 1;
  return TRUE;
}

static guint
keep_names (const LoomQuerySpanScan *scan, guint32 *list, guint n)
{
  guint kept = 0;
  for (guint i = 0; i < n; i++) {
    guint32 at = list[i];
    list[kept] = at;
    kept += scan->verdicts[scan->spans->name_id[at]] == 1;
  }
  return kept;
}

static guint
keep_starts (const LoomQuerySpanScan *scan, guint32 *list, guint n)
{
  guint kept = 0;
  for (guint i = 0; i < n; i++) {
    guint32 at = list[i];
    list[kept] = at;
    kept += is_within (scan->start_ns, scan->spans->start_ns[at] + scan->map->offset_ns);
  }
  return kept;
}

/* Lists those of `n` events, beginning at column index `at`, whose duration is within the limits. */
static guint
list_durations (const LoomQuerySpanScan *scan, guint32 at, guint32 *list, guint n)
{
  const gint64 *durations_ns = &scan->spans->dur_ns[at];
  gint64 least_ns = scan->duration_ns.least;
  guint64 width_ns = (guint64) scan->duration_ns.most - (guint64) least_ns;
  guint kept = 0;
  for (guint i = 0; i < n; i++) {
    list[kept] = at + i;
    kept += (guint64) durations_ns[i] - (guint64) least_ns <= width_ns; /* one comparison for both limits */
  }
  return kept;
}

static guint
list_all (guint32 at, guint32 *list, guint n)
{
  for (guint i = 0; i < n; i++)
    list[i] = at + i;
  return n;
}

/* Does what list_allowed() does, with short loops without branches, one for each kind of condition. Requires that times
 * are plain and that all verdicts are known. */
static guint32
list_quickly (LoomQuerySpanScan *scan, LoomQuerySpanRun *run, guint32 at, guint most)
{
  guint32 to = scan->here.to - at > LOOM_QUERY_LOOK_EVERY ? at + LOOM_QUERY_LOOK_EVERY : scan->here.to;
  while (at < to && run->n <= most / 2) {
    guint n = MIN (to - at, most - run->n);
    guint32 *list = run->list + run->n;
    guint kept = is_limited (scan->duration_ns) ? list_durations (scan, at, list, n) : list_all (at, list, n);
    if (scan->n_texts > 0)
      kept = keep_names (scan, list, kept);
    if (is_limited (scan->start_ns))
      kept = keep_starts (scan, list, kept);
    run->n += kept;
    at += n;
  }
  return at;
}

/* Returns TRUE if list_quickly() can evaluate all conditions on the current stretch. */
static gboolean
is_quick (LoomQuerySpanScan *scan)
{
  return has_plain_times (scan) && !scan->touches && scan->starts_ns == NULL && scan->durations_ns == NULL &&
         (!scan->nests || scan->parent_nulls == LOOM_QUERY_NULLS_ANY) && has_all_verdicts (scan);
}

/* Adds the events that the conditions allow to run->list, beginning at column index `at`, until the list has `most`
 * events. Examines at most LOOM_QUERY_LOOK_EVERY events. Returns the index of the first event that was not examined. */
static guint32
list_allowed (LoomQuerySpanScan *scan, LoomQuerySpanRun *run, guint32 at, guint most)
{
  guint32 to = scan->here.to - at > LOOM_QUERY_LOOK_EVERY ? at + LOOM_QUERY_LOOK_EVERY : scan->here.to;
  for (; at < to && run->n < most; at++) {
    scan->here.at = at;
    if (loom_query_span_scan_is_allowed (scan))
      run->list[run->n++] = at;
  }
  return at;
}

gboolean
loom_query_span_scan_next_run (LoomQuerySpanScan *scan, LoomQuerySpanRun *run, guint most, guint most_listed,
                               GCancellable *cancellable)
{
  guint32 at = run->n == 0 ? scan->here.at : run->end;
  if (scan->listed == NULL)
    scan->listed = g_new (guint32, most_listed);
  run->list = scan->listed;
  run->n = 0;
  do {
    while (at >= scan->here.to) {
      if (!begin_stretch (scan))
        return FALSE;
      at = scan->here.at;
    }
    run->is_listed = scan->tests;
    run->has_plain_times = has_plain_times (scan);
    run->is_direct = !run->is_listed && run->has_plain_times;
    if (run->is_listed)
      run->end = at = most > 1 && is_quick (scan) ? list_quickly (scan, run, at, MIN (most, most_listed))
                                                  : list_allowed (scan, run, at, MIN (most, most_listed));
    else {
      run->n = MIN (scan->here.to - at, run->is_direct ? most : MIN (most, most_listed));
      run->end = at + run->n;
    }
  } while (run->n == 0 && !g_cancellable_is_cancelled (cancellable));
  scan->here.at = run->is_listed && run->n > 0 ? run->list[0] : at;
  return run->n > 0;
}
