/* SPDX-License-Identifier: Apache-2.0
 *
 * Combines traces into a run with an alignment and a timeline. Called in worker threads, because the time that this
 * takes grows with the number of traces. The result is immutable.
 */
#pragma once

#include "loom-source-overrides.h"
#include "loom-timeline.h"

typedef struct {
  LoomRun *run;
  LoomTimeline *timeline; /* the timeline of the run; NULL: there is nothing to draw */
} LoomLoadedRun;

/* Makes a run from the traces of `base`, followed by `traces`. `base` and `notes` may be NULL; the run lists the
 * ignored files of both (files that were found, but not loaded as traces). With mode AUTO, clocks are fitted, which
 * takes longer the more collectives there are. `edits` contains the names that the user gave to sources; NULL: no
 * source was renamed. Any thread. */
LoomLoadedRun *loom_run_assembly_new (const LoomRun *base, LoomTrace *const *traces, guint n_traces,
                                      const LoomRun *notes, LoomAlignMode mode, const LoomSourceOverrides *edits);
void loom_run_assembly_free (LoomLoadedRun *assembly);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomLoadedRun, loom_run_assembly_free)
