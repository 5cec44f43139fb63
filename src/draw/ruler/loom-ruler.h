/* SPDX-License-Identifier: Apache-2.0
 *
 * The ticks of the ruler and their labels, which count time in one of five ways (LoomRulerUnit), for example from the
 * start of the run. Ticks are at multiples of 1, 2 or 5 times a power of ten (or of round numbers of minutes, hours and
 * days), as dense as possible without overlapping labels. Only one thread at a time may use a ruler, because its arrays
 * are reused.
 */
#pragma once

#include "loom-steps.h"
#include "loom-text-cache.h"
#include "loom-timeline.h"
#include "loom-track-id.h"
#include "loom-viewport.h"

typedef enum {
  LOOM_RULER_UNIT_SINCE_START, /* time since loom_timeline_get_start() */
  LOOM_RULER_UNIT_UTC,         /* time in UTC; on a timeline without wall-clock time, the ruler shows SINCE_START
                                * instead */
  /* time in the local time zone; on a timeline without wall-clock time, the ruler shows SINCE_START instead */
  LOOM_RULER_UNIT_LOCAL,
  /* step and time since the start of the step; if there are no steps, the ruler shows SINCE_START instead */
  LOOM_RULER_UNIT_STEP,
  /* time since loom_timeline_get_origin(), the start of the job; if the job starts with the run, the ruler shows
   * SINCE_START instead */
  LOOM_RULER_UNIT_JOB,
  LOOM_N_RULER_UNITS
} LoomRulerUnit;

typedef struct {
  double x;
  gint64 time_ns;
  gboolean major; /* TRUE: a tick with a label; the label is "" if an edge of the view would cut it */
  double label_x; /* left edge of the label */
  double label_width;
  char label[48];
} LoomTick;

/* A shaded band behind a training step, from x0 to x1 px. */
typedef struct {
  double x0, x1;
} LoomStepBand;

typedef struct {
  GArray *ticks;  /* LoomTick: the ticks, ascending by x */
  GArray *bands;  /* LoomStepBand, ascending: every other training step in view; empty if steps are narrow */
  GArray *starts; /* double, ascending: x of the start of each training step in view; empty if steps are narrow */
  /* text next to the ruler, which says from which time labels count: "UTC", "since start", "from +48.25 s", "step" */
  char *corner;
  /* the time or rank from which labels count, for example "+48.25 s", "14:02:31.250" or "rank 0"; NULL: not shown */
  char *base;
} LoomRuler;

LoomRuler *loom_ruler_new (void);
void loom_ruler_free (LoomRuler *ruler);

/* Returns TRUE if the ruler can show times in this unit; FALSE if it would show times since the start instead. `steps`
 * may be NULL. */
gboolean loom_ruler_can_show (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading);

/* Returns the instant that is zero in this unit: the start of the job for LOOM_RULER_UNIT_JOB, else the start of the
 * run. */
gint64 loom_ruler_get_zero (const LoomTimeline *timeline, LoomRulerUnit reading);

/* Computes the ticks for a viewport. `steps` may be NULL. Steps and their numbers are those of the reference rank
 * (LoomSteps.reference). */
void loom_ruler_update (LoomRuler *ruler, const LoomTimeline *timeline, const LoomSteps *steps,
                        const LoomViewport *viewport, LoomRulerUnit reading, LoomTextCache *text);

const LoomTick *loom_ruler_get_ticks (const LoomRuler *ruler, guint *n); /* sorted by x */

/* Returns the full time in a unit, for tooltips, copying and the cursor: "14:02:31.250 017 331 UTC", "+12.450 017 331
 * s", "step 41 + 12.4 ms". Steps are those of the reference rank; if there are several ranks, the text names the
 * reference rank: "step 41 + 12.4 ms (rank 0)". Owned by the caller. */
char *loom_ruler_format (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading, gint64 time_ns);
/* Formats the start of a range that is `length_ns` long, as loom_ruler_format() does. If the unit counts from the start
 * of the run, the job or a step, the text shows only the digits down to about a thousandth of `length_ns`. */
char *loom_ruler_format_near (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading,
                              gint64 time_ns, gint64 length_ns);
/* Like loom_ruler_format(), for a time on a track. Uses the steps of the track's rank if it has any, preferably those
 * in the file of the track. If a step is not a training step, the text says so: "eval step 3 + 12.4 ms". */
char *loom_ruler_format_for (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading,
                             const LoomTrackId *track, gint64 time_ns);
/* Like loom_ruler_format(), for the cells of a table column. If the unit counts from the start of the run or of the
 * job, all times of the column are written in the same unit of time, which is chosen for `extent_ns`, the greatest time
 * in the column. Each time is cut, not rounded, after `digits` decimals of a second: with 6, to whole µs. */
char *loom_ruler_format_in_column (const LoomTimeline *timeline, const LoomSteps *steps, LoomRulerUnit reading,
                                   const LoomTrackId *track, gint64 time_ns, guint digits, gint64 extent_ns);
/* Returns the training step that runs at a time, and the time since this step began: "step 12 + 3.4 ms". `track`: the
 * steps of its rank are used; NULL: those of the reference rank. Returns NULL if there are no steps, or if `time_ns` is
 * before the first step. */
char *loom_ruler_format_step (const LoomTimeline *timeline, const LoomSteps *steps, const LoomTrackId *track,
                              gint64 time_ns);

/* Returns the smallest round distance between ticks that is ≥ `at_least_ns`. Round distances are 1, 2 and 5 times a
 * power of ten in ns up to 20 s, then 30 s, 1, 2, 5, 10, 15 and 30 min, 1, 2, 6 and 12 h, and 1, 2 and 5 times a power
 * of ten in days. */
gint64 loom_ruler_nice_step (gint64 at_least_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRuler, loom_ruler_free)
