/* SPDX-License-Identifier: Apache-2.0
 *
 * Hits of a search that overlap a range. A hit that begins before the range and ends in or after it overlaps the range,
 * as a long synchronization around the range does.
 */
#pragma once

#include "loom-search.h"

/* Returns the positions in by_time (guint32, ascending) of the hits that overlap `range`, in ns on the clock of the
 * timeline; NULL if the range is empty or overlaps no hit. Owned by the caller. O(hits that begin before the end of the
 * range). Any thread. */
GArray *loom_search_scope_list (LoomTimeline *timeline, const LoomSearchResult *result, LoomRange range);

/* Returns the index in `scope` of a position in by_time; G_MAXUINT if `scope` lacks it. O(log hits). Any thread. */
guint loom_search_scope_find (GArray *scope, guint32 position);
