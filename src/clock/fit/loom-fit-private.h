/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the files loom-fit*.c: the state that the steps of a fit share, and work on several clocks in parallel.
 */
#pragma once

#include "loom-fit-graph.h"

typedef struct {
  LoomClockFits *fit;
  LoomGraph *graph;
  const LoomClockFitClock *known;
  guint n_threads;
  LoomProgress *progress;
  guint *order;     /* clocks, the best reference first */
  guint32 *n_tried; /* [clock] number of pairs with which it was last tried in this component */
  GArray *members;  /* guint: clocks of the current component in order of placement, the reference first */
  guint8 *is_fixed; /* [clock] TRUE if its line must not change */
  gboolean is_extending;
} LoomFitting;

guint loom_fit_get_reference (const LoomFitting *self);
/* Returns the declared offset of a clock relative to the reference. */
gint64 loom_fit_get_declared (const LoomFitting *self, guint clock);
/* Makes a clock a member of the current component. */
void loom_fit_place (LoomFitting *self, guint clock, LoomClockLine line);

/* loom-fit-validate.c: checks a line. Sets all members of *fitted except `component`, `reference` and `epoch_ns`. */
void loom_fit_validate (const LoomFitting *self, guint clock, const LoomClockPairs *own, const LoomClockLine *line,
                        double scale_ns, gint64 declared_ns, LoomFittedClock *fitted, gboolean *was_refused);

/* Data of loom_parallel_for() calls that fit a line for each of `clocks`. */
typedef struct {
  LoomFitting *self;
  const GArray *clocks; /* guint */
  LoomClockLine *lines; /* [index in `clocks`] its new line */
  gboolean *refused;    /* [index in `clocks`] TRUE if the line was refused */
} LoomLineWork;

/* loom-fit-duplicates.c: finds clocks with the same readings as another clock of the same rank. Must be called once,
 * before any clock is placed. O(readings). */
void loom_fit_find_duplicates (LoomFitting *self);
/* Sets the results of the copies, after all other clocks were placed or refused. */
void loom_fit_report_duplicates (LoomFitting *self);

/* loom-fit-propagate.c: places all clocks that have enough common events with placed clocks. */
void loom_fit_propagate (LoomFitting *self);

/* loom-fit-refine.c. loom_fit_refine() estimates lines and moments alternately. loom_fit_purge() removes the clocks
 * that the criteria refuse now that all moments are known, but never the reference, and returns TRUE if it removed
 * any. */
void loom_fit_refine (LoomFitting *self);
gboolean loom_fit_purge (LoomFitting *self);

/* loom-fit-causality.c: shifts clocks so that no order is reversed, as far as their uncertainty allows. O(orders + edges). */
void loom_fit_enforce_causality (LoomFitting *self);

/* loom-fit-error.c: estimates the error of each member's final line. O(readings of the members). */
void loom_fit_measure_errors (LoomFitting *self);
