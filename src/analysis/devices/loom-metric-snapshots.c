/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-metric-snapshots.h"

#include <string.h>

#include "loom-statistics.h"

static gboolean
is_wanted (const LoomSampleSeries *series, guint32 host_id, const char *a, const char *b)
{
  return series->host_id == host_id &&
         (a == NULL || strcmp (series->dimension, a) == 0 || strcmp (series->dimension, b) == 0);
}

void
loom_metric_snapshots_init (LoomMetricSnapshots *snapshots, const LoomDataFrame *frame, guint32 host_id, const char *a,
                            const char *b)
{
  const LoomSampleSeries *series = frame->series;
  GArray *times = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < frame->n_series; i++)
    if (is_wanted (&series[i], host_id, a, b))
      g_array_append_vals (times, series[i].time_ns, series[i].n);
  gint64 *starts = (gint64 *) times->data;
  gsize n = loom_statistics_sort_times (starts, times->len);
  snapshots->n = 0;
  for (gsize i = 0; i < n; i++)
    if (snapshots->n == 0 || starts[i] - starts[snapshots->n - 1] > LOOM_SNAPSHOT_NS)
      starts[snapshots->n++] = starts[i];
  snapshots->starts = (gint64 *) (gpointer) g_array_free (times, FALSE);
}

void
loom_metric_snapshots_clear (LoomMetricSnapshots *snapshots)
{
  g_clear_pointer (&snapshots->starts, g_free);
}

gsize
loom_metric_snapshots_find (const LoomMetricSnapshots *snapshots, gint64 time_ns, gsize *near)
{
  *near = loom_statistics_first_at (snapshots->starts, snapshots->n, time_ns + 1, *near);
  return *near > 0 ? *near - 1 : 0;
}
