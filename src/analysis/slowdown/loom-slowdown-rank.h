/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/slowdown: reads the kernels and copies of one rank, and the calls of the host that launch them
 * or wait for them, and makes operations of them. Several ranks can be read at the same time.
 */
#pragma once

#include "loom-rank-key.h"
#include "loom-slowdown-calls.h"
#include "loom-slowdown-joins.h"

typedef struct {
  /* The members up to `has_others` must be set before loom_slowdown_rank_read(); all pointers are borrowed. */
  const LoomCollectives *collectives;
  const LoomSlowdownJoins *joins;
  const GPtrArray *steps;  /* const LoomStep *: the steps of the trace that can be replayed; NULL: none */
  GHashTable *step_of_run; /* LoomStep.run_step (guint64) → 1 + index in LoomSlowdownModel.steps of the step */
  guint32 number;          /* index of the trace in the run */
  LoomRankKey key;
  /* TRUE if the trace contains several ranks, for example a merged file; then only the tracks of the rank `key` are
   * read. The key contains the node, because ranks of different nodes can have equal numbers. */
  gboolean has_others;
  /* The results. */
  LoomSlowdownCalls own;
  /* operations of the rank, first one for each element of own.kernels, then one for each element of own.events, and
   * their waits. LoomSlowdownOperation.worker is not set, and .like only for members of collectives and messages */
  LoomSlowdownReplay replay;
  /* array: [kernel] a key that is equal for comparable kernels; 0: the kernel cannot be compared with others */
  guint64 *like_keys;
  GArray *places; /* LoomSlowdownPlace; the member `worker` of the elements is not set */
  /* time in steps in which no kernel or copy runs, after the first one and before the last one, in ns */
  gint64 idle_ns;
  /* as in LoomSlowdownModel */
  gboolean has_launches, lacks_launches;
  /* Private: */
  const LoomTrace *trace;
  guint32 step_track; /* track with the span of the last step that was read */
} LoomSlowdownRank;

/* Reads the rank. O(spans of the trace + kernels · log kernels). */
void loom_slowdown_rank_read (LoomSlowdownRank *rank);
void loom_slowdown_rank_clear (LoomSlowdownRank *rank);
