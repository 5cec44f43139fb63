/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-fit-private.h"

#include "loom-parallel.h"

#include <glib/gi18n.h>

/* If the line of a clock was refused (loom-fit-refusal.h), a new line is fitted only when the clock has at least
 * TRY_AGAIN times as many pairs of times (LoomClockPairs) as at the last attempt. */
#define TRY_AGAIN 2

static guint *
count_known (const LoomFitting *self)
{
  const LoomGraph *graph = self->graph;
  guint *counts = g_new0 (guint, MAX (graph->n_clocks, 1));
  for (guint i = 0; i < graph->n_occasions; i++)
    for (guint j = 0; graph->moment_ns[i] != LOOM_TIME_NONE && j < graph->occasions[i].n; j++)
      counts[graph->readings[graph->occasions[i].first + j].clock]++;
  return counts;
}

static gboolean
may_be_placed (const LoomFitting *self, guint clock, guint n_pairs)
{
  if (self->graph->placed[clock] || self->fit->clocks[clock].component != LOOM_COMPONENT_NONE ||
      loom_clock_fit_is_copy (self->fit, clock))
    return FALSE;
  if (self->is_extending && self->known[clock].anchored)
    return FALSE;
  guint least =
    /* If a clock has only coarse evidence and fewer than LOOM_CLOCK_FITS_OFFSET_PAIRS pairs of times, no line is
     * fitted, because so few pairs could not show that the line is wrong. */
    self->is_extending ? LOOM_CLOCK_FITS_OFFSET_PAIRS : 1;
  return n_pairs >= least && n_pairs >= self->n_tried[clock] * TRY_AGAIN;
}

/* Returns the clocks to which lines are fitted next: those with at least half as many pairs of times (LoomClockPairs)
 * as the clock with the most pairs. Clocks with only 1 or 2 pairs are included if may_be_placed() allows it; their
 * results then state that there are too few pairs. */
static GArray *
choose_candidates (LoomFitting *self)
{
  GArray *chosen = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *counts = count_known (self);
  guint most = 0;
  for (guint i = 0; i < self->graph->n_clocks; i++)
    if (may_be_placed (self, i, counts[i]))
      most = MAX (most, counts[i]);
  for (guint i = 0; most > 0 && i < self->graph->n_clocks; i++) {
    if (!may_be_placed (self, i, counts[i]) || counts[i] * 2 < most)
      continue;
    self->n_tried[i] = counts[i];
    g_array_append_val (chosen, i);
  }
  return chosen;
}

static void
try_clock (guint item, guint worker, gpointer user_data)
{
  LoomLineWork *work = user_data;
  LoomFitting *self = work->self;
  guint clock = g_array_index (work->clocks, guint, item);
  double scale_ns;
  LoomClockPairs own;
  loom_fit_graph_pairs_init (&own, self->graph, clock, FALSE);
  loom_robust_line_fit (&work->lines[item], &own.pairs, loom_fit_graph_pairs_may_drift (&own), FALSE, &scale_ns);
  loom_fit_validate (self, clock, &own, &work->lines[item], scale_ns, loom_fit_get_declared (self, clock),
                     &self->fit->clocks[clock], &work->refused[item]);
  loom_fit_graph_pairs_clear (&own);
}

static gboolean
meet_somewhere (const LoomGraph *graph, guint clock, guint other)
{
  for (guint edge = graph->first_edge[clock]; edge < graph->first_edge[clock + 1]; edge++) {
    const LoomSimultaneity *all = &graph->occasions[graph->readings[graph->edges[edge].reading].occasion];
    for (guint i = all->first; i < all->first + all->n; i++)
      if (graph->readings[i].clock == other)
        return TRUE;
  }
  return FALSE;
}

/* The clocks of the component, grouped by rank. Searching all clocks for each clock would take time quadratic in the
 * number of ranks. */
typedef struct {
  GHashTable *last; /* key: rank; value: the clock of this rank that was added last, plus 1 */
  guint *before; /* for each clock, the clock of the same rank that was added before it, plus 1; 0 if there is none */
} ByRank;

static void
add_by_rank (ByRank *by_rank, const LoomFitting *self, guint clock)
{
  gpointer rank = GINT_TO_POINTER (self->known[clock].rank);
  by_rank->before[clock] = GPOINTER_TO_UINT (g_hash_table_lookup (by_rank->last, rank));
  g_hash_table_insert (by_rank->last, rank, GUINT_TO_POINTER (clock + 1));
}

/* Returns TRUE if `clock` and another clock of the component have the same rank, and both recorded the same event. A
 * rank takes part in an event only once. So `clock` is a second recording of the rank, or belongs to another run. */
static gboolean
is_twin (const ByRank *by_rank, const LoomFitting *self, guint clock)
{
  gint rank = self->known[clock].rank;
  guint other = rank >= 0 ? GPOINTER_TO_UINT (g_hash_table_lookup (by_rank->last, GINT_TO_POINTER (rank))) : 0;
  for (; other != 0; other = by_rank->before[other - 1])
    if (meet_somewhere (self->graph, clock, other - 1))
      return TRUE;
  return FALSE;
}

static char *
describe_twin (const LoomFitting *self, guint clock)
{
  gint rank = self->known[clock].rank;
  g_autofree char *why = g_strdup_printf (
    _ ("another source is rank %d too: this is a second recording of that rank, or a recording of another run"), rank);
  return loom_evidence_kind_say (self->fit->clocks[clock].kind, why);
}

static void
place_tried (LoomFitting *self, const LoomLineWork *work)
{
  g_autoptr (GHashTable) last = g_hash_table_new (NULL, NULL);
  g_autofree guint *before = g_new0 (guint, MAX (self->graph->n_clocks, 1));
  ByRank by_rank = { last, before };
  for (guint i = 0; i < self->members->len; i++)
    add_by_rank (&by_rank, self, g_array_index (self->members, guint, i));
  for (guint i = 0; i < work->clocks->len; i++) {
    guint clock = g_array_index (work->clocks, guint, i);
    LoomFittedClock *fitted = &self->fit->clocks[clock];
    if (work->refused[i])
      continue;
    if (is_twin (&by_rank, self, clock)) {
      g_free (fitted->why);
      fitted->verdict = LOOM_FIT_QUALITY_REFUSED;
      fitted->why = describe_twin (self, clock);
    } else {
      loom_fit_place (self, clock, work->lines[i]);
      add_by_rank (&by_rank, self, clock);
    }
  }
}

void
loom_fit_propagate (LoomFitting *self)
{
  guint n_before;
  do {
    g_autoptr (GArray) chosen = choose_candidates (self);
    g_autofree LoomClockLine *lines = g_new0 (LoomClockLine, chosen->len + 1);
    g_autofree gboolean *refused = g_new0 (gboolean, chosen->len + 1);
    LoomLineWork work = { self, chosen, lines, refused };
    n_before = self->members->len;
    if (chosen->len == 0)
      return;
    loom_fit_graph_update_arrivals (self->graph, self->n_threads);
    loom_parallel_for (chosen->len, self->n_threads, try_clock, &work, NULL);
    place_tried (self, &work);
    loom_fit_graph_update_of (self->graph, (const guint *) (gpointer) self->members->data + n_before,
                              self->members->len - n_before, self->n_threads);
  } while (!loom_progress_is_cancelled (self->progress));
}
