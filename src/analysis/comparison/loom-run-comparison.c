/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-run-comparison.h"
#include "loom-int64-hash.h"
#include "loom-rank-match.h"

#include <math.h>

/* Ranks are sorted by their change, rounded to a multiple of this share of the change of the step, because smaller
 * differences are noise. Ranks with equal rounded changes are sorted by number. */
#define EQUAL_SHARE 0.1

/* The parts of a step that do not depend on other ranks. */
static const LoomStepBreakdownPart own_parts[] = { LOOM_STEP_BREAKDOWN_COMPUTE, LOOM_STEP_BREAKDOWN_COPY,
                                                   LOOM_STEP_BREAKDOWN_DATA_WAIT, LOOM_STEP_BREAKDOWN_IDLE };

/* --- ranks that both runs have, and their changes ----------------------------------------------------------------- */

static double
get_rank_change (const LoomRankChange *rank, LoomStepBreakdownPart part)
{
  return rank->typical[1].parts_ns[part] - rank->typical[0].parts_ns[part];
}

/* Returns a part of the change of the exposed transfer time (LOOM_STEP_BREAKDOWN_TRANSFER), in ns: the part that arises
 * because computation hides more or less of the transfers. This is the change of the exposed time minus the change of
 * the total transfer time (`transfers_ns`), limited to the range between 0 and the change of the exposed time.
 * Positive: computation hides less of the transfers in the second run; negative: computation hides more of them. */
static double
get_exposed (const LoomTypicalStep typical[2])
{
  double change_ns =
           typical[1].parts_ns[LOOM_STEP_BREAKDOWN_TRANSFER] - typical[0].parts_ns[LOOM_STEP_BREAKDOWN_TRANSFER],
         exposed_ns = change_ns - (typical[1].transfers_ns - typical[0].transfers_ns);
  return change_ns >= 0 ? CLAMP (exposed_ns, 0, change_ns) : CLAMP (exposed_ns, change_ns, 0);
}

static double
sum_own (const LoomTypicalStep *step)
{
  double sum_ns = 0;
  for (guint i = 0; i < G_N_ELEMENTS (own_parts); i++)
    sum_ns += step->parts_ns[own_parts[i]];
  return sum_ns;
}

/* Returns the sign of the change of the step: −1 if the step of the second run is shorter, else 1. */
static double
get_direction (const LoomRunComparison *comparison)
{
  return loom_run_comparison_get_step_change (comparison) < 0 ? -1.0 : 1.0;
}

/* Returns the sort key of a rank: by how many ns its typical step changed from the first run to the second. Two changes
 * are not included because their cause is elsewhere: the change of waits for other ranks; and the part of the change of
 * the exposed transfer time that arises because computation hides more or less of the transfers. */
static double
get_contribution (const LoomRankChange *rank)
{
  return rank->own_ns + get_rank_change (rank, LOOM_STEP_BREAKDOWN_TRANSFER) - get_exposed (rank->typical);
}

static int
compare_changes (gconstpointer a, gconstpointer b, gpointer comparison)
{
  const LoomRankChange *x = a, *y = b;
  double unit_ns =
    fmax (fabs (loom_run_comparison_get_step_change (comparison)) * EQUAL_SHARE, 1) * get_direction (comparison);
  gint64 x_units = llround (get_contribution (x) / unit_ns), y_units = llround (get_contribution (y) / unit_ns);
  if (x->is_main != y->is_main)
    return x->is_main ? -1 : 1;
  if (x_units != y_units)
    return x_units > y_units ? -1 : 1;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return g_strcmp0 (x->node, y->node);
}

/* Marks the main ranks. `get_change` returns the change of a rank. Only changes that have the sign of the change of the
 * step are considered. A rank is a main rank if its change is more than half of the greatest change of any rank. No
 * rank is marked if more than half of all ranks would be main ranks, or if the greatest change is less than half of the
 * change of the step. */
