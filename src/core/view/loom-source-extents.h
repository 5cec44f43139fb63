/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds where given sources (trace files) are on the timeline: their first row and their time range. `sources`: `n`
 * indices of sources of the timeline's run. Called on the main thread.
 */
#pragma once

#include "loom-row-list.h"

/* Returns the key of the first visible unpinned row that has a track of one of the sources; NULL if no row has one.
 * `sources`: indices of sources of the run. The key is borrowed until the next layout. O(tracks). */
const char *loom_source_extents_find_row (LoomRowList *outline, const guint *sources, guint n);
/* Sets `extent` to the time range that the sources cover on the timeline. Returns FALSE if they have no times. */
gboolean loom_source_extents_get_extent (LoomTimeline *timeline, const guint *sources, guint n, LoomRange *extent);
