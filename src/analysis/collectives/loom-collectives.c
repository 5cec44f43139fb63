/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-collectives.h"

#include <string.h>

#include "loom-cancellable-lock.h"
#include "loom-collective-matching.h"
#include "loom-collective-runs.h"
#include "loom-parallel.h"
#include "loom-rank-key.h"
#include "loom-statistics.h"
#include "loom-time-bsearch.h"

/* Number of matches processed between two checks of the cancellable. */
#define CANCEL_EVERY 4096

/* --- finding the collectives of a run ----------------------------------------------------------------------------- */

/* Numbers the ranks while collectives are collected. */
struct _LoomCollectivesNumbering {
  GHashTable *numbers; /* LoomRankKey * (owned) → number of the rank, plus 1 */
  /* [trace] the rank for which a number was requested last; a cache, because usually all events of a trace have the
   * same rank. `number`: number of this rank, plus 1; 0: no rank of the trace was numbered yet */
  struct {
    const char *node;
    gint rank;
    guint32 number;
  } * last;
};

static guint32
number_rank (LoomCollectives *self, const LoomCollectiveMatchMember *match)
{
  struct _LoomCollectivesNumbering *numbering = self->numbering;
  const LoomRankKey key = loom_rank_key_of_event (self->timeline, match->rank, match->trace, match->meeting);
  gboolean is_known = numbering->last[match->trace].number > 0 && numbering->last[match->trace].node == key.node &&
                      numbering->last[match->trace].rank == key.rank;
  if (is_known)
    return numbering->last[match->trace].number - 1;
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (numbering->numbers, &key));
  if (number == 0) {
    number = ++self->n_rank_numbers;
    g_hash_table_insert (numbering->numbers, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (number));
  }
  numbering->last[match->trace].node = key.node;
  numbering->last[match->trace].rank = key.rank;
  numbering->last[match->trace].number = number;
  return number - 1;
}

static LoomCollectiveMember
make_member (LoomCollectives *self, const LoomCollectiveMatchMember *match)
{
  const LoomSyncEvent *meeting = match->event;
  const LoomClockMap *map = &loom_alignment_get (loom_timeline_get_alignment (self->timeline), match->clock)->map;
  return (LoomCollectiveMember) { match->rank,
                                  match->trace,
                                  match->meeting,
                                  match->clock,
                                  loom_clock_map_to_timeline (map, meeting->start_ns),
                                  loom_clock_map_to_timeline (map, meeting->end_ns),
                                  0,
                                  number_rank (self, match) };
}

static int
compare_arrivals (gconstpointer x, gconstpointer y)
{
  const LoomCollectiveMember *a = x, *b = y;
  if (a->arrival_ns != b->arrival_ns)
    return a->arrival_ns < b->arrival_ns ? -1 : 1;
  return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static gint64
median_end (const LoomCollectiveMember *members, guint n)
{
  g_autofree gint64 *ends_ns = g_new (gint64, n);
  for (guint i = 0; i < n; i++)
    ends_ns[i] = members[i].end_ns;
  qsort (ends_ns, n, sizeof *ends_ns, loom_statistics_compare_times);
  return n % 2 == 1 ? ends_ns[n / 2] : ends_ns[n / 2 - 1] + loom_time_sub (ends_ns[n / 2], ends_ns[n / 2 - 1]) / 2;
}

static void
add_collective (LoomCollectives *self, const LoomCollectiveMatchMember *like, GArray *found)
{
  LoomCollectiveMember *members = (LoomCollectiveMember *) (gpointer) found->data;
  const LoomSyncEvent *meeting = like->event;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (self->timeline), like->trace);
  if (found->len < 2)
    return;
  qsort (members, found->len, sizeof *members, compare_arrivals);
  LoomCollective collective = { .name = loom_trace_get_sync_event_text (trace, meeting->name),
                                .group = loom_trace_get_sync_event_text (trace, meeting->group),
                                .sequence = meeting->sequence,
                                .first = self->members->len,
                                .n = found->len,
                                .arrival_ns = members[found->len - 1].arrival_ns,
                                .end_ns = median_end (members, found->len) };
  if (members[0].arrival_ns >= self->range.end_ns ||
      MAX (collective.end_ns, collective.arrival_ns) < self->range.begin_ns)
    return;
  collective.transfer_ns = MAX (loom_time_sub (collective.end_ns, collective.arrival_ns), 0);
  collective.late_by_ns = loom_time_sub (collective.arrival_ns, members[found->len - 2].arrival_ns);
  for (guint i = 0; i < found->len; i++)
    members[i].wait_ns = loom_time_sub (collective.arrival_ns, members[i].arrival_ns);
  g_array_append_vals (self->members, members, found->len);
  g_array_append_val (self->collectives, collective);
}

