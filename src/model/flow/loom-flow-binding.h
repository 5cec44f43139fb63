/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Finds the span that a flow event belongs to, on one track. Queries come in order of time, so each row is
 * walked once.
 */
#pragma once

#include "loom-trace-private.h"

/* Position in a row at the time of the last query. Keeps copies of the relevant times, so that a query that does not
 * move the position reads no columns. */
typedef struct {
  /* start of the first span that does not start before the time of the query; G_MAXINT64 if there is none */
  gint64 next_ns;
  gint64 end_ns; /* end of the last span that starts before the time of the query */
  guint32 next;  /* index of that first span; the end of the row if there is none */
  guint16 lane;
  guint8 has_next, has_last;
} LoomFlowPlace;

typedef struct {
  const LoomTrace *trace;
  const LoomTrack *track;
  guint32 n_rows;        /* number of rows that are searched */
  LoomFlowPlace *places; /* per row */
} LoomFlowBinding;

void loom_flow_binding_init (LoomFlowBinding *binding, const LoomTrace *trace, guint32 track);
void loom_flow_binding_clear (LoomFlowBinding *binding);

/* Returns the index of the span in the columns, G_MAXUINT32 if there is none. */
guint32 loom_flow_binding_find (LoomFlowBinding *binding, const LoomFlowRecord *record);
