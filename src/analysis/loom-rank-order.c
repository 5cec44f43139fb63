/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rank-order.h"

typedef struct {
  gint rank;
  gint64 late_ns;
} Late;

static int
compare (gconstpointer x, gconstpointer y)
{
  const Late *a = x, *b = y;
  if (a->late_ns != b->late_ns)
    return a->late_ns > b->late_ns ? -1 : 1;
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

GArray *
loom_rank_order_by_lateness (const LoomCollectives *collectives)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Late));
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  GArray *ranks = g_array_new (FALSE, FALSE, sizeof (gint));
  guint n;
  const LoomCollective *list = loom_collectives_get (collectives, &n);
  for (guint i = 0; i < n; i++) {
    const LoomCollectiveMember *last = &loom_collectives_get_members (collectives, &list[i])[list[i].n - 1];
    if (last->rank < 0 || list[i].late_by_ns <= 0)
      continue;
    Late *late = late_of (all, places, last->rank);
    late->late_ns = loom_time_add (late->late_ns, list[i].late_by_ns);
  }
  g_array_sort (all, compare);
  for (guint i = 0; i < all->len; i++)
    g_array_append_val (ranks, g_array_index (all, Late, i).rank);
  return ranks;
}
