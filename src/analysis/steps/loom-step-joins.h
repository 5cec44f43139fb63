/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: finds which steps of several ranks are one step of the run. Any thread.
 */
#pragma once

#include "loom-steps.h"

/* Sets LoomStep.run_step of all steps (LoomStep); the rules are in its comment. Keeps the order of `steps`.
 * O(steps · log steps). */
void loom_step_joins_set (GArray *steps);
