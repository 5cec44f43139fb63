/* SPDX-License-Identifier: Apache-2.0
 *
 * Ticks and their words: four readings of the same instant, at steps of 1, 2 or 5, as dense as labels allow and never
 * so dense that two touch.
 * One thread at a time per ruler; arrays are reused.
 */
#pragma once

#include "loom-steps.h"
#include "loom-text-cache.h"
#include "loom-timeline.h"
#include "loom-track-id.h"
#include "loom-viewport.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_RULER_UNIT_SINCE_START,
  LOOM_RULER_UNIT_UTC,   /* falls back to SINCE_START when the timeline is not anchored */
  LOOM_RULER_UNIT_LOCAL, /* the same */
  LOOM_RULER_UNIT_STEP,  /* falls back to SINCE_START where there are no steps */
  LOOM_N_RULER_UNITS
} LoomRulerUnit;

typedef struct {
  double x;
  gint64 time_ns;
  gboolean major; /* with a label ("" where the right edge would cut it); minor ticks have none */
  double label_x; /* left edge of the label */
  double label_width;
  char label[48];
} LoomTick;

typedef struct _LoomRuler LoomRuler;

LoomRuler *loom_ruler_new (void);
void loom_ruler_free (LoomRuler *ruler);

/* Computes ticks for the viewport. `steps` may be NULL. The step numbers shown are those of one rank: the lowest. */
void loom_ruler_update (LoomRuler *ruler, const LoomTimeline *timeline, const LoomSteps *steps,
                        const LoomViewport *viewport, LoomRulerUnit reading, LoomTextCache *text);

const LoomTick *loom_ruler_get_ticks (const LoomRuler *ruler, guint *n); /* ascending by x */
/* Distance of major ticks; 0 for steps. */
gint64 loom_ruler_get_step_ns (const LoomRuler *ruler);
/* For the corner beside the ruler: what the labels count from, "14:02:31.250 UTC", "since start", "step". */
const char *loom_ruler_get_corner (const LoomRuler *ruler);

/* An instant in full in that reading: "14:02:31.250 017 331 UTC", "+12.450 017 331 s", "step 41 + 12.4 ms". For
 * tooltips, copies and the cursor. The step is the reference rank's, and says so where there are several: "step 41 +
 * 12.4 ms (rank 0)". Owned. */
char *loom_ruler_format (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading, gint64 time_ns);
/* The same for an instant of a track: the step is that of the track's rank where it has its own, counted as the track's
 * file does where it does; "eval step 3 + 12.4 ms" when it is no training. */
char *loom_ruler_format_for (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading,
                             const LoomTrackId *track, gint64 time_ns);
/* The step alone; `track` NULL: the reference's. NULL where there is none, or none yet. */
char *loom_ruler_format_step (const LoomTimeline *timeline, const LoomSteps *steps, const LoomTrackId *track,
                              gint64 time_ns);

/* The smallest round step that is not below: 1, 2, 5 × 10ⁿ ns up to 20 s, then 30 s, 1, 2, 5, 10, 15, 30 min, 1, 2, 6,
 * 12 h, and 1, 2, 5 × 10ⁿ days. */
gint64 loom_ruler_nice_step (gint64 at_least_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRuler, loom_ruler_free)

G_END_DECLS
