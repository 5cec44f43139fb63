/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-flight-ends.h"

struct _LoomFlightEnds {
  GArray *times; /* gint64 elements: the times of the dumps; sorted if `is_sorted` is TRUE */
  gboolean is_sorted;
  gint64 latest_ns;
  GHashTable *newest; /* rank → gint64 *, owned: the latest time of the dumps of this rank */
};

LoomFlightEnds *
loom_flight_ends_new (void)
{
  LoomFlightEnds *self = g_new0 (LoomFlightEnds, 1);
  self->times = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->latest_ns = LOOM_TIME_NONE;
  self->newest = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return self;
}

void
loom_flight_ends_free (LoomFlightEnds *self)
{
  g_array_unref (self->times);
  g_hash_table_unref (self->newest);
  g_free (self);
}

void
loom_flight_ends_add (LoomFlightEnds *self, gint rank, gint64 end_ns)
{
  if (end_ns < LOOM_TIME_PLAUSIBLE_MIN || end_ns > LOOM_TIME_PLAUSIBLE_MAX)
    return;
  g_array_append_val (self->times, end_ns);
  self->is_sorted = FALSE;
  self->latest_ns = MAX (self->latest_ns, end_ns);
  gint64 *newest = g_hash_table_lookup (self->newest, GINT_TO_POINTER (rank));
  if (newest != NULL)
    *newest = MAX (*newest, end_ns);
  else
    g_hash_table_insert (self->newest, GINT_TO_POINTER (rank), g_memdup2 (&end_ns, sizeof end_ns));
}

gint64
loom_flight_ends_get_latest (const LoomFlightEnds *self)
{
  return self->latest_ns;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return x < y ? -1 : x > y;
}

gint64
loom_flight_ends_find (LoomFlightEnds *self, gint rank, gint64 own_ns, gint64 timeout_ns)
{
  const gint64 *newest = rank >= 0 ? g_hash_table_lookup (self->newest, GINT_TO_POINTER (rank)) : NULL;
  if (newest != NULL && *newest > own_ns)
    return own_ns;
  if (!self->is_sorted)
    g_array_sort (self->times, compare_times);
  self->is_sorted = TRUE;
  gint64 limit_ns = loom_time_add (own_ns, timeout_ns);
  guint low = 0, high = self->times->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (self->times, gint64, middle) <= limit_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? g_array_index (self->times, gint64, low - 1) : LOOM_TIME_NONE;
}
