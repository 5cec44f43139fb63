/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the spans that meet spans of other ranks, in collectives and messages, and the stages of a
 * pipeline, derived from its messages. Made by one thread.
 */
#pragma once

#include "loom-pipeline-stages.h"
#include "loom-slowdown-model.h"

typedef struct {
  guint32 group, like;
  gint64 joined_ns;       /* timeline: start of the last member */
  gboolean is_collective; /* FALSE: a message */
} LoomSlowdownJoin;

typedef struct {
  GHashTable *by_span; /* guint64: trace and span → its index in `joins`, plus 1 */
  GArray *joins;       /* LoomSlowdownJoin, one for each group */
  LoomPipelineStages stages;
} LoomSlowdownJoins;

/* O(collectives · ranks + messages). Adds sets of comparable operations, and kinds, to the model. FALSE when cancelled;
 * clear it in any case. */
gboolean loom_slowdown_joins_init (LoomSlowdownJoins *joins, LoomSlowdownModel *model,
                                   const LoomCollectives *collectives, GCancellable *cancellable);
void loom_slowdown_joins_clear (LoomSlowdownJoins *joins);

/* Returns the join of a span; NULL: it has none. */
const LoomSlowdownJoin *loom_slowdown_joins_find (const LoomSlowdownJoins *joins, guint32 trace, guint32 span);
