/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes offsets and drifts of clocks from evidence: a graph whose nodes are clocks and whose edges are occasions.
 *
 * A component grows from its reference. The placed clocks give each of their occasions a moment: the median of the mapped
 * readings. A clock that shares enough occasions with a known moment gets a line (loom-robust-line.h), and is placed unless
 * the criteria (loom-fit-refusal.h) refuse the line. Then lines and moments of the component are estimated alternately, so
 * that no single clock determines the result. Finally clocks are shifted so that no receive precedes its send and no
 * kernel its launch, as far as the uncertainty allows (loom-fit-causality.c). Clocks are never compared in all pairs: the
 * cost is O(readings) per round, with a few rounds.
 *
 * The reference of a component is its anchored clock of the lowest rank, else its clock of the lowest rank, else its first;
 * its own line is the identity.
 */
#pragma once

#include "loom-alignment.h"
#include "loom-evidence.h"
#include "loom-fit-refusal.h"
#include "loom-progress.h"
#include "loom-robust-line-error.h"

/* Number of pairs needed to fit an offset, and to fit a drift. */
#define LOOM_CLOCK_FITS_OFFSET_PAIRS 3
#define LOOM_CLOCK_FITS_DRIFT_PAIRS 10
#define LOOM_CLOCK_FITS_DRIFT_NS (10 * LOOM_NS_PER_S)

/* Properties of a clock that the caller provides. */
typedef struct {
  gint rank;          /* −1: unknown */
  gboolean anchored;  /* the clock's local time is UTC */
  gint64 declared_ns; /* timeline − local, as declared */
} LoomClockFitClock;

typedef struct {
  LoomFitQuality verdict; /* DECLARED: no evidence */
  char *why;              /* one sentence; never NULL */
  guint component;        /* LOOM_COMPONENT_NONE: no evidence connects the clock with another */
  /* clock; the reference of its component, or of the component that refused it; the clock itself if it was compared with
   * none */
  guint reference;
  /* another clock that is a copy of this recording, because the file was loaded twice: for a copy the first such clock,
   * for the first clock one of its copies; the clock itself if there are no copies */
  guint same_as;
  LoomEvidenceKind kind;     /* the kind of evidence that the line is fitted to */
  LoomClockLine line;        /* local → the reference's local time; only with a component */
  LoomRobustLineError error; /* error of the line; unknown without a component and for the reference */
  /* first placed clock of the group of clocks that are connected by evidence other than messages; the clock itself if
   * the group has no other clock. The lines of all clocks of a group are applied together if one clock violates the
   * limits of its messages, or if two of the declared clocks disagree */
  guint root;
  LoomRobustLineError root_error; /* error of the line relative to the root's line */
  double unit_ns;  /* least uncertainty of a pair: the error that asymmetries may leave in every pair of this kind */
  gint64 epoch_ns; /* local time of the component's first occasion on this clock */
  gint64 first_ns, last_ns; /* local ns; start and end of the evidence */
  guint pairs, rejected;    /* number of pairs examined, and of those rejected */
  LoomFitResiduals after;   /* residuals of the line, or of the refused line, over the pairs not rejected */
  LoomFitResiduals before;  /* residuals of the declared clock, over the same pairs */
} LoomFittedClock;

typedef struct {
  guint n_clocks, n_components;
  LoomFittedClock *clocks;
} LoomClockFits;

/* Returns TRUE if an earlier clock has the same recording. A copy is refused, connects no clocks and has no component. */
gboolean loom_clock_fit_is_copy (const LoomClockFits *fit, guint clock);

/* `clocks`: evidence->n_clocks of them. Lines are fitted on `n_threads` threads (0: as many as processors). Any thread.
 * NULL only when cancelled. The caller owns it. */
LoomClockFits *loom_clock_fit_new (const LoomEvidence *evidence, const LoomClockFitClock *clocks, guint n_threads,
                                   LoomProgress *progress);

/* Places clocks that have no component and are not anchored, by coarse evidence. Returns FALSE if cancelled. */
gboolean loom_clock_fit_extend (LoomClockFits *fit, const LoomEvidence *coarse, const LoomClockFitClock *clocks,
                                guint n_threads, LoomProgress *progress);

void loom_clock_fit_free (LoomClockFits *fit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomClockFits, loom_clock_fit_free)
