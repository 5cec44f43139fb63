/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-index-times.h"

struct _LoomIndexTimes {
  GArray *all;   /* gint64; the first n_known are ascending and different */
  guint n_known; /* further elements are not known yet */
};

LoomIndexTimes *
loom_index_times_new (void)
{
  LoomIndexTimes *times = g_new0 (LoomIndexTimes, 1);
  times->all = g_array_new (FALSE, FALSE, sizeof (gint64));
  return times;
}

void
loom_index_times_free (LoomIndexTimes *times)
{
  if (times == NULL)
    return;
  g_array_unref (times->all);
  g_free (times);
}

void
loom_index_times_add (LoomIndexTimes *times, gint64 start_ns, gint64 end_ns)
{
  g_array_append_val (times->all, start_ns);
  g_array_append_val (times->all, end_ns);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const gint64 *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

void
loom_index_times_learn (LoomIndexTimes *times)
{
  guint n = 0, n_new = times->all->len - times->n_known;
  if (n_new == 0 || n_new < times->n_known / 4)
    return;
  g_array_sort (times->all, compare_times);
  gint64 *all = (gint64 *) (gpointer) times->all->data;
  for (guint i = 0; i < times->all->len; i++)
    if (n == 0 || all[i] != all[n - 1])
      all[n++] = all[i];
  g_array_set_size (times->all, n);
  times->n_known = n;
}

/* Returns the index of the first known time after `start_ns`; n_known if there is none. */
static guint
find_first (const LoomIndexTimes *times, gint64 start_ns)
{
  guint low = 0, high = times->n_known;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (times->all, gint64, middle) <= start_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

guint
loom_index_times_find (const LoomIndexTimes *times, gint64 start_ns, gint64 end_ns)
{
  guint first = find_first (times, start_ns), n = MIN (times->n_known - first, LOOM_INDEX_TIMES_REACH);
  for (guint i = 0; i < n; i++) {
    gint64 time_ns = g_array_index (times->all, gint64, first + i);
    if (time_ns >= end_ns)
      return time_ns == end_ns ? i + 1 : 0;
  }
  return 0;
}

gboolean
loom_index_times_get (const LoomIndexTimes *times, gint64 start_ns, guint n, gint64 *end_ns)
{
  guint first = find_first (times, start_ns);
  if (n == 0 || n > times->n_known - first)
    return FALSE;
  *end_ns = g_array_index (times->all, gint64, first + n - 1);
  return TRUE;
}
