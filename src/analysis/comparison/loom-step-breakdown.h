/* SPDX-License-Identifier: Apache-2.0
 *
 * Divides the time of each training step of each rank into parts that add up to the step: what the devices of the rank
 * did, and what they waited for. Where several things ran at once, the first part of this list counts:
 *
 *   compute    a device computes
 *   rank wait  communication without computation, before the last member of the collective or the other side of the
 *              message arrived
 *   transfer   communication without computation, after that, or in no matched collective or message
 *   copy       copies alone
 *   data wait  the devices are idle and the training loop waits for its next batch
 *   idle       the devices are idle for another reason; on a rank without spans of devices, everything but data waits
 *
 * A step begins with its first wait for data (loom-data-waits.h) if that comes before its span: Composer and SageMaker
 * record the wait between the steps. Immutable when made, freed by its owner, any thread. Times are timeline ns.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-steps.h"

typedef enum {
  LOOM_STEP_BREAKDOWN_COMPUTE,
  LOOM_STEP_BREAKDOWN_RANK_WAIT,
  LOOM_STEP_BREAKDOWN_TRANSFER,
  LOOM_STEP_BREAKDOWN_COPY,
  LOOM_STEP_BREAKDOWN_DATA_WAIT,
  LOOM_STEP_BREAKDOWN_IDLE,
  LOOM_STEP_BREAKDOWN_N_PARTS,
} LoomStepBreakdownPart;

typedef struct {
  gint64 number; /* −1: not stated */
  gint64 begin_ns, end_ns;
  LoomSpanId span;
  gint64 parts_ns[LOOM_STEP_BREAKDOWN_N_PARTS]; /* their sum is the part of [begin_ns, end_ns) inside the range */
  gint64 recorded_ns;                           /* time in it from the first to the last device work of a trace */
  gboolean is_outlier; /* longer than LOOM_OUTLIER_FACTOR medians of its rank: first steps, checkpoints */
  /* FALSE: devices of the rank are recorded in other steps, and here for less than LOOM_STEP_BREAKDOWN_LEAST_RECORDED of
   * it, so nobody knows whether they were idle. */
  gboolean is_recorded;
} LoomStepTime;

typedef struct {
  const char *node;          /* borrowed from the run; NULL: unknown */
  gint rank;                 /* −1: unknown; each trace of unknown rank counts as a separate rank */
  gboolean has_device;       /* FALSE: the rank has no spans of devices in its steps */
  const LoomStepTime *steps; /* sorted by start */
  guint n_steps;             /* > 0 */
  guint n_recorded;          /* steps that are recorded */
  double median_ns;          /* over all steps */
  /* mean of each part over the recorded steps that are not outliers; over all recorded ones if all are outliers */
  double mean_ns[LOOM_STEP_BREAKDOWN_N_PARTS];
} LoomRankSteps;

typedef struct {
  const LoomRankSteps *ranks; /* sorted by node, then rank, then trace; ranks without steps are omitted */
  guint n_ranks;
  guint n_steps, n_recorded; /* over all ranks */
  double median_ns;          /* over all steps of all ranks; 0 without steps */
  /* mean of each part over the recorded steps that are not outliers, over all recorded ones if all are outliers; 0 without
   * steps */
  double mean_ns[LOOM_STEP_BREAKDOWN_N_PARTS];
  /* Private: */
  LoomTimeline *timeline; /* owns the texts */
  GPtrArray *gathered;    /* Rank */
  GHashTable *known;      /* gint64: trace and number → Rank, as they were found */
  GArray *all;            /* LoomRankSteps */
} LoomStepBreakdown;

/* Returns a stable name for documents: "compute", "rank_wait", … */
const char *loom_step_breakdown_part_to_string (LoomStepBreakdownPart part);

/* Least recorded share of a step: work that ends in the next step is shorter, a stall at the start of a step leaves more. */
#define LOOM_STEP_BREAKDOWN_LEAST_RECORDED 0.1

#define LOOM_STEP_BREAKDOWN_ALL ((LoomRange) { G_MININT64 / 2, G_MAXINT64 / 2 })

/* Divides the steps that overlap `range`. Of a step that is only partly inside, only the time inside counts for the parts,
 * but begin_ns and end_ns stay those of the whole step. If a rank has steps of several formats, those of the format of the
 * ruler's steps are used; if of several modes, those of training. `steps` and `collectives` must be of the same timeline.
 * O(device spans + collectives · ranks + messages + steps · log steps); ranks are computed in parallel. NULL only when
 * cancelled. */
LoomStepBreakdown *loom_step_breakdown_new (LoomTimeline *timeline, LoomSteps *steps, LoomCollectives *collectives,
                                            LoomRange range, GCancellable *cancellable);
/* Sums a part over the steps of all ranks, outliers too. */
gint64 loom_step_breakdown_sum_part (const LoomStepBreakdown *breakdown, LoomStepBreakdownPart part);
void loom_step_breakdown_free (LoomStepBreakdown *breakdown);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStepBreakdown, loom_step_breakdown_free)
