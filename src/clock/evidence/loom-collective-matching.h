/* SPDX-License-Identifier: Apache-2.0
 *
 * Matches the collectives of different ranks by process group, sequence number and name. Without
 * a number, that of the call is used, else the order of occurrence in the group. Several kernels may serve one
 * collective, so equal keys on one rank are also distinguished by their order. Collectives of two jobs loaded together
 * may be matched here; the fit separates them. */
#pragma once

#include "loom-run.h"

typedef struct {
  guint32 trace, meeting; /* `trace`: index of the trace in the run; `meeting`: index of the sync event in the trace */
  guint clock;            /* index of the clock in the run */
  gint rank;              /* rank of the track that has the clock, else of its source; −1: unknown */
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

/* Returns a set of the LoomSyncEvent * (borrowed from the trace) that are calls of collectives on the host. They are
 * needed because the kernels of older versions of PyTorch lack number and group of the collective; their call
 * (record_param_comms) has both, and the same "External id". The set is owned by the caller. O(sync events). */
GHashTable *loom_collective_matching_new_calls (const LoomTrace *trace);
/* Returns the sync event that states number and group of a collective. This is `meeting` itself if it states a number,
 * or if its call is unknown; otherwise its call. Borrowed. O(1). */
const LoomSyncEvent *loom_collective_matching_find_call (GHashTable *calls, const LoomSyncEvent *meeting);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCollectiveMatching, loom_collective_matching_free)
