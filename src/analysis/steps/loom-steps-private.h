/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: what finding steps and working out those without a marker share.
 */
#pragma once

#include "loom-steps.h"

G_BEGIN_DECLS

/* A callback of Composer at the begin or the end of a batch. */
typedef struct {
  LoomStep step; /* of the callback: its own times */
  gboolean is_end;
} LoomBatchCursor;

/* A number among the args of an event, −1 where there is none. Reads the source. */
gint64 loom_steps_number_in_args (const LoomTrace *trace, LoomRef ref, const char *key);
/* By begin: LoomStep. */
int loom_steps_compare (gconstpointer a, gconstpointer b);

/* In the last batch of every cycle Composer does not record where `event/batch` begins (formats/composer.md §2): then the
 * batch is from the first callback at its begin to the last one at its end. Begins of a batch before that were cut off
 * by the end of a recording are told by their number.
 * `steps` are LoomStep and get more, `marks` are LoomBatchCursor and are sorted. */
void loom_steps_add_unmarked (LoomTimeline *timeline, GArray *steps, GArray *marks);

G_END_DECLS
