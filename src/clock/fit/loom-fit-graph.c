/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-fit-graph.h"

#include "loom-merge-sort.h"
#include "loom-parallel.h"

/* Number of common events whose moments (times on the clock of the reference) a worker thread updates per call. */
#define SHARE 512

#define IS_EARLIER(a, b) ((a)->local_ns < (b)->local_ns)

LOOM_DEFINE_SORT (sort_edges, LoomGraphEdge, IS_EARLIER)

static void
sort_clock (guint clock, guint worker, gpointer user_data)
{
  LoomGraph *graph = user_data;
  sort_edges (graph->edges + graph->first_edge[clock], graph->first_edge[clock + 1] - graph->first_edge[clock]);
}

LoomGraph *
loom_fit_graph_new (const LoomEvidence *evidence, guint n_threads)
{
  LoomGraph *graph = g_new0 (LoomGraph, 1);
  guint n = evidence->readings->len;
  graph->evidence = evidence;
  graph->readings = (const LoomClockObservation *) (gpointer) evidence->readings->data;
  graph->occasions = (const LoomSimultaneity *) (gpointer) evidence->occasions->data;
  graph->n_clocks = evidence->n_clocks;
  graph->n_occasions = evidence->occasions->len;
  graph->edges = g_new (LoomGraphEdge, MAX (n, 1));
  graph->first_edge = g_new0 (guint32, (gsize) graph->n_clocks + 2);
  for (guint i = 0; i < n; i++)
    graph->first_edge[graph->readings[i].clock + 2]++;
  for (guint i = 2; i < graph->n_clocks + 2; i++)
    graph->first_edge[i] += graph->first_edge[i - 1];
  /* Before this loop, first_edge[clock + 1] is the index of the clock's first edge. The loop increments it for each
   * stored edge, so after the loop it is the index after the clock's last edge. */
  for (guint i = 0; i < n; i++)
    graph->edges[graph->first_edge[graph->readings[i].clock + 1]++] =
      (LoomGraphEdge) { graph->readings[i].local_ns, i };
  graph->lines = g_new0 (LoomClockLine, MAX (graph->n_clocks, 1));
  graph->placed = g_new0 (guint8, MAX (graph->n_clocks, 1));
  graph->moment_ns = g_new (gint64, MAX (graph->n_occasions, 1));
  graph->n_members = g_new0 (guint32, MAX (graph->n_occasions, 1));
  graph->arrivals = g_new0 (LoomArrivals, MAX (graph->n_occasions, 1));
  loom_parallel_for (graph->n_clocks, n_threads, sort_clock, graph, NULL);
  loom_fit_graph_reset (graph);
  return graph;
}

void
loom_fit_graph_free (LoomGraph *graph)
{
  if (graph == NULL)
    return;
  g_free (graph->edges);
  g_free (graph->first_edge);
  g_free (graph->lines);
  g_free (graph->placed);
  g_free (graph->moment_ns);
  g_free (graph->n_members);
  g_free (graph->arrivals);
  g_free (graph);
}

void
loom_fit_graph_reset (LoomGraph *graph)
{
  for (guint i = 0; i < graph->n_clocks; i++)
    graph->placed[i] = FALSE;
  for (guint i = 0; i < graph->n_occasions; i++) {
    graph->moment_ns[i] = LOOM_TIME_NONE;
    graph->n_members[i] = 0;
  }
}

/* --- moments of the common events --------------------------------------------------------------------------------- */

static gint64
map_reading (const LoomGraph *graph, const LoomClockObservation *reading, gint64 local_ns)
{
  return loom_robust_line_map (&graph->lines[reading->clock], local_ns);
}

static void
update_occasion (LoomGraph *graph, guint occasion, gint64 **room, guint *n_room)
{
  const LoomSimultaneity *all = &graph->occasions[occasion];
  guint n = 0;
  if (all->n > *n_room)
    *room = g_renew (gint64, *room, *n_room = all->n);
  for (guint i = all->first; i < all->first + all->n; i++)
    if (graph->placed[graph->readings[i].clock])
      (*room)[n++] = map_reading (graph, &graph->readings[i], graph->readings[i].local_ns);
  graph->n_members[occasion] = n;
  graph->moment_ns[occasion] = n > 0 ? loom_robust_line_median_time (*room, n) : LOOM_TIME_NONE;
}

typedef struct {
  LoomGraph *graph;
  /* for each common event, TRUE if its moment (its time according to the lines of the clocks) must be recomputed; NULL
   * if all moments must be recomputed */
  const guint8 *dirty;
} Update;

