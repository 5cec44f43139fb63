/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the stages of a pipeline are idle in each step, as defined by Narayanan et al., arXiv 2104.04473.
 *
 *   window      from the start of the first kernel of any stage in the step to the end of the last one. Only kernels
 *               that compute count. Kernels that the optimizer launched (in a span "Optimizer.step#…") do not count.
 *   busy        time in which a stage computes, or transfers data in its tensor, context or expert groups. The wait for
 *               the last rank of the group is not busy time.
 *   bubble      window − busy
 *   fraction    sum of the stages' bubbles ÷ (stages × window)
 *   ideal       (p − 1) ÷ (m + p − 1). p: number of stages. m: number of messages from the first to the second stage in
 *               the step, which is the number of microbatches times the number of model chunks of a stage.
 *   warm-up     the bubble before the stage's first backward kernel. Backward kernels are those not launched by the
 *               thread that has the step spans.
 *   cool-down   the bubble after the stage's last forward kernel. Forward kernels are those launched by the thread that
 *               has the step spans.
 *
 * A pipeline is not measured if the files of some of its stages are not open. Immutable when made, freed by its owner;
 * any thread.
 */
#pragma once

#include "loom-parallel-axes.h"
#include "loom-steps.h"

typedef struct {
  gint64 bubble_ns;
  /* warm_up_ns: the part of bubble_ns before the first backward kernel; cool_down_ns: the part of bubble_ns after the
   * last forward kernel */
  gint64 warm_up_ns, cool_down_ns;
} LoomBubbleStage;

typedef struct {
  guint group;      /* index of the pipeline in LoomParallelAxes.groups */
  gint64 step;      /* number of the step */
  LoomRange window; /* on the timeline */
  /* index of the pipeline's first stage in LoomBubbles.stages. The other stages of the pipeline follow there, one
   * element per stage. */
  guint first_stage;
  guint n_messages; /* number of messages from the first stage to the second */
  /* `fraction`: share of the window in which the stages are idle; `ideal`: the smallest such share that the schedule of
   * the pipeline allows; the formulas of both are at the top of this file. `ideal` is NAN if there are no messages in
   * the window. */
  double fraction, ideal;
} LoomBubble;

typedef struct {
  GArray *all;    /* LoomBubble, sorted by pipeline, then by time */
  GArray *stages; /* LoomBubbleStage: the stages of all elements of `all` */
  /* `fraction`: mean of LoomBubble.fraction over all elements of `all`; NAN if `all` is empty. `ideal`: mean of
   * LoomBubble.ideal over the elements in which it is known; NAN if it is known in no element. */
  double fraction, ideal;
  gint64 total_ns; /* sum of the bubbles of all stages in all steps */
} LoomBubbles;

/* Measures the bubbles in `steps`, a selection made with loom_steps_select() for the range of the collectives. All
 * kernels launched in these steps count, even if they run after the end of the range. A step is measured on a pipeline
 * only if the selection contains the step on every stage of the pipeline. So a step is not measured if one of the
 * stages begins it only after the end of the range. O(kernels · log kernels). NULL only when cancelled. */
LoomBubbles *loom_pipeline_bubbles_new (LoomCollectives *collectives, const LoomParallelAxes *axes, LoomSteps *steps,
                                        GCancellable *cancellable);
/* Returns the bubbles of the collectives; the first call computes them. Borrowed from the collectives; NULL only
 * when cancelled. */
const LoomBubbles *loom_pipeline_bubbles_get (const LoomCollectives *collectives, GCancellable *cancellable);
void loom_pipeline_bubbles_free (LoomBubbles *bubbles);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomBubbles, loom_pipeline_bubbles_free)
