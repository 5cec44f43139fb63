/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a list of samples in a worker.
 */
#pragma once

#include "loom-debounced-task.h"
#include "loom-sample-list.h"

/* Starts a debounced task that makes a LoomSampleList, which is its result. Copies the query. Called on the main
 * thread. */
void loom_sample_list_task_run (LoomTimeline *timeline, const LoomSampleQuery *query, LoomDebouncedTask *task);
