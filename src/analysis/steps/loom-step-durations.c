/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-step-durations.h"

#include "loom-statistics.h"
#include "loom-step-index.h"

typedef struct {
  GArray *durations; /* double: durations of the worker's steps in ns */
  LoomStepGroup group;
} Worker;

static void
measure (Worker *workers, guint n_workers, const LoomDataFrame *frame, gboolean pooled)
{
  const LoomDataFrameRows *rows = &frame->rows;
  for (guint32 i = 0; i < rows->n; i++) {
    if ((rows->flags[i] & LOOM_ROW_TRAIN) == 0)
      continue;
    Worker *worker = &workers[pooled ? 0 : rows->worker[i]];
    gint64 dur_ns = rows->end_ns[i] - rows->start_ns[i];
    double dur = (double) dur_ns;
    if (worker->durations == NULL)
      worker->durations = g_array_new (FALSE, FALSE, sizeof (double));
    g_array_append_val (worker->durations, dur);
    worker->group.total_ns += dur_ns;
    worker->group.in_range_ns += loom_data_frame_get_time_in_range (frame, i);
  }
  for (guint i = 0; i < n_workers; i++) {
    Worker *worker = &workers[i];
    worker->group.worker = pooled ? G_MAXUINT : i;
    worker->group.n = worker->durations != NULL ? worker->durations->len : 0;
    if (worker->durations != NULL)
      worker->group.median_ns = loom_statistics_median ((double *) worker->durations->data, worker->durations->len);
    g_clear_pointer (&worker->durations, g_array_unref);
  }
}

static void
count_steps (LoomStepDurations *steps, const LoomDataFrame *frame)
{
  LoomStepIndex index;
  loom_step_index_init (&index, frame, LOOM_ROW_TRAIN);
  g_autofree gboolean *is_outlier = g_new0 (gboolean, frame->rows.n + 1);
  g_autofree gboolean *seen = g_new0 (gboolean, index.n_steps + 1);
  for (guint32 i = 0; i < steps->n_outliers; i++)
    is_outlier[steps->outliers[i]] = TRUE;
  for (guint32 i = 0; i < index.n; i++) {
    if (!is_outlier[index.items[i].row] || seen[index.items[i].step])
      continue;
    seen[index.items[i].step] = TRUE;
    steps->n_outlier_steps++;
  }
  steps->n_steps = index.n_steps;
  steps->n_ranks = index.n_ranks;
  loom_step_index_clear (&index);
}

void
loom_step_durations_init (LoomStepDurations *steps, const LoomDataFrame *frame, double factor, gboolean all_ranks)
{
  const LoomDataFrameRows *rows = &frame->rows;
  gboolean as_written = frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG, pooled = as_written || all_ranks;
  guint n_workers = pooled ? 1 : frame->n_workers;
  g_autofree Worker *workers = g_new0 (Worker, MAX (n_workers, 1));
  g_autoptr (GArray) outliers = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) normal = g_array_new (FALSE, FALSE, sizeof (guint32));
  measure (workers, n_workers, frame, pooled);
  for (guint32 i = 0; i < rows->n; i++) {
    if ((rows->flags[i] & LOOM_ROW_TRAIN) == 0)
      continue;
    LoomStepGroup *group = &workers[pooled ? 0 : rows->worker[i]].group;
    double dur = (double) (rows->end_ns[i] - rows->start_ns[i]), limit = factor * group->median_ns;
    if (dur > limit) {
      g_array_append_val (outliers, i);
      group->n_outliers++;
    } else if (dur < limit || !as_written) {
      g_array_append_val (normal, i);
      group->n_normal++;
    }
  }
  *steps = (LoomStepDurations) { .groups = g_new (LoomStepGroup, MAX (n_workers, 1)),
                                 .n_outliers = outliers->len,
                                 .n_normal = normal->len };
  for (guint i = 0; i < n_workers; i++)
    if (workers[i].group.n > 0)
      steps->groups[steps->n_groups++] = workers[i].group;
  steps->outliers = (guint32 *) g_array_free (g_steal_pointer (&outliers), FALSE);
  steps->normal = (guint32 *) g_array_free (g_steal_pointer (&normal), FALSE);
  count_steps (steps, frame);
}

void
loom_step_durations_clear (LoomStepDurations *steps)
{
  g_clear_pointer (&steps->groups, g_free);
  g_clear_pointer (&steps->outliers, g_free);
  g_clear_pointer (&steps->normal, g_free);
}
