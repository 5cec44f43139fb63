/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds which steps of several ranks are one step of the run, which the ranks take together.
 * Any thread.
 */
#pragma once

#include "loom-steps.h"

/* Sets LoomStep.run_step of all elements of `steps` (LoomStep). The comment of run_step describes the rules. Keeps
 * the order of `steps`. O(steps · log steps). */
void loom_step_joins_set (GArray *steps);
