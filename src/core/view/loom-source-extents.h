/* SPDX-License-Identifier: Apache-2.0
 *
 * Where on the timeline some sources are: `n` flat numbers of sources of its run. Main thread.
 */
#pragma once

#include "loom-row-list.h"

G_BEGIN_DECLS

/* The key of the first row, the pinned ones aside, that holds a track of them; NULL: none shows. Borrowed until the next
 * layout. O(tracks). */
const char *loom_source_extents_find_row (LoomRowList *outline, const guint *sources, guint n);
/* The time they cover, on the timeline; FALSE when they have none. */
gboolean loom_source_extents_get_extent (LoomTimeline *timeline, const guint *sources, guint n, LoomRange *extent);

G_END_DECLS
