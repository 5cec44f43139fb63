/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the files loom-fit*.c: the state that the steps of a clock fit share, and functions that fit several
 * clocks in parallel.
 */
#pragma once

#include "loom-fit-graph.h"

typedef struct {
  LoomClockFits *fit;
  LoomGraph *graph;
  const LoomClockFitClock *known;
  guint n_threads;
  LoomProgress *progress;
  guint *order; /* indices of clocks, the most suitable reference first */
  /* [clock] number of pairs that the clock had when a line was last fitted to them in this component; 0: no line was
   * fitted yet */
  guint32 *n_tried;
  /* guint: indices of the clocks in the current component, in the order in which they were placed, the reference
   * first */
  GArray *members;
  guint8 *is_fixed; /* [clock] TRUE if the line of the clock must not change */
  gboolean is_extending;
} LoomFitting;

guint loom_fit_get_reference (const LoomFitting *self);
/* Returns the declared offset of a clock relative to the reference. */
gint64 loom_fit_get_declared (const LoomFitting *self, guint clock);
/* Makes a clock a member of the current component. */
void loom_fit_place (LoomFitting *self, guint clock, LoomClockLine line);

/* In loom-fit-validate.c. Checks a line that was fitted for a clock. Sets those members of *fitted that follow from the
 * clock's pairs: verdict, reason, line, numbers of pairs and residuals. */
void loom_fit_validate (const LoomFitting *self, guint clock, const LoomClockPairs *own, const LoomClockLine *line,
                        double scale_ns, gint64 declared_ns, LoomFittedClock *fitted, gboolean *was_refused);

/* Data for the workers of loom_parallel_for() that fit a line for each of `clocks`. */
typedef struct {
  LoomFitting *self;
  const GArray *clocks; /* guint: indices of the clocks */
  LoomClockLine *lines; /* [index in `clocks`] line that was fitted for the clock */
  gboolean *refused;    /* [index in `clocks`] TRUE if the line was refused */
} LoomLineWork;

/* In loom-fit-duplicates.c. Finds the clocks that have the same readings as another clock of the same rank. Must be
 * called once, before any clock is placed. O(readings). */
void loom_fit_find_duplicates (LoomFitting *self);
/* Sets the results of the clocks that are copies of another clock. Must be called after all other clocks were placed or
 * refused. */
void loom_fit_report_duplicates (LoomFitting *self);

/* In loom-fit-propagate.c. Places all clocks that have enough common events with placed clocks. */
void loom_fit_propagate (LoomFitting *self);

/* In loom-fit-refine.c. loom_fit_refine() alternately estimates the lines of the clocks and the moments of the common
 * events. loom_fit_purge() checks the lines again after all moments are known, and removes the clocks whose line is
 * refused, but never the reference. It returns TRUE if it removed any clock. */
void loom_fit_refine (LoomFitting *self);
gboolean loom_fit_purge (LoomFitting *self);

/* In loom-fit-causality.c. Shifts clocks so that no event precedes its cause (LoomCausalOrder), as far as the
 * uncertainty of the clocks allows. O(orders + edges). */
void loom_fit_enforce_causality (LoomFitting *self);

/* In loom-fit-error.c. Estimates the errors of the final lines of all clocks in `members`. O(readings of these
 * clocks). */
void loom_fit_measure_errors (LoomFitting *self);
