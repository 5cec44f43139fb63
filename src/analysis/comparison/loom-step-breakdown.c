/* SPDX-License-Identifier: Apache-2.0
 *
 * Divides the steps of each rank into parts. For this, goes once through the spans of the rank's devices
 * (loom-device-rows.h). This pass yields intervals in order of time, each with the kinds of device work that run in it.
 * Intervals are split where steps start and end. Communication that is not hidden by computation counts as rank wait
 * where a wait for other ranks is listed, else as transfer. Idle time counts as data wait where a wait for data is
 * listed, else as idle. Overlapping waits in these lists are merged before the pass.
 */
#include "loom-step-breakdown-private.h"

#include <string.h>

#include "loom-device-rows.h"
#include "loom-int64-hash.h"
#include "loom-parallel.h"
#include "loom-ranges.h"
#include "loom-rank-key.h"
#include "loom-statistics.h"
#include "loom-step-durations.h"

const char *
loom_step_breakdown_part_to_string (LoomStepBreakdownPart part)
{
  static const char *const words[] = { "compute", "rank_wait", "transfer", "copy", "data_wait", "idle" };
  g_return_val_if_fail (part < LOOM_STEP_BREAKDOWN_N_PARTS, NULL);
  return words[part];
}

static void
rank_free (gpointer data)
{
  LoomStepBreakdownRank *rank = data;
  g_array_unref (rank->steps);
  g_array_unref (rank->rank_waits);
  g_array_unref (rank->collective_waits);
  g_array_unref (rank->data_waits);
  g_free (rank);
}

/* --- ranks and their steps ---------------------------------------------------------------------------------------- */

/* Returns TRUE if `rank` has this node and number. An unknown node (NULL) matches any node. If the number is unknown
 * (−1), the trace must be the trace of `rank`. */
static gboolean
is_rank (const LoomStepBreakdownRank *rank, const char *node, gint number, guint32 trace)
{
  gboolean same_node = node == NULL || rank->shown.node == NULL || strcmp (node, rank->shown.node) == 0;
  return same_node && number == rank->shown.rank && (number >= 0 || trace == rank->trace);
}

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  const LoomStepBreakdownRank *x = *(LoomStepBreakdownRank *const *) a, *y = *(LoomStepBreakdownRank *const *) b;
  int by_node = g_strcmp0 (x->shown.node, y->shown.node);
  if (by_node != 0)
    return by_node;
  if (x->shown.rank != y->shown.rank)
    return x->shown.rank < y->shown.rank ? -1 : 1;
  return x->trace < y->trace ? -1 : x->trace > y->trace;
}

/* Returns the key of a rank in LoomStepBreakdown.by_number: the number of the rank or, if it is unknown, −1 − index of
 * its trace */
static gpointer
make_number_key (gint number, guint32 trace)
{
  return GSIZE_TO_POINTER ((gsize) (number >= 0 ? number : ~(gint64) trace));
}

static void
index_rank (LoomStepBreakdown *breakdown, LoomStepBreakdownRank *rank)
{
  gpointer key = make_number_key (rank->shown.rank, rank->trace);
  GPtrArray *same = g_hash_table_lookup (breakdown->by_number, key);
  if (same == NULL)
    g_hash_table_insert (breakdown->by_number, key, same = g_ptr_array_new ());
  g_ptr_array_add (same, rank);
}

/* Returns the first rank in breakdown->gathered with this node and number; NULL: there is none. If the node is unknown
 * (NULL), ranks on all nodes match, and a rank in the trace with the index `trace` is preferred. O(nodes that have a
 * rank of this number). */
static LoomStepBreakdownRank *
search_rank (const LoomStepBreakdown *breakdown, const char *node, gint number, guint32 trace)
{
  const GPtrArray *same = g_hash_table_lookup (breakdown->by_number, make_number_key (number, trace));
  LoomStepBreakdownRank *found = NULL;
  for (guint i = 0; same != NULL && i < same->len; i++) {
    LoomStepBreakdownRank *rank = same->pdata[i];
    gboolean better = found == NULL || (node == NULL && found->trace != trace && rank->trace == trace);
    if (better && is_rank (rank, node, number, trace))
      found = rank;
  }
  return found;
}

