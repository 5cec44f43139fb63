/* SPDX-License-Identifier: Apache-2.0
 *
 * Combines traces into a run with an alignment and a timeline. Called on worker threads, because it takes longer if
 * there are more traces. The result is immutable.
 */
#pragma once

#include "loom-source-overrides.h"
#include "loom-timeline.h"

typedef struct {
  LoomRun *run;
  LoomTimeline *timeline; /* the timeline of the run; NULL if there is nothing to draw */
} LoomLoadedRun;

/* Makes a run from the traces of `base`, followed by `traces`. The run lists the ignored files of the runs `base` and
 * `notes`, each of which may be NULL. Ignored files are files that were found but not loaded as traces. With the mode
 * LOOM_ALIGN_AUTO, clocks are fitted, which takes longer if there are more collectives. `edits`: the names that the
 * user gave to sources; NULL if no source was renamed. Any thread. */
LoomLoadedRun *loom_run_assembly_new (const LoomRun *base, LoomTrace *const *traces, guint n_traces,
                                      const LoomRun *notes, LoomAlignMode mode, const LoomSourceOverrides *edits);
void loom_run_assembly_free (LoomLoadedRun *assembly);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomLoadedRun, loom_run_assembly_free)
