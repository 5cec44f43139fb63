/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds the steps in the traces of a run, in all formats, and infers the batches that
 * Composer did not record. Any thread.
 */
#pragma once

#include "loom-steps.h"

/* Appends all steps of the run (LoomStep) to `steps`, in the order of loom_step_collector_compare(). Reads the args
 * of a span only if its format states the number of the step in the args. Returns FALSE only when cancelled. O(names
 * + steps · log steps). */
gboolean loom_step_collector_collect (LoomTimeline *timeline, GArray *steps, GCancellable *cancellable);

/* Returns TRUE if all spans of the track are steps, as on the track "Steps" of XPlane and of TensorFlow's traces. */
gboolean loom_step_collector_is_line (const LoomTrack *track);

/* Compares two steps (LoomStep) by start, then rank, then number. */
int loom_step_collector_compare (gconstpointer a, gconstpointer b);

/* Returns TRUE if the name of a span contains the number of the step, such as "ProfilerStep#12" of PyTorch. Then the
 * args of the span don't have to be read. */
gboolean loom_step_collector_states_number (const LoomName *name);

/* Returns TRUE if the name is that of a callback of Composer at the start or the end of a batch. If Composer
 * recorded no span for a batch, the batch is inferred from such callbacks. */
gboolean loom_step_collector_is_mark (const LoomName *name);
