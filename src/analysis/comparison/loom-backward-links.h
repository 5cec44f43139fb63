/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds, for each operator of the backward pass, the operator of the forward pass whose
 * gradient it computes. Any thread.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  guint32 forward, backward; /* indices of the spans of both operators in the trace */
} LoomBackwardLink;

/* Returns TRUE if an operator of this name runs a function of the backward pass. */
gboolean loom_backward_links_is_backward (const char *name);

/* Returns the links (LoomBackwardLink) of a trace in no particular order. They come from the flows "fwdbwd" or, in a
 * trace without such flows, from two args of the operators: "Sequence number" and "Fwd thread id", which is greater
 * than 0 in the backward pass. If several operators of the forward pass have the same sequence number, the last one
 * that begins before the operator of the backward pass is used. Several forward threads may use equal sequence numbers;
 * the track of a thread id is then found from numbers that occur on one track only. Owned by the caller; NULL only when
 * cancelled. O(flows) or, without flows, 1 µs per operator. */
GArray *loom_backward_links_find (LoomTimeline *timeline, guint trace_number, LoomRange range,
                                  GCancellable *cancellable);
