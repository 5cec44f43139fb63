/* SPDX-License-Identifier: Apache-2.0
 *
 * Two runs that are compared. Their views are linked: both always show the same times, except for a constant offset. A
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
/* Compares these two timelines instead of the previous ones. Takes references, and copies the names of the runs. Must
 * be called after the widgets that draw the views are connected. */
void loom_run_pair_start (LoomRunPair *self, LoomTimeline *const timelines[2], const char *const names[2]);

/* Sets whether the runs are sorted by date when a new pair is set; TRUE at first. If they are sorted, the run that was
 * recorded first becomes run 0, and the note says so if the runs were exchanged. They keep their order if a date is
 * unknown or both dates are equal. loom_run_pair_swap() turns sorting off. */
void loom_run_pair_set_sorts (LoomRunPair *self, gboolean sorts);
/* The next two functions exchange runs 0 and 1, or replace one of them by another run. They must not be called before
 * loom_run_pair_start(). */
void loom_run_pair_swap (LoomRunPair *self);
void loom_run_pair_replace (LoomRunPair *self, guint which, LoomTimeline *timeline, const char *name);
/* Returns the timeline of run 0 or 1. Borrowed until other runs are compared. */
LoomTimeline *loom_run_pair_get_timeline (LoomRunPair *self, guint which);
const char *loom_run_pair_get_name (LoomRunPair *self, guint which);

/* Returns the view of run 0 or 1. Borrowed. */
LoomTimelineState *loom_run_pair_get_view (LoomRunPair *self, guint which);
LoomViewAnimator *loom_run_pair_get_flight (LoomRunPair *self, guint which);

/* Returns the offset between the runs, in ns: a time of run 0 plus this offset is the time of run 1 that is shown at
 * the same place. */
gint64 loom_run_pair_get_offset (LoomRunPair *self);
/* Returns a text that says where the runs are aligned, for example "Aligned at step 3". Borrowed; valid until the
 * signal "aligned" is emitted. */
const char *loom_run_pair_get_alignment (LoomRunPair *self);
/* Aligns the runs at the start of a step. `step`: number of the step or, if the runs have no step number in common, its
 * index among the steps of a run. Returns FALSE if one of the runs does not have this step. */
gboolean loom_run_pair_align_step (LoomRunPair *self, gint64 step);
/* Sets `first` and `last` to the first and the last step that both runs have. Returns FALSE if the runs have no step in
 * common. */
gboolean loom_run_pair_get_steps (LoomRunPair *self, gint64 *first, gint64 *last);

/* Returns the number (0 or 1) of the slower run; −1: the runs don't differ, or are not compared yet. */
int loom_run_pair_get_slower (LoomRunPair *self);
gboolean loom_run_pair_is_working (LoomRunPair *self);
/* loom_run_pair_get_headline() and loom_run_pair_get_table() return the result of the comparison, as one sentence and
 * as a table. Borrowed; NULL until "compared" is emitted. A table that needs steps is also NULL if one of the runs has
 * no steps. */
const char *loom_run_pair_get_headline (LoomRunPair *self);
/* Returns TRUE if the headline names a rank. The figures of this rank are in the table LOOM_COMPARISON_RANKS. */
gboolean loom_run_pair_names_rank (LoomRunPair *self);
/* Returns the sentences below the headline, one per line: that the runs were exchanged, and the notes of the
 * comparison. Borrowed; NULL: no such sentences, or "compared" was not emitted yet. */
const char *loom_run_pair_get_note (LoomRunPair *self);
LoomResultTable *loom_run_pair_get_table (LoomRunPair *self, LoomComparisonTable table);
/* Moves both views to the spans of a row. `table`: LOOM_COMPARISON_NAMES or LOOM_COMPARISON_MODULES; `row`: row of this
 * table, which is a name of spans or a module. Aligns the runs at the longest such span of each run. Does nothing
 * before "compared", and for rows without spans. */
void loom_run_pair_show_row (LoomRunPair *self, LoomComparisonTable table, guint row);
