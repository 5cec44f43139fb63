/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds which steps of several ranks are one step of the run. Any thread.
 */
#pragma once

#include "loom-steps.h"

/* Sets LoomStep.run_step of all steps (LoomStep), by the rules in the comment of run_step. Keeps the order of `steps`.
 * O(steps · log steps). */
void loom_step_joins_set (GArray *steps);
