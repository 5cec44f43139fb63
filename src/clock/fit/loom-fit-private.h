/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the files loom-fit*.c. What the steps of a fit share: the component at hand, the pairs of one of its clocks, and
 * work on several clocks at once.
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
  guint32 *n_tried; /* by clock: pairs it was refused with, in this component */
  GArray *members;  /* guint: clocks of the component at hand, the reference first */
  guint8 *is_fixed; /* by clock: its line is not to be touched */
  gboolean is_extending;
} LoomFitting;

guint loom_fit_get_reference (const LoomFitting *self);
/* Declared offset of a clock onto the reference. */
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
  LoomClockLine *lines; /* of them */
  gboolean *refused;    /* of them */
} LoomLineWork;

/* loom-fit-duplicates.c: which clocks read the same as another of their rank. Once, before anything is placed. O(readings). */
void loom_fit_find_duplicates (LoomFitting *self);
/* What is said of them, once all others are placed or refused. */
void loom_fit_report_duplicates (LoomFitting *self);

/* loom-fit-propagate.c: places all clocks that share enough with what is placed. */
void loom_fit_propagate (LoomFitting *self);

/* loom-fit-refine.c: estimates lines and moments in turn; takes out who is refused now that all are known, TRUE when somebody
 * was. The reference stays: others rest on it. */
void loom_fit_refine (LoomFitting *self);
gboolean loom_fit_purge (LoomFitting *self);

/* loom-fit-causality.c: moves clocks so that no order is turned round, where what they are uncertain by allows it.
 * O(orders + edges). */
void loom_fit_enforce_causality (LoomFitting *self);

/* loom-fit-error.c: how well each member's line is known, once they are final. O(readings of the members). */
void loom_fit_measure_errors (LoomFitting *self);
