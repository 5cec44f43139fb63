/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Finds the span that a flow event belongs to, on one track. Questions come in order of time, so each row is
 * walked once.
 */
#pragma once

#include "loom-trace-private.h"

G_BEGIN_DECLS

/* Where a row stands at the time of the last question. Kept side by side, so that a question which moves nothing reads
 * no columns. */
typedef struct {
  gint64 next_ns; /* start of the first span that does not start before; G_MAXINT64 when there is none */
  gint64 end_ns;  /* end of the last one that does */
  guint32 next;   /* that first span; behind the row when there is none */
  guint16 lane;
  guint8 has_next, has_last;
} LoomFlowPlace;

typedef struct {
  const LoomTrace *trace;
  const LoomTrack *track;
  guint32 n_rows;        /* looked at */
  LoomFlowPlace *places; /* per row */
} LoomFlowBinding;

void loom_flow_binding_init (LoomFlowBinding *binding, const LoomTrace *trace, guint32 track);
void loom_flow_binding_clear (LoomFlowBinding *binding);

/* Each returns an index into the columns, G_MAXUINT32 when there is none. */
guint32 loom_flow_binding_find (LoomFlowBinding *binding, const LoomFlowRecord *record);

G_END_DECLS
