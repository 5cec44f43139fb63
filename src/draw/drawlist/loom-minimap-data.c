/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the overview: for ranks with accelerators from cells (columns of a lane) as wide as a bucket (an equal part
 * of the range), for which all spans are read; for other ranks from the summaries of rows.
 */
#include "loom-minimap-data.h"

#include <math.h>

#include "loom-lane-cells.h"
#include "loom-parallel.h"
#include "loom-transfer-list.h"

#define N LOOM_MINIMAP_DATA_BUCKETS

/* Shares are summed as integers, so that the sum does not depend on the order in which threads add them. */
#define SHARE_UNIT (1 << 16)

/* A worker: a rank or, in a trace without ranks, a process. */
typedef struct {
  const char *node;
  gint rank;
  GArray *tracks;  /* LoomTrackId: the tracks that are counted */
  gboolean device; /* TRUE if the worker has accelerators; `tracks` then does not contain its threads */
} Worker;

/* Working memory of a thread. */
typedef struct {
  LoomDrawList *list; /* the view in which cells are computed */
  gint64 edges[N + 1];
  LoomSpanSummary summaries[N];
  gint64 busy_ns[N]; /* busy time of the busiest thread of a worker */
  guint64 sums[LOOM_MINIMAP_N_PARTS][N];
} Buckets;

typedef struct {
  LoomTimeline *timeline;
  LoomRange range;
  GPtrArray *workers;
  const LoomCollectives *collectives;
  GCancellable *cancellable;
  Buckets **buckets; /* one for each thread; NULL until needed */
} Computing;

static void
worker_free (gpointer data)
{
  Worker *worker = data;
  g_array_unref (worker->tracks);
  g_free (worker);
}

/* Returns the worker of a track, which is added to `workers` if it is new. `known`: the workers by key. */
static Worker *
get_worker (GPtrArray *workers, GHashTable *known, guint trace, const LoomTrack *track)
{
  g_autofree char *key = track->rank >= 0
                           ? g_strdup_printf ("%s/%d", track->node != NULL ? track->node : "", track->rank)
                           : g_strdup_printf ("#%u/%u", trace, track->process_id);
  Worker *worker = g_hash_table_lookup (known, key);
  if (worker != NULL)
    return worker;
  worker = g_new0 (Worker, 1);
  *worker = (Worker) { track->node, track->rank, g_array_new (FALSE, FALSE, sizeof (LoomTrackId)), FALSE };
  g_ptr_array_add (workers, worker);
  g_hash_table_insert (known, g_steal_pointer (&key), worker);
  return worker;
}

static void
add_track (GPtrArray *workers, GHashTable *known, LoomTimeline *timeline, LoomTrackId id)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), id.trace);
  const LoomTrack *track = loom_trace_get_track (trace, id.track);
  gboolean device = (track->flags & LOOM_TRACK_DEVICE) != 0;
  if (track->kind != LOOM_TRACK_SPANS || track->n_rows == 0 || g_str_has_prefix (track->process, "Step:") ||
      (track->flags & (LOOM_TRACK_DERIVED | LOOM_TRACK_NO_EXTENT)) != 0)
    return;
  Worker *worker = get_worker (workers, known, id.trace, track);
  if (device && !worker->device)
    g_array_set_size (worker->tracks, 0);
  worker->device |= device;
  if (device == worker->device)
    g_array_append_val (worker->tracks, id);
}

static GPtrArray *
collect_workers (LoomTimeline *timeline)
{
  GPtrArray *workers = g_ptr_array_new_with_free_func (worker_free);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    for (guint k = 0; k < loom_trace_get_n_tracks (loom_run_get_trace (run, i)); k++)
      add_track (workers, known, timeline, (LoomTrackId) { i, k });
  return workers;
}

/* Removes all workers without accelerators; if no worker has accelerators, removes none. Returns TRUE if a worker has
 * accelerators. */
