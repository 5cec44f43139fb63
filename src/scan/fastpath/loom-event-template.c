/* SPDX-License-Identifier: Apache-2.0
 *
 * A template is the text of an earlier event or object, with a list of its holes and marks. Holes are the values that
 * may differ in other events: values of the event, of its args, or of the object. Marks are the positions to which the
 * slices of a LoomStrictEvent point.
 *
 * A new text is compared with the template from the beginning. If they differ inside a hole, the value in the new text
 * is parsed, and the comparison continues after the value in both texts. If they differ outside of holes, the template
 * does not match.
 */
#include "loom-event-template.h"

#include "loom-strict-json-skip.h"

#define N_FAMILIES 512
#define N_WAYS 4
#define MAX_TEXT 2048
#define MAX_HOLES 48
/* After PATIENCE successive events that match no template, only one event in LEARN_ONE_OF becomes a template, so that
 * no time is wasted in traces whose events are all different. */
#define PATIENCE 16
#define LEARN_ONE_OF 64

typedef enum { MARK_KEY, MARK_BEGIN, MARK_END, MARK_BREAK } MarkKind;

typedef struct {
  guint16 at;
  /* for MARK_BEGIN and MARK_END: offset in LoomStrictEvent of the LoomJsonSlice that begins or ends at the mark */
  guint16 slice;
  guint8 kind;
  guint8 copied; /* for MARK_KEY: index, in LoomStrictEvent.copied, of the member whose key begins at the mark */
} Mark;

/* Maximum number of marks. This includes a last mark at the position NEVER, which is beyond the end of every text, so
 * that the loops over the marks end there. The array of holes ends with such an element, too. */
#define MAX_MARKS (3 * LOOM_STRICT_EVENT_MAX_COPIED + 6 + LOOM_STRICT_EVENT_MAX_BREAKS + 1)
#define NEVER G_MAXUINT16

typedef struct {
  guint16 begin, end;
  /* TRUE if the hole is the value of a member of the event itself: the template then matches only if the new value is a
   * scalar. FALSE if it is a value in a nested object, such as args: the new value may be any JSON value. */
  gboolean scalar;
} Hole;

typedef struct {
  guint length, n_holes, n_marks, n_copied;
  gboolean broken; /* TRUE if the event of the template contains line ends outside of the members that are copied */
  struct {
    guint8 member;
    guint16 key_length;
  } copied[LOOM_STRICT_EVENT_MAX_COPIED];
  Hole holes[MAX_HOLES + 1];
  Mark marks[MAX_MARKS];
  char text[]; /* text of the event, followed by 16 zero bytes */
} Template;

struct _LoomEventTemplates {
  LoomEventTemplatesKind kind;
  /* array indexed by family (a number that the caller passes): the templates of the family. The template that was
   * matched last is the first */
  Template *ways[N_FAMILIES][N_WAYS];
  guint n_strange; /* number of successive events that matched no template */
};

LoomEventTemplates *
loom_event_templates_new (LoomEventTemplatesKind kind)
{
  LoomEventTemplates *patterns = g_new0 (LoomEventTemplates, 1);
  patterns->kind = kind;
  return patterns;
}

