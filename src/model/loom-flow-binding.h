/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Finds the span that a flow event belongs to, on one track. Questions come in order of time, so each row is
 * walked once.
 */
#pragma once

#include "loom-trace-private.h"

G_BEGIN_DECLS

typedef struct {
  const LoomTrace *trace;
  const LoomTrack *track;
  guint32 n_rows;  /* looked at */
  guint32 *before; /* per row: spans that start before the time of the last question */
} LoomFlowBinding;

void loom_flow_binding_init (LoomFlowBinding *binding, const LoomTrace *trace, guint32 track);
void loom_flow_binding_clear (LoomFlowBinding *binding);

/* Each returns an index into the columns, G_MAXUINT32 when there is none. */
guint32 loom_flow_binding_find (LoomFlowBinding *binding, const LoomFlowRecord *record);

G_END_DECLS
