/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The innermost loop of the table of names: spans of one row counted under their names. Times are local to the
 * trace, all columns stay the caller's, nothing is allocated; any thread, as long as no other has the same sums.
 */
#pragma once

#include "loom-duration-log.h"
#include "loom-percentile-bands.h"
#include "loom-timeline.h"

G_BEGIN_DECLS

/* Of one joined name. */
typedef struct {
  guint64 parts[LOOM_N_BAND_PARTS]; /* spans by where their duration lies; the sum is the count */
  gint64 total_ns, min_ns, max_ns;
  guint64 below_ns;    /* of spans one depth below; wraps in damaged files */
  gint64 cut_ns;       /* of the total: outside the range */
  gint64 below_cut_ns; /* of below: outside the range */
  LoomSpanId longest;
  gint64 quantiles_ns[LOOM_N_BANDS];
} LoomNameSums;

/* What the loop needs, side by side and out of reach of what it writes. */
typedef struct {
  const gint64 *start_ns, *dur_ns;
  const guint32 *name_id, *map;     /* `map`: name id → joined id */
  const LoomPercentileBands *bands; /* by joined id */
  LoomNameSums *sums;               /* by joined id */
  LoomDurationLog *kept;            /* durations in bands, by joined id × LOOM_N_BANDS + band */
  guint32 trace;
} LoomNameColumns;

/* Counts each span from `first` to before `end`, at least one, under its name, and keeps the durations that lie in bands. */
void loom_name_accumulate (const LoomNameColumns *at, guint32 first, guint32 end);

G_END_DECLS
