/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-same-calls.h. Spans are collected rank by rank, the rank of the given span first: if its steps have
 * different numbers of spans of the name, the other ranks are not searched.
 */
#include "loom-same-calls.h"

#include "loom-launch-ids.h"
#include "loom-launch-walk.h"
#include "loom-merge-sort.h"
#include "loom-parallel-axes.h"
#include "loom-rank-key.h"
#include "loom-same-name.h"
#include "loom-statistics.h"
#include "loom-work-kind.h"

#include <string.h>

#define MOST_CALLS (4u << 20) /* maximum number of spans on one rank; they take 144 MB while they are sorted */
#define MOST_READ (1u << 18)  /* maximum number of events whose args are read from the files; that takes 0.3 s */
#define LEAST_STEPS 3         /* minimum number of steps with equally many spans of the name */
#define NO_RANK G_MAXUINT

typedef struct {
  LoomRankKey rank;
  gint64 begin_ns, end_ns; /* on the timeline */
} Step;

typedef struct {
  LoomRankKey key;
  guint first, end;           /* its steps: range of indices in Search.steps */
  guint first_part, end_part; /* its tracks with comparable spans: range of indices in Search.parts */
} Rank;

/* A track with comparable spans. */
typedef struct {
  guint rank; /* index in Search.ranks */
  guint trace, track;
} Part;

/* A span of the name. */
typedef struct {
  gint64 time_ns; /* start of the launch, or of a span on a host, on the timeline */
  guint32 step;   /* index in Search.steps */
  LoomSpanId span;
} Call;

typedef struct {
  LoomTimeline *timeline;
  GCancellable *cancellable;
  LoomSameName name;
  GArray *steps;          /* Step, sorted by rank, then by begin */
  GArray *ranks;          /* Rank */
  GArray *parts;          /* Part, sorted by rank */
  GArray *calls;          /* Call: those of the rank that was collected last, sorted by step, then by time */
  const LoomTrace *trace; /* the trace to which the members below belong; NULL: they are not initialised */
  guint8 *same;           /* [name id] TRUE if it is the name of the given span */
  const guint8 *kinds;    /* [name id] LoomWorkKind on tracks of hosts */
  /* initialised by the first search for a launch, because that may read the launches from the file; otherwise walk.rows
   * is NULL */
  LoomLaunchWalk walk;
  gboolean uses_ids; /* TRUE: launches are also found by correlation ids (loom-launch-ids.h), not only by arrows */
} Search;

/* --- steps -------------------------------------------------------------------------------------------------------- */

static void
list_ranks (Search *search)
{
  for (guint i = 0; i < search->steps->len; i++) {
    const Step *step = &g_array_index (search->steps, Step, i);
    if (i == 0 || !loom_rank_key_equal (&step->rank, &(step - 1)->rank)) {
      Rank rank = { .key = step->rank, .first = i, .end = i };
      g_array_append_val (search->ranks, rank);
    }
    g_array_index (search->ranks, Rank, search->ranks->len - 1).end++;
  }
}

/* Returns TRUE if the step may be of a rank whose spans are compared with the given span: any known rank or, if the
 * rank of the given span is unknown, only ranks of its trace. */
static gboolean
is_of_ranks (const Search *search, const LoomStep *step)
{
  if (search->name.track->rank >= 0)
    return step->rank >= 0;
  return step->rank < 0 && step->span.trace == search->name.span.trace;
}

/* Lists the steps that have the format of those of the ruler, and the same kind of mode. Returns FALSE if cancelled. */
static gboolean
list_steps (Search *search, const LoomSteps *steps)
{
  guint n;
  const LoomStep *all = loom_steps_get_by_rank (steps, &n);
  const LoomStep *reference = steps->n_reference > 0 ? &steps->reference[0] : NULL;
  for (guint i = 0; reference != NULL && i < n && !g_cancellable_is_cancelled (search->cancellable); i++) {
    const LoomStep *step = &all[i];
    Step one = { loom_rank_key (step->node, step->rank, step->span.trace), step->begin_ns, step->end_ns };
    if (is_of_ranks (search, step) && strcmp (step->format, reference->format) == 0 &&
        loom_steps_is_training (step) == loom_steps_is_training (reference))
      g_array_append_val (search->steps, one);
  }
  list_ranks (search);
  return !g_cancellable_is_cancelled (search->cancellable);
}

static const LoomRankKey *
get_key (const Search *search, guint rank)
{
  return rank < search->ranks->len ? &g_array_index (search->ranks, Rank, rank).key : NULL;
}

/* Returns the index of the first rank with this number and node, or of the first one after them. An unknown node is
 * before all others. */
