/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the sampled utilization of GPUs, whose times are from one clock, with the activity of kernels, whose times
 * are from another clock. At least one of the clocks has no epoch (start in UTC). Finds the lag (shift in time) at
 * which both series correlate best, first for the whole run, then for each of several consecutive stretches (parts) of
 * the run. The lag of a stretch gives one common event, which is a pair of simultaneous times on the two clocks. The
 * uncertainty of the event is the time between two samples. A sample describes the time between the previous sample and
 * itself.
 */
#include "loom-cross-correlation.h"
#include "loom-evidence.h"

#include <math.h>
#include <string.h>

#define LEAST_STEP_NS LOOM_NS_PER_MS
/* Maximum number of bins of a series; a series is the activity of a clock's devices, with one value per bin of time. If
 * the run is too long for this number of bins, the bins are made wider. */
#define MOST_BINS 8192
#define MOST_PAIRS 64 /* maximum number of pairs of clocks for which the activity is compared */

/* Two series are compared at the times that both cover. There must be at least LEAST_BINS bins of these times. They are
 * divided into at most MOST_STRETCHES stretches (consecutive parts) of at least STRETCH_BINS bins. The lag of a
 * stretch, which is the shift in time with the best correlation, may differ by at most STRAY_BINS bins from the lag of
 * all times that both series cover. */
#define LEAST_BINS 24
#define STRETCH_BINS 12
#define MOST_STRETCHES 8
#define STRAY_BINS 2

/* The best lag is the shift in time at which two series correlate best. Two series match only if their correlation at
 * the best lag is at least LEAST_CORRELATION, and exceeds their correlation at the second best lag by at least
 * LEAST_LEAD. */
#define LEAST_CORRELATION 0.7
#define LEAST_LEAD 0.1

typedef struct {
  gint64 begin_ns, step_ns;
  double *value;
  guint n;
} Bins;

/* The activity of the devices whose times are from one clock: either sampled utilization, or the times in which
 * kernels ran. */
typedef struct {
  guint clock;
  const char *node; /* name of the machine; NULL if unknown */
  gboolean has_epoch;
  LoomRange extent; /* time from the start to the end of the activity, in local ns */
  const LoomTrace *trace;
  GArray *tracks; /* guint: tracks with the activity, as indices in `trace` */
  /* the activity in bins of the width with which bins_of() was called last; `value` is NULL before the first call */
  Bins bins;
} Activity;

static void
activity_clear (gpointer data)
{
  g_array_unref (((Activity *) data)->tracks);
  g_free (((Activity *) data)->bins.value);
}

static Activity *
activity_of (GArray *all, const LoomRun *run, guint trace, const LoomTrack *track)
{
  guint clock = loom_run_get_first_clock (run, trace) + track->clock;
  if (all->len > 0 && g_array_index (all, Activity, all->len - 1).clock == clock)
    return &g_array_index (all, Activity, all->len - 1);
  for (guint i = 0; i < all->len; i++)
    if (g_array_index (all, Activity, i).clock == clock)
      return &g_array_index (all, Activity, i);
  Activity activity = { .clock = clock,
                        .node = track->node,
                        .has_epoch = loom_run_get_clock (run, clock)->state != LOOM_CLOCK_NONE,
                        .extent = { G_MAXINT64, G_MININT64 },
                        .trace = loom_run_get_trace (run, trace),
                        .tracks = g_array_new (FALSE, FALSE, sizeof (guint)) };
  g_array_append_val (all, activity);
  return &g_array_index (all, Activity, all->len - 1);
}

static GArray *
find_activities (const LoomRun *run, gboolean sampled)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Activity));
  g_array_set_clear_func (all, activity_clear);
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
      const LoomTrack *track = loom_trace_get_track (trace, i);
      gboolean wanted = sampled ? track->kind == LOOM_TRACK_COUNTER && strcmp (track->name, "GPUUtilization") == 0
                                : track->kind == LOOM_TRACK_SPANS && loom_trace_track_is_device (track);
      if (!wanted || track->start_ns == LOOM_TIME_NONE)
        continue;
      Activity *activity = activity_of (all, run, t, track);
      activity->extent.begin_ns = MIN (activity->extent.begin_ns, track->start_ns);
      activity->extent.end_ns = MAX (activity->extent.end_ns, track->end_ns);
      g_array_append_val (activity->tracks, i);
    }
  }
  return all;
}

