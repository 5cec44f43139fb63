/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of the hover card of a span: facts that are known at once, and additional lines that another part of the
 * program reads from the trace later. Called on the main thread.
 */
#pragma once

#include "loom-timeline-state.h"

typedef struct {
  LoomSpanId hovered, noted;
  char *text; /* additional lines that the card shows for the span `noted`; NULL: the card shows no additional lines */
} LoomHoverText;

/* Makes the text empty: sets `hovered` and `noted` to no span, and removes the additional lines. Also initializes a
 * struct that contains zeros. */
void loom_hover_text_clear (LoomHoverText *note);

/* Returns the span under the pointer according to `hit`; LOOM_SPAN_ID_NONE if another item is under the pointer, such
 * as the lane of a folded group. */
LoomSpanId loom_hover_text_span_of (const LoomDrawHit *hit);

/* Sets the hovered span. Returns TRUE if the hovered span has changed. */
gboolean loom_hover_text_point_at (LoomHoverText *note, LoomSpanId span);
/* Sets the additional lines for a span; if `text` is NULL, there are none. Returns TRUE if the pointer is over the span
 * now. */
gboolean loom_hover_text_set (LoomHoverText *note, LoomSpanId span, const char *text);

/* Returns the markup for the item under the pointer: its description and, if the item is the span `noted`, the
 * additional lines. Owned by the caller. Returns NULL if no item is under the pointer. */
char *loom_hover_text_dup_words (const LoomHoverText *note, LoomTimelineState *state, const LoomDrawHit *hit);
