/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hover-note.h"

#include "loom-shown-text.h"
#include "loom-words.h"

void
loom_hover_note_clear (LoomHoverNote *note)
{
  note->hovered = note->noted = LOOM_SPAN_ID_NONE;
  g_clear_pointer (&note->text, g_free);
}

LoomSpanId
loom_hover_note_span_of (const LoomHit *hit)
{
  gboolean span = hit->kind == LOOM_HIT_SPAN || hit->kind == LOOM_HIT_DENSE || hit->kind == LOOM_HIT_INSTANT;
  return span ? hit->span : LOOM_SPAN_ID_NONE;
}

gboolean
loom_hover_note_point_at (LoomHoverNote *note, LoomSpanId span)
{
  gboolean same = loom_span_id_equal (span, note->hovered);
  note->hovered = span;
  return !same;
}

gboolean
loom_hover_note_set (LoomHoverNote *note, LoomSpanId span, const char *text)
{
  g_free (note->text);
  note->text = g_strdup (text);
  note->noted = span;
  return loom_span_id_equal (span, note->hovered);
}

char *
loom_hover_note_dup_words (const LoomHoverNote *note, LoomViewState *state, const LoomHit *hit)
{
  g_autofree char *words = loom_words_for_hit (state, hit);
  LoomSpanId span = loom_hover_note_span_of (hit);
  if (words == NULL || note->text == NULL || loom_span_id_is_none (span) || !loom_span_id_equal (span, note->noted))
    return g_steal_pointer (&words);
  g_autofree char *more = loom_shown_text_dup_markup (note->text);
  return g_strdup_printf ("%s\n%s", words, more);
}
