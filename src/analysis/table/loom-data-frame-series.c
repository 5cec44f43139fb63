/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills the sample series of a LoomDataFrame. Uses the arrays of the LoomTrace without a copy, unless the timeline
 * shifts the clock of the series.
 */
#include <string.h>

#include "loom-data-frame-private.h"
#include "loom-natural-collate.h"

/* Converts a time as smdebug does: to a double of seconds, times 10⁶, truncated to whole µs. */
static gint64
as_written_ns (gint64 time_ns)
{
  double seconds = (double) ((long double) time_ns / (long double) LOOM_NS_PER_S);
  return (gint64) (seconds * 1e6) * LOOM_NS_PER_US;
}

static gboolean
is_identity (const LoomClockMap *map)
{
  return map->offset_ns == 0 && map->drift_ppt == 0;
}

static void
map_series (LoomDataFrame *frame, const LoomSeries *from, const LoomClockMap *map, LoomSampleSeries *to)
{
  gint64 *time_ns = g_new (gint64, MAX (from->n, 1));
  g_ptr_array_add (frame->columns, time_ns);
  for (guint32 i = 0; i < from->n; i++)
    time_ns[i] = loom_clock_map_to_timeline (map, from->time_ns[i]);
  to->time_ns = time_ns;
}

/* Converts a series to the numbers that smdebug computes. For this, copies the samples to new columns, removes samples
 * whose µs and value are equal to those of an earlier sample, and removes samples before frame->origin_ns. */
static void
write_series (LoomDataFrame *frame, const LoomClockMap *map, LoomSampleSeries *series)
{
  gint64 *time_ns = g_new (gint64, MAX (series->n, 1));
  double *value = g_new (double, MAX (series->n, 1));
  g_ptr_array_add (frame->columns, time_ns);
  g_ptr_array_add (frame->columns, value);
  guint32 n = 0;
  for (guint32 i = 0; i < series->n; i++) {
    gint64 at_ns = as_written_ns (series->time_ns[i]);
    gboolean again = FALSE;
    for (guint32 k = n; k > 0 && time_ns[k - 1] == at_ns; k--)
      again |= value[k - 1] == series->value[i];
    if (again || series->time_ns[i] < frame->origin_ns)
      continue;
    time_ns[n] = at_ns;
    value[n++] = series->value[i];
  }
  series->time_ns = time_ns;
  series->value = value;
  series->n = n;
}

static void
add_series (LoomDataFrame *frame, const LoomTrace *trace, const LoomTrack *track, guint32 number,
            const LoomClockMap *map)
{
  const LoomSeries *from = loom_trace_get_series (trace, number);
  LoomSampleSeries series = { .host_id = loom_data_frame_intern_host (frame, track->node),
                              .type = loom_data_frame_intern (frame, track->category),
                              .name = loom_data_frame_intern (frame, track->name),
                              .dimension = loom_data_frame_intern (frame, from->name),
                              .unit = loom_data_frame_intern (frame, from->unit),
                              .time_ns = from->time_ns,
                              .value = from->value,
                              .n = from->n };
  if (!is_identity (map))
    map_series (frame, from, map, &series);
  if (frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG)
    write_series (frame, map, &series);
  g_array_append_val (frame->all_series, series);
}

static int
compare_series (gconstpointer a, gconstpointer b, gpointer frame)
{
  const LoomSampleSeries *x = a, *y = b;
  int order = loom_natural_collate_compare (loom_data_frame_get_host (frame, x->host_id),
                                            loom_data_frame_get_host (frame, y->host_id));
  if (order == 0)
    order = strcmp (x->type, y->type);
  if (order == 0)
    order = loom_natural_collate_compare (x->name, y->name);
  return order != 0 ? order : strcmp (x->dimension, y->dimension);
}

gboolean
loom_data_frame_fill_series (LoomDataFrame *frame, GCancellable *cancellable)
{
  LoomRun *run = loom_timeline_get_run (frame->timeline);
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
      const LoomTrack *track = loom_trace_get_track (trace, i);
      if (track->kind != LOOM_TRACK_COUNTER || strcmp (track->format, "smdebug-system") != 0)
        continue;
      const LoomClockMap *map = loom_timeline_get_map (frame->timeline, t, track->clock);
      for (guint32 k = 0; k < track->n_series; k++)
        add_series (frame, trace, track, track->first_series + k, map);
      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
    }
  }
  g_array_sort_with_data (frame->all_series, compare_series, frame);
  return TRUE;
}