static void
mark_main (LoomRunComparison *comparison, double (*get_change) (const LoomRankChange *))
{
  GArray *ranks = comparison->all_ranks;
  double sign = get_direction (comparison), greatest_ns = 0;
  guint n = 0;
  for (guint i = 0; i < ranks->len; i++)
    greatest_ns = fmax (greatest_ns, sign * get_change (&g_array_index (ranks, LoomRankChange, i)));
  if (greatest_ns < fabs (loom_run_comparison_get_step_change (comparison)) / 2)
    return;
  for (guint i = 0; i < ranks->len; i++) {
    LoomRankChange *rank = &g_array_index (ranks, LoomRankChange, i);
    rank->is_main = sign * get_change (rank) > greatest_ns / 2;
    n += rank->is_main;
  }
  comparison->n_main = n <= ranks->len / 2 ? n : 0;
  for (guint i = 0; comparison->n_main == 0 && i < ranks->len; i++)
    g_array_index (ranks, LoomRankChange, i).is_main = FALSE;
}

static double
get_own_change (const LoomRankChange *rank)
{
  return rank->own_ns;
}

static double
get_transfer_change (const LoomRankChange *rank)
{
  return get_rank_change (rank, LOOM_STEP_BREAKDOWN_TRANSFER) - get_exposed (rank->typical);
}

/* Returns by how many ns a part of the step changed, as the mean over the main ranks. The main ranks are the first
 * elements of comparison->ranks. */
static double
average_main (const LoomRunComparison *comparison, LoomStepBreakdownPart part)
{
  double sum_ns = 0;
  for (guint i = 0; i < comparison->n_main; i++)
    sum_ns += get_rank_change (&comparison->ranks[i], part);
  return sum_ns / MAX (comparison->n_main, 1);
}

static LoomStepBreakdownPart
find_own_part (const LoomRunComparison *comparison)
{
  double sign = get_direction (comparison);
  LoomStepBreakdownPart found = own_parts[0];
  for (guint i = 1; i < G_N_ELEMENTS (own_parts); i++)
    if (sign * average_main (comparison, own_parts[i]) > sign * average_main (comparison, found))
      found = own_parts[i];
  return found;
}

static void
sort_ranks (LoomRunComparison *comparison)
{
  int slower = loom_run_comparison_get_slower (comparison);
  gboolean differ = slower >= 0 && !loom_run_comparison_is_by_long_steps (comparison), transfers = FALSE;
  if (differ)
    mark_main (comparison, get_own_change);
  if (differ && comparison->n_main == 0) {
    mark_main (comparison, get_transfer_change);
    transfers = TRUE;
  }
  g_array_sort_with_data (comparison->all_ranks, compare_changes, comparison);
  comparison->ranks = (const LoomRankChange *) (gpointer) comparison->all_ranks->data;
  comparison->n_ranks = comparison->all_ranks->len;
  comparison->main_ranks_part = transfers ? LOOM_STEP_BREAKDOWN_TRANSFER : find_own_part (comparison);
}

/* Returns those long steps of a run that are excluded from the run's typical step; NULL: all steps count. */
static const GArray *
get_skipped (const LoomRunComparison *comparison, guint run)
{
  return comparison->by_mean ? NULL : comparison->all_long[run];
}

static void
match_ranks (LoomRunComparison *comparison)
{
  const LoomRankSteps *first = comparison->breakdowns[0]->ranks;
  for (guint i = 0; i < comparison->breakdowns[0]->n_ranks; i++) {
    const LoomRankSteps *match = loom_rank_match_find (comparison->breakdowns[0], i, comparison->breakdowns[1]);
    /* ranks whose devices are recorded in only one of the runs are skipped, because their parts cannot be compared */
    if (match == NULL || (first[i].n_recorded > 0) != (match->n_recorded > 0))
      continue;
    LoomRankChange change = {
      .node = first[i].node, .rank = first[i].rank, .is_process = first[i].is_process, .steps = { &first[i], match }
    };
    for (guint run = 0; run < 2; run++)
      loom_typical_step_init (&change.typical[run], change.steps[run], get_skipped (comparison, run),
                              comparison->by_position);
    change.own_ns = sum_own (&change.typical[1]) - sum_own (&change.typical[0]);
    g_array_append_val (comparison->all_ranks, change);
  }
  sort_ranks (comparison);
}

