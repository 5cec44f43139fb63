/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-span-peers.h. Medians of durations are computed from histograms, because a run may have 70 million
 * spans of one name. Each duration below 2048 ns has a bin of its own; for longer durations, there are 1024 bins per
 * power of two.
 */
#include "loom-span-peers.h"

#include "loom-locale-number.h"
#include "loom-same-calls.h"
#include "loom-same-name.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define STEP_BITS 10
#define N_EXACT (2u << STEP_BITS) /* each duration of less than N_EXACT ns has a bin of its own, which is 1 ns wide */
#define N_POWERS (62 - STEP_BITS) /* number of powers of two from N_EXACT to the maximum duration, 2^63 − 1 ns */
#define N_BINS (N_EXACT + (N_POWERS << STEP_BITS))

typedef struct {
  guint64 n;
  guint64 *bins; /* array with N_BINS elements: the number of spans in each bin */
} Durations;

typedef struct {
  LoomSameName name; /* name and place of the selected span, that is, of the span that is compared with other spans */
  /* the collective or message in which the span takes part; NULL: the span takes part in none */
  const LoomSyncEvent *meeting;
  GCancellable *cancellable;
  Durations own, others;
} Search;

/* --- durations ---------------------------------------------------------------------------------------------------- */

static guint
bin_of (gint64 duration_ns)
{
  guint64 value = (guint64) MAX (duration_ns, 0);
  if (value < N_EXACT)
    return (guint) value;
  guint shift = g_bit_storage (value) - (STEP_BITS + 1);
  return N_EXACT + ((shift - 1) << STEP_BITS) + (guint) ((value >> shift) - (1u << STEP_BITS));
}

/* Returns the duration in the middle of a bin, in ns. */
static double
value_of (guint bin)
{
  if (bin < N_EXACT)
    return bin;
  guint shift = ((bin - N_EXACT) >> STEP_BITS) + 1, step = (bin - N_EXACT) & ((1u << STEP_BITS) - 1);
  return ldexp ((1u << STEP_BITS) + step + 0.5, (int) shift);
}

static double
value_at (const Durations *durations, guint64 position)
{
  guint64 n = 0;
  for (guint i = 0; i < N_BINS; i++)
    if ((n += durations->bins[i]) > position)
      return value_of (i);
  return NAN;
}

static double
median_of (const Durations *durations)
{
  if (durations->n == 0)
    return NAN;
  return (value_at (durations, (durations->n - 1) / 2) + value_at (durations, durations->n / 2)) / 2;
}

/* --- finding the spans -------------------------------------------------------------------------------------------- */

static void
add_row (Durations *durations, const LoomSpans *spans, const LoomRow *row, const guint8 *same)
{
  for (guint32 i = row->first; i < row->first + row->n; i++)
    if (same[spans->name_id[i]]) {
      durations->bins[bin_of (spans->dur_ns[i])]++;
      durations->n++;
    }
}

/* Returns the histogram in which the spans of `track` are counted: `own` if `track` has the rank of the selected span;
 * `others` if it has another rank. If the ranks of `track` and of the selected span are unknown, and both tracks are in
 * the same trace, returns `own`. In all other cases, and if spans on `track` are not comparable, returns NULL, and the
 * spans of `track` are not counted. */
