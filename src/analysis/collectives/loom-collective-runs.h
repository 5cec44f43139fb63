/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/collectives: finds the run to which the clock of a sync event belongs, so that events of two
 * jobs that are open together are not mixed.
 *
 * Clocks that were aligned with each other (LoomClockFit.component) belong to one run. A clock whose alignment was
 * refused is a run of its own, because its events match those on other clocks by name but not in time. There is one
 * exception: an anchored clock (LoomClockFit.anchored) whose alignment was refused only because it has too few events
 * in common with other clocks. So few events do not show that the clock is wrong. Its declared time is used. Such a
 * clock has no run of its own: its run is LOOM_COMPONENT_NONE. loom_collective_runs_assign() may assign its events to
 * the run of other anchored clocks. Any thread.
 */
#pragma once

#include "loom-collective-matching.h"
#include "loom-timeline.h"

/* Returns the number of the run to which a clock belongs. LOOM_COMPONENT_NONE: the clock is aligned with no other
 * clock, and its declared time is used. `clock`: index of the clock in the LoomRun. O(1). */
guint loom_collective_runs_of_clock (const LoomTimeline *timeline, guint clock);

/* Returns TRUE if times of two clocks can be subtracted. This is so if the two are one clock, if they are aligned with
 * each other, or if both are anchored (LoomClockFit.anchored) and at least one of them has too few events in common
 * with other clocks for an alignment. O(1). */
gboolean loom_collective_runs_are_aligned (const LoomTimeline *timeline, guint a, guint b);

/* Sets runs[i] to the run of the i-th of the `n` members of a match. An anchored member without a run gets the run of
 * another anchored member of the match. Runs in which another member has the same rank are excluded, because they
 * belong to another job. Of several runs, the run of the clock with which the member's clock was compared
 * (LoomClockFit.reference) is preferred. O(n · (1 + number of runs)). */
void loom_collective_runs_assign (const LoomTimeline *timeline, const LoomCollectiveMatchMember *members, guint n,
                                  guint *runs);

/* Returns an array: [clock] number of the clock's job. The number is equal for all clocks of one run, and for all
 * clocks of one node whose times can be compared with those of other clocks. It is needed for events whose clocks
 * belong to different runs: if no other events connect these clocks, only the job shows that the events belong
 * together. Owned by the caller. O(sources · log sources). */
guint *loom_collective_runs_find_jobs (const LoomTimeline *timeline);
