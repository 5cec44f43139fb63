/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-lane-time.h"

#include "loom-transfer-list.h"
#include "loom-work-kind.h"

typedef enum { PART_COMPUTE, PART_TRANSFER, PART_WAIT, PART_COPY, PART_OTHER, N_PARTS } Part;

/* The start or the end of a span or of a wait. */
typedef struct {
  gint64 at_ns; /* on the timeline */
  guint8 part;
  gint8 step; /* 1: start; −1: end */
} Edge;

typedef struct {
  gint rank;
  gint64 ns;
} WaitFor;

typedef struct {
  LoomTimeline *timeline;
  const LoomCollectives *collectives; /* NULL: unknown */
  LoomRange range;
  GArray *edges; /* Edge */
  GArray *waits; /* WaitFor: one element for each rank for which this device waits */
  gboolean knows_waits;
  /* the track that is being read; `kinds`: name id + 1 → LoomWorkKind + 1 */
  LoomTrackId id;
  const LoomTrace *trace;
  const LoomClockMap *map;
  GHashTable *kinds;
} Lane;

/* --- waits -------------------------------------------------------------------------------------------------------- */

static void
count_wait (Lane *lane, gint rank, gint64 ns)
{
  for (guint i = 0; i < lane->waits->len; i++) {
    WaitFor *wait = &g_array_index (lane->waits, WaitFor, i);
    if (wait->rank != rank)
      continue;
    wait->ns += ns;
    return;
  }
  const WaitFor wait = { rank, ns };
  g_array_append_val (lane->waits, wait);
}

static gint
get_other_side (const LoomTransferList *list, const LoomTransfer *transfer)
{
  const gint *ranks = &g_array_index (list->ranks, gint, transfer->first_rank);
  return ranks[0] == transfer->waiting_rank ? ranks[1] : ranks[0];
}

/* Sets `until_ns` to the time until which the span waits for other ranks, and `rank` to the rank for which it waits. If
 * the span belongs to a message but does not wait, sets `until_ns` to G_MININT64. Returns FALSE if it is unknown
 * whether the span waits. */
static gboolean
find_wait (const Lane *lane, LoomSpanId span, gint64 *until_ns, gint *rank)
{
  guint32 event = lane->collectives != NULL ? loom_collectives_find_event (lane->collectives, span) : G_MAXUINT32;
  if (event == G_MAXUINT32)
    return FALSE;
  guint number = lane->collectives->collective_of[event];
  if (number != G_MAXUINT32) {
    const LoomCollective *collective = &lane->collectives->all[number];
    *until_ns = collective->arrival_ns;
    *rank = loom_collectives_get_members (lane->collectives, collective)[collective->n - 1].rank;
    return TRUE;
  }
  const LoomTransferList *list = loom_transfer_list_get (lane->collectives, NULL);
  if (list == NULL || list->message_of[event] == G_MAXUINT32)
    return FALSE;
  const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, list->message_of[event]);
  gboolean waits = lane->collectives->first_place[transfer->waiting_trace] + transfer->waiting_meeting == event;
  *until_ns = waits ? transfer->wait.end_ns : G_MININT64;
  *rank = get_other_side (list, transfer);
  return TRUE;
}

/* --- spans -------------------------------------------------------------------------------------------------------- */

static void
add_part (Lane *lane, Part part, gint64 begin_ns, gint64 end_ns)
{
  begin_ns = MAX (begin_ns, lane->range.begin_ns);
  end_ns = MIN (end_ns, lane->range.end_ns);
  if (end_ns <= begin_ns)
    return;
  const Edge edges[] = { { begin_ns, (guint8) part, 1 }, { end_ns, (guint8) part, -1 } };
  g_array_append_vals (lane->edges, edges, G_N_ELEMENTS (edges));
}

static void
add_communication (Lane *lane, LoomSpanId span, gint64 begin_ns, gint64 end_ns)
{
  gint64 until_ns = begin_ns;
  gint rank = -1;
  lane->knows_waits &= find_wait (lane, span, &until_ns, &rank);
  until_ns = CLAMP (until_ns, begin_ns, end_ns);
  gint64 inside_ns = MIN (until_ns, lane->range.end_ns) - MAX (begin_ns, lane->range.begin_ns);
  if (inside_ns > 0)
    count_wait (lane, rank, inside_ns);
  add_part (lane, PART_WAIT, begin_ns, until_ns);
  add_part (lane, PART_TRANSFER, until_ns, end_ns);
}

static LoomWorkKind
get_kind (Lane *lane, guint32 name_id)
{
  gpointer key = GUINT_TO_POINTER (name_id + 1), known = g_hash_table_lookup (lane->kinds, key);
  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  const LoomName *name = loom_trace_get_name (lane->trace, name_id);
  LoomWorkKind kind = loom_work_kind_classify (name->text, name->category, TRUE);
  g_hash_table_insert (lane->kinds, key, GUINT_TO_POINTER (kind + 1));
  return kind;
}

static void
add_span (Lane *lane, guint32 span)
{
  const LoomSpans *spans = loom_trace_get_spans (lane->trace);
  gint64 start_ns = spans->start_ns[span], begin_ns = loom_clock_map_to_timeline (lane->map, start_ns),
         end_ns = loom_clock_map_to_timeline (lane->map, loom_time_add (start_ns, spans->dur_ns[span]));
  if ((loom_source_ref_flags (spans->ref[span]) & LOOM_REF_SUSPECT) != 0)
    return;
  switch (get_kind (lane, spans->name_id[span])) {
  case LOOM_WORK_KIND_COMPUTE: add_part (lane, PART_COMPUTE, begin_ns, end_ns); break;
  case LOOM_WORK_KIND_COMMUNICATION:
    add_communication (lane, (LoomSpanId) { lane->id.trace, span }, begin_ns, end_ns);
    break;
  case LOOM_WORK_KIND_MEMCPY:
  case LOOM_WORK_KIND_MEMSET: add_part (lane, PART_COPY, begin_ns, end_ns); break;
  case LOOM_WORK_KIND_DEVICE_OTHER: add_part (lane, PART_OTHER, begin_ns, end_ns); break;
  default: break;
  }
}

