/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-fit-private.h"

void
loom_fit_init_pairs (LoomClockPairs *own, const LoomFitting *self, guint clock, gboolean of_others)
{
  const LoomGraph *graph = self->graph;
  guint first = graph->first_edge[clock], n = graph->first_edge[clock + 1] - first, n_kept = 0;
  own->local_ns = g_new (gint64, (gsize) n * 3 + 1);
  own->target_ns = own->local_ns + n;
  own->uncertainty_ns = own->target_ns + n;
  own->reading = g_new (guint32, (gsize) n + 1);
  for (guint i = first; i < first + n; i++) {
    guint32 reading = graph->edges[i].reading, occasion = graph->readings[reading].occasion;
    gint64 target_ns = of_others ? loom_fit_graph_moment_of_others (graph, reading) : graph->moment_ns[occasion];
    if (target_ns == LOOM_TIME_NONE)
      continue;
    own->local_ns[n_kept] = graph->edges[i].local_ns;
    own->target_ns[n_kept] = target_ns;
    own->uncertainty_ns[n_kept] = graph->occasions[occasion].uncertainty_ns;
    own->reading[n_kept++] = reading;
  }
  own->pairs = (LoomClockSamples) { own->local_ns, own->target_ns, own->uncertainty_ns, n_kept };
}

void
loom_fit_clear_pairs (LoomClockPairs *own)
{
  g_free (own->local_ns);
  g_free (own->reading);
}

gboolean
loom_fit_pairs_may_drift (const LoomClockPairs *own)
{
  guint n = own->pairs.n;
  return n >= LOOM_CLOCK_FITS_DRIFT_PAIRS &&
         loom_time_sub (own->local_ns[n - 1], own->local_ns[0]) >= LOOM_CLOCK_FITS_DRIFT_NS;
}
