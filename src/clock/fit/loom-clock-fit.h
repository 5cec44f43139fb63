/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes offsets and drifts of clocks from evidence. The evidence is a graph that connects clocks by the common
 * events that they recorded.
 *
 * A component is a set of connected clocks. It grows from its reference clock. A clock is "placed" when it belongs to
 * the component and has a line. Each common event has a "moment": the median of the readings of placed clocks, mapped
 * to the time of the reference. If another clock recorded enough events with known moments, a line is fitted through
 * pairs of times: its reading of an event, and the moment of the event. The clock is placed unless the line is refused
 * (loom-fit-refusal.h). Then the lines and the moments of the component are estimated alternately, so that no single
 * clock determines the result. At last, clocks are shifted so that no message is received before it is sent, and no
 * kernel starts before its launch, as far as the uncertainty allows (loom-fit-causality.c). Not every pair of
 * clocks is compared, so the cost is only O(readings) per round, with a few rounds.
 *
 * The reference of a component is the anchored clock (with UTC time) of the lowest rank. If no clock is anchored, it is
 * the clock of the lowest rank; if no rank is known, the first clock. The line of the reference is the identity.
 */
#pragma once

#include "loom-alignment.h"
#include "loom-evidence.h"
#include "loom-fit-refusal.h"
#include "loom-progress.h"
#include "loom-robust-line-error.h"

/* An offset is fitted to at least LOOM_CLOCK_FITS_OFFSET_PAIRS pairs of times. A drift is fitted to at least
 * LOOM_CLOCK_FITS_DRIFT_PAIRS pairs; at least LOOM_CLOCK_FITS_DRIFT_NS must be between the first and the last of
 * them. */
#define LOOM_CLOCK_FITS_OFFSET_PAIRS 3
#define LOOM_CLOCK_FITS_DRIFT_PAIRS 10
#define LOOM_CLOCK_FITS_DRIFT_NS (10 * LOOM_NS_PER_S)

/* Properties of a clock that the caller of loom_clock_fit_new() provides. */
typedef struct {
  gint rank; /* rank of the clock; −1 if unknown */
  /* TRUE if the clock declares an epoch (start in UTC), so that its local time + declared_ns is UTC */
  gboolean anchored;
  gint64 declared_ns; /* declared offset in ns: timeline time minus local time */
} LoomClockFitClock;

typedef struct {
  LoomFitQuality verdict; /* quality of the line; LOOM_FIT_QUALITY_DECLARED if there is no evidence about this clock */
  char *why;              /* a sentence with the reason for `verdict`; never NULL */
  /* number of the component (set of clocks that evidence connects); LOOM_COMPONENT_NONE if no evidence connects the
   * clock with another clock */
  guint component;
  /* Index of the clock with which this clock was compared. For a clock of a component: the reference of the component.
   * For a refused clock: the reference of the component that refused it. For a clock that was not compared: its own
   * index. */
  guint reference;
  /* For a copy of a recording that was loaded several times: index of the first clock with this recording. For the
   * first clock with such a recording: index of one of its copies. For all other clocks: their own index. */
  guint same_as;
  /* kind of evidence to which most pairs of the clock belong; a pair is an event in the time of this clock and of
   * `reference` */
  LoomEvidenceKind kind;
  /* line from the local time of this clock to the local time of `reference`; for a refused clock, the refused line */
  LoomClockLine line;
  LoomRobustLineError error; /* error of `line`; unknown for the reference, and for a clock without a component */
  /* Index of the root of the clock's group. A group is a set of clocks that are connected by evidence other than
   * messages. Its root is the clock of the group that was placed first: the reference, or a clock that only messages
   * connect with clocks placed before. If the group does not contain the reference, its clocks are moved together: the
   * fitted lines replace the declared clocks of all of them if the declared clock of one of them contradicts its own
   * line, or the declared clock of another clock of the group. */
  guint root;
  LoomRobustLineError root_error; /* error of `line` relative to the line of the clock `root` */
  /* smallest uncertainty, in ns, of a pair of times of this clock and `reference`; all pairs of this kind of evidence
   * may have a common error of this size */
  double unit_ns;
  /* local time, on this clock, of the first common event of its component (set of clocks that evidence connects) */
  gint64 epoch_ns;
  /* local times of the first and of the last pair; a pair is an event in the time of this clock and in the time of
   * the reference */
  gint64 first_ns, last_ns;
  /* number of examined pairs of times of this clock and `reference`, and how many of them were rejected as outliers */
  guint pairs, rejected;
  /* residuals, in ns, of the pairs of times that were not rejected, relative to `line`, even if the line was refused */
  LoomFitResiduals after;
  /* residuals, in ns, of the pairs of times that were not rejected, relative to the declared clock */
  LoomFitResiduals before;
} LoomFittedClock;

typedef struct {
  guint n_clocks, n_components;
  LoomFittedClock *clocks;
} LoomClockFits;

/* Returns TRUE if an earlier clock has the same recording, so that this clock is a copy. A copy is refused, has no
 * component, and does not connect other clocks. */
gboolean loom_clock_fit_is_copy (const LoomClockFits *fit, guint clock);

/* Fits all clocks. `clocks`: array of evidence->n_clocks elements. `n_threads`: number of threads to use; 0 for the
 * number of processors. Any thread. Returns NULL only when cancelled. Owned by the caller. */
LoomClockFits *loom_clock_fit_new (const LoomEvidence *evidence, const LoomClockFitClock *clocks, guint n_threads,
                                   LoomProgress *progress);

/* Uses coarse evidence (steps, markers and activity) to fit those clocks that declare no epoch (start in UTC), and that
 * no other evidence connects with another clock. Returns FALSE if cancelled. */
gboolean loom_clock_fit_extend (LoomClockFits *fit, const LoomEvidence *coarse, const LoomClockFitClock *clocks,
                                guint n_threads, LoomProgress *progress);

void loom_clock_fit_free (LoomClockFits *fit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomClockFits, loom_clock_fit_free)
