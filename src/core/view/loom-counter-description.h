/* SPDX-License-Identifier: Apache-2.0
 *
 * The values of the counters in view, in words: for assistive technology and the card of timing mode. What stands beside
 * their plots says the same. Strings are owned by the caller. Main thread; O(rows in view · log samples).
 */
#pragma once

#include "loom-timeline-state.h"

G_BEGIN_DECLS

/* "At +5 s: memory 12.4 GiB, load a 50 %" in one line; NULL when no counter in view has a value there. */
char *loom_counter_description_at (LoomTimelineState *state, gint64 time_ns);

/* A line each for the first few: "memory: 12.4 GiB → 13 GiB (+614 MiB)"; then how many more there are. NULL as above. */
char *loom_counter_description_between (LoomTimelineState *state, LoomRange range);

G_END_DECLS
