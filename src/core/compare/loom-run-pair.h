/* SPDX-License-Identifier: Apache-2.0
 *
 * Two runs on a common axis: their views are linked, so that each shows what the other does, moved by the offset. A worker finds
 * the steps of both runs and compares the runs (loom-run-comparison.h). Runs and views are numbered 0 and 1. Main thread only.
 *
 * Signals: "aligned" when the runs are aligned otherwise; "compared" when the steps and the comparison are there.
 */
#pragma once

#include "loom-comparison-report.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_RUN_PAIR (loom_run_pair_get_type ())
G_DECLARE_FINAL_TYPE (LoomRunPair, loom_run_pair, LOOM, RUN_PAIR, GObject)

LoomRunPair *loom_run_pair_new (void);
/* Compares two timelines as they are now, instead of those before; takes references and copies the names of the runs. Call
 * when whatever draws the views follows them. */
void loom_run_pair_start (LoomRunPair *self, LoomTimeline *const timelines[2], const char *const names[2]);

/* Compares the second run with the first instead of the first with the second; or another run in place of one. For pairs
 * that were started. */
void loom_run_pair_swap (LoomRunPair *self);
void loom_run_pair_replace (LoomRunPair *self, guint which, LoomTimeline *timeline, const char *name);
/* Borrowed until other runs are compared. */
const char *loom_run_pair_get_name (LoomRunPair *self, guint which);

/* Borrowed. */
LoomTimelineState *loom_run_pair_get_view (LoomRunPair *self, guint which);
LoomViewAnimator *loom_run_pair_get_flight (LoomRunPair *self, guint which);

/* The nanoseconds to add to a time of run 0 to get the time of run 1 that is shown with it. */
gint64 loom_run_pair_get_offset (LoomRunPair *self);
/* What the runs are aligned at, as in "Aligned at step 3". Borrowed until "aligned". */
const char *loom_run_pair_get_alignment (LoomRunPair *self);
/* Aligns the runs at the beginnings of a step, given by its number, or by its position if the runs have no number in
 * common; FALSE: the runs do not both have it. */
gboolean loom_run_pair_align_step (LoomRunPair *self, gint64 step);
/* The first and last step that both runs have; FALSE: none. */
gboolean loom_run_pair_get_steps (LoomRunPair *self, gint64 *first, gint64 *last);

gboolean loom_run_pair_is_working (LoomRunPair *self);
/* The comparison as a sentence, and as tables. Borrowed; NULL until "compared", and a table that needs steps where a run has
 * none. */
const char *loom_run_pair_get_headline (LoomRunPair *self);
/* Says how steps are matched, to be shown with the headline. Static; NULL: nothing to say. */
const char *loom_run_pair_get_note (LoomRunPair *self);
LoomResultTable *loom_run_pair_get_table (LoomRunPair *self, LoomComparisonTable table);
/* Aligns the runs at the longest spans of the name in that row of the table of names, and shows these. Does nothing until
 * "compared". */
void loom_run_pair_show_row (LoomRunPair *self, guint row);
