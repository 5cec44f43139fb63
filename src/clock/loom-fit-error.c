/* SPDX-License-Identifier: Apache-2.0
 *
 * How well the lines of a component are known against its reference. A clock that shares most of its occasions with the
 * reference is compared with it directly: what all clocks miss an occasion's moment by cancels then. Any other is
 * compared with the moments, and what the clock it shares most with is uncertain by is added.
 */
#include "loom-fit-private.h"

#include "loom-parallel.h"

/* Occasions at which one looks for the clock that a clock shares most with. */
#define MOST_LOOKED_AT 32

typedef struct {
  LoomFitting *self;
  gint64 *reference_ns; /* by occasion: what the reference read; LOOM_TIME_NONE */
  guint8 *is_direct;    /* by member: compared with the reference */
} ErrorWork;

static gint64 *
read_reference (const LoomFitting *self)
{
  const LoomGraph *graph = self->graph;
  guint reference = loom_fitting_get_reference (self);
  gint64 *read_ns = g_new (gint64, MAX (graph->n_occasions, 1));
  for (guint i = 0; i < graph->n_occasions; i++)
    read_ns[i] = LOOM_TIME_NONE;
  for (guint32 i = graph->first_edge[reference]; i < graph->first_edge[reference + 1]; i++)
    read_ns[graph->readings[graph->edges[i].reading].occasion] = loom_line_map (&graph->lines[reference], graph->edges[i].local_ns);
  return read_ns;
}

/* Keeps of the pairs those with the reference, and compares with it. FALSE, and all as it was, when these are too few. */
static gboolean
compare_with_reference (LoomOwn *own, const ErrorWork *work)
{
  const LoomGraph *graph = work->self->graph;
  guint n_shared = 0;
  for (guint i = 0; i < own->pairs.n; i++)
    n_shared += work->reference_ns[graph->readings[own->reading[i]].occasion] != LOOM_TIME_NONE;
  if (n_shared < LOOM_FIT_OFFSET_PAIRS || n_shared * 2 < own->pairs.n)
    return FALSE;
  guint n_kept = 0;
  for (guint i = 0; i < own->pairs.n; i++) {
    gint64 target_ns = work->reference_ns[graph->readings[own->reading[i]].occasion];
    if (target_ns == LOOM_TIME_NONE)
      continue;
    own->local_ns[n_kept] = own->local_ns[i];
    own->uncertainty_ns[n_kept] = own->uncertainty_ns[i];
    own->target_ns[n_kept++] = target_ns;
  }
  own->pairs.n = n_kept;
  return TRUE;
}

static void
measure_member (guint item, guint worker, gpointer user_data)
{
  ErrorWork *work = user_data;
  LoomFitting *self = work->self;
  guint clock = g_array_index (self->members, guint, item);
  LoomOwn own;
  if (self->is_fixed[clock] || item == 0)
    return;
  loom_own_init (&own, self, clock, TRUE);
  gboolean may_drift = loom_own_may_drift (&own);
  work->is_direct[item] = compare_with_reference (&own, work);
  self->fit->clocks[clock].error = loom_line_error_new (&self->graph->lines[clock], &own.pairs, may_drift);
  loom_own_clear (&own);
}

/* The clock among those whose errors are known that `clock` shares most with; `clock` itself for none. */
static guint
find_nearest (const LoomFitting *self, guint clock, const guint8 *is_known)
{
  const LoomGraph *graph = self->graph;
  g_autofree guint *shared = g_new0 (guint, graph->n_clocks);
  guint first = graph->first_edge[clock], n = graph->first_edge[clock + 1] - first, step = n / MOST_LOOKED_AT + 1, best = clock;
  for (guint i = 0; i < n; i += step) {
    const LoomOccasion *all = &graph->occasions[graph->readings[graph->edges[first + i].reading].occasion];
    for (guint j = all->first; j < all->first + all->n; j++) {
      guint other = graph->readings[j].clock;
      if (other != clock && is_known[other] && ++shared[other] > shared[best])
        best = other;
    }
  }
  return best;
}

/* Members stand in the order in which they were placed, so what a clock was placed by comes before it. */
static void
add_up (LoomFitting *self, const ErrorWork *work)
{
  g_autofree guint8 *is_known = g_new0 (guint8, self->graph->n_clocks);
  LoomFitted *clocks = self->fit->clocks;
  for (guint i = 0; i < self->members->len; i++) {
    guint clock = g_array_index (self->members, guint, i);
    if (i > 0 && !self->is_fixed[clock] && !work->is_direct[i]) {
      guint nearest = find_nearest (self, clock, is_known);
      if (nearest != clock && nearest != loom_fitting_get_reference (self))
        clocks[clock].error = loom_line_error_add (&clocks[clock].error, &clocks[nearest].error);
    }
    is_known[clock] = TRUE;
  }
}

void
loom_fitting_measure_errors (LoomFitting *self)
{
  g_autofree gint64 *reference_ns = read_reference (self);
  g_autofree guint8 *is_direct = g_new0 (guint8, self->members->len);
  ErrorWork work = { self, reference_ns, is_direct };
  loom_parallel_for (self->members->len, self->n_threads, measure_member, &work, NULL);
  add_up (self, &work);
}
