/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The pass that computes the table of names: visits every span of a range once, sums by name and collects durations
 * for percentiles, on all processors.
 */
#pragma once

#include <gio/gio.h>

#include "loom-duration-log.h"
#include "loom-percentile-bands.h"
#include "loom-run-names.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

/* Sums of one joined name. Times are local to the trace. */
typedef struct {
  /* number of spans by part of the bands that contains the duration; all parts together are the count */
  guint64 parts[LOOM_N_BAND_PARTS];
  gint64 total_ns, min_ns, max_ns;
  double squares;      /* sum of the squared durations, ns² */
  guint64 below_ns;    /* time of spans one level deeper; wraps around for damaged files */
  gint64 cut_ns;       /* the part of total_ns outside the range */
  gint64 below_cut_ns; /* the part of below_ns outside the range */
  LoomSpanId longest;
  gint64 quantiles_ns[LOOM_N_BANDS];
} LoomNameSums;

/* The input columns of the innermost loops in one struct that their output cannot alias. */
typedef struct {
  const gint64 *start_ns, *dur_ns;
  const guint32 *name_id, *map;     /* `map`: name id → joined id */
  const LoomPercentileBands *bands; /* index: joined id */
  LoomNameSums *sums;               /* index: joined id */
  LoomDurationLog *kept;            /* durations inside bands; the key is joined id × LOOM_N_BANDS + band */
  guint32 trace;
} LoomNameColumns;

typedef struct _LoomNameAggregate LoomNameAggregate;

/* Arguments as for loom_range_statistics_new(). NULL only when cancelled. */
LoomNameAggregate *loom_name_aggregate_run (LoomTimeline *timeline, LoomRunNames *names, LoomRange range,
                                            const LoomTrackId *tracks, gsize n_tracks, GCancellable *cancellable);
void loom_name_aggregate_free (LoomNameAggregate *pass);

/* The sums by joined name id. */
const LoomNameSums *loom_name_aggregate_get (const LoomNameAggregate *pass);
/* Returns, for each trace, whether any of its spans were counted. */
const gboolean *loom_name_aggregate_get_traces (const LoomNameAggregate *pass);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNameAggregate, loom_name_aggregate_free)
