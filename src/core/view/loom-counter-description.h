/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes the values of the counters in view as text: for assistive technology and for the card that is shown in
 * timing mode (loom-cursor.h). The tags next to the plots show the same values. Strings are owned by the caller. Called
 * on the main thread; O(rows in view · log samples).
 */
#pragma once

#include "loom-timeline-state.h"

/* Describes the counters in view at an instant in one line, for example "At +5 s: memory 12.4 GiB, load a 50 %"; NULL
 * if no counter has a value at that time. */
char *loom_counter_description_at (LoomTimelineState *state, gint64 time_ns);

/* Describes how the counters in view change in the range, one counter per line, for example "memory: 12.4 GiB → 13 GiB
 * (+614 MiB)". If there are more than a few counters, describes only the first ones, and says in the last line how many
 * are not described. NULL if no counter in view has a value. */
char *loom_counter_description_between (LoomTimelineState *state, LoomRange range);
