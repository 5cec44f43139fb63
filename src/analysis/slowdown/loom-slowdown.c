/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-slowdown.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-slowdown-choice.h"
#include "loom-slowdown-comparison.h"
#include "loom-slowdown-inputs.h"
#include "loom-slowdown-kernels.h"
#include "loom-slowdown-model.h"
#include "loom-slowdown-operations.h"
#include "loom-slowdown-steps.h"
#include "loom-slowdown-trials.h"

/* percentage of the workers that count as the worst workers for M_W (loom-slowdown.h) */
#define WORST_WORKERS_PERCENT 3
/* M_W and M_S (loom-slowdown.h) state which share of the lost time a few workers, or the last stage, explain. They are
 * computed only if the lost time is at least this share of a step. */
#define LEAST_LOSS 0.002
/* ranks count as stragglers only if repairing them would save at least this share of a step */
#define LEAST_SAVING 0.01
/* a worker counts as slow only if its excess_ns is at least this share of the largest excess_ns of all workers */
#define LEAST_EXCESS 0.5
/* several stragglers are reported only if repairing all of them saves more than LEAST_MORE times as much as repairing
 * only the worker whose repair saves most */
#define LEAST_MORE 1.25
/* Several slow workers are reported as stragglers only if they are at most 1 / MOST_STRAGGLERS_PART of all workers. If
 * more workers are slow, being slow is normal, and choose_slow() returns none of them. find_stragglers() can then still
 * report one straggler: the worker whose repair saves most. */
#define MOST_STRAGGLERS_PART 4

typedef struct {
  const LoomCollectives *collectives;
  LoomSlowdownModel model;
  LoomSlowdown *result;
  LoomSlowdownTrials trials;
  /* array: [worker] index in `trials` of the trial in which the computation of the worker takes the typical time;
   * G_MAXUINT: there is none */
  guint *repairs;
  GCancellable *cancellable;
} Computation;

static double
get_mean (const Computation *self, guint trial)
{
  return loom_slowdown_trials_get (&self->trials, trial)->mean_ns;
}

static gint64
get_pace (const Computation *self, guint trial)
{
  return loom_slowdown_trials_get (&self->trials, trial)->pace_ns;
}

/* --- results for ranks and steps ---------------------------------------------------------------------------------- */

/* Indices in `trials` of the trials that are always computed, because all results need them. */
enum { REPLAYED, IDEALLY, TYPICALLY, N_ALWAYS };

/* Returns by how many ns the measured waits in collectives would be shorter if operations had the durations of the
 * replay with the index `replay`. Assumes that the measured waits would change by this factor: waits in this replay ÷
 * waits in the replay of the measured durations. */
static gint64
get_caused (const Computation *self, guint replay)
{
  double all_ns = (double) loom_slowdown_trials_get (&self->trials, REPLAYED)->waits_ns,
         left_ns = (double) loom_slowdown_trials_get (&self->trials, replay)->waits_ns;
  return all_ns > 0 ? (gint64) round ((double) self->result->waits_ns * (1 - left_ns / all_ns)) : 0;
}

static double
get_slowdown (const Computation *self, guint replay)
{
  double ideal_ns = get_mean (self, IDEALLY);
  return ideal_ns > 0 ? get_mean (self, replay) / ideal_ns : NAN;
}

static void
set_steps (Computation *self)
{
  LoomSlowdown *result = self->result;
  double measured_ns = 0;
  result->steps = g_array_ref (self->model.steps);
  for (guint i = 0; i < result->steps->len; i++) {
    LoomSlowdownStep *step = &g_array_index (result->steps, LoomSlowdownStep, i);
    step->replayed_ns = loom_slowdown_steps_get_length (loom_slowdown_trials_get (&self->trials, REPLAYED)->steps[i]);
    step->ideal_ns = loom_slowdown_steps_get_length (loom_slowdown_trials_get (&self->trials, IDEALLY)->steps[i]);
    step->slowdown = step->ideal_ns > 0 ? (double) step->replayed_ns / (double) step->ideal_ns : NAN;
    measured_ns += (double) step->measured_ns / result->steps->len;
  }
  result->waits_ns = loom_slowdown_trials_get (&self->trials, REPLAYED)->waits_ns > 0
                       ? loom_collectives_sum_waits (self->collectives)
                       : 0;
  result->measured_ns = (gint64) round (measured_ns);
  result->replayed_ns = (gint64) round (get_mean (self, REPLAYED));
  result->ideal_ns = (gint64) round (get_mean (self, IDEALLY));
  result->typical_ns = (gint64) round (get_mean (self, TYPICALLY));
  result->replayed_pace_ns = get_pace (self, REPLAYED);
  result->ideal_pace_ns = get_pace (self, IDEALLY);
  result->typical_pace_ns = get_pace (self, TYPICALLY);
  result->slowdown = get_slowdown (self, REPLAYED);
  result->fit = get_mean (self, REPLAYED) > 0 ? measured_ns / get_mean (self, REPLAYED) : NAN;
}

