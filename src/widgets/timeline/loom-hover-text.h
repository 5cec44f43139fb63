/* SPDX-License-Identifier: Apache-2.0
 *
 * What the hover card says of a span: what the timeline knows at once, and more lines that somebody read of it meanwhile.
 * Main thread.
 */
#pragma once

#include "loom-timeline-state.h"

typedef struct {
  LoomSpanId hovered, noted;
  char *text; /* of `noted`; NULL: nothing more */
} LoomHoverText;

/* Nothing is hovered, nothing noted; also before the first use of one that is zeros. */
void loom_hover_text_clear (LoomHoverText *note);

/* The span a card is about; a group's is not. */
LoomSpanId loom_hover_text_span_of (const LoomDrawHit *hit);

/* TRUE when it is another span than before. */
gboolean loom_hover_text_point_at (LoomHoverText *note, LoomSpanId span);
/* More of a span, in lines; NULL: nothing. TRUE when it is the one that is hovered. */
gboolean loom_hover_text_set (LoomHoverText *note, LoomSpanId span, const char *text);

/* Markup of all lines; NULL when there is nothing to say. Owned. */
char *loom_hover_text_dup_words (const LoomHoverText *note, LoomTimelineState *state, const LoomDrawHit *hit);
