/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/core: the set of sources (trace files) that a view shows, by their paths; NULL: the view shows all
 * sources. Main thread only.
 */
#pragma once

#include "loom-timeline.h"
#include "loom-track-id.h"

/* Returns a set with copies of the paths, owned by the caller. `paths` is NULL-terminated. If `paths` is NULL, returns
 * NULL, which represents the set of all sources. */
GHashTable *loom_shown_sources_new (const char *const *paths);
/* Returns TRUE if the source of the track is in the set; a NULL set contains all sources. */
gboolean loom_shown_sources_have_track (GHashTable *sources, const LoomTimeline *timeline, LoomTrackId id);
