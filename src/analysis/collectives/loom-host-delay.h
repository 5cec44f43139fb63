/* SPDX-License-Identifier: Apache-2.0
 *
 * The ranks that are late because the same work takes longer on their hosts, such as ranks that wait for data on the same
 * slow storage. If several ranks are late together, repairing only one of them saves little, because the others still
 * wait for the rest. Immutable, any thread.
 */
#pragma once

#include "loom-stragglers.h"

typedef struct {
  const LoomStraggler **ranks; /* sorted by rank; borrowed from the LoomStragglers */
  guint n;                     /* ≥ 1 */
  const LoomStraggler *main;   /* one of `ranks`: the one for which the other ranks wait longest */
  const char *before;          /* LoomStraggler.before of all these ranks; borrowed from the run */
  gint64 before_ns;            /* the longest LoomStraggler.before_ns of these ranks */
  gint64 latest_ns;            /* the longest LoomStraggler.latest_ns of these ranks */
  gint64 saved_ns;             /* what repairing all these ranks would save, see loom_stragglers_sum_saving() */
} LoomHostDelay;

/* Finds the ranks that are late because of their hosts (LoomStraggler.on_host). The main one is the first such rank among
 * the ranks for which other ranks wait about as long as for LoomStragglers.ranks[0]. Not only ranks[0] is considered,
 * because it need not be the cause: if it waits for another rank of its pipeline, the ranks of its own group wait for it
 * just as long. `before_ns` must be at least half of `behind_ns`, or a tenth if `correlation` is at least 0.5: ranks that
 * are late because of a slow link also have some work on their hosts that takes a little longer. The other ranks are those
 * that are late because of the same work, and for which others wait at least half as long as for the main one. Returns
 * NULL if there is no such rank. O(ranks), and loom_stragglers_sum_saving(). */
LoomHostDelay *loom_host_delay_find (const LoomStragglers *stragglers);
void loom_host_delay_free (LoomHostDelay *delay);

/* Returns the ranks as a list of numbers for a sentence: "3", "2 and 3". Owned by the caller. */
char *loom_host_delay_dup_ranks (const LoomHostDelay *delay);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomHostDelay, loom_host_delay_free)
