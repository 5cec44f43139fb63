/* SPDX-License-Identifier: Apache-2.0
 *
 * Which tracks hold search hits. Pure, any thread.
 */
#pragma once

#include "loom-timeline.h"
#include "loom-track-id.h"

G_BEGIN_DECLS

/* LoomTrackId in track order; owned. `hits`: LoomSpanId sorted by trace, then span. O(rows · log hits). */
GArray *loom_hit_tracks (const LoomTimeline *timeline, const GArray *hits);

G_END_DECLS
