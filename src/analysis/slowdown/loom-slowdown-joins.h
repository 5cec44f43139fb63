/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the spans of collectives and messages, and the stages of a pipeline, which are derived from
 * the messages. In a replay (loom-slowdown.h), ranks wait for each other in these spans. Made by one thread.
 */
#pragma once

#include "loom-pipeline-stages.h"
#include "loom-slowdown-model.h"

typedef struct {
  guint32 group, like;
  gint64 joined_ns;       /* time on the timeline at which the last rank starts the collective or message */
  gboolean is_collective; /* TRUE: a collective; FALSE: a message */
} LoomSlowdownJoin;

/* A span of a collective or message. */
typedef struct {
  guint32 span, group;
} LoomSlowdownJoinSpan;

typedef struct {
  LoomSlowdownJoinSpan *spans; /* by trace, then in order of span and group */
  guint32 *first_span;         /* [trace] index in `spans`; the last element is the number of spans */
  GArray *joins;               /* LoomSlowdownJoin, one for each collective or message */
  LoomPipelineStages stages;
} LoomSlowdownJoins;

/* Finds the spans of collectives and messages. Adds the kinds of these operations, and the sets of comparable
 * operations, to the model. Returns FALSE when cancelled; `joins` must be cleared in any case. O(collectives · ranks +
 * messages). */
gboolean loom_slowdown_joins_init (LoomSlowdownJoins *joins, LoomSlowdownModel *model,
                                   const LoomCollectives *collectives, GCancellable *cancellable);
void loom_slowdown_joins_clear (LoomSlowdownJoins *joins);

/* Returns the LoomSlowdownJoin of the collective or message to which a span belongs; NULL: it belongs to none.
 * O(log spans of the trace). */
const LoomSlowdownJoin *loom_slowdown_joins_find (const LoomSlowdownJoins *joins, guint32 trace, guint32 span);
