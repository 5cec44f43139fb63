/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two kinds of ruler share. Private to the ruler.
 */
#pragma once

#include "loom-ruler.h"

G_BEGIN_DECLS

/* From a tick to its label. */
#define LOOM_RULER_LABEL_PX 4.0

struct _LoomRuler {
  GArray *ticks; /* LoomTick */
  gint64 step_ns;
  char *corner;
};

/* Appends a tick; `label` NULL makes it minor. Valid until the next is added. */
LoomTick *loom_ruler_add (LoomRuler *ruler, gint64 time_ns, double x, const char *label, LoomTextCache *text);

/* The reading that is possible. */
LoomRulerUnit loom_ruler_get_effective_unit (const LoomTimeline *timeline, const LoomSteps *steps,
                                             LoomRulerUnit reading);

void loom_ruler_update_steps (LoomRuler *ruler, const LoomSteps *steps, const LoomViewport *viewport,
                              LoomTextCache *text);

G_END_DECLS
