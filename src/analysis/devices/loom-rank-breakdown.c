/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rank-breakdown.h"

#include "loom-device-rows.h"
#include "loom-parallel.h"

typedef struct {
  const LoomDeviceRows *lanes;
  LoomRange range;
  GCancellable *cancellable;
  LoomRankTime *times; /* [group of `lanes`] */
} Job;

#define HAS(mask, bits) (((mask) & (bits)) != 0)

static void
count_stretch (gint64 begin_ns, gint64 end_ns, guint mask, gpointer data)
{
  LoomRankTime *time = data;
  gint64 ns = end_ns - begin_ns;
  gboolean computes = HAS (mask, 1u << LOOM_WORK_KIND_COMPUTE),
           communicates = HAS (mask, 1u << LOOM_WORK_KIND_COMMUNICATION);
  time->recorded_ns += ns;
  if (mask == LOOM_GPU_RECORDED) {
    time->idle_ns += ns;
    return;
  }
  time->busy_ns += ns;
  time->compute_ns += computes ? ns : 0;
  time->non_compute_ns += computes ? 0 : ns;
  time->communication_ns += communicates ? ns : 0;
  time->overlap_ns += computes && communicates ? ns : 0;
  time->exposed_communication_ns += communicates && !computes ? ns : 0;
  time->copy_ns += HAS (mask, LOOM_GPU_COPIES) ? ns : 0;
  time->exposed_copy_ns += HAS (mask, LOOM_GPU_KERNELS) ? 0 : ns;
}

static void
measure_group (guint item, guint worker, gpointer data)
{
  Job *job = data;
  const LoomDeviceRowGroup *group = job->lanes->groups->pdata[item];
  LoomRankTime *time = &job->times[item];
  LoomDeviceRowsSeen seen;
  time->node = group->node;
  time->rank = group->rank;
  time->sources = (const guint *) (gpointer) group->sources->data;
  time->n_sources = group->sources->len;
  if (!loom_device_rows_sweep (job->lanes, group, job->range, count_stretch, time, &seen, job->cancellable))
    return;
  time->begin_ns = seen.first_ns;
  time->end_ns = seen.last_ns;
  time->n_spans = seen.n_spans;
}

LoomRankBreakdown *
loom_rank_breakdown_new (LoomTimeline *timeline, LoomRange range, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  LoomDeviceRows *lanes = loom_device_rows_new (timeline, FALSE, cancellable);
  if (lanes == NULL)
    return NULL;
  g_autoptr (LoomRankBreakdown) breakdown = g_new0 (LoomRankBreakdown, 1);
  guint n = lanes->groups->len;
  breakdown->lanes = lanes;
  breakdown->ranks = g_new0 (LoomRankTime, MAX (n, 1));
  Job job = { lanes, range, cancellable, breakdown->ranks };
  loom_parallel_for (n, 0, measure_group, &job, NULL);
  for (guint i = 0; i < n; i++)
    if (breakdown->ranks[i].n_spans > 0)
      breakdown->ranks[breakdown->n_ranks++] = breakdown->ranks[i];
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&breakdown);
}

void
loom_rank_breakdown_free (LoomRankBreakdown *breakdown)
{
  if (breakdown == NULL)
    return;
  loom_device_rows_free (breakdown->lanes);
  g_free (breakdown->ranks);
  g_free (breakdown);
}

const char *
loom_rank_breakdown_get_missing (const LoomRankBreakdown *breakdown)
{
  return breakdown->n_ranks > 0 ? NULL : loom_device_rows_why_nothing (breakdown->lanes);
}
