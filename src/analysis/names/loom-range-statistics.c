/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the sorted table of statistics from the sums that loom-name-aggregate.h computes for each name.
 */
#include "loom-range-statistics.h"

#include <math.h>
#include <string.h>

#include "loom-name-aggregate.h"

static int
compare_totals (gconstpointer a, gconstpointer b)
{
  const LoomNameStats *x = a, *y = b;
  if (x->total_ns != y->total_ns)
    return x->total_ns > y->total_ns ? -1 : 1;
  int order = strcmp (x->name, y->name);
  return order != 0 ? order : strcmp (x->category, y->category);
}

static gint64
divide_rounded (gint64 total_ns, guint64 count)
{
  return (gint64) (((guint64) total_ns + count / 2) / count);
}

/* Returns the standard deviation, computed from the sum of the durations and the sum of their squares. */
static double
get_deviation (double total_ns, double squares, guint64 count)
{
  double n = (double) count;
  return count > 1 ? sqrt (fmax (squares - total_ns * (total_ns / n), 0) / (n - 1)) : 0;
}

static void
add_name (LoomRangeStatistics *stats, const LoomName *name, const LoomNameSums *sums)
{
  LoomNameStats row = { .name = name->text, .category = name->category, .longest = sums->longest };
  for (guint i = 0; i < LOOM_N_BAND_PARTS; i++)
    row.count += sums->parts[i];
  if (row.count == 0)
    return;
  gint64 below_ns = (gint64) MIN (sums->below_ns, (guint64) G_MAXINT64);
  row.total_ns = sums->total_ns;
  row.in_range_ns = loom_time_sub (sums->total_ns, sums->cut_ns);
  row.self_ns = loom_time_sub (sums->total_ns, below_ns);
  row.self_in_range_ns = loom_time_sub (row.in_range_ns, loom_time_sub (below_ns, sums->below_cut_ns));
  row.mean_ns = divide_rounded (sums->total_ns, row.count);
  row.deviation_ns = get_deviation ((double) sums->total_ns, (double) sums->squares, row.count);
  row.min_ns = sums->min_ns;
  row.max_ns = sums->max_ns;
  row.p50_ns = sums->quantiles_ns[0];
  row.p95_ns = sums->quantiles_ns[1];
  row.p99_ns = sums->quantiles_ns[2];
  g_array_append_val (stats->all_names, row);
  stats->count += row.count;
}

static void
add_sources (LoomRangeStatistics *stats, const gboolean *traces)
{
  LoomRun *run = loom_timeline_get_run (stats->timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    for (guint k = 0; traces[i] && k < loom_trace_get_n_sources (loom_run_get_trace (run, i)); k++) {
      guint source = loom_run_get_first_source (run, i) + k;
      g_array_append_val (stats->all_sources, source);
    }
}

static void
set_shares (LoomRangeStatistics *stats)
{
  double all_ns = 0;
  for (guint i = 0; i < stats->all_names->len; i++)
    all_ns += (double) g_array_index (stats->all_names, LoomNameStats, i).in_range_ns;
  for (guint i = 0; i < stats->all_names->len && all_ns > 0; i++) {
    LoomNameStats *row = &g_array_index (stats->all_names, LoomNameStats, i);
    row->share = (double) row->in_range_ns / all_ns;
  }
}

LoomRangeStatistics *
loom_range_statistics_new_with_names (LoomTimeline *timeline, LoomRunNames *names, LoomRange range,
                                      const LoomTrackId *tracks, gsize n_tracks, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL && names != NULL, NULL);
  g_return_val_if_fail (names->run == loom_timeline_get_run (timeline), NULL);
  g_autoptr (LoomNameAggregate) pass = loom_name_aggregate_run (timeline, names, range, tracks, n_tracks, cancellable);
  if (pass == NULL)
    return NULL;
  LoomRangeStatistics *stats = g_new0 (LoomRangeStatistics, 1);
  stats->timeline = loom_timeline_ref (timeline);
  stats->joined = loom_run_names_ref (names);
  stats->all_names = g_array_new (FALSE, FALSE, sizeof (LoomNameStats));
  stats->all_sources = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint32 id = 0; id < names->n; id++)
    add_name (stats, &names->names[id], &loom_name_aggregate_get (pass)[id]);
  add_sources (stats, loom_name_aggregate_get_traces (pass));
  set_shares (stats);
  g_array_sort (stats->all_names, compare_totals);
  stats->names = (const LoomNameStats *) (gpointer) stats->all_names->data;
  stats->n_names = stats->all_names->len;
  stats->sources = (const guint *) (gpointer) stats->all_sources->data;
  stats->n_sources = stats->all_sources->len;
  return stats;
}

LoomRangeStatistics *
loom_range_statistics_new (LoomTimeline *timeline, LoomRange range, const LoomTrackId *tracks, gsize n_tracks,
                           GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (LoomRunNames) names = loom_run_names_new (loom_timeline_get_run (timeline));
  return loom_range_statistics_new_with_names (timeline, names, range, tracks, n_tracks, cancellable);
}

void
loom_range_statistics_free (LoomRangeStatistics *stats)
{
  if (stats == NULL)
    return;
  loom_timeline_unref (stats->timeline);
  loom_run_names_unref (stats->joined);
  g_array_unref (stats->all_names);
  g_array_unref (stats->all_sources);
  g_free (stats);
}
