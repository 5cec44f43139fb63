/* SPDX-License-Identifier: Apache-2.0
 *
 * What traces become when they are shown together: a run, its alignment and its timeline. Takes longer the more there
 * is, so it is made where nobody waits; never changed afterwards.
 */
#pragma once

#include "loom-source-overrides.h"
#include "loom-timeline.h"

typedef struct {
  LoomRun *run;
  LoomTimeline *timeline; /* NULL: nothing to draw */
} LoomLoadedRun;

/* The traces of `base`, then `traces`; what `base` and `notes` left out is told of in the run. `base` and `notes` may be
 * NULL. With mode AUTO clocks are fitted, which takes longer the more collectives there are. `edits`, or NULL, say what sources are
 * called: rows are listed with these names, too. Any thread. */
LoomLoadedRun *loom_run_assembly_new (const LoomRun *base, LoomTrace *const *traces, guint n_traces,
                                      const LoomRun *notes, LoomAlignMode mode, const LoomSourceOverrides *edits);
void loom_run_assembly_free (LoomLoadedRun *assembly);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomLoadedRun, loom_run_assembly_free)
