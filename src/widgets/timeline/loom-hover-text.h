/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of the hover card of a span: facts that are known at once, and lines that are read later. Called on the main
 * thread.
 */
#pragma once

#include "loom-timeline-state.h"

typedef struct {
  LoomSpanId hovered, noted;
  char *text; /* lines that the card shows in addition to the facts of the span `noted`; NULL: none */
} LoomHoverText;

/* Sets `hovered` and `noted` to no span, and removes the additional lines. Also initialises a zeroed struct. */
void loom_hover_text_clear (LoomHoverText *note);

/* Returns the span that was hit; LOOM_SPAN_ID_NONE for other items, such as the lane of a folded group. */
LoomSpanId loom_hover_text_span_of (const LoomDrawHit *hit);

/* Sets the hovered span. Returns TRUE if another span was hovered before. */
gboolean loom_hover_text_point_at (LoomHoverText *note, LoomSpanId span);
/* Sets the additional lines for a span; `text` NULL: none. Returns TRUE if the span is hovered now. */
gboolean loom_hover_text_set (LoomHoverText *note, LoomSpanId span, const char *text);

/* Returns the markup for the hit item: its description, and the additional lines if the item is the span `noted`. Owned
 * by the caller; NULL: there is nothing to show. */
char *loom_hover_text_dup_words (const LoomHoverText *note, LoomTimelineState *state, const LoomDrawHit *hit);
