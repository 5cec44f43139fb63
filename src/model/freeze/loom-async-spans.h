/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Correlates async events into spans of (process, name).
 */
#pragma once

#include "loom-lane.h"

G_BEGIN_DECLS

typedef struct {
  guint32 process;
  guint32 text_id;  /* of the name */
  GArray *spans;    /* LoomRecord */
  GArray *end_refs; /* LoomEndRef */
} LoomAsyncTrack;

typedef struct {
  GPtrArray *tracks; /* LoomAsyncTrack *, by process and text id */
  LoomProblemCounts tally;
} LoomAsyncSpans;

/* Consumes the builder's async records. Points (n T p) go to the instants of their process. `end_of_source` tells, per
 * source, when what never ends is closed. */
void loom_async_spans_init (LoomAsyncSpans *async, LoomTraceBuilder *builder, const gint64 *end_of_source);
void loom_async_spans_clear (LoomAsyncSpans *async);

G_END_DECLS
