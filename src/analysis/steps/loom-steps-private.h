/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: shared by finding marked steps and inferring unmarked ones.
 */
#pragma once

#include "loom-steps.h"

/* A callback of Composer at the begin or the end of a batch. */
typedef struct {
  LoomStep step; /* times and ids of the callback */
  gboolean is_end;
} LoomBatchCursor;

/* An integer of an event's args; −1 if missing. Reads the source. */
gint64 loom_steps_number_in_args (const LoomTrace *trace, LoomRef ref, const char *key);
/* Compares LoomStep by begin. */
int loom_steps_compare (gconstpointer a, gconstpointer b);

/* Composer does not record the begin of `event/batch` in the last batch of a cycle (formats/composer.md §2): such a
 * batch lasts from the first callback at its begin to the last callback at its end. Earlier begins without an end, cut
 * off by the end of a recording, are recognised by their number. `steps` (LoomStep) is extended, `marks`
 * (LoomBatchCursor) is sorted. */
void loom_steps_add_unmarked (LoomTimeline *timeline, GArray *steps, GArray *marks);
