/* SPDX-License-Identifier: Apache-2.0
 *
 * Offsets and drifts of clocks out of evidence: a graph whose nodes are clocks and whose edges are occasions.
 *
 * A component grows from its reference: what is placed gives each of its occasions a moment (the median of the mapped
 * readings), and clocks that share enough of these get a line (loom-robust-line.h); a clock whose line the judge refuses
 * (loom-fit-criteria.h) is not placed. Then all lines of the component and the moments are estimated in turn, so that no single
 * clock decides. At last no receive stands before its send and no kernel before its launch, as far as the uncertainty allows
 * (loom-fit-causality.c). Never all pairs of clocks: cost O(readings) a round, a handful of rounds.
 *
 * The reference of a component is its anchored clock of the lowest rank, else its clock of the lowest rank, else its first;
 * its own line is the identity.
 */
#pragma once

#include "loom-alignment.h"
#include "loom-evidence.h"
#include "loom-fit-criteria.h"
#include "loom-progress.h"
#include "loom-robust-line-error.h"

/* Number of pairs needed to fit an offset, and to fit a drift. */
#define LOOM_CLOCK_FITS_OFFSET_PAIRS 3
#define LOOM_CLOCK_FITS_DRIFT_PAIRS 10
#define LOOM_CLOCK_FITS_DRIFT_NS (10 * LOOM_NS_PER_S)

/* What the caller knows about a clock. */
typedef struct {
  gint rank;          /* −1: unknown */
  gboolean anchored;  /* its local time is UTC */
  gint64 declared_ns; /* timeline − local, as declared */
} LoomClockFitClock;

typedef struct {
  LoomFitQuality verdict; /* DECLARED: no evidence */
  char *why;              /* one sentence; never NULL */
  guint component;        /* LOOM_COMPONENT_NONE: no evidence connects the clock with another */
  guint reference;        /* clock; of the component, or of the one it was refused by; itself when compared with none */
  guint same_as; /* clock; another one of the same recording, the first of them for all but itself; itself for none */
  LoomEvidenceKind kind;     /* the kind of evidence that the line is fitted to */
  LoomClockLine line;        /* local → the reference's local time; only with a component */
  LoomRobustLineError error; /* error of the line; unknown without a component and for the reference */
  guint
    root; /* clock; the first placed of those that more than messages tie together, itself for alone. They are put in
                             * force together, when one is out of what messages allow or the declared clocks of two do not agree */
  LoomRobustLineError root_error; /* error of the line relative to the root's line */
  double unit_ns;  /* least uncertainty of a pair: what asymmetries of this kind of evidence may leave in every pair */
  gint64 epoch_ns; /* local time of the component's first occasion on this clock */
  gint64 first_ns, last_ns; /* local ns; begin and end of the evidence */
  guint pairs, rejected;    /* number of pairs examined, and of those rejected */
  LoomFitResiduals after;   /* residuals of the line, or of the refused line, over the pairs not rejected */
  LoomFitResiduals before;  /* residuals of the declared clock, over the same pairs */
} LoomFittedClock;

typedef struct {
  guint n_clocks, n_components;
  LoomFittedClock *clocks;
} LoomClockFits;

/* Of a recording that an earlier clock has already: it is refused, connects nothing and has no component. */
gboolean loom_clock_fit_is_copy (const LoomClockFits *fit, guint clock);

/* `clocks`: evidence->n_clocks of them. Lines are fitted on `n_threads` threads (0: as many as processors). Any thread.
 * NULL only when cancelled. The caller owns it. */
LoomClockFits *loom_clock_fit_new (const LoomEvidence *evidence, const LoomClockFitClock *clocks, guint n_threads,
                                   LoomProgress *progress);

/* Places clocks that `fit` left without a component and that are not anchored by evidence that is coarse. FALSE when
 * cancelled. */
gboolean loom_clock_fit_extend (LoomClockFits *fit, const LoomEvidence *coarse, const LoomClockFitClock *clocks,
                                guint n_threads, LoomProgress *progress);

void loom_clock_fit_free (LoomClockFits *fit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomClockFits, loom_clock_fit_free)
