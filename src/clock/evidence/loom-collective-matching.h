/* SPDX-License-Identifier: Apache-2.0
 *
 * Matches the collectives of different ranks by process group, sequence number and name. Without
 * a number, that of the call is used, else the order of occurrence in the group. Several kernels may serve one
 * collective, so equal keys on one rank are also distinguished by their order. Collectives of two jobs loaded together
 * may be matched here; the fit separates them. */
#pragma once

#include "loom-run.h"

typedef struct {
  guint32 trace, meeting; /* trace of the run, and index into its meetings */
  guint clock;            /* index in the run */
  gint rank;              /* rank of the clock's track, else of its source; −1: unknown */
} LoomCollectiveMatchMember;

typedef struct {
  guint first, n; /* members, in order of the run's traces; n ≥ 1 */
} LoomCollectiveMatch;

typedef struct {
  GArray *members; /* LoomCollectiveMatchMember, match after match */
  GArray *matches; /* LoomCollectiveMatch, in the order of their first members */
} LoomCollectiveMatching;

/* Any thread. Cost: O(collectives of all ranks). The caller owns it. */
LoomCollectiveMatching *loom_collective_matching_new (const LoomRun *run);
void loom_collective_matching_free (LoomCollectiveMatching *matching);

/* The calls of a trace, to which its kernels refer: a kernel of an older PyTorch has neither number nor group, but
 * record_param_comms on the processor has, with the same "External id". A set of LoomSyncEvent *
 * borrowed from the trace; the caller owns it. O(meetings). */
GHashTable *loom_collective_matching_new_calls (const LoomTrace *trace);
/* The event that names a meeting's collective: the call of a meeting without a number, if it is known, else the meeting
 * itself. Borrowed. O(1). */
const LoomSyncEvent *loom_collective_matching_find_call (GHashTable *calls, const LoomSyncEvent *meeting);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCollectiveMatching, loom_collective_matching_free)
