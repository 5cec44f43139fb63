/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/collectives: the run to which the clock of a sync event belongs, so that events of two jobs
 * that are open together are not mixed. Clocks that were aligned with each other (LoomClockFit.component) belong to one
 * run. A clock whose alignment was refused is a run of its own, because its events match those on other clocks by name
 * but not in time. Exception: an anchored clock (LoomClockFit.anchored) that was refused only because it has too few
 * common events. These do not show that its times are wrong, so its declared time is used, and it may belong to the run
 * of other anchored clocks. Such a clock has no run of its own: its run is LOOM_COMPONENT_NONE. Any thread.
 */
#pragma once

#include "loom-collective-matching.h"
#include "loom-timeline.h"

/* Returns the number of the run of a clock; LOOM_COMPONENT_NONE: the clock is connected with no other clock, and its
 * declared time is used. `clock`: index of the clock in the run. O(1). */
guint loom_collective_runs_of_clock (const LoomTimeline *timeline, guint clock);

/* Returns TRUE if times of two clocks can be subtracted: the clocks are equal, are aligned with each other, or are both
 * anchored and one of them has too few common events for an alignment. O(1). */
gboolean loom_collective_runs_are_aligned (const LoomTimeline *timeline, guint a, guint b);

/* Sets `runs` to the run of each of the `n` members of a match. An anchored member without a run gets the run of other
 * anchored members of the match, but not of those that include its rank: these belong to another job. Prefers the run
 * with which its clock was compared. O(n · (1 + number of runs)). */
void loom_collective_runs_assign (const LoomTimeline *timeline, const LoomCollectiveMatchMember *members, guint n,
                                  guint *runs);

/* Returns an array, [clock] number of the job of the clock: equal for clocks of one run, and for clocks of one node, if
 * their times can be compared with those of other clocks. For events whose clocks are of different runs, because only
 * these events connect them. Owned by the caller. O(sources · log sources). */
guint *loom_collective_runs_find_jobs (const LoomTimeline *timeline);
