/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-root-cause.h"

#include <string.h>

#include "loom-data-loading.h"

static gboolean
is_left_out (const LoomDataFrame *frame, guint32 row, LoomRowChoice choice)
{
  const LoomDataFrameRows *rows = &frame->rows;
  gboolean as_written = frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
  guint8 flags = rows->flags[row];
  if (choice == LOOM_ROWS_ALL)
    return !as_written && (flags & LOOM_ROW_LOOSE) != 0;
  if ((flags & LOOM_ROW_STEP) == 0)
    return FALSE;
  const char *name = loom_data_frame_get_text (frame, rows->metric[row]);
  return !as_written || strcmp (name, "Step:ModeKeys.TRAIN") == 0 || strcmp (name, "Step:ModeKeys.EVAL") == 0;
}

typedef struct {
  const LoomDataFrame *frame;
  GArray *metrics; /* LoomRootCauseMetric: the metrics found so far */
  /* [id of a text in the LoomDataFrame] 1 + index of the metric with this name in `metrics`; 0: there is no such
   * metric */
  guint32 *index;
} Adder;

static void
add_row (Adder *adder, guint32 row)
{
  const LoomDataFrameRows *rows = &adder->frame->rows;
  guint32 metric = rows->metric[row];
  if (adder->index[metric] == 0) {
    LoomRootCauseMetric fresh = { .metric = metric, .longest = row };
    fresh.is_phase = strstr (loom_data_frame_get_text (adder->frame, metric), "Step:ModeKeys") != NULL;
    fresh.is_worker = loom_data_loading_is_worker (loom_data_frame_get_text (adder->frame, metric));
    g_array_append_val (adder->metrics, fresh);
    adder->index[metric] = adder->metrics->len;
  }
  LoomRootCauseMetric *sum = &g_array_index (adder->metrics, LoomRootCauseMetric, adder->index[metric] - 1);
  sum->count++;
  if (rows->end_ns[row] - rows->start_ns[row] > rows->end_ns[sum->longest] - rows->start_ns[sum->longest])
    sum->longest = row;
  sum->total_ns += rows->end_ns[row] - rows->start_ns[row];
  sum->in_range_ns += loom_data_frame_get_time_in_range (adder->frame, row);
}

static int
compare_metrics (gconstpointer a, gconstpointer b, gpointer frame)
{
  const LoomRootCauseMetric *x = a, *y = b;
  if (x->in_range_ns != y->in_range_ns)
    return x->in_range_ns > y->in_range_ns ? -1 : 1;
  return strcmp (loom_data_frame_get_text (frame, x->metric), loom_data_frame_get_text (frame, y->metric));
}

void
loom_root_cause_init (LoomRootCause *cause, const LoomDataFrame *frame, const LoomIntervalSet *windows,
                      LoomRowChoice choice)
{
  loom_root_cause_init_without (cause, frame, windows, NULL, choice);
}

void
loom_root_cause_init_without (LoomRootCause *cause, const LoomDataFrame *frame, const LoomIntervalSet *windows,
                              const LoomIntervalSet *without, LoomRowChoice choice)
{
  *cause = (LoomRootCause) { 0 };
  const LoomDataFrameRows *rows = &frame->rows;
  guint n_hosts = frame->n_hosts;
  g_autofree gsize *near = g_new0 (gsize, n_hosts + 1), *near_without = g_new0 (gsize, n_hosts + 1);
  cause->n_texts = loom_data_frame_get_n_texts (frame);
  cause->by_text = g_new0 (guint32, cause->n_texts + 1);
  Adder adder = { frame, g_array_new (FALSE, FALSE, sizeof (LoomRootCauseMetric)), cause->by_text };
  gboolean empty = loom_interval_set_is_empty (windows);
  for (guint32 i = 0; i < rows->n && !empty; i++) {
    guint32 host = frame->workers[rows->worker[i]].host_id;
    if (!loom_interval_set_touch (windows, host, rows->start_ns[i], rows->end_ns[i], &near[host]) ||
        is_left_out (frame, i, choice))
      continue;
    if (without != NULL &&
        loom_interval_set_touch (without, host, rows->start_ns[i], rows->end_ns[i], &near_without[host]))
      continue;
    add_row (&adder, i);
    cause->n_rows++;
  }
  g_array_sort_with_data (adder.metrics, compare_metrics, (gpointer) frame);
  cause->n_metrics = adder.metrics->len;
  cause->metrics = (LoomRootCauseMetric *) g_array_free (adder.metrics, FALSE);
  for (guint i = 0; i < cause->n_metrics; i++) /* sorting moved the metrics, so their indices are stored again */
    cause->by_text[cause->metrics[i].metric] = i + 1;
}

void
loom_root_cause_clear (LoomRootCause *cause)
{
  g_clear_pointer (&cause->metrics, g_free);
  g_clear_pointer (&cause->by_text, g_free);
}

const LoomRootCauseMetric *
loom_root_cause_find (const LoomRootCause *cause, guint32 metric)
{
  guint32 known = metric < cause->n_texts ? cause->by_text[metric] : 0;
  return known > 0 ? &cause->metrics[known - 1] : NULL;
}
