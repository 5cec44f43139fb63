/* SPDX-License-Identifier: Apache-2.0
 *
 * A template is the text of one event or object, with its holes (values of the event and of its args, or of the object)
 * and its marks (the places that a LoomStrictEvent points to). A new text is compared with it from hole to hole. Where
 * they differ inside a hole, the new value is parsed and the comparison continues after both values; where they differ
 * anywhere else, the template does not match.
 *
 * Finding the first difference costs branch mispredictions, which dominate here. A hole whose value was seen to change
 * is therefore live: its value is parsed without being compared, so that the same instructions run for every event. If
 * that fails, the text is compared as described above.
 */
#include "loom-event-template-private.h"

#define N_FAMILIES 512
#define N_WAYS 4
#define MAX_TEXT 2048
/* After PATIENCE events in a row that matched no template, only one of LEARN_ONE_OF events is learnt. */
#define PATIENCE 16
#define LEARN_ONE_OF 64

struct _LoomEventTemplates {
  LoomEventTemplatesKind kind;
  LoomEventTemplate *ways[N_FAMILIES][N_WAYS]; /* most recently matched first */
  guint n_strange;                             /* events since the last match */
};

LoomEventTemplates *
loom_event_templates_new (LoomEventTemplatesKind kind)
{
  LoomEventTemplates *patterns = g_new0 (LoomEventTemplates, 1);
  patterns->kind = kind;
  return patterns;
}

static void
free_pattern (LoomEventTemplate *pattern)
{
  if (pattern == NULL)
    return;
  for (guint i = 0; i < pattern->n_holes; i++)
    g_free (pattern->holes[i].seen);
  g_free (pattern);
}

void
loom_event_templates_free (LoomEventTemplates *patterns)
{
  if (patterns == NULL)
    return;
  for (guint f = 0; f < N_FAMILIES; f++)
    for (guint w = 0; w < N_WAYS; w++)
      free_pattern (patterns->ways[f][w]);
  g_free (patterns);
}

/* --- learning ------------------------------------------------------------------------------------------------------ */

static gboolean
add_hole (LoomEventTemplate *pattern, const char *text, LoomJsonSlice value, gboolean scalar)
{
  if (pattern->n_holes == LOOM_PATTERN_MAX_HOLES)
    return FALSE;
  guint16 begin = (guint16) (value.text - text);
  pattern->holes[pattern->n_holes++] = (LoomTemplateSlot) { begin, (guint16) (begin + value.length), scalar, 0, NULL };
  return TRUE;
}

/* Adds holes for the values inside an object such as args. */
static gboolean
add_inner_holes (LoomEventTemplate *pattern, const char *text, LoomJsonSlice object)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  if (!loom_json_slice_iter_init (&iter, object))
    return FALSE;
  while (loom_json_slice_iter_next (&iter, &key, &value))
    if (!add_hole (pattern, text, value, FALSE))
      return FALSE;
  return TRUE;
}

static gboolean
add_holes (LoomEventTemplate *pattern, LoomEventTemplatesKind kind, const char *text)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  if (kind == LOOM_PATTERNS_OF_OBJECTS)
    return add_inner_holes (pattern, text, (LoomJsonSlice) { text, pattern->length });
  if (!loom_json_slice_iter_init (&iter, (LoomJsonSlice) { text, pattern->length }))
    return FALSE;
  while (loom_json_slice_iter_next (&iter, &key, &value)) {
    gboolean object = loom_json_slice_is_object (value),
             copied = loom_event_parser_member_for (key.text + 1, key.length - 2) > LOOM_MEMBER_DUR;
    if (*value.text == '[' || (object && !copied))
      return FALSE;
    if (!(object ? add_inner_holes (pattern, text, value) : add_hole (pattern, text, value, TRUE)))
      return FALSE;
  }
  return TRUE;
}