/* Sums the computation time of each worker in each step: once with measured, once with typical durations of the
 * operations. Sets result->cells to the measured time ÷ the typical time, and sets excess_ns of the workers. */
static void
set_cells (Computation *self)
{
  guint32 n;
  guint n_steps = self->model.steps->len, n_cells = self->model.workers->len * n_steps;
  const LoomSlowdownOperation *operations = loom_slowdown_model_get_operations (&self->model, &n);
  g_autofree double *own = g_new0 (double, n_cells + 1), *typical = g_new0 (double, n_cells + 1);
  self->result->cells = g_new (double, n_cells + 1);
  self->result->spans = g_new (LoomSpanId, n_cells + 1);
  for (guint32 i = 0; i < n; i++) {
    const LoomSlowdownLike *like = loom_slowdown_model_get_like (&self->model, &operations[i]);
    if (like == NULL || like->is_transfer || operations[i].step == LOOM_SLOWDOWN_NONE)
      continue;
    guint cell = operations[i].worker * n_steps + operations[i].step;
    own[cell] += (double) self->trials.durations.of[LOOM_SLOWDOWN_MEASURED][i];
    typical[cell] += (double) self->trials.durations.of[LOOM_SLOWDOWN_TYPICAL][i];
  }
  for (guint i = 0; i < n_cells; i++) {
    LoomSlowdownWorker *worker = &g_array_index (self->model.workers, LoomSlowdownWorker, i / n_steps);
    self->result->cells[i] = typical[i] > 0 ? own[i] / typical[i] : NAN;
    self->result->spans[i] = LOOM_SPAN_ID_NONE;
    worker->excess_ns += (gint64) round ((own[i] - typical[i]) / n_steps);
  }
  for (guint i = 0; i < self->model.places->len; i++) {
    const LoomSlowdownPlace *place = &g_array_index (self->model.places, LoomSlowdownPlace, i);
    self->result->spans[place->worker * n_steps + place->step] = place->span;
  }
}

/* --- kinds, workers, rows and stages ------------------------------------------------------------------------------ */

/* Returns the chosen rows or stages (LoomSlowdownPart). `first`: index of the first of their replays. */
static GArray *
get_parts (const Computation *self, const GArray *chosen, guint first)
{
  GArray *parts = g_array_new (FALSE, TRUE, sizeof (LoomSlowdownPart));
  for (guint i = 0; i < chosen->len; i++) {
    const LoomSlowdownPart part = { .number = (gint) g_array_index (chosen, LoomSlowdownCandidate, i).number,
                                    .slowdown = get_slowdown (self, first + i) };
    g_array_append_val (parts, part);
  }
  return parts;
}

/* Returns an array: [i · n_steps + step] slowdown of the step in the replay with the index first + i, for each i < n.
 * The slowdown is the replayed duration ÷ the ideal duration of the step; NAN if the ideal duration is 0. Owned by the
 * caller. */
static double *
get_part_steps (const Computation *self, guint first, guint n)
{
  guint n_steps = self->model.steps->len;
  double *values = g_new (double, n *n_steps + 1);
  for (guint i = 0; i < n * n_steps; i++) {
    const LoomRange *steps = loom_slowdown_trials_get (&self->trials, first + i / n_steps)->steps,
                    *ideal = loom_slowdown_trials_get (&self->trials, IDEALLY)->steps;
    gint64 ideal_ns = loom_slowdown_steps_get_length (ideal[i % n_steps]);
    values[i] = ideal_ns > 0 ? (double) loom_slowdown_steps_get_length (steps[i % n_steps]) / (double) ideal_ns : NAN;
  }
  return values;
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  double x = ((const LoomSlowdownPart *) a)->slowdown, y = ((const LoomSlowdownPart *) b)->slowdown;
  return x > y ? -1 : x < y;
}

