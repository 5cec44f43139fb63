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

/* Returns the links (LoomBackwardLink) of a trace, in no particular order. They come from the flows "fwdbwd". In a
 * trace without such flows, they come from two args of the operators: "Sequence number" and "Fwd thread id", which is
 * greater than 0 in the backward pass. An operator of the backward pass is linked to the last operator of the forward
 * pass that has the same sequence number and begins before it.
 *
 * Several forward threads may use equal sequence numbers. Therefore only operators on the track of the "Fwd thread id"
 * are considered, if this track is known. It is known if an operator of the backward pass with this id has a sequence
 * number that occurs on only one track of the forward pass. Owned by the caller; NULL only when cancelled. O(flows);
 * without flows, about 1 µs per operator, because its args are read. */
GArray *loom_backward_links_find (LoomTimeline *timeline, guint trace_number, LoomRange range,
                                  GCancellable *cancellable);
