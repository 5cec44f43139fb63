/* SPDX-License-Identifier: Apache-2.0
 *
 * Derives values from a computed LoomSlowdown, such as savings and shares. loom-slowdown.h describes the functions.
 */
#include <math.h>

#include "loom-slowdown-steps.h"
#include "loom-slowdown.h"

#define MAIN_STEP 0.5    /* see loom_slowdown_find_main_step() */
#define LEAST_EXCESS 0.5 /* see loom_slowdown_list_slow_steps() */
#define LEAST_FIT 0.9
#define MOST_FIT 1.1

gboolean
loom_slowdown_fits (const LoomSlowdown *slowdown)
{
  return slowdown->missing == NULL && slowdown->fit >= LEAST_FIT && slowdown->fit <= MOST_FIT;
}

const LoomSlowdownPart *
loom_slowdown_find_unequal_transfers (const LoomSlowdown *slowdown)
{
  const LoomSlowdownPart *most =
    slowdown->kinds->len > 0 ? &g_array_index (slowdown->kinds, LoomSlowdownPart, 0) : NULL;
  return most != NULL && most->is_transfer ? most : NULL;
}

gint64
loom_slowdown_get_pace (const LoomSlowdown *slowdown)
{
  gint64 all_ns = 0, until_ns = G_MININT64;
  guint n = slowdown->steps->len;
  for (guint i = 0; i < n; i++)
    all_ns = loom_time_add (all_ns, loom_slowdown_steps_take_new_time (
                                      g_array_index (slowdown->steps, LoomSlowdownStep, i).range, &until_ns));
  return n > 0 && all_ns > n ? all_ns / n : MAX (slowdown->replayed_ns, 1);
}

gint64
loom_slowdown_get_total_saving (const LoomSlowdown *slowdown)
{
  return MAX (slowdown->saved_ns, 0) * slowdown->steps->len;
}

/* Returns TRUE if the middle of a step is in the range. */
static gboolean
is_mostly_in (const LoomSlowdown *slowdown, guint number, LoomRange range)
{
  LoomRange step = g_array_index (slowdown->steps, LoomSlowdownStep, number).range;
  gint64 middle_ns = loom_time_add (step.begin_ns, loom_time_sub (step.end_ns, step.begin_ns) / 2);
  return middle_ns >= range.begin_ns && middle_ns < range.end_ns;
}

gint64
loom_slowdown_get_saving_in (const LoomSlowdown *slowdown, LoomRange range)
{
  gint64 sum_ns = 0;
  guint main_step = loom_slowdown_find_main_step (slowdown);
  if (main_step != G_MAXUINT)
    return is_mostly_in (slowdown, main_step, range) ? loom_slowdown_get_total_saving (slowdown) : 0;
  for (guint i = 0; slowdown->saved_steps_ns != NULL && i < slowdown->steps->len; i++)
    if (is_mostly_in (slowdown, i, range))
      sum_ns = loom_time_add (sum_ns, slowdown->saved_steps_ns[i]);
  return MAX (sum_ns, 0);
}

const LoomSlowdownWorker *
loom_slowdown_find_rank (const LoomSlowdown *slowdown, gint rank)
{
  for (guint i = 0; i < slowdown->workers->len; i++)
    if (g_array_index (slowdown->workers, LoomSlowdownWorker, i).rank == rank)
      return &g_array_index (slowdown->workers, LoomSlowdownWorker, i);
  return NULL;
}

const LoomSlowdownWorker *
loom_slowdown_find_worker (const LoomSlowdown *slowdown, const char *node, gint rank)
{
  for (guint i = 0; i < slowdown->workers->len; i++) {
    const LoomSlowdownWorker *worker = &g_array_index (slowdown->workers, LoomSlowdownWorker, i);
    if (worker->rank == rank && g_strcmp0 (worker->node, node) == 0)
      return worker;
  }
  return loom_slowdown_find_rank (slowdown, rank);
}

gboolean
loom_slowdown_is_straggler (const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker)
{
  for (guint i = 0; i < slowdown->stragglers->len; i++)
    if (&g_array_index (slowdown->workers, LoomSlowdownWorker, g_array_index (slowdown->stragglers, guint, i)) ==
        worker)
      return TRUE;
  return FALSE;
}