static void
set_kinds (Computation *self, const GArray *chosen, guint first)
{
  self->result->kinds = g_array_new (FALSE, TRUE, sizeof (LoomSlowdownPart));
  for (guint i = 0; i < chosen->len; i++) {
    guint number = g_array_index (chosen, LoomSlowdownCandidate, i).number;
    LoomSlowdownPart part = g_array_index (self->model.kinds, LoomSlowdownPart, number);
    part.slowdown = get_slowdown (self, first + i);
    part.number = (gint) number;
    g_array_append_val (self->result->kinds, part);
  }
  g_array_sort (self->result->kinds, compare_parts);
}

/* Computes transfer_loss_ns: replays the run with typical durations of one kind of transfers. A typical duration is a
 * median; of two middle values, it is the shorter one. So if there are only two groups of ranks, and one of them has a
 * slow link, the typical duration is that of the fast group. (The ideal duration would be longer.) */
static gboolean
replay_transfers (Computation *self)
{
  const LoomSlowdownPart *part = loom_slowdown_find_unequal_transfers (self->result);
  if (part == NULL)
    return TRUE;
  guint replay = loom_slowdown_trials_plan (&self->trials, LOOM_SLOWDOWN_MEASURED, LOOM_SLOWDOWN_TYPICAL,
                                            LOOM_SLOWDOWN_OF_KIND, (guint32) part->number);
  if (!loom_slowdown_trials_run (&self->trials))
    return FALSE;
  self->result->transfer_loss_ns = MAX (get_pace (self, REPLAYED) - get_pace (self, replay), 0);
  return TRUE;
}

/* Returns S of a row or stage; NAN: not computed. */
static double
get_part (const GArray *parts, gint number)
{
  for (guint i = 0; i < parts->len; i++)
    if (g_array_index (parts, LoomSlowdownPart, i).number == number)
      return g_array_index (parts, LoomSlowdownPart, i).slowdown;
  return NAN;
}

/* Returns the lower of two values: S of the row of a worker and S of its stage. NAN: one of them is not computed. An
 * unknown row or stage does not count. */
static double
get_lower_part (const LoomSlowdown *result, const LoomSlowdownWorker *worker)
{
  double row = get_part (result->rows, worker->row), stage = get_part (result->stages, worker->stage);
  return (worker->row >= 0 && isnan (row)) || (worker->stage >= 0 && isnan (stage)) ? NAN : fmin (row, stage);
}

/* Sets S (the slowdown) of the workers, and their savings. If the run has spans of Megatron's phases
 * (LOOM_SLOWDOWN_OF_OPERATIONS), S of a worker is the lower of two values: S of its row and S of its stage, as in the
 * paper. This needs one replay for each row and for each stage, instead of one for each worker. `chosen`: the workers
 * (LoomSlowdownCandidate) whose savings are set. `first`: index of the first of their replays. */
static void
set_workers (Computation *self, const GArray *chosen, guint first)
{
  LoomSlowdown *result = self->result;
  gboolean kernels = result->source == LOOM_SLOWDOWN_OF_KERNELS;
  guint n_each = kernels ? 2 : 1;
  result->workers = g_array_ref (self->model.workers);
  self->repairs = g_new (guint, result->workers->len + 1);
  for (guint i = 0; i < result->workers->len; i++) {
    LoomSlowdownWorker *worker = &g_array_index (result->workers, LoomSlowdownWorker, i);
    self->repairs[i] = G_MAXUINT;
    worker->slowdown = kernels ? NAN : get_lower_part (result, worker);
    worker->saved_ns = worker->saved_of_length_ns = worker->waits_ns = G_MININT64;
  }
  for (guint i = 0; i < chosen->len; i++) {
    LoomSlowdownWorker *worker =
      &g_array_index (result->workers, LoomSlowdownWorker, g_array_index (chosen, LoomSlowdownCandidate, i).number);
    self->repairs[g_array_index (chosen, LoomSlowdownCandidate, i).number] = first + i * n_each;
    worker->saved_ns = get_pace (self, REPLAYED) - get_pace (self, first + i * n_each);
    worker->saved_of_length_ns = (gint64) round (get_mean (self, REPLAYED) - get_mean (self, first + i * n_each));
    worker->waits_ns = get_caused (self, first + i * n_each);
    if (kernels)
      worker->slowdown = get_slowdown (self, first + i * n_each + 1);
  }
}

