/* SPDX-License-Identifier: Apache-2.0
 *
 * How far apart in time lies what was opened together.
 */
#pragma once

#include "loom-timeline.h"

/* The longest stretch of the timeline of which no clock says anything, and how much there is without such stretches; 0 for
 * fewer than two of them. */
gint64 loom_time_gap_find (const LoomTimeline *timeline, gint64 *recorded_ns);
