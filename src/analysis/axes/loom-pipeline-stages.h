/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the stages of pipelines, derived from the messages between ranks: the first stage sends before it
 * receives, another one begins with a message from the stage before it. Made by one thread.
 */
#pragma once

#include "loom-transfer-list.h"

typedef struct {
  GHashTable *stages; /* rank → number of the rank's stage (from 0), plus 1; empty if there are no messages */
  guint n;            /* number of stages of the longest pipeline */
} LoomPipelineStages;

/* O(messages). */
void loom_pipeline_stages_init (LoomPipelineStages *stages, const LoomTransferList *list);
void loom_pipeline_stages_clear (LoomPipelineStages *stages);

/* Returns the stage of a rank, from 0; −1 if the rank has no messages, or if the messages form a circle. */
gint loom_pipeline_stages_get (const LoomPipelineStages *stages, gint rank);
