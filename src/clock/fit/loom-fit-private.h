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
  guint32 *n_tried; /* per clock: number of pairs with which it was refused in this component */
  GArray *members;  /* guint: clocks of the current component, the reference first */
  guint8 *is_fixed; /* per clock: TRUE if its line must not change */
  gboolean is_extending;
} LoomFitting;

guint loom_fit_get_reference (const LoomFitting *self);
/* Returns the declared offset of a clock relative to the reference. */
gint64 loom_fit_get_declared (const LoomFitting *self, guint clock);
/* Makes a clock a member. */
void loom_fit_place (LoomFitting *self, guint clock, LoomClockLine line);

/* loom-fit-validate.c: fills all of *fitted but component, reference and epoch. */
void loom_fit_validate (const LoomFitting *self, guint clock, const LoomClockPairs *own, const LoomClockLine *line,
                        double scale_ns, gint64 declared_ns, LoomFittedClock *fitted, gboolean *was_refused);

/* For loom_parallel_for() over clocks. */
typedef struct {
  LoomFitting *self;
  const GArray *clocks; /* guint */
  LoomClockLine *lines; /* the new line of each of `clocks` */
  gboolean *refused;    /* per element of `clocks`: TRUE if the line was refused */
} LoomLineWork;

/* loom-fit-duplicates.c: finds clocks that have the same readings as another clock of their rank. Call once, before any
 * clock is placed. O(readings). */
void loom_fit_find_duplicates (LoomFitting *self);
/* Sets the results of the copies, after all other clocks were placed or refused. */
void loom_fit_report_duplicates (LoomFitting *self);

/* loom-fit-propagate.c: places all clocks that share enough occasions with placed clocks. */
void loom_fit_propagate (LoomFitting *self);

/* loom-fit-refine.c: refine estimates lines and moments alternately. purge removes clocks that the criteria refuse now that
 * all moments are known, and returns TRUE if it removed one; it never removes the reference. */
void loom_fit_refine (LoomFitting *self);
gboolean loom_fit_purge (LoomFitting *self);

/* loom-fit-causality.c: shifts clocks so that no order is reversed, as far as their uncertainty allows. O(orders + edges). */
void loom_fit_enforce_causality (LoomFitting *self);

/* loom-fit-error.c: estimates the error of each member's final line. O(readings of the members). */
void loom_fit_measure_errors (LoomFitting *self);
