/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rule-node-values.h"

#include "loom-metric-snapshots.h"

typedef struct {
  double sum;
  guint n;
} Cell;

static void
add_series (Cell *cells, const LoomMetricSnapshots *snapshots, const LoomSampleSeries *series, gboolean clamp)
{
  gsize near = 0;
  for (guint32 i = 0; i < series->n; i++) {
    Cell *cell = &cells[loom_metric_snapshots_find (snapshots, series->time_ns[i], &near)];
    cell->sum += clamp ? MAX (series->value[i], 0) : series->value[i];
    cell->n++;
  }
}

GArray *
loom_rule_node_values (const LoomDataFrame *frame, guint32 host_id, LoomSeriesFilter filter, gboolean sum,
                       gboolean clamp)
{
  guint n_series;
  const LoomSampleSeries *series = loom_data_frame_get_series (frame, &n_series);
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));
  LoomMetricSnapshots snapshots;
  loom_metric_snapshots_init (&snapshots, frame, host_id, NULL, NULL);
  g_autofree Cell *cells = g_new0 (Cell, snapshots.n + 1);
  for (guint i = 0; i < n_series; i++)
    if (series[i].host_id == host_id && filter (&series[i]))
      add_series (cells, &snapshots, &series[i], clamp);
  for (gsize i = 0; i < snapshots.n; i++) {
    double value = cells[i].n > 0 && !sum ? cells[i].sum / cells[i].n : cells[i].sum;
    if (cells[i].n > 0)
      g_array_append_val (values, value);
  }
  loom_metric_snapshots_clear (&snapshots);
  return values;
}
