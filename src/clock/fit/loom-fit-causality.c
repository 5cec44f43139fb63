/* SPDX-License-Identifier: Apache-2.0
 *
 * Enforces causal orders: a message is sent before it is received, and a kernel is launched before it starts. If,
 * according to the fitted lines, an effect precedes its cause by at most the uncertainty of the lines, the clock of the
 * higher rank is shifted until the order is right. If an effect precedes its cause by more than the uncertainty, the
 * order contradicts the fit; the checks that may refuse a line (loom-fit-refusal.h) count such orders. If orders
 * contradict each other, nothing is shifted.
 */
#include "loom-fit-private.h"

#include <string.h>

/* Maximum shift of a clock, as a multiple of the smallest uncertainty of its common events. */
#define REACH_UNITS 3

typedef struct {
  /* for each clock, the index in `orders` of its first order; after the last clock, the length of `orders` */
  guint32 *first;
  guint32 *orders;
  guint32 *place; /* for each clock, its position in LoomFitting.order; 0 for the most suitable reference */
} Orders;

static guint
later_of (const Orders *self, const LoomCausalOrder *order)
{
  return self->place[order->before] > self->place[order->after] ? order->before : order->after;
}

static gboolean
counts (const LoomFitting *self, const LoomCausalOrder *order)
{
  return order->before != order->after && self->graph->placed[order->before] && self->graph->placed[order->after];
}

/* Assigns each order (LoomCausalOrder) to one of its two clocks, namely the one that is less suitable as reference. */
static void
orders_init (Orders *self, const LoomFitting *fitting)
{
  const LoomEvidence *evidence = fitting->graph->evidence;
  guint n = fitting->graph->n_clocks;
  self->first = g_new0 (guint32, (gsize) n + 2);
  self->orders = g_new (guint32, (gsize) evidence->orders->len + 1);
  self->place = g_new (guint32, (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    self->place[fitting->order[i]] = i;
  for (guint i = 0; i < evidence->orders->len; i++)
    self->first[later_of (self, &g_array_index (evidence->orders, LoomCausalOrder, i)) + 2]++;
  for (guint i = 2; i < n + 2; i++)
    self->first[i] += self->first[i - 1];
  for (guint i = 0; i < evidence->orders->len; i++)
    self->orders[self->first[later_of (self, &g_array_index (evidence->orders, LoomCausalOrder, i)) + 1]++] = i;
}

static void
orders_clear (Orders *self)
{
  g_free (self->first);
  g_free (self->orders);
  g_free (self->place);
}

/* Returns the maximum shift of a clock in ns: REACH_UNITS times the smallest uncertainty of its common events, or
 * the 95th percentile of its residuals, whichever is larger. */
static gint64
reach_of (const LoomFitting *self, guint clock)
{
  const LoomGraph *graph = self->graph;
  gint64 unit_ns = G_MAXINT64;
  for (guint32 i = graph->first_edge[clock]; i < graph->first_edge[clock + 1]; i++)
    unit_ns = MIN (unit_ns, graph->occasions[graph->readings[graph->edges[i].reading].occasion].uncertainty_ns);
  double p95_ns = self->fit->clocks[clock].after.p95_ns;
  gint64 reach_ns = unit_ns < G_MAXINT64 / REACH_UNITS ? REACH_UNITS * unit_ns : 0;
  return MAX (reach_ns, p95_ns < 9e18 ? (gint64) p95_ns : 0);
}

/* Returns the smallest shift of a clock, in ns, with which no event precedes its cause; 0 if no shift is needed, or if
 * no shift is sufficient. Ignores an order if its effect precedes its cause by more than the maximum shift. */
static gint64
shift_of (const LoomFitting *self, const Orders *orders, guint clock)
{
  const LoomCausalOrder *all = (const LoomCausalOrder *) (gpointer) self->graph->evidence->orders->data;
  gint64 reach_ns = reach_of (self, clock), least_ns = G_MININT64, most_ns = G_MAXINT64;
  for (guint32 i = orders->first[clock]; i < orders->first[clock + 1]; i++) {
    const LoomCausalOrder *order = &all[orders->orders[i]];
    if (!counts (self, order))
      continue;
    gint64 sent_ns = loom_robust_line_map (&self->graph->lines[order->before], order->before_ns);
    gint64 gap_ns = loom_time_sub (loom_robust_line_map (&self->graph->lines[order->after], order->after_ns), sent_ns);
    if (gap_ns < -reach_ns)
      continue;
    if (order->after == clock)
      least_ns = MAX (least_ns, -gap_ns);
    else
      most_ns = MIN (most_ns, gap_ns);
  }
  return least_ns > most_ns ? 0 : CLAMP (0, least_ns, most_ns);
}

void
loom_fit_enforce_causality (LoomFitting *self)
{
  gboolean moved = FALSE;
  Orders orders;
  if (self->graph->evidence->orders->len == 0)
    return;
  orders_init (&orders, self);
  for (guint i = 0; i < self->graph->n_clocks; i++) {
    guint clock = self->order[i];
    if (!self->graph->placed[clock] || self->is_fixed[clock] || clock == loom_fit_get_reference (self))
      continue;
    gint64 shift_ns = shift_of (self, &orders, clock);
    self->graph->lines[clock].offset_ns = loom_time_add (self->graph->lines[clock].offset_ns, shift_ns);
    moved |= shift_ns != 0;
  }
  orders_clear (&orders);
  if (moved)
    loom_fit_graph_update (self->graph, self->n_threads);
}
