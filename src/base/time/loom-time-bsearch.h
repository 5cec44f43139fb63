/* SPDX-License-Identifier: Apache-2.0
 *
 * Binary searches in ascending times. Functions with _near in their names start at an expected position and search
 * outwards from there (galloping search). The functions are inline, because drawing a frame calls them a hundred
 * thousand times. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns the key of item `at` of the collection `of`. Needed for binary searches in collections that are not arrays
 * of times. Keys must ascend with the index. */
typedef gint64 (*LoomSearchKey) (gconstpointer of, guint32 at);

/* Returns the first index in [low, high) whose key is at least `wanted`; `high` if there is none. O(log (high −
 * low)). */
static inline __attribute__ ((always_inline)) guint32
loom_time_bsearch_by (LoomSearchKey key, gconstpointer of, guint32 low, guint32 high, gint64 wanted)
{
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (key (of, middle) < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Like loom_time_bsearch_by(), but the search starts at the expected index `at`, which must be at least `low` and at
 * most `high`. O(log d), where d is the distance between `at` and the result. */
static inline __attribute__ ((always_inline)) guint32
loom_time_bsearch_near_by (LoomSearchKey key, gconstpointer of, guint32 low, guint32 high, guint32 at, gint64 wanted)
{
  guint32 leap = 1;
  if (at < high && key (of, at) < wanted) {
    for (low = at + 1; leap < high - low && key (of, low + leap - 1) < wanted; leap *= 2)
      low += leap;
    high = MIN (leap, high - low) + low;
  } else {
    for (high = at; leap < high - low && key (of, high - leap) >= wanted; leap *= 2)
      high -= leap;
    low = high - MIN (leap, high - low);
  }
  return loom_time_bsearch_by (key, of, low, high, wanted);
}

static inline gint64
loom_time_bsearch_column_key (gconstpointer times_ns, guint32 at)
{
  return ((const gint64 *) times_ns)[at];
}

/* The next two functions search in an array of ascending times, like loom_time_bsearch_by() and
 * loom_time_bsearch_near_by(). */
static inline guint32
loom_time_bsearch_time (const gint64 *times_ns, guint32 low, guint32 high, gint64 wanted_ns)
{
  return loom_time_bsearch_by (loom_time_bsearch_column_key, times_ns, low, high, wanted_ns);
}

static inline guint32
loom_time_bsearch_near (const gint64 *times_ns, guint32 low, guint32 high, guint32 at, gint64 wanted_ns)
{
  /* Fast path: if times are evenly spaced, the expected index `at` differs from the result by at most two. Counts
   * how many of the times around `at` are before the wanted time. There are no branches, because the processor could
   * not predict them. */
  if (at - low >= 2 && high - at >= 2) {
    const gint64 *near = times_ns + at - 2;
    guint32 n = (near[0] < wanted_ns) + (near[1] < wanted_ns) + (near[2] < wanted_ns) + (near[3] < wanted_ns);
    if (n > 0 && n < 4)
      return at - 2 + n;
  }
  return loom_time_bsearch_near_by (loom_time_bsearch_column_key, times_ns, low, high, at, wanted_ns);
}
