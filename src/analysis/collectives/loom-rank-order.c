/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rank-order.h"

#include "loom-wait-attribution.h"

typedef struct {
  gint rank;
  double waited_ns; /* sum of the other ranks' waits for this rank, ns */
} Late;

static int
compare (gconstpointer x, gconstpointer y)
{
  const Late *a = x, *b = y;
  if (a->waited_ns != b->waited_ns)
    return a->waited_ns > b->waited_ns ? -1 : 1;
  return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static Late *
late_of (GArray *all, GHashTable *places, gint rank)
{
  gpointer place;
  if (!g_hash_table_lookup_extended (places, GINT_TO_POINTER (rank), NULL, &place)) {
    Late late = { rank, 0 };
    place = GUINT_TO_POINTER (all->len);
    g_hash_table_insert (places, GINT_TO_POINTER (rank), place);
    g_array_append_val (all, late);
  }
  return &g_array_index (all, Late, GPOINTER_TO_UINT (place));
}

static void
add_collective (GArray *all, GHashTable *places, const LoomCollectiveMember *members, guint n)
{
  g_autofree double *shares = g_new (double, n);
  loom_wait_attribution (members, n, shares);
  for (guint i = 0; i < n; i++)
    if (members[i].rank >= 0 && shares[i] > 0)
      late_of (all, places, members[i].rank)->waited_ns += shares[i];
}

GArray *
loom_rank_order_by_lateness (const LoomCollectives *collectives)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Late));
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  GArray *ranks = g_array_new (FALSE, FALSE, sizeof (gint));
  guint n;
  const LoomCollective *list = loom_collectives_get (collectives, &n);
  for (guint i = 0; i < n; i++)
    add_collective (all, places, loom_collectives_get_members (collectives, &list[i]), list[i].n);
  g_array_sort (all, compare);
  for (guint i = 0; i < all->len; i++)
    g_array_append_val (ranks, g_array_index (all, Late, i).rank);
  return ranks;
}
