/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands on the timeline, in words: for the hover card, the status of a drag and assistive technology.
 * Strings are owned by the caller. Main thread.
 */
#pragma once

#include "loom-shown-spans.h"
#include "loom-timing.h"

G_BEGIN_DECLS

/* The name of a span as people read it; "(no name)" for none. Borrowed from the timeline. */
const char *loom_words_name (LoomViewState *state, LoomSpanId span);

/* Pango markup of a few lines, the first one the title; NULL when there is nothing to say. */
char *loom_words_for_hit (LoomViewState *state, const LoomHit *hit);
char *loom_words_for_range (LoomViewState *state, LoomRange range);
char *loom_words_for_box (LoomViewState *state, const LoomShownBox *box);

/* "12.4 ms · 42 spans · 3.41 kHz, one every 293 µs" */
char *loom_words_for_timing (const LoomTiming *timing);
/* "3.41 kHz, one every 293 µs"; NULL when there is no period. */
char *loom_words_for_rate (const LoomTiming *timing);

/* One sentence of plain text: what is open and in view, what is selected. */
char *loom_words_for_view (LoomViewState *state);

/* "1,234" in the person's language. */
char *loom_words_number (guint64 n);

/* "Working… 43 %"; without the share when `fraction` is negative: it is not known. */
char *loom_words_working (double fraction);

/* A value of a counter with its unit: "87.5 %", "1.2 GB/s". */
char *loom_words_value (double value, const char *unit);

G_END_DECLS
