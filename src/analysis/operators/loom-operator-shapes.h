/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: reads the shapes of the inputs of operators from the files again, because args are not kept
 * in memory: "Input Dims" of PyTorch's profiler (before PyTorch 1.12 "Input dims"). Any thread.
 */
#pragma once

#include "loom-operator-pass.h"
#include "loom-string-pool.h"

/* Reads the shapes of the calls in the range. Returns a LoomSpanShape for each call with a recorded shape, sorted by
 * span. `wanted`: [name id] 1 for the names whose calls are read. Adds the texts of the shapes to `texts`, and the
 * number of calls that were read to `*n_read`. Reads in the order of the file, on all processors; a processor takes
 * about 1 µs for each call. NULL only when cancelled. */
GArray *loom_operator_shapes_read (LoomTimeline *timeline, guint trace, LoomRange range, const guint8 *wanted,
                                   LoomStringPool *texts, guint64 *n_read, GCancellable *cancellable);
