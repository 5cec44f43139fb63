/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to loom-step-breakdown.c and loom-step-breakdown-waits.c: the data of a rank while its steps are divided into
 * parts. Any thread, but each breakdown is filled by one thread at a time.
 */
#pragma once

#include "loom-device-rows.h"
#include "loom-step-breakdown.h"

typedef struct {
  LoomRankSteps shown;
  guint32 trace;                   /* index of the trace of the rank's first step */
  const LoomDeviceRowGroup *group; /* rows of the rank's devices; NULL: not searched yet, or there are none */
  GArray *steps;                   /* LoomStepTime: the steps of the rank */
  GArray *rank_waits;              /* LoomRange: waits in collectives and messages */
  GArray *collective_waits;        /* LoomRange: the waits in collectives */
  GArray *data_waits;              /* LoomRange: waits for data */
} LoomStepBreakdownRank;

/* Returns the first rank with this node and number in breakdown->gathered, and stores the result in breakdown->known.
 * If the node is unknown (NULL), ranks on all nodes match, and a rank in the trace with the index `trace` is preferred.
 * If the number is unknown (−1), only a rank in this trace matches. NULL: the rank has no steps. */
LoomStepBreakdownRank *loom_step_breakdown_find_rank (LoomStepBreakdown *breakdown, const char *node, gint number,
                                                      guint32 trace);

/* Adds the waits of all ranks for other ranks, in collectives and in messages. Returns FALSE only when cancelled. */
gboolean loom_step_breakdown_gather_rank_waits (LoomStepBreakdown *breakdown, LoomCollectives *collectives,
                                                GCancellable *cancellable);
/* Adds the waits of all ranks for data. A wait that is recorded shortly before the span of its step becomes the
 * beginning of the step. Returns FALSE only when cancelled. */
gboolean loom_step_breakdown_gather_data_waits (LoomStepBreakdown *breakdown, LoomSteps *steps,
                                                GCancellable *cancellable);
/* Sets LoomRankSteps.is_process of all ranks. Reads it from the tracks of the run. O(tracks). */
void loom_step_breakdown_mark_processes (LoomStepBreakdown *breakdown);
