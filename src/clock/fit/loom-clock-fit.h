/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes offsets and drifts of clocks from evidence: a graph that connects clocks by the common events that they
 * recorded.
 *
 * A component is a set of connected clocks. It grows from its reference clock. Clocks of the component that have a
 * line are called placed. They give each of their common events a moment: the median of their readings, mapped to the
 * time of the reference. A clock that recorded enough events with known moments gets a line through pairs of times:
 * its own reading of an event, and the moment of the event. The clock is placed unless the criteria
 * (loom-fit-refusal.h) refuse the line. Then lines and moments of the component are estimated alternately, so that no
 * single clock determines the result. Finally clocks are shifted so that no receive precedes its send and no kernel
 * its launch, as far as the uncertainty allows (loom-fit-causality.c). Clocks are never compared in all pairs: the
 * cost is O(readings) per round, with a few rounds.
 *
 * The reference of a component is its anchored clock of the lowest rank; without anchored clocks, its clock of the
 * lowest rank; if no rank is known, its first clock. The line of the reference is the identity.
 */
#pragma once

#include "loom-alignment.h"
#include "loom-evidence.h"
#include "loom-fit-refusal.h"
#include "loom-progress.h"
#include "loom-robust-line-error.h"

/* An offset is fitted to at least LOOM_CLOCK_FITS_OFFSET_PAIRS pairs. A drift is fitted to at least
 * LOOM_CLOCK_FITS_DRIFT_PAIRS pairs, of which the first and the last are at least LOOM_CLOCK_FITS_DRIFT_NS apart. */
#define LOOM_CLOCK_FITS_OFFSET_PAIRS 3
#define LOOM_CLOCK_FITS_DRIFT_PAIRS 10
#define LOOM_CLOCK_FITS_DRIFT_NS (10 * LOOM_NS_PER_S)

/* Properties of a clock that the caller provides. */
typedef struct {
  gint rank;          /* rank of the clock; −1: unknown */
  gboolean anchored;  /* TRUE if the clock declares an epoch: its local time + declared_ns is UTC */
  gint64 declared_ns; /* declared offset, in ns: timeline minus local time */
} LoomClockFitClock;

typedef struct {
  LoomFitQuality verdict; /* verdict on the line; LOOM_FIT_QUALITY_DECLARED: no evidence about this clock */
  char *why;              /* the reason of the verdict, a sentence; never NULL */
  /* number of the component (clocks connected by evidence); LOOM_COMPONENT_NONE: no evidence connects the clock with
   * another clock */
  guint component;
  /* Index of the clock with which this clock was compared. For a clock of a component, it is the reference of the
   * component; for a refused clock, the reference of the component that refused it; for a clock that was not compared,
   * its own index. */
  guint reference;
  /* Index of a clock with the same recording, if a recording is loaded several times: a copy has the index of the first
   * clock with this recording, and the first clock has the index of one of its copies. All other clocks have their own
   * index. */
  guint same_as;
  LoomEvidenceKind kind; /* kind of evidence from which most pairs come */
  /* line from this clock's local time to the local time of `reference`; for a refused clock, the line that was
   * refused */
  LoomClockLine line;
  LoomRobustLineError error; /* error of the line; unknown for a clock without a component, and for the reference */
  /* Index of the root of the clock's group. A group is a set of clocks that are connected by evidence other than
   * messages; its root is the clock that was placed first. A clock without such evidence is its own root. The lines of
   * all clocks of a group are applied if one of the clocks violates the limits of its messages, or if the declared
   * clocks of two of them disagree. */
  guint root;
  LoomRobustLineError root_error; /* error of the line relative to the line of the clock `root` */
  /* smallest uncertainty of a pair; an error of this size may be common to all pairs of this kind of evidence */
  double unit_ns;
  /* local time of the first common event of this clock's component (a set of clocks that evidence connects) */
  gint64 epoch_ns;
  /* local time of the first and of the last pair (an event in this clock's time and in the reference's time) */
  gint64 first_ns, last_ns;
  guint pairs, rejected; /* numbers of examined pairs, and of rejected outliers */
  /* residuals of the pairs that are not rejected, with respect to the line, even if it was refused */
  LoomFitResiduals after;
  LoomFitResiduals before; /* residuals with respect to the declared clock, of the pairs that are not rejected */
} LoomFittedClock;

typedef struct {
  guint n_clocks, n_components;
  LoomFittedClock *clocks;
} LoomClockFits;

/* Returns TRUE if an earlier clock has the same recording. A copy is refused, does not connect other clocks, and has
 * no component. */
gboolean loom_clock_fit_is_copy (const LoomClockFits *fit, guint clock);

/* Fits all clocks. `clocks`: array of evidence->n_clocks elements. Uses `n_threads` threads (0: as many as
 * processors). Any thread. NULL only when cancelled. Owned by the caller. */
LoomClockFits *loom_clock_fit_new (const LoomEvidence *evidence, const LoomClockFitClock *clocks, guint n_threads,
                                   LoomProgress *progress);

/* Uses coarse evidence to align the clocks that declare no epoch and that no other evidence connects with another
 * clock. Returns FALSE if cancelled. */
gboolean loom_clock_fit_extend (LoomClockFits *fit, const LoomEvidence *coarse, const LoomClockFitClock *clocks,
                                guint n_threads, LoomProgress *progress);

void loom_clock_fit_free (LoomClockFits *fit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomClockFits, loom_clock_fit_free)
