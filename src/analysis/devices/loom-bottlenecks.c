/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-bottlenecks.h"

#include <string.h>

#include "loom-metric-snapshots.h"
#include "loom-statistics.h"

typedef struct {
  const LoomDataFrame *frame;
  const LoomJobPhases *phases;
  LoomSelect select;
  LoomBottleneckLimits limits;
  GArray *found; /* LoomBottleneck: the bottlenecks found so far */
  LoomBottlenecks *result;
} Finder;

static gboolean
is_gpu (const Finder *finder, const LoomSampleSeries *series)
{
  return loom_data_frame_series_is (series, LOOM_DEVICE_GPU, finder->select);
}

static gboolean
is_cpu (const Finder *finder, const LoomSampleSeries *series)
{
  return loom_data_frame_series_is (series, LOOM_DEVICE_CPU, finder->select);
}

/* --- bottlenecks of each host and snapshot ------------------------------------------------------------------------ */

typedef struct {
  LoomMetricSnapshots when;
  LoomBottleneck *at; /* one element for each snapshot */
} Snapshots;

static void
mark_high (const Finder *finder, const LoomSampleSeries *series, Snapshots *snapshots)
{
  gsize near = 0;
  for (guint32 i = 0; i < series->n; i++)
    if (series->value[i] > finder->limits.high_cpu)
      snapshots->at[loom_metric_snapshots_find (&snapshots->when, series->time_ns[i], &near)].n_high_cores++;
}

static void
mark_low (Finder *finder, const LoomSampleSeries *series, Snapshots *snapshots)
{
  gsize near = 0, last = G_MAXSIZE;
  for (guint32 i = 0; i < series->n; i++) {
    if (series->value[i] > finder->limits.low_gpu)
      continue;
    gsize number = loom_metric_snapshots_find (&snapshots->when, series->time_ns[i], &near);
    LoomBottleneck *at = &snapshots->at[number];
    if (at->n_high_cores == 0)
      continue;
    gboolean in_loop = loom_job_phases_in_loop (finder->phases, LOOM_NUMBER_CONVENTION_INTENDED, series->time_ns[i]);
    at->time_ns = at->n_low_gpus == 0 ? series->time_ns[i] : MIN (at->time_ns, series->time_ns[i]);
    at->in_loop |= in_loop;
    finder->result->n_samples++;
    finder->result->n_samples_in_loop += in_loop;
    if (number == last)
      continue; /* the snapshot has a second sample of this GPU, but the GPU counts once */
    last = number;
    at->n_low_gpus++;
    finder->result->n_rows++;
    finder->result->n_rows_in_loop += in_loop;
  }
}

static void
find_on_host (Finder *finder, guint32 host_id)
{
  Snapshots snapshots;
  loom_metric_snapshots_init (&snapshots.when, finder->frame, host_id, NULL, NULL);
  g_autofree LoomBottleneck *at = g_new0 (LoomBottleneck, MAX (snapshots.when.n, 1));
  snapshots.at = at;
  for (guint i = 0; i < finder->frame->n_series; i++)
    if (finder->frame->series[i].host_id == host_id && is_cpu (finder, &finder->frame->series[i]))
      mark_high (finder, &finder->frame->series[i], &snapshots);
  for (guint i = 0; i < finder->frame->n_series; i++)
    if (finder->frame->series[i].host_id == host_id && is_gpu (finder, &finder->frame->series[i]))
      mark_low (finder, &finder->frame->series[i], &snapshots);
  for (gsize i = 0; i < snapshots.when.n; i++) {
    if (at[i].n_low_gpus == 0)
      continue;
    at[i].host_id = host_id;
    g_array_append_vals (finder->found, &at[i], 1);
  }
  loom_metric_snapshots_clear (&snapshots.when);
}

/* --- numbers as smdebug computes them: samples with equal times (in µs) are compared, even of different hosts ---- */

static gint64 *
dup_high_times (const Finder *finder, gsize *n)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < finder->frame->n_series; i++)
    for (guint32 k = 0; is_cpu (finder, &finder->frame->series[i]) && k < finder->frame->series[i].n; k++)
      if (finder->frame->series[i].value[k] > finder->limits.high_cpu)
        g_array_append_vals (times, &finder->frame->series[i].time_ns[k], 1);
  *n = loom_statistics_sort_times ((gint64 *) times->data, times->len);
  return (gint64 *) g_array_free (g_steal_pointer (&times), FALSE);
}