static void
add_mark (LoomEventTemplate *pattern, const char *text, const char *at, LoomTemplateOffsetKind kind, gsize slice,
          guint copied)
{
  pattern->marks[pattern->n_marks++] =
    (LoomTemplateOffset) { (guint16) (at - text), (guint16) slice, (guint8) kind, (guint8) copied };
}

static void
add_slice (LoomEventTemplate *pattern, const char *text, const LoomStrictEvent *event, const LoomJsonSlice *slice,
           guint copied)
{
  gsize offset = (gsize) ((const char *) slice - (const char *) event);
  if (slice->text == NULL)
    return;
  add_mark (pattern, text, slice->text, LOOM_TEMPLATE_OFFSET_BEGIN, offset, copied);
  add_mark (pattern, text, slice->text + slice->length, LOOM_TEMPLATE_OFFSET_END, offset, copied);
}

static int
compare_marks (gconstpointer a, gconstpointer b)
{
  return (int) ((const LoomTemplateOffset *) a)->at - (int) ((const LoomTemplateOffset *) b)->at;
}

static void
add_marks (LoomEventTemplate *pattern, const char *text, const LoomStrictEvent *event)
{
  add_slice (pattern, text, event, &event->name, LOOM_STRICT_EVENT_MAX_COPIED);
  add_slice (pattern, text, event, &event->category, LOOM_STRICT_EVENT_MAX_COPIED);
  add_slice (pattern, text, event, &event->phase, LOOM_STRICT_EVENT_MAX_COPIED);
  pattern->n_copied = event->n_copied;
  for (guint i = 0; i < event->n_copied; i++) {
    const LoomStrictMember *member = &event->copied[i];
    pattern->copied[i].member = (guint8) member->member;
    pattern->copied[i].key_length = (guint16) member->key.length;
    add_mark (pattern, text, member->key.text, LOOM_TEMPLATE_OFFSET_KEY, 0, i);
    add_slice (pattern, text, event, &member->value, i);
  }
  guint n_breaks = event->copied[event->n_copied].first_break, n_line_ends = 0;
  for (guint i = 0; i < n_breaks; i++)
    add_mark (pattern, text, event->breaks[i], LOOM_TEMPLATE_OFFSET_BREAK, 0, 0);
  qsort (pattern->marks, pattern->n_marks, sizeof (LoomTemplateOffset), compare_marks);
  pattern->marks[pattern->n_marks].at = LOOM_PATTERN_NEVER;
  for (guint i = 0; i < pattern->length; i++)
    n_line_ends += text[i] == '\n' || text[i] == '\r';
  pattern->broken = n_line_ends > n_breaks;
}

static guint8
live_before (const LoomEventTemplate *pattern, guint at)
{
  guint n = 0;
  while (n < pattern->n_live && pattern->live[n].end <= at)
    n++;
  return (guint8) n;
}

static void
find_live (LoomEventTemplate *pattern)
{
  guint from = 0;
  pattern->n_live = 0;
  for (guint i = 0; i < pattern->n_holes; i++) {
    const LoomTemplateSlot *hole = &pattern->holes[i];
    if (hole->n_changes < LOOM_TEMPLATE_LIVE_CHANGES)
      continue;
    pattern->live[pattern->n_live++] =
      (LoomTemplateLive) { (guint16) from, (guint16) (hole->begin - from), hole->end, (guint8) i };
    from = hole->end;
  }
}

/* Adds a line end, unless it is inside a live hole: there it belongs to the old value. */
static void
add_break (LoomEventTemplate *pattern, guint at)
{
  guint8 n = live_before (pattern, at);
  if (n < pattern->n_live && at > pattern->holes[pattern->live[n].hole].begin)
    return;
  pattern->breaks[pattern->n_breaks++] = (LoomTemplateBreak) { (guint16) at, n };
}

