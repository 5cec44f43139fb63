/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about a run that are counted once, when the run is made, so that the main thread need not read thousands of
 * sources whenever a part of the run is drawn. All functions are O(1) and may be called from any thread.
 */
#pragma once

#include "loom-run.h"

/* Returns the number of different ranks that the sources state. A number that is considered a process id
 * (loom-rank-label.h) does not count. */
guint loom_run_facts_count_ranks (const LoomRun *run);
/* Returns TRUE if a trace has a track of this kind with events. */
gboolean loom_run_facts_has_tracks (const LoomRun *run, LoomTrackKind kind);
/* Returns TRUE if a source has a Python profile. */
gboolean loom_run_facts_has_profiles (const LoomRun *run);
