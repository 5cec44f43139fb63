/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the busy time and the kinds of activity of each bucket (an equal part of the range) from the summaries of
 * rows.
 */
#include "loom-minimap-data.h"

#include <math.h>

#include <string.h>

#include "loom-row-summary.h"
#include "loom-span-waits.h"
#include "loom-work-kind.h"

#define N LOOM_MINIMAP_DATA_BUCKETS

/* The shares of the kinds of activity in a row are estimated from a sample of at most this many of its spans. */
#define N_SAMPLES 512

/* NO_PART: the kind of activity of spans that are not work of a device, such as annotations that enclose work.
 * UNKNOWN_PART: the name has not been classified yet. */
#define NO_PART LOOM_MINIMAP_N_PARTS
#define UNKNOWN_PART 0xFF

/* A worker: the tracks of one rank or, in a trace without ranks, of one process. */
typedef struct {
  GArray *tracks;  /* array of Line: the rows that are counted, each with its trace and clock map */
  gboolean device; /* TRUE if the worker has accelerators; `tracks` then does not contain the rows of its threads */
} Worker;

typedef struct {
  LoomTrace *trace;
  const LoomRow *row;
  const LoomClockMap *map;
} Line;

/* Working arrays with an element for each bucket. They are reused for each rank. */
typedef struct {
  gint64 edges[N + 1];
  LoomSpanSummary summaries[N];
  /* indexed by kind of activity and bucket: the largest share of the bucket's time that this kind takes in a row of the
   * rank */
  float most[LOOM_MINIMAP_N_PARTS][N];
} Buckets;

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
  /* all rows of a device are counted, because kernels may be nested in an annotation. Only the outermost row of a
   * thread is counted, because it is busy whenever a deeper row is busy. */
  for (guint i = 0; i < (device ? track->n_rows : 1); i++) {
    Line line = { trace, loom_trace_get_row (trace, track->first_row + i),
                  loom_timeline_get_map (timeline, number, track->clock) };
    g_array_append_val (worker->tracks, line);
  }
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
  /* the length is unsigned, because the length of a run with implausible times may exceed G_MAXINT64 */
  guint64 length = (guint64) end - (guint64) begin;
  for (guint i = 0; i <= N; i++)
    edges[i] = (gint64) ((guint64) begin + length / N * i + length % N * i / N);
}

/* --- parts ------------------------------------------------------------------------------------------------------ */

static guint8
part_of_name (const LoomTrace *trace, guint32 name_id)
{
  const LoomName *name = loom_trace_get_name (trace, name_id);
  switch (loom_work_kind_classify (name->text, name->category, TRUE)) {
  case LOOM_WORK_KIND_COMPUTE: return LOOM_MINIMAP_COMPUTE;
  case LOOM_WORK_KIND_COMMUNICATION: return LOOM_MINIMAP_COMMUNICATION;
  case LOOM_WORK_KIND_MEMCPY:
  case LOOM_WORK_KIND_MEMSET:
  case LOOM_WORK_KIND_DEVICE_OTHER: return LOOM_MINIMAP_COPIES;
  default: return NO_PART;
  }
}

/* Returns an array indexed by the name ids of a trace: the kind of activity of spans with this name; UNKNOWN_PART until
 * get_part() has classified the name. */
static guint8 *
get_parts (GHashTable *parts, LoomTrace *trace)
{
  guint8 *known = g_hash_table_lookup (parts, trace);
  if (known != NULL)
    return known;
  gsize n = loom_trace_get_n_names (trace);
  known = g_malloc (MAX (n, 1));
  memset (known, UNKNOWN_PART, n);
  g_hash_table_insert (parts, trace, known);
  return known;
}

static guint8
get_part (const LoomTrace *trace, guint8 *parts, guint32 name_id)
{
  if (parts[name_id] == UNKNOWN_PART)
    parts[name_id] = part_of_name (trace, name_id);
  return parts[name_id];
}

/* Returns 1 ns as a share of the length of a bucket. The result is valid for all buckets, because their lengths differ
 * by at most 1 ns. */
static float
get_share_per_ns (const Buckets *buckets)
{
  return (float) (N / MAX ((double) loom_time_sub (buckets->edges[N], buckets->edges[0]), N));
}

/* Estimates the share of each kind of activity in the busy time of a row, from a sample of its spans. */
static void
sample_shares (const Line *line, guint8 *parts, float *shares)
{
  const LoomSpans *spans = loom_trace_get_spans (line->trace);
  guint32 n = MIN (line->row->n, N_SAMPLES);
  double ns[NO_PART + 1] = { 0 }, sum = 0;
  for (guint32 i = 0; i < n; i++) {
    guint32 span = line->row->first + loom_row_summary_sample (line->row->n, n, i);
    ns[get_part (line->trace, parts, spans->name_id[span])] += (double) spans->dur_ns[span];
    sum += (double) spans->dur_ns[span];
  }
  for (guint part = 0; part <= NO_PART; part++)
    shares[part] = (float) (ns[part] / MAX (sum, 1));
}

static void
add_device_row (Buckets *buckets, const Line *line, guint8 *parts)
{
  float shares[NO_PART + 1], per_ns = get_share_per_ns (buckets);
  sample_shares (line, parts, shares);
  for (guint k = 0; k < N; k++) {
    const LoomSpanSummary *summary = &buckets->summaries[k];
    if (summary->n == 0)
      continue;
    float busy = MIN ((float) summary->busy_ns * per_ns, 1), longest = MIN ((float) summary->longest_ns * per_ns, busy);
    guint8 own = get_part (line->trace, parts, summary->name_id);
    for (guint part = 0; part < LOOM_MINIMAP_N_PARTS; part++) {
      float share = (busy - longest) * shares[part] + (part == own ? longest : 0);
      buckets->most[part][k] = MAX (buckets->most[part][k], share);
    }
  }
}

