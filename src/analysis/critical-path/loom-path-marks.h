/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/critical-path: the marks of a graph. These are the starts and ends of steps and of
 * recordings.
 */
#pragma once

#include "loom-path-items.h"

/* Fills items->marks. The calls and works of all traces must have been collected before. `steps` may be NULL. O(calls +
 * works + steps + tracks · log spans). */
void loom_path_marks_add (LoomPathItems *items, const LoomSteps *steps);
