/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums the children of a span in a local variable and adds the sum to the span's name when the next span begins.
 */
#include "loom-name-child-time.h"

#include "loom-time.h"

void
loom_name_child_time_init (LoomNameChildTime *below, guint32 n_names)
{
  *below = (LoomNameChildTime) { .below_ns = g_new0 (guint64, MAX (n_names, 1)),
                                 .sums = g_new (LoomChildTimeSum, LOOM_BELOW_BLOCK + 1) };
}

void
loom_name_child_time_clear (LoomNameChildTime *below)
{
  g_clear_pointer (&below->below_ns, g_free);
  g_clear_pointer (&below->sums, g_free);
}

/* --- where the spans at hand run ------------------------------------------------------------------------------------ */

/* The span of the upper row that contains the current spans, and the sum of their times. */
typedef struct {
  guint32 at, end;
  gint64 begin_ns, end_ns, next_ns; /* `next_ns`: begin of the following span of the upper row */
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

/* Finds the last span of the upper row that begins at or before `span`, or else the first span of that row. */
static Above
stand_over (const LoomNameColumns *at, const LoomNameChildTimeRow *row, guint32 span)
{
  Above above = { .end = row->above_end };
  guint32 low = row->above, high = row->above_end;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (at->start_ns[middle] <= at->start_ns[span])
      low = middle + 1;
    else
      high = middle;
  }
  stand_at (&above, at, MAX (low, row->above + 1) - 1);
  return above;
}

static inline guint32
name_above (const Above *above, const LoomNameColumns *at)
{
  return at->map[at->name_id[above->at]];
}

/* Advances to the last span that begins at or before the time. */
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

/* --- inside the range ----------------------------------------------------------------------------------------------- */

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

/* Sums the spans of one block by the name of their parent. */
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
  const LoomNameColumns at = *columns; /* local copy: the compiler knows that writing sums doesn't change it */
  for (guint32 from = row.first, end; from < row.end; from = end) {
    guint32 block = (from - row.row_first) / LOOM_BELOW_BLOCK;
    guint32 block_first = row.row_first + block * LOOM_BELOW_BLOCK;
    guint32 block_end = row.row_end - block_first > LOOM_BELOW_BLOCK ? block_first + LOOM_BELOW_BLOCK : row.row_end;
    end = MIN (block_end, row.end);
    gboolean is_whole = from == block_first && end == block_end;
    guint n;
    const LoomChildTimeSum *known = is_whole ? loom_child_time_cache_get_slot (&row.slots[block], &n) : NULL;
    if (known != NULL) {
      take (&at, known, n);
      continue;
    }
    sum_up (&at, &row, from, end, below);
    take (&at, below->sums, below->n_sums);
    if (is_whole)
      loom_child_time_cache_set_slot (&row.slots[block], below->sums, below->n_sums);
  }
}

/* --- outside it --------------------------------------------------------------------------------------------------- */

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
