/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis and src/report: ranks that the process groups of collectives and messages state, but of which
 * no file is open. How long the open ranks wait for them is unknown and looks like transfer. Immutable when made, freed
 * by its owner, any thread.
 */
#pragma once

#include "loom-run.h"

typedef struct _LoomMissingRanks LoomMissingRanks;

/* O(collectives and messages + ranks of all groups). */
LoomMissingRanks *loom_missing_ranks_new (LoomRun *run);
void loom_missing_ranks_free (LoomMissingRanks *self);

/* Returns how many ranks are missing: those in the lists of ranks of all groups or, where no list is stated, at least
 * so many as the largest group has more ranks than are open. 0 if fewer than two ranks are open, because nothing is
 * computed across ranks then. */
guint loom_missing_ranks_count (const LoomMissingRanks *self);
/* Returns how many ranks of the group of a sync event are missing. `number`: index of the event's trace in the run.
 * O(1). */
guint loom_missing_ranks_count_of (const LoomMissingRanks *self, guint number, guint32 event);
/* Returns TRUE if a rank sends messages to a missing rank, or receives some from it. O(1). */
gboolean loom_missing_ranks_has_peer (const LoomMissingRanks *self, gint rank);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMissingRanks, loom_missing_ranks_free)