static void
sort_ranks (LoomStepBreakdown *breakdown)
{
  g_ptr_array_sort (breakdown->gathered, compare_ranks);
  g_hash_table_remove_all (breakdown->by_number);
  for (guint i = 0; i < breakdown->gathered->len; i++)
    index_rank (breakdown, breakdown->gathered->pdata[i]);
}

LoomStepBreakdownRank *
loom_step_breakdown_find_rank (LoomStepBreakdown *breakdown, const char *node, gint number, guint32 trace)
{
  const LoomRankKey key = { node, number, node == NULL || number < 0 ? trace : G_MAXUINT32 };
  LoomStepBreakdownRank *rank = g_hash_table_lookup (breakdown->known, &key);
  if (rank == NULL) {
    rank = search_rank (breakdown, node, number, trace);
    if (rank != NULL)
      g_hash_table_insert (breakdown->known, g_memdup2 (&key, sizeof key), rank);
  }
  return rank;
}

static LoomStepBreakdownRank *
add_rank (LoomStepBreakdown *breakdown, const char *node, gint number, guint32 trace)
{
  LoomStepBreakdownRank *rank = g_new0 (LoomStepBreakdownRank, 1);
  rank->shown.node = node;
  rank->shown.rank = number;
  rank->trace = trace;
  rank->steps = g_array_new (FALSE, FALSE, sizeof (LoomStepTime));
  rank->rank_waits = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  rank->collective_waits = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  rank->data_waits = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  g_ptr_array_add (breakdown->gathered, rank);
  index_rank (breakdown, rank);
  return rank;
}

/* Adds a step. If more than half of the step lies before the end of the rank's previous step, it is the same step,
 * recorded twice, and is skipped. A smaller overlap comes from rounded times; then the step begins where the previous
 * one ends. */
static void
add_step (LoomStepBreakdownRank *rank, const LoomStep *step)
{
  guint n = rank->steps->len;
  gint64 free_ns = n > 0 ? g_array_index (rank->steps, LoomStepTime, n - 1).end_ns : G_MININT64;
  if (n > 0 && free_ns > step->begin_ns + (step->end_ns - step->begin_ns) / 2)
    return;
  LoomStepTime time = {
    .number = step->number, .begin_ns = MAX (step->begin_ns, free_ns), .end_ns = step->end_ns, .span = step->span
  };
  g_array_append_val (rank->steps, time);
}

static double
get_share (const LoomStepBreakdownRank *rank, guint i, LoomRange range)
{
  const LoomStepTime *step = &g_array_index (rank->steps, LoomStepTime, i);
  return loom_ranges_get_share ((LoomRange) { step->begin_ns, step->end_ns }, range);
}

static gboolean
is_of_steps (const LoomStepBreakdownRank *rank, LoomRange range)
{
  gboolean begins = FALSE, ends = FALSE;
  for (guint i = 0; i < rank->steps->len; i++) {
    const LoomStepTime *step = &g_array_index (rank->steps, LoomStepTime, i);
    begins |= loom_ranges_begins_with (range, (LoomRange) { step->begin_ns, step->end_ns });
    ends |= loom_ranges_ends_with (range, (LoomRange) { step->begin_ns, step->end_ns });
  }
  return begins && ends;
}

/* If a step of a rank lies mostly inside the range, another step of this rank counts only if a minimum share of it lies
 * inside the range. Returns this share: LOOM_RANGES_MOSTLY if there is a rank of which one step starts exactly with the
 * range and one step ends exactly with the range; otherwise LOOM_RANGES_SLIVER. */
static double
get_least_share (const LoomStepBreakdown *breakdown, LoomRange range)
{
  for (guint i = 0; i < breakdown->gathered->len; i++)
    if (is_of_steps (breakdown->gathered->pdata[i], range))
      return LOOM_RANGES_MOSTLY;
  return LOOM_RANGES_SLIVER;
}

/* If no step of the rank lies mostly inside the range, does nothing. Otherwise removes the rank's steps of which less
 * than the share `least` lies inside the range. */
static void
drop_pieces (LoomStepBreakdownRank *rank, LoomRange range, double least)
{
  gboolean has_whole = FALSE;
  for (guint i = 0; i < rank->steps->len; i++)
    has_whole |= get_share (rank, i, range) >= LOOM_RANGES_MOSTLY;
  for (guint i = rank->steps->len; has_whole && i-- > 0;)
    if (get_share (rank, i, range) < least)
      g_array_remove_index (rank->steps, i);
}