static void
add_thread (Buckets *buckets)
{
  float per_ns = get_share_per_ns (buckets);
  for (guint k = 0; k < N; k++)
    buckets->most[0][k] = MAX (buckets->most[0][k], MIN ((float) buckets->summaries[k].busy_ns * per_ns, 1));
}

/* Adds the activity of a worker (a rank or process) to the overview. For each kind of activity, only the row in which
 * this kind takes the largest share counts. The kinds are combined as if they were independent, in the order of
 * LoomMinimapPart: each kind gets its share only of the time that the earlier kinds leave free. */
static void
add_worker (LoomMinimapData *overview, const Worker *worker, Buckets *buckets, GHashTable *parts, float share)
{
  memset (buckets->most, 0, sizeof buckets->most);
  for (guint i = 0; i < worker->tracks->len; i++) {
    const Line *line = &g_array_index (worker->tracks, Line, i);
    fill_edges (buckets->edges, overview->range, line->map);
    loom_row_summary_add_many (line->trace, line->row, buckets->edges, N, buckets->summaries);
    if (worker->device)
      add_device_row (buckets, line, get_parts (parts, line->trace));
    else
      add_thread (buckets);
  }
  for (guint k = 0; k < N; k++) {
    float free_share = 1;
    for (guint part = 0; part < LOOM_MINIMAP_N_PARTS; part++) {
      overview->part[part][k] += buckets->most[part][k] * free_share * share;
      free_share *= 1 - buckets->most[part][k];
    }
    overview->busy[k] += (1 - free_share) * share;
  }
}

/* Removes all workers without accelerators; if no worker has accelerators, removes none. Returns TRUE if a worker has
 * accelerators. */
static gboolean
keep_devices (GHashTable *workers)
{
  gboolean has_devices = FALSE;
  GHashTableIter iter;
  gpointer worker;
  g_hash_table_iter_init (&iter, workers);
  while (g_hash_table_iter_next (&iter, NULL, &worker))
    has_devices |= ((Worker *) worker)->device;
  g_hash_table_iter_init (&iter, workers);
  while (has_devices && g_hash_table_iter_next (&iter, NULL, &worker))
    if (!((Worker *) worker)->device)
      g_hash_table_iter_remove (&iter);
  return has_devices;
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
  g_autoptr (GHashTable) parts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autofree Buckets *buckets = g_new (Buckets, 1);
  overview->has_parts = keep_devices (workers);
  float share = 1.0f / (float) MAX (g_hash_table_size (workers), 1);
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, workers);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    if (g_cancellable_is_cancelled (cancellable))
      return NULL;
    add_worker (overview, value, buckets, parts, share);
  }
  return g_steal_pointer (&overview);
}

/* --- waiting in collectives and messages ------------------------------------------------------------------------- */

/* Divides the duration from `begin_ns` to `end_ns` among the buckets that it touches, and adds the parts to `sums`. The
 * unit of the sums is the length of a bucket. */
static void
spread (double *sums, LoomRange range, gint64 begin_ns, gint64 end_ns)
{
  double per_ns = N / MAX ((double) loom_time_sub (range.end_ns, range.begin_ns), 1),
         from = CLAMP ((double) loom_time_sub (begin_ns, range.begin_ns) * per_ns, 0, N),
         to = CLAMP ((double) loom_time_sub (end_ns, range.begin_ns) * per_ns, 0, N);
  for (guint k = (guint) from; k < N && k < to; k++)
    sums[k] += MIN (to, k + 1.0) - MAX (from, k);
}

static void
spread_messages (const LoomMinimapData *overview, const LoomCollectives *collectives, double *waits, double *all)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (LoomMessagePart));
  loom_span_waits_add_message_parts (collectives, parts, NULL);
  for (guint i = 0; i < parts->len; i++) {
    const LoomMessagePart *part = &g_array_index (parts, LoomMessagePart, i);
    spread (waits, overview->range, part->range.begin_ns, loom_time_add (part->range.begin_ns, part->wait_ns));
    spread (all, overview->range, part->range.begin_ns, part->range.end_ns);
  }
}

void
loom_minimap_data_divide_communication (LoomMinimapData *overview, const LoomCollectives *collectives)
{
  g_return_if_fail (overview != NULL && collectives != NULL);
  g_autofree double *waits = g_new0 (double, N), *all = g_new0 (double, N);
  for (guint i = 0; overview->has_parts && i < collectives->n; i++) {
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, &collectives->all[i]);
    for (guint k = 0; k < collectives->all[i].n; k++) {
      gint64 arrival_ns = members[k].arrival_ns;
      spread (waits, overview->range, arrival_ns, loom_time_add (arrival_ns, members[k].wait_ns));
      spread (all, overview->range, arrival_ns, members[k].end_ns);
    }
  }
  if (overview->has_parts)
    spread_messages (overview, collectives, waits, all);
  for (guint k = 0; k < N; k++) {
    float share = all[k] > 0 ? (float) MIN (waits[k] / all[k], 1) : 0,
          waiting = overview->part[LOOM_MINIMAP_COMMUNICATION][k] * share;
    overview->part[LOOM_MINIMAP_COMMUNICATION][k] -= waiting;
    overview->part[LOOM_MINIMAP_WAITING][k] = waiting;
  }
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
