/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. Counts the problems that loom_trace_builder_freeze() finds. Each worker thread has separate
 * counts; in the end, their sums are written to the logs of the sources.
 */
#pragma once

#include "loom-source.h"

typedef enum {
  LOOM_ISSUE_ORPHAN_END,
  LOOM_ISSUE_OPEN_SPAN,
  LOOM_ISSUE_CUT_AT_NEXT,
  LOOM_ISSUE_NEGATIVE_DURATION,
  LOOM_ISSUE_ORPHAN_ASYNC,
  LOOM_ISSUE_OPEN_ASYNC,
  LOOM_ISSUE_UNBOUND_FLOW,
  LOOM_ISSUE_TOO_MANY_TRACKS,
  LOOM_ISSUE_DEEP_NESTING,
  LOOM_N_ISSUES,
} LoomIssue;

typedef struct {
  GArray *entries; /* one entry for each combination of a kind of problem and a source; NULL until a problem is
                    * counted */
} LoomProblemCounts;

/* Counts a problem. `owner`: source for which the problem is reported if `ref` has no source. */
void loom_problem_counts_add (LoomProblemCounts *tally, LoomIssue issue, LoomRef ref, guint owner);
/* Adds the counts of `other` to those of `tally`. */
void loom_problem_counts_join (LoomProblemCounts *tally, const LoomProblemCounts *other);
void loom_problem_counts_clear (LoomProblemCounts *tally);

/* Writes the counts into the logs of `sources` (LoomSource *). */
void loom_problem_counts_report (const LoomProblemCounts *tally, GPtrArray *sources);
