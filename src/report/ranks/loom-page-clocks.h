/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the content about the clocks of a run, for the window's panel of clocks and for reports: sentences, a table
 * with a row for each clock, and charts of the residuals of one clock, which are the time differences that remain after
 * its alignment. Texts are translated. The functions have no side effects, and may be called on any thread.
 */
#pragma once

#include "loom-chart.h"
#include "loom-clock-residuals.h"
#include "loom-result-table.h"
#include "loom-source-overrides.h"

/* Returns the translated name of a clock's state, such as aligned or approximate. Static. */
const char *loom_page_clocks_describe_state (LoomClockState state);
/* Returns a circle that represents the state of a clock: "●" aligned, "◐" derived or approximate, "○" not aligned. */
const char *loom_page_clocks_get_state_dot (LoomClockState state);

/* Returns the numbers (guint) of the clocks of all sources that have times: first the clocks that were compared with
 * other clocks, then all others, both in the order of the sources. Owned by the caller. */
GArray *loom_page_clocks_list (LoomTimeline *timeline);
/* The page lists some clocks in a separate table, which is folded to one line: clocks that share no events with other
 * clocks, and whose times are used as their files declare them. Removes these clocks from `clocks`, and returns them.
 * If there are fewer than three of them, or if no other clock would remain, removes none and returns an empty array.
 * Owned by the caller. O(clocks). */
GArray *loom_page_clocks_take_declared (LoomTimeline *timeline, GArray *clocks);

/* Returns the name of a clock, made from the names of its sources: "rank 3" if the rank has no other clock; otherwise
 * "rank 3 · trace.json" or, for a clock of five sources, "timeline.json + 4". If the user gave the same name to all
 * sources of the clock, the result contains that name. `names`: names that the user gave to sources; may be NULL. Owned
 * by the caller. O(sources). */
char *loom_page_clocks_dup_name (LoomTimeline *timeline, const LoomSourceOverrides *names, guint clock);
/* Returns TRUE if the clock agrees with the other clocks of its group, but there are other groups of clocks. The clocks
 * of different groups share no events, so the order of events of different groups is unknown. O(1). */
gboolean loom_page_clocks_is_partial (LoomTimeline *timeline, const LoomClockFit *fit);
/* Returns a sentence about the quality of the clock's alignment, the reason for it, and the source of the clock's
 * times. Owned by the caller. */
char *loom_page_clocks_dup_fit_quality (LoomTimeline *timeline, guint clock);

/* Returns a sentence that states how far apart two events of different ranks must be for their order to be certain.
 * Owned by the caller. O(clocks). */
char *loom_page_clocks_dup_answer (LoomTimeline *timeline, const GArray *clocks);
/* Returns sentences that explain the distance in the result of loom_page_clocks_dup_answer(), and name the clocks for
 * which no distance is known. Returns "" if neither is necessary. Owned by the caller. O(clocks). */
char *loom_page_clocks_dup_reason (LoomTimeline *timeline, const GArray *clocks);

/* Returns the cells of a row that are hidden in tables on the screen, as one line of text; omits cells that are 0:
 * "Drift (ppb) 12 · Median 3.4 µs". Owned by the caller. */
char *loom_page_clocks_dup_details (const LoomResultTable *table, guint row);
/* Makes a table with a row for each of `clocks`, in the same order. O(sources). */
LoomResultTable *loom_page_clocks_new_table (LoomTimeline *timeline, const LoomSourceOverrides *names,
                                             const GArray *clocks);

/* Returns a chart of the residuals of a clock over time. A residual is the distance of a measured point from the line
 * that converts the times of the clock, or from a line that was not used because it fits badly. Times are relative to
 * `zero_ns` (timeline ns). NULL if `points` is empty. */
LoomChart *loom_page_clocks_new_residuals (LoomTimeline *timeline, guint clock, const GArray *points, gint64 zero_ns);
/* Returns a chart of the time differences between a clock and the other clocks at the ends of the collectives that they
 * share. It has two series: the differences of the times that the file declares, and of the times after the alignment.
 * Times are relative to `zero_ns` (timeline ns). NULL if the file declares no clock, or if both series would be
 * equal. */
LoomChart *loom_page_clocks_new_overlay (LoomTimeline *timeline, guint clock, const GArray *points, gint64 zero_ns);
