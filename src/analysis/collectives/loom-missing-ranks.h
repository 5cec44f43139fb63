/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis and src/report: finds missing ranks. These are ranks that process groups or messages name,
 * but whose files are not open. How long the open ranks wait for missing ranks is unknown, so these waits count as
 * transfer. Immutable when made, freed by its owner, any thread.
 */
#pragma once

#include "loom-run.h"

typedef struct _LoomMissingRanks LoomMissingRanks;

/* Finds the missing ranks of a run. O(collectives and messages + ranks of all groups). */
LoomMissingRanks *loom_missing_ranks_new (LoomRun *run);
void loom_missing_ranks_free (LoomMissingRanks *self);

/* Returns the number of missing ranks. These are the ranks that messages or descriptions of groups name, but of which
 * no file is open. A group without a list states only its size: then the result is at least this size minus the number
 * of open ranks. Returns 0 if fewer than two ranks are open, because then nothing is computed across ranks. */
guint loom_missing_ranks_count (const LoomMissingRanks *self);
/* Returns how many ranks of the group of a sync event are missing. `number`: index of the event's trace in the run.
 * `event`: index of the sync event in the trace. O(1). */
guint loom_missing_ranks_count_of (const LoomMissingRanks *self, guint number, guint32 event);
/* Returns TRUE if a rank sends messages to a missing rank, or receives messages from a missing rank. O(1). */
gboolean loom_missing_ranks_has_peer (const LoomMissingRanks *self, gint rank);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMissingRanks, loom_missing_ranks_free)
