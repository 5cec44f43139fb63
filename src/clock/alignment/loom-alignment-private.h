/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/clock: the steps in which loom-alignment.c computes an alignment.
 */
#pragma once

#include "loom-alignment.h"
#include "loom-clock-fit.h"

const char *loom_alignment_keep (LoomAlignment *alignment, const char *text);
void loom_alignment_notice (LoomAlignment *alignment, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* In loom-alignment-declared.c. Shifts the clocks that declare sync values, which are clock readings at a barrier of
 * all ranks (LoomDeclaredClock.sync_ns). After this, all clocks of a run folder (LoomDeclaredClock.sync_group) agree
 * with the clock of its lowest rank. `ranks`: for each clock, its rank; −1 if unknown. */
void loom_alignment_apply_declared (LoomAlignment *alignment, const LoomRun *run, const gint *ranks);

/* In loom-alignment-fit.c. Fits the clocks. Sets the component, the quality of the fit and the residuals of all
 * clocks (LoomClockFit). Also sets the map of each clock whose fit replaces its declared map. Returns FALSE if
 * cancelled. */
gboolean loom_alignment_apply_fit (LoomAlignment *alignment, const LoomRun *run, const gint *ranks, guint n_threads,
                                   LoomProgress *progress);

/* In loom-alignment-residuals.c. Sets the residuals of all clocks of a component that are not refused. `is_coarse`: for
 * each clock, TRUE if it was compared only by coarse evidence; its residuals are not changed. */
void loom_alignment_measure (LoomAlignment *alignment, const LoomEvidence *evidence, const gboolean *is_coarse,
                             guint n_threads);
