/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs right inside a span: the spans one depth below it, on its own track. Any thread.
 */
#pragma once

#include "loom-trace.h"

G_BEGIN_DECLS

/* Column indices [*from, *to) of the spans one depth below; FALSE when there are none. O(rows of the track + log n). */
gboolean loom_span_children_get (const LoomTrace *trace, guint32 span, guint32 *from, guint32 *to);

/* Duration without what runs one depth below. −1 when there are more than 200,000 of these, too many to add up here. */
gint64 loom_span_children_self_ns (const LoomTrace *trace, guint32 span);

G_END_DECLS