/* --- bins: the activity of a clock over time ---------------------------------------------------------------------- */

static void
bins_init (Bins *bins, LoomRange extent, gint64 step_ns)
{
  *bins = (Bins) { .begin_ns = extent.begin_ns, .step_ns = step_ns };
  bins->n = (guint) (loom_time_sub (extent.end_ns, extent.begin_ns) / step_ns) + 1;
  bins->value = g_new0 (double, bins->n);
}

static double
position_of (const Bins *bins, gint64 local_ns)
{
  return (double) loom_time_sub (local_ns, bins->begin_ns) / (double) bins->step_ns;
}

/* Sets each bin to the mean of its samples. A bin without samples gets the value of the previous bin. */
static void
fill_sampled (Bins *bins, const Activity *activity)
{
  g_autofree guint *counts = g_new0 (guint, bins->n);
  for (guint t = 0; t < activity->tracks->len; t++) {
    const LoomTrack *track = loom_trace_get_track (activity->trace, g_array_index (activity->tracks, guint, t));
    for (guint32 s = 0; s < track->n_series; s++) {
      const LoomSeries *series = loom_trace_get_series (activity->trace, track->first_series + s);
      for (guint32 i = 0; i < series->n; i++) {
        guint bin = (guint) CLAMP (position_of (bins, series->time_ns[i] - bins->step_ns / 2), 0, bins->n - 1);
        bins->value[bin] += series->value[i];
        counts[bin]++;
      }
    }
  }
  for (guint i = 0; i < bins->n; i++)
    bins->value[i] = counts[i] > 0 ? bins->value[i] / counts[i] : i > 0 ? bins->value[i - 1] : 0;
}

static void
add_span (Bins *bins, gint64 start_ns, gint64 dur_ns)
{
  double from = MAX (position_of (bins, start_ns), 0),
         to = MIN (position_of (bins, loom_time_add (start_ns, dur_ns)), bins->n);
  for (guint bin = (guint) from; bin < bins->n && bin < to; bin++)
    bins->value[bin] += MIN (to, bin + 1.0) - MAX (from, bin);
}

/* Sets each bin to the share of its time in which at least one kernel ran. */
static void
fill_busy (Bins *bins, const Activity *activity)
{
  const LoomSpans *spans = loom_trace_get_spans (activity->trace);
  for (guint t = 0; t < activity->tracks->len; t++) {
    const LoomTrack *track = loom_trace_get_track (activity->trace, g_array_index (activity->tracks, guint, t));
    for (guint32 r = 0; r < track->n_rows; r++) {
      const LoomRow *row = loom_trace_get_row (activity->trace, track->first_row + r);
      for (guint32 i = row->first; row->depth == 0 && i < row->first + row->n; i++)
        add_span (bins, spans->start_ns[i], spans->dur_ns[i]);
    }
  }
  for (guint i = 0; i < bins->n; i++)
    bins->value[i] = MIN (bins->value[i], 1);
}

/* Returns the activity in bins of the length `step_ns`. The bins are cached: if the next pair of clocks is compared
 * with bins of the same length, they are not filled again. */
static const Bins *
bins_of (Activity *activity, gint64 step_ns, void (*fill) (Bins *bins, const Activity *activity))
{
  if (activity->bins.value == NULL || activity->bins.step_ns != step_ns) {
    g_free (activity->bins.value);
    bins_init (&activity->bins, activity->extent, step_ns);
    fill (&activity->bins, activity);
  }
  return &activity->bins;
}

/* Returns the mean time between two samples, in ns. Uses the series with the most samples; returns 0 if it has too
 * few samples. */
static gint64
sample_step (const Activity *activity)
{
  const LoomSeries *longest = NULL;
  for (guint t = 0; t < activity->tracks->len; t++) {
    const LoomTrack *track = loom_trace_get_track (activity->trace, g_array_index (activity->tracks, guint, t));
    for (guint32 s = 0; s < track->n_series; s++) {
      const LoomSeries *series = loom_trace_get_series (activity->trace, track->first_series + s);
      longest = longest == NULL || series->n > longest->n ? series : longest;
    }
  }
  if (longest == NULL || longest->n < LEAST_BINS)
    return 0;
  return MAX (loom_time_sub (longest->time_ns[longest->n - 1], longest->time_ns[0]) / (longest->n - 1), LEAST_STEP_NS);
}

