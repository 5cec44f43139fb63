/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses what an index keeps of a trace, so that the analyses across ranks compute the same figures from it as from the
 * trace: src/index/README.md lists what and why. Any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-index-content.h"

/* Chooses the content of an index of a trace. O(spans + args of steps). NULL only when cancelled. Owned by the
 * caller. */
LoomIndexContent *loom_index_choice_new (LoomTrace *trace, GCancellable *cancellable);
