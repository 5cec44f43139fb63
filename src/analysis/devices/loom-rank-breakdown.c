/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rank-breakdown.h"

#include "loom-device-rows.h"
#include "loom-parallel.h"
#include "loom-ranges.h"

typedef struct {
  const LoomDeviceRows *lanes;
  const GArray *waits; /* LoomSpanWait, sorted by trace and span; NULL: unknown */
  LoomRange range;
  GCancellable *cancellable;
  LoomRankTime *times; /* [index in lanes->groups] times of the group */
} Job;

/* State of the sweep over one group (LoomDeviceRowGroup). */
typedef struct {
  LoomRankTime *time;
  GArray *waits;      /* LoomRange: waits of the group, in order and without overlap */
  LoomRange recorded; /* from the start to the end of the recorded time inside the range; both 0: nothing is recorded */
} Counter;

#define HAS(mask, bits) (((mask) & (bits)) != 0)

/* --- waits of a group --------------------------------------------------------------------------------------------- */

static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const LoomSpanId *x = &((const LoomSpanWait *) a)->span, *y = &((const LoomSpanWait *) b)->span;
  if (x->trace != y->trace)
    return x->trace < y->trace ? -1 : 1;
  return x->span < y->span ? -1 : x->span > y->span;
}

/* Returns the index of the first wait whose span is `span` of `trace` or a later span. */
static guint
find_wait (const GArray *waits, guint32 trace, guint32 span)
{
  const LoomSpanWait wanted = { .span = { trace, span } };
  guint low = 0, high = waits->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (compare_waits (&g_array_index (waits, LoomSpanWait, middle), &wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns the waits of the spans in the rows of a group. Owned by the caller. */
static GArray *
gather_waits (const GArray *waits, const LoomDeviceRowGroup *group)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  for (guint i = 0; waits != NULL && i < group->rows->len; i++) {
    const LoomDeviceRow *row = &g_array_index (group->rows, LoomDeviceRow, i);
    guint end = find_wait (waits, row->trace, row->end);
    for (guint k = find_wait (waits, row->trace, row->first); k < end; k++)
      g_array_append_val (ranges, g_array_index (waits, LoomSpanWait, k).range);
  }
  loom_ranges_join (ranges);
  return ranges;
}

/* --- times of a group --------------------------------------------------------------------------------------------- */

static void
count_stretch (gint64 begin_ns, gint64 end_ns, guint mask, gpointer data)
{
  Counter *counter = data;
  LoomRankTime *time = counter->time;
  gint64 ns = end_ns - begin_ns;
  counter->recorded = (LoomRange) { time->recorded_ns > 0 ? counter->recorded.begin_ns : begin_ns, end_ns };
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
  if (communicates && !computes) {
    time->exposed_communication_ns += ns;
    time->exposed_wait_ns += ns - loom_ranges_get_outside (counter->waits, begin_ns, end_ns);
  }
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
  time->device = group->device;
  time->sources = (const guint *) (gpointer) group->sources->data;
  time->n_sources = group->sources->len;
  g_autoptr (GArray) waits = gather_waits (job->waits, group);
  Counter counter = { time, waits, { 0, 0 } };
  if (!loom_device_rows_sweep (job->lanes, group, job->range, count_stretch, &counter, &seen, job->cancellable))
    return;
  time->begin_ns = seen.n_spans > 0 ? seen.first_ns : counter.recorded.begin_ns;
  time->end_ns = seen.n_spans > 0 ? seen.last_ns : counter.recorded.end_ns;
  time->n_spans = seen.n_spans;
}

/* Returns TRUE if two elements belong to one rank. Elements of unknown rank belong to one rank if they are from the
 * same file. */
static gboolean
is_same_rank (const LoomRankTime *a, const LoomRankTime *b)
{
  return g_strcmp0 (a->node, b->node) == 0 && a->rank == b->rank && (a->rank >= 0 || a->sources[0] == b->sources[0]);
}

static void
sum_times (LoomRankTime *sum, const LoomRankTime *time)
{
  gint64 *const sums[] = { &sum->recorded_ns,
                           &sum->busy_ns,
                           &sum->idle_ns,
                           &sum->compute_ns,
                           &sum->communication_ns,
                           &sum->overlap_ns,
                           &sum->exposed_communication_ns,
                           &sum->exposed_wait_ns,
                           &sum->copy_ns,
                           &sum->exposed_copy_ns,
                           &sum->non_compute_ns };
  const gint64 times[] = { time->recorded_ns,
                           time->busy_ns,
                           time->idle_ns,
                           time->compute_ns,
                           time->communication_ns,
                           time->overlap_ns,
                           time->exposed_communication_ns,
                           time->exposed_wait_ns,
                           time->copy_ns,
                           time->exposed_copy_ns,
                           time->non_compute_ns };
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    *sums[i] = loom_time_add (*sums[i], times[i]);
  sum->n_spans += time->n_spans;
  sum->begin_ns = MIN (sum->begin_ns, time->begin_ns);
  sum->end_ns = MAX (sum->end_ns, time->end_ns);
  if (time->n_sources > sum->n_sources) {
    sum->sources = time->sources;
    sum->n_sources = time->n_sources;
  }
}

/* Returns TRUE if the group has work in the range, or is recorded in the range but idle. */
static gboolean
is_listed (const LoomRankTime *time)
{
  return time->n_spans > 0 || time->recorded_ns > 0;
}

typedef enum { BY_RANK, BY_DEVICE, SUMMED } Grouping;

/* Adds the times of device `i` to the sum of its rank. In `ranks`, the first n_ranks elements are sums of ranks that
 * were already made; the elements from index `i` on are times of single devices. The devices of a rank are neighbours.
 * So if the rank of device `i` already has a sum, it is the last one made. */
static void
add_device (LoomRankBreakdown *breakdown, guint i)
{
  LoomRankTime time = breakdown->ranks[i];
  LoomRankTime *last = breakdown->n_ranks > 0 ? &breakdown->ranks[breakdown->n_ranks - 1] : NULL;
  time.device = NULL;
  if (!is_listed (&time))
    return;
  if (last != NULL && is_same_rank (last, &time))
    sum_times (last, &time);
  else
    breakdown->ranks[breakdown->n_ranks++] = time;
}

static LoomRankBreakdown *
measure (LoomTimeline *timeline, Grouping grouping, LoomRange range, GArray *waits, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  LoomDeviceRows *lanes = loom_device_rows_new (timeline, grouping != BY_RANK, cancellable);
  if (lanes == NULL)
    return NULL;
  g_autoptr (LoomRankBreakdown) breakdown = g_new0 (LoomRankBreakdown, 1);
  guint n = lanes->groups->len;
  breakdown->lanes = lanes;
  breakdown->ranks = g_new0 (LoomRankTime, MAX (n, 1));
  g_autoptr (GArray) sorted = waits != NULL ? g_array_copy (waits) : NULL;
  if (sorted != NULL)
    g_array_sort (sorted, compare_waits);
  Job job = { lanes, sorted, range, cancellable, breakdown->ranks };
  loom_parallel_for (n, 0, measure_group, &job, NULL);
  for (guint i = 0; i < n; i++)
    if (grouping == SUMMED)
      add_device (breakdown, i);
    else if (is_listed (&breakdown->ranks[i]))
      breakdown->ranks[breakdown->n_ranks++] = breakdown->ranks[i];
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&breakdown);
}

LoomRankBreakdown *
loom_rank_breakdown_new (LoomTimeline *timeline, LoomRange range, GCancellable *cancellable)
{
  return measure (timeline, BY_RANK, range, NULL, cancellable);
}

LoomRankBreakdown *
loom_rank_breakdown_new_summed (LoomTimeline *timeline, LoomRange range, GArray *waits, GCancellable *cancellable)
{
  return measure (timeline, SUMMED, range, waits, cancellable);
}

LoomRankBreakdown *
loom_rank_breakdown_new_of_devices (LoomTimeline *timeline, LoomRange range, GArray *waits, GCancellable *cancellable)
{
  return measure (timeline, BY_DEVICE, range, waits, cancellable);
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
