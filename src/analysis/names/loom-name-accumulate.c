/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-name-accumulate.h"

#include "loom-time.h"

static inline void
count_span (const LoomNameColumns *at, guint32 i)
{
  guint32 id = at->map[at->name_id[i]];
  gint64 dur = at->dur_ns[i];
  LoomNameSums *sums = &at->sums[id];
  const LoomPercentileBands *bands = &at->bands[id];
  guint part = loom_percentile_bands_part (bands, dur);
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

void
loom_name_accumulate (const LoomNameColumns *columns, guint32 first, guint32 end)
{
  const LoomNameColumns at = *columns; /* local copy: the compiler knows that writing sums doesn't change it */
  for (guint32 i = first; i < end; i++)
    count_span (&at, i);
}