static Durations *
group_of (Search *search, guint trace, const LoomTrack *track)
{
  gint own = search->name.track->rank;
  if (!loom_same_name_is_comparable (&search->name, track))
    return NULL;
  if (own < 0 || track->rank < 0)
    return trace == search->name.span.trace && own == track->rank ? &search->own : NULL;
  return track->rank == own ? &search->own : &search->others;
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

/* Returns the collective or message (LoomSyncEvent) that a span records; NULL if the span records none. O(sync events
 * of the trace). */
static const LoomSyncEvent *
find_meeting (const LoomTrace *trace, LoomRef ref)
{
  guint32 n;
  const LoomSyncEvent *meetings = loom_trace_get_meetings (trace, &n);
  for (guint32 i = 0; i < n; i++)
    if (meetings[i].ref == ref && meetings[i].track != G_MAXUINT32 && meetings[i].kind <= LOOM_SYNC_EVENT_RECEIVE)
      return &meetings[i];
  return NULL;
}

/* Adds the durations of those collectives of a trace that are comparable with search->meeting, the collective of the
 * selected span. Comparable collectives have the same name and size, and their groups have the same number of ranks.
 * The name alone is not enough, because NCCL kernels have the same name for all sizes. */
static void
search_meetings (Search *search, guint index)
{
  const LoomTrace *trace = loom_run_get_trace (search->name.run, index),
                  *of_span = loom_run_get_trace (search->name.run, search->name.span.trace);
  const char *name = loom_trace_get_sync_event_text (of_span, search->meeting->name);
  guint32 n;
  const LoomSyncEvent *meetings = loom_trace_get_meetings (trace, &n);
  for (guint32 i = 0; i < n; i++) {
    const LoomSyncEvent *meeting = &meetings[i];
    if (meeting->kind != search->meeting->kind || meeting->bytes != search->meeting->bytes ||
        meeting->n_ranks != search->meeting->n_ranks || meeting->track == G_MAXUINT32 ||
        strcmp (loom_trace_get_sync_event_text (trace, meeting->name), name) != 0)
      continue;
    Durations *durations = group_of (search, index, loom_trace_get_track (trace, meeting->track));
    if (durations == NULL)
      continue;
    durations->bins[bin_of (meeting->end_ns - meeting->start_ns)]++;
    durations->n++;
  }
}

static gboolean
search_trace (Search *search, guint index)
{
  if (search->meeting != NULL) {
    search_meetings (search, index);
    return !g_cancellable_is_cancelled (search->cancellable);
  }
  const LoomTrace *trace = loom_run_get_trace (search->name.run, index);
  g_autofree guint8 *same = loom_same_name_list_ids (&search->name, trace);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    Durations *durations = group_of (search, index, track);
    for (guint k = 0; durations != NULL && k < track->n_rows; k++)
      add_row (durations, loom_trace_get_spans (trace), loom_trace_get_row (trace, track->first_row + k), same);
    if (g_cancellable_is_cancelled (search->cancellable))
      return FALSE;
  }
  return TRUE;
}

static gboolean
measure_name (LoomTimeline *timeline, LoomSpanId span, GCancellable *cancellable, LoomSpanPeers *peers)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  const LoomTrace *trace = loom_run_get_trace (run, span.trace);
  g_autofree guint64 *bins = g_new0 (guint64, 2 * N_BINS);
  Search search = { .name = loom_same_name (timeline, span),
                    .meeting = find_meeting (trace, loom_trace_get_spans (trace)->ref[span.span]),
                    .cancellable = cancellable,
                    .own = { 0, bins },
                    .others = { 0, bins + N_BINS } };
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    if (!search_trace (&search, i))
      return FALSE;
  *peers = (LoomSpanPeers) { .n_own = search.own.n,
                             .n_others = search.others.n,
                             .own_median_ns = median_of (&search.own),
                             .others_median_ns = median_of (&search.others) };
  return TRUE;
}

static gboolean
measure_calls (LoomTimeline *timeline, LoomSteps *steps, const LoomCollectives *collectives, LoomSpanId span,
               GCancellable *cancellable, LoomSpanPeers *peers)
{
  LoomSameCalls calls;
  if (!loom_same_calls_measure (timeline, steps, collectives, span, cancellable, &calls))
    return FALSE;
  *peers = (LoomSpanPeers) { .n_own = calls.n_own,
                             .n_others = calls.n_others,
                             .own_median_ns = calls.own_median_ns,
                             .others_median_ns = calls.others_median_ns,
                             .call = calls.number + 1,
                             .n_calls = calls.n_per_step,
                             .of_stage = calls.of_stage };
  return TRUE;
}

gboolean
loom_span_peers_measure (LoomTimeline *timeline, LoomSteps *steps, const LoomCollectives *collectives, LoomSpanId span,
                         GCancellable *cancellable, LoomSpanPeers *peers)
{
  g_return_val_if_fail (timeline != NULL && !loom_timeline_span_id_is_none (span) && peers != NULL, FALSE);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), span.trace);
  if (loom_trace_span_is_instant (trace, span.span))
    return FALSE;
  if (!measure_calls (timeline, steps, collectives, span, cancellable, peers) &&
      !measure_name (timeline, span, cancellable, peers))
    return FALSE;
  peers->duration_ns = loom_trace_get_spans (trace)->dur_ns[span.span];
  return TRUE;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static char *
