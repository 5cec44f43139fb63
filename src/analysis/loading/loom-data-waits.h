/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds how long training loops waited for data, for each rank and step. Waits are the spans that fetch the next batch
 * (loom_work_kind_is_data_wait(): `enumerate(DataLoader)…` of PyTorch, `event/dataloader` of Composer, GetNext of
 * SageMaker).
 *
 * - If a rank has other waits in the range, its calls of GetNext are skipped, because these are the same waits, recorded
 *   by a second profiler.
 * - Waits of threads for which the training loop does not wait are skipped, see loom-loop-threads.h.
 * - As in smdebug's analysis of data loaders, a wait is an outlier if it is longer than twice the median.
 * - A wait belongs to the step in which it begins. A wait between two steps belongs to the next step of the rank,
 *   because Composer fetches a batch before it begins the span of the batch. Waits of validation belong to no training
 *   step.
 *
 * Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include "loom-steps.h"

/* a wait is an outlier if it is longer than this multiple of the median wait of its rank */
#define LOOM_DATA_WAIT_OUTLIER 2.0

typedef struct {
  LoomSpanId span;
  gint64 begin_ns, end_ns; /* on the timeline */
  /* the step to which the wait belongs: the step that contains it or, if there is none, the next step;
   * LOOM_SPAN_ID_NONE: there is no next step */
  LoomSpanId step;
  gint64 step_number; /* number of `step`; −1: the number is not stated, or `step` is LOOM_SPAN_ID_NONE */
  gboolean outlier;
} LoomDataWait;

/* A step that contains waits, the number of these waits, and their total time. */
typedef struct {
  LoomStep step; /* the texts of the step are borrowed from the run */
  guint n_waits;
  gint64 wait_ns;
} LoomDataStep;

typedef struct {
  const char *node;     /* borrowed from the run; NULL: unknown */
  gint rank;            /* −1: unknown; then each trace counts as a separate rank */
  gboolean is_process;  /* TRUE if `rank` is a process id, see loom-track-rank.h */
  const char *format;   /* format of the file that recorded the first wait; borrowed from the run */
  const guint *sources; /* the sources that contain waits: indices in the run, ascending */
  guint n_sources;
  const LoomDataWait *waits; /* sorted by start */
  guint n_waits;
  gboolean are_calls;        /* TRUE if the waits are SageMaker's calls of GetNext */
  const LoomDataStep *steps; /* sorted by start */
  guint n_steps;
  /* total_ns: sum of the durations of the waits; max_ns: duration of the longest wait. Both include parts of waits
   * outside the range. */
  gint64 total_ns, max_ns;
  gint64 in_range_ns; /* like total_ns, but without the parts of waits outside the range */
  double median_ns;   /* median duration of the waits; if their number is even, the mean of the two in the middle */
  guint n_outliers;
  gint64 steps_ns; /* total time of all steps of the rank inside the range, including steps without a wait */
  /* total time of those parts of waits that are inside the range and inside the step to which the wait belongs;
   * in_steps_ns ÷ steps_ns is the share of its steps during which the rank waits */
  gint64 in_steps_ns;
} LoomDataRank;

typedef struct {
  const LoomDataRank *ranks; /* sorted by node, rank, trace; ranks without waits in the range are omitted */
  guint n_ranks;
  gboolean any;           /* TRUE if the run has waits, inside or outside the range */
  gboolean any_step;      /* TRUE if at least one wait belongs to a step */
  LoomTimeline *timeline; /* a reference to the timeline of the waits */
  /* Private: */
  LoomSteps *steps;
  LoomRange range;
  GPtrArray *gathered; /* array of Rank; used only while the waits of the ranks are gathered */
  /* hash table for finding a rank quickly. Key: number of the rank or, for a trace of unknown rank, a negative number.
   * Value: the last Rank that was added with this number */
  GHashTable *by_number;
  GArray *all; /* LoomDataRank: owns `ranks` */
} LoomDataWaits;

/* Finds the waits that touch the range. `steps` must be of the same timeline; NULL: waits are not assigned to steps.
 * O(names + spans of rows that contain waits). NULL only when cancelled. */
LoomDataWaits *loom_data_waits_new (LoomTimeline *timeline, LoomSteps *steps, LoomRange range,
                                    GCancellable *cancellable);
/* Finds the waits of the whole run. The waits are not assigned to steps. NULL only when cancelled. */
LoomDataWaits *loom_data_waits_new_of_run (LoomTimeline *timeline, GCancellable *cancellable);
void loom_data_waits_free (LoomDataWaits *waits);

/* Returns the rank with this number on this node; NULL if it has no waits in the range. O(log ranks). */
const LoomDataRank *loom_data_waits_find_rank (const LoomDataWaits *waits, const char *node, gint rank);
/* Returns the index of the first wait that ends after `time_ns`; the number of waits if none does. O(log waits). */
guint loom_data_waits_first_ending_after (const LoomDataRank *rank, gint64 time_ns);
/* Returns for how long the rank waits inside of `range`. O(log waits + waits in the range). */
gint64 loom_data_waits_sum_in_range (const LoomDataRank *rank, LoomRange range);

/* Returns NULL if there are waits in the range, else a translated sentence with the reason why there are none.
 * Static. */
const char *loom_data_waits_get_missing (const LoomDataWaits *waits);
/* Returns NULL if waits could be assigned to steps, else a translated sentence with the reason why this was not
 * possible. Static. */
const char *loom_data_waits_get_missing_steps (const LoomDataWaits *waits);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomDataWaits, loom_data_waits_free)
