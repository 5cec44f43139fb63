/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. Pairs begin and end events of async spans, and makes one track of async spans for each process
 * and name.
 */
#pragma once

#include "loom-lane.h"

typedef struct {
  guint32 process;
  guint32 text_id;  /* text id of the name */
  GArray *spans;    /* LoomRecord: the spans of the track */
  GArray *end_refs; /* LoomEndRef: the spans that have an end event in the file */
} LoomAsyncTrack;

typedef struct {
  GPtrArray *tracks; /* LoomAsyncTrack *, sorted by process and text id */
  LoomProblemCounts tally;
} LoomAsyncSpans;

/* Makes spans from the async records of the builder, and removes these records from the builder. Async events without a
 * duration (phases n, T and p) become instants of their process. `end_of_source`: array indexed by source: the time at
 * which spans without an end are closed. */
void loom_async_spans_init (LoomAsyncSpans *async, LoomTraceBuilder *builder, const gint64 *end_of_source);
void loom_async_spans_clear (LoomAsyncSpans *async);
