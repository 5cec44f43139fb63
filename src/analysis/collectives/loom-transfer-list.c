/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-transfer-list.h"

#include <stdlib.h>
#include <string.h>

#include "loom-collective-runs.h"
#include "loom-int64-hash.h"
#include "loom-string-pool.h"
#include "loom-transfers.h"

#define CANCEL_EVERY 4096

/* --- members of a transfer: ranks and nodes ----------------------------------------------------------------------- */

typedef struct {
  gint rank;
  const char *node;
} Member;

static int
compare_members (gconstpointer a, gconstpointer b)
{
  const Member *x = a, *y = b;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static const LoomSyncEvent *
get_event (const LoomTransferList *list, guint32 trace, guint32 meeting)
{
  guint32 n;
  return &loom_trace_get_meetings (loom_run_get_trace (loom_timeline_get_run (list->timeline), trace), &n)[meeting];
}

/* Returns the number of bytes that a sync event states; 0 if the event states no size. */
static gint64
get_bytes (const LoomTransferList *list, guint32 trace, guint32 meeting)
{
  return get_event (list, trace, meeting)->bytes;
}

static const char *
get_node (const LoomTransferList *list, guint32 trace, guint32 meeting)
{
  const LoomTrace *own = loom_run_get_trace (loom_timeline_get_run (list->timeline), trace);
  guint32 track = get_event (list, trace, meeting)->track;
  return track < loom_trace_get_n_tracks (own) ? loom_trace_get_track (own, track)->node : NULL;
}

/* Returns whether the `n` members are on one node, each on a different node, or neither of these
 * (LOOM_TRANSFER_PLACE_MIXED). Returns LOOM_TRANSFER_PLACE_UNKNOWN if the node of a member is unknown. n ≥ 2. O(n), but
 * O(n²) if all nodes differ. */
static LoomTransferPlace
find_place (const Member *members, guint n)
{
  guint n_others = 0, n_equal = 0;
  for (guint i = 0; i < n; i++) {
    if (members[i].node == NULL)
      return LOOM_TRANSFER_PLACE_UNKNOWN;
    n_others += strcmp (members[i].node, members[0].node) != 0;
    for (guint k = 0; k < i && n_equal == 0; k++)
      n_equal += strcmp (members[i].node, members[k].node) == 0;
  }
  return n_others == 0  ? LOOM_TRANSFER_PLACE_NODE
         : n_equal == 0 ? LOOM_TRANSFER_PLACE_NETWORK
                        : LOOM_TRANSFER_PLACE_MIXED;
}

static void
set_members (LoomTransferList *list, LoomTransfer *transfer, const Member *members, guint n)
{
  transfer->first_rank = list->ranks->len;
  transfer->n_ranks = n;
  transfer->place = find_place (members, n);
  for (guint i = 0; i < n; i++)
    g_array_append_val (list->ranks, members[i].rank);
}

/* --- transfers from collectives ----------------------------------------------------------------------------------- */

static void
add_collective (LoomTransferList *list, const LoomCollectives *collectives, const LoomCollective *collective,
                GArray *scratch)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
  LoomTransfer transfer = { .name = collective->name,
                            .trace = members[0].trace,
                            .meeting = members[0].meeting,
                            .transfer_ns = collective->transfer_ns,
                            .bytes = get_bytes (list, members[0].trace, members[0].meeting),
                            .other_trace = G_MAXUINT32,
                            .other_meeting = G_MAXUINT32,
                            .range = { collective->arrival_ns, MAX (collective->end_ns, collective->arrival_ns) } };
  g_array_set_size (scratch, collective->n);
  Member *own = (Member *) (gpointer) scratch->data;
  for (guint i = 0; i < collective->n; i++)
    own[i] = (Member) { members[i].rank, get_node (list, members[i].trace, members[i].meeting) };
  qsort (own, collective->n, sizeof *own, compare_members);
  set_members (list, &transfer, own, collective->n);
  g_array_append_val (list->transfers, transfer);
}

/* --- transfers from messages -------------------------------------------------------------------------------------- */

/* A send or a receive, which is one side of a message, on the timeline. */
typedef struct {
  guint64 key; /* equal for both sides of the message */
  guint32 trace, meeting, kind;
  guint clock;      /* index of the clock in the run */
  guint run;        /* loom_collective_runs_of_clock() */
  const char *node; /* NULL: unknown; borrowed from the run */
  gint rank;
  gint64 begin_ns, end_ns;
} Side;

