/* SPDX-License-Identifier: Apache-2.0
 *
 * Divides the time of each training step of each rank into parts that add up to the step. A part is the time in which
 * the devices do, or wait for, one kind of thing. If several parts apply at the same time, the first one in this list
 * counts:
 *
 *   compute    a device computes
 *   rank wait  devices communicate and do not compute, and the last rank of the collective, or the other side of the
 *              message, has not arrived yet
 *   transfer   devices communicate and do not compute, and all ranks have arrived, or the other ranks are unknown
 *   copy       devices only copy memory
 *   data wait  the devices are idle, and the training loop waits for its next batch
 *   idle       the devices are idle for another reason; on a rank without spans of devices, all time except data waits
 *
 * Composer and SageMaker record the wait for a batch before the span of the step. Such a wait (loom-data-waits.h)
 * counts as the beginning of the step, unless more than a quarter of the step's duration lies between the wait and the
 * span. Immutable when made, freed by its owner, any thread. Times are timeline ns.
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
  /* [part] time of this part in the step. Only time inside the range of the LoomStepBreakdown counts; the sum over all
   * parts is the time of the step inside the range. */
  gint64 parts_ns[LOOM_STEP_BREAKDOWN_N_PARTS];
  gint64 collective_waits_ns; /* part of the rank wait that is spent in collectives; the rest is spent in messages */
  /* time of the step in which devices communicate after the last rank arrived, even if they also compute;
   * parts_ns[LOOM_STEP_BREAKDOWN_TRANSFER] is the part without computation */
  gint64 transfers_ns;
  /* time of the step that lies in waits for data, even if devices work at that time;
   * parts_ns[LOOM_STEP_BREAKDOWN_DATA_WAIT] is the part without work of devices */
  gint64 data_waits_ns;
  gint64 recorded_ns; /* part of the step's time during which devices were recorded */
  /* TRUE if the step is longer than LOOM_OUTLIER_FACTOR times the median step of its rank, as first steps and
   * checkpoints often are */
  gboolean is_outlier;
  /* FALSE if the rank's devices are recorded for less than LOOM_STEP_BREAKDOWN_LEAST_RECORDED of this step, although
   * devices are recorded in other steps or on other ranks. Then it is unknown whether the devices were idle. */
  gboolean is_recorded;
} LoomStepTime;

typedef struct {
  const char *node;    /* borrowed from the run; NULL: unknown */
  gint rank;           /* −1: unknown; then each trace counts as a separate rank */
  gboolean is_process; /* TRUE if `rank` is a process id, see loom-track-rank.h */
  /* name of the device, borrowed from the run; set only by loom_step_breakdown_new_of_range(), else NULL */
  const char *device;
  gboolean has_device;       /* TRUE if devices of the rank are recorded in the rank's steps */
  const LoomStepTime *steps; /* sorted by start */
  guint n_steps;             /* always > 0 */
  guint n_recorded;          /* number of steps whose is_recorded is TRUE */
  double median_ns;          /* median length of all steps */
  /* [part] mean over the recorded steps that are not outliers; if all recorded steps are outliers, mean over all
   * recorded steps */
  double mean_ns[LOOM_STEP_BREAKDOWN_N_PARTS];
} LoomRankSteps;

typedef struct {
  const LoomRankSteps *ranks; /* sorted by node, then rank, then trace; ranks without steps are omitted */
  guint n_ranks;
  guint n_steps, n_recorded; /* sums of LoomRankSteps.n_steps and n_recorded over all ranks */
  double median_ns;          /* median length of all steps of all ranks; 0: there are no steps */
  gboolean has_early_waits;  /* TRUE if a step includes a wait for data that is recorded before the span of the step */
  /* [part] mean over the ranks. A rank counts with its own mean over its recorded steps that are not outliers; ranks
   * without such steps do not count. If all recorded steps of all ranks are outliers, outliers count. 0 if there are no
   * steps */
  double mean_ns[LOOM_STEP_BREAKDOWN_N_PARTS];
  /* Private: */
  LoomTimeline *timeline; /* referenced because it owns the texts */
  GPtrArray *gathered;    /* LoomStepBreakdownRank: the ranks while their steps and waits are gathered */
  GHashTable *known;      /* cache of loom_step_breakdown_find_rank(): LoomRankKey → element of `gathered` */
  GHashTable *by_number; /* number of a rank → GPtrArray of the elements with this number, in the order of `gathered` */
  GArray *all;           /* LoomRankSteps: owns `ranks` */
} LoomStepBreakdown;

/* Returns the untranslated name of a part for JSON and CSV output: "compute", "rank_wait", … The names never change. */
const char *loom_step_breakdown_part_to_string (LoomStepBreakdownPart part);

/* Devices count as recorded in a step if they are recorded for at least this share of the step. If the share is
 * smaller, the recorded work may be the end of another step's work. The limit is low because devices may stall soon
 * after the start of a step. */
#define LOOM_STEP_BREAKDOWN_LEAST_RECORDED 0.1

#define LOOM_STEP_BREAKDOWN_ALL ((LoomRange) { G_MININT64 / 2, G_MAXINT64 / 2 })

/* Divides the steps that overlap `range` into parts. If a rank has a step that lies mostly inside the range, its steps
 * with only a small part inside the range are omitted, see LOOM_RANGES_MOSTLY. Only time inside the range is added to
 * the parts, but begin_ns and end_ns are those of the whole step. If a rank has steps in files of several formats, only
 * the steps of one format are used: the format whose steps the time ruler of the window shows. If a rank has steps of
 * several modes, only training steps are used. `steps` and `collectives` must be of the same timeline. O(device spans +
 * collectives · ranks + messages + steps · log steps); ranks are computed in parallel. NULL only when cancelled. */
LoomStepBreakdown *loom_step_breakdown_new (LoomTimeline *timeline, LoomSteps *steps, LoomCollectives *collectives,
                                            LoomRange range, GCancellable *cancellable);
/* Divides the range itself, instead of steps, into the same parts. The result has an element for each rank whose
 * devices are recorded in the range or, if no rank of the run is known, for each device. The `steps` of an element are
 * the parts of the range in which its devices are recorded: one step for each file with work of these devices. The
 * number of such a step is −1, and its `span` is a span of work of the devices. If no rank is known, waits for other
 * ranks are unknown, too, and count as transfer. O(device spans in the range · log rows + collectives · ranks +
 * messages + steps). NULL only when cancelled. */
LoomStepBreakdown *loom_step_breakdown_new_of_range (LoomTimeline *timeline, LoomSteps *steps,
                                                     LoomCollectives *collectives, LoomRange range,
                                                     GCancellable *cancellable);
/* Returns the total time of a part in ns, over all steps of all ranks, including outliers. */
gint64 loom_step_breakdown_sum_part (const LoomStepBreakdown *breakdown, LoomStepBreakdownPart part);
/* Returns the sum of the part `rank wait` that is spent in collectives, in ns; the rest of this part is spent in
 * messages. */
gint64 loom_step_breakdown_sum_collective_waits (const LoomStepBreakdown *breakdown);
void loom_step_breakdown_free (LoomStepBreakdown *breakdown);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStepBreakdown, loom_step_breakdown_free)
