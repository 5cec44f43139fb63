/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the children of a span: the spans on its track that it contains and that are exactly one depth below it. The
 * functions may be called on any thread.
 */
#pragma once

#include "loom-trace.h"

/* Sets [*from, *to) to the column indices of a span's children. Returns FALSE if it has none. O(rows of the track +
 * log n). */
gboolean loom_span_children_get (const LoomTrace *trace, guint32 span, guint32 *from, guint32 *to);

/* Returns the self time of a span in ns: its duration minus the durations of its children. Returns −1 if the span has
 * more than 200,000 children, because adding them up would take too long. */
gint64 loom_span_children_self_ns (const LoomTrace *trace, guint32 span);