static void
add_part (LoomEventTemplate *pattern, guint begin, guint end, gsize slice)
{
  pattern->parts[pattern->n_parts++] = (LoomTemplatePart) { (guint16) begin, (guint16) end, (guint16) slice,
                                                            live_before (pattern, begin), live_before (pattern, end) };
}

void
loom_event_template_find_parts (LoomEventTemplate *pattern)
{
  find_live (pattern);
  pattern->n_parts = pattern->n_breaks = 0;
  for (guint i = 0; i < pattern->n_marks; i++) {
    const LoomTemplateOffset *mark = &pattern->marks[i], *end = mark + 1;
    switch ((LoomTemplateOffsetKind) mark->kind) {
    case LOOM_TEMPLATE_OFFSET_KEY:
      pattern->first_break[mark->copied] = pattern->n_breaks;
      add_part (pattern, mark->at, mark->at + pattern->copied[mark->copied].key_length,
                G_STRUCT_OFFSET (LoomStrictEvent, copied[mark->copied].key));
      break;
    case LOOM_TEMPLATE_OFFSET_BEGIN:
      while (end->kind != LOOM_TEMPLATE_OFFSET_END || end->slice != mark->slice)
        end++;
      add_part (pattern, mark->at, end->at, mark->slice);
      break;
    case LOOM_TEMPLATE_OFFSET_END: break;
    case LOOM_TEMPLATE_OFFSET_BREAK: add_break (pattern, mark->at); break;
    }
  }
  pattern->first_break[pattern->n_copied] = pattern->n_breaks;
}

/* Makes a template of an event. Returns NULL if the event is too large. */
static LoomEventTemplate *
learn (LoomEventTemplatesKind kind, const char *text, const LoomStrictEvent *event)
{
  if (event->length > MAX_TEXT)
    return NULL;
  LoomEventTemplate *pattern = g_malloc0 (sizeof (LoomEventTemplate) + event->length + 16);
  pattern->length = (guint) event->length;
  memcpy (pattern->text, text, event->length);
  if (!add_holes (pattern, kind, text)) {
    g_free (pattern);
    return NULL;
  }
  pattern->holes[pattern->n_holes] = (LoomTemplateSlot) { LOOM_PATTERN_NEVER, LOOM_PATTERN_NEVER, TRUE, 0, NULL };
  add_marks (pattern, text, event);
  loom_event_template_find_parts (pattern);
  return pattern;
}

/* --- lookup
 * -------------------------------------------------------------------------------------------------------- */

static void
move_to_front (LoomEventTemplate **ways, guint way)
{
  LoomEventTemplate *pattern = ways[way];
  memmove (ways + 1, ways, way * sizeof *ways);
  ways[0] = pattern;
}

static void
remember (LoomEventTemplates *patterns, LoomEventTemplate **ways, const char *text, const LoomStrictEvent *event)
{
  if (patterns->n_strange++ >= PATIENCE && patterns->n_strange % LEARN_ONE_OF != 0)
    return;
  LoomEventTemplate *pattern = learn (patterns->kind, text, event);
  if (pattern == NULL)
    return;
  free_pattern (ways[N_WAYS - 1]);
  ways[N_WAYS - 1] = pattern;
  move_to_front (ways, N_WAYS - 1);
}

gboolean
loom_event_templates_scan (LoomEventTemplates *patterns, guint family, const char *text, LoomStrictEvent *event)
{
  LoomEventTemplate **ways = patterns->ways[family % N_FAMILIES];
  for (guint way = 0; way < N_WAYS && ways[way] != NULL; way++) {
    if (!loom_event_template_fits (ways[way], text, event))
      continue;
    if (way > 0)
      move_to_front (ways, way);
    patterns->n_strange = 0;
    return TRUE;
  }
  if (!(patterns->kind == LOOM_PATTERNS_OF_EVENTS ? loom_strict_event_parser_scan
                                                  : loom_strict_event_parser_object_scan) (text, event))
    return FALSE;
  remember (patterns, ways, text, event);
  return TRUE;
}