static guint
find_first (const Search *search, gint number, const char *node)
{
  guint low = 0, high = search->ranks->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    const LoomRankKey *key = &g_array_index (search->ranks, Rank, middle).key;
    if (key->rank < number || (key->rank == number && g_strcmp0 (key->node, node) < 0))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns the rank (index in search->ranks) to which a track belongs; NO_RANK if this rank has no steps. An unknown
 * node, of the track or of the steps, matches every node. */
static guint
find_rank (const Search *search, guint trace, const LoomTrack *track)
{
  LoomRankKey key = loom_rank_key (track->node, track->rank, trace);
  const LoomRankKey *first = get_key (search, find_first (search, key.rank, NULL));
  guint at = find_first (search, key.rank, first != NULL && first->node != NULL ? key.node : NULL);
  const LoomRankKey *found = get_key (search, at);
  gboolean same = found != NULL && found->rank == key.rank && found->trace == key.trace &&
                  (found->node == NULL || key.node == NULL || strcmp (found->node, key.node) == 0);
  return same ? at : NO_RANK;
}

/* Returns the step (index in search->steps) of a rank that contains the time; G_MAXUINT32: there is none. */
static guint32
find_step (const Search *search, const Rank *rank, gint64 time_ns)
{
  guint low = rank->first, high = rank->end;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (search->steps, Step, middle).begin_ns <= time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  const Step *step = low > rank->first ? &g_array_index (search->steps, Step, low - 1) : NULL;
  return step != NULL && (time_ns < step->end_ns || time_ns == step->begin_ns) ? low - 1 : G_MAXUINT32;
}

/* --- tracks ------------------------------------------------------------------------------------------------------- */

/* Adds the tracks of a trace with comparable spans. Consecutive tracks are often of the same rank, which is then
 * searched once. */
static void
add_parts (Search *search, guint own, guint trace)
{
  const LoomTrace *all = loom_run_get_trace (search->name.run, trace);
  const LoomTrack *before = NULL;
  Part part = { NO_RANK, trace, 0 };
  for (; part.track < loom_trace_get_n_tracks (all); part.track++) {
    const LoomTrack *track = loom_trace_get_track (all, part.track);
    if (!loom_same_name_is_comparable (&search->name, track))
      continue;
    if (before == NULL || track->rank != before->rank || track->node != before->node)
      part.rank = find_rank (search, trace, track);
    if (part.rank == own || (part.rank != NO_RANK && search->name.track->rank >= 0))
      g_array_append_val (search->parts, part);
    before = track;
  }
}

/* The sort is stable, so the tracks of a rank keep their order. */
#define IS_LOWER(a, b) ((a)->rank < (b)->rank)
LOOM_DEFINE_SORT (sort_by_rank, Part, IS_LOWER)

/* Sorts the parts by rank, so that the parts of each rank are a range. */
static void
sort_parts (Search *search)
{
  sort_by_rank ((Part *) (gpointer) search->parts->data, search->parts->len);
  for (guint i = 0; i < search->parts->len; i++) {
    Rank *rank = &g_array_index (search->ranks, Rank, g_array_index (search->parts, Part, i).rank);
    if (rank->end_part == 0)
      rank->first_part = i;
    rank->end_part = i + 1;
  }
}

/* Lists the tracks with comparable spans. If the rank of the given span is unknown, lists only tracks of its own rank,
 * which are in its trace; otherwise, only tracks of known ranks. `own`: the rank of the given span. Returns FALSE if
 * cancelled. */
static gboolean
list_parts (Search *search, guint own)
{
  gboolean only_own = search->name.track->rank < 0;
  guint first = only_own ? search->name.span.trace : 0,
        end = only_own ? first + 1 : loom_run_get_n_traces (search->name.run);
  for (guint t = first; t < end; t++) {
    if (g_cancellable_is_cancelled (search->cancellable))
      return FALSE;
    add_parts (search, own, t);
  }
  sort_parts (search);
  return TRUE;
}

/* --- spans of a rank ---------------------------------------------------------------------------------------------- */

static void
leave_trace (Search *search)
{
  if (search->trace == NULL)
    return;
  loom_launch_walk_clear (&search->walk);
  g_clear_pointer (&search->same, g_free);
  search->trace = NULL;
}

static void
use_trace (Search *search, const LoomTrace *trace)
{
  if (search->trace == trace)
    return;
  leave_trace (search);
  search->trace = trace;
  search->same = loom_same_name_list_ids (&search->name, trace);
  search->kinds = loom_work_kind_of_names (trace, FALSE);
}

static gboolean
has_launch (const Search *search, const LoomTrack *track, guint32 span)
{
  guint32 name = loom_trace_get_spans (search->trace)->name_id[span];
  return loom_trace_track_is_device (track) || search->kinds[name] < LOOM_WORK_KIND_DEVICE_OTHER;
}

/* Returns the span whose start determines the step of a span: the launch of a kernel or copy, or a span on a host
 * itself. G_MAXUINT32: the launch is unknown. */
static guint32
find_call (Search *search, const LoomTrack *track, guint32 span)
{
  if (!has_launch (search, track, span))
    return span;
  if (search->walk.rows == NULL && search->uses_ids)
    loom_launch_walk_init (&search->walk, search->trace);
  else if (search->walk.rows == NULL)
    loom_launch_walk_init_arrows (&search->walk, search->trace);
  return loom_launch_walk_find (&search->walk, span);
}

/* Returns FALSE if the launches of too many kernels must be read from the files to compare the given span, or if
 * cancelled. Then nothing is read. */
static gboolean
prepare_launches (Search *search)
{
  guint64 n = 0;
  guint last = G_MAXUINT;
  use_trace (search, loom_run_get_trace (search->name.run, search->name.span.trace));
  search->uses_ids = has_launch (search, search->name.track, search->name.span.span);
  for (guint i = 0; search->uses_ids && i < search->parts->len; i++) {
    guint trace = g_array_index (search->parts, Part, i).trace;
    if (trace != last)
      n += loom_launch_ids_count_unread (loom_run_get_trace (search->name.run, trace));
    if (n > MOST_READ || g_cancellable_is_cancelled (search->cancellable))
      return FALSE;
    last = trace;
  }
  return TRUE;
}

static void
add_span (Search *search, const Part *part, const LoomTrack *track, guint32 span)
{
  guint32 caller = find_call (search, track, span);
  gint64 end_ns;
  Call call = { .span = { part->trace, span } };
  if (caller == G_MAXUINT32)
    return;
  loom_timeline_get_span (search->timeline, (LoomSpanId) { part->trace, caller }, &call.time_ns, &end_ns);
  call.step = find_step (search, &g_array_index (search->ranks, Rank, part->rank), call.time_ns);
  if (call.step != G_MAXUINT32)
    g_array_append_val (search->calls, call);
}

static void
add_part (Search *search, const Part *part)
{
  const LoomTrace *trace = loom_run_get_trace (search->name.run, part->trace);
  const LoomTrack *track = loom_trace_get_track (trace, part->track);
  const guint32 *name_id = loom_trace_get_spans (trace)->name_id;
  use_trace (search, trace);
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + k);
    for (guint32 i = row->first; i < row->first + row->n; i++) {
      if (!search->same[name_id[i]])
        continue;
      if (search->calls->len > MOST_CALLS || g_cancellable_is_cancelled (search->cancellable))
        return;
      add_span (search, part, track, i);
    }
  }
}

