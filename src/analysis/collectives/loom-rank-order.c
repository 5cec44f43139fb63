/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rank-order.h"

void
loom_rank_order_share_waits (const LoomCollectiveMember *members, guint n, double *shares)
{
  double share = 0;
  for (guint k = 0; k < n; k++) {
    if (k > 0)
      share += (double) loom_time_sub (members[k].arrival_ns, members[k - 1].arrival_ns) * k / (n - k);
    shares[k] = share;
  }
}

static gint64
cut (const LoomCollectives *collectives, gint64 time_ns)
{
  return CLAMP (time_ns, collectives->range.begin_ns, collectives->range.end_ns);
}

double *
loom_rank_order_dup_shares (const LoomCollectives *collectives, const LoomCollective *collective)
{
  double *shares = g_new (double, collective->n);
  g_autofree LoomCollectiveMember *moved =
    g_memdup2 (loom_collectives_get_members (collectives, collective), collective->n * sizeof *moved);
  for (guint i = 0; i < collective->n; i++)
    moved[i].arrival_ns = cut (collectives, moved[i].arrival_ns);
  loom_rank_order_share_waits (moved, collective->n, shares);
  return shares;
}

gint64
loom_rank_order_get_wait (const LoomCollectives *collectives, const LoomCollective *collective,
                          const LoomCollectiveMember *member)
{
  return loom_time_sub (cut (collectives, collective->arrival_ns), cut (collectives, member->arrival_ns));
}

void
loom_rank_order_add (GHashTable *waits, const LoomCollectives *collectives, const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
  g_autofree double *shares = loom_rank_order_dup_shares (collectives, collective);
  for (guint i = 0; i < collective->n; i++) {
    if (members[i].rank < 0 || shares[i] <= 0)
      continue;
    double *waited_ns = g_hash_table_lookup (waits, GINT_TO_POINTER (members[i].rank));
    if (waited_ns != NULL)
      *waited_ns += shares[i];
    else
      g_hash_table_insert (waits, GINT_TO_POINTER (members[i].rank), g_memdup2 (&shares[i], sizeof shares[i]));
  }
}

static int
compare (gconstpointer x, gconstpointer y)
{
  const LoomLateRank *a = x, *b = y;
  if (a->waited_ns != b->waited_ns)
    return a->waited_ns > b->waited_ns ? -1 : 1;
  return a->rank < b->rank ? -1 : a->rank > b->rank;
}

GArray *
loom_rank_order_sort (GHashTable *waits)
{
  GArray *late = g_array_new (FALSE, FALSE, sizeof (LoomLateRank));
  GHashTableIter iter;
  gpointer rank, waited_ns;
  g_hash_table_iter_init (&iter, waits);
  while (g_hash_table_iter_next (&iter, &rank, &waited_ns)) {
    LoomLateRank one = { GPOINTER_TO_INT (rank), *(const double *) waited_ns };
    g_array_append_val (late, one);
  }
  g_array_sort (late, compare);
  return late;
}

GArray *
loom_rank_order_by_lateness (const LoomCollectives *collectives)
{
  g_autoptr (GHashTable) waits = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GArray *ranks = g_array_new (FALSE, FALSE, sizeof (gint));
  const LoomCollective *list = collectives->all;
  for (guint i = 0; i < collectives->n; i++)
    loom_rank_order_add (waits, collectives, &list[i]);
  g_autoptr (GArray) late = loom_rank_order_sort (waits);
  for (guint i = 0; i < late->len; i++)
    g_array_append_val (ranks, g_array_index (late, LoomLateRank, i).rank);
  return ranks;
}
