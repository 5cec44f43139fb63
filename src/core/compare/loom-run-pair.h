/* SPDX-License-Identifier: Apache-2.0
 *
 * Two runs that are compared. Their views are linked: each always shows the same times as the other, plus an offset. A
 * worker finds the steps of both runs and compares the runs (loom-run-comparison.h). Runs and views have the numbers 0
 * and 1. Main thread only.
 *
 * Both views have the extent of both runs, so that their overviews have one scale.
 *
 * Signals: "aligned" when the offset has changed; "compared" when the comparison is computed.
 */
#pragma once

#include "loom-comparison-report.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_RUN_PAIR (loom_run_pair_get_type ())
G_DECLARE_FINAL_TYPE (LoomRunPair, loom_run_pair, LOOM, RUN_PAIR, GObject)

LoomRunPair *loom_run_pair_new (void);
/* Compares these two timelines instead of the previous ones. Takes references, copies the names of the runs. Call it
 * after connecting the widgets that draw the views. */
void loom_run_pair_start (LoomRunPair *self, LoomTimeline *const timelines[2], const char *const names[2]);

/* Sets whether runs are sorted by date when a new pair is set; the default is TRUE. Then the run that was recorded
 * first becomes run 0, and the note says so if the runs were exchanged. The runs keep their order if a date is unknown
 * or both are equal. loom_run_pair_swap() turns sorting off. */
void loom_run_pair_set_sorts (LoomRunPair *self, gboolean sorts);
/* Exchange the runs 0 and 1, or replace one of them by another run. Call only after loom_run_pair_start(). */
void loom_run_pair_swap (LoomRunPair *self);
void loom_run_pair_replace (LoomRunPair *self, guint which, LoomTimeline *timeline, const char *name);
/* Returns the timeline of run 0 or 1. Borrowed until other runs are compared. */
LoomTimeline *loom_run_pair_get_timeline (LoomRunPair *self, guint which);
const char *loom_run_pair_get_name (LoomRunPair *self, guint which);

/* Borrowed. */
LoomTimelineState *loom_run_pair_get_view (LoomRunPair *self, guint which);
LoomViewAnimator *loom_run_pair_get_flight (LoomRunPair *self, guint which);

/* Returns the nanoseconds to add to a time of run 0 to get the time of run 1 that is shown with it. */
gint64 loom_run_pair_get_offset (LoomRunPair *self);
/* Returns a text that says where the runs are aligned, for example "Aligned at step 3". Borrowed until "aligned". */
const char *loom_run_pair_get_alignment (LoomRunPair *self);
/* Aligns the runs at the start of a step. `step`: number of the step or, if the runs have no step number in common, its
 * index among the steps of a run. Returns FALSE if one of the runs does not have this step. */
gboolean loom_run_pair_align_step (LoomRunPair *self, gint64 step);
/* Gets the first and the last step that both runs have. Returns FALSE if there is none. */
gboolean loom_run_pair_get_steps (LoomRunPair *self, gint64 *first, gint64 *last);

/* Returns the number of the slower run; −1: they don't differ, or are not compared yet. */
int loom_run_pair_get_slower (LoomRunPair *self);
gboolean loom_run_pair_is_working (LoomRunPair *self);
/* The result of the comparison as one sentence and as tables. Borrowed. NULL before "compared"; a table that needs
 * steps is NULL if one of the runs has none. */
const char *loom_run_pair_get_headline (LoomRunPair *self);
/* Returns sentences, one a line, shown below the headline: that the runs were reordered, and the notes of the comparison.
 * Borrowed; NULL: there are none, or before "compared". */
const char *loom_run_pair_get_note (LoomRunPair *self);
LoomResultTable *loom_run_pair_get_table (LoomRunPair *self, LoomComparisonTable table);
/* `row`: row of the table of names, that is, a name of spans. Aligns the runs at the longest span of this name in each
 * run, and moves each view to its span. Does nothing before "compared". */
void loom_run_pair_show_row (LoomRunPair *self, guint row);