static void
plan_chosen (Computation *self, LoomSlowdownSet type, const GArray *chosen)
{
  for (guint i = 0; i < chosen->len; i++)
    loom_slowdown_trials_plan (&self->trials, LOOM_SLOWDOWN_IDEAL, LOOM_SLOWDOWN_MEASURED, type,
                               g_array_index (chosen, LoomSlowdownCandidate, i).number);
}

static void
plan_workers (Computation *self, const GArray *chosen)
{
  for (guint i = 0; i < chosen->len; i++) {
    guint number = g_array_index (chosen, LoomSlowdownCandidate, i).number;
    loom_slowdown_trials_plan (&self->trials, LOOM_SLOWDOWN_MEASURED, LOOM_SLOWDOWN_TYPICAL,
                               LOOM_SLOWDOWN_COMPUTATION_OF_WORKER, number);
    if (self->result->source == LOOM_SLOWDOWN_OF_KERNELS)
      loom_slowdown_trials_plan (&self->trials, LOOM_SLOWDOWN_IDEAL, LOOM_SLOWDOWN_MEASURED, LOOM_SLOWDOWN_OF_WORKER,
                                 number);
  }
}

static gboolean
replay_parts (Computation *self)
{
  guint first = self->trials.all->len;
  g_autoptr (GArray) rows = loom_slowdown_choice_list_parts (&self->model, FALSE),
                     stages = loom_slowdown_choice_list_parts (&self->model, TRUE),
                     kinds = loom_slowdown_choice_list_kinds (&self->model, &self->trials.durations),
                     workers = loom_slowdown_choice_list_workers (&self->model);
  plan_chosen (self, LOOM_SLOWDOWN_OF_ROW, rows);
  plan_chosen (self, LOOM_SLOWDOWN_OF_STAGE, stages);
  plan_chosen (self, LOOM_SLOWDOWN_OF_KIND, kinds);
  plan_workers (self, workers);
  if (!loom_slowdown_trials_run (&self->trials))
    return FALSE;
  self->result->rows = get_parts (self, rows, first);
  self->result->stages = get_parts (self, stages, first + rows->len);
  self->result->row_steps = get_part_steps (self, first, rows->len);
  self->result->stage_steps = get_part_steps (self, first + rows->len, stages->len);
  set_kinds (self, kinds, first + rows->len + stages->len);
  set_workers (self, workers, first + rows->len + stages->len + kinds->len);
  return TRUE;
}

/* --- share of the loss that a few workers explain ----------------------------------------------------------------- */

/* Marks workers in the order of their weights until `n_left` is 0. Skips workers that are already marked. */
static void
mark_largest (GArray *candidates, guint8 *chosen, guint *n_left)
{
  loom_slowdown_choice_sort (candidates);
  for (guint i = 0; *n_left > 0 && i < candidates->len; i++) {
    guint8 *mark = &chosen[g_array_index (candidates, LoomSlowdownCandidate, i).number];
    *n_left -= *mark == 0;
    *mark = 1;
  }
}

/* Returns an array: [worker] 1 for the WORST_WORKERS_PERCENT of the workers with the largest S, 0 for the others. If
 * workers have equal S, those with lower indices are chosen. If S is computed for fewer workers, those with the largest
 * excess_ns follow. Sets `n_chosen` to the number of chosen workers. */
static guint8 *
choose_worst (const Computation *self, guint *n_chosen)
{
  const GArray *workers = self->result->workers;
  guint8 *chosen = g_new0 (guint8, workers->len + 1);
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownCandidate)),
                     all = loom_slowdown_choice_list_excess (&self->model);
  for (guint i = 0; i < workers->len; i++) {
    const LoomSlowdownCandidate one = { i, g_array_index (workers, LoomSlowdownWorker, i).slowdown };
    if (!isnan (one.weight))
      g_array_append_val (known, one);
  }
  *n_chosen = (workers->len * WORST_WORKERS_PERCENT + 99) / 100;
  guint n_left = *n_chosen;
  mark_largest (known, chosen, &n_left);
  mark_largest (all, chosen, &n_left);
  return chosen;
}

