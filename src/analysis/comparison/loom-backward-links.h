/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds for operators of the backward pass the operator of the forward pass that they belong
 * to. Any thread.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  guint32 forward, backward; /* spans of the trace */
} LoomBackwardLink;

/* Returns TRUE if an operator of this name runs a function of the backward pass. */
gboolean loom_backward_links_is_backward (const char *name);

/* Returns LoomBackwardLink in no particular order, owned by the caller. They come from the flows "fwdbwd"; in a trace
 * without such flows, from the args of the operators: "Sequence number", and "Fwd thread id", which is greater than 0
 * for the backward pass. If several operators of the forward pass have the number, the last that begins before the
 * operator of the backward pass counts. Several forward threads may use equal numbers: which thread belongs to an id
 * is known from numbers that only one thread uses. NULL only when cancelled. O(flows), or 1 µs per operator. */
GArray *loom_backward_links_find (LoomTimeline *timeline, guint trace_number, LoomRange range,
                                  GCancellable *cancellable);
