/* SPDX-License-Identifier: Apache-2.0
 *
 * The child time of a name is the total duration of the children of its spans. The durations of the children of one
 * span are added up in a local variable. When the next span of the parent row (the row that contains the parents)
 * begins, the sum is added to the name of the span before it.
 */
#include "loom-name-child-time.h"

#include <string.h>

#include "loom-time-bsearch.h"
#include "loom-time.h"

/* --- cache of child times ----------------------------------------------------------------------------------------- */

/* Maximum number of names in the cached sums of a block. Blocks with more names are not cached, so that the cache needs
 * at most two bytes per span. */
#define MOST_SUMS (2 * LOOM_CHILD_TIME_BLOCK / sizeof (LoomChildTimeSum))

typedef struct {
  LoomChildTimeSlot *slots;
  guint32 n_slots;
  guint32 *first; /* [row] index in `slots` of the row's first slot */
} OfTrace;

struct _LoomChildTimeCache {
  OfTrace *traces;
  guint n_traces;
};

typedef struct {
  guint n;
  LoomChildTimeSum sums[];
} Known;

static void
add_trace (OfTrace *of, const LoomTrace *trace)
{
  guint n_rows = loom_trace_get_n_rows (trace);
  of->first = g_new (guint32, MAX (n_rows, 1));
  for (guint r = 0; r < n_rows; r++) {
    of->first[r] = of->n_slots;
    of->n_slots += (loom_trace_get_row (trace, r)->n + LOOM_CHILD_TIME_BLOCK - 1) / LOOM_CHILD_TIME_BLOCK;
  }
  of->slots = g_new0 (LoomChildTimeSlot, MAX (of->n_slots, 1));
}

LoomChildTimeCache *
loom_name_child_time_cache_new (LoomRun *run)
{
  LoomChildTimeCache *cache = g_new0 (LoomChildTimeCache, 1);
  cache->n_traces = loom_run_get_n_traces (run);
  cache->traces = g_new0 (OfTrace, MAX (cache->n_traces, 1));
  for (guint i = 0; i < cache->n_traces; i++)
    add_trace (&cache->traces[i], loom_run_get_trace (run, i));
  return cache;
}

void
loom_name_child_time_cache_free (LoomChildTimeCache *cache)
{
  if (cache == NULL)
    return;
  for (guint i = 0; i < cache->n_traces; i++) {
    OfTrace *of = &cache->traces[i];
    for (guint32 k = 0; k < of->n_slots; k++)
      g_free (of->slots[k]);
    g_free (of->slots);
    g_free (of->first);
  }
  g_free (cache->traces);
  g_free (cache);
}

LoomChildTimeSlot *
loom_name_child_time_cache_get (LoomChildTimeCache *cache, guint trace, guint row)
{
  return cache->traces[trace].slots + cache->traces[trace].first[row];
}

/* Stores a copy of the sums of a block in its slot. If two threads compute the same block, only one result is kept. */
static void
fill_slot (LoomChildTimeSlot *slot, const LoomChildTimeSum *sums, guint n)
{
  if (n > MOST_SUMS)
    return;
  Known *known = g_malloc (sizeof *known + n * sizeof *sums);
  known->n = n;
  memcpy (known->sums, sums, n * sizeof *sums);
  if (!g_atomic_pointer_compare_and_exchange (slot, NULL, known))
    g_free (known);
}

/* --- working memory of a thread ----------------------------------------------------------------------------------- */

void
loom_name_child_time_init (LoomNameChildTime *below, guint32 n_names)
{
  *below = (LoomNameChildTime) { .below_ns = g_new0 (guint64, MAX (n_names, 1)),
                                 .sums = g_new (LoomChildTimeSum, LOOM_CHILD_TIME_BLOCK + 1) };
}

void
loom_name_child_time_clear (LoomNameChildTime *below)
{
  g_clear_pointer (&below->below_ns, g_free);
  g_clear_pointer (&below->sums, g_free);
}

guint32
loom_name_child_time_find_above (const LoomNameChildTimeRow *row, const gint64 *start_ns, gint64 time_ns)
{
  guint32 next = loom_time_bsearch_time (start_ns, row->above, row->above_end, loom_time_add (time_ns, 1));
  return MAX (next, row->above + 1) - 1;
}

/* --- the parent: the current span of the upper row ---------------------------------------------------------------- */

/* The current span of the parent row, and the total time of its children so far. */
typedef struct {
  guint32 at, end;
  gint64 begin_ns, end_ns, next_ns; /* `next_ns`: start of the next span of the parent row */
  guint64 below_ns;
} Above;

static inline void
stand_at (Above *above, const LoomNameColumns *at, guint32 parent)
{
  above->at = parent;
  above->next_ns = parent + 1 < above->end ? at->start_ns[parent + 1] : G_MAXINT64;
  above->begin_ns = at->start_ns[parent];
  above->end_ns = loom_time_add (at->start_ns[parent], at->dur_ns[parent]);
  above->below_ns = 0;
}