/* For all GPUs with the same name, counts the times at which one of them is idle (a sample at or below low_gpu) while a
 * core is busy. `first`: index of the first series with this name. `high`: times at which a core is busy, ascending. If
 * a GPU is idle at the time high[i], increments three counts: low_gpus[i], and n_rows and n_rows_in_loop of the
 * result. */
static void
find_for_name (Finder *finder, guint first, const gint64 *high, gsize n_high, guint *low_gpus)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = first; i < finder->frame->n_series; i++) {
    const LoomSampleSeries *series = &finder->frame->series[i];
    if (!is_gpu (finder, series) || strcmp (series->name, finder->frame->series[first].name) != 0)
      continue;
    for (guint32 k = 0; k < series->n; k++)
      if (series->value[k] <= finder->limits.low_gpu)
        g_array_append_vals (times, &series->time_ns[k], 1);
  }
  const gint64 *low = (const gint64 *) times->data;
  gsize n = loom_statistics_sort_times ((gint64 *) times->data, times->len), at = 0;
  for (gsize i = 0; i < n; i++) {
    at = loom_statistics_first_at (high, n_high, low[i], at);
    if (at == n_high || high[at] != low[i])
      continue;
    low_gpus[at]++;
    finder->result->n_rows++;
    finder->result->n_rows_in_loop += finder->phases->has_loop && low[i] > finder->phases->loop_begin_ns;
  }
}

static gboolean
is_first_of_name (const Finder *finder, guint number)
{
  for (guint i = 0; i < number; i++)
    if (is_gpu (finder, &finder->frame->series[i]) &&
        strcmp (finder->frame->series[i].name, finder->frame->series[number].name) == 0)
      return FALSE;
  return TRUE;
}

static void
find_as_written (Finder *finder)
{
  gsize n_high;
  g_autofree gint64 *high = dup_high_times (finder, &n_high);
  g_autofree guint *low_gpus = g_new0 (guint, MAX (n_high, 1));
  for (guint i = 0; i < finder->frame->n_series; i++)
    if (is_gpu (finder, &finder->frame->series[i]) && is_first_of_name (finder, i))
      find_for_name (finder, i, high, n_high, low_gpus);
  for (gsize i = 0; i < n_high; i++) {
    LoomBottleneck item = { .time_ns = high[i], .n_low_gpus = low_gpus[i] };
    item.in_loop = finder->phases->has_loop && high[i] > finder->phases->loop_begin_ns;
    if (low_gpus[i] > 0)
      g_array_append_val (finder->found, item);
  }
  finder->result->n_samples_in_loop = finder->result->n_rows_in_loop;
}

static int
compare_bottlenecks (gconstpointer a, gconstpointer b)
{
  const LoomBottleneck *x = a, *y = b;
  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  return x->host_id < y->host_id ? -1 : x->host_id > y->host_id;
}

void
loom_bottlenecks_init (LoomBottlenecks *bottlenecks, const LoomDataFrame *frame, const LoomJobPhases *phases,
                       LoomSelect select, LoomBottleneckLimits limits)
{
  *bottlenecks = (LoomBottlenecks) { 0 };
  Finder finder = { .frame = frame,
                    .phases = phases,
                    .select = select,
                    .limits = limits,
                    .result = bottlenecks,
                    .found = g_array_new (FALSE, FALSE, sizeof (LoomBottleneck)) };
  if (frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG)
    find_as_written (&finder);
  else
    for (guint32 host = 0; host < frame->n_hosts; host++)
      find_on_host (&finder, host);
  g_array_sort (finder.found, compare_bottlenecks);
  bottlenecks->n = finder.found->len;
  bottlenecks->items = (LoomBottleneck *) g_array_free (finder.found, FALSE);
}

void
loom_bottlenecks_clear (LoomBottlenecks *bottlenecks)
{
  g_clear_pointer (&bottlenecks->items, g_free);
}

gboolean
loom_bottlenecks_have_metrics (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    if (g_str_has_prefix (loom_run_get_source (run, i)->format, "smdebug"))
      return TRUE;
  return FALSE;
}

GArray *
loom_bottlenecks_find_times (const LoomDataFrame *frame, const LoomJobPhases *phases, LoomBottleneckLimits limits)
{
  LoomBottlenecks bottlenecks;
  GArray *times_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  loom_bottlenecks_init (&bottlenecks, frame, phases, LOOM_SELECT_DIMENSION, limits);
  for (guint i = 0; i < bottlenecks.n; i++)
    g_array_append_val (times_ns, bottlenecks.items[i].time_ns);
  loom_bottlenecks_clear (&bottlenecks);
  return times_ns;
}