/* Returns which share of the loss is avoided in the replay with the index `replay`. The loss is the mean duration of a
 * step in the replay of measured durations, minus the mean duration of a step in the replay of ideal durations. NAN:
 * the loss is less than LEAST_LOSS of a step, so that the share means nothing. */
static double
get_explained (const Computation *self, guint replay)
{
  double loss_ns = get_mean (self, REPLAYED) - get_mean (self, IDEALLY);
  return fabs (loss_ns) >= LEAST_LOSS * get_mean (self, REPLAYED)
           ? (get_mean (self, REPLAYED) - get_mean (self, replay)) / loss_ns
           : NAN;
}

static gboolean
replay_explanations (Computation *self)
{
  LoomSlowdown *result = self->result;
  g_autofree guint8 *chosen = choose_worst (self, &result->n_worst);
  guint worst =
    loom_slowdown_trials_plan_workers (&self->trials, LOOM_SLOWDOWN_IDEAL, LOOM_SLOWDOWN_OF_WORKERS, chosen);
  guint last = self->model.n_stages > 1
                 ? loom_slowdown_trials_plan (&self->trials, LOOM_SLOWDOWN_MEASURED, LOOM_SLOWDOWN_IDEAL,
                                              LOOM_SLOWDOWN_OF_STAGE, self->model.n_stages - 1)
                 : G_MAXUINT;
  if (!loom_slowdown_trials_run (&self->trials))
    return FALSE;
  result->worst_workers = get_explained (self, worst);
  result->last_stage = last != G_MAXUINT ? get_explained (self, last) : NAN;
  return TRUE;
}

/* --- ranks that are stragglers ------------------------------------------------------------------------------------ */

static const LoomSlowdownWorker *
get_worker (const Computation *self, guint number)
{
  return &g_array_index (self->result->workers, LoomSlowdownWorker, number);
}

/* Returns the worker whose repair saves most; NULL: the savings were not computed for any worker. */
static const LoomSlowdownWorker *
find_best (const Computation *self)
{
  const LoomSlowdownWorker *best = NULL;
  for (guint i = 0; i < self->result->workers->len; i++)
    if (best == NULL || get_worker (self, i)->saved_ns > best->saved_ns)
      best = get_worker (self, i);
  return best != NULL && best->saved_ns != G_MININT64 ? best : NULL;
}

/* Returns an array of guint: indices of the slow workers, slowest first. A worker is slow if its excess_ns is at least
 * LEAST_EXCESS of the largest excess_ns. Empty if so many workers are slow that being slow is normal
 * (MOST_STRAGGLERS_PART). */
static GArray *
choose_slow (const Computation *self)
{
  GArray *slow = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) order = loom_slowdown_choice_list_workers (&self->model);
  for (guint i = 0; i < order->len; i++) {
    const LoomSlowdownCandidate *one = &g_array_index (order, LoomSlowdownCandidate, i);
    if (one->weight <= 0 || one->weight < LEAST_EXCESS * g_array_index (order, LoomSlowdownCandidate, 0).weight)
      break;
    g_array_append_val (slow, one->number);
  }
  if (slow->len > MAX (self->result->workers->len / MOST_STRAGGLERS_PART, 1))
    g_array_set_size (slow, 0);
  return slow;
}

/* Runs a replay in which the computation of all slow workers takes the typical time. Needed because repairing only one
 * of two equally slow ranks saves nothing. Returns the index of the trial; G_MAXUINT when
 * cancelled. */
static guint
replay_slow (Computation *self, const GArray *slow)
{
  g_autofree guint8 *chosen = g_new0 (guint8, self->result->workers->len + 1);
  for (guint i = 0; i < slow->len; i++)
    chosen[g_array_index (slow, guint, i)] = 1;
  guint replay = loom_slowdown_trials_plan_workers (&self->trials, LOOM_SLOWDOWN_TYPICAL,
                                                    LOOM_SLOWDOWN_COMPUTATION_OF_WORKERS, chosen);
  return loom_slowdown_trials_run (&self->trials) ? replay : G_MAXUINT;
}