static Above
stand_over (const LoomNameColumns *at, const LoomNameChildTimeRow *row, guint32 span)
{
  Above above = { .end = row->above_end };
  stand_at (&above, at, loom_name_child_time_find_above (row, at->start_ns, at->start_ns[span]));
  return above;
}

static inline guint32
name_above (const Above *above, const LoomNameColumns *at)
{
  return at->map[at->name_id[above->at]];
}

/* Moves `above` to the last span of the parent row that begins at or before `start_ns`. The caller must ensure that
 * this span comes after the current span of `above`. */
static inline void
rise_to (Above *above, const LoomNameColumns *at, gint64 start_ns)
{
  guint32 parent = above->at + 1;
  while (parent + 1 < above->end && at->start_ns[parent + 1] <= start_ns)
    parent++;
  stand_at (above, at, parent);
}

static inline gboolean
is_below (const Above *above, gint64 start_ns, gint64 dur)
{
  return (loom_time_add (start_ns, dur) <= above->end_ns) & (start_ns >= above->begin_ns);
}

/* --- spans inside the analysed time range ------------------------------------------------------------------------- */

static inline void
hand_over (const LoomNameColumns *at, const Above *above, LoomNameChildTime *below)
{
  if (above->below_ns == 0)
    return;
  guint32 id = name_above (above, at);
  if (below->below_ns[id] == 0)
    below->sums[below->n_sums++].id = id;
  below->below_ns[id] += above->below_ns;
}

/* Adds up the durations of the spans `first` to `end` − 1, which are one block, separately for each name of their
 * parents. Stores the result in below->sums. */
static void
sum_up (const LoomNameColumns *at, const LoomNameChildTimeRow *row, guint32 first, guint32 end,
        LoomNameChildTime *below)
{
  Above above = stand_over (at, row, first);
  below->n_sums = 0;
  for (guint32 i = first; i < end; i++) {
    if (G_UNLIKELY (above.next_ns <= at->start_ns[i])) {
      hand_over (at, &above, below);
      rise_to (&above, at, at->start_ns[i]);
    }
    above.below_ns += is_below (&above, at->start_ns[i], at->dur_ns[i]) ? (guint64) at->dur_ns[i] : 0;
  }
  hand_over (at, &above, below);
  for (guint k = 0; k < below->n_sums; k++) {
    guint64 *below_ns = &below->below_ns[below->sums[k].id];
    below->sums[k].below_ns = *below_ns;
    *below_ns = 0;
  }
}

static void
take (const LoomNameColumns *at, const LoomChildTimeSum *sums, guint n)
{
  for (guint k = 0; k < n; k++)
    at->sums[sums[k].id].below_ns += sums[k].below_ns;
}

void
loom_name_child_time_inside (const LoomNameColumns *columns, LoomNameChildTimeRow row, LoomNameChildTime *below)
{
  /* a local copy shows the compiler that writing to the sums does not change the columns */
  const LoomNameColumns at = *columns;
  for (guint32 from = row.first, end; from < row.end; from = end) {
    guint32 block = (from - row.row_first) / LOOM_CHILD_TIME_BLOCK;
    guint32 block_first = row.row_first + block * LOOM_CHILD_TIME_BLOCK;
    guint32 block_end =
      row.row_end - block_first > LOOM_CHILD_TIME_BLOCK ? block_first + LOOM_CHILD_TIME_BLOCK : row.row_end;
    end = MIN (block_end, row.end);
    gboolean is_whole = from == block_first && end == block_end;
    const Known *known = is_whole ? g_atomic_pointer_get (&row.slots[block]) : NULL;
    if (known != NULL) {
      take (&at, known->sums, known->n);
      continue;
    }
    sum_up (&at, &row, from, end, below);
    take (&at, below->sums, below->n_sums);
    if (is_whole)
      fill_slot (&row.slots[block], below->sums, below->n_sums);
  }
}

/* --- spans outside the analysed time range ------------------------------------------------------------------------ */

void
loom_name_child_time_outside (const LoomNameColumns *at, LoomNameChildTimeRow row)
{
  Above above = stand_over (at, &row, row.first);
  for (guint32 i = row.first; i < row.end; i++) {
    if (above.next_ns <= at->start_ns[i])
      rise_to (&above, at, at->start_ns[i]);
    if (!is_below (&above, at->start_ns[i], at->dur_ns[i]))
      continue;
    LoomNameSums *sums = &at->sums[name_above (&above, at)];
    sums->below_ns += (guint64) at->dur_ns[i];
    sums->below_cut_ns = loom_time_add (sums->below_cut_ns, at->dur_ns[i]);
  }
}
