/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-idle-data.h"

#include "loom-data-waits.h"
#include "loom-int64-hash.h"

struct _LoomIdleData {
  GHashTable *tracks; /* key that identifies a track → GArray of LoomRange: the waits for data on this track */
};

static gint64
make_key (guint trace, guint track)
{
  return (gint64) ((guint64) trace << 32 | track);
}

static GArray *
get_track (LoomIdleData *data, gint64 key)
{
  GArray *ranges = g_hash_table_lookup (data->tracks, &key);
  if (ranges == NULL) {
    ranges = g_array_new (FALSE, FALSE, sizeof (LoomRange));
    g_hash_table_insert (data->tracks, g_memdup2 (&key, sizeof key), ranges);
  }
  return ranges;
}

/* Adds a wait for data to `ranges`. Waits must be added in the order of their starts. If several frameworks record the
 * same wait, waits of one thread overlap; they are then joined, so that their time counts once. */
static void
add_wait (GArray *ranges, const LoomDataWait *wait)
{
  const LoomRange range = { wait->begin_ns, wait->end_ns };
  LoomRange *last = ranges->len > 0 ? &g_array_index (ranges, LoomRange, ranges->len - 1) : NULL;
  if (last == NULL || range.begin_ns > last->end_ns)
    g_array_append_val (ranges, range);
  else
    last->end_ns = MAX (last->end_ns, range.end_ns);
}

static void
add_rank (LoomIdleData *data, LoomRun *run, const LoomDataRank *rank)
{
  for (guint i = 0; i < rank->n_waits; i++) {
    const LoomDataWait *wait = &rank->waits[i];
    guint32 track, row;
    loom_trace_locate_span (loom_run_get_trace (run, wait->span.trace), wait->span.span, &track, &row);
    add_wait (get_track (data, make_key (wait->span.trace, track)), wait);
  }
}

LoomIdleData *
loom_idle_data_new (LoomTimeline *timeline, LoomRange range, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (LoomDataWaits) waits = loom_data_waits_new (timeline, NULL, range, cancellable);
  if (waits == NULL)
    return NULL;
  LoomIdleData *data = g_new0 (LoomIdleData, 1);
  data->tracks = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < waits->n_ranks; i++)
    add_rank (data, loom_timeline_get_run (timeline), &waits->ranks[i]);
  return data;
}

void
loom_idle_data_free (LoomIdleData *data)
{
  if (data == NULL)
    return;
  g_hash_table_unref (data->tracks);
  g_free (data);
}

const GArray *
loom_idle_data_find (const LoomIdleData *data, guint trace, guint track)
{
  gint64 key = make_key (trace, track);
  return g_hash_table_lookup (data->tracks, &key);
}

gboolean
loom_idle_data_is_empty (const LoomIdleData *data)
{
  return g_hash_table_size (data->tracks) == 0;
}

/* Returns the index of the first wait in `waits` that ends after `time_ns`. */
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