/* --- order of the names ------------------------------------------------------------------------------------------- */

static gboolean
is_work (const LoomNameChange *change)
{
  return change->work != LOOM_WORK_KIND_ANNOTATION && change->work != LOOM_WORK_KIND_NONE &&
         !loom_work_kind_is_wait (change->work);
}

/* Returns the sort key of the group to which a name belongs in the table of names: work first, then communication, then
 * waits and annotations. Communication comes after other work because its time contains waits for other ranks, so it
 * grows on all ranks if one rank computes longer. If transfers are the main cause of the change, communication belongs
 * to the group of work. */
static int
get_order (const LoomRunComparison *comparison, const LoomNameChange *change)
{
  LoomStepBreakdownPart cause =
    comparison->n_main > 0 ? comparison->main_ranks_part : loom_run_comparison_find_main_part (comparison);
  gboolean by_transfers = cause == LOOM_STEP_BREAKDOWN_TRANSFER;
  return !is_work (change) ? 2 : change->work == LOOM_WORK_KIND_COMMUNICATION && !by_transfers;
}

static int
compare_costs (gconstpointer a, gconstpointer b, gpointer comparison)
{
  const LoomNameChange *x = *(const LoomNameChange *const *) a, *y = *(const LoomNameChange *const *) b;
  double x_ns[2], y_ns[2];
  int order = get_order (comparison, x) - get_order (comparison, y);
  if (order != 0)
    return order;
  loom_run_comparison_get_name_times (comparison, x, x_ns);
  loom_run_comparison_get_name_times (comparison, y, y_ns);
  double x_change_ns = fabs (x_ns[1] - x_ns[0]), y_change_ns = fabs (y_ns[1] - y_ns[0]);
  return x_change_ns > y_change_ns ? -1 : x_change_ns < y_change_ns;
}

static void
sort_names (LoomRunComparison *comparison)
{
  GArray *rows = comparison->all_names->rows;
  comparison->sorted_names = g_ptr_array_sized_new (rows->len);
  for (guint i = 0; i < rows->len; i++)
    g_ptr_array_add (comparison->sorted_names, &g_array_index (rows, LoomNameChange, i));
  g_ptr_array_sort_with_data (comparison->sorted_names, compare_costs, comparison);
  comparison->names = (const LoomNameChange *const *) comparison->sorted_names->pdata;
  comparison->n_names = rows->len;
  while (comparison->n_work_names < comparison->n_names &&
         get_order (comparison, comparison->names[comparison->n_work_names]) == 0)
    comparison->n_work_names++;
}

/* --- steps that both runs have ------------------------------------------------------------------------------------ */

/* Returns a hash table of the steps in LoomSteps.reference. Key: number or position of a step. Value: start of the
 * step. If several steps have one number, the first one is used. */
static GHashTable *
index_steps (const LoomSteps *steps, gboolean by_position)
{
  GHashTable *begins = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, g_free);
  for (guint i = 0; i < steps->n_reference; i++) {
    gint64 step = by_position ? (gint64) i + 1 : steps->reference[i].number;
    if (step >= 0 && !g_hash_table_contains (begins, &step))
      g_hash_table_insert (begins, g_memdup2 (&step, sizeof step),
                           g_memdup2 (&steps->reference[i].begin_ns, sizeof (gint64)));
  }
  return begins;
}

/* Sets `first_step` and `last_step` to the first and the last step that both runs have. Returns FALSE if the runs have
 * no step in common. */
