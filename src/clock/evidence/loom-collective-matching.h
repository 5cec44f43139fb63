/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds which collectives, recorded by different ranks, are the same operation (a match). The collectives of a match
 * have the same process group, sequence number and name. If an event has no sequence number, the sequence number of its
 * call on the host is used. If this number is unknown, too, the position of the event among the collectives of the
 * group is used. A rank may have several kernels of one collective; they have equal keys, and are distinguished by
 * their order. Collectives of two jobs that are loaded together may be matched by mistake; the fit of the clocks
 * (loom-clock-fit.h) separates the jobs.
 */
#pragma once

#include "loom-run.h"

typedef struct {
  guint32 trace, meeting; /* `trace`: index of the trace in the run. `meeting`: index of the sync event in the trace. */
  /* the sync event, borrowed from the trace; stored because, with 10,000 ranks, looking it up by its index would
   * cost two more cache misses */
  const LoomSyncEvent *event;
  guint clock; /* index of the clock in the run */
  /* rank of the event's track; if it is unknown, rank of the event's source; −1 if both are unknown */
  gint rank;
} LoomCollectiveMatchMember;

typedef struct {
  /* The members of the match, in the order of the traces in the run. They are the elements [first, first + n) of
   * `members`; n ≥ 1. */
  guint first, n;
} LoomCollectiveMatch;

typedef struct {
  GArray *members; /* LoomCollectiveMatchMember: members of all matches, grouped by match */
  GArray *matches; /* LoomCollectiveMatch, in the order of their first members */
} LoomCollectiveMatching;

/* Finds which collectives of all ranks are the same operation. Owned by the caller. Any thread. O(collectives of all
 * ranks). */
LoomCollectiveMatching *loom_collective_matching_new (const LoomRun *run);
void loom_collective_matching_free (LoomCollectiveMatching *matching);

/* Returns the set of all LoomSyncEvent * that are calls of collectives on the host; the elements are borrowed from the
 * trace. The set is needed because in older versions of PyTorch, the kernel of a collective does not state the number
 * and the group of the collective. The call (record_param_comms) with the same "External id" as the kernel states both.
 * The set is owned by the caller. O(sync events). */
GHashTable *loom_collective_matching_new_calls (const LoomTrace *trace);
/* Returns the sync event that states the number and the group of a collective. If `meeting` states no number, and its
 * call on the host is known, returns the call; otherwise returns `meeting` itself. `calls`: result of
 * loom_collective_matching_new_calls(). Borrowed. O(1). */
const LoomSyncEvent *loom_collective_matching_find_call (GHashTable *calls, const LoomSyncEvent *meeting);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCollectiveMatching, loom_collective_matching_free)