/* The sort is stable, so kernels of one launch keep the order of their tracks, and of their starts on one track. */
#define IS_BEFORE(a, b) ((a)->step != (b)->step ? (a)->step < (b)->step : (a)->time_ns < (b)->time_ns)
LOOM_DEFINE_SORT (sort_calls, Call, IS_BEFORE)

/* Collects the spans of a rank in search->calls. Returns FALSE if cancelled, or if there are too many. */
static gboolean
collect (Search *search, guint rank)
{
  const Rank *own = &g_array_index (search->ranks, Rank, rank);
  g_array_set_size (search->calls, 0);
  for (guint i = own->first_part; i < own->end_part; i++) {
    add_part (search, &g_array_index (search->parts, Part, i));
    if (search->calls->len > MOST_CALLS || g_cancellable_is_cancelled (search->cancellable))
      return FALSE;
  }
  sort_calls ((Call *) (gpointer) search->calls->data, search->calls->len);
  return TRUE;
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

/* Returns the index in search->calls after the last span in the same step as the span `first`. */
static guint
find_end (const Search *search, guint first)
{
  const Call *calls = (const Call *) (gpointer) search->calls->data;
  guint end = first;
  while (end < search->calls->len && calls[end].step == calls[first].step)
    end++;
  return end;
}

/* Sets the call number of the given span and the number of spans in its step. Returns FALSE if the span was not
 * collected. */
static gboolean
find_number_of_call (const Search *search, LoomSameCalls *calls)
{
  const Call *all = (const Call *) (gpointer) search->calls->data;
  for (guint first = 0, end; first < search->calls->len; first = end) {
    end = find_end (search, first);
    for (guint i = first; i < end; i++)
      if (loom_timeline_span_id_equal (all[i].span, search->name.span)) {
        calls->number = i - first;
        calls->n_per_step = end - first;
        return TRUE;
      }
  }
  return FALSE;
}

/* Appends the duration of the same call (double, in ns) in each of the collected steps that have equally many spans of
 * the name, except that of the given span itself. */
static void
add_durations (const Search *search, const LoomSameCalls *calls, GArray *durations)
{
  for (guint first = 0, end; first < search->calls->len; first = end) {
    end = find_end (search, first);
    if (end - first != calls->n_per_step)
      continue;
    LoomSpanId id = g_array_index (search->calls, Call, first + calls->number).span;
    double duration_ns = loom_trace_get_spans (loom_run_get_trace (search->name.run, id.trace))->dur_ns[id.span];
    if (!loom_timeline_span_id_equal (id, search->name.span))
      g_array_append_val (durations, duration_ns);
  }
}

static double
get_median (GArray *durations)
{
  return loom_statistics_median ((double *) (gpointer) durations->data, durations->len);
}

static gboolean
compare_own (Search *search, guint rank, LoomSameCalls *calls)
{
  g_autoptr (GArray) durations = g_array_new (FALSE, FALSE, sizeof (double));
  const Rank *own = &g_array_index (search->ranks, Rank, rank);
  if (!collect (search, rank) || !find_number_of_call (search, calls))
    return FALSE;
  add_durations (search, calls, durations);
  guint n_steps = durations->len + 1;
  if (n_steps < LEAST_STEPS || 2 * n_steps < own->end - own->first)
    return FALSE;
  calls->n_own = durations->len;
  calls->own_median_ns = get_median (durations);
  return TRUE;
}

/* Returns the stage of a rank in its pipeline, from 0; −1 if it is in none. */
static gint
get_stage (const LoomParallelAxes *axes, const Rank *rank)
{
  const LoomParallelRank *known = axes != NULL ? loom_parallel_axes_find (axes, rank->key.rank) : NULL;
  return known != NULL ? known->coordinates[LOOM_PARALLEL_AXIS_PIPELINE] : -1;
}

static gboolean
compare_others (Search *search, guint own, const LoomParallelAxes *axes, LoomSameCalls *calls)
{
  g_autoptr (GArray) durations = g_array_new (FALSE, FALSE, sizeof (double));
  const Rank *ranks = (const Rank *) (gpointer) search->ranks->data;
  gint stage = get_stage (axes, &ranks[own]);
  calls->of_stage = stage >= 0;
  for (guint i = 0; i < search->ranks->len; i++) {
    if (i == own || get_stage (axes, &ranks[i]) != stage)
      continue;
    if (!collect (search, i))
      return FALSE;
    add_durations (search, calls, durations);
  }
  calls->n_others = durations->len;
  calls->others_median_ns = get_median (durations);
  return TRUE;
}

static gboolean
compare (Search *search, const LoomCollectives *collectives, LoomSameCalls *calls)
{
  guint own = find_rank (search, search->name.span.trace, search->name.track);
  if (own == NO_RANK || !list_parts (search, own) || !prepare_launches (search) || !compare_own (search, own, calls))
    return FALSE;
  const LoomParallelAxes *axes = collectives != NULL ? loom_parallel_axes_get (collectives, search->cancellable) : NULL;
  return compare_others (search, own, axes, calls);
}

static void
clear (Search *search)
{
  leave_trace (search);
  g_array_unref (search->steps);
  g_array_unref (search->ranks);
  g_array_unref (search->parts);
  g_array_unref (search->calls);
}

gboolean
loom_same_calls_measure (LoomTimeline *timeline, LoomSteps *steps, const LoomCollectives *collectives, LoomSpanId span,
                         GCancellable *cancellable, LoomSameCalls *calls)
{
  g_return_val_if_fail (timeline != NULL && calls != NULL, FALSE);
  if (steps == NULL)
    return FALSE;
  Search search = { .timeline = timeline,
                    .cancellable = cancellable,
                    .name = loom_same_name (timeline, span),
                    .steps = g_array_new (FALSE, FALSE, sizeof (Step)),
                    .ranks = g_array_new (FALSE, TRUE, sizeof (Rank)),
                    .parts = g_array_new (FALSE, FALSE, sizeof (Part)),
                    .calls = g_array_new (FALSE, FALSE, sizeof (Call)) };
  gboolean known = list_steps (&search, loom_steps_get_whole (steps)) && compare (&search, collectives, calls);
  clear (&search);
  return known;
}