static void
update_share (guint item, guint worker, gpointer user_data)
{
  const Update *update = user_data;
  g_autofree gint64 *room = NULL;
  guint n_room = 0;
  for (guint i = item * SHARE; i < MIN ((item + 1) * SHARE, update->graph->n_occasions); i++)
    if (update->dirty == NULL || update->dirty[i])
      update_occasion (update->graph, i, &room, &n_room);
}

static void
run_update (LoomGraph *graph, const guint8 *dirty, guint n_threads)
{
  Update update = { graph, dirty };
  loom_parallel_for ((graph->n_occasions + SHARE - 1) / SHARE, n_threads, update_share, &update, NULL);
}

void
loom_fit_graph_update (LoomGraph *graph, guint n_threads)
{
  run_update (graph, NULL, n_threads);
}

void
loom_fit_graph_update_of (LoomGraph *graph, const guint *clocks, guint n_clocks, guint n_threads)
{
  g_autofree guint8 *dirty = g_new0 (guint8, MAX (graph->n_occasions, 1));
  for (guint i = 0; i < n_clocks; i++)
    for (guint32 edge = graph->first_edge[clocks[i]]; edge < graph->first_edge[clocks[i] + 1]; edge++)
      dirty[graph->readings[graph->edges[edge].reading].occasion] = TRUE;
  run_update (graph, dirty, n_threads);
}

gint64
loom_fit_graph_moment_of_others (const LoomGraph *graph, guint32 reading)
{
  guint32 own = graph->readings[reading].clock, occasion = graph->readings[reading].occasion;
  const LoomSimultaneity *all = &graph->occasions[occasion];
  gboolean counts = graph->placed[own];
  gint64 others_ns[LOOM_EVIDENCE_FEW_MEMBERS];
  guint n = 0;
  if (graph->n_members[occasion] <= (counts ? 1 : 0))
    return LOOM_TIME_NONE;
  if (!counts || graph->n_members[occasion] > LOOM_EVIDENCE_FEW_MEMBERS)
    return graph->moment_ns[occasion];
  for (guint i = all->first; i < all->first + all->n; i++)
    if (graph->readings[i].clock != own && graph->placed[graph->readings[i].clock])
      others_ns[n++] = map_reading (graph, &graph->readings[i], graph->readings[i].local_ns);
  return loom_robust_line_median_time (others_ns, n);
}

static void
update_arrivals (LoomGraph *graph, guint occasion)
{
  const LoomSimultaneity *all = &graph->occasions[occasion];
  LoomArrivals *arrivals = &graph->arrivals[occasion];
  *arrivals = (LoomArrivals) { LOOM_TIME_NONE, LOOM_TIME_NONE, G_MAXUINT32 };
  for (guint i = all->first; i < all->first + all->n; i++) {
    const LoomClockObservation *reading = &graph->readings[i];
    if (!graph->placed[reading->clock] || reading->arrival_ns == LOOM_TIME_NONE)
      continue;
    gint64 arrival_ns = map_reading (graph, reading, reading->arrival_ns);
    if (arrival_ns > arrivals->last_ns) {
      arrivals->second_ns = arrivals->last_ns;
      arrivals->last_ns = arrival_ns;
      arrivals->last_clock = reading->clock;
    } else if (arrival_ns > arrivals->second_ns) {
      arrivals->second_ns = arrival_ns;
    }
  }
}

static void
update_arrivals_share (guint item, guint worker, gpointer user_data)
{
  LoomGraph *graph = user_data;
  for (guint i = item * SHARE; i < MIN ((item + 1) * SHARE, graph->n_occasions); i++)
    update_arrivals (graph, i);
}

void
loom_fit_graph_update_arrivals (LoomGraph *graph, guint n_threads)
{
  loom_parallel_for ((graph->n_occasions + SHARE - 1) / SHARE, n_threads, update_arrivals_share, graph, NULL);
}

gint64
loom_fit_graph_arrival_of_others (const LoomGraph *graph, guint32 reading)
{
  const LoomArrivals *arrivals = &graph->arrivals[graph->readings[reading].occasion];
  return arrivals->last_clock == graph->readings[reading].clock ? arrivals->second_ns : arrivals->last_ns;
}

/* --- pairs of readings for the line of a clock -------------------------------------------------------------------- */

void
loom_fit_graph_pairs_init (LoomClockPairs *own, const LoomGraph *graph, guint clock, gboolean of_others)
{
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
loom_fit_graph_pairs_clear (LoomClockPairs *own)
{
  g_free (own->local_ns);
  g_free (own->reading);
}

gboolean
loom_fit_graph_pairs_may_drift (const LoomClockPairs *own)
{
  guint n = own->pairs.n;
  return n >= LOOM_CLOCK_FITS_DRIFT_PAIRS &&
         loom_time_sub (own->local_ns[n - 1], own->local_ns[0]) >= LOOM_CLOCK_FITS_DRIFT_NS;
}
