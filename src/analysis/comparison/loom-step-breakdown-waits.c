/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the intervals in which ranks wait for other ranks and for data. Also finds which rank numbers are process ids.
 */
#include "loom-step-breakdown-private.h"

#include <string.h>

#include "loom-data-waits.h"
#include "loom-rank-key.h"
#include "loom-track-rank.h"
#include "loom-transfer-list.h"
#include "loom-transfers.h"

/* Returns the rank that recorded a sync event, a member of a collective or message. `trace`, `meeting`: index of the
 * trace, and index of the event in loom_trace_get_meetings(). `rank`: rank number of the event. NULL: the rank has no
 * steps. */
static LoomStepBreakdownRank *
find_rank_of_event (LoomStepBreakdown *breakdown, gint rank, guint32 trace, guint32 meeting)
{
  const LoomRankKey key = loom_rank_key_of_event (breakdown->timeline, rank, trace, meeting);
  return loom_step_breakdown_find_rank (breakdown, key.node, rank, trace);
}

static void
gather_collective_waits (LoomStepBreakdown *breakdown, LoomCollectives *collectives)
{
  const LoomCollective *all = collectives->all;
  g_autofree LoomStepBreakdownRank **by_number =
    g_new0 (LoomStepBreakdownRank *, (gsize) collectives->n_rank_numbers + 1);
  for (guint i = 0; i < collectives->n; i++) {
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, &all[i]);
    for (guint k = 0; k < all[i].n; k++) {
      LoomStepBreakdownRank *rank = by_number[members[k].rank_number];
      if (rank == NULL)
        rank = by_number[members[k].rank_number] =
          find_rank_of_event (breakdown, members[k].rank, members[k].trace, members[k].meeting);
      LoomRange wait = { members[k].arrival_ns, loom_time_add (members[k].arrival_ns, members[k].wait_ns) };
      if (rank == NULL || members[k].wait_ns <= 0)
        continue;
      g_array_append_val (rank->rank_waits, wait);
      g_array_append_val (rank->collective_waits, wait);
    }
  }
}

/* Adds the waits in messages to the ranks that wait. The side of a message that begins first waits for the other side;
 * in a pipeline, this is a wait for a neighbouring stage. */
static void
gather_message_waits (LoomStepBreakdown *breakdown, const LoomTransferList *list)
{
  for (guint i = 0; i < list->transfers->len; i++) {
    const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    if (strcmp (transfer->name, LOOM_TRANSFERS_MESSAGE) != 0 || transfer->wait.end_ns <= transfer->wait.begin_ns)
      continue;
    LoomStepBreakdownRank *rank =
      find_rank_of_event (breakdown, transfer->waiting_rank, transfer->waiting_trace, transfer->waiting_meeting);
    if (rank != NULL)
      g_array_append_val (rank->rank_waits, transfer->wait);
  }
}

gboolean
loom_step_breakdown_gather_rank_waits (LoomStepBreakdown *breakdown, LoomCollectives *collectives,
                                       GCancellable *cancellable)
{
  const LoomTransferList *list = loom_transfer_list_get (collectives, cancellable);
  gather_collective_waits (breakdown, collectives);
  if (list != NULL)
    gather_message_waits (breakdown, list);
  return list != NULL;
}

/* If a rank waits for data shortly before the span of a step, the step begins with this wait. Shortly means: other work
 * between the wait and the span takes at most 1/MOST_GAP of the duration of the span. Copying the batch to the device
 * and callbacks are shorter than this limit. An evaluation is longer, so its waits for batches are not added to the
 * next step. */
#define MOST_GAP 4

/* Returns the first step of a rank that ends after `time_ns`; NULL: there is none. */
static LoomStepTime *
find_step (LoomStepBreakdownRank *rank, gint64 time_ns)
{
  guint low = 0, high = rank->steps->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (rank->steps, LoomStepTime, middle).end_ns > time_ns)
      high = middle;
    else
      low = middle + 1;
  }
  return low < rank->steps->len ? &g_array_index (rank->steps, LoomStepTime, low) : NULL;
}

/* A step, and the limit of how far its beginning may be moved to earlier waits for data. */
typedef struct {
  LoomStepTime *step; /* NULL: no step was visited yet */
  /* How many ns of gaps may still become part of the step when its beginning is moved to earlier waits. A gap is the
   * time between a wait and the current beginning of the step. */
  gint64 room_ns;
} Growth;

/* If `wait` is a wait for data before the span of its step, moves the beginning of the step to the beginning of the
 * wait. The waits of a rank must be passed in reverse order of time. Returns FALSE if the wait is not before the step,
 * or too long before it (MOST_GAP). */
static gboolean
grow_step (Growth *growth, LoomStepBreakdownRank *rank, const LoomDataWait *wait)
{
  LoomStepTime *step = loom_timeline_span_id_is_none (wait->step) ? NULL : find_step (rank, wait->begin_ns);
  if (step == NULL || !loom_timeline_span_id_equal (step->span, wait->step) || wait->begin_ns >= step->begin_ns)
    return FALSE;
  if (growth->step != step)
    *growth = (Growth) { step, loom_time_sub (step->end_ns, step->begin_ns) / MOST_GAP };
  gint64 gap_ns = MAX (loom_time_sub (step->begin_ns, wait->end_ns), 0);
  if (gap_ns > growth->room_ns)
    return FALSE;
  growth->room_ns -= gap_ns;
  step->begin_ns = wait->begin_ns;
  return TRUE;
}

gboolean
loom_step_breakdown_gather_data_waits (LoomStepBreakdown *breakdown, LoomSteps *steps, GCancellable *cancellable)
{
  /* use the steps of the whole run: otherwise all earlier waits would be assigned to the first selected step */
  g_autoptr (LoomDataWaits) waits =
    loom_data_waits_new (breakdown->timeline, loom_steps_get_whole (steps), LOOM_STEP_BREAKDOWN_ALL, cancellable);
  if (waits == NULL)
    return FALSE;
  const LoomDataRank *ranks = waits->ranks;
  for (guint i = 0; i < waits->n_ranks; i++) {
    LoomStepBreakdownRank *rank =
      loom_step_breakdown_find_rank (breakdown, ranks[i].node, ranks[i].rank, ranks[i].waits[0].span.trace);
    Growth growth = { NULL, 0 };
    for (guint k = 0; rank != NULL && k < ranks[i].n_waits; k++) {
      LoomRange range = { ranks[i].waits[k].begin_ns, ranks[i].waits[k].end_ns };
      g_array_append_val (rank->data_waits, range);
    }
    for (guint k = ranks[i].n_waits; rank != NULL && k-- > 0;)
      breakdown->has_early_waits |= grow_step (&growth, rank, &ranks[i].waits[k]);
  }
  return TRUE;
}

/* --- processes ---------------------------------------------------------------------------------------------------- */

void
loom_step_breakdown_mark_processes (LoomStepBreakdown *breakdown)
{
  const LoomRun *run = loom_timeline_get_run (breakdown->timeline);
  for (guint32 i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++) {
      const LoomTrack *track = loom_trace_get_track (trace, k);
      LoomStepBreakdownRank *rank = loom_track_rank_is_process (track, track->format)
                                      ? loom_step_breakdown_find_rank (breakdown, track->node, track->rank, i)
                                      : NULL;
      if (rank != NULL)
        rank->shown.is_process = TRUE;
    }
  }
}
