/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the stages of a pipeline are idle in each step: Narayanan et al., arXiv 2104.04473.
 *
 *   window      from the start of the first kernel of any stage to the end of the last one; computation only, without the
 *               optimizer's (launched in a span Optimizer.step#…)
 *   busy        union of computation, and of the transfers of tensor, context and expert groups without their waiting
 *   bubble      window − busy
 *   fraction    sum of the stages' bubbles ÷ (stages × window)
 *   ideal       (p − 1) ÷ (m + p − 1) with p stages and m messages from the first to the second stage of a step: its
 *               microbatches times the chunks of a stage
 *   warm-up     the bubble before the stage's first kernel that another thread than that of its step launched: backward
 *   cool-down   the bubble after the stage's last kernel that the thread of its step launched: forward
 *
 * Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include "loom-parallel-axes.h"
#include "loom-steps.h"

typedef struct {
  gint64 bubble_ns;
  gint64 warm_up_ns, cool_down_ns; /* parts of the bubble; the rest is between them */
} LoomBubbleStage;

typedef struct {
  guint group;            /* index of the pipeline in the axes' groups */
  gint64 step;            /* number */
  LoomRange window;       /* timeline */
  guint first_stage;      /* index in LoomBubbles.stages, which has one element for each rank of the group */
  guint n_messages;       /* number of messages from the first stage to the second */
  double fraction, ideal; /* ideal NAN: no messages in the window */
} LoomBubble;

typedef struct {
  GArray *all;            /* LoomBubble, by pipeline, then step */
  GArray *stages;         /* LoomBubbleStage */
  double fraction, ideal; /* means over all pipelines and steps in which they are known; NAN: there are none */
  gint64 total_ns;        /* total bubble of all stages */
} LoomBubbles;

/* Steps that begin in the collectives' range. O(kernels · log). NULL only when cancelled. */
LoomBubbles *loom_pipeline_bubbles_new (LoomCollectives *collectives, const LoomParallelAxes *axes, LoomSteps *steps,
                                        GCancellable *cancellable);
/* Those that all analyses of the collectives share. Borrowed from them; NULL only when cancelled. */
const LoomBubbles *loom_pipeline_bubbles_get (const LoomCollectives *collectives, GCancellable *cancellable);
void loom_pipeline_bubbles_free (LoomBubbles *bubbles);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomBubbles, loom_pipeline_bubbles_free)