static gboolean
keep_devices (GPtrArray *workers)
{
  gboolean has_devices = FALSE;
  for (guint i = 0; i < workers->len; i++)
    has_devices |= ((Worker *) g_ptr_array_index (workers, i))->device;
  for (guint i = workers->len; has_devices && i-- > 0;)
    if (!((Worker *) g_ptr_array_index (workers, i))->device)
      g_ptr_array_remove_index (workers, i);
  return has_devices;
}

static void
fill_edges (gint64 *edges, LoomRange range, const LoomClockMap *map)
{
  gint64 begin = loom_clock_map_to_local (map, range.begin_ns), end = loom_clock_map_to_local (map, range.end_ns);
  /* the length is unsigned, because the length of a run with implausible times may exceed G_MAXINT64 */
  guint64 length = (guint64) end - (guint64) begin;
  for (guint i = 0; i <= N; i++)
    edges[i] = (gint64) ((guint64) begin + length / N * i + length % N * i / N);
}

/* --- shares ------------------------------------------------------------------------------------------------------- */

/* Adds the shares of the kinds of activity of a worker with accelerators. */
static void
add_devices (Buckets *buckets, const Worker *worker)
{
  const LoomTimelineRow row = { .node = worker->node,
                                .rank = worker->rank,
                                .tracks = (const LoomTrackId *) (gpointer) worker->tracks->data,
                                .n_tracks = worker->tracks->len };
  const LoomLaneCell *cells = loom_lane_cells_compute (buckets->list, &row, N);
  for (guint k = 0; k < N; k++)
    for (guint part = 0; part < LOOM_MINIMAP_N_PARTS; part++)
      buckets->sums[part][k] += (guint64) (cells[k].stack[part].busy * SHARE_UNIT);
}

/* Adds the share of the busiest thread of a worker. Only the outermost row of a thread is read, because it is busy
 * whenever a deeper row is busy. */
static void
add_threads (Buckets *buckets, const Computing *computing, const Worker *worker)
{
  memset (buckets->busy_ns, 0, sizeof buckets->busy_ns);
  for (guint i = 0; i < worker->tracks->len; i++) {
    LoomTrackId id = g_array_index (worker->tracks, LoomTrackId, i);
    LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (computing->timeline), id.trace);
    const LoomTrack *track = loom_trace_get_track (trace, id.track);
    fill_edges (buckets->edges, computing->range, loom_timeline_get_map (computing->timeline, id.trace, track->clock));
    loom_row_summary_add_many (trace, loom_trace_get_row (trace, track->first_row), buckets->edges, N,
                               buckets->summaries);
    for (guint k = 0; k < N; k++)
      buckets->busy_ns[k] = MAX (buckets->busy_ns[k], buckets->summaries[k].busy_ns);
  }
  double length_ns = MAX ((double) loom_time_sub (computing->range.end_ns, computing->range.begin_ns) / N, 1);
  for (guint k = 0; k < N; k++)
    buckets->sums[0][k] += (guint64) (MIN ((double) buckets->busy_ns[k] / length_ns, 1) * SHARE_UNIT);
}

static Buckets *
get_buckets (const Computing *computing, guint thread)
{
  Buckets *buckets = computing->buckets[thread];
  if (buckets != NULL)
    return buckets;
  buckets = computing->buckets[thread] = g_new0 (Buckets, 1);
  const LoomViewport view = { computing->range.begin_ns, computing->range.end_ns, N * LOOM_LANE_CELL_PX, 1, 0 };
  buckets->list = loom_draw_list_new_view (computing->timeline, &view, computing->collectives, NULL);
  return buckets;
}

static void
add_worker (guint item, guint thread, gpointer user_data)
{
  const Computing *computing = user_data;
  const Worker *worker = g_ptr_array_index (computing->workers, item);
  if (g_cancellable_is_cancelled (computing->cancellable))
    return;
  Buckets *buckets = get_buckets (computing, thread);
  if (worker->device)
    add_devices (buckets, worker);
  else
    add_threads (buckets, computing, worker);
}

