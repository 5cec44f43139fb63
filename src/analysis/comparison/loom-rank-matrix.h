/* SPDX-License-Identifier: Apache-2.0
 *
 * The times of all ranks in all steps as a matrix: how long each step of each rank took, which parts it had
 * (loom-step-breakdown.h), and which ranks are outliers. Immutable when made, freed by its owner, any thread. Texts are
 * borrowed from the run of the breakdown.
 *
 *   columns   the numbers of the steps, if every step has a number and no rank uses a number twice; otherwise the
 *             positions of the steps in order of time
 *   outlier   a rank for which two conditions hold. First, its median over its steps differs from the median of all
 *             ranks by more than LOOM_RANK_MATRIX_OUTLIER times 1.4826 times the median absolute deviation of the ranks
 *             (B. Iglewicz and D. Hoaglin, How to Detect and Handle Outliers, 1993). Second, the difference is more
 *             than LOOM_RANK_MATRIX_LEAST of the median duration of a step. The second condition is needed because the
 *             median absolute deviation is tiny if ranks hardly differ.
 */
#pragma once

#include "loom-step-breakdown.h"

typedef enum {
  LOOM_RANK_MATRIX_DURATION,
  LOOM_RANK_MATRIX_COMPUTE,
  /* time in which devices communicate and none of them computes: LOOM_RANK_MATRIX_WAIT plus transfers */
  LOOM_RANK_MATRIX_EXPOSED,
  LOOM_RANK_MATRIX_WAIT, /* the part of LOOM_RANK_MATRIX_EXPOSED in which the rank waits for the last rank */
  LOOM_RANK_MATRIX_IDLE, /* idle time of devices, including waits for data */
  LOOM_RANK_MATRIX_N,
} LoomRankMatrixValue;

#define LOOM_RANK_MATRIX_OUTLIER 3.5
#define LOOM_RANK_MATRIX_LEAST 0.02
/* Outliers are found only if there are at least this many ranks. */
#define LOOM_RANK_MATRIX_LEAST_RANKS 4

typedef struct {
  const char *node; /* NULL: unknown */
  gint rank;        /* −1: unknown */
  gboolean is_outlier[LOOM_RANK_MATRIX_N];
  /* [value] median over those steps of the rank in which the value is known; 0: there are no such steps */
  double median_ns[LOOM_RANK_MATRIX_N];
} LoomRankMatrixRow;

typedef struct {
  LoomRankMatrixRow *rows; /* in the order of LoomStepBreakdown.ranks, one element per rank */
  gint64 *steps;           /* [column] the step's number or position (see `is_numbered`), ascending */
  guint n_rows, n_steps;
  gboolean is_numbered; /* TRUE: `steps` contains numbers of steps; FALSE: positions from 0 */
  /* [value][row × n_steps + column] the value in ns; −1: the rank does not have the step. If the rank's devices are not
   * recorded in the step, all values except the duration are −1, too. */
  gint64 *values[LOOM_RANK_MATRIX_N];
  double median_ns[LOOM_RANK_MATRIX_N]; /* [value] median, over the ranks, of LoomRankMatrixRow.median_ns */
} LoomRankMatrix;

/* Returns the untranslated name of a value for JSON and CSV output: "duration", "compute" … The names never change. */
const char *loom_rank_matrix_value_to_string (LoomRankMatrixValue value);

/* Makes the matrix of all ranks and steps. O(steps of all ranks · log steps). */
LoomRankMatrix *loom_rank_matrix_new (const LoomStepBreakdown *breakdown);
void loom_rank_matrix_free (LoomRankMatrix *matrix);

/* Returns the matrix as CSV, with a line for each step of each rank: node, rank, step and the values in ns. Values
 * that are not recorded are empty. Owned by the caller. */
char *loom_rank_matrix_to_csv (const LoomRankMatrix *matrix);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRankMatrix, loom_rank_matrix_free)