/* Sets the stragglers if repairing them saves enough. `slow`: guint: indices of the workers that may be stragglers.
 * `saved_ns`: time that a mean step saves if these workers are repaired. `caused_ns`: part of the waits that these
 * workers cause. `repair`: index of the replay in which they are repaired. */
static void
set_stragglers (Computation *self, const GArray *slow, gint64 saved_ns, gint64 caused_ns, guint repair)
{
  LoomSlowdown *result = self->result;
  const LoomRange *steps = loom_slowdown_trials_get (&self->trials, REPLAYED)->steps,
                  *repaired = loom_slowdown_trials_get (&self->trials, repair)->steps;
  gint64 before_ns = G_MININT64, after_ns = G_MININT64;
  if ((double) saved_ns < LEAST_SAVING * (double) get_pace (self, REPLAYED))
    return;
  g_array_append_vals (result->stragglers, slow->data, slow->len);
  result->saved_ns = saved_ns;
  result->caused_ns = CLAMP (caused_ns, 0, result->waits_ns);
  result->saved_steps_ns = g_new (gint64, result->steps->len + 1);
  for (guint i = 0; i < result->steps->len; i++)
    result->saved_steps_ns[i] = loom_time_sub (loom_slowdown_steps_take_new_time (steps[i], &before_ns),
                                               loom_slowdown_steps_take_new_time (repaired[i], &after_ns));
}

static gboolean
find_stragglers (Computation *self)
{
  const LoomSlowdownWorker *best = find_best (self);
  g_autoptr (GArray) slow = choose_slow (self);
  if (best == NULL)
    return TRUE;
  guint replay = slow->len > 1 ? replay_slow (self, slow) : G_MAXUINT, first = (guint) (best - get_worker (self, 0));
  gint64 together_ns = replay != G_MAXUINT ? get_pace (self, REPLAYED) - get_pace (self, replay) : 0;
  if (slow->len > 1 && replay == G_MAXUINT)
    return FALSE;
  if ((double) together_ns > LEAST_MORE * (double) MAX (best->saved_ns, 0)) {
    set_stragglers (self, slow, together_ns, get_caused (self, replay), replay);
    return TRUE;
  }
  g_array_set_size (slow, 0);
  g_array_append_val (slow, first);
  set_stragglers (self, slow, best->saved_ns, best->waits_ns, self->repairs[first]);
  return TRUE;
}

/* --- computing all results ---------------------------------------------------------------------------------------- */

static gboolean
find_causes (Computation *self)
{
  self->result->causes = loom_slowdown_comparison_run (&self->model, self->result, self->cancellable);
  for (guint i = 0; self->result->causes != NULL && i < self->result->causes->len; i++)
    if (!loom_slowdown_inputs_compare (&g_array_index (self->result->causes, LoomSlowdownCause, i), self->result,
                                       self->collectives->timeline, self->cancellable))
      return FALSE;
  return self->result->causes != NULL;
}

static gboolean
compute (Computation *self)
{
  loom_slowdown_trials_init (&self->trials, &self->model, self->cancellable);
  loom_slowdown_trials_plan (&self->trials, LOOM_SLOWDOWN_MEASURED, LOOM_SLOWDOWN_MEASURED, LOOM_SLOWDOWN_NO_OPERATIONS,
                             0);
  loom_slowdown_trials_plan (&self->trials, LOOM_SLOWDOWN_IDEAL, LOOM_SLOWDOWN_IDEAL, LOOM_SLOWDOWN_NO_OPERATIONS, 0);
  loom_slowdown_trials_plan (&self->trials, LOOM_SLOWDOWN_TYPICAL, LOOM_SLOWDOWN_TYPICAL, LOOM_SLOWDOWN_NO_OPERATIONS,
                             0);
  if (!loom_slowdown_trials_run (&self->trials))
    return FALSE;
  set_steps (self);
  set_cells (self);
  return replay_parts (self) && replay_transfers (self) && replay_explanations (self) && find_stragglers (self) &&
         find_causes (self);
}

static gboolean
read_model (Computation *self, const LoomCollectives *collectives)
{
  LoomRun *run = loom_timeline_get_run (collectives->timeline);
  if (loom_slowdown_are_operations_recorded (run)) {
    self->result->source = LOOM_SLOWDOWN_OF_OPERATIONS;
    return loom_slowdown_operations_read (&self->model, collectives->timeline, collectives->range, self->cancellable);
  }
  return loom_slowdown_kernels_read (&self->model, collectives, self->cancellable);
}