static int
compare_sides (gconstpointer a, gconstpointer b)
{
  const Side *x = a, *y = b;
  gint nodes = g_strcmp0 (x->node, y->node);
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  if (x->run != y->run)
    return x->run < y->run ? -1 : 1;
  return nodes != 0 ? nodes : x->kind < y->kind ? -1 : x->kind > y->kind;
}

static guint64
hash_text (const LoomTrace *trace, guint32 text)
{
  const char *letters = loom_trace_get_sync_event_text (trace, text);
  return loom_string_pool_hash (letters, strlen (letters));
}

/* Returns a key that is equal for both sides of a message: a hash of the group, the two ranks, the sequence number and
 * a counter. The counter distinguishes messages of one node for which the other four values are equal. Messages of two
 * jobs may have equal keys. */
static guint64
make_key (const LoomTrace *trace, const LoomSyncEvent *event, GHashTable *occurrences)
{
  guint64 key = loom_string_pool_hash_join (hash_text (trace, event->group), hash_text (trace, event->name));
  key = loom_string_pool_hash_join (key, (guint64) event->sequence);
  const char *node = loom_trace_get_track (trace, event->track)->node;
  guint64 side = loom_string_pool_hash_join (key, event->kind);
  side = loom_string_pool_hash_join (side, node != NULL ? loom_string_pool_hash (node, strlen (node)) : 0);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (occurrences, &side));
  g_hash_table_insert (occurrences, g_memdup2 (&side, sizeof side), GUINT_TO_POINTER (n + 1));
  return loom_string_pool_hash_join (key, n);
}

static void
add_sides (GArray *sides, LoomTimeline *timeline, guint number)
{
  guint32 n;
  LoomRun *run = loom_timeline_get_run (timeline);
  const LoomTrace *trace = loom_run_get_trace (run, number);
  const LoomSyncEvent *events = loom_trace_get_meetings (trace, &n);
  g_autoptr (GHashTable) occurrences = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  for (guint32 i = 0; i < n; i++) {
    const LoomSyncEvent *event = &events[i];
    if ((event->kind != LOOM_SYNC_EVENT_SEND && event->kind != LOOM_SYNC_EVENT_RECEIVE) ||
        event->track >= loom_trace_get_n_tracks (trace))
      continue;
    guint clock = loom_run_get_first_clock (run, number) +
                  loom_trace_get_source (trace, loom_source_ref_source (event->ref))->clock;
    const LoomTrack *track = loom_trace_get_track (trace, event->track);
    const LoomClockMap *map = &loom_alignment_get (loom_timeline_get_alignment (timeline), clock)->map;
    Side side = { make_key (trace, event, occurrences),
                  number,
                  i,
                  event->kind,
                  clock,
                  loom_collective_runs_of_clock (timeline, clock),
                  track->node,
                  track->rank,
                  loom_clock_map_to_timeline (map, event->start_ns),
                  loom_clock_map_to_timeline (map, event->end_ns) };
    g_array_append_val (sides, side);
  }
}

/* Returns TRUE if the times of the two sides of a message can be subtracted. Returns FALSE if both sides are in one
 * merged file: the file has one clock, but does not state whether the clocks of the two ranks were aligned. */
static gboolean
find_whether_aligned (const LoomTransferList *list, const Side *sent, const Side *received)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (list->timeline), sent->trace);
  LoomRef ref = get_event (list, sent->trace, sent->meeting)->ref;
  if (sent->clock == received->clock && loom_trace_get_source (trace, loom_source_ref_source (ref))->is_merged)
    return FALSE;
  return loom_collective_runs_are_aligned (list->timeline, sent->clock, received->clock);
}

/* Returns the range of a message: from the later start of its two sides to the mean of their ends. If the clocks of the
 * two sides are not aligned, returns the range of the shorter side: both sides end at the same time, so the shorter
 * side started later. */
static LoomRange
get_message_range (const Side *sent, const Side *received, gboolean are_aligned)
{
  if (!are_aligned) {
    gboolean later = sent->end_ns - sent->begin_ns < received->end_ns - received->begin_ns;
    return later ? (LoomRange) { sent->begin_ns, sent->end_ns } : (LoomRange) { received->begin_ns, received->end_ns };
  }
  return (LoomRange) { MAX (sent->begin_ns, received->begin_ns),
                       loom_time_add (sent->end_ns, loom_time_sub (received->end_ns, sent->end_ns) / 2) };
}