static gboolean
match_steps (LoomRunComparison *comparison, gboolean by_position)
{
  GHashTableIter iter;
  gpointer key;
  comparison->by_position = by_position;
  comparison->first_step = G_MAXINT64;
  comparison->last_step = -1;
  for (guint i = 0; i < 2; i++) {
    g_clear_pointer (&comparison->begins[i], g_hash_table_unref);
    comparison->begins[i] = index_steps (comparison->steps[i], by_position);
  }
  g_hash_table_iter_init (&iter, comparison->begins[0]);
  while (g_hash_table_iter_next (&iter, &key, NULL)) {
    gint64 step = *(const gint64 *) key;
    if (!g_hash_table_contains (comparison->begins[1], key))
      continue;
    comparison->first_step = MIN (comparison->first_step, step);
    comparison->last_step = MAX (comparison->last_step, step);
  }
  return comparison->last_step >= 0;
}

static void
match_all_steps (LoomRunComparison *comparison)
{
  gboolean both = comparison->steps[0]->n_reference > 0 && comparison->steps[1]->n_reference > 0;
  if (!match_steps (comparison, FALSE) && (!both || !match_steps (comparison, TRUE))) {
    comparison->first_step = 1;
    comparison->last_step = 0;
  }
}

gboolean
loom_run_comparison_get_step (const LoomRunComparison *comparison, guint which, gint64 step, gint64 *begin_ns)
{
  const gint64 *found = g_hash_table_lookup (comparison->begins[which], &step);
  if (found != NULL)
    *begin_ns = *found;
  return found != NULL;
}

/* --- long steps, and the typical step ----------------------------------------------------------------------------- */

/* Removes from `steps`, the long steps of one run, the steps that are also long in the other run; first steps are often
 * long in both. The excess of a step in a run is its length in this run minus the median step of this run. A step
 * counts as long in the other run if its excess in the other run is at least half of its excess in the run of `steps`.
 * `other`: breakdown of the other run. */
static void
drop_common (GArray *steps, const LoomStepBreakdown *other, gboolean by_position)
{
  double length_ns;
  for (guint i = steps->len; i-- > 0;) {
    const LoomLongStep *step = &g_array_index (steps, LoomLongStep, i);
    if (loom_long_steps_measure (other, by_position, step->step, &length_ns) &&
        length_ns - other->median_ns >= (step->length_ns - step->typical_ns) / 2)
      g_array_remove_index (steps, i);
  }
}

/* Computes the mean length of the steps of each rank, and returns the mean of these means. Steps that are outliers
 * count only if `outliers` is TRUE. Ranks without steps that count are ignored. */
static double
get_mean_step (const LoomStepBreakdown *breakdown, gboolean outliers)
{
  double sum_ns = 0;
  guint n_ranks = 0;
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    gint64 rank_ns = 0;
    guint n = 0;
    for (guint k = 0; k < breakdown->ranks[i].n_steps; k++) {
      const LoomStepTime *step = &breakdown->ranks[i].steps[k];
      gboolean counts = outliers || !step->is_outlier;
      rank_ns += counts ? step->end_ns - step->begin_ns : 0;
      n += counts;
    }
    sum_ns += (double) rank_ns / MAX (n, 1);
    n_ranks += n > 0;
  }
  return sum_ns / MAX (n_ranks, 1);
}

static gboolean
are_alike (double first_ns, double second_ns)
{
  return fabs (second_ns - first_ns) < LOOM_RUN_COMPARISON_LEAST * fmin (first_ns, second_ns);
}

/* Sets `typical` (the parts of a typical step) and `n_skipped` of both runs. */
static void
measure_typical (LoomRunComparison *comparison)
{
  for (guint run = 0; run < 2; run++) {
    const GArray *skipped = get_skipped (comparison, run);
    comparison->n_skipped[run] = skipped != NULL ? skipped->len : 0;
    loom_typical_step_init_all (&comparison->typical[run], comparison->breakdowns[run], skipped,
                                comparison->by_position);
  }
}