/* One sync event of a match. A match is a set of sync events that loom-collective-matching.h found to be one
 * collective. `run`: number of the run to which the event's clock belongs; `member`: index of the event in the match.
 */
typedef struct {
  guint run, member;
} RunMember;

static int
compare_run_members (gconstpointer x, gconstpointer y)
{
  const RunMember *a = x, *b = y;
  if (a->run != b->run)
    return a->run < b->run ? -1 : 1;
  return a->member < b->member ? -1 : a->member > b->member;
}

static int
compare_numbers (gconstpointer x, gconstpointer y)
{
  const gint *a = x, *b = y;
  return *a < *b ? -1 : *a > *b;
}

/* Returns TRUE if two members have the same rank. Members of unknown rank (−1) are ignored. O(n log n). */
static gboolean
has_rank_twice (const GArray *found)
{
  g_autofree gint *ranks = g_new (gint, MAX (found->len, 1));
  for (guint i = 0; i < found->len; i++)
    ranks[i] = g_array_index (found, LoomCollectiveMember, i).rank;
  qsort (ranks, found->len, sizeof *ranks, compare_numbers);
  for (guint i = 1; i < found->len; i++)
    if (ranks[i] >= 0 && ranks[i] == ranks[i - 1])
      return TRUE;
  return FALSE;
}

/* --- jobs with equal ranks on one clock --------------------------------------------------------------------------- */

static const char *
node_of (const LoomCollectives *self, const LoomCollectiveMember *member)
{
  return loom_rank_key_of_event (self->timeline, member->rank, member->trace, member->meeting).node;
}

static int
compare_nodes (gconstpointer x, gconstpointer y, gpointer user_data)
{
  const LoomCollectiveMember *a = x, *b = y;
  return g_strcmp0 (node_of (user_data, a), node_of (user_data, b));
}

/* Returns TRUE if `part`, the members of a match that are on one node, can be a whole collective. It can if no rank
 * occurs twice, and if the number of members equals the number of ranks that the sync event `like` states. If `like`
 * does not state this number, `part` can have any number of members. */
static gboolean
is_whole (const LoomCollectives *self, const LoomCollectiveMatchMember *like, const GArray *part)
{
  guint n_ranks = like->event->n_ranks;
  return (n_ranks == 0 || n_ranks == part->len) && !has_rank_twice (part);
}

/* Called if a rank occurs twice in `found`, the members of a match that are in one run. This happens if two jobs were
 * merged into one file: the file has one clock, so both jobs count as one run. Therefore the jobs are distinguished by
 * their nodes: for each node, adds a collective that consists of the members on this node. Skips members of jobs that
 * use several nodes, because such members cannot be assigned to a job. */