static void
gather_steps (LoomStepBreakdown *breakdown, LoomSteps *steps, LoomRange range)
{
  const LoomStep *all = steps->all, *reference = steps->reference;
  for (guint i = 0; steps->n_reference > 0 && i < steps->n; i++) {
    gboolean inside = all[i].begin_ns < range.end_ns && all[i].end_ns > range.begin_ns;
    if (!inside || all[i].mode != reference->mode || strcmp (all[i].format, reference->format) != 0)
      continue;
    LoomStepBreakdownRank *rank =
      loom_step_breakdown_find_rank (breakdown, all[i].node, all[i].rank, all[i].span.trace);
    if (rank == NULL)
      rank = add_rank (breakdown, all[i].node, all[i].rank, all[i].span.trace);
    add_step (rank, &all[i]);
  }
  double least = get_least_share (breakdown, range);
  for (guint i = 0; i < breakdown->gathered->len; i++)
    drop_pieces (breakdown->gathered->pdata[i], range, least);
}

/* Returns the index in LoomRun of the first trace that has rows of the group. */
static guint32
get_trace (const LoomDeviceRowGroup *group)
{
  return g_array_index (group->rows, LoomDeviceRow, 0).trace;
}

/* Returns the parts of the range in which the devices of the group are recorded (LoomRange), in order and without
 * overlap. Owned by the caller. */
static GArray *
list_recorded (const LoomDeviceRowGroup *group, LoomRange range)
{
  GArray *recorded = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  for (guint i = 0; i < group->windows->len; i++) {
    LoomRange window = g_array_index (group->windows, LoomDeviceWindow, i).range;
    window = (LoomRange) { MAX (window.begin_ns, range.begin_ns), MIN (window.end_ns, range.end_ns) };
    if (window.begin_ns < window.end_ns)
      g_array_append_val (recorded, window);
  }
  loom_ranges_join (recorded);
  return recorded;
}

/* Adds a rank for each group of device rows. The steps of this rank are the parts of the range in which its devices are
 * recorded. */
static void
gather_groups (LoomStepBreakdown *breakdown, const LoomDeviceRows *rows, LoomRange range)
{
  for (guint i = 0; i < rows->groups->len; i++) {
    const LoomDeviceRowGroup *group = rows->groups->pdata[i];
    g_autoptr (GArray) recorded = list_recorded (group, range);
    LoomStepBreakdownRank *rank =
      recorded->len > 0 ? add_rank (breakdown, group->node, group->rank, get_trace (group)) : NULL;
    const LoomDeviceRow *first = &g_array_index (group->rows, LoomDeviceRow, 0);
    for (guint k = 0; k < recorded->len; k++) {
      LoomRange time = g_array_index (recorded, LoomRange, k);
      LoomStepTime step = {
        .number = -1, .begin_ns = time.begin_ns, .end_ns = time.end_ns, .span = { first->trace, first->first }
      };
      g_array_append_val (rank->steps, step);
    }
    if (rank == NULL)
      continue;
    rank->group = group;
    rank->shown.device = group->device;
  }
}

/* --- parts of the steps, from the spans of devices ---------------------------------------------------------------- */

/* State of the pass over the device spans of one rank. The indices `step` and `wait` only increase during the pass. */
typedef struct {
  LoomStepBreakdownRank *rank;
  LoomRange range; /* only time inside this range is added to the parts of the steps */
  guint step;
  /* for each of the rank's rank_waits, collective_waits and data_waits, the index of the first element that ends after
   * the start of the current interval */
  guint wait[3];
  gint64 at_ns; /* all time before this instant has already been added to the parts of steps */
} Counter;

enum { RANK_WAITS, COLLECTIVE_WAITS, DATA_WAITS };

/* Returns how many ns of the interval [begin_ns, end_ns) are covered by `ranges`. `at`: index of the first range that
 * may overlap the interval. The function increases `at`, so calls must come in order of time. */
static gint64
count_inside (const GArray *ranges, guint *at, gint64 begin_ns, gint64 end_ns)
{
  gint64 inside_ns = 0;
  const LoomRange *items = (const LoomRange *) (gconstpointer) ranges->data;
  while (*at < ranges->len && items[*at].end_ns <= begin_ns)
    ++*at;
  for (guint i = *at; i < ranges->len && items[i].begin_ns < end_ns; i++)
    inside_ns += MIN (items[i].end_ns, end_ns) - MAX (items[i].begin_ns, begin_ns);
  return inside_ns;
}