/* Returns by which share of the median a long step of a run exceeds the median at least. If the mean steps are
 * compared, a shorter step is long, too, if it makes at least LOOM_RUN_COMPARISON_NOTABLE of the difference. */
static double
get_least_excess (const LoomRunComparison *comparison, guint run)
{
  double all_ns = fabs (loom_run_comparison_get_step_change (comparison)) * comparison->n_steps[run],
         median_ns = fmax (comparison->breakdowns[run]->median_ns, 1);
  return comparison->by_mean ? fmin (LOOM_LONG_STEPS_LEAST, LOOM_RUN_COMPARISON_NOTABLE * all_ns / median_ns)
                             : LOOM_LONG_STEPS_LEAST;
}

static void
find_long_steps (LoomRunComparison *comparison)
{
  for (guint run = 0; run < 2; run++) {
    comparison->long_steps[run] =
      loom_long_steps_find (comparison->breakdowns[run], comparison->by_position, get_least_excess (comparison, run));
    comparison->all_long[run] = g_array_copy (comparison->long_steps[run]);
    drop_common (comparison->long_steps[run], comparison->breakdowns[1 - run], comparison->by_position);
  }
}

static void
compare_steps (LoomRunComparison *comparison)
{
  LoomStepBreakdown *const *breakdowns = comparison->breakdowns;
  for (guint i = 0; i < 2; i++)
    comparison->mean_step_ns[i] = get_mean_step (breakdowns[i], TRUE);
  gboolean alike = are_alike (breakdowns[0]->median_ns, breakdowns[1]->median_ns);
  double change_ns = loom_run_comparison_get_step_change (comparison);
  comparison->by_mean = alike && !are_alike (comparison->mean_step_ns[0], comparison->mean_step_ns[1]);
  comparison->is_mixed =
    !alike && (change_ns > 0) != (get_mean_step (breakdowns[1], FALSE) > get_mean_step (breakdowns[0], FALSE));
  find_long_steps (comparison);
  measure_typical (comparison);
}

/* --- causes of idle time ------------------------------------------------------------------------------------------ */

/* Sets has_idle and, if the change of the idle time is notable, the causes of idle time (`idle`) in both runs.
 * Returns FALSE when cancelled. */
static gboolean
compare_idle (LoomRunComparison *comparison, LoomTimeline *const timelines[2], GCancellable *cancellable)
{
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (gint));
  double step_ns = loom_run_comparison_get_step_change (comparison),
         idle_ns = loom_run_comparison_get_main_part_change (comparison, LOOM_STEP_BREAKDOWN_IDLE);
  comparison->has_idle = loom_run_comparison_get_slower (comparison) >= 0 &&
                         !loom_run_comparison_is_by_long_steps (comparison) &&
                         fabs (idle_ns) >= LOOM_RUN_COMPARISON_NOTABLE * fabs (step_ns);
  for (guint i = 0; i < comparison->n_main; i++)
    g_array_append_val (ranks, comparison->ranks[i].rank);
  for (guint i = 0; comparison->has_idle && i < 2; i++)
    if (!loom_idle_parts_init (&comparison->idle[i], timelines[i], comparison->breakdowns[i], ranks, cancellable))
      return FALSE;
  return TRUE;
}

/* --- comparison of two runs --------------------------------------------------------------------------------------- */

static guint
count_steps (const LoomStepBreakdown *breakdown)
{
  guint n_steps = 0;
  for (guint i = 0; i < breakdown->n_ranks; i++)
    n_steps = MAX (n_steps, breakdown->ranks[i].n_steps);
  return n_steps;
}

static LoomStepBreakdown *
break_down (LoomTimeline *timeline, LoomSteps *steps, GCancellable *cancellable)
{
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, cancellable);
  return collectives != NULL
           ? loom_step_breakdown_new (timeline, steps, collectives, LOOM_STEP_BREAKDOWN_ALL, cancellable)
           : NULL;
}

