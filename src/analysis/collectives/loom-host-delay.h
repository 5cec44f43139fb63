/* SPDX-License-Identifier: Apache-2.0
 *
 * The ranks that are late because the same work takes longer on their hosts. For example, several ranks may wait for
 * data on the same slow storage. Such ranks are reported together: repairing only one of them saves little, because the
 * others are still late. Immutable, any thread.
 */
#pragma once

#include "loom-stragglers.h"

typedef struct {
  const LoomStraggler **ranks; /* sorted by rank; borrowed from the LoomStragglers */
  guint n;                     /* ≥ 1 */
  const LoomStraggler *main;   /* the one of `ranks` for which the other ranks wait longest */
  const char *before;          /* the work that makes `ranks` late: their LoomStraggler.before; borrowed from the run */
  gint64 before_ns;            /* longest LoomStraggler.before_ns of `ranks` */
  gint64 latest_ns;            /* longest LoomStraggler.latest_ns of `ranks` */
  gint64 saved_ns;             /* time that is saved if all of `ranks` are repaired, see loom_stragglers_sum_saving() */
} LoomHostDelay;

/* Finds the ranks that are late because of work on their hosts (LoomStraggler.on_host). The before_ns of such a rank
 * must be at least half of its behind_ns; if its `correlation` is at least 0.5, a tenth is enough. Smaller values do
 * not count, because ranks that are late because of a slow link also have some work on their hosts that takes a little
 * longer.
 *
 * `main` is the first such rank among the ranks for which other ranks wait about as long as for
 * LoomStragglers.ranks[0]. ranks[0] itself need not be the cause: it may be late because it waits for another rank of
 * its pipeline. The ranks of its group then wait for ranks[0] as long as other ranks wait for the cause. `ranks` are
 * `main` and the other ranks that are late because of the same work, and for which others wait at least half as long as
 * for `main`. Returns NULL if there is no `main`. O(ranks), plus the cost of loom_stragglers_sum_saving(). */
LoomHostDelay *loom_host_delay_find (const LoomStragglers *stragglers);
void loom_host_delay_free (LoomHostDelay *delay);

/* Returns the ranks as a list of numbers for a sentence: "3", "2 and 3". Owned by the caller. */
char *loom_host_delay_dup_ranks (const LoomHostDelay *delay);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomHostDelay, loom_host_delay_free)
