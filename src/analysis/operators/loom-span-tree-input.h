/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: interprets the names of spans for a call tree, and chooses the tracks that a call tree
 * reads. Any thread.
 */
#pragma once

#include "loom-span-tree.h"

/* Returns TRUE for the name of a span that marks a step, such as "ProfilerStep#12", and is not a call. */
gboolean loom_span_tree_input_is_step (const char *text);

/* Returns the name of a function if it differs from the names of its spans; NULL: it does not differ. In the name of a
 * function, "…" replaces each number after an equals sign. So "forward_step mb=0" and "forward_step mb=1" are one
 * function. Owned by the caller. */
char *loom_span_tree_input_dup_function (const char *text);

/* Returns the tracks from which the tree is made: LoomTrackId. Owned by the caller. O(tracks). */
GArray *loom_span_tree_input_list_tracks (const LoomSpanTreeQuery *query, LoomRun *run);
