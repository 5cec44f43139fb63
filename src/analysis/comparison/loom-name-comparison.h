/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares two runs by span name: how often spans of this name ran in each run, their mean duration, and for which
 * names these numbers changed most. Immutable when made, freed by its owner, any thread.
 */
#pragma once

#include "loom-range-statistics.h"
#include "loom-step-breakdown.h"
#include "loom-work-kind.h"

/* The statistics of a name in two runs. Elements of arrays: [0] first run, [1] second run. If a count is 0, the name
 * doesn't occur in that run, and the other elements for the run are undefined. */
typedef struct {
  const char *name, *category; /* borrowed from the comparison or from the runs */
  LoomWorkKind work;           /* kind of work of a span with this name on the host */
  guint64 count[2];
  gint64 mean_ns[2], total_ns[2], max_ns[2]; /* durations of whole spans, including their parts outside the range */
  gint64 in_range_ns[2];                     /* time of the spans inside the compared range */
  /* [run] time of the spans with this name per step, in ns, summed over all ranks; 0 if the run has no steps. For each
   * rank, the spans between the start of its first step and the end of its last step count. Their time is divided by
   * the number of the rank's steps or, for work on devices, by the number of its steps in which devices are recorded.
   * There are also tracks that belong to no rank with steps. Their spans count between the first and the last step of
   * any rank, and their time is divided by the mean number of steps of a rank. */
  double per_step_ns[2];
  LoomSpanId longest[2];
} LoomNameChange;

typedef struct {
  /* LoomNameChange: first the names that occur in both runs, sorted by the change of their mean; then the names that
   * occur in one run, sorted by their time inside the range */
  GArray *rows;
  LoomTimeline *timelines[2]; /* private: the compared timelines, which own the names */
  GStringChunk *texts;        /* private: owns the names in which numbers were replaced by "#" */
} LoomNameComparison;

/* Compares the names of all spans of two timelines. Addresses and the numbers after "#" and "rank" are replaced by "#";
 * names are the same if text and category are equal after this replacement. A name that occurs only in the first run is
 * joined with a name that occurs only in the second run if they differ only in numbers. Costs twice as much as
 * loom_range_statistics_new(). NULL only when cancelled. */
LoomNameComparison *loom_name_comparison_new (LoomTimeline *first, LoomTimeline *second, GCancellable *cancellable);

/* A run whose names are compared. */
typedef struct {
  LoomTimeline *timeline;
  const LoomStepBreakdown *breakdown; /* the run's steps; NULL: the time per step is not computed */
  gboolean has_range;                 /* TRUE if only spans that touch `range` count */
  /* TRUE if the spans of each rank count only between the start of its first step and the end of its last step. Each
   * rank has its own range, because ranks take the same step at different times. */
  gboolean in_steps;
  LoomRange range; /* on the timeline */
} LoomNameComparisonRun;

/* Like loom_name_comparison_new(), but also computes the time per step. For each rank, this costs about as much as one
 * more call of loom_range_statistics_new(). */
LoomNameComparison *loom_name_comparison_new_of_steps (const LoomNameComparisonRun runs[2], GCancellable *cancellable);
void loom_name_comparison_free (LoomNameComparison *changes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNameComparison, loom_name_comparison_free)