void
loom_event_templates_free (LoomEventTemplates *patterns)
{
  if (patterns == NULL)
    return;
  for (guint f = 0; f < N_FAMILIES; f++)
    for (guint w = 0; w < N_WAYS; w++)
      g_free (patterns->ways[f][w]);
  g_free (patterns);
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

/* Returns the number of leading bytes, at most `n`, that are equal in `a` and `b`. In both, 16 more bytes must be
 * readable after the first `n` bytes. */
static inline guint
count_equal (const char *a, const char *b, guint n)
{
  guint i = 0;
#ifdef __SSE2__
  for (; i < n; i += 16) {
    __m128i same =
      _mm_cmpeq_epi8 (_mm_loadu_si128 ((const __m128i *) (a + i)), _mm_loadu_si128 ((const __m128i *) (b + i)));
    guint differ = (guint) _mm_movemask_epi8 (same) ^ 0xFFFF;
    if (differ != 0)
      return MIN (i + (guint) __builtin_ctz (differ), n);
  }
  return n;
#else
  while (i < n && a[i] == b[i])
    i++;
  return i;
#endif
}

typedef struct {
  const Template *pattern;
  const char *text;
  /* offset of the current position in the new text, minus the offset of the corresponding position in the template */
  gssize shift;
  const Mark *mark; /* the next mark of the template to be processed */
  LoomStrictScan scan;
} Match;

/* Processes the marks up to position `limit` of the template (a Mark is a place in it at which a key or a value begins
 * or ends). Sets the slices of the event so that they begin and end at the corresponding places of the new text. */
static inline void
set_marks (Match *match, guint limit)
{
  LoomStrictEvent *event = match->scan.event;
  const Mark *mark = match->mark;
  for (const char *origin = match->text + match->shift; mark->at <= limit; mark++) {
    const char *at = origin + mark->at;
    LoomJsonSlice *slice = (LoomJsonSlice *) (gpointer) ((char *) event + mark->slice);
    switch ((MarkKind) mark->kind) {
    case MARK_KEY:
      event->copied[mark->copied].member = (LoomMember) match->pattern->copied[mark->copied].member;
      event->copied[mark->copied].key = (LoomJsonSlice) { at, match->pattern->copied[mark->copied].key_length };
      event->copied[mark->copied].first_break = match->scan.n_breaks;
      break;
    case MARK_BEGIN: slice->text = at; break;
    case MARK_END: slice->length = (gsize) (at - slice->text); break;
    case MARK_BREAK:
      event->breaks[MIN (match->scan.n_breaks, LOOM_STRICT_EVENT_MAX_BREAKS - 1)] = at;
      match->scan.n_breaks++;
      break;
    }
  }
  match->mark = mark;
}

/* Parses the value of the new text at the position of the hole. */
static gboolean
fill_hole (Match *match, const Hole *hole)
{
  set_marks (match, hole->begin);
  while (match->mark->at < hole->end)
    /* skip the mark of a line end in the template's value, because the new value replaces this value */
    match->mark++;
  const char *value = match->text + hole->begin + match->shift;
  const char *end =
    hole->scalar ? loom_strict_json_skip_scalar (value, NULL) : loom_strict_json_skip_value (value, &match->scan);
  if (end == NULL)
    return FALSE;
  match->shift = end - match->text - hole->end;
  return TRUE;
}

/* Sets the members of `event` that are not set at marks or holes. Called when the whole text matches the template.
 * Returns FALSE if the copied values have more line ends than `event` can store. */
static gboolean
finish (Match *match)
{
  const Template *pattern = match->pattern;
  LoomStrictEvent *event = match->scan.event;
  set_marks (match, pattern->length);
  event->length = (gsize) ((gssize) pattern->length + match->shift);
  event->n_copied = pattern->n_copied;
  event->copied[event->n_copied].first_break = match->scan.n_breaks;
  event->one_line = !pattern->broken && match->scan.n_breaks == 0;
  return match->scan.n_breaks <= LOOM_STRICT_EVENT_MAX_BREAKS;
}

/* Clears the slices one by one. Uses writes of the same size as the later reads, because the processor would stall if
 * it read memory just after writes of another size. */
static inline void
forget (LoomStrictEvent *event)
{
  static const LoomJsonSlice nothing = { NULL, 0 };
  event->name = nothing;
  event->category = nothing;
  event->phase = nothing;
}

/* Compares the text with the template up to the first difference, parses the new value there, and continues after it.
 * Returns TRUE if all differences are inside holes (values that may differ); `event` is then filled. */
static gboolean
fits (const Template *pattern, const char *text, LoomStrictEvent *event)
{
  Match match = { .pattern = pattern, .text = text, .mark = pattern->marks, .scan = { event, 0, FALSE } };
  const Hole *hole = pattern->holes;
  forget (event);
  for (guint at = 0;;) {
    at += count_equal (pattern->text + at, text + at + match.shift, pattern->length - at);
    if (at == pattern->length)
      break;
    while (hole->end < at)
      hole++;
    if (hole->begin > at || !fill_hole (&match, hole))
      return FALSE;
    at = hole++->end;
  }
  return finish (&match);
}

/* --- learning ----------------------------------------------------------------------------------------------------- */

static gboolean
add_hole (Template *pattern, const char *text, LoomJsonSlice value, gboolean scalar)
{
  if (pattern->n_holes == MAX_HOLES)
    return FALSE;
  guint16 begin = (guint16) (value.text - text);
  pattern->holes[pattern->n_holes++] = (Hole) { begin, (guint16) (begin + value.length), scalar };
  return TRUE;
}

/* Adds a hole for the value of each member of an object, such as args. Returns FALSE if `object` is not an object, or
 * if the template would have too many holes. */
static gboolean
add_inner_holes (Template *pattern, const char *text, LoomJsonSlice object)
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
add_holes (Template *pattern, LoomEventTemplatesKind kind, const char *text)
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
add_mark (Template *pattern, const char *text, const char *at, MarkKind kind, gsize slice, guint copied)
{
  pattern->marks[pattern->n_marks++] =
    (Mark) { (guint16) (at - text), (guint16) slice, (guint8) kind, (guint8) copied };
}

static void
add_slice (Template *pattern, const char *text, const LoomStrictEvent *event, const LoomJsonSlice *slice)
{
  gsize offset = (gsize) ((const char *) slice - (const char *) event);
  if (slice->text == NULL)
    return;
  add_mark (pattern, text, slice->text, MARK_BEGIN, offset, 0);
  add_mark (pattern, text, slice->text + slice->length, MARK_END, offset, 0);
}

static int
compare_marks (gconstpointer a, gconstpointer b)
{
  return (int) ((const Mark *) a)->at - (int) ((const Mark *) b)->at;
}

static void
add_marks (Template *pattern, const char *text, const LoomStrictEvent *event)
{
  add_slice (pattern, text, event, &event->name);
  add_slice (pattern, text, event, &event->category);
  add_slice (pattern, text, event, &event->phase);
  pattern->n_copied = event->n_copied;
  for (guint i = 0; i < event->n_copied; i++) {
    const LoomStrictMember *member = &event->copied[i];
    pattern->copied[i].member = (guint8) member->member;
    pattern->copied[i].key_length = (guint16) member->key.length;
    add_mark (pattern, text, member->key.text, MARK_KEY, 0, i);
    add_slice (pattern, text, event, &member->value);
  }
  guint n_breaks = event->copied[event->n_copied].first_break, n_line_ends = 0;
  for (guint i = 0; i < n_breaks; i++)
    add_mark (pattern, text, event->breaks[i], MARK_BREAK, 0, 0);
  qsort (pattern->marks, pattern->n_marks, sizeof (Mark), compare_marks);
  pattern->marks[pattern->n_marks].at = NEVER;
  for (guint i = 0; i < pattern->length; i++)
    n_line_ends += text[i] == '\n' || text[i] == '\r';
  pattern->broken = n_line_ends > n_breaks;
}

/* Makes a template of an event. Returns NULL if the event is too large. */
static Template *
learn (LoomEventTemplatesKind kind, const char *text, const LoomStrictEvent *event)
{
  if (event->length > MAX_TEXT)
    return NULL;
  Template *pattern = g_malloc0 (sizeof (Template) + event->length + 16);
  pattern->length = (guint) event->length;
  memcpy (pattern->text, text, event->length);
  if (!add_holes (pattern, kind, text)) {
    g_free (pattern);
    return NULL;
  }
  pattern->holes[pattern->n_holes] = (Hole) { NEVER, NEVER, TRUE };
  add_marks (pattern, text, event);
  return pattern;
}

/* --- lookup ------------------------------------------------------------------------------------------------------- */

static void
move_to_front (Template **ways, guint way)
{
  Template *pattern = ways[way];
  memmove (ways + 1, ways, way * sizeof *ways);
  ways[0] = pattern;
}

static void
remember (LoomEventTemplates *patterns, Template **ways, const char *text, const LoomStrictEvent *event)
{
  if (patterns->n_strange++ >= PATIENCE && patterns->n_strange % LEARN_ONE_OF != 0)
    return;
  Template *pattern = learn (patterns->kind, text, event);
  if (pattern == NULL)
    return;
  g_free (ways[N_WAYS - 1]);
  ways[N_WAYS - 1] = pattern;
  move_to_front (ways, N_WAYS - 1);
}

gboolean
loom_event_templates_scan (LoomEventTemplates *patterns, guint family, const char *text, LoomStrictEvent *event)
{
  Template **ways = patterns->ways[family % N_FAMILIES];
  for (guint way = 0; way < N_WAYS && ways[way] != NULL; way++) {
    if (!fits (ways[way], text, event))
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