/* Adds the spans of a track that touch the range. `n_left`: number of spans that may still be added; reduced by the
 * number of added spans. Returns FALSE if the track has more spans in the range than `n_left`. */
static gboolean
add_track (Lane *lane, const LoomTrack *track, guint32 *n_left)
{
  gint64 begin_ns = loom_clock_map_to_local (lane->map, lane->range.begin_ns),
         end_ns = loom_clock_map_to_local (lane->map, lane->range.end_ns);
  for (guint32 i = 0; i < track->n_rows; i++) {
    const LoomRow *row = loom_trace_get_row (lane->trace, track->first_row + i);
    guint32 first = loom_trace_row_first_ending_after (lane->trace, row, begin_ns),
            end = loom_trace_row_lower_bound (lane->trace, row, end_ns);
    if (end > first && end - first > *n_left)
      return FALSE;
    *n_left -= end > first ? end - first : 0;
    for (guint32 k = first; k < end; k++)
      add_span (lane, row->first + k);
  }
  return TRUE;
}

/* --- sums --------------------------------------------------------------------------------------------------------- */

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const Edge *) a)->at_ns, y = ((const Edge *) b)->at_ns;
  return (x > y) - (x < y);
}

/* Adds up the time of each kind of work (Part). If several kinds of work run at the same time, the time counts only for
 * the kind that is first in the enum Part. */
static void
sum_parts (Lane *lane, LoomLaneTime *time)
{
  gint64 *const sums[N_PARTS] = { &time->compute_ns, &time->transfer_ns, &time->wait_ns, &time->copy_ns,
                                  &time->other_ns };
  gint n[N_PARTS] = { 0 };
  gint64 last_ns = lane->range.begin_ns;
  g_array_sort (lane->edges, compare_edges);
  time->idle_ns = lane->range.end_ns - lane->range.begin_ns;
  for (guint i = 0; i < lane->edges->len; i++) {
    const Edge *edge = &g_array_index (lane->edges, Edge, i);
    for (guint part = 0; part < N_PARTS; part++)
      if (n[part] > 0) {
        *sums[part] += edge->at_ns - last_ns;
        time->idle_ns -= edge->at_ns - last_ns;
        break;
      }
    n[edge->part] += edge->step;
    last_ns = edge->at_ns;
  }
}

static void
find_waited_for (const Lane *lane, LoomLaneTime *time)
{
  const WaitFor *longest = NULL;
  for (guint i = 0; i < lane->waits->len; i++) {
    const WaitFor *wait = &g_array_index (lane->waits, WaitFor, i);
    longest = longest == NULL || wait->ns > longest->ns ? wait : longest;
  }
  time->wait_rank = longest != NULL ? longest->rank : -1;
  time->waits_for_one = lane->waits->len == 1;
}

/* Returns TRUE if all tracks are of one device, and their spans are known. */
static gboolean
is_one_device (LoomTimeline *timeline, const LoomTrackId *tracks, guint n)
{
  const LoomTrack *first = NULL;
  for (guint i = 0; i < n; i++) {
    const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), tracks[i].trace);
    const LoomTrack *track = loom_trace_get_track (trace, tracks[i].track);
    if (!loom_trace_track_is_device (track) || loom_trace_is_index (trace))
      return FALSE;
    if (first != NULL && (tracks[i].trace != tracks[0].trace || track->process_id != first->process_id))
      return FALSE;
    first = track;
  }
  return n > 0;
}

static gboolean
read_tracks (Lane *lane, const LoomTrackId *tracks, guint n_tracks)
{
  guint32 n_left = LOOM_LANE_TIME_MAX_SPANS;
  for (guint i = 0; i < n_tracks; i++) {
    lane->id = tracks[i];
    lane->trace = loom_run_get_trace (loom_timeline_get_run (lane->timeline), tracks[i].trace);
    const LoomTrack *track = loom_trace_get_track (lane->trace, tracks[i].track);
    lane->map = loom_timeline_get_map (lane->timeline, tracks[i].trace, track->clock);
    if (!add_track (lane, track, &n_left))
      return FALSE;
  }
  return TRUE;
}

gboolean
loom_lane_time_measure (LoomTimeline *timeline, const LoomTrackId *tracks, guint n_tracks,
                        const LoomCollectives *collectives, LoomRange range, LoomLaneTime *time)
{
  g_return_val_if_fail (timeline != NULL && time != NULL, FALSE);
  *time = (LoomLaneTime) { .wait_rank = -1 };
  if (range.end_ns <= range.begin_ns || !is_one_device (timeline, tracks, n_tracks))
    return FALSE;
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (Edge)),
                     waits = g_array_new (FALSE, FALSE, sizeof (WaitFor));
  g_autoptr (GHashTable) kinds = g_hash_table_new (NULL, NULL);
  Lane lane = { .timeline = timeline,
                .collectives = loom_collectives_belong_to (collectives, timeline) ? collectives : NULL,
                .range = range,
                .edges = edges,
                .waits = waits,
                .knows_waits = TRUE,
                .kinds = kinds };
  if (!read_tracks (&lane, tracks, n_tracks))
    return FALSE;
  sum_parts (&lane, time);
  find_waited_for (&lane, time);
  time->knows_waits = lane.knows_waits;
  return TRUE;
}
