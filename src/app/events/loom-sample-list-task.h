/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the list of samples that the table of samples shows (loom-samples-panel.h), in a worker.
 */
#pragma once

#include "loom-debounced-task.h"
#include "loom-sample-list.h"

/* Starts a debounced task that makes a LoomSampleList, which is its result. Copies the query. Called on the main
 * thread. */
void loom_sample_list_task_run (LoomTimeline *timeline, const LoomSampleQuery *query, LoomDebouncedTask *task);
