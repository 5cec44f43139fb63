/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores the starts and ends of the spans written so far, and finds the end of a later span among them. The interface
 * is described in loom-index-times.h.
 */
#include "loom-index-times.h"

#include "loom-time-sort.h"

struct _LoomIndexTimes {
  GArray *known;         /* gint64 elements: the known times, each once, in ascending order */
  GArray *spare;         /* working memory of merge() */
  GArray *starts, *ends; /* gint64 elements: starts and ends that were added, but are not yet merged into `known` */
  guint last;            /* last result of find_first(); the next one is near it, because spans come in order of time */
};

LoomIndexTimes *
loom_index_times_new (void)
{
  LoomIndexTimes *times = g_new0 (LoomIndexTimes, 1);
  times->known = g_array_new (FALSE, FALSE, sizeof (gint64));
  times->spare = g_array_new (FALSE, FALSE, sizeof (gint64));
  times->starts = g_array_new (FALSE, FALSE, sizeof (gint64));
  times->ends = g_array_new (FALSE, FALSE, sizeof (gint64));
  return times;
}

void
loom_index_times_free (LoomIndexTimes *times)
{
  if (times == NULL)
    return;
  g_array_unref (times->known);
  g_array_unref (times->spare);
  g_array_unref (times->starts);
  g_array_unref (times->ends);
  g_free (times);
}

void
loom_index_times_add (LoomIndexTimes *times, const LoomRange *spans, guint n)
{
  guint first = times->starts->len;
  g_array_set_size (times->starts, first + n);
  g_array_set_size (times->ends, first + n);
  gint64 *starts = (gint64 *) (gpointer) times->starts->data + first,
         *ends = (gint64 *) (gpointer) times->ends->data + first;
  for (guint i = 0; i < n; i++) {
    starts[i] = spans[i].begin_ns;
    ends[i] = spans[i].end_ns;
  }
}

static void
sort (GArray *array)
{
  loom_time_sort ((gint64 *) (gpointer) array->data, array->len);
}

/* Merges the sorted times `added` into the known times, and empties `added`. */
static void
merge (LoomIndexTimes *times, GArray *added)
{
  GArray *old = times->known, *all = g_array_set_size (times->spare, old->len + added->len);
  const gint64 *a = (const gint64 *) (gconstpointer) old->data, *b = (const gint64 *) (gconstpointer) added->data;
  gint64 *out = (gint64 *) (gpointer) all->data;
  guint i = 0, k = 0, n = 0;
  while (i < old->len || k < added->len) {
    gboolean from_old = k == added->len || (i < old->len && a[i] <= b[k]);
    gint64 time_ns = from_old ? a[i++] : b[k++];
    if (n == 0 || out[n - 1] != time_ns)
      out[n++] = time_ns;
  }
  g_array_set_size (all, n);
  g_array_set_size (added, 0);
  times->known = all;
  times->spare = old;
}

void
loom_index_times_learn (LoomIndexTimes *times)
{
  guint n_new = 2 * times->starts->len;
  if (n_new == 0 || n_new < times->known->len / 4)
    return;
  sort (times->starts);
  sort (times->ends);
  merge (times, times->starts);
  merge (times, times->ends);
}

/* Number of known times that are examined from LoomIndexTimes.last on before a binary search. */
#define NEAR 8

/* Returns the index of the first known time after `start_ns`; the number of known times if there is none. */
static guint
find_first (LoomIndexTimes *times, gint64 start_ns)
{
  const gint64 *known = (const gint64 *) (gconstpointer) times->known->data;
  guint n = times->known->len, at = MIN (times->last, n), low = 0, high = n;
  if (at == 0 || known[at - 1] <= start_ns) {
    low = at;
    for (guint i = 0; i < NEAR && low < n && known[low] <= start_ns; i++)
      low++;
    high = low < n && known[low] > start_ns ? low : n;
  }
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (known[middle] <= start_ns)
      low = middle + 1;
    else
      high = middle;
  }
  times->last = low;
  return low;
}

guint
loom_index_times_find (LoomIndexTimes *times, gint64 start_ns, gint64 end_ns)
{
  guint first = find_first (times, start_ns), n = MIN (times->known->len - first, LOOM_INDEX_TIMES_REACH);
  for (guint i = 0; i < n; i++) {
    gint64 time_ns = g_array_index (times->known, gint64, first + i);
    if (time_ns >= end_ns)
      return time_ns == end_ns ? i + 1 : 0;
  }
  return 0;
}

gboolean
loom_index_times_get (LoomIndexTimes *times, gint64 start_ns, guint n, gint64 *end_ns)
{
  guint first = find_first (times, start_ns);
  if (n == 0 || n > times->known->len - first)
    return FALSE;
  *end_ns = g_array_index (times->known, gint64, first + n - 1);
  return TRUE;
}
