/* SPDX-License-Identifier: Apache-2.0
 *
 * Where on the timeline the sources of a line are. Main thread.
 */
#pragma once

#include "loom-outline.h"
#include "loom-source-item.h"

G_BEGIN_DECLS

/* The key of the first row, the pinned ones aside, that holds a track of them; NULL: none shows. Borrowed until the next
 * layout. O(tracks). */
const char *loom_source_places_find_row (LoomOutline *outline, LoomSourceItem *item);
/* The time they cover, on the timeline; FALSE when they have none. */
gboolean loom_source_places_get_extent (LoomTimeline *timeline, LoomSourceItem *item, LoomRange *extent);

G_END_DECLS
