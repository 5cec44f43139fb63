/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-idle-data.h"

#include "loom-data-waits.h"

struct _LoomIdleData {
  LoomDataWaits *waits;
  GPtrArray *ranges; /* GArray of LoomRange, one for each rank of `waits` */
};

/* Waits of different threads may overlap; such time counts once. */
static GArray *
join_waits (const LoomDataRank *rank)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  for (guint i = 0; i < rank->n_waits; i++) {
    const LoomRange wait = { rank->waits[i].begin_ns, rank->waits[i].end_ns };
    LoomRange *last = ranges->len > 0 ? &g_array_index (ranges, LoomRange, ranges->len - 1) : NULL;
    if (last == NULL || wait.begin_ns > last->end_ns)
      g_array_append_val (ranges, wait);
    else
      last->end_ns = MAX (last->end_ns, wait.end_ns);
  }
  return ranges;
}

LoomIdleData *
loom_idle_data_new (LoomTimeline *timeline, LoomRange range, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  LoomDataWaits *waits = loom_data_waits_new (timeline, NULL, range, cancellable);
  if (waits == NULL)
    return NULL;
  LoomIdleData *data = g_new0 (LoomIdleData, 1);
  data->waits = waits;
  data->ranges = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint i = 0; i < waits->n_ranks; i++)
    g_ptr_array_add (data->ranges, join_waits (&waits->ranks[i]));
  return data;
}

void
loom_idle_data_free (LoomIdleData *data)
{
  if (data == NULL)
    return;
  loom_data_waits_free (data->waits);
  g_ptr_array_unref (data->ranges);
  g_free (data);
}

const GArray *
loom_idle_data_find (const LoomIdleData *data, guint trace, const LoomTrack *track)
{
  for (guint i = 0; i < data->waits->n_ranks; i++) {
    const LoomDataRank *rank = &data->waits->ranks[i];
    gboolean same_node = rank->node == NULL || track->node == NULL || g_strcmp0 (rank->node, track->node) == 0;
    if (rank->rank == track->rank && same_node && (rank->rank >= 0 || rank->waits[0].span.trace == trace))
      return data->ranges->pdata[i];
  }
  return NULL;
}

/* The index of the first wait that ends after the instant. */
static guint
find_first (const GArray *waits, gint64 time_ns)
{
  guint low = 0, high = waits->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (waits, LoomRange, middle).end_ns <= time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

gint64
loom_idle_data_measure (const GArray *waits, LoomRange range)
{
  gint64 sum_ns = 0;
  if (waits == NULL)
    return 0;
  for (guint i = find_first (waits, range.begin_ns); i < waits->len; i++) {
    const LoomRange *wait = &g_array_index (waits, LoomRange, i);
    if (wait->begin_ns >= range.end_ns)
      break;
    gint64 begin_ns = MAX (wait->begin_ns, range.begin_ns), end_ns = MIN (wait->end_ns, range.end_ns);
    sum_ns = loom_time_add (sum_ns, loom_time_sub (end_ns, begin_ns));
  }
  return sum_ns;
}
