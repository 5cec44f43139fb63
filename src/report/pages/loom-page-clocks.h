/* SPDX-License-Identifier: Apache-2.0
 *
 * The clocks of a run as people look at them: a table with a row for each, and for one of them its residuals as charts.
 * Words are translated. Pure functions, any thread.
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

/* Flat numbers of the clocks that sources with times use, in the order of these; guint. The caller owns it. */
GArray *loom_page_clocks_list (LoomTimeline *timeline);

/* What the sources of a clock are called: "rank 3" where that is the only clock of the rank, else "rank 3 · trace.json",
 * "timeline.json + 4"; with the name a person gave all of them, in `names`, which may be NULL. Owned. Cost O(sources). */
char *loom_page_clocks_dup_name (LoomTimeline *timeline, const LoomSourceOverrides *names, guint clock);
/* A sentence on how good the clock's alignment is, why, and where its times come from. Owned by the caller. */
char *loom_page_clocks_dup_fit_quality (LoomTimeline *timeline, guint clock);

/* Makes a table with a row for each of `clocks`, in the same order. Cost O(sources). */
LoomResultTable *loom_page_clocks_new_table (LoomTimeline *timeline, const LoomSourceOverrides *names,
                                             const GArray *clocks);

/* The residuals over time: of the clock as it is in force, or of the fit where that was refused. NULL without points. */
LoomChart *loom_page_clocks_new_residuals (LoomTimeline *timeline, guint clock, const GArray *points);
/* How far the ends were apart as declared and are now, on one scale; NULL where nothing is declared or nothing differs. */
LoomChart *loom_page_clocks_new_overlay (LoomTimeline *timeline, guint clock, const GArray *points);
