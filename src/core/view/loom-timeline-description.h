/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptions of the spans, counters, ranges and the view that the timeline shows: for the hover card, for the text
 * that is shown during a drag, and for assistive technology. Strings are owned by the caller. Called on the main
 * thread.
 */
#pragma once

#include "loom-timing.h"
#include "loom-visible-spans.h"

/* Returns the displayed name of a span; "(no name)" for an empty name. Borrowed from the timeline. */
const char *loom_timeline_description_name (LoomTimelineState *state, LoomSpanId span);

/* Describes a drawn item in a few lines of Pango markup, the first of which is the title; NULL if there is nothing to
 * describe. */
char *loom_timeline_description_for_hit (LoomTimelineState *state, const LoomDrawHit *hit);
char *loom_timeline_description_for_range (LoomTimelineState *state, LoomRange range);
char *loom_timeline_description_for_box (LoomTimelineState *state, const LoomVisibleBox *box);

/* Describes the spans in a range, for example "12.4 ms · 42 spans · 3,410 spans/s, one every 293 µs". */
char *loom_timeline_description_for_timing (const LoomTiming *timing);
/* Describes how often spans start, for example "3,410 spans/s, one every 293 µs"; NULL if no two spans start at
 * different times. */
char *loom_timeline_description_for_rate (const LoomTiming *timing);

/* Describes a range, for example "1.24 s starting at +12.4 s"; "" for an empty range, or while no run is open. */
char *loom_timeline_description_when (LoomTimelineState *state, LoomRange range);
/* Returns TRUE if the range does not cover the whole run. */
gboolean loom_timeline_description_is_part (LoomTimelineState *state, LoomRange range);

/* Describes the run, the view and the selection in one sentence of plain text. */
char *loom_timeline_description_for_view (LoomTimelineState *state);

/* Describes progress, for example "Working… 43 %"; without the percentage if `fraction` is negative (unknown). */
char *loom_timeline_description_working (double fraction);

/* Formats a value of a counter with its unit: "87.5 %", "1.2 GB/s". */
char *loom_timeline_description_value (double value, const char *unit);
