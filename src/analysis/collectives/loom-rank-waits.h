/* SPDX-License-Identifier: Apache-2.0
 *
 * How long each rank waits for other ranks in messages and in all-to-all collectives, and how long its devices were
 * recorded. In a pipeline, waits in messages are the bubbles of the rank. With expert parallelism, waits in all-to-all
 * are the cost of unequal loads.
 *
 *   wait in a message     The side that begins first waits until the other side begins, but at most until its own end.
 *                         If the clocks of the two sides are not aligned, the longer side waits for the difference of
 *                         the durations.
 *   wait in a collective  LoomCollectiveMember.wait_ns
 *
 * A wait counts even if the rank computes on another stream at the same time. Immutable when made; any thread.
 */
#pragma once

#include "loom-collectives.h"

typedef enum {
  LOOM_RANK_WAIT_MESSAGES,
  LOOM_RANK_WAIT_ALL_TO_ALL,
  LOOM_N_RANK_WAITS,
} LoomRankWaitKind;

typedef struct {
  gint64 total_ns;
  guint n;
  gint64 longest_ns;
  LoomRange longest; /* on the timeline */
  LoomSpanId span;   /* span of the longest wait */
} LoomRankWait;

typedef struct {
  gint rank;
  gint64 recorded_ns; /* time from the first to the last work of the rank's devices */
  LoomRankWait waits[LOOM_N_RANK_WAITS];
} LoomRankWaits;

/* Returns a LoomRankWaits for each known rank that waits, ascending by rank. Owned by the caller. O(device spans +
 * collectives · ranks + messages). NULL only when cancelled. */
GArray *loom_rank_waits_new (LoomCollectives *collectives, GCancellable *cancellable);

/* Returns a LoomRankWaits for each known rank that waits in messages, ascending by rank. Contains only waits in
 * messages; `recorded_ns` is not set. Owned by the caller. O(messages), after loom_transfer_list_get(). NULL only when
 * cancelled. */
GArray *loom_rank_waits_new_of_messages (LoomCollectives *collectives, GCancellable *cancellable);

/* Returns the sum of the waits of all ranks in messages; only the part of a wait inside the range of the collectives
 * counts. O(collectives · ranks + messages). 0 when cancelled. */
gint64 loom_rank_waits_sum_messages (LoomCollectives *collectives, GCancellable *cancellable);