static void
add_by_node (LoomCollectives *self, const LoomCollectiveMatchMember *like, GArray *found)
{
  g_autoptr (GArray) part = g_array_new (FALSE, FALSE, sizeof (LoomCollectiveMember));
  g_array_sort_with_data (found, compare_nodes, self);
  const LoomCollectiveMember *members = (const LoomCollectiveMember *) (gpointer) found->data;
  for (guint i = 0, end; i < found->len; i = end) {
    g_array_set_size (part, 0);
    for (end = i; end < found->len && compare_nodes (&members[i], &members[end], self) == 0; end++)
      g_array_append_val (part, members[end]);
    if (is_whole (self, like, part))
      add_collective (self, like, part);
  }
}

/* --- collectives of a match --------------------------------------------------------------------------------------- */

/* Adds a collective for each run that has members in a match. */
static void
add_match (LoomCollectives *self, const LoomCollectiveMatchMember *members, guint n, GArray *found)
{
  g_autofree guint *runs = g_new (guint, n);
  g_autofree RunMember *order = g_new (RunMember, n);
  loom_collective_runs_assign (self->timeline, members, n, runs);
  for (guint i = 0; i < n; i++)
    order[i] = (RunMember) { runs[i], i };
  qsort (order, n, sizeof *order, compare_run_members);
  for (guint i = 0, end; i < n; i = end) {
    g_array_set_size (found, 0);
    for (end = i; end < n && order[end].run == order[i].run; end++) {
      LoomCollectiveMember member = make_member (self, &members[order[end].member]);
      g_array_append_val (found, member);
    }
    if (!has_rank_twice (found))
      add_collective (self, &members[order[i].member], found);
    else
      add_by_node (self, &members[order[i].member], found);
  }
}

/* Compares two collectives by the numbers of their ranks. The ranks of each collective are compared in the order in
 * which they arrived. */
static int
compare_ranks (const LoomCollectives *self, const LoomCollective *a, const LoomCollective *b)
{
  const LoomCollectiveMember *x = loom_collectives_get_members (self, a), *y = loom_collectives_get_members (self, b);
  for (guint i = 0; i < MIN (a->n, b->n); i++)
    if (x[i].rank != y[i].rank)
      return x[i].rank < y[i].rank ? -1 : 1;
  return a->n < b->n ? -1 : a->n > b->n;
}

/* Compares two collectives by the arrival of the last rank. Collectives with equal arrival are compared by their ends,
 * then by their ranks, so that their order does not depend on the order of the files. */
static int
compare_collectives (gconstpointer x, gconstpointer y, gpointer self)
{
  const LoomCollective *a = x, *b = y;
  if (a->arrival_ns != b->arrival_ns)
    return a->arrival_ns < b->arrival_ns ? -1 : 1;
  if (a->end_ns != b->end_ns)
    return a->end_ns < b->end_ns ? -1 : 1;
  int by_ranks = compare_ranks (self, a, b);
  return by_ranks != 0 ? by_ranks : a->first < b->first ? -1 : a->first > b->first;
}

/* Matches the sync events of all traces, and fills self->collectives with the collectives in the range. Returns
 * FALSE if cancelled. */
static gboolean
collect (LoomCollectives *self, GCancellable *cancellable)
{
  g_autoptr (LoomCollectiveMatching) matching = loom_collective_matching_new (loom_timeline_get_run (self->timeline));
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LoomCollectiveMember));
  const LoomCollectiveMatchMember *members = (const LoomCollectiveMatchMember *) (gpointer) matching->members->data;
  for (guint i = 0; i < matching->matches->len; i++) {
    const LoomCollectiveMatch *match = &g_array_index (matching->matches, LoomCollectiveMatch, i);
    if (match->n > 1)
      add_match (self, members + match->first, match->n, found);
    if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
  }
  g_array_sort_with_data (self->collectives, compare_collectives, self);
  self->all = (const LoomCollective *) (gpointer) self->collectives->data;
  self->n = self->collectives->len;
  return TRUE;
}

/* --- result that is computed once and shared ---------------------------------------------------------------------- */

/* The results of loom_collectives_share(), one element for each LoomCollectivesResult. Each element has a lock of
 * its own, because the function that computes one result may request another one. */
