/* SPDX-License-Identifier: Apache-2.0
 *
 * Ticks and their labels in five units: steps of 1, 2 or 5, as dense as possible without overlapping labels. One thread
 * at a time per ruler; arrays are reused.
 */
#pragma once

#include "loom-steps.h"
#include "loom-text-cache.h"
#include "loom-timeline.h"
#include "loom-track-id.h"
#include "loom-viewport.h"

typedef enum {
  LOOM_RULER_UNIT_SINCE_START, /* from loom_timeline_get_start() */
  LOOM_RULER_UNIT_UTC,         /* falls back to SINCE_START if the timeline has no wall-clock time */
  LOOM_RULER_UNIT_LOCAL,       /* time in the local time zone; falls back like UTC */
  LOOM_RULER_UNIT_STEP,        /* falls back to SINCE_START if there are no steps */
  LOOM_RULER_UNIT_JOB,         /* from loom_timeline_get_origin(); falls back to SINCE_START if that is the start */
  LOOM_N_RULER_UNITS
} LoomRulerUnit;

typedef struct {
  double x;
  gint64 time_ns;
  gboolean major; /* has a label ("" if an edge would cut it); minor ticks have none */
  double label_x; /* left edge of the label */
  double label_width;
  char label[48];
} LoomTick;

/* A band of a step. */
typedef struct {
  double x0, x1;
} LoomStepBand;

typedef struct {
  GArray *ticks; /* LoomTick, ascending by x */
  GArray *bands; /* LoomStepBand, ascending: every other step in view; empty if steps are narrow */
  char *corner;  /* text next to the ruler, the origin of the labels: "UTC", "since start", "from +48.25 s", "step" */
  /* origin from which labels count, in addition to the unit: "+48.25 s", "14:02:31.250", "rank 0"; NULL: nothing */
  char *base;
} LoomRuler;

LoomRuler *loom_ruler_new (void);
void loom_ruler_free (LoomRuler *ruler);

/* Returns FALSE if the unit falls back to SINCE_START. `steps` may be NULL. */
gboolean loom_ruler_can_show (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading);

/* The zero of times since start: the job's for LOOM_RULER_UNIT_JOB, else the run's. */
gint64 loom_ruler_get_zero (const LoomTimeline *timeline, LoomRulerUnit reading);

/* Computes the ticks for a viewport. `steps` may be NULL. Step numbers are those of one rank: the lowest. */
void loom_ruler_update (LoomRuler *ruler, const LoomTimeline *timeline, const LoomSteps *steps,
                        const LoomViewport *viewport, LoomRulerUnit reading, LoomTextCache *text);

const LoomTick *loom_ruler_get_ticks (const LoomRuler *ruler, guint *n); /* ascending by x */

/* The full time in that unit: "14:02:31.250 017 331 UTC", "+12.450 017 331 s", "step 41 + 12.4 ms". For tooltips,
 * copying and the cursor. The step is that of the reference rank, which is named if there are several ranks: "step 41 +
 * 12.4 ms (rank 0)". Owned by the caller. */
char *loom_ruler_format (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading, gint64 time_ns);
/* Like loom_ruler_format(), for a time on a track: uses the steps of the track's rank if it has any, preferably those
 * recorded in the track's file; "eval step 3 + 12.4 ms" for steps other than training. */
char *loom_ruler_format_for (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading,
                             const LoomTrackId *track, gint64 time_ns);
/* Like loom_ruler_format(), for a column of instants: times since the start all have the unit of `extent_ns`, and
 * `digits` digits of the fraction of a second. Further digits are cut. */
char *loom_ruler_format_in_column (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading,
                                   const LoomTrackId *track, gint64 time_ns, guint digits, gint64 extent_ns);
/* Returns only the step of a time. `track` NULL: the step of the reference rank. NULL if there are no steps, or before
 * the first step. */
char *loom_ruler_format_step (const LoomTimeline *timeline, const LoomSteps *steps, const LoomTrackId *track,
                              gint64 time_ns);

/* The smallest round step ≥ `at_least_ns`: 1, 2, 5 × 10ⁿ ns up to 20 s, then 30 s, 1, 2, 5, 10, 15, 30 min, 1, 2, 6, 12
 * h, and 1, 2, 5 × 10ⁿ days. */
gint64 loom_ruler_nice_step (gint64 at_least_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRuler, loom_ruler_free)
