/* SPDX-License-Identifier: Apache-2.0
 *
 * The tracks of the sources that are shown: what a figure or a list beside the timeline speaks of.
 */
#pragma once

#include "loom-timeline-state.h"

G_BEGIN_DECLS

/* LoomTrackId, owned; NULL when all sources are shown. Tracks that aggregate others only when asked for. Main thread. */
GArray *loom_visible_tracks (LoomTimelineState *state, gboolean derived);

G_END_DECLS
