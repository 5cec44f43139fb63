/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-fit-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* Clocks that contradict the other clocks are removed from a component (set of clocks that common events connect).
 * This is the maximum number of rounds in which clocks are removed. */
#define N_PURGES 3

guint
loom_fit_get_reference (const LoomFitting *self)
{
  return g_array_index (self->members, guint, 0);
}

gint64
loom_fit_get_declared (const LoomFitting *self, guint clock)
{
  return loom_time_sub (self->known[clock].declared_ns, self->known[loom_fit_get_reference (self)].declared_ns);
}

void
loom_fit_place (LoomFitting *self, guint clock, LoomClockLine line)
{
  self->graph->lines[clock] = line;
  self->graph->placed[clock] = TRUE;
  g_array_append_val (self->members, clock);
}

/* --- components: clocks that are connected by common events ------------------------------------------------------- */

/* Sets the epoch of each clock in the component. The epoch is the local time for which the offset of the clock is
 * stated. It is the local time of the first common event (event that several clocks recorded) of the component. */
static void
set_epochs (LoomFitting *self)
{
  gint64 first_ns = G_MAXINT64;
  for (guint i = 0; i < self->graph->n_occasions; i++)
    if (self->graph->n_members[i] > 1)
      first_ns = MIN (first_ns, self->graph->moment_ns[i]);
  for (guint i = 0; i < self->members->len; i++) {
    guint clock = g_array_index (self->members, guint, i);
    if (!self->is_fixed[clock])
      self->fit->clocks[clock].epoch_ns = loom_robust_line_unmap (&self->graph->lines[clock], first_ns);
  }
}

static void
name_component (LoomFitting *self, guint component)
{
  loom_fit_measure_errors (self);
  for (guint i = 0; i < self->members->len; i++) {
    guint clock = g_array_index (self->members, guint, i);
    LoomFittedClock *fitted = &self->fit->clocks[clock];
    fitted->component = component;
    fitted->reference = loom_fit_get_reference (self);
    fitted->line = self->graph->lines[clock];
  }
  set_epochs (self);
}

/* Completes the result for the reference clock. Its line is never refused, because the other clocks are compared
 * with the reference: REFUSED becomes DOUBTFUL. */
static void
describe_reference (LoomFitting *self)
{
  LoomFittedClock *fitted = &self->fit->clocks[loom_fit_get_reference (self)];
  g_autofree char *old = g_steal_pointer (&fitted->why);
  if (fitted->verdict == LOOM_FIT_QUALITY_REFUSED)
    fitted->verdict = LOOM_FIT_QUALITY_DOUBTFUL;
  fitted->why = g_strdup_printf (_ ("other clocks are aligned to this one; %s"), old);
}

static void
begin_component (LoomFitting *self)
{
  loom_fit_graph_reset (self->graph);
  g_array_set_size (self->members, 0);
  memset (self->n_tried, 0, self->graph->n_clocks * sizeof *self->n_tried);
}

/* Estimates the lines of the clocks in the component. Then shifts clocks so that no event precedes its cause, if
 * possible. Then removes the clocks that contradict the other clocks. */
static void
settle_component (LoomFitting *self)
{
  loom_fit_refine (self);
  loom_fit_enforce_causality (self);
  for (guint i = 0; i < N_PURGES && loom_fit_purge (self) && self->members->len > 1; i++) {
    loom_fit_refine (self);
    loom_fit_enforce_causality (self);
  }
}

static void
fit_from (LoomFitting *self, guint seed)
{
  gint64 base_ns = self->graph->edges[self->graph->first_edge[seed]].local_ns;
  begin_component (self);
  loom_fit_place (self, seed, (LoomClockLine) { .base_ns = base_ns });
  loom_fit_graph_update_of (self->graph, &seed, 1, self->n_threads);
  loom_fit_propagate (self);
  if (self->members->len > 1)
    settle_component (self);
  if (self->members->len < 2)
    return;
  name_component (self, self->fit->n_components++);
  describe_reference (self);
}

/* Compares two clocks by how suitable they are as reference. Anchored clocks (with UTC time) precede other clocks.
 * If both or none of them are anchored, the clock of the lower rank comes first; unknown ranks come last. */
static int
compare_references (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const LoomClockFitClock *known = user_data;
  guint x = *(const guint *) a, y = *(const guint *) b;
  if (known[x].anchored != known[y].anchored)
    return known[x].anchored ? -1 : 1;
  /* the unknown rank −1 becomes the largest guint, so that unknown ranks come last */
  guint x_rank = (guint) known[x].rank, y_rank = (guint) known[y].rank;
  return x_rank != y_rank ? (x_rank < y_rank ? -1 : 1) : (x < y ? -1 : x > y);
}

static void
fitting_init (LoomFitting *self, LoomClockFits *fit, const LoomEvidence *evidence, const LoomClockFitClock *clocks,
              guint n_threads, LoomProgress *progress)
{
  guint n = evidence->n_clocks;
  *self = (LoomFitting) { .fit = fit, .known = clocks, .n_threads = n_threads, .progress = progress };
  self->graph = loom_fit_graph_new (evidence, n_threads);
  self->order = g_new (guint, n + 1);
  self->n_tried = g_new0 (guint32, n + 1);
  self->is_fixed = g_new0 (guint8, n + 1);
  self->members = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < n; i++)
    self->order[i] = i;
  g_qsort_with_data (self->order, (gint) n, sizeof (guint), compare_references, (gpointer) clocks);
}

