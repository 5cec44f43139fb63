/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-minimap-data.h"

#include "loom-row-summary.h"

#define N LOOM_MINIMAP_DATA_BUCKETS

/* The tracks of one worker: a rank, or a process of a trace without ranks. */
typedef struct {
  GArray *tracks;  /* Line: a row with its trace and clock map */
  gboolean device; /* it has accelerators, so its threads don't count */
} Worker;

typedef struct {
  LoomTrace *trace;
  const LoomRow *row;
  const LoomClockMap *map;
} Line;

static void
worker_free (gpointer data)
{
  Worker *worker = data;
  g_array_unref (worker->tracks);
  g_free (worker);
}

static Worker *
get_worker (GHashTable *workers, guint trace, const LoomTrack *track)
{
  char *key = track->rank >= 0 ? g_strdup_printf ("%s/%d", track->node != NULL ? track->node : "", track->rank)
                               : g_strdup_printf ("#%u/%u", trace, track->process_id);
  Worker *worker = g_hash_table_lookup (workers, key);
  if (worker == NULL) {
    worker = g_new0 (Worker, 1);
    worker->tracks = g_array_new (FALSE, FALSE, sizeof (Line));
    g_hash_table_insert (workers, g_steal_pointer (&key), worker);
  }
  g_free (key);
  return worker;
}

static void
add_track (GHashTable *workers, LoomTimeline *timeline, guint number, guint index)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), number);
  const LoomTrack *track = loom_trace_get_track (trace, index);
  gboolean device = (track->flags & LOOM_TRACK_DEVICE) != 0;
  if (track->kind != LOOM_TRACK_SPANS || track->n_rows == 0 || g_str_has_prefix (track->process, "Step:") ||
      (track->flags & (LOOM_TRACK_DERIVED | LOOM_TRACK_NO_EXTENT)) != 0)
    return;
  Worker *worker = get_worker (workers, number, track);
  if (device && !worker->device)
    g_array_set_size (worker->tracks, 0);
  worker->device |= device;
  if (device != worker->device)
    return;
  Line line = { trace, loom_trace_get_row (trace, track->first_row),
                loom_timeline_get_map (timeline, number, track->clock) };
  g_array_append_val (worker->tracks, line);
}

static GHashTable *
collect_workers (LoomTimeline *timeline)
{
  GHashTable *workers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, worker_free);
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    for (guint k = 0; k < loom_trace_get_n_tracks (loom_run_get_trace (run, i)); k++)
      add_track (workers, timeline, i, k);
  return workers;
}

static void
fill_edges (gint64 *edges, LoomRange range, const LoomClockMap *map)
{
  gint64 begin = loom_clock_map_to_local (map, range.begin_ns), end = loom_clock_map_to_local (map, range.end_ns);
  /* unsigned: the length of a run with implausible times may exceed G_MAXINT64 */
  guint64 length = (guint64) end - (guint64) begin;
  for (guint i = 0; i <= N; i++)
    edges[i] = (gint64) ((guint64) begin + length / N * i + length % N * i / N);
}

/* Adds a worker, which is as busy as its busiest track. */
static void
add_worker (LoomMinimapData *overview, const Worker *worker, float share)
{
  g_autofree gint64 *edges = g_new (gint64, N + 1);
  g_autofree LoomSpanSummary *summaries = g_new (LoomSpanSummary, N);
  g_autofree float *most = g_new0 (float, N);
  for (guint i = 0; i < worker->tracks->len; i++) {
    const Line *line = &g_array_index (worker->tracks, Line, i);
    fill_edges (edges, overview->range, line->map);
    loom_row_summary_add_many (line->trace, line->row, edges, N, summaries);
    for (guint k = 0; k < N; k++) {
      float width = (float) MAX (loom_time_sub (edges[k + 1], edges[k]), 1);
      most[k] = MAX (most[k], MIN ((float) summaries[k].busy_ns / width, 1));
    }
  }
  for (guint k = 0; k < N; k++)
    overview->busy[k] += most[k] * share;
}

LoomMinimapData *
loom_minimap_data_new (LoomTimeline *timeline, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (LoomMinimapData) overview = g_new0 (LoomMinimapData, 1);
  g_atomic_ref_count_init (&overview->refs);
  if (!loom_timeline_get_extent (timeline, &overview->range))
    return g_steal_pointer (&overview);
  g_autoptr (GHashTable) workers = collect_workers (timeline);
  float share = 1.0f / (float) MAX (g_hash_table_size (workers), 1);
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, workers);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    if (g_cancellable_is_cancelled (cancellable))
      return NULL;
    add_worker (overview, value, share);
  }
  return g_steal_pointer (&overview);
}

LoomMinimapData *
loom_minimap_data_ref (LoomMinimapData *overview)
{
  g_atomic_ref_count_inc (&overview->refs);
  return overview;
}

void
loom_minimap_data_unref (LoomMinimapData *overview)
{
  if (overview != NULL && g_atomic_ref_count_dec (&overview->refs))
    g_free (overview);
}
