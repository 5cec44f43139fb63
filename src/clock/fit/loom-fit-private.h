/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the files loom-fit*.c: the state shared by the steps of a clock fit, and functions that fit several clocks
 * in parallel.
 */
#pragma once

#include "loom-fit-graph.h"

typedef struct {
  LoomClockFits *fit;
  LoomGraph *graph;
  const LoomClockFitClock *known;
  guint n_threads;
  LoomProgress *progress;
  guint *order; /* indices of all clocks, the most suitable reference first */
  /* for each clock, the number of its pairs of times (LoomClockPairs) when a line was fitted last in this component; 0
   * if no line was fitted */
  guint32 *n_tried;
  /* guint: indices of the clocks in the current component, in the order in which they were placed; the first is the
   * reference */
  GArray *members;
  guint8 *is_fixed; /* for each clock, TRUE if its line must not change */
  gboolean is_extending;
} LoomFitting;

guint loom_fit_get_reference (const LoomFitting *self);
/* Returns the declared offset of a clock relative to the reference. */
gint64 loom_fit_get_declared (const LoomFitting *self, guint clock);
/* Adds a clock with its line to the current component. */
void loom_fit_place (LoomFitting *self, guint clock, LoomClockLine line);

/* In loom-fit-validate.c. Checks a line that was fitted for a clock. Sets the members of *fitted that follow from the
 * clock's pairs of times (`own`): `verdict`, `why`, `line`, the numbers of pairs and the residuals. */
void loom_fit_validate (const LoomFitting *self, guint clock, const LoomClockPairs *own, const LoomClockLine *line,
                        double scale_ns, gint64 declared_ns, LoomFittedClock *fitted, gboolean *was_refused);

/* Data for the threads of loom_parallel_for(), which fit a line for each of `clocks`. */
typedef struct {
  LoomFitting *self;
  const GArray *clocks; /* guint: indices of the clocks */
  LoomClockLine *lines; /* for each element of `clocks`, the line that was fitted for the clock */
  gboolean *refused;    /* for each element of `clocks`, TRUE if its line was refused */
} LoomLineWork;

/* In loom-fit-duplicates.c. Finds the clocks that are copies: they have the same readings as another clock of the
 * same rank. Must be called once, before any clock is placed. O(readings). */
void loom_fit_find_duplicates (LoomFitting *self);
/* Sets the results of the clocks that are copies. Must be called after all other clocks were placed or refused. */
void loom_fit_report_duplicates (LoomFitting *self);

/* In loom-fit-propagate.c. Places all clocks that have enough events in common with placed clocks (clocks that have
 * a line). */
void loom_fit_propagate (LoomFitting *self);

/* In loom-fit-refine.c. loom_fit_refine() alternately estimates the lines of the clocks and the moments of the common
 * events. loom_fit_purge() checks the lines again when all moments are known, and removes the clocks whose lines are
 * refused, except the reference. loom_fit_purge() returns TRUE if it removed a clock. */
void loom_fit_refine (LoomFitting *self);
gboolean loom_fit_purge (LoomFitting *self);

/* In loom-fit-causality.c. Shifts clocks so that no event precedes its cause (LoomCausalOrder), as far as the
 * uncertainty of the clocks allows. O(orders + edges of the graph). */
void loom_fit_enforce_causality (LoomFitting *self);

/* In loom-fit-error.c. Estimates the errors of the lines of all clocks in `members`. Must be called when the lines
 * are final. O(readings of these clocks). */
void loom_fit_measure_errors (LoomFitting *self);
