/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds recordings that were loaded twice. If two clocks of one rank have equal times to the nanosecond, one is a copy
 * of the other, and adds no information about other clocks. So a copy does not become a reference, and gets no line.
 * Otherwise, the two clocks would be compared with each other and agree perfectly, which could hide a reason to refuse
 * the first clock.
 */
#include "loom-fit-private.h"
#include "loom-int64-hash.h"

#include <glib/gi18n.h>

/* Minimum number of equal readings of a clock and its copy. Fewer equal readings may be a coincidence if the times
 * in the files begin at 0. */
#define LEAST_EDGES LOOM_CLOCK_FITS_OFFSET_PAIRS
/* The hash of a clock is computed from the first N_HASHED readings of the clock. Clocks with equal hashes are then
 * compared completely. */
#define N_HASHED 64

static guint32
count_edges (const LoomGraph *graph, guint clock)
{
  return graph->first_edge[clock + 1] - graph->first_edge[clock];
}

static guint
hash_clock (const LoomFitting *self, guint clock)
{
  const LoomGraph *graph = self->graph;
  guint32 first = graph->first_edge[clock], n = count_edges (graph, clock);
  guint hash = n;
  for (guint32 i = first; i < first + MIN (n, N_HASHED); i++)
    hash = hash * 31 + loom_int64_hash (&graph->edges[i].local_ns);
  return hash * 31 + (guint) self->known[clock].rank;
}

static gboolean
is_same (const LoomFitting *self, guint a, guint b)
{
  const LoomGraph *graph = self->graph;
  if (self->known[a].rank != self->known[b].rank || count_edges (graph, a) != count_edges (graph, b))
    return FALSE;
  const LoomGraphEdge *first = graph->edges + graph->first_edge[a], *second = graph->edges + graph->first_edge[b];
  for (guint32 i = 0; i < count_edges (graph, a); i++)
    if (first[i].local_ns != second[i].local_ns ||
        graph->readings[first[i].reading].occasion != graph->readings[second[i].reading].occasion)
      return FALSE;
  return TRUE;
}

void
loom_fit_find_duplicates (LoomFitting *self)
{
  LoomFittedClock *clocks = self->fit->clocks;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < self->fit->n_clocks; i++) {
    gpointer found;
    clocks[i].same_as = i;
    if (self->known[i].rank < 0 || count_edges (self->graph, i) < LEAST_EDGES)
      continue;
    gpointer hash = GUINT_TO_POINTER (hash_clock (self, i));
    if (!g_hash_table_lookup_extended (seen, hash, NULL, &found)) {
      g_hash_table_insert (seen, hash, GUINT_TO_POINTER (i));
      continue;
    }
    guint first = GPOINTER_TO_UINT (found);
    if (!is_same (self, first, i))
      continue;
    clocks[i].same_as = first;
    if (clocks[first].same_as == first)
      clocks[first].same_as = i;
  }
}

gboolean
loom_clock_fit_is_copy (const LoomClockFits *fit, guint clock)
{
  return fit->clocks[clock].same_as < clock;
}

static void
report_copy (LoomFitting *self, guint clock)
{
  LoomFittedClock *copy = &self->fit->clocks[clock];
  g_autofree char *old = copy->why;
  guint first = copy->same_as;
  *copy = self->fit->clocks[first];
  copy->same_as = first;
  copy->component = LOOM_COMPONENT_NONE;
  copy->verdict = LOOM_FIT_QUALITY_REFUSED;
  copy->why =
    g_strdup_printf (_ ("another source of rank %d is the same recording: it is open twice"), self->known[clock].rank);
}

void
loom_fit_report_duplicates (LoomFitting *self)
{
  for (guint i = 0; i < self->fit->n_clocks; i++)
    if (loom_clock_fit_is_copy (self->fit, i))
      report_copy (self, i);
}