/* Sets which side of a message waits, and for how long. The side that begins first waits until the other side begins,
 * but at most until its own end, because a send may end before the receive begins. If the clocks are not aligned, the
 * longer side waits for the difference of the durations. */
static void
set_wait (LoomTransfer *transfer, const Side *sent, const Side *received, gboolean are_aligned)
{
  gint64 ahead_ns = are_aligned ? loom_time_sub (received->begin_ns, sent->begin_ns)
                                : loom_time_sub (loom_time_sub (sent->end_ns, sent->begin_ns),
                                                 loom_time_sub (received->end_ns, received->begin_ns));
  const Side *waiting = ahead_ns > 0 ? sent : received;
  transfer->waiting_rank = waiting->rank;
  transfer->waiting_trace = waiting->trace;
  transfer->waiting_meeting = waiting->meeting;
  gint64 until_ns = MIN (loom_time_add (waiting->begin_ns, ABS (ahead_ns)), waiting->end_ns);
  transfer->wait = (LoomRange) { waiting->begin_ns, MAX (until_ns, waiting->begin_ns) };
}

static void
note_first (LoomTransferList *list, gint rank, gint peer, gint64 begin_ns)
{
  const LoomFirstMessage *first = g_hash_table_lookup (list->firsts, GINT_TO_POINTER (rank));
  if (first != NULL && first->begin_ns <= begin_ns)
    return;
  const LoomFirstMessage own = { peer, begin_ns };
  g_hash_table_insert (list->firsts, GINT_TO_POINTER (rank), g_memdup2 (&own, sizeof own));
}

/* Stores a message in list->firsts as the first message of its sender and of its receiver, unless an earlier message of
 * the rank is already stored. Messages outside the range of the LoomTransferList count as well. */
static void
note_message (LoomTransferList *list, const Side *sent, const Side *received, gint64 begin_ns)
{
  if (sent->rank < 0 || received->rank < 0 || sent->rank == received->rank)
    return;
  note_first (list, sent->rank, -1, begin_ns);
  note_first (list, received->rank, sent->rank, begin_ns);
}

/* Returns TRUE if the wait or the transfer of a message touches the range. The wait precedes the transfer, so the wait
 * can touch the range even if the transfer begins after the range. loom_collectives_new() treats collectives in the
 * same way. */
static gboolean
touches (const LoomTransfer *transfer, LoomRange range)
{
  return MIN (transfer->wait.begin_ns, transfer->range.begin_ns) < range.end_ns &&
         MAX (transfer->wait.end_ns, transfer->range.end_ns) >= range.begin_ns;
}

static void
add_message (LoomTransferList *list, const Side *sent, const Side *received, LoomRange range)
{
  gboolean are_aligned = find_whether_aligned (list, sent, received);
  LoomRange own = get_message_range (sent, received, are_aligned);
  gint64 begin_ns = own.begin_ns, end_ns = own.end_ns;
  note_message (list, sent, received, begin_ns);
  const Member members[] = { { sent->rank, get_node (list, sent->trace, sent->meeting) },
                             { received->rank, get_node (list, received->trace, received->meeting) } };
  LoomTransfer transfer = { .name = LOOM_TRANSFERS_MESSAGE,
                            .trace = sent->trace,
                            .meeting = sent->meeting,
                            .other_trace = received->trace,
                            .other_meeting = received->meeting,
                            .transfer_ns = MAX (loom_time_sub (end_ns, begin_ns), 0),
                            .bytes = get_bytes (list, sent->trace, sent->meeting),
                            .range = { begin_ns, MAX (begin_ns, end_ns) },
                            .sides = { { sent->begin_ns, sent->end_ns }, { received->begin_ns, received->end_ns } } };
  set_wait (&transfer, sent, received, are_aligned);
  if (!touches (&transfer, range))
    return;
  set_members (list, &transfer, members, G_N_ELEMENTS (members));
  list->n_messages++;
  list->n_unaligned += !are_aligned && sent->clock != received->clock;
  g_array_append_val (list->transfers, transfer);
}

static gboolean
is_same_key (const Side *a, const Side *b)
{
  return a->key == b->key;
}

static gboolean
is_same_run (const Side *a, const Side *b)
{
  return a->run == b->run;
}