static void
fitting_clear (LoomFitting *self)
{
  loom_fit_graph_free (self->graph);
  g_free (self->order);
  g_free (self->n_tried);
  g_free (self->is_fixed);
  g_array_unref (self->members);
}

LoomClockFits *
loom_clock_fit_new (const LoomEvidence *evidence, const LoomClockFitClock *clocks, guint n_threads,
                    LoomProgress *progress)
{
  LoomClockFits *fit = g_new0 (LoomClockFits, 1);
  LoomFitting self;
  fit->n_clocks = evidence->n_clocks;
  fit->clocks = g_new0 (LoomFittedClock, MAX (fit->n_clocks, 1));
  for (guint i = 0; i < fit->n_clocks; i++) {
    fit->clocks[i].component = LOOM_COMPONENT_NONE;
    fit->clocks[i].reference = fit->clocks[i].root = i;
    fit->clocks[i].error = fit->clocks[i].root_error = LOOM_ROBUST_LINE_ERROR_UNKNOWN;
    fit->clocks[i].why = g_strdup (_ ("the clock shares no events with other sources"));
  }
  fitting_init (&self, fit, evidence, clocks, n_threads, progress);
  loom_fit_find_duplicates (&self);
  for (guint i = 0; i < fit->n_clocks && !loom_progress_is_cancelled (progress); i++) {
    guint seed = self.order[i];
    if (fit->clocks[seed].component == LOOM_COMPONENT_NONE && !loom_clock_fit_is_copy (fit, seed) &&
        self.graph->first_edge[seed + 1] > self.graph->first_edge[seed])
      fit_from (&self, seed);
  }
  loom_fit_report_duplicates (&self);
  fitting_clear (&self);
  if (loom_progress_is_cancelled (progress))
    g_clear_pointer (&fit, loom_clock_fit_free);
  return fit;
}

/* --- extending a fit by coarse evidence --------------------------------------------------------------------------- */

/* Finds the clocks that coarse evidence (steps, markers and activity) connects with the clock `seed`, and adds them to
 * the component of `seed`. If `seed` belongs to no component, makes a new component. */
static void
extend_from (LoomFitting *self, guint seed)
{
  LoomClockFits *fit = self->fit;
  guint component = fit->clocks[seed].component;
  begin_component (self);
  memset (self->is_fixed, 0, fit->n_clocks);
  loom_fit_place (self, seed,
                  component == LOOM_COMPONENT_NONE ? (LoomClockLine) { .base_ns = 0 } : fit->clocks[seed].line);
  self->is_fixed[seed] = TRUE;
  for (guint i = 0; component != LOOM_COMPONENT_NONE && i < fit->n_clocks; i++) {
    if (i == seed || fit->clocks[i].component != component)
      continue;
    loom_fit_place (self, i, fit->clocks[i].line);
    self->is_fixed[i] = TRUE;
  }
  guint n_before = self->members->len;
  loom_fit_graph_update (self->graph, self->n_threads);
  loom_fit_propagate (self);
  if (self->members->len > n_before)
    settle_component (self);
  /* While is_fixed[clock] is TRUE, the line of the clock must not change, and name_component() does not set the epoch
   * of the clock. If `seed` belonged to no component, `seed` has no epoch yet, so it must not be fixed. */
  self->is_fixed[seed] = component != LOOM_COMPONENT_NONE;
  if (self->members->len > n_before)
    name_component (self, component != LOOM_COMPONENT_NONE ? component : fit->n_components++);
  if (self->members->len > n_before && component == LOOM_COMPONENT_NONE) {
    g_free (fit->clocks[seed].why);
    fit->clocks[seed].verdict = LOOM_FIT_QUALITY_DOUBTFUL;
    fit->clocks[seed].why = g_strdup (_ ("other clocks are aligned to this one"));
  }
}

gboolean
loom_clock_fit_extend (LoomClockFits *fit, const LoomEvidence *coarse, const LoomClockFitClock *clocks, guint n_threads,
                       LoomProgress *progress)
{
  LoomFitting self;
  fitting_init (&self, fit, coarse, clocks, n_threads, progress);
  self.is_extending = TRUE;
  for (guint i = 0; i < fit->n_clocks && !loom_progress_is_cancelled (progress); i++) {
    guint seed = self.order[i];
    guint component = fit->clocks[seed].component;
    if (!loom_clock_fit_is_copy (fit, seed) &&
        (component == LOOM_COMPONENT_NONE || fit->clocks[seed].reference == seed))
      extend_from (&self, seed);
  }
  loom_fit_report_duplicates (&self);
  fitting_clear (&self);
  return !loom_progress_is_cancelled (progress);
}

void
loom_clock_fit_free (LoomClockFits *fit)
{
  if (fit == NULL)
    return;
  for (guint i = 0; i < fit->n_clocks; i++)
    g_free (fit->clocks[i].why);
  g_free (fit->clocks);
  g_free (fit);
}
