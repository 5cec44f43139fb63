/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The innermost loop of the table of names: adds the spans of one row to the sums of their names. Times are
 * local to the trace, all columns belong to the caller, nothing is allocated; any thread, if no other thread uses the
 * same sums.
 */
#pragma once

#include "loom-duration-log.h"
#include "loom-percentile-bands.h"
#include "loom-timeline.h"

/* Sums of one joined name. */
typedef struct {
  /* number of spans by part of the bands that contains the duration; all parts together are the count */
  guint64 parts[LOOM_N_BAND_PARTS];
  gint64 total_ns, min_ns, max_ns;
  guint64 below_ns;    /* time of spans one level deeper; wraps around for damaged files */
  gint64 cut_ns;       /* the part of total_ns outside the range */
  gint64 below_cut_ns; /* the part of below_ns outside the range */
  LoomSpanId longest;
  gint64 quantiles_ns[LOOM_N_BANDS];
} LoomNameSums;

/* The input columns of the loop in one struct that its output cannot alias. */
typedef struct {
  const gint64 *start_ns, *dur_ns;
  const guint32 *name_id, *map;     /* `map`: name id → joined id */
  const LoomPercentileBands *bands; /* [joined id] */
  LoomNameSums *sums;               /* [joined id] */
  LoomDurationLog *kept;            /* durations inside bands; the key is joined id × LOOM_N_BANDS + band */
  guint32 trace;
} LoomNameColumns;

/* Adds the spans from `first` to `end` (exclusive, at least one) to the sums of their names, and keeps the durations
 * inside bands. */
void loom_name_accumulate (const LoomNameColumns *columns, guint32 first, guint32 end);