struct _LoomCollectivesShared {
  struct {
    GMutex lock;
    gpointer result;
    GDestroyNotify destroy;
  } all[LOOM_N_COLLECTIVES_RESULTS];
};

static struct _LoomCollectivesShared *
new_shared (void)
{
  struct _LoomCollectivesShared *shared = g_new0 (struct _LoomCollectivesShared, 1);
  for (guint i = 0; i < LOOM_N_COLLECTIVES_RESULTS; i++)
    g_mutex_init (&shared->all[i].lock);
  return shared;
}

static void
free_shared (struct _LoomCollectivesShared *shared)
{
  for (guint i = 0; i < LOOM_N_COLLECTIVES_RESULTS; i++) {
    if (shared->all[i].result != NULL)
      shared->all[i].destroy (shared->all[i].result);
    g_mutex_clear (&shared->all[i].lock);
  }
  g_free (shared);
}

gconstpointer
loom_collectives_share (const LoomCollectives *collectives, LoomCollectivesResult result, LoomCollectivesMake make,
                        GDestroyNotify destroy, GCancellable *cancellable)
{
  struct _LoomCollectivesShared *shared = collectives->shared;
  /* read the result without the lock, because several threads that draw call this function once per span */
  gconstpointer made = g_atomic_pointer_get (&shared->all[result].result);
  if (made != NULL)
    return made;
  if (!loom_cancellable_lock (&shared->all[result].lock, cancellable))
    return NULL;
  shared->all[result].destroy = destroy;
  if (shared->all[result].result == NULL)
    g_atomic_pointer_set (&shared->all[result].result, make (collectives, cancellable));
  made = shared->all[result].result;
  g_mutex_unlock (&shared->all[result].lock);
  return made;
}

/* --- public functions and their helpers --------------------------------------------------------------------------- */

/* Maps each sync event to its collective, so that the collective of the span under the mouse pointer is found
 * quickly. */
static void
index_meetings (LoomCollectives *self)
{
  LoomRun *run = loom_timeline_get_run (self->timeline);
  guint n_traces = loom_run_get_n_traces (run);
  self->first_place = g_new0 (guint32, n_traces + 1);
  for (guint i = 0; i < n_traces; i++) {
    guint32 n;
    loom_trace_get_meetings (loom_run_get_trace (run, i), &n);
    self->first_place[i + 1] = self->first_place[i] + n;
  }
  self->collective_of = g_new (guint32, MAX (self->first_place[n_traces], 1));
  memset (self->collective_of, 0xff, self->first_place[n_traces] * sizeof *self->collective_of);
  self->member_of = g_new (guint32, MAX (self->first_place[n_traces], 1));
  for (guint i = 0; i < self->collectives->len; i++) {
    const LoomCollective *collective = &g_array_index (self->collectives, LoomCollective, i);
    const LoomCollectiveMember *members = loom_collectives_get_members (self, collective);
    for (guint k = 0; k < collective->n; k++) {
      guint32 place = self->first_place[members[k].trace] + members[k].meeting;
      self->collective_of[place] = i;
      self->member_of[place] = collective->first + k;
    }
  }
}

LoomCollectives *
loom_collectives_new (LoomTimeline *timeline, const LoomRange *range, GCancellable *cancellable)
{
  LoomCollectives *self = g_new0 (LoomCollectives, 1);
  g_atomic_ref_count_init (&self->refs);
  self->timeline = loom_timeline_ref (timeline);
  self->range = range != NULL ? *range : (LoomRange) { G_MININT64, G_MAXINT64 };
  self->shared = new_shared ();
  self->collectives = g_array_new (FALSE, FALSE, sizeof (LoomCollective));
  self->members = g_array_new (FALSE, FALSE, sizeof (LoomCollectiveMember));
  struct _LoomCollectivesNumbering numbering = {
    g_hash_table_new_full (loom_rank_key_hash, loom_rank_key_equal, g_free, NULL), NULL
  };
  numbering.last = g_malloc0_n (loom_run_get_n_traces (loom_timeline_get_run (timeline)) + 1, sizeof *numbering.last);
  self->numbering = &numbering;
  gboolean done = collect (self, cancellable);
  self->numbering = NULL;
  g_hash_table_unref (numbering.numbers);
  g_free (numbering.last);
  if (done)
    index_meetings (self);
  else
    g_clear_pointer (&self, loom_collectives_unref);
  return self;
}