dup_ratio (gint64 duration_ns, double median_ns)
{
  double ratio = median_ns > 0 ? (double) duration_ns / median_ns : NAN;
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  if (isnan (ratio))
    return g_strdup ("–");
  g_ascii_formatd (digits, sizeof digits, ratio < 0.095 ? "%.2g" : ratio < 99.95 ? "%.2f" : "%.0f", ratio);
  return g_strdup (loom_locale_number_localize (digits));
}

static char *
describe_own (const LoomSpanPeers *peers)
{
  if (peers->n_own < 2)
    return g_strdup (_ ("the only one on this rank"));
  g_autofree char *ratio = dup_ratio (peers->duration_ns, peers->own_median_ns),
                  *median = loom_time_format_duration ((gint64) llround (peers->own_median_ns));
  if (peers->n_calls > 0)
    /* Translators: compares the duration of a span with the median duration of the same call in other steps; the first
     * %s is a factor, the second a duration: "1.40 × the median of 71.0 µs in other steps" */
    return g_strdup_printf (_ ("%s × the median of %s in other steps"), ratio, median);
  /* Translators: compares the duration of a span with the median of the spans of the same name; the first %s is a
   * factor, the second a duration: "0.99 × the median of 34.7 ms" */
  return g_strdup_printf (_ ("%s × the median of %s"), ratio, median);
}

/* Appends the median of the other ranks to a comparison with the same call. It is on a line of its own, because the card
 * beside the pointer cuts long lines. */
static char *
add_others_of_call (const LoomSpanPeers *peers, const char *own)
{
  g_autofree char *median = loom_time_format_duration ((gint64) llround (peers->others_median_ns));
  g_autofree char *others = g_strdup_printf (
    /* Translators: "Median of other ranks of the pipeline stage: 70.9 µs" */
    peers->of_stage ? _ ("Median of other ranks of the pipeline stage: %s") : _ ("Median of other ranks: %s"), median);
  return g_strdup_printf ("%s\n%s", own, others);
}

char *
loom_span_peers_describe (const LoomSpanPeers *peers)
{
  g_return_val_if_fail (peers != NULL, NULL);
  if (peers->n_own < 2 && peers->n_others == 0)
    return NULL;
  g_autofree char *own = describe_own (peers);
  if (peers->n_others == 0)
    return g_steal_pointer (&own);
  if (peers->n_calls > 0)
    return add_others_of_call (peers, own);
  g_autofree char *others = loom_time_format_duration ((gint64) llround (peers->others_median_ns));
  /* Translators: the first %s compares the duration of a span with the spans of the same name on its rank; the second
   * is a duration: "0.99 × the median of 34.7 ms; median of other ranks: 28.0 ms" */
  return g_strdup_printf (_ ("%s; median of other ranks: %s"), own, others);
}

/* --- comparing in a worker ---------------------------------------------------------------------------------------- */

typedef struct {
  LoomTimeline *timeline;
  LoomSteps *steps;
  LoomCollectives *collectives;
  LoomSpanId span;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  loom_steps_unref (input->steps);
  loom_collectives_unref (input->collectives);
  g_free (input);
}

static LoomSpanPeers *
measure_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  g_autofree LoomSpanPeers *peers = g_new (LoomSpanPeers, 1);
  gboolean known =
    loom_span_peers_measure (input->timeline, input->steps, input->collectives, input->span, cancellable, peers);
  return known ? g_steal_pointer (&peers) : NULL;
}

void
loom_span_peers_measure_async (GCancellable **running, LoomTimeline *timeline, LoomSteps *steps,
                               LoomCollectives *collectives, LoomSpanId span, LoomWorkerDone done, gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) measure_in_thread, (GDestroyNotify) input_free, g_free };
  Input input = { loom_timeline_ref (timeline), steps != NULL ? loom_steps_ref (steps) : NULL,
                  collectives != NULL ? loom_collectives_ref (collectives) : NULL, span };
  loom_worker_start (running, &kind, g_memdup2 (&input, sizeof input), done, owner);
}
