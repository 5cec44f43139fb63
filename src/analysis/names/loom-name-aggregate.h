/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/names. Computes statistics for each name: goes once through all spans of a range, adds up
 * times for each name, and collects the durations from which percentiles are computed. Uses all processors.
 */
#pragma once

#include <gio/gio.h>

#include "loom-duration-log.h"
#include "loom-percentile-bands.h"
#include "loom-run-names.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

/* A sum of squared durations, in ns². The sum is exact, so it does not depend on the order in which the sums of threads
 * are added. This order can change each time that the sum is computed. */
typedef unsigned __int128 LoomSquareSum __attribute__ ((aligned (8)));

/* Returns a + b. If the sum does not fit into 128 bits, returns the maximum; this happens only with implausible
 * durations of hundreds of years. */
static inline LoomSquareSum
loom_name_aggregate_add_squares (LoomSquareSum a, LoomSquareSum b)
{
  LoomSquareSum sum;
  return __builtin_add_overflow (a, b, &sum) ? ~(LoomSquareSum) 0 : sum;
}

/* Sums over the spans of one name of the run. The times of a span are ns on the clock of its trace. */
typedef struct {
  /* [part, see loom_percentile_bands_part()] number of spans whose duration is in this part; the sum over all parts is
   * the number of spans */
  guint64 parts[LOOM_N_BAND_PARTS];
  gint64 total_ns, min_ns, max_ns;
  LoomSquareSum squares; /* sum of the squared durations */
  guint64 below_ns;      /* total time of child spans; may wrap around if the file is damaged */
  gint64 cut_ns;         /* the part of total_ns outside the range */
  gint64 below_cut_ns;   /* the part of below_ns outside the range */
  LoomSpanId longest;
  gint64 quantiles_ns[LOOM_N_BANDS];
} LoomNameSums;

/* The columns that the innermost loops read. Each loop copies this struct to a local variable, which shows the compiler
 * that the output of the loop does not change the columns. */
typedef struct {
  const gint64 *start_ns, *dur_ns;
  const guint32 *name_id, *map;     /* `map`: [name id of the trace] id of the name in LoomRunNames */
  const LoomPercentileBands *bands; /* [id in LoomRunNames] bands of the name */
  LoomNameSums *sums;               /* [id in LoomRunNames] sums of the name */
  /* durations inside the bands of percentiles; key: id in LoomRunNames × LOOM_N_BANDS + band */
  LoomDurationLog *kept;
  guint32 trace;
} LoomNameColumns;

typedef struct _LoomNameAggregate LoomNameAggregate;

/* Computes the sums of all names. The parameters are those of loom_range_statistics_new(). NULL only when cancelled. */
LoomNameAggregate *loom_name_aggregate_run (LoomTimeline *timeline, LoomRunNames *names, LoomRange range,
                                            const LoomTrackId *tracks, gsize n_tracks, GCancellable *cancellable);
void loom_name_aggregate_free (LoomNameAggregate *pass);

/* Returns an array: [id in LoomRunNames] the sums of the name. Borrowed. */
const LoomNameSums *loom_name_aggregate_get (const LoomNameAggregate *pass);
/* Returns an array: [trace] TRUE if any span of the trace was counted. Borrowed. */
const gboolean *loom_name_aggregate_get_traces (const LoomNameAggregate *pass);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNameAggregate, loom_name_aggregate_free)