static gboolean
is_same_run_and_node (const Side *a, const Side *b)
{
  return a->run == b->run && g_strcmp0 (a->node, b->node) == 0;
}

typedef gboolean (*IsSame) (const Side *a, const Side *b);

/* If `sides` consists of one send and one receive, adds their message and returns TRUE. Otherwise returns FALSE. */
static gboolean
add_if_pair (LoomTransferList *list, const Side *sides, guint n, LoomRange range)
{
  if (n != 2 || sides[0].kind == sides[1].kind)
    return FALSE;
  gboolean is_first = sides[0].kind == LOOM_SYNC_EVENT_SEND;
  add_message (list, &sides[!is_first], &sides[is_first], range);
  return TRUE;
}

/* Divides `sides` into groups of neighbours for which `is_same` returns TRUE. If a group consists of one send and one
 * receive, adds the message, and removes both sides from `sides`. */
static void
take_pairs (LoomTransferList *list, GArray *sides, IsSame is_same, LoomRange range)
{
  Side *own = (Side *) (gpointer) sides->data;
  guint n_left = 0;
  for (guint i = 0, n; i < sides->len; i += n) {
    for (n = 1; i + n < sides->len && is_same (&own[i], &own[i + n]);)
      n++;
    if (add_if_pair (list, &own[i], n, range))
      continue;
    memmove (&own[n_left], &own[i], n * sizeof *own);
    n_left += n;
  }
  g_array_set_size (sides, n_left);
}

static int
compare_runs (gconstpointer a, gconstpointer b)
{
  const Side *x = a, *y = b;
  return x->run < y->run ? -1 : x->run > y->run;
}

/* Adds the messages of `sides`, which all have one key. If several jobs are open, each of them can have a message with
 * this key. The sides are paired in four steps; each step uses only the sides that the previous steps did not pair.
 * Step 1 pairs a send and a receive that are the only sides of their run. Step 2 pairs those that are the only sides of
 * their run and node: jobs that were merged into one file share its clock, so they count as one run. Step 3 pairs those
 * that are the only sides of their job. Step 4 pairs a send and a receive if no other sides are left. `jobs`: result of
 * loom_collective_runs_find_jobs(). `sides` is changed. */
static void
add_ambiguous (LoomTransferList *list, GArray *sides, const guint *jobs, LoomRange range)
{
  take_pairs (list, sides, is_same_run, range);
  take_pairs (list, sides, is_same_run_and_node, range);
  for (guint i = 0; i < sides->len; i++) {
    Side *side = &g_array_index (sides, Side, i);
    side->run = jobs[side->clock];
  }
  g_array_sort (sides, compare_runs);
  take_pairs (list, sides, is_same_run, range);
  take_pairs (list, sides, is_same_key, range);
}

/* Adds the messages in the range. If several sends or several receives of one job have equal keys (make_key()), it is
 * unknown which send belongs to which receive; their messages are skipped. */
static void
add_messages (LoomTransferList *list, LoomRange range)
{
  g_autoptr (GArray) sides = g_array_new (FALSE, FALSE, sizeof (Side));
  g_autoptr (GArray) ambiguous = g_array_new (FALSE, FALSE, sizeof (Side));
  g_autofree guint *jobs = loom_collective_runs_find_jobs (list->timeline);
  for (guint i = 0; i < loom_run_get_n_traces (loom_timeline_get_run (list->timeline)); i++)
    add_sides (sides, list->timeline, i);
  g_array_sort (sides, compare_sides);
  for (guint i = 0, n; i < sides->len; i += n) {
    const Side *first = &g_array_index (sides, Side, i);
    for (n = 1; i + n < sides->len && is_same_key (first, &first[n]);)
      n++;
    if (n <= 2) {
      add_if_pair (list, first, n, range);
      continue;
    }
    g_array_set_size (ambiguous, 0);
    g_array_append_vals (ambiguous, first, n);
    add_ambiguous (list, ambiguous, jobs, range);
  }
}

/* --- bus bandwidth ------------------------------------------------------------------------------------------------ */

double
loom_transfer_list_get_bus_factor (const char *name, guint n)
{
  static const char *const parts[] = { "gather", "scatter", "to_all", "toall" };
  g_autofree char *lower = g_ascii_strdown (name, -1);
  double part = n > 0 ? (double) (n - 1) / n : 0;
  if (strstr (lower, "allreduce") != NULL || strstr (lower, "all_reduce") != NULL)
    return 2 * part;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (lower, parts[i]) != NULL)
      return part;
  return 1;
}

