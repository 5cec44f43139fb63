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

/* The name of the state, translated. */
const char *loom_page_clocks_describe_state (LoomClockState state);
/* A circle for the state: "●" aligned, "◐" derived or approximate, "○" none. */
const char *loom_page_clocks_get_state_dot (LoomClockState state);

/* The numbers of the clocks (guint) of sources that have times, in the order of the sources. The caller owns it. */
GArray *loom_page_clocks_list (LoomTimeline *timeline);

/* The name of a clock, made from its sources: "rank 3" if it is the only clock of the rank, else "rank 3 ·
 * trace.json", "timeline.json + 4"; with the user's name in `names` (may be NULL) if all sources have the same one.
 * Owned by the caller. O(sources). */
char *loom_page_clocks_dup_name (LoomTimeline *timeline, const LoomSourceOverrides *names, guint clock);
/* Returns a sentence on how good the clock's alignment is, why, and where its times come from. Owned by the caller. */
char *loom_page_clocks_dup_fit_quality (LoomTimeline *timeline, guint clock);

/* Returns a sentence with the distance in time from which the order of events of different ranks is certain. Owned by the
 * caller. O(clocks). */
char *loom_page_clocks_dup_answer (LoomTimeline *timeline, const GArray *clocks);
/* Returns sentences with the reason for that distance, and the clocks for which it is unknown; may be "". Owned by the
 * caller. O(clocks). */
char *loom_page_clocks_dup_reason (LoomTimeline *timeline, const GArray *clocks);

/* Makes a table with a row for each of `clocks`, in the same order. Cost O(sources). */
/* One line with the columns that tables on the screen don't show: "Drift, ppb 12 · Median 3.4 µs". Owned by the
 * caller. */
char *loom_page_clocks_dup_details (const LoomResultTable *table, guint row);
LoomResultTable *loom_page_clocks_new_table (LoomTimeline *timeline, const LoomSourceOverrides *names,
                                             const GArray *clocks);

/* The charts count time from `zero_ns`, timeline ns. */
/* Returns the residuals over time: of the line that is used, or of the fit if that was refused. NULL without points. */
LoomChart *loom_page_clocks_new_residuals (LoomTimeline *timeline, guint clock, const GArray *points, gint64 zero_ns);
/* Returns the distances of the ends of collectives by the declared clock and by the line that is used, on one scale; NULL if
 * nothing is declared or the two are the same. */
LoomChart *loom_page_clocks_new_overlay (LoomTimeline *timeline, guint clock, const GArray *points, gint64 zero_ns);
