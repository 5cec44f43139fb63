/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the parts of a trace that are stored in an index file. Analyses across ranks compute the same numbers from
 * the index file as from the trace. src/index/README.md lists these parts and the reasons. Any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-index-content.h"

/* Chooses the content of an index of a trace. O(spans + args of steps). NULL only when cancelled. Owned by the
 * caller. */
LoomIndexContent *loom_index_choice_new (LoomTrace *trace, GCancellable *cancellable);
