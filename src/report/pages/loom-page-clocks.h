/* SPDX-License-Identifier: Apache-2.0
 *
 * The clocks of a run for display: a table with a row for each clock, and charts of one clock's residuals. Texts are
 * translated. Pure functions, any thread.
 */
#pragma once

#include "loom-chart.h"
#include "loom-clock-residuals.h"
#include "loom-result-table.h"
#include "loom-source-overrides.h"

/* Returns the name of the state, translated. */
const char *loom_page_clocks_describe_state (LoomClockState state);
/* Returns a circle for the state: "●" aligned, "◐" derived or approximate, "○" none. */
const char *loom_page_clocks_get_state_dot (LoomClockState state);

/* Returns the numbers of the clocks (guint) of all sources that have times, in the order of the sources. Owned by the
 * caller. */
GArray *loom_page_clocks_list (LoomTimeline *timeline);

/* Returns the name of a clock, made from its sources: "rank 3" if it is the only clock of the rank, else "rank 3 ·
 * trace.json", "timeline.json + 4". If the user gave the same name to all its sources, the result contains that
 * name. `names`: the names that the user gave to sources; may be NULL. Owned by the caller. O(sources). */
char *loom_page_clocks_dup_name (LoomTimeline *timeline, const LoomSourceOverrides *names, guint clock);
/* Returns a sentence that says how good the clock's alignment is and why, and where its times come from. Owned by the
 * caller. */
char *loom_page_clocks_dup_fit_quality (LoomTimeline *timeline, guint clock);

/* Returns a sentence that says how far apart two events of different ranks must be, so that it is certain which one was
 * first. Owned by the caller. O(clocks). */
char *loom_page_clocks_dup_answer (LoomTimeline *timeline, const GArray *clocks);
/* Returns sentences that give the reason for the distance that loom_page_clocks_dup_answer() states, and name the
 * clocks for which no distance is known; "": there is nothing to say. Owned by the caller. O(clocks). */
char *loom_page_clocks_dup_reason (LoomTimeline *timeline, const GArray *clocks);

/* Returns one line with the cells of a row that tables on the screen don't show: "Drift (ppb) 12 · Median 3.4 µs". Owned
 * by the caller. */
char *loom_page_clocks_dup_details (const LoomResultTable *table, guint row);
/* Makes a table with a row for each of `clocks`, in the same order. O(sources). */
LoomResultTable *loom_page_clocks_new_table (LoomTimeline *timeline, const LoomSourceOverrides *names,
                                             const GArray *clocks);

/* Returns a chart of the residuals of a clock over time: those of the line that converts the times of the clock or, if
 * the fit was refused, those of the refused fit. Times count from `zero_ns`, timeline ns. NULL if there are no
 * points. */
LoomChart *loom_page_clocks_new_residuals (LoomTimeline *timeline, guint clock, const GArray *points, gint64 zero_ns);
/* Returns a chart that shows how far this clock and the others are apart at the ends of the same collectives, in two
 * series: with the times that the file declares, and with the times as the alignment converts them. Times count from
 * `zero_ns`, timeline ns. NULL if the file declares no clock, or if both series of the chart would be equal. */
LoomChart *loom_page_clocks_new_overlay (LoomTimeline *timeline, guint clock, const GArray *points, gint64 zero_ns);
