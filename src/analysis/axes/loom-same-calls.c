/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-same-calls.h. Spans are collected rank by rank, the rank of the given span first: if its steps have
 * different numbers of spans of the name, the other ranks are not searched.
 */
#include "loom-same-calls.h"

#include "loom-launch-walk.h"
#include "loom-merge-sort.h"
#include "loom-parallel-axes.h"
#include "loom-rank-key.h"
#include "loom-same-name.h"
#include "loom-statistics.h"
#include "loom-work-kind.h"

#include <string.h>

#define MOST_CALLS (4u << 20) /* maximum number of spans on one rank; they take 144 MB while they are sorted */
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
} Search;

/* --- steps -------------------------------------------------------------------------------------------------------- */

static int
compare_keys (const LoomRankKey *a, const LoomRankKey *b)
{
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  if (a->trace != b->trace)
    return a->trace < b->trace ? -1 : 1;
  return g_strcmp0 (a->node, b->node);
}

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const Step *x = a, *y = b;
  int keys = compare_keys (&x->rank, &y->rank);
  return keys != 0 ? keys : x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static void
list_ranks (Search *search)
{
  for (guint i = 0; i < search->steps->len; i++) {
    const Step *step = &g_array_index (search->steps, Step, i);
    if (i == 0 || compare_keys (&step->rank, &(step - 1)->rank) != 0) {
      Rank rank = { .key = step->rank, .first = i, .end = i };
      g_array_append_val (search->ranks, rank);
    }
    g_array_index (search->ranks, Rank, search->ranks->len - 1).end++;
  }
}

/* Lists the steps that have the format of those of the ruler, and the same kind of mode. */
static void
list_steps (Search *search, LoomSteps *steps)
{
  const LoomStep *reference = steps->n_reference > 0 ? &steps->reference[0] : NULL;
  for (guint i = 0; reference != NULL && i < steps->n; i++) {
    const LoomStep *step = &steps->all[i];
    Step one = { loom_rank_key (step->node, step->rank, step->span.trace), step->begin_ns, step->end_ns };
    if (strcmp (step->format, reference->format) == 0 &&
        loom_steps_is_training (step) == loom_steps_is_training (reference))
      g_array_append_val (search->steps, one);
  }
  g_array_sort (search->steps, compare_steps);
  list_ranks (search);
}

/* Returns the index of the first rank with the number `number`, or with a greater one. */
static guint
find_number (const Search *search, gint number)
{
  guint low = 0, high = search->ranks->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (search->ranks, Rank, middle).key.rank < number)
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
  for (guint i = find_number (search, key.rank); i < search->ranks->len; i++) {
    const LoomRankKey *other = &g_array_index (search->ranks, Rank, i).key;
    if (other->rank != key.rank)
      break;
    if (other->trace == key.trace && (other->node == NULL || key.node == NULL || strcmp (other->node, key.node) == 0))
      return i;
  }
  return NO_RANK;
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

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const Part *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->trace != y->trace)
    return x->trace < y->trace ? -1 : 1;
  return x->track < y->track ? -1 : x->track > y->track;
}

/* Lists the tracks with comparable spans. If the rank of the given span is unknown, lists only tracks of its own rank;
 * otherwise, only tracks of known ranks. */
static void
list_parts (Search *search)
{
  guint own = find_rank (search, search->name.span.trace, search->name.track);
  for (guint t = 0; own != NO_RANK && t < loom_run_get_n_traces (search->name.run); t++) {
    const LoomTrace *trace = loom_run_get_trace (search->name.run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
      const LoomTrack *track = loom_trace_get_track (trace, i);
      Part part = { NO_RANK, t, i };
      if (loom_same_name_is_comparable (&search->name, track))
        part.rank = find_rank (search, t, track);
      if (part.rank == own || (part.rank != NO_RANK && track->rank >= 0 && search->name.track->rank >= 0))
        g_array_append_val (search->parts, part);
    }
  }
}

/* Sorts the parts by rank, so that the parts of each rank are a range. */
static void
sort_parts (Search *search)
{
  g_array_sort (search->parts, compare_parts);
  for (guint i = 0; i < search->parts->len; i++) {
    Rank *rank = &g_array_index (search->ranks, Rank, g_array_index (search->parts, Part, i).rank);
    if (rank->end_part == 0)
      rank->first_part = i;
    rank->end_part = i + 1;
  }
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

/* Returns the span whose start determines the step of a span: the launch of a kernel or copy, or a span on a host
 * itself. G_MAXUINT32: the launch is unknown. */
static guint32
find_call (Search *search, const LoomTrack *track, guint32 span)
{
  guint32 name = loom_trace_get_spans (search->trace)->name_id[span];
  if (!loom_trace_track_is_device (track) && search->kinds[name] >= LOOM_WORK_KIND_DEVICE_OTHER)
    return span;
  if (search->walk.rows == NULL)
    loom_launch_walk_init (&search->walk, search->trace);
  return loom_launch_walk_find (&search->walk, span);
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
  if (own == NO_RANK || !compare_own (search, own, calls))
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
  list_steps (&search, loom_steps_get_whole (steps));
  list_parts (&search);
  sort_parts (&search);
  gboolean known = compare (&search, collectives, calls);
  clear (&search);
  return known;
}
