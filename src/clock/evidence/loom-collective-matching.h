/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds out which collective operations recorded by different ranks are the same operation, by process group, sequence
 * number and name. If an event states no sequence number, the number of the call on the host is used; if that is
 * unknown, the position of the event among the collectives of the group. Several kernels of a rank may belong to one
 * collective, so equal keys on one rank are distinguished by their order, too. Collectives of two jobs that are loaded
 * together may be matched by mistake; the fit of the clocks (loom-clock-fit.h) separates the jobs.
 */
#pragma once

#include "loom-run.h"

typedef struct {
  guint32 trace, meeting; /* `trace`: index of the trace in the run; `meeting`: index of the sync event in the trace */
  /* the sync event; borrowed from the trace. With 10,000 ranks, finding it by its index costs two cache misses more. */
  const LoomSyncEvent *event;
  guint clock; /* index of the clock in the run */
  /* rank of the event's track; if that is unknown, rank of the event's source; −1: both are unknown */
  gint rank;
} LoomCollectiveMatchMember;

typedef struct {
  /* the members of the match, in the order of the run's traces: elements [first, first + n) of `members`; n ≥ 1 */
  guint first, n;
} LoomCollectiveMatch;

typedef struct {
  GArray *members; /* LoomCollectiveMatchMember, grouped by match */
  GArray *matches; /* LoomCollectiveMatch, in the order of their first members */
} LoomCollectiveMatching;

/* Matches the collectives of all ranks. Owned by the caller. Any thread. O(collectives of all ranks). */
LoomCollectiveMatching *loom_collective_matching_new (const LoomRun *run);
void loom_collective_matching_free (LoomCollectiveMatching *matching);

/* Returns the set of all LoomSyncEvent * (borrowed from the trace) that are calls of collectives on the host. The set
 * is needed because the kernels of older versions of PyTorch do not state the number and the group of their collective;
 * the call (record_param_comms) with the same "External id" as the kernel states both. The set is owned by the caller.
 * O(sync events). */
GHashTable *loom_collective_matching_new_calls (const LoomTrace *trace);
/* Returns the sync event that states the number and the group of a collective: `meeting` itself if it states a number
 * or if its call is unknown, else its call. Borrowed. O(1). */
const LoomSyncEvent *loom_collective_matching_find_call (GHashTable *calls, const LoomSyncEvent *meeting);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCollectiveMatching, loom_collective_matching_free)