/* Closes the replay of the model. Returns NULL if the model can be replayed; otherwise a translated sentence that
 * states the reason why it cannot. */
static const char *
find_missing (Computation *self, const LoomRun *run)
{
  if (loom_run_has_index (run))
    return _ ("The cost of slow ranks cannot be computed from index files: they contain only sums of the host’s work.");
  if (self->model.workers->len < 2)
    return _ ("The cost of slow ranks is unknown: the operations of at least two ranks are needed.");
  if (self->model.steps->len < 2)
    return _ ("The cost of slow ranks is unknown: at least two steps are needed.");
  if (self->result->source == LOOM_SLOWDOWN_OF_KERNELS && !self->model.has_launches)
    return _ (
      "The cost of slow ranks is unknown: the calls that launch kernels were not recorded, so it is not known when a kernel could begin.");
  if (self->result->source == LOOM_SLOWDOWN_OF_KERNELS && self->model.lacks_launches)
    return _ (
      "The cost of slow ranks is unknown: the calls that launch kernels were recorded only on some ranks, so it is not known when a kernel of the other ranks could begin.");
  if (!loom_slowdown_replay_close (&self->model.replay))
    return _ (
      "The cost of slow ranks is unknown: the times of the ranks contradict each other; according to them, some work ends before it starts.");
  return NULL;
}

static void
clear (Computation *self)
{
  loom_slowdown_trials_clear (&self->trials);
  g_free (self->repairs);
  loom_slowdown_model_clear (&self->model);
}

/* Creates empty arrays in `result` for the results that were not computed. */
static void
fill_up (LoomSlowdown *result)
{
  GArray **const parts[] = { &result->kinds, &result->rows, &result->stages };
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (*parts[i] == NULL)
      *parts[i] = g_array_new (FALSE, TRUE, sizeof (LoomSlowdownPart));
  if (result->workers == NULL)
    result->workers = g_array_new (FALSE, TRUE, sizeof (LoomSlowdownWorker));
  if (result->causes == NULL)
    result->causes = g_array_new (FALSE, TRUE, sizeof (LoomSlowdownCause));
  if (result->steps == NULL)
    result->steps = g_array_new (FALSE, TRUE, sizeof (LoomSlowdownStep));
}

static void
free_slowdown (gpointer data)
{
  LoomSlowdown *slowdown = data;
  g_array_unref (slowdown->stragglers);
  g_array_unref (slowdown->causes);
  g_array_unref (slowdown->workers);
  g_array_unref (slowdown->steps);
  g_array_unref (slowdown->kinds);
  g_array_unref (slowdown->rows);
  g_array_unref (slowdown->stages);
  g_free (slowdown->saved_steps_ns);
  g_free (slowdown->row_steps);
  g_free (slowdown->stage_steps);
  g_free (slowdown->cells);
  g_free (slowdown->spans);
  g_free (slowdown);
}

static gpointer
make_slowdown (const LoomCollectives *collectives, GCancellable *cancellable)
{
  LoomSlowdown *result = g_new0 (LoomSlowdown, 1);
  Computation self = { .collectives = collectives, .result = result, .cancellable = cancellable };
  result->stragglers = g_array_new (FALSE, FALSE, sizeof (guint));
  result->slowdown = result->fit = result->worst_workers = result->last_stage = NAN;
  loom_slowdown_model_init (&self.model);
  gboolean done = read_model (&self, collectives);
  result->missing = done ? find_missing (&self, loom_timeline_get_run (collectives->timeline)) : NULL;
  if (done && result->missing == NULL)
    done = compute (&self);
  clear (&self);
  fill_up (result);
  if (!done)
    g_clear_pointer (&result, free_slowdown);
  return result;
}

const LoomSlowdown *
loom_slowdown_get (const LoomCollectives *collectives, GCancellable *cancellable)
{
  g_return_val_if_fail (collectives != NULL, NULL);
  return loom_collectives_share (collectives, LOOM_COLLECTIVES_SLOWDOWN, make_slowdown, free_slowdown, cancellable);
}
