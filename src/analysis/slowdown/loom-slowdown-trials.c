/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-slowdown-trials.h"

#include "loom-parallel.h"
#include "loom-slowdown-steps.h"

static gboolean
is_worker_chosen (const LoomSlowdownModel *model, const LoomSlowdownTrial *trial, guint number)
{
  const LoomSlowdownWorker *worker = &g_array_index (model->workers, LoomSlowdownWorker, number);
  switch (trial->set) {
  case LOOM_SLOWDOWN_OF_KIND: return TRUE;
  case LOOM_SLOWDOWN_OF_WORKER:
  case LOOM_SLOWDOWN_COMPUTATION_OF_WORKER: return number == trial->number;
  case LOOM_SLOWDOWN_OF_ROW: return worker->row == (gint) trial->number;
  case LOOM_SLOWDOWN_OF_STAGE: return worker->stage == (gint) trial->number;
  case LOOM_SLOWDOWN_OF_WORKERS:
  case LOOM_SLOWDOWN_COMPUTATION_OF_WORKERS: return trial->chosen[number] != 0;
  default: return FALSE;
  }
}

static guint8 *
choose_operations_of_workers (const LoomSlowdownModel *model, const LoomSlowdownTrial *trial)
{
  guint8 *chosen = g_new (guint8, model->workers->len + 1);
  for (guint i = 0; i < model->workers->len; i++)
    chosen[i] = is_worker_chosen (model, trial, i) ? 1 : 0;
  return chosen;
}

/* Returns LoomSlowdownReplayTimes.likes for a trial. Chosen are the operations of one kind (LOOM_SLOWDOWN_OF_KIND), or all
 * computations (LOOM_SLOWDOWN_COMPUTATION_OF_WORKER, LOOM_SLOWDOWN_COMPUTATION_OF_WORKERS). NULL: all operations. Owned by the caller. */
static guint8 *
choose_likes (const LoomSlowdownModel *model, const LoomSlowdownTrial *trial)
{
  const LoomSlowdownLike *likes = (const LoomSlowdownLike *) (gconstpointer) model->likes->data;
  gboolean of_kind = trial->set == LOOM_SLOWDOWN_OF_KIND;
  if (!of_kind && trial->set != LOOM_SLOWDOWN_COMPUTATION_OF_WORKER &&
      trial->set != LOOM_SLOWDOWN_COMPUTATION_OF_WORKERS)
    return NULL;
  guint8 *chosen = g_new0 (guint8, (gsize) model->likes->len + 1);
  for (guint i = 0; i < model->likes->len; i++)
    chosen[i + 1] = of_kind ? likes[i].kind == trial->number : !likes[i].is_transfer;
  return chosen;
}

static void
measure_steps (LoomSlowdownTrial *trial, guint n)
{
  gint64 all_ns = 0, until_ns = G_MININT64;
  for (guint i = 0; i < n; i++) {
    trial->mean_ns += (double) loom_slowdown_steps_get_length (trial->steps[i]) / n;
    all_ns = loom_time_add (all_ns, loom_slowdown_steps_take_new_time (trial->steps[i], &until_ns));
  }
  trial->pace_ns = n > 0 ? all_ns / n : 0;
}

/* Runs at most LOOM_SLOWDOWN_MOST_REPLAYS of the trials that have not run yet, at the same time. `item`: number of this
 * group of trials. `thread`: index in trials->ends of the working memory. */
static void
run (guint item, guint thread, gpointer data)
{
  LoomSlowdownTrials *self = data;
  const LoomSlowdownModel *model = self->model;
  guint first = self->n_done + item * LOOM_SLOWDOWN_MOST_REPLAYS,
        n = MIN (LOOM_SLOWDOWN_MOST_REPLAYS, self->all->len - first);
  LoomSlowdownTrial *trials = &g_array_index (self->all, LoomSlowdownTrial, first);
  LoomSlowdownReplayTimes times[LOOM_SLOWDOWN_MOST_REPLAYS];
  LoomSlowdownReplayResult results[LOOM_SLOWDOWN_MOST_REPLAYS];
  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  for (guint i = 0; i < n; i++) {
    times[i] =
      (LoomSlowdownReplayTimes) { self->durations.of[trials[i].base], self->durations.of[trials[i].other],
                                  choose_operations_of_workers (model, &trials[i]), choose_likes (model, &trials[i]) };
    results[i].steps = trials[i].steps = g_new (LoomRange, model->replay.n_steps + 1);
  }
  loom_slowdown_replay_run (&model->replay, times, n, self->ends[thread], results);
  for (guint i = 0; i < n; i++) {
    trials[i].waits_ns = results[i].waits_ns;
    measure_steps (&trials[i], model->steps->len);
    g_free ((guint8 *) times[i].workers);
    g_free ((guint8 *) times[i].likes);
  }
}

void
loom_slowdown_trials_init (LoomSlowdownTrials *trials, const LoomSlowdownModel *model, GCancellable *cancellable)
{
  *trials = (LoomSlowdownTrials) { .model = model,
                                   .all = g_array_new (FALSE, TRUE, sizeof (LoomSlowdownTrial)),
                                   .cancellable = cancellable };
  loom_slowdown_durations_init (&trials->durations, model);
}

void
loom_slowdown_trials_clear (LoomSlowdownTrials *trials)
{
  if (trials->all == NULL)
    return;
  loom_slowdown_durations_clear (&trials->durations);
  for (guint i = 0; i < LOOM_SLOWDOWN_MOST_THREADS; i++)
    g_free (trials->ends[i]);
  for (guint i = 0; i < trials->all->len; i++)
    g_free (g_array_index (trials->all, LoomSlowdownTrial, i).steps);
  g_array_unref (trials->all);
}

guint
loom_slowdown_trials_plan (LoomSlowdownTrials *trials, guint base, guint other, LoomSlowdownSet set, guint32 number)
{
  const LoomSlowdownTrial trial = { .base = base, .other = other, .set = set, .number = number };
  g_array_append_val (trials->all, trial);
  return trials->all->len - 1;
}

guint
loom_slowdown_trials_plan_workers (LoomSlowdownTrials *trials, guint other, LoomSlowdownSet set, const guint8 *chosen)
{
  guint index = loom_slowdown_trials_plan (trials, LOOM_SLOWDOWN_MEASURED, other, set, 0);
  g_array_index (trials->all, LoomSlowdownTrial, index).chosen = chosen;
  return index;
}

gboolean
loom_slowdown_trials_run (LoomSlowdownTrials *trials)
{
  guint n_threads = MIN (loom_parallel_resolve (0), LOOM_SLOWDOWN_MOST_THREADS);
  for (guint i = 0; i < n_threads; i++)
    if (trials->ends[i] == NULL)
      trials->ends[i] = g_new (gint64, (gsize) trials->model->replay.operations->len * LOOM_SLOWDOWN_MOST_REPLAYS + 1);
  guint n = trials->all->len - trials->n_done;
  loom_parallel_for ((n + LOOM_SLOWDOWN_MOST_REPLAYS - 1) / LOOM_SLOWDOWN_MOST_REPLAYS, n_threads, run, trials, NULL);
  trials->n_done = trials->all->len;
  return !g_cancellable_is_cancelled (trials->cancellable);
}

const LoomSlowdownTrial *
loom_slowdown_trials_get (const LoomSlowdownTrials *trials, guint index)
{
  return &g_array_index (trials->all, LoomSlowdownTrial, index);
}
