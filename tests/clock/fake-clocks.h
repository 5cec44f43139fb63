/* SPDX-License-Identifier: Apache-2.0
 *
 * Generates evidence for clock alignment from clocks with known offsets and drifts. The evidence consists of
 * collectives, each of which ends on all ranks at one true time. The clock of a rank shows this time as base + rel × (1
 * + drift) + offset, where rel is the true time since the base, with a random deviation (jitter).
 */
#pragma once

#include "loom-clock-fit.h"

#define FAKE_BASE_NS (G_GINT64_CONSTANT (1735632360) * LOOM_NS_PER_S)

typedef struct {
  guint n_ranks, n_steps;
  guint n_groups;          /* number of groups of ranks; ranks of different groups share no collectives; 0 means 1 */
  gint64 step_ns;          /* mean time between two collectives (steps) */
  double jitter_ns;        /* maximum deviation of recorded ends from the true end, in both directions */
  double offset_ns, drift; /* maximum absolute offset and drift of a clock */
  double corrupt;          /* fraction of recorded ends, except on rank 0, that are 0.1 to 20 ms too late */
  guint n_late;            /* number of steps at the begin of the run that every third rank does not record */
  double missing;          /* fraction of the ends that are not recorded */
  guint n_alike;           /* number of consecutive steps for which the jitter of a rank is the same; 0 means 1 */
  guint32 seed;
} FakeJob;

typedef struct {
  FakeJob job;
  double *offset_ns, *drift; /* offset and drift of each rank's clock that the fit should find */
  double *jitter_ns;         /* per rank: jitter of the current step */
  LoomEvidence *evidence;
  LoomClockFitClock *clocks; /* rank i has clock i, which is anchored and declares no offset */
} FakeClocks;

FakeClocks *fake_clocks_new (const FakeJob *job);
void fake_clocks_free (FakeClocks *fake);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeClocks, fake_clocks_free)

/* Returns the time that the clock of `rank` shows at a true time since the base. */
gint64 fake_clocks_read (const FakeClocks *fake, guint rank, double rel_ns);

/* Returns the error of a rank's fitted line against the reference clock: its maximum from the base to `until_ns`, in
 * ns, and the error of the drift, in ppb. */
void fake_clocks_errors (const FakeClocks *fake, const LoomFittedClock *fitted, guint rank, double until_ns,
                         double *offset_ns, double *drift_ppb);
