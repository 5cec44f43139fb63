/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-host.h"

#include "loom-work-kind.h"

typedef struct {
  LoomPathHost *host;
  guint32 trace, track;
  const LoomSpans *spans;
  const guint8 *kinds; /* [name id] LoomWorkKind of a host span with this name */
  const LoomClockMap *map;
  LoomRange range;  /* on the timeline */
  gint64 cursor_ns; /* time on the timeline; all time before this instant was already passed to `func` */
  LoomPathHostFunc func;
  gpointer user_data;
} Visit;

void
loom_path_host_init (LoomPathHost *host, const LoomPathItems *items)
{
  guint n = loom_run_get_n_traces (loom_timeline_get_run (items->timeline));
  *host = (LoomPathHost) { .items = items, .first_track = g_new0 (guint32, n + 1) };
  for (guint i = 0; i < n; i++)
    host->first_track[i + 1] = host->first_track[i] + loom_trace_get_n_tracks (loom_path_items_get_trace (items, i));
  host->walks = g_new (LoomSpanWalk, MAX (host->first_track[n], 1));
  for (guint32 i = 0; i < host->first_track[n]; i++)
    loom_span_walk_init (&host->walks[i]);
}

void
loom_path_host_clear (LoomPathHost *host)
{
  guint n = loom_run_get_n_traces (loom_timeline_get_run (host->items->timeline));
  for (guint32 i = 0; i < host->first_track[n]; i++)
    loom_span_walk_clear (&host->walks[i]);
  g_free (host->walks);
  g_free (host->first_track);
  g_free (host->open);
}

static gint64
to_timeline (const Visit *visit, gint64 local_ns)
{
  return CLAMP (loom_clock_map_to_timeline (visit->map, local_ns), visit->range.begin_ns, visit->range.end_ns);
}

static gboolean
is_data (const Visit *visit, guint32 span)
{
  return visit->kinds[visit->spans->name_id[span]] == LOOM_WORK_KIND_DATA;
}

/* Calls visit->func for the interval from cursor_ns to `time_ns`, during which the innermost open span does not change.
 * Moves cursor_ns to `time_ns`. */
static void
report_until (Visit *visit, gint64 time_ns)
{
  const LoomPathHost *host = visit->host;
  LoomRange piece = { visit->cursor_ns, time_ns };
  if (time_ns <= visit->cursor_ns)
    return;
  visit->cursor_ns = time_ns;
  guint32 span = host->n_open > 0 ? host->open[host->n_open - 1] : G_MAXUINT32;
  visit->func (visit->trace, span, host->n_data > 0, piece, visit->user_data);
}

static void
drop_span (Visit *visit)
{
  LoomPathHost *host = visit->host;
  host->n_data -= is_data (visit, host->open[--host->n_open]);
}

static void
close_until (Visit *visit, guint depth)
{
  LoomPathHost *host = visit->host;
  /* report the spans that end inside the range; spans that end later were already reported up to the end of the
   * range */
  while (host->n_open > depth && visit->cursor_ns < visit->range.end_ns) {
    guint32 span = host->open[host->n_open - 1];
    report_until (visit, to_timeline (visit, loom_time_add (visit->spans->start_ns[span], visit->spans->dur_ns[span])));
    drop_span (visit);
  }
  while (host->n_open > depth)
    drop_span (visit);
}

static void
open_span (Visit *visit, guint32 span)
{
  LoomPathHost *host = visit->host;
  if (host->n_open == host->n_room) {
    host->n_room = MAX (16, 2 * host->n_room);
    host->open = g_renew (guint32, host->open, host->n_room);
  }
  host->open[host->n_open++] = span;
  host->n_data += is_data (visit, span);
}

static void
visit_track (Visit *visit)
{
  LoomTimeline *timeline = visit->host->items->timeline;
  const LoomTrace *trace = loom_path_items_get_trace (visit->host->items, visit->trace);
  const LoomTrack *track = loom_trace_get_track (trace, visit->track);
  guint32 row = track->first_row, span;
  guint depth;
  LoomSpanLane lane;
  LoomSpanWalk *walk = &visit->host->walks[visit->host->first_track[visit->trace] + visit->track];
  visit->map = loom_timeline_get_map (timeline, visit->trace, track->clock);
  visit->host->n_open = visit->host->n_data = 0;
  if (loom_span_walk_next_lane (trace, track, &row, &lane)) {
    LoomRange local = loom_span_walk_get_local (timeline, visit->trace, track, visit->range);
    loom_span_walk_begin_near (walk, trace, lane, local);
    while ((span = loom_span_walk_next (walk, &depth)) != G_MAXUINT32 && visit->spans->start_ns[span] < local.end_ns) {
      close_until (visit, depth);
      report_until (visit, to_timeline (visit, visit->spans->start_ns[span]));
      open_span (visit, span);
    }
    close_until (visit, 0);
  }
  report_until (visit, visit->range.end_ns);
}

/* --- intervals of a thread, with its gaps filled from another thread ---------------------------------------------- */

typedef struct {
  GArray *holes; /* LoomRange: the times in which the thread has no span */
  LoomPathHostFunc func;
  gpointer user_data;
} First;

static void
collect_holes (guint32 trace, guint32 span, gboolean data, LoomRange range, gpointer user_data)
{
  First *first = user_data;
  if (span != G_MAXUINT32)
    first->func (trace, span, data, range, first->user_data);
  else
    g_array_append_val (first->holes, range);
}

void
loom_path_host_visit (LoomPathHost *host, guint32 trace, guint32 track, guint32 other, LoomRange range,
                      LoomPathHostFunc func, gpointer user_data)
{
  const LoomTrace *own = loom_path_items_get_trace (host->items, trace);
  const LoomSpans *spans = loom_trace_get_spans (own);
  const guint8 *kinds = loom_work_kind_of_names (own, FALSE);
  Visit visit = { host, trace, track, spans, kinds, NULL, range, range.begin_ns, func, user_data };
  if (other == track) {
    visit_track (&visit);
    return;
  }
  g_autoptr (GArray) holes = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  First first = { holes, func, user_data };
  visit.func = collect_holes;
  visit.user_data = &first;
  visit_track (&visit);
  for (guint i = 0; i < holes->len; i++) {
    LoomRange hole = g_array_index (holes, LoomRange, i);
    Visit rest = { host, trace, other, spans, kinds, NULL, hole, hole.begin_ns, func, user_data };
    visit_track (&rest);
  }
}