LoomCollectives *
loom_collectives_ref (LoomCollectives *collectives)
{
  g_atomic_ref_count_inc (&collectives->refs);
  return collectives;
}

void
loom_collectives_unref (LoomCollectives *collectives)
{
  if (collectives == NULL || !g_atomic_ref_count_dec (&collectives->refs))
    return;
  free_shared (collectives->shared);
  g_array_unref (collectives->collectives);
  g_array_unref (collectives->members);
  g_free (collectives->first_place);
  g_free (collectives->collective_of);
  g_free (collectives->member_of);
  loom_timeline_unref (collectives->timeline);
  g_free (collectives);
}

const LoomCollectiveMember *
loom_collectives_get_members (const LoomCollectives *collectives, const LoomCollective *collective)
{
  return &g_array_index (collectives->members, LoomCollectiveMember, collective->first);
}

gboolean
loom_collectives_belong_to (const LoomCollectives *collectives, const LoomTimeline *timeline)
{
  return collectives != NULL && timeline != NULL &&
         loom_timeline_get_run (collectives->timeline) == loom_timeline_get_run (timeline);
}

gint64
loom_collectives_sum_waits (const LoomCollectives *collectives)
{
  const LoomRange *range = &collectives->range;
  gint64 waits_ns = 0;
  for (guint i = 0; i < collectives->n; i++) {
    const LoomCollective *collective = &collectives->all[i];
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
    gint64 until_ns = CLAMP (collective->arrival_ns, range->begin_ns, range->end_ns);
    for (guint k = 0; k < collective->n; k++)
      waits_ns = loom_time_add (
        waits_ns, loom_time_sub (until_ns, CLAMP (members[k].arrival_ns, range->begin_ns, range->end_ns)));
  }
  return waits_ns;
}

/* --- spans of a collective's members ------------------------------------------------------------------------------ */

/* `near`: span of the row at which the search begins; set to the first span of the row that does not start earlier than
 * the event. */
static LoomSpanId
find_in_row (const LoomTrace *trace, guint32 number, const LoomRow *row, const LoomSyncEvent *meeting, guint32 *near)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 end = row->first + row->n;
  *near = loom_time_bsearch_near (spans->start_ns, row->first, end, CLAMP (*near, row->first, end), meeting->start_ns);
  for (guint32 i = *near; i < end; i++) {
    if (spans->start_ns[i] != meeting->start_ns)
      break;
    if (spans->ref[i] == meeting->ref)
      return (LoomSpanId) { number, i };
  }
  return LOOM_SPAN_ID_NONE;
}

/* Implements loom_collectives_get_event_span(). `near`: [row] where the search in the row begins, because events are
 * sorted by time, and the next one is usually a few spans after the last one; NULL: in the middle. */
static LoomSpanId
find_event_span (const LoomTrace *trace, guint32 number, guint32 event, guint32 *near)
{
  guint32 n;
  const LoomSyncEvent *meeting = &loom_trace_get_meetings (trace, &n)[event];
  const LoomTrack *track =
    meeting->track < loom_trace_get_n_tracks (trace) ? loom_trace_get_track (trace, meeting->track) : NULL;
  LoomSpanId found = LOOM_SPAN_ID_NONE;
  for (guint32 i = 0; track != NULL && i < track->n_rows && loom_timeline_span_id_is_none (found); i++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + i);
    guint32 middle = row->first + row->n / 2;
    found = find_in_row (trace, number, row, meeting, near != NULL ? &near[track->first_row + i] : &middle);
  }
  return found;
}

