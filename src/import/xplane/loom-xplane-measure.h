/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: computes the lengths of the text that loom-xplane-events.c would make for usual events of an
 * XSpace, without making the text. An event is usual if it is a span with at most one flow event, and has no unknown or
 * damaged fields.
 */
#pragma once

#include "loom-made-text.h"
#include "loom-xplane-space.h"

typedef struct _LoomXplaneMeasure LoomXplaneMeasure;

/* Kinds of flow events. */
typedef enum {
  LOOM_XPLANE_NO_FLOW,
  LOOM_XPLANE_LAUNCHED,
  LOOM_XPLANE_LAUNCHES,
  LOOM_XPLANE_CONSUMES,
  LOOM_XPLANE_PRODUCES,
  LOOM_XPLANE_N_FLOWS,
} LoomXplaneFlow;

/* One event of a plane, from which the program makes the JSON text of a trace event. If two events of the same line
 * have equal `name` and `variant`, their texts usually differ only in the times, the args and the flow event. */
typedef struct {
  gint64 start_ns, end_ns;
  guint64 end; /* offset in the file at which the event ends */
  /* the id of the flow event is the text "group:number" */
  gint64 flow_group, flow_number;
  guint32 name; /* index of the name in its plane */
  /* length of the args as text, `{…}`, in bytes; 0: not measured, so the text must be written to learn its length */
  guint32 n_args_bytes;
  guint8 variant;
  guint8 flow; /* LoomXplaneFlow */
} LoomXplaneItem;

/* Returns an object that reads the events of `space` through a separate window (loom-proto-window.h), so that another
 * thread may make their text at the same time. `space` must outlive the result. */
LoomXplaneMeasure *loom_xplane_measure_new (const LoomXplaneSpace *space);
void loom_xplane_measure_free (LoomXplaneMeasure *self);

/* Measures up to `most` items from `place` on, and moves `place` behind them. `place` has the same meaning as in
 * loom_xplane_events_make(). Returns the number of items; 0 after the last item. */
guint loom_xplane_measure_read (LoomXplaneMeasure *self, LoomMadePlace *place, LoomXplaneItem *items, guint most);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomXplaneMeasure, loom_xplane_measure_free)