/* Finds the steps of a run. `range`: the part of the run that counts; NULL: all of it. NULL only when cancelled. */
static LoomSteps *
find_steps (LoomTimeline *timeline, const LoomRunComparisonRange *range, GCancellable *cancellable)
{
  LoomSteps *steps = loom_steps_new (timeline, cancellable);
  if (steps == NULL || range == NULL)
    return steps;
  LoomSteps *selected = loom_steps_select (steps, range->range, range->has_steps ? &range->steps : NULL);
  loom_steps_unref (steps);
  return selected;
}

static LoomNameComparison *
compare_names (LoomRunComparison *comparison, LoomTimeline *const timelines[2], const LoomRunComparisonRange *ranges,
               GCancellable *cancellable)
{
  LoomNameComparisonRun runs[2];
  for (guint i = 0; i < 2; i++) {
    runs[i] = (LoomNameComparisonRun) { .timeline = timelines[i], .breakdown = comparison->breakdowns[i] };
    if (ranges != NULL) {
      runs[i].has_range = TRUE;
      runs[i].range = ranges[i].range;
      runs[i].in_steps = ranges[i].has_steps;
    }
  }
  return loom_name_comparison_new_of_steps (runs, cancellable);
}

/* Sets comparison->modules. Returns FALSE when cancelled. */
static gboolean
compare_modules (LoomRunComparison *comparison, LoomTimeline *const timelines[2], const LoomRunComparisonRange *ranges,
                 GCancellable *cancellable)
{
  LoomModuleTreeQuery queries[2];
  for (guint i = 0; i < 2; i++)
    queries[i] = (LoomModuleTreeQuery) { .timeline = timelines[i],
                                         .breakdown = comparison->breakdowns[i],
                                         .range = ranges != NULL ? ranges[i].range : LOOM_STEP_BREAKDOWN_ALL };
  comparison->modules = loom_module_comparison_new (queries, cancellable);
  return !g_cancellable_is_cancelled (cancellable);
}

LoomRunComparison *
loom_run_comparison_new (LoomTimeline *first, LoomTimeline *second, const LoomRunComparisonRange *ranges,
                         GCancellable *cancellable)
{
  LoomTimeline *timelines[] = { first, second };
  g_autoptr (LoomRunComparison) comparison = g_new0 (LoomRunComparison, 1);
  comparison->all_ranks = g_array_new (FALSE, FALSE, sizeof (LoomRankChange));
  for (guint i = 0; i < 2; i++) {
    comparison->steps[i] = find_steps (timelines[i], ranges != NULL ? &ranges[i] : NULL, cancellable);
    if (comparison->steps[i] == NULL)
      return NULL;
    comparison->breakdowns[i] = break_down (timelines[i], comparison->steps[i], cancellable);
    if (comparison->breakdowns[i] == NULL)
      return NULL;
    comparison->n_steps[i] = count_steps (comparison->breakdowns[i]);
  }
  comparison->all_names = compare_names (comparison, timelines, ranges, cancellable);
  if (comparison->all_names == NULL)
    return NULL;
  match_all_steps (comparison);
  compare_steps (comparison);
  match_ranks (comparison);
  if (!compare_idle (comparison, timelines, cancellable) ||
      !compare_modules (comparison, timelines, ranges, cancellable))
    return NULL;
  sort_names (comparison);
  return g_steal_pointer (&comparison);
}

void
loom_run_comparison_free (LoomRunComparison *comparison)
{
  if (comparison == NULL)
    return;
  for (guint i = 0; i < 2; i++) {
    g_clear_pointer (&comparison->steps[i], loom_steps_unref);
    g_clear_pointer (&comparison->breakdowns[i], loom_step_breakdown_free);
    g_clear_pointer (&comparison->begins[i], g_hash_table_unref);
    g_clear_pointer (&comparison->long_steps[i], g_array_unref);
    g_clear_pointer (&comparison->all_long[i], g_array_unref);
  }
  g_clear_pointer (&comparison->sorted_names, g_ptr_array_unref);
  g_clear_pointer (&comparison->modules, loom_module_comparison_free);
  g_clear_pointer (&comparison->all_names, loom_name_comparison_free);
  g_array_unref (comparison->all_ranks);
  g_free (comparison);
}

