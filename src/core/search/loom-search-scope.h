/* SPDX-License-Identifier: Apache-2.0
 *
 * The hits of a search that the user visits, and their order. Hits on devices (kernels, copies) come before hits on the
 * host, because the names of calls on the host that launch kernels and copies contain the same words. Within each of
 * these two groups, hits are in order of start. The scope may be limited to a range. A hit that begins before the range
 * and ends in or after it overlaps the range, as a long synchronization around the range does. Any thread.
 */
#pragma once

#include "loom-search.h"

typedef struct {
  const guint32 *positions; /* positions in by_time of the result, in the order in which they are visited */
  guint n;
  guint n_device; /* number of hits on devices, which come first; 0 if all hits are on devices or none is */
  GArray *kept;   /* array that stores `positions`; may be shared with the result */
} LoomSearchScope;

/* Returns the hits that overlap `range`, in ns on the clock of the timeline; if the range is empty or overlaps no hit,
 * returns all hits. Returns NULL instead of a scope that would contain all hits in the order of by_time. Owned by the
 * caller. O(1) if the range is empty, because the search has made the order (LoomSearchResult.visits); otherwise
 * O(hits). */
LoomSearchScope *loom_search_scope_new (LoomTimeline *timeline, const LoomSearchResult *result, LoomRange range);
void loom_search_scope_free (LoomSearchScope *scope); /* NULL: does nothing */

/* Returns the index in `scope` of a position in by_time; G_MAXUINT if `scope` lacks it. O(log hits). */
guint loom_search_scope_find (const LoomSearchScope *scope, guint32 position);
/* Returns the index in `scope` of the hit to which the user moves first from a position in by_time. If `forward` is
 * TRUE, prefers the first hit on a device at or after the position, then the first hit on the host at or after the
 * position, then the first hit of the scope. If `forward` is FALSE, prefers the last hit on a device before the
 * position, then the last hit on the host before the position, then the last hit of the scope. The scope must not be
 * empty. O(log hits). */
guint loom_search_scope_start (const LoomSearchScope *scope, guint32 position, gboolean forward);
