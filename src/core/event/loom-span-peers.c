/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-span-peers.h. Medians of durations are computed from histograms, because a run may have 70 million
 * spans of one name. Each duration below 2048 ns has a bin of its own; for longer durations, there are 1024 bins per
 * power of two.
 */
#include "loom-span-peers.h"

#include "loom-locale-number.h"

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
  LoomRun *run;
  const char *name;
  const LoomTrack *track; /* track of the selected span, that is, of the span that is compared with other spans */
  guint trace;
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

/* Returns an array with one element for each name id of the trace: TRUE if the name is equal to `text`. Owned by the
 * caller. */
static guint8 *
list_names (const LoomTrace *trace, const char *text)
{
  guint n = loom_trace_get_n_names (trace);
  guint8 *same = g_new0 (guint8, n + 1);
  for (guint i = 0; i < n; i++)
    same[i] = strcmp (loom_trace_get_name (trace, i)->text, text) == 0;
  return same;
}

static void
add_row (Durations *durations, const LoomSpans *spans, const LoomRow *row, const guint8 *same)
{
  for (guint32 i = row->first; i < row->first + row->n; i++)
    if (same[spans->name_id[i]]) {
      durations->bins[bin_of (spans->dur_ns[i])]++;
      durations->n++;
    }
}

static gboolean
is_comparable (const Search *search, const LoomTrack *track)
{
  return track->kind == search->track->kind &&
         ((track->flags ^ search->track->flags) & (LOOM_TRACK_DEVICE | LOOM_TRACK_DERIVED)) == 0;
}

/* Returns the histogram in which the spans of `track` are counted: `own` if `track` has the rank of the selected span;
 * `others` if it has another rank. If the ranks of `track` and of the selected span are unknown, and both tracks are in
 * the same trace, returns `own`. In all other cases, returns NULL, and the spans of `track` are not counted. */
static Durations *
group_of (Search *search, guint trace, const LoomTrack *track)
{
  if (search->track->rank < 0 || track->rank < 0)
    return trace == search->trace && search->track->rank == track->rank ? &search->own : NULL;
  return track->rank == search->track->rank ? &search->own : &search->others;
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
  const LoomTrace *trace = loom_run_get_trace (search->run, index),
                  *of_span = loom_run_get_trace (search->run, search->trace);
  const char *name = loom_trace_get_sync_event_text (of_span, search->meeting->name);
  guint32 n;
  const LoomSyncEvent *meetings = loom_trace_get_meetings (trace, &n);
  for (guint32 i = 0; i < n; i++) {
    const LoomSyncEvent *meeting = &meetings[i];
    if (meeting->kind != search->meeting->kind || meeting->bytes != search->meeting->bytes ||
        meeting->n_ranks != search->meeting->n_ranks || meeting->track == G_MAXUINT32 ||
        strcmp (loom_trace_get_sync_event_text (trace, meeting->name), name) != 0)
      continue;
    const LoomTrack *track = loom_trace_get_track (trace, meeting->track);
    Durations *durations = is_comparable (search, track) ? group_of (search, index, track) : NULL;
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
  const LoomTrace *trace = loom_run_get_trace (search->run, index);
  g_autofree guint8 *same = list_names (trace, search->name);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    Durations *durations = is_comparable (search, track) ? group_of (search, index, track) : NULL;
    for (guint k = 0; durations != NULL && k < track->n_rows; k++)
      add_row (durations, loom_trace_get_spans (trace), loom_trace_get_row (trace, track->first_row + k), same);
    if (g_cancellable_is_cancelled (search->cancellable))
      return FALSE;
  }
  return TRUE;
}

gboolean
loom_span_peers_measure (LoomTimeline *timeline, LoomSpanId span, GCancellable *cancellable, LoomSpanPeers *peers)
{
  g_return_val_if_fail (timeline != NULL && !loom_timeline_span_id_is_none (span) && peers != NULL, FALSE);
  LoomRun *run = loom_timeline_get_run (timeline);
  const LoomTrace *trace = loom_run_get_trace (run, span.trace);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 track, row;
  if (loom_trace_span_is_instant (trace, span.span))
    return FALSE;
  loom_trace_locate_span (trace, span.span, &track, &row);
  g_autofree guint64 *bins = g_new0 (guint64, 2 * N_BINS);
  Search search = { .run = run,
                    .name = loom_trace_get_name (trace, spans->name_id[span.span])->text,
                    .track = loom_trace_get_track (trace, track),
                    .trace = span.trace,
                    .meeting = find_meeting (trace, spans->ref[span.span]),
                    .cancellable = cancellable,
                    .own = { 0, bins },
                    .others = { 0, bins + N_BINS } };
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    if (!search_trace (&search, i))
      return FALSE;
  *peers = (LoomSpanPeers) { spans->dur_ns[span.span], search.own.n, search.others.n, median_of (&search.own),
                             median_of (&search.others) };
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
  /* Translators: compares the duration of a span with the median of the spans of the same name; the first %s is a
   * factor, the second a duration: "0.99 × the median of 34.7 ms" */
  return g_strdup_printf (_ ("%s × the median of %s"), ratio, median);
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
  g_autofree char *others = loom_time_format_duration ((gint64) llround (peers->others_median_ns));
  /* Translators: the first %s compares the duration of a span with the spans of the same name on its rank; the second
   * is a duration: "0.99 × the median of 34.7 ms; median of other ranks: 28.0 ms" */
  return g_strdup_printf (_ ("%s; median of other ranks: %s"), own, others);
}

/* --- comparing in a worker ---------------------------------------------------------------------------------------- */

typedef struct {
  LoomTimeline *timeline;
  LoomSpanId span;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  g_free (input);
}

static char *
describe_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  LoomSpanPeers peers;
  return loom_span_peers_measure (input->timeline, input->span, cancellable, &peers) ? loom_span_peers_describe (&peers)
                                                                                     : NULL;
}

void
loom_span_peers_describe_async (GCancellable **running, LoomTimeline *timeline, LoomSpanId span, LoomWorkerDone done,
                                gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) describe_in_thread, (GDestroyNotify) input_free, g_free };
  loom_worker_start (running, &kind, LOOM_WORKER_INPUT (Input, loom_timeline_ref (timeline), span), done, owner);
}