/* Returns by which share the computation of a worker in a step takes longer than is typical: 0.1 if it takes 10 %
 * longer, a negative number if it takes less time; 0 if this is unknown. */
static double
get_excess (const LoomSlowdown *slowdown, guint worker, guint step)
{
  double cell = slowdown->cells[(gsize) worker * slowdown->steps->len + step];
  return isfinite (cell) ? cell - 1 : 0;
}

guint8 *
loom_slowdown_list_slow_steps (const LoomSlowdown *slowdown, guint worker)
{
  guint8 *slow = g_new0 (guint8, slowdown->steps->len + 1);
  double most = 0;
  for (guint i = 0; i < slowdown->steps->len; i++)
    most = fmax (most, get_excess (slowdown, worker, i));
  for (guint i = 0; most > 0 && i < slowdown->steps->len; i++)
    slow[i] = get_excess (slowdown, worker, i) >= LEAST_EXCESS * most;
  return slow;
}

const LoomSlowdownCause *
loom_slowdown_find_cause (const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker)
{
  for (guint i = 0; i < slowdown->causes->len; i++) {
    const LoomSlowdownCause *cause = &g_array_index (slowdown->causes, LoomSlowdownCause, i);
    if (&g_array_index (slowdown->workers, LoomSlowdownWorker, cause->worker) == worker)
      return cause;
  }
  return NULL;
}

guint
loom_slowdown_find_slowest_step (const LoomSlowdown *slowdown, guint worker)
{
  const double *cells = &slowdown->cells[(gsize) worker * slowdown->steps->len];
  guint slowest = 0;
  for (guint i = 1; i < slowdown->steps->len; i++)
    /* the condition is negated, so that a number also replaces NaN, the value of a step without computation */
    if (isfinite (cells[i]) && !(cells[i] <= cells[slowest]))
      slowest = i;
  return slowest;
}

guint
loom_slowdown_find_main_step (const LoomSlowdown *slowdown)
{
  if (slowdown->stragglers->len != 1 || slowdown->saved_steps_ns == NULL)
    return G_MAXUINT;
  guint worker = g_array_index (slowdown->stragglers, guint, 0), worst = 0;
  gint64 sum_ns = 0;
  for (guint i = 0; i < slowdown->steps->len; i++) {
    worst = get_excess (slowdown, worker, i) > get_excess (slowdown, worker, worst) ? i : worst;
    sum_ns = loom_time_add (sum_ns, slowdown->saved_steps_ns[i]);
  }
  for (guint i = 0; i < slowdown->steps->len; i++)
    if (i != worst && get_excess (slowdown, worker, i) >= MAIN_STEP * get_excess (slowdown, worker, worst))
      return G_MAXUINT;
  gboolean is_most = sum_ns > 0 && (double) slowdown->saved_steps_ns[worst] >= MAIN_STEP * (double) sum_ns;
  return is_most && g_array_index (slowdown->steps, LoomSlowdownStep, worst).number >= 0 ? worst : G_MAXUINT;
}

double
loom_slowdown_get_caused (const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker)
{
  if (!loom_slowdown_fits (slowdown) || worker->waits_ns <= 0 || slowdown->waits_ns <= 0)
    return 0;
  return MIN ((double) worker->waits_ns / (double) slowdown->waits_ns, 1);
}

double
loom_slowdown_get_saving (const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker)
{
  if (!loom_slowdown_fits (slowdown) || worker->saved_ns <= 0)
    return 0;
  return (double) worker->saved_ns / (double) loom_slowdown_get_pace (slowdown);
}

LoomHostDelay *
loom_slowdown_find_uncovered (const LoomSlowdown *slowdown, const LoomStragglers *stragglers)
{
  if (stragglers == NULL || stragglers->n_ranks == 0 || slowdown->stragglers->len > 0)
    return NULL;
  double steps_ns = (double) slowdown->replayed_ns * slowdown->steps->len * stragglers->n_ranks;
  if ((double) stragglers->wait_ns < LOOM_SLOWDOWN_UNCOVERED * steps_ns)
    return NULL;
  return loom_host_delay_find (stragglers);
}