gboolean
loom_run_comparison_has_steps (const LoomRunComparison *comparison)
{
  return comparison->breakdowns[0]->n_steps > 0 && comparison->breakdowns[1]->n_steps > 0;
}

int
loom_run_comparison_get_slower (const LoomRunComparison *comparison)
{
  gboolean alike = are_alike (comparison->breakdowns[0]->median_ns, comparison->breakdowns[1]->median_ns);
  if (!loom_run_comparison_has_steps (comparison) || (alike && !comparison->by_mean) || comparison->is_mixed)
    return -1;
  return loom_run_comparison_get_step_change (comparison) > 0;
}

gboolean
loom_run_comparison_is_by_long_steps (const LoomRunComparison *comparison)
{
  int slower = loom_run_comparison_get_slower (comparison);
  if (!comparison->by_mean || slower < 0 || comparison->long_steps[slower]->len == 0)
    return FALSE;
  return loom_long_steps_sum_excess (comparison->long_steps[slower]) >=
         fabs (loom_run_comparison_get_step_change (comparison)) * comparison->n_steps[slower] / 2;
}

double
loom_run_comparison_get_step_change (const LoomRunComparison *comparison)
{
  return comparison->by_mean ? comparison->mean_step_ns[1] - comparison->mean_step_ns[0]
                             : comparison->breakdowns[1]->median_ns - comparison->breakdowns[0]->median_ns;
}

double
loom_run_comparison_get_part_change (const LoomRunComparison *comparison, LoomStepBreakdownPart part)
{
  return comparison->typical[1].parts_ns[part] - comparison->typical[0].parts_ns[part];
}

double
loom_run_comparison_get_main_part_change (const LoomRunComparison *comparison, LoomStepBreakdownPart part)
{
  return comparison->n_main > 0 ? average_main (comparison, part)
                                : loom_run_comparison_get_part_change (comparison, part);
}

double
loom_run_comparison_get_all_exposed_change (const LoomRunComparison *comparison)
{
  return get_exposed (comparison->typical);
}

double
loom_run_comparison_get_exposed_change (const LoomRunComparison *comparison)
{
  double sum_ns = 0;
  if (comparison->n_main == 0)
    return loom_run_comparison_get_all_exposed_change (comparison);
  for (guint i = 0; i < comparison->n_main; i++)
    sum_ns += get_exposed (comparison->ranks[i].typical);
  return sum_ns / comparison->n_main;
}

LoomStepBreakdownPart
loom_run_comparison_find_main_part (const LoomRunComparison *comparison)
{
  double sign = get_direction (comparison);
  LoomStepBreakdownPart found = 0;
  for (LoomStepBreakdownPart part = 1; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
    if (sign * loom_run_comparison_get_part_change (comparison, part) >
        sign * loom_run_comparison_get_part_change (comparison, found))
      found = part;
  return found;
}

void
loom_run_comparison_get_name_times (const LoomRunComparison *comparison, const LoomNameChange *change,
                                    double time_ns[2])
{
  gboolean has_steps = loom_run_comparison_has_steps (comparison);
  for (guint i = 0; i < 2; i++) {
    double in_range_ns = change->count[i] > 0 ? (double) change->in_range_ns[i] : 0;
    time_ns[i] = has_steps ? change->per_step_ns[i] / comparison->breakdowns[i]->n_ranks : in_range_ns;
  }
}

gboolean
loom_run_comparison_has_equal_ranks (const LoomRunComparison *comparison)
{
  return comparison->breakdowns[0]->n_ranks == comparison->breakdowns[1]->n_ranks;
}

double
loom_run_comparison_get_main_change (const LoomRunComparison *comparison)
{
  return average_main (comparison, comparison->main_ranks_part);
}
