/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/collectives: finds the run to which the clock of a sync event belongs, so that events of two
 * jobs that are open together are not mixed.
 *
 * Clocks that were aligned with each other (LoomClockFit.component) belong to one run. A clock whose alignment was
 * refused is a run of its own, because its events match those on other clocks by name but not in time. There is one
 * exception: an anchored clock (LoomClockFit.anchored) whose alignment was refused for the sole reason that the clock
 * has too few events in common with other clocks. This reason does not show that the clock is wrong, so its declared
 * time is used. The run of such a clock is LOOM_COMPONENT_NONE, and loom_collective_runs_assign() may assign its events
 * to the run of other anchored clocks. Any thread.
 */
#pragma once

#include "loom-collective-matching.h"
#include "loom-timeline.h"

/* Returns the number of the run to which a clock belongs. LOOM_COMPONENT_NONE: the clock is aligned with no other
 * clock, and its declared time is used. `clock`: index of the clock in the LoomRun. O(1). */
guint loom_collective_runs_of_clock (const LoomTimeline *timeline, guint clock);

/* Returns TRUE if times of the clocks `a` and `b` can be subtracted. They can if `a` and `b` are one clock; or if the
 * clocks are aligned with each other; or if both are anchored (LoomClockFit.anchored), and at least one of them has too
 * few events in common with other clocks for an alignment. O(1). */
gboolean loom_collective_runs_are_aligned (const LoomTimeline *timeline, guint a, guint b);

/* Sets runs[i] to the run of members[i]. The `n` members are a match: sync events that loom-collective-matching.h found
 * to be one collective. An anchored member without a run gets the run of another anchored member of the match. A run in
 * which another member already has the same rank is excluded, because it belongs to another job. If several runs are
 * possible, prefers the run of the clock with which the member's clock was compared (LoomClockFit.reference). O(n · (1
 * + number of runs)). */
void loom_collective_runs_assign (const LoomTimeline *timeline, const LoomCollectiveMatchMember *members, guint n,
                                  guint *runs);

/* Returns an array: [clock] number of the job to which the clock belongs. Clocks of one run have equal numbers. Clocks
 * of one node also have equal numbers, except clocks that are a run of their own because their alignment was refused.
 * If the clocks of two events are in different runs, only equal job numbers can show that the events belong together.
 * Owned by the caller. O(sources · log sources). */
guint *loom_collective_runs_find_jobs (const LoomTimeline *timeline);