LoomSpanId
loom_collectives_get_event_span (const LoomTrace *trace, guint32 number, guint32 event)
{
  return find_event_span (trace, number, event, NULL);
}

LoomSpanId
loom_collectives_get_span (const LoomCollectives *collectives, const LoomCollectiveMember *member)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (collectives->timeline), member->trace);
  return loom_collectives_get_event_span (trace, member->trace, member->meeting);
}

typedef struct {
  const LoomCollectives *collectives;
  guint32 *spans; /* result of loom_collectives_get_spans() */
  GCancellable *cancellable;
} SpanSearch;

static void
find_spans_of_trace (guint number, guint worker, gpointer data)
{
  const SpanSearch *search = data;
  const guint32 *places = search->collectives->first_place;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (search->collectives->timeline), number);
  if (g_cancellable_is_cancelled (search->cancellable))
    return;
  g_autofree guint32 *near = g_new0 (guint32, loom_trace_get_n_rows (trace) + 1);
  for (guint32 i = 0; i < places[number + 1] - places[number]; i++)
    search->spans[places[number] + i] = find_event_span (trace, number, i, near).span;
}

static gpointer
make_spans (const LoomCollectives *collectives, GCancellable *cancellable)
{
  guint n_traces = loom_run_get_n_traces (loom_timeline_get_run (collectives->timeline));
  SpanSearch search = { collectives, g_new (guint32, MAX (collectives->first_place[n_traces], 1)), cancellable };
  loom_parallel_for (n_traces, 0, find_spans_of_trace, &search, NULL);
  if (g_cancellable_is_cancelled (cancellable))
    g_clear_pointer (&search.spans, g_free);
  return search.spans;
}

const guint32 *
loom_collectives_get_spans (const LoomCollectives *collectives, GCancellable *cancellable)
{
  return loom_collectives_share (collectives, LOOM_COLLECTIVES_SPANS, make_spans, g_free, cancellable);
}

static gint64
meeting_start_at (gconstpointer meetings, guint32 at)
{
  return ((const LoomSyncEvent *) meetings)[at].start_ns;
}

guint32
loom_collectives_find_event (const LoomCollectives *collectives, LoomSpanId span)
{
  LoomRun *run = loom_timeline_get_run (collectives->timeline);
  guint32 n;
  if (span.trace >= loom_run_get_n_traces (run))
    return G_MAXUINT32;
  const LoomTrace *trace = loom_run_get_trace (run, span.trace);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  const LoomSyncEvent *meetings = loom_trace_get_meetings (trace, &n);
  if (span.span >= spans->n)
    return G_MAXUINT32;
  for (guint32 i = loom_time_bsearch_by (meeting_start_at, meetings, 0, n, spans->start_ns[span.span]); i < n; i++) {
    if (meetings[i].start_ns != spans->start_ns[span.span])
      break;
    if (meetings[i].ref == spans->ref[span.span])
      return collectives->first_place[span.trace] + i;
  }
  return G_MAXUINT32;
}

guint
loom_collectives_find (const LoomCollectives *collectives, LoomSpanId span)
{
  guint32 place = loom_collectives_find_event (collectives, span);
  return place != G_MAXUINT32 ? collectives->collective_of[place] : G_MAXUINT;
}

const LoomCollectiveMember *
loom_collectives_find_member (const LoomCollectives *collectives, LoomSpanId span, guint *number)
{
  guint32 place = loom_collectives_find_event (collectives, span);
  if (place == G_MAXUINT32 || collectives->collective_of[place] == G_MAXUINT32)
    return NULL;
  *number = collectives->collective_of[place];
  return &g_array_index (collectives->members, LoomCollectiveMember, collectives->member_of[place]);
}
