/* SPDX-License-Identifier: Apache-2.0
 *
 * Where names are few, the durations of each are gathered until there are enough of them for vectors; where they are many,
 * that would take more memory than a processor has at hand, and spans are counted one by one.
 */
#include "loom-name-count.h"

#include "loom-duration-batch.h"
#include "loom-time.h"

/* --- names, one span after the other ------------------------------------------------------------------------------ */

static inline void
count_span (const LoomNameColumns *at, guint32 i)
{
  guint32 id = at->map[at->name_id[i]];
  gint64 dur = at->dur_ns[i];
  LoomNameSums *sums = &at->sums[id];
  const LoomBands *bands = &at->bands[id];
  guint part = loom_bands_part (bands, dur);
  sums->parts[part]++;
  sums->total_ns = loom_time_add (sums->total_ns, dur);
  sums->min_ns = MIN (sums->min_ns, dur);
  if (G_UNLIKELY (dur > sums->max_ns)) {
    sums->max_ns = dur;
    sums->longest = (LoomSpanId) { at->trace, i };
  }
  if (bands->kept >> part & 1)
    *loom_duration_log_add (at->kept, (gsize) id * LOOM_N_BANDS + part / 2, 1) = dur;
}

static void
count_singly (const LoomNameColumns *at, guint32 first, guint32 end)
{
  for (guint32 i = first; i < end; i++)
    count_span (at, i);
}

/* --- names, in batches -------------------------------------------------------------------------------------------- */

/* The span of the longest duration among the last n of the name before `end`: the first of equals. */
static LoomSpanId
find_longest (const LoomNameColumns *at, guint32 id, guint n, guint32 end, gint64 max_ns)
{
  LoomSpanId longest = { at->trace, 0 };
  for (guint32 i = end; n > 0;) {
    if (at->map[at->name_id[--i]] != id)
      continue;
    n--;
    if (at->dur_ns[i] == max_ns)
      longest.span = i;
  }
  return longest;
}

static inline void
keep (const LoomNameColumns *at, gsize key, const gint64 *dur_ns, guint64 which)
{
  if (which == 0)
    return;
  gint64 *kept_ns = loom_duration_log_add (at->kept, key, (gsize) __builtin_popcountll (which));
  for (; which != 0; which &= which - 1)
    *kept_ns++ = dur_ns[__builtin_ctzll (which)];
}

/* Less than a full batch is filled up with nothings: they add nothing, are not the longest, and their bits are cleared. */
static inline void
measure (gint64 *dur_ns, guint n, const LoomBands *bands, LoomBatchMeasures *found)
{
  for (guint k = n; k < LOOM_BATCH; k++)
    dur_ns[k] = 0;
  loom_batch_measure (dur_ns, bands->edge_ns, found);
  if (n == LOOM_BATCH)
    return;
  found->min_ns = dur_ns[0];
  for (guint k = 1; k < n; k++)
    found->min_ns = MIN (found->min_ns, dur_ns[k]);
  for (guint e = 0; e < 2 * LOOM_N_BANDS; e++)
    found->above[e] &= (G_GUINT64_CONSTANT (1) << n) - 1;
}

/* The n durations that were gathered of a name; the last of them is of a span before `end`. */
static void
count_batch (const LoomNameColumns *at, guint32 id, guint n, guint32 end)
{
  gint64 *dur_ns = at->batch_ns + (gsize) id * LOOM_BATCH;
  LoomNameSums *sums = &at->sums[id];
  LoomBatchMeasures found;
  measure (dur_ns, n, &at->bands[id], &found);
  guint64 before = n;
  for (guint e = 0; e < 2 * LOOM_N_BANDS; e++) {
    guint64 above = (guint64) __builtin_popcountll (found.above[e]);
    sums->parts[e] += before - above;
    before = above;
  }
  sums->parts[2 * LOOM_N_BANDS] += before;
  sums->total_ns = loom_time_add (sums->total_ns, found.total_ns);
  sums->min_ns = MIN (sums->min_ns, found.min_ns);
  if (found.max_ns > sums->max_ns) {
    sums->max_ns = found.max_ns;
    sums->longest = find_longest (at, id, n, end, found.max_ns);
  }
  for (guint b = 0; b < LOOM_N_BANDS; b++)
    if (at->bands[id].kept >> (2 * b + 1) & 1)
      keep (at, (gsize) id * LOOM_N_BANDS + b, dur_ns, found.above[2 * b] & ~found.above[2 * b + 1]);
}

/* What did not fill a batch. */
static void
count_rests (const LoomNameColumns *at, guint32 end)
{
  for (guint32 id = 0; id < at->n_names; id++) {
    gint64 *batch_ns = at->batch_ns + (gsize) id * LOOM_BATCH;
    guint n = (guint) (at->next_ns[id] - batch_ns);
    if (n == 0)
      continue;
    count_batch (at, id, n, end);
    at->next_ns[id] = batch_ns;
  }
}

static inline gboolean
is_full (const gint64 *next_ns)
{
  return ((gsize) next_ns & (LOOM_BATCH * sizeof *next_ns - 1)) == 0;
}

static void
count_in_batches (const LoomNameColumns *at, guint32 first, guint32 end)
{
  for (guint32 i = first; i < end; i++) {
    guint32 id = at->map[at->name_id[i]];
    gint64 *next_ns = at->next_ns[id];
    *next_ns++ = at->dur_ns[i];
    at->next_ns[id] = next_ns;
    if (G_UNLIKELY (is_full (next_ns))) {
      count_batch (at, id, LOOM_BATCH, i + 1);
      at->next_ns[id] = next_ns - LOOM_BATCH;
    }
  }
  count_rests (at, end);
}

void
loom_name_count (const LoomNameColumns *columns, guint32 first, guint32 end)
{
  const LoomNameColumns at = *columns; /* of our own: nothing that is written can be it */
  if (at.batch_ns != NULL)
    count_in_batches (&at, first, end);
  else
    count_singly (&at, first, end);
}
