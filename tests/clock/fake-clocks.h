/* SPDX-License-Identifier: Apache-2.0
 *
 * Evidence of a made-up job on clocks whose truth is known: collectives that end at one true moment, read by each rank's
 * clock as base + rel × (1 + drift) + offset, with jitter.
 */
#pragma once

#include "loom-clock-fit.h"

#define FAKE_BASE_NS (G_GINT64_CONSTANT (1735632360) * LOOM_NS_PER_S)

typedef struct {
  guint n_ranks, n_steps;
  guint n_groups;          /* ranks fall into so many without common collectives; 0 is 1 */
  gint64 step_ns;          /* mean distance */
  double jitter_ns;        /* ends differ by at most this either way */
  double offset_ns, drift; /* clocks are off by at most this */
  double corrupt;          /* share of the ends, not of rank 0, that are 0.1 to 20 ms late */
  guint n_late;            /* first steps that every third rank misses */
  double missing;          /* share of the ends nobody saw */
  guint n_alike;           /* so many steps in a row have the same jitter on a rank; 0 is 1 */
  guint32 seed;
} FakeJob;

typedef struct {
  FakeJob job;
  double *offset_ns, *drift; /* by rank, the truth */
  double *jitter_ns;         /* by rank, of the step at hand */
  LoomEvidence *evidence;
  LoomClockFitClock *clocks; /* rank i is clock i, anchored, nothing declared */
} FakeClocks;

FakeClocks *fake_clocks_new (const FakeJob *job);
void fake_clocks_free (FakeClocks *fake);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeClocks, fake_clocks_free)

/* What clock `rank` shows at a true time since the base. */
gint64 fake_clocks_read (const FakeClocks *fake, guint rank, double rel_ns);

/* By how much the line of a rank misses the reference's clock, at worst, between the base and `until_ns`; and its drift's. */
void fake_clocks_errors (const FakeClocks *fake, const LoomFittedClock *fitted, guint rank, double until_ns,
                         double *offset_ns, double *drift_ppb);
