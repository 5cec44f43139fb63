/* SPDX-License-Identifier: Apache-2.0
 *
 * The tracks of the sources that are shown, for figures and lists beside the timeline.
 */
#pragma once

#include "loom-timeline-state.h"

/* LoomTrackId, owned by the caller; NULL if all sources are shown. Tracks that aggregate others are included only if
 * `derived`. Main thread. */
GArray *loom_visible_tracks (LoomTimelineState *state, gboolean derived);
