/* SPDX-License-Identifier: Apache-2.0
 *
 * Two runs that are compared, called run 0 and run 1. Each run has its own view. Both views always show the same times,
 * except for a constant offset. Both views have the extent of both runs together, so that their overviews have the same
 * scale. A worker thread finds the steps of both runs and compares the runs (loom-run-comparison.h). Main thread only.
 *
 * Signals: "aligned" when the offset has changed; "compared" when the comparison has been computed.
 */
#pragma once

#include "loom-comparison-report.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_RUN_PAIR (loom_run_pair_get_type ())
G_DECLARE_FINAL_TYPE (LoomRunPair, loom_run_pair, LOOM, RUN_PAIR, GObject)

LoomRunPair *loom_run_pair_new (void);
/* Starts the comparison of two timelines, which replace the previous ones. Takes references to the timelines, and
 * copies the names of the runs. Must be called after the widgets that draw the views have been connected. */
void loom_run_pair_start (LoomRunPair *self, LoomTimeline *const timelines[2], const char *const names[2]);

/* Sets whether two new runs are sorted by date; the initial value is TRUE. If TRUE, the run that was recorded first
 * becomes run 0. If the runs were exchanged, loom_run_pair_get_note() says so. If a date is unknown, or if both dates
 * are equal, the order does not change. loom_run_pair_swap() sets the value to FALSE. */
void loom_run_pair_set_sorts (LoomRunPair *self, gboolean sorts);
/* loom_run_pair_swap() exchanges run 0 and run 1. loom_run_pair_replace() replaces run `which` by another run. Before
 * these functions, loom_run_pair_start() must have been called. */
void loom_run_pair_swap (LoomRunPair *self);
void loom_run_pair_replace (LoomRunPair *self, guint which, LoomTimeline *timeline, const char *name);
/* Returns the timeline of run 0 or run 1. Borrowed until other runs are compared. */
LoomTimeline *loom_run_pair_get_timeline (LoomRunPair *self, guint which);
const char *loom_run_pair_get_name (LoomRunPair *self, guint which);
/* Returns the number (0 or 1) of the run that was recorded earlier; −1 if a date is unknown, or if both dates are
 * equal. */
int loom_run_pair_get_earlier (LoomRunPair *self);

/* Returns the view of run 0 or run 1; borrowed. */
LoomTimelineState *loom_run_pair_get_view (LoomRunPair *self, guint which);
LoomViewAnimator *loom_run_pair_get_flight (LoomRunPair *self, guint which);

/* Returns the offset between the runs in ns. The time t of run 0 is shown at the same place as the time t + offset
 * of run 1. */
gint64 loom_run_pair_get_offset (LoomRunPair *self);
/* Returns a text that says where the runs are aligned, for example "Aligned at step 3". Borrowed until the signal
 * "aligned" is emitted. */
const char *loom_run_pair_get_alignment (LoomRunPair *self);
/* Aligns the runs at the start of a step. `step` is the number of the step. If no step number occurs in both runs,
 * `step` is the position of the step in each run, from 1. Returns FALSE if one of the runs does not have this step. */
gboolean loom_run_pair_align_step (LoomRunPair *self, gint64 step);
/* Sets `first` and `last` to the first and last value of `step` for which loom_run_pair_align_step() finds a step in
 * both runs. Returns FALSE if the runs have no step in common. Must not be called before "compared" was emitted. */
gboolean loom_run_pair_get_steps (LoomRunPair *self, gint64 *first, gint64 *last);

/* Returns the number (0 or 1) of the slower run; −1 if the runs are equally fast, or if they have not been compared
 * yet. */
int loom_run_pair_get_slower (LoomRunPair *self);
gboolean loom_run_pair_is_working (LoomRunPair *self);
/* loom_run_pair_get_headline() returns the result of the comparison as one sentence; loom_run_pair_get_table()
 * returns it as a table. Both are borrowed, and are NULL until "compared" is emitted. A table that needs steps is
 * also NULL if one of the runs has no steps. */
const char *loom_run_pair_get_headline (LoomRunPair *self);
/* Returns TRUE if the headline names a rank. The figures of this rank are in the table LOOM_COMPARISON_RANKS. */
gboolean loom_run_pair_names_rank (LoomRunPair *self);
/* Returns the sentences below the headline, one in each line: whether the runs were exchanged, and the notes of the
 * comparison. Borrowed. NULL if there are no such sentences, or if "compared" has not been emitted yet. */
const char *loom_run_pair_get_note (LoomRunPair *self);
LoomResultTable *loom_run_pair_get_table (LoomRunPair *self, LoomComparisonTable table);
/* Moves both views to the spans of a row of a table. `table`: LOOM_COMPARISON_NAMES or LOOM_COMPARISON_MODULES.
 * `row`: index of the row, which contains a name of spans or a module. Aligns the runs at the longest of these spans
 * in each run. Does nothing for a row without spans, or before "compared" was emitted. */
void loom_run_pair_show_row (LoomRunPair *self, LoomComparisonTable table, guint row);
