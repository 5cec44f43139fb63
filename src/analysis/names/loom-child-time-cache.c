/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-child-time-cache.h"

#include <string.h>

#define MOST_SUMS (2 * LOOM_BELOW_BLOCK / sizeof (LoomChildTimeSum))

typedef struct {
  LoomChildTimeSlot *slots;
  guint32 n_slots;
  guint32 *first; /* [row] → its first slot */
} OfTrace;

struct _LoomChildTimeCache {
  OfTrace *traces;
  guint n_traces;
};

typedef struct {
  guint n;
  LoomChildTimeSum sums[];
} Known;

static guint
count_rows (const LoomTrace *trace)
{
  guint n = 0;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    n = MAX (n, track->first_row + track->n_rows);
  }
  return n;
}

static void
add_trace (OfTrace *of, const LoomTrace *trace)
{
  guint n_rows = count_rows (trace);
  of->first = g_new (guint32, MAX (n_rows, 1));
  for (guint r = 0; r < n_rows; r++) {
    of->first[r] = of->n_slots;
    of->n_slots += (loom_trace_get_row (trace, r)->n + LOOM_BELOW_BLOCK - 1) / LOOM_BELOW_BLOCK;
  }
  of->slots = g_new0 (LoomChildTimeSlot, MAX (of->n_slots, 1));
}

LoomChildTimeCache *
loom_child_time_cache_new (LoomRun *run)
{
  LoomChildTimeCache *blocks = g_new0 (LoomChildTimeCache, 1);
  blocks->n_traces = loom_run_get_n_traces (run);
  blocks->traces = g_new0 (OfTrace, MAX (blocks->n_traces, 1));
  for (guint i = 0; i < blocks->n_traces; i++)
    add_trace (&blocks->traces[i], loom_run_get_trace (run, i));
  return blocks;
}

void
loom_child_time_cache_free (LoomChildTimeCache *blocks)
{
  if (blocks == NULL)
    return;
  for (guint i = 0; i < blocks->n_traces; i++) {
    OfTrace *of = &blocks->traces[i];
    for (guint32 k = 0; k < of->n_slots; k++)
      g_free (of->slots[k]);
    g_free (of->slots);
    g_free (of->first);
  }
  g_free (blocks->traces);
  g_free (blocks);
}

LoomChildTimeSlot *
loom_child_time_cache_get (LoomChildTimeCache *blocks, guint trace, guint row)
{
  return blocks->traces[trace].slots + blocks->traces[trace].first[row];
}

const LoomChildTimeSum *
loom_child_time_cache_get_slot (LoomChildTimeSlot *slot, guint *n)
{
  const Known *known = g_atomic_pointer_get (slot);
  if (known == NULL)
    return NULL;
  *n = known->n;
  return known->sums;
}

void
loom_child_time_cache_set_slot (LoomChildTimeSlot *slot, const LoomChildTimeSum *sums, guint n)
{
  if (n > MOST_SUMS)
    return;
  Known *known = g_malloc (sizeof *known + n * sizeof *sums);
  known->n = n;
  memcpy (known->sums, sums, n * sizeof *sums);
  if (!g_atomic_pointer_compare_and_exchange (slot, NULL, known))
    g_free (known);
}
