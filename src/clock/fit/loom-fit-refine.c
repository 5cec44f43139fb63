/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-fit-private.h"

#include "loom-parallel.h"

#include <math.h>

/* Maximum number of rounds. A round estimates the lines of all clocks, and then the moments of all common events
 * (medians of the readings, mapped by the lines). With two clocks, each round halves the remaining error. */
#define N_ROUNDS 4
#define SETTLED_NS 2.0

static void
refit_member (guint item, guint worker, gpointer user_data)
{
  LoomLineWork *work = user_data;
  guint clock = g_array_index (work->clocks, guint, item);
  double scale_ns;
  LoomClockPairs own;
  work->lines[item] = work->self->graph->lines[clock];
  if (work->self->is_fixed[clock])
    return;
  loom_fit_graph_pairs_init (&own, work->self->graph, clock, FALSE);
  if (own.pairs.n > 0)
    loom_robust_line_fit (&work->lines[item], &own.pairs, loom_fit_graph_pairs_may_drift (&own), TRUE, &scale_ns);
  loom_fit_graph_pairs_clear (&own);
}

/* Returns the largest difference, in ns, between two lines of a clock, in the time from its first to its last
 * reading. */
static double
change_of (const LoomGraph *graph, guint clock, const LoomClockLine *a, const LoomClockLine *b)
{
  double most_ns = 0;
  const LoomGraphEdge *ends[] = { &graph->edges[graph->first_edge[clock]],
                                  &graph->edges[graph->first_edge[clock + 1] - 1] };
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    most_ns = MAX (most_ns, fabs ((double) loom_time_sub (loom_robust_line_map (a, ends[i]->local_ns),
                                                          loom_robust_line_map (b, ends[i]->local_ns))));
  return most_ns;
}

/* Stores the new lines of the clocks. Before that, subtracts the new line of the reference clock from all lines,
 * because the line of the reference must be the identity. Returns TRUE if a line has changed by more than
 * SETTLED_NS. */
static gboolean
take_lines (LoomFitting *self, LoomClockLine *lines)
{
  gboolean changed = FALSE;
  LoomClockLine reference = lines[0];
  for (guint i = 0; i < self->members->len; i++) {
    guint clock = g_array_index (self->members, guint, i);
    LoomClockLine line = self->is_extending ? lines[i] : loom_robust_line_relative_to (&lines[i], &reference);
    if (i == 0 && !self->is_extending)
      line = (LoomClockLine) { .base_ns = line.base_ns };
    changed |= change_of (self->graph, clock, &self->graph->lines[clock], &line) > SETTLED_NS;
    self->graph->lines[clock] = line;
  }
  return changed;
}

/* Refines the lines of the clocks of a component in at most N_ROUNDS rounds. Each round fits lines to the moments of
 * common events, and then computes the moments again with the new lines. A line is fitted to the reference clock,
 * too, and then subtracted from all lines. */
void
loom_fit_refine (LoomFitting *self)
{
  g_autofree LoomClockLine *lines = g_new0 (LoomClockLine, self->members->len);
  LoomLineWork work = { self, self->members, lines, NULL };
  gboolean changed = TRUE;
  for (guint round = 0; round < N_ROUNDS && changed && !loom_progress_is_cancelled (self->progress); round++) {
    loom_parallel_for (self->members->len, self->n_threads, refit_member, &work, NULL);
    changed = take_lines (self, lines);
    loom_fit_graph_update_of (self->graph, (const guint *) (gpointer) self->members->data, self->members->len,
                              self->n_threads);
  }
}

static double
scale_of_residuals (const LoomClockPairs *own, const LoomClockLine *line)
{
  g_autofree double *absolute = g_new (double, own->pairs.n + 1);
  double least_ns = G_MAXDOUBLE;
  for (guint i = 0; i < own->pairs.n; i++) {
    absolute[i] = fabs (loom_robust_line_residual (line, own->local_ns[i], own->target_ns[i]));
    least_ns = MIN (least_ns, (double) own->uncertainty_ns[i]);
  }
  return loom_robust_line_scale (absolute, own->pairs.n, least_ns);
}

static void
judge_member (guint item, guint worker, gpointer user_data)
{
  LoomLineWork *work = user_data;
  LoomFitting *self = work->self;
  guint clock = g_array_index (work->clocks, guint, item);
  const LoomClockLine *line = &self->graph->lines[clock];
  LoomClockPairs own;
  if (self->is_fixed[clock])
    return;
  loom_fit_graph_pairs_init (&own, self->graph, clock, TRUE);
  loom_fit_validate (self, clock, &own, line, scale_of_residuals (&own, line), loom_fit_get_declared (self, clock),
                     &self->fit->clocks[clock], &work->refused[item]);
  loom_fit_graph_pairs_clear (&own);
}

gboolean
loom_fit_purge (LoomFitting *self)
{
  g_autofree gboolean *refused = g_new0 (gboolean, self->members->len);
  LoomLineWork work = { self, self->members, NULL, refused };
  guint n_kept = 1;
  loom_fit_graph_update_arrivals (self->graph, self->n_threads);
  loom_parallel_for (self->members->len, self->n_threads, judge_member, &work, NULL);
  guint *members = (guint *) (gpointer) self->members->data;
  for (guint i = 1; i < self->members->len; i++) {
    if (!refused[i])
      members[n_kept++] = members[i];
    else
      self->graph->placed[members[i]] = FALSE;
  }
  gboolean purged = n_kept < self->members->len;
  g_array_set_size (self->members, n_kept);
  if (purged)
    loom_fit_graph_update (self->graph, self->n_threads);
  return purged;
}
