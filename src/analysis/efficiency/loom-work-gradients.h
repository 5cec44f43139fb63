/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: reads data about convolutions from the backward pass. PyTorch before 2.0 records no values
 * of inputs ("Concrete Inputs"), so the strides and the size of the output are unknown. It is also unknown which
 * gradients a call of the backward pass computes. The trace shows these facts in another way:
 *
 *   - the gradient of the output has the size of the output. The first input of the node of the backward pass, such as
 *     CudnnConvolutionBackward, is this gradient, and the node has the "Sequence number" of the forward call;
 *   - a call that computes the gradient of the input contains a call of aten::cudnn_convolution_backward_input.
 *
 * Immutable when made; any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-operator-inputs.h"
#include "loom-timeline.h"

typedef struct _LoomWorkGradients LoomWorkGradients;

/* Reads the nodes of the backward pass of convolutions in a whole trace, which takes about 1 µs for each node.
 * `number`: index of the trace in the run. Owned by the caller; NULL only when cancelled. */
LoomWorkGradients *loom_work_gradients_new (LoomTimeline *timeline, guint number, GCancellable *cancellable);
void loom_work_gradients_free (LoomWorkGradients *gradients);

/* Sets `output` and `lacks_input_gradient` of `inputs`, the inputs of a convolution. `args`: the args of the call;
 * `span`: its index in the trace. */
void loom_work_gradients_complete (const LoomWorkGradients *gradients, LoomJsonSlice args, guint32 span,
                                   LoomOperatorInputs *inputs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomWorkGradients, loom_work_gradients_free)
