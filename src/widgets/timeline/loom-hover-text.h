/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of the hover card of a span: facts that are known at once, and additional lines that are read from the trace
 * later. The functions must be called on the main thread.
 */
#pragma once

#include "loom-timeline-state.h"

typedef struct {
  LoomSpanId hovered, noted;
  char *text; /* additional lines on the card of the span `noted`; NULL: there are none */
} LoomHoverText;

/* Makes the text empty: sets `hovered` and `noted` to no span, and removes the additional lines. Can also be used to
 * initialise a struct that is filled with zeros. */
void loom_hover_text_clear (LoomHoverText *note);

/* Returns the span of `hit`, the item under the pointer; LOOM_SPAN_ID_NONE if the item is not a span, for example the
 * lane of a folded group. */
LoomSpanId loom_hover_text_span_of (const LoomDrawHit *hit);

/* Sets the hovered span. Returns TRUE if the hovered span has changed. */
gboolean loom_hover_text_point_at (LoomHoverText *note, LoomSpanId span);
/* Sets the additional lines for a span; NULL: there are none. Returns TRUE if the pointer is over this span now. */
gboolean loom_hover_text_set (LoomHoverText *note, LoomSpanId span, const char *text);

/* Returns the markup for the item under the pointer: its description and, if the item is the span `noted`, the
 * additional lines. Owned by the caller. NULL if there is no item under the pointer. */
char *loom_hover_text_dup_words (const LoomHoverText *note, LoomTimelineState *state, const LoomDrawHit *hit);