/* Adds the length of an interval inside a step to the parts of the step. `mask`, the kinds of device work that run in
 * the interval, determines the part. Communication and idle time are split: time in a wait for other ranks counts as
 * rank wait, and time in a wait for data counts as data wait. */
static void
count_part (Counter *counter, LoomStepTime *step, gint64 begin_ns, gint64 end_ns, guint mask)
{
  LoomStepBreakdownRank *rank = counter->rank;
  gint64 ns = end_ns - begin_ns, inside_ns;
  gint64 data_ns = count_inside (rank->data_waits, &counter->wait[DATA_WAITS], begin_ns, end_ns);
  step->data_waits_ns += data_ns;
  step->recorded_ns += mask != 0 ? ns : 0;
  if ((mask & 1u << LOOM_WORK_KIND_COMPUTE) != 0) {
    step->parts_ns[LOOM_STEP_BREAKDOWN_COMPUTE] += ns;
    if ((mask & 1u << LOOM_WORK_KIND_COMMUNICATION) != 0)
      step->transfers_ns += ns - count_inside (rank->rank_waits, &counter->wait[RANK_WAITS], begin_ns, end_ns);
  } else if ((mask & 1u << LOOM_WORK_KIND_COMMUNICATION) != 0) {
    inside_ns = count_inside (rank->rank_waits, &counter->wait[RANK_WAITS], begin_ns, end_ns);
    step->parts_ns[LOOM_STEP_BREAKDOWN_RANK_WAIT] += inside_ns;
    step->parts_ns[LOOM_STEP_BREAKDOWN_TRANSFER] += ns - inside_ns;
    step->transfers_ns += ns - inside_ns;
    step->collective_waits_ns +=
      count_inside (rank->collective_waits, &counter->wait[COLLECTIVE_WAITS], begin_ns, end_ns);
  } else if ((mask & ~LOOM_GPU_RECORDED) != 0) {
    step->parts_ns[LOOM_STEP_BREAKDOWN_COPY] += ns;
  } else {
    step->parts_ns[LOOM_STEP_BREAKDOWN_DATA_WAIT] += data_ns;
    step->parts_ns[LOOM_STEP_BREAKDOWN_IDLE] += ns - data_ns;
  }
}

/* Splits an interval where steps of the rank start and end, and adds each piece to the step that contains it. */
static void
count_stretch (Counter *counter, gint64 begin_ns, gint64 end_ns, guint mask)
{
  GArray *steps = counter->rank->steps;
  while (counter->step < steps->len) {
    LoomStepTime *step = &g_array_index (steps, LoomStepTime, counter->step);
    gint64 from_ns = MAX (MAX (begin_ns, step->begin_ns), counter->range.begin_ns),
           to_ns = MIN (MIN (end_ns, step->end_ns), counter->range.end_ns);
    if (from_ns < to_ns)
      count_part (counter, step, from_ns, to_ns, mask);
    if (step->end_ns > end_ns)
      return;
    counter->step++;
  }
}

/* Adds an interval during which the same kinds of device work run. The pass reports no intervals in which nothing runs
 * on the devices; therefore the time since the end of the previous interval is added as idle time. */
static void
on_stretch (gint64 begin_ns, gint64 end_ns, guint mask, gpointer data)
{
  Counter *counter = data;
  if (begin_ns > counter->at_ns)
    count_stretch (counter, counter->at_ns, begin_ns, 0);
  count_stretch (counter, begin_ns, end_ns, mask);
  counter->at_ns = end_ns;
  counter->rank->shown.has_device |= mask != 0;
}

/* Sets is_outlier and is_recorded of the steps. On a rank without device spans, all steps are first marked as recorded;
 * forget_unknown() may change this later. */
