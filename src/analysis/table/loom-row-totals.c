/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-row-totals.h"

#include "loom-statistics.h"

void
loom_row_totals_init (LoomRowTotals *totals, const LoomDataFrame *frame, gboolean by_metric_alone)
{
  const LoomDataFrameRows *rows = &frame->rows;
  g_autofree guint64 *keys = g_new (guint64, MAX (rows->n, 1));
  g_autofree guint32 *order = g_new (guint32, MAX (rows->n, 1));
  GArray *items = g_array_new (FALSE, FALSE, sizeof (LoomRowTotal));
  for (guint32 i = 0; i < rows->n; i++) {
    keys[i] = (guint64) rows->metric[i] << 32 | (by_metric_alone ? 0 : rows->worker[i]);
    order[i] = i;
  }
  loom_statistics_sort (keys, order, rows->n);
  for (guint32 i = 0; i < rows->n && !by_metric_alone; i++)
    keys[i] = rows->process[order[i]];
  loom_statistics_sort (keys, order, by_metric_alone ? 0 : rows->n);
  for (guint32 i = 0; i < rows->n; i++) {
    guint32 row = order[i];
    LoomRowTotal fresh = { by_metric_alone ? 0 : rows->process[row], rows->metric[row],
                           by_metric_alone ? 0 : rows->worker[row], 0, 0 };
    LoomRowTotal *last = items->len > 0 ? &g_array_index (items, LoomRowTotal, items->len - 1) : NULL;
    if (last == NULL || last->process != fresh.process || last->metric != fresh.metric ||
        last->worker != fresh.worker) {
      g_array_append_val (items, fresh);
      last = &g_array_index (items, LoomRowTotal, items->len - 1);
    }
    last->count++;
    last->total_ns += loom_data_frame_get_duration (frame, row);
  }
  totals->n = items->len;
  totals->items = (LoomRowTotal *) g_array_free (items, FALSE);
}

void
loom_row_totals_clear (LoomRowTotals *totals)
{
  g_clear_pointer (&totals->items, g_free);
}
