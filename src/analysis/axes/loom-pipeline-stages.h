/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds the stages of pipelines from the messages between ranks. A rank whose first message in
 * the run is a send is in the first stage. A rank whose first message is a receive is in the stage after the stage of
 * the sender. Messages outside the range of the LoomTransferList count as well, so that every range gives the same
 * stages. One thread.
 */
#pragma once

#include "loom-transfer-list.h"

typedef struct {
  GHashTable *stages; /* rank → number of the rank's stage (from 0), plus 1; empty if there are no messages */
  guint n;            /* number of stages of the longest pipeline */
} LoomPipelineStages;

/* Finds the stages of all ranks that have messages in the run. O(ranks · stages). */
void loom_pipeline_stages_init (LoomPipelineStages *stages, const LoomTransferList *list);
void loom_pipeline_stages_clear (LoomPipelineStages *stages);

/* Returns the stage of a rank, from 0. Returns −1 if the rank has no messages, or if its pipeline has no first stage
 * because the first message of each rank is a receive. */
gint loom_pipeline_stages_get (const LoomPipelineStages *stages, gint rank);