/* Sets the shares of the overview to the means over all workers, and frees the working memory of the threads. */
static void
add_up (LoomMinimapData *overview, Buckets **buckets, guint n_threads, guint n_workers)
{
  const float unit = 1.0F / (SHARE_UNIT * (float) MAX (n_workers, 1));
  for (guint part = 0; part < LOOM_MINIMAP_N_PARTS; part++)
    for (guint k = 0; k < N; k++) {
      guint64 sum = 0;
      for (guint i = 0; i < n_threads; i++)
        sum += buckets[i] != NULL ? buckets[i]->sums[part][k] : 0;
      overview->part[part][k] = (float) sum * unit;
      overview->busy[k] += overview->part[part][k];
    }
  for (guint i = 0; i < n_threads; i++) {
    if (buckets[i] != NULL)
      loom_draw_list_free (buckets[i]->list);
    g_free (buckets[i]);
  }
}

LoomMinimapData *
loom_minimap_data_new (LoomTimeline *timeline, const LoomCollectives *collectives, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (LoomMinimapData) overview = g_new0 (LoomMinimapData, 1);
  g_atomic_ref_count_init (&overview->refs);
  if (!loom_timeline_get_extent (timeline, &overview->range))
    return g_steal_pointer (&overview);
  /* The messages of the collectives are found by the first call for them, which can be cancelled only here. */
  if (collectives != NULL && loom_transfer_list_get (collectives, cancellable) == NULL)
    return NULL;
  g_autoptr (GPtrArray) workers = collect_workers (timeline);
  overview->has_parts = keep_devices (workers);
  guint n_threads = loom_parallel_resolve (0);
  g_autofree Buckets **buckets = g_new0 (Buckets *, n_threads);
  Computing computing = { timeline, overview->range, workers, collectives, cancellable, buckets };
  loom_parallel_for (workers->len, n_threads, add_worker, &computing, NULL);
  add_up (overview, buckets, n_threads, workers->len);
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&overview);
}

/* Returns the mean of the values between two positions. A position is the index of a bucket plus a fraction of the
 * bucket's length. Before the first bucket and after the last one, values count as 0. */
static float
average (const float *values, double from, double to)
{
  double sum = 0;
  for (gint64 k = MAX ((gint64) floor (from), 0); k < LOOM_MINIMAP_DATA_BUCKETS && (double) k < to; k++)
    sum += values[k] * (MIN (to, (double) k + 1) - MAX (from, (double) k));
  return (float) (sum / (to - from));
}

LoomMinimapData *
loom_minimap_data_new_within (const LoomMinimapData *overview, LoomRange range)
{
  g_return_val_if_fail (overview != NULL && range.end_ns > range.begin_ns, NULL);
  LoomMinimapData *within = g_new0 (LoomMinimapData, 1);
  double bucket_ns = (double) MAX (loom_time_sub (overview->range.end_ns, overview->range.begin_ns), 1) /
                     LOOM_MINIMAP_DATA_BUCKETS,
         first = (double) loom_time_sub (range.begin_ns, overview->range.begin_ns) / bucket_ns,
         width = (double) loom_time_sub (range.end_ns, range.begin_ns) / bucket_ns / LOOM_MINIMAP_DATA_BUCKETS;
  g_atomic_ref_count_init (&within->refs);
  within->range = range;
  within->has_parts = overview->has_parts;
  for (guint k = 0; k < LOOM_MINIMAP_DATA_BUCKETS; k++) {
    double from = first + k * width, to = from + width;
    within->busy[k] = average (overview->busy, from, to);
    for (guint part = 0; part < LOOM_MINIMAP_N_PARTS; part++)
      within->part[part][k] = average (overview->part[part], from, to);
  }
  return within;
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
