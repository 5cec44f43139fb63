/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/slowdown: compares the shapes of the inputs of a slow rank's operators with those of other
 * ranks. Longer kernels are due to the device if the inputs are the same, and may be due to the inputs if not. Own
 * definition, for operators that launch kernels:
 *
 *   compared   at most 3 of the steps in which the rank is slow, and at most 8 other ranks of its pipeline stage, evenly
 *              chosen. Each rank must have shapes for at least 80 % of the device time of its operators.
 *   time       device self time of the calls of one operator with equal shapes (loom-operators.h)
 *   share      of a shape: its part of all calls of the operator
 *   other      the calls by which the share of a shape exceeds the median of its shares on the other ranks
 *   growth     for an operator: elements of all inputs per call ÷ the median of this value over the other ranks − 1. For
 *              the rank: the mean over all operators, weighted by their time
 */
#pragma once

#include "loom-slowdown.h"

/* Sets the members of the cause that describe inputs (LoomSlowdownCause.inputs and those after it). Other members must
 * be set. Does nothing for the kinds of causes that do not concern all kernels. Reads the shapes of at most 9 · 3 steps
 * from the files, 1 µs for each call. Returns FALSE when cancelled. */
gboolean loom_slowdown_inputs_compare (LoomSlowdownCause *cause, const LoomSlowdown *slowdown, LoomTimeline *timeline,
                                       GCancellable *cancellable);
