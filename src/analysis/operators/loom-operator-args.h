/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: reads the args of operators from the files again, because args are not kept in memory. Any
 * thread.
 */
#pragma once

#include "loom-json-slice.h"
#include "loom-operator-pass.h"

/* Converts the args of a call to a number. 0: the call is not included in the result. `span`: index of the call in its
 * trace. Several threads call the function at the same time. */
typedef guint32 (*LoomOperatorArgsFunc) (LoomJsonSlice args, guint32 span, gpointer data);

/* Calls `func` for the calls in the range. For each call for which `func` returns a number other than 0, the result has
 * a LoomSpanShape: the span of the call, and the number as `shape`; sorted by span. `wanted`: [name id] 1 for the names
 * whose calls are read. Adds the number of calls that were read to `*n_read`. Reads in the order of the file, on all
 * processors; a processor takes about 1 µs for each call. Owned by the caller; NULL only when cancelled. */
GArray *loom_operator_args_read (LoomTimeline *timeline, guint trace, LoomRange range, const guint8 *wanted,
                                 LoomOperatorArgsFunc func, gpointer data, guint64 *n_read, GCancellable *cancellable);
