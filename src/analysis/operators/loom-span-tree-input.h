/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: what the name of a span means for a call tree, and which tracks a call tree reads. Any
 * thread.
 */
#pragma once

#include "loom-span-tree.h"

/* Returns TRUE for the name of a mark of a step, such as "ProfilerStep#12", which is not a call. */
gboolean loom_span_tree_input_is_step (const char *text);

/* Returns the name of a function if it differs from the name of its spans; NULL: it does not differ. The name of a
 * function has "…" instead of each number after an equals sign. So "forward_step mb=0" and "forward_step mb=1" are one
 * function. Owned by the caller. */
char *loom_span_tree_input_dup_function (const char *text);

/* Returns the tracks that the tree is made of: LoomTrackId. Owned by the caller. O(tracks). */
GArray *loom_span_tree_input_list_tracks (const LoomSpanTreeQuery *query, LoomRun *run);
