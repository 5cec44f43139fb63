/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-counter-statistics.h"

#include <string.h>

#include "loom-progress-cancellable.h"
#include "loom-sample-hold.h"
#include "loom-time-bsearch.h"

#define CANCEL_EVERY 65536

/* A sum by Neumaier's method. `rest`: sum of the rounding errors of `sum`. `sum` + `rest` is exact to the last
 * displayed digit, even for the integral of ten million samples. */
typedef struct {
  double sum, rest;
} Sum;

static void
add_to_sum (Sum *sum, double value)
{
  double total = sum->sum + value;
  gboolean bigger = (sum->sum < 0 ? -sum->sum : sum->sum) >= (value < 0 ? -value : value);
  sum->rest += bigger ? (sum->sum - total) + value : (value - total) + sum->sum;
  sum->sum = total;
}

static gint64
next_time (const LoomSeries *series, guint32 i)
{
  return loom_time_add (series->time_ns[i], loom_sample_hold_get (series, i));
}

/* Computes the statistics of a series in a range on the clock of the series. Returns FALSE if cancelled. */
static gboolean
walk (const LoomSeries *series, LoomRange local, gint64 known_end_ns, LoomCounterRow *row, GCancellable *cancellable)
{
  guint32 first = loom_time_bsearch_time (series->time_ns, 0, series->n, local.begin_ns);
  Sum integral = { 0 }, samples = { 0 };
  gboolean any = FALSE;
  /* Begin with the last sample before the range, because its value may still hold in the range. */
  for (guint32 i = first > 0 ? first - 1 : 0; i < series->n && series->time_ns[i] < local.end_ns; i++) {
    gint64 begin_ns = MAX (series->time_ns[i], local.begin_ns);
    gint64 end_ns = MIN (next_time (series, i), known_end_ns);
    if (i >= first) {
      row->n_samples++;
      add_to_sum (&samples, series->value[i]);
    } else if (end_ns <= begin_ns) {
      continue;
    }
    gint64 ns = MAX (loom_time_sub (end_ns, begin_ns), 0);
    row->covered_ns = loom_time_add (row->covered_ns, ns);
    add_to_sum (&integral, series->value[i] * (double) ns / 1e9);
    row->min = any ? MIN (row->min, series->value[i]) : series->value[i];
    row->max = any ? MAX (row->max, series->value[i]) : series->value[i];
    any = TRUE;
    if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
  }
  row->integral = integral.sum + integral.rest;
  if (row->covered_ns > 0)
    row->mean = row->integral / ((double) row->covered_ns / 1e9);
  else if (row->n_samples > 0)
    row->mean = (samples.sum + samples.rest) / (double) row->n_samples;
  return TRUE;
}

static gboolean
add_track (LoomCounterStatistics *stats, LoomTrackId id, GCancellable *cancellable)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (stats->timeline), id.trace);
  const LoomTrack *track = loom_trace_get_track (trace, id.track);
  const LoomClockMap *map = loom_timeline_get_map (stats->timeline, id.trace, track->clock);
  LoomRange local = { loom_clock_map_to_local (map, stats->range.begin_ns),
                      loom_clock_map_to_local (map, stats->range.end_ns) };
  for (guint32 k = 0; k < track->n_series; k++) {
    const LoomSeries *series = loom_trace_get_series (trace, track->first_series + k);
    LoomCounterRow row = { .track = id,
                           .series = track->first_series + k,
                           .name = track->name,
                           .series_name = series->name,
                           .unit = series->unit };
    if (!walk (series, local, loom_clock_map_to_local (map, stats->known_end_ns), &row, cancellable))
      return FALSE;
    loom_progress_cancellable_add_done (cancellable, series->n);
    if (row.n_samples > 0 || row.covered_ns > 0)
      g_array_append_val (stats->all, row);
  }
  return TRUE;
}

static gboolean
is_wanted (const LoomTrack *track, LoomTrackId id, const LoomTrackId *tracks, gsize n_tracks)
{
  if (track->kind != LOOM_TRACK_COUNTER)
    return FALSE;
  if (tracks == NULL)
    return (track->flags & LOOM_TRACK_DERIVED) == 0;
  for (gsize i = 0; i < n_tracks; i++)
    if (tracks[i].trace == id.trace && tracks[i].track == id.track)
      return TRUE;
  return FALSE;
}

/* Sets the range of the statistics. If the range reaches the end of the run, extends it by 1 ns, so that it includes
 * samples at the last instant of the run. The values of samples still hold only until the end of the run. */
static void
set_range (LoomCounterStatistics *stats, LoomRange range)
{
  LoomRange whole;
  stats->range = range;
  stats->known_end_ns = range.end_ns;
  if (!loom_timeline_get_extent (stats->timeline, &whole) || range.end_ns < whole.end_ns)
    return;
  stats->range.end_ns = loom_time_add (whole.end_ns, 1);
  stats->known_end_ns = whole.end_ns;
}

/* Returns the tracks to examine, and adds the number of their samples to the total with which the progress is compared
 * (loom_progress_cancellable_add_total()). Owned by the caller. */
static GArray *
list_tracks (const LoomCounterStatistics *stats, const LoomTrackId *tracks, gsize n_tracks, GCancellable *cancellable)
{
  LoomRun *run = loom_timeline_get_run (stats->timeline);
  GArray *wanted = g_array_new (FALSE, FALSE, sizeof (LoomTrackId));
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++) {
      const LoomTrack *track = loom_trace_get_track (trace, k);
      LoomTrackId id = { i, k };
      if (!is_wanted (track, id, tracks, n_tracks))
        continue;
      g_array_append_val (wanted, id);
      for (guint32 s = 0; s < track->n_series; s++)
        loom_progress_cancellable_add_total (cancellable, loom_trace_get_series (trace, track->first_series + s)->n);
    }
  }
  return wanted;
}

LoomCounterStatistics *
loom_counter_statistics_new (LoomTimeline *timeline, LoomRange range, const LoomTrackId *tracks, gsize n_tracks,
                             GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (LoomCounterStatistics) stats = g_new0 (LoomCounterStatistics, 1);
  stats->timeline = loom_timeline_ref (timeline);
  set_range (stats, range);
  stats->all = g_array_new (FALSE, FALSE, sizeof (LoomCounterRow));
  g_autoptr (GArray) wanted = list_tracks (stats, tracks, n_tracks, cancellable);
  for (guint i = 0; i < wanted->len; i++)
    if (!add_track (stats, g_array_index (wanted, LoomTrackId, i), cancellable))
      return NULL;
  stats->rows = (const LoomCounterRow *) (gpointer) stats->all->data;
  stats->n_rows = stats->all->len;
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&stats);
}

void
loom_counter_statistics_free (LoomCounterStatistics *stats)
{
  if (stats == NULL)
    return;
  loom_timeline_unref (stats->timeline);
  g_array_unref (stats->all);
  g_free (stats);
}
