/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds the steps in the traces of a run, in all formats, and infers the batches that
 * Composer did not record. Any thread.
 */
#pragma once

#include "loom-steps.h"

/* Appends all steps of the run (LoomStep) to `steps`, in the order of loom_step_collector_compare(). Reads the args of
 * spans whose format states the number of the step there. Returns FALSE only when cancelled.
 * O(names + steps · log steps). */
gboolean loom_step_collector_collect (LoomTimeline *timeline, GArray *steps, GCancellable *cancellable);

/* Returns TRUE if all spans of the track are steps: the line "Steps" of XPlane and of TensorFlow's traces. */
gboolean loom_step_collector_is_line (const LoomTrack *track);

/* Compares two steps (LoomStep) by start, then rank, then number. */
int loom_step_collector_compare (gconstpointer a, gconstpointer b);

/* Returns the number that the name of a step states; −1: none. The args of the span can state another number, which
 * then is the number of the step. */
gint64 loom_step_collector_get_number_in_name (const LoomName *name);