/* --- pairs of sampled and busy series ----------------------------------------------------------------------------- */

/* Divides the times that both series cover into stretches (consecutive parts). For each stretch, finds the best lag
 * (shift in time). According to this lag, the middle of the stretch on one clock corresponds to a time of the other
 * clock; adds these two times as an event that both clocks recorded. */
static void
add_stretches (LoomEvidence *evidence, const Activity *sampled, const Bins *a, const Activity *busy, const Bins *b,
               gint lag)
{
  gint first = MAX (0, -lag), end = MIN ((gint) a->n, (gint) b->n - lag);
  guint n = MIN (MOST_STRETCHES, (guint) (end - first) / STRETCH_BINS);
  for (guint i = 0; i < n; i++) {
    gint from = first + (end - first) * (gint) i / (gint) n, to = first + (end - first) * (gint) (i + 1) / (gint) n;
    LoomCrossCorrelation own;
    /* only the samples of `a` in this stretch are passed, so `from` is added to the limits of the lag */
    if (!loom_cross_correlation_find (&own, a->value + from, (guint) (to - from), b->value, b->n,
                                      from + lag - STRAY_BINS, from + lag + STRAY_BINS, STRETCH_BINS / 2) ||
        own.correlation < LEAST_CORRELATION)
      continue;
    double middle = (from + to) / 2.0, other = middle + own.lag - from + own.fraction;
    loom_evidence_begin (evidence, LOOM_EVIDENCE_ACTIVITY, a->step_ns);
    loom_evidence_read (evidence, sampled->clock, loom_time_add (a->begin_ns, llround (middle * (double) a->step_ns)),
                        LOOM_TIME_NONE);
    loom_evidence_read (evidence, busy->clock, loom_time_add (b->begin_ns, llround (other * (double) b->step_ns)),
                        LOOM_TIME_NONE);
    loom_evidence_end (evidence);
  }
}

static void
compare (LoomEvidence *evidence, Activity *sampled, Activity *busy)
{
  gint64 step_ns = sample_step (sampled);
  if (step_ns == 0)
    return;
  gint64 longest_ns = MAX (loom_time_sub (sampled->extent.end_ns, sampled->extent.begin_ns),
                           loom_time_sub (busy->extent.end_ns, busy->extent.begin_ns));
  step_ns = MAX (step_ns, longest_ns / MOST_BINS);
  const Bins *a = bins_of (sampled, step_ns, fill_sampled), *b = bins_of (busy, step_ns, fill_busy);
  LoomCrossCorrelation lag;
  guint least = MAX (LEAST_BINS, MIN (a->n, b->n) / 2);
  if (loom_cross_correlation_find (&lag, a->value, a->n, b->value, b->n, -(gint) a->n, (gint) b->n, least) &&
      lag.correlation >= LEAST_CORRELATION && lag.correlation - lag.other >= LEAST_LEAD)
    add_stretches (evidence, sampled, a, busy, b, lag.lag);
}

static gboolean
may_belong (const Activity *a, const Activity *b)
{
  gboolean one_node = a->node == NULL || b->node == NULL || strcmp (a->node, b->node) == 0;
  return a->clock != b->clock && one_node && !(a->has_epoch && b->has_epoch);
}

void
loom_evidence_add_activity (LoomEvidence *evidence, const LoomRun *run)
{
  g_autoptr (GArray) sampled = find_activities (run, TRUE), busy = find_activities (run, FALSE);
  guint n_pairs = 0;
  for (guint i = 0; i < sampled->len; i++) {
    for (guint k = 0; k < busy->len && n_pairs < MOST_PAIRS; k++) {
      Activity *a = &g_array_index (sampled, Activity, i), *b = &g_array_index (busy, Activity, k);
      if (!may_belong (a, b))
        continue;
      compare (evidence, a, b);
      n_pairs++;
    }
  }
}