/* --- list of all transfers ---------------------------------------------------------------------------------------- */

static void
free_list (gpointer data)
{
  LoomTransferList *list = data;
  loom_missing_ranks_free (list->missing);
  g_array_unref (list->transfers);
  g_array_unref (list->ranks);
  g_hash_table_unref (list->firsts);
  g_free (list->message_of);
  g_free (list);
}

static void
cut_transfers (LoomTransferList *list, LoomRange range)
{
  for (guint i = 0; i < list->transfers->len; i++) {
    LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    gint64 inside_ns = loom_time_sub (CLAMP (transfer->range.end_ns, range.begin_ns, range.end_ns),
                                      CLAMP (transfer->range.begin_ns, range.begin_ns, range.end_ns));
    transfer->inside_ns = CLAMP (inside_ns, 0, transfer->transfer_ns);
  }
}

/* Sets n_missing and n_stated of each transfer. n_missing: number of ranks of the transfer's group that have no open
 * file. n_stated: size of the group. */
static void
find_missing (LoomTransferList *list)
{
  LoomRun *run = loom_timeline_get_run (list->timeline);
  list->missing = loom_missing_ranks_new (run);
  for (guint i = 0; i < list->transfers->len; i++) {
    guint32 n;
    LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    const LoomSyncEvent *events = loom_trace_get_meetings (loom_run_get_trace (run, transfer->trace), &n);
    transfer->n_stated = transfer->n_ranks;
    if (loom_transfer_list_is_message (transfer))
      continue; /* a message is listed only if the files of both its ranks are open, so no rank is missing */
    transfer->n_missing = loom_missing_ranks_count_of (list->missing, transfer->trace, transfer->meeting);
    transfer->n_stated = MAX (events[transfer->meeting].n_ranks, transfer->n_ranks + transfer->n_missing);
  }
}

/* Maps the events of both sides of each message to its transfer, so that the message of a span is found quickly. */
static void
index_messages (LoomTransferList *list, const LoomCollectives *collectives)
{
  const guint32 *first = collectives->first_place;
  gsize n = first[loom_run_get_n_traces (loom_timeline_get_run (list->timeline))];
  list->message_of = g_new (guint32, MAX (n, 1));
  memset (list->message_of, 0xff, n * sizeof *list->message_of);
  for (guint i = 0; i < list->transfers->len; i++) {
    const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    if (!loom_transfer_list_is_message (transfer))
      continue;
    list->message_of[first[transfer->trace] + transfer->meeting] = i;
    list->message_of[first[transfer->other_trace] + transfer->other_meeting] = i;
  }
}

static gpointer
make_list (const LoomCollectives *collectives, GCancellable *cancellable)
{
  g_autoptr (GArray) scratch = g_array_new (FALSE, FALSE, sizeof (Member));
  LoomTransferList *list = g_new (LoomTransferList, 1);
  *list = (LoomTransferList) { .timeline = collectives->timeline,
                               .transfers = g_array_new (FALSE, FALSE, sizeof (LoomTransfer)),
                               .ranks = g_array_new (FALSE, FALSE, sizeof (gint)),
                               .firsts = g_hash_table_new_full (NULL, NULL, NULL, g_free) };
  for (guint i = 0; i < collectives->n && (i % CANCEL_EVERY != 0 || !g_cancellable_is_cancelled (cancellable)); i++)
    add_collective (list, collectives, &collectives->all[i], scratch);
  if (!g_cancellable_is_cancelled (cancellable))
    add_messages (list, collectives->range);
  cut_transfers (list, collectives->range);
  find_missing (list);
  index_messages (list, collectives);
  if (g_cancellable_is_cancelled (cancellable))
    g_clear_pointer (&list, free_list);
  return list;
}

const LoomTransferList *
loom_transfer_list_get (const LoomCollectives *collectives, GCancellable *cancellable)
{
  return loom_collectives_share (collectives, LOOM_COLLECTIVES_TRANSFER_LIST, make_list, free_list, cancellable);
}

gboolean
loom_transfer_list_is_message (const LoomTransfer *transfer)
{
  return transfer->other_trace != G_MAXUINT32;
}

gboolean
loom_transfer_list_is_all_to_all (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  return strstr (lower, "to_all") != NULL || strstr (lower, "toall") != NULL;
}
