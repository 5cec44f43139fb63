/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the rulers of times and of steps. Private to the ruler.
 */
#pragma once

#include "loom-ruler.h"

/* Distance from a tick to its label. */
#define LOOM_RULER_LABEL_PX 4.0

struct _LoomRuler {
  GArray *ticks; /* LoomTick */
  char *corner;
};

/* Appends a tick; `label` NULL makes it minor. The result is valid until the next tick is added. */
LoomTick *loom_ruler_add (LoomRuler *ruler, gint64 time_ns, double x, const char *label, LoomTextCache *text);

/* The unit that is shown: `reading`, or its fallback if the timeline cannot show it. */
LoomRulerUnit loom_ruler_get_effective_unit (const LoomTimeline *timeline, const LoomSteps *steps,
                                             LoomRulerUnit reading);

void loom_ruler_update_steps (LoomRuler *ruler, const LoomSteps *steps, const LoomViewport *viewport,
                              LoomTextCache *text);
