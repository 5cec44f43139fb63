/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hover-text.h"

#include "loom-ellipsize.h"
#include "loom-timeline-description.h"

void
loom_hover_text_clear (LoomHoverText *note)
{
  note->hovered = note->noted = LOOM_SPAN_ID_NONE;
  g_clear_pointer (&note->text, g_free);
}

LoomSpanId
loom_hover_text_span_of (const LoomDrawHit *hit)
{
  gboolean span =
    hit->kind == LOOM_DRAW_HIT_SPAN || hit->kind == LOOM_DRAW_HIT_DENSE || hit->kind == LOOM_DRAW_HIT_INSTANT;
  return span ? hit->span : LOOM_SPAN_ID_NONE;
}

gboolean
loom_hover_text_point_at (LoomHoverText *note, LoomSpanId span)
{
  gboolean same = loom_timeline_span_id_equal (span, note->hovered);
  note->hovered = span;
  return !same;
}

gboolean
loom_hover_text_set (LoomHoverText *note, LoomSpanId span, const char *text)
{
  g_free (note->text);
  note->text = g_strdup (text);
  note->noted = span;
  return loom_timeline_span_id_equal (span, note->hovered);
}

char *
loom_hover_text_dup_words (const LoomHoverText *note, LoomTimelineState *state, const LoomDrawHit *hit)
{
  g_autofree char *words = loom_timeline_description_for_hit (state, hit);
  LoomSpanId span = loom_hover_text_span_of (hit);
  if (words == NULL || note->text == NULL || loom_timeline_span_id_is_none (span) ||
      !loom_timeline_span_id_equal (span, note->noted))
    return g_steal_pointer (&words);
  g_autofree char *more = loom_ellipsize_markup (note->text);
  return g_strdup_printf ("%s\n%s", words, more);
}
