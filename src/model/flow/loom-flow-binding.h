/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. Finds the span on a track to which a flow event belongs. Flow events must be passed in order of
 * time, so that each row is read only once.
 */
#pragma once

#include "loom-trace-private.h"

/* The position of the last query in a row: before the position are the spans that start before the time of the query,
 * after it all other spans. The struct contains copies of the times of the two spans next to the position. Therefore a
 * query that does not move the position need not read the columns of the trace. */
typedef struct {
  /* start of the first span that starts at or after the time of the last query; G_MAXINT64: none */
  gint64 next_ns;
  gint64 end_ns; /* end of the last span that starts before the time of the last query */
  /* index, in the columns of the trace's spans, of the first span of the row that starts at or after the time of the
   * last query; if there is none, the index after the row's last span */
  guint32 next;
  guint16 lane;
  guint8 has_next, has_last;
} LoomFlowPlace;

typedef struct {
  const LoomTrace *trace;
  const LoomTrack *track;
  guint32 n_rows;        /* number of rows of the track that are searched */
  LoomFlowPlace *places; /* array indexed by row of the track: position of the last query in the row */
} LoomFlowBinding;

void loom_flow_binding_init (LoomFlowBinding *binding, const LoomTrace *trace, guint32 track);
void loom_flow_binding_clear (LoomFlowBinding *binding);

/* Returns the span to which a flow event is bound, as an index in the columns of the trace's spans; G_MAXUINT32:
 * none. */
guint32 loom_flow_binding_find (LoomFlowBinding *binding, const LoomFlowRecord *record);
