/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of the hover card of a span: facts that are known at once, and lines that are read later. Called on the main
 * thread.
 */
#pragma once

#include "loom-timeline-state.h"

typedef struct {
  LoomSpanId hovered, noted;
  char *text; /* lines read for `noted`; NULL: none */
} LoomHoverText;

/* Resets to no hovered span and no text; also initialises a zeroed struct. */
void loom_hover_text_clear (LoomHoverText *note);

/* Returns the span of a hit; LOOM_SPAN_ID_NONE for groups. */
LoomSpanId loom_hover_text_span_of (const LoomDrawHit *hit);

/* Sets the hovered span; returns TRUE if it is another one than before. */
gboolean loom_hover_text_point_at (LoomHoverText *note, LoomSpanId span);
/* Sets the lines read for a span; NULL: none. Returns TRUE if it is the hovered span. */
gboolean loom_hover_text_set (LoomHoverText *note, LoomSpanId span, const char *text);

/* Returns the markup of all lines, owned by the caller; NULL: there is no text. */
char *loom_hover_text_dup_words (const LoomHoverText *note, LoomTimelineState *state, const LoomDrawHit *hit);