static void
mark_steps (LoomStepBreakdownRank *rank, LoomStepTime *steps)
{
  for (guint i = 0; i < rank->steps->len; i++) {
    double inside_ns = 0;
    for (guint part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
      inside_ns += (double) steps[i].parts_ns[part];
    steps[i].is_outlier = (double) (steps[i].end_ns - steps[i].begin_ns) > LOOM_OUTLIER_FACTOR * rank->shown.median_ns;
    steps[i].is_recorded =
      !rank->shown.has_device || (double) steps[i].recorded_ns >= LOOM_STEP_BREAKDOWN_LEAST_RECORDED * inside_ns;
    rank->shown.n_recorded += steps[i].is_recorded;
  }
}

/* Adds to sums_ns[part] the time of each part in the recorded steps of a rank. Includes outliers only if `outliers` is
 * TRUE. Returns the number of steps that were added. */
static guint
add_parts (const LoomRankSteps *rank, gboolean outliers, double *sums_ns)
{
  guint n = 0;
  for (guint i = 0; i < rank->n_steps; i++) {
    const LoomStepTime *step = &rank->steps[i];
    gboolean counts = step->is_recorded && (outliers || !step->is_outlier);
    n += counts;
    for (guint part = 0; counts && part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
      sums_ns[part] += (double) step->parts_ns[part];
  }
  return n;
}

/* Sets mean_ns[part] to the mean time of each part over the recorded steps of a rank. Includes outliers only if
 * `outliers` is TRUE. Returns FALSE if there are no such steps. */
static gboolean
average_rank (const LoomRankSteps *rank, gboolean outliers, double mean_ns[LOOM_STEP_BREAKDOWN_N_PARTS])
{
  memset (mean_ns, 0, LOOM_STEP_BREAKDOWN_N_PARTS * sizeof *mean_ns);
  guint n = add_parts (rank, outliers, mean_ns);
  for (guint part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
    mean_ns[part] /= (double) MAX (n, 1);
  return n > 0;
}

/* Computes the mean of each part for each rank, over the rank's recorded steps that are not outliers. Sets
 * mean_ns[part] to the mean of these means. Each rank has the same weight, so that ranks with more recorded steps do
 * not dominate. If all recorded steps of all ranks are outliers, outliers count. */
static void
average_parts (const LoomRankSteps *ranks, guint n_ranks, double *mean_ns)
{
  guint n = 0;
  for (guint outliers = 0; outliers < 2 && n == 0; outliers++)
    for (guint i = 0; i < n_ranks; i++) {
      double own_ns[LOOM_STEP_BREAKDOWN_N_PARTS];
      if (!average_rank (&ranks[i], outliers > 0, own_ns))
        continue;
      n++;
      for (guint part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
        mean_ns[part] += own_ns[part];
    }
  for (guint part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
    mean_ns[part] /= (double) MAX (n, 1);
}

static void
average (LoomStepBreakdownRank *rank)
{
  guint n = rank->steps->len;
  LoomStepTime *steps = (LoomStepTime *) (gpointer) rank->steps->data;
  g_autofree double *durations = g_new (double, n);
  for (guint i = 0; i < n; i++)
    durations[i] = (double) (steps[i].end_ns - steps[i].begin_ns);
  rank->shown.median_ns = loom_statistics_median (durations, n);
  mark_steps (rank, steps);
  rank->shown.steps = steps;
  rank->shown.n_steps = n;
  average_parts (&rank->shown, 1, rank->shown.mean_ns);
}

typedef struct {
  LoomStepBreakdown *breakdown;
  const LoomDeviceRows *rows;
  GHashTable *groups; /* make_number_key() → GPtrArray of LoomDeviceRowGroup, in the order of `rows` */
  LoomRange range;
  GCancellable *cancellable;
} Job;

/* Returns a hash table for finding the groups of a rank in O(1), even if there are many ranks: make_number_key() →
 * GPtrArray of LoomDeviceRowGroup. Owned by the caller. */
static GHashTable *
index_groups (const LoomDeviceRows *rows)
{
  GHashTable *all = g_hash_table_new_full (loom_int64_hash_packed, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < rows->groups->len; i++) {
    LoomDeviceRowGroup *group = rows->groups->pdata[i];
    gpointer key = make_number_key (group->rank, get_trace (group));
    GPtrArray *same = g_hash_table_lookup (all, key);
    if (same == NULL)
      g_hash_table_insert (all, key, same = g_ptr_array_new ());
    g_ptr_array_add (same, group);
  }
  return all;
}

/* Returns the first group of a rank; NULL if no work of devices is recorded for the rank. O(nodes that have a rank of
 * this number). */
static const LoomDeviceRowGroup *
find_group (const Job *job, const LoomStepBreakdownRank *rank)
{
  const GPtrArray *same = g_hash_table_lookup (job->groups, make_number_key (rank->shown.rank, rank->trace));
  for (guint i = 0; same != NULL && i < same->len; i++) {
    const LoomDeviceRowGroup *group = same->pdata[i];
    if (is_rank (rank, group->node, group->rank, get_trace (group)))
      return group;
  }
  return NULL;
}

static void
measure_rank (guint item, guint worker, gpointer data)
{
  Job *job = data;
  LoomStepBreakdownRank *rank = job->breakdown->gathered->pdata[item];
  const LoomDeviceRowGroup *group = rank->group != NULL ? rank->group : find_group (job, rank);
  LoomRange range = { g_array_index (rank->steps, LoomStepTime, 0).begin_ns,
                      g_array_index (rank->steps, LoomStepTime, rank->steps->len - 1).end_ns };
  Counter counter = { .rank = rank, .range = job->range, .at_ns = range.begin_ns };
  LoomDeviceRowsSeen seen;
  loom_ranges_join (rank->rank_waits);
  loom_ranges_join (rank->collective_waits);
  loom_ranges_join (rank->data_waits);
  if (group != NULL && !loom_device_rows_sweep (job->rows, group, range, on_stretch, &counter, &seen, job->cancellable))
    return;
  count_stretch (&counter, counter.at_ns, range.end_ns, 0);
  average (rank);
}

/* --- breakdown of all ranks --------------------------------------------------------------------------------------- */

static void
average_all (LoomStepBreakdown *breakdown)
{
  g_autoptr (GArray) durations = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    const LoomRankSteps *rank = &breakdown->ranks[i];
    breakdown->n_recorded += rank->n_recorded;
    for (guint k = 0; k < rank->n_steps; k++) {
      double duration = (double) (rank->steps[k].end_ns - rank->steps[k].begin_ns);
      g_array_append_val (durations, duration);
    }
  }
  average_parts (breakdown->ranks, breakdown->n_ranks, breakdown->mean_ns);
  breakdown->n_steps = durations->len;
  if (durations->len > 0)
    breakdown->median_ns = loom_statistics_median ((double *) (gpointer) durations->data, durations->len);
}

/* If devices are recorded on some ranks only, marks the steps of the other ranks as not recorded, because it is unknown
 * whether their devices worked or were idle. */
static void
forget_unknown (LoomStepBreakdown *breakdown)
{
  GPtrArray *ranks = breakdown->gathered;
  guint n_with = 0;
  for (guint i = 0; i < ranks->len; i++)
    n_with += ((const LoomStepBreakdownRank *) ranks->pdata[i])->shown.has_device;
  for (guint i = 0; n_with > 0 && i < ranks->len; i++) {
    LoomStepBreakdownRank *rank = ranks->pdata[i];
    for (guint k = 0; !rank->shown.has_device && k < rank->steps->len; k++)
      g_array_index (rank->steps, LoomStepTime, k).is_recorded = FALSE;
    rank->shown.n_recorded = rank->shown.has_device ? rank->shown.n_recorded : 0;
  }
}

static LoomStepBreakdown *
begin (LoomTimeline *timeline)
{
  LoomStepBreakdown *breakdown = g_new0 (LoomStepBreakdown, 1);
  breakdown->timeline = loom_timeline_ref (timeline);
  breakdown->gathered = g_ptr_array_new_with_free_func (rank_free);
  breakdown->known = g_hash_table_new_full (loom_rank_key_hash, loom_rank_key_equal, g_free, NULL);
  breakdown->by_number = g_hash_table_new_full (loom_int64_hash_packed, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  breakdown->all = g_array_new (FALSE, FALSE, sizeof (LoomRankSteps));
  return breakdown;
}

/* Divides the steps of all ranks of breakdown->gathered into parts. Returns FALSE only when cancelled. */
static gboolean
finish (LoomStepBreakdown *breakdown, const LoomDeviceRows *rows, LoomRange range, GCancellable *cancellable)
{
  g_autoptr (GHashTable) groups = index_groups (rows);
  Job job = { breakdown, rows, groups, range, cancellable };
  loom_parallel_for (breakdown->gathered->len, 0, measure_rank, &job, NULL);
  if (g_cancellable_is_cancelled (cancellable))
    return FALSE;
  forget_unknown (breakdown);
  loom_step_breakdown_mark_processes (breakdown);
  for (guint i = 0; i < breakdown->gathered->len; i++)
    g_array_append_val (breakdown->all, ((LoomStepBreakdownRank *) breakdown->gathered->pdata[i])->shown);
  breakdown->ranks = (const LoomRankSteps *) (gpointer) breakdown->all->data;
  breakdown->n_ranks = breakdown->all->len;
  average_all (breakdown);
  return TRUE;
}

LoomStepBreakdown *
loom_step_breakdown_new (LoomTimeline *timeline, LoomSteps *steps, LoomCollectives *collectives, LoomRange range,
                         GCancellable *cancellable)
{
  g_autoptr (LoomStepBreakdown) breakdown = begin (timeline);
  gather_steps (breakdown, steps, range);
  sort_ranks (breakdown);
  g_autoptr (LoomDeviceRows) rows = loom_device_rows_new (timeline, FALSE, cancellable);
  if (rows == NULL || !loom_step_breakdown_gather_rank_waits (breakdown, collectives, cancellable) ||
      !loom_step_breakdown_gather_data_waits (breakdown, steps, cancellable) ||
      !finish (breakdown, rows, range, cancellable))
    return NULL;
  return g_steal_pointer (&breakdown);
}

static gboolean
has_ranks (const LoomDeviceRows *rows)
{
  for (guint i = 0; i < rows->groups->len; i++)
    if (((const LoomDeviceRowGroup *) rows->groups->pdata[i])->rank >= 0)
      return TRUE;
  return FALSE;
}

/* Copies the waits for data of a trace's first device to all devices of the trace, because one process feeds all of
 * them. */
static void
share_data_waits (LoomStepBreakdown *breakdown)
{
  for (guint i = 1; i < breakdown->gathered->len; i++) {
    LoomStepBreakdownRank *rank = breakdown->gathered->pdata[i];
    const LoomStepBreakdownRank *first = search_rank (breakdown, rank->shown.node, rank->shown.rank, rank->trace);
    if (first != rank)
      g_array_append_vals (rank->data_waits, first->data_waits->data, first->data_waits->len);
  }
}

LoomStepBreakdown *
loom_step_breakdown_new_of_range (LoomTimeline *timeline, LoomSteps *steps, LoomCollectives *collectives,
                                  LoomRange range, GCancellable *cancellable)
{
  g_autoptr (LoomStepBreakdown) breakdown = begin (timeline);
  g_autoptr (LoomDeviceRows) rows = loom_device_rows_new (timeline, FALSE, cancellable);
  gboolean by_device = rows != NULL && !has_ranks (rows);
  if (by_device) {
    loom_device_rows_free (rows);
    rows = loom_device_rows_new (timeline, TRUE, cancellable);
  }
  if (rows == NULL)
    return NULL;
  gather_groups (breakdown, rows, range);
  /* if by_device is TRUE, no rank number is known, so it is also unknown which devices wait for each other */
  if ((!by_device && !loom_step_breakdown_gather_rank_waits (breakdown, collectives, cancellable)) ||
      !loom_step_breakdown_gather_data_waits (breakdown, steps, cancellable))
    return NULL;
  if (by_device)
    share_data_waits (breakdown);
  return finish (breakdown, rows, range, cancellable) ? g_steal_pointer (&breakdown) : NULL;
}

gint64
loom_step_breakdown_sum_part (const LoomStepBreakdown *breakdown, LoomStepBreakdownPart part)
{
  gint64 sum_ns = 0;
  for (guint i = 0; i < breakdown->n_ranks; i++)
    for (guint k = 0; k < breakdown->ranks[i].n_steps; k++)
      sum_ns = loom_time_add (sum_ns, breakdown->ranks[i].steps[k].parts_ns[part]);
  return sum_ns;
}

gint64
loom_step_breakdown_sum_collective_waits (const LoomStepBreakdown *breakdown)
{
  gint64 sum_ns = 0;
  for (guint i = 0; i < breakdown->n_ranks; i++)
    for (guint k = 0; k < breakdown->ranks[i].n_steps; k++)
      sum_ns = loom_time_add (sum_ns, breakdown->ranks[i].steps[k].collective_waits_ns);
  return sum_ns;
}

void
loom_step_breakdown_free (LoomStepBreakdown *breakdown)
{
  if (breakdown == NULL)
    return;
  loom_timeline_unref (breakdown->timeline);
  g_hash_table_unref (breakdown->known);
  g_hash_table_unref (breakdown->by_number);
  g_ptr_array_unref (breakdown->gathered);
  g_array_unref (breakdown->all);
  g_free (breakdown);
}
