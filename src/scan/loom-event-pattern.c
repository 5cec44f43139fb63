/* SPDX-License-Identifier: Apache-2.0
 *
 * A pattern is the text of one event, the holes in it (values of the event and of its args), and marks: the places that
 * a LoomStrictEvent points to. A new text is compared with it from hole to hole. Where they differ inside a hole, the
 * new value is read as such, and the comparison goes on behind both; anywhere else it is another pattern.
 */
#include "loom-event-pattern.h"

#include "loom-strict-walk.h"

#define N_FAMILIES 64
#define N_WAYS 4
#define MAX_TEXT 2048
#define MAX_HOLES 48
/* So many events in a row that fit nothing, and only some of the later ones are learnt. */
#define PATIENCE 16
#define LEARN_ONE_OF 64

typedef enum { MARK_KEY, MARK_BEGIN, MARK_END, MARK_BREAK } MarkKind;

/* The slice it belongs to is `slice` bytes into the LoomStrictEvent; `copied` is the number of the copied member whose
 * key or value it is, MAX_COPIED for the name and its like. */
typedef struct {
  guint16 at, slice;
  guint8 kind, copied;
} Mark;

/* Behind the last mark and the last hole stands one that is never reached. */
#define MAX_MARKS (3 * LOOM_STRICT_EVENT_MAX_COPIED + 6 + LOOM_STRICT_EVENT_MAX_BREAKS + 1)
#define NEVER G_MAXUINT16

typedef struct {
  guint16 begin, end;
  gboolean scalar;  /* of the event itself: what is nested there is looked at as a whole, or not at all */
} Hole;

typedef struct {
  guint length, n_holes, n_marks, n_copied;
  gboolean broken;  /* lines end outside of what is copied */
  struct {
    guint8 member;
    guint16 key_length;
  } copied[LOOM_STRICT_EVENT_MAX_COPIED];
  Hole holes[MAX_HOLES + 1];
  Mark marks[MAX_MARKS];
  char text[];      /* and 16 zero bytes */
} Pattern;

struct _LoomEventPatterns {
  Pattern *ways[N_FAMILIES][N_WAYS]; /* the one that fitted last comes first */
  guint n_strange;                   /* since something fitted */
};

LoomEventPatterns *
loom_event_patterns_new (void)
{
  return g_new0 (LoomEventPatterns, 1);
}

void
loom_event_patterns_free (LoomEventPatterns *patterns)
{
  if (patterns == NULL)
    return;
  for (guint f = 0; f < N_FAMILIES; f++)
    for (guint w = 0; w < N_WAYS; w++)
      g_free (patterns->ways[f][w]);
  g_free (patterns);
}

/* --- learning ------------------------------------------------------------------------------------------------------ */

static gboolean
add_hole (Pattern *pattern, const char *text, LoomSlice value, gboolean scalar)
{
  if (pattern->n_holes == MAX_HOLES)
    return FALSE;
  guint16 begin = (guint16) (value.text - text);
  pattern->holes[pattern->n_holes++] = (Hole) { begin, (guint16) (begin + value.length), scalar };
  return TRUE;
}

/* Values inside args and its like, whatever they are. */
static gboolean
add_inner_holes (Pattern *pattern, const char *text, LoomSlice object)
{
  LoomJsonIter iter;
  LoomSlice key, value;
  if (!loom_json_iter_init (&iter, object))
    return FALSE;
  while (loom_json_iter_next (&iter, &key, &value))
    if (!add_hole (pattern, text, value, FALSE))
      return FALSE;
  return TRUE;
}

static gboolean
add_holes (Pattern *pattern, const char *text)
{
  LoomJsonIter iter;
  LoomSlice key, value;
  if (!loom_json_iter_init (&iter, (LoomSlice) { text, pattern->length }))
    return FALSE;
  while (loom_json_iter_next (&iter, &key, &value)) {
    gboolean object = loom_slice_is_object (value), copied = loom_event_member_for (key.text + 1, key.length - 2) > LOOM_MEMBER_DUR;
    if (*value.text == '[' || (object && !copied))
      return FALSE;
    if (!(object ? add_inner_holes (pattern, text, value) : add_hole (pattern, text, value, TRUE)))
      return FALSE;
  }
  return TRUE;
}

static void
add_mark (Pattern *pattern, const char *text, const char *at, MarkKind kind, gsize slice, guint copied)
{
  pattern->marks[pattern->n_marks++] = (Mark) { (guint16) (at - text), (guint16) slice, (guint8) kind, (guint8) copied };
}

static void
add_slice (Pattern *pattern, const char *text, const LoomStrictEvent *event, const LoomSlice *slice, guint copied)
{
  gsize offset = (gsize) ((const char *) slice - (const char *) event);
  if (slice->text == NULL)
    return;
  add_mark (pattern, text, slice->text, MARK_BEGIN, offset, copied);
  add_mark (pattern, text, slice->text + slice->length, MARK_END, offset, copied);
}

static int
compare_marks (gconstpointer a, gconstpointer b)
{
  return (int) ((const Mark *) a)->at - (int) ((const Mark *) b)->at;
}

static void
add_marks (Pattern *pattern, const char *text, const LoomStrictEvent *event)
{
  add_slice (pattern, text, event, &event->name, LOOM_STRICT_EVENT_MAX_COPIED);
  add_slice (pattern, text, event, &event->category, LOOM_STRICT_EVENT_MAX_COPIED);
  add_slice (pattern, text, event, &event->phase, LOOM_STRICT_EVENT_MAX_COPIED);
  pattern->n_copied = event->n_copied;
  for (guint i = 0; i < event->n_copied; i++) {
    const LoomStrictMember *member = &event->copied[i];
    pattern->copied[i].member = (guint8) member->member;
    pattern->copied[i].key_length = (guint16) member->key.length;
    add_mark (pattern, text, member->key.text, MARK_KEY, 0, i);
    add_slice (pattern, text, event, &member->value, i);
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

/* NULL when it is too large to be one. */
static Pattern *
learn (const char *text, const LoomStrictEvent *event)
{
  if (event->length > MAX_TEXT)
    return NULL;
  Pattern *pattern = g_malloc0 (sizeof (Pattern) + event->length + 16);
  pattern->length = (guint) event->length;
  memcpy (pattern->text, text, event->length);
  if (!add_holes (pattern, text)) {
    g_free (pattern);
    return NULL;
  }
  pattern->holes[pattern->n_holes] = (Hole) { NEVER, NEVER, TRUE };
  add_marks (pattern, text, event);
  return pattern;
}

/* --- comparing ----------------------------------------------------------------------------------------------------- */

/* How many bytes are equal, of n at most; 16 more can be read of both. */
static inline guint
count_equal (const char *a, const char *b, guint n)
{
  guint i = 0;
#ifdef __SSE2__
  for (; i < n; i += 16) {
    __m128i same = _mm_cmpeq_epi8 (_mm_loadu_si128 ((const __m128i *) (a + i)), _mm_loadu_si128 ((const __m128i *) (b + i)));
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
  const Pattern *pattern;
  const char *text;
  gssize shift;            /* of what stands here, against the pattern */
  const Mark *mark;        /* the next */
  LoomStrictScan scan;
} Match;

/* Where the marks up to and with `limit` are in the new text. */
static inline void
set_marks (Match *match, guint limit)
{
  LoomStrictEvent *event = match->scan.event;
  const Mark *mark = match->mark;
  for (const char *origin = match->text + match->shift; mark->at <= limit; mark++) {
    const char *at = origin + mark->at;
    LoomSlice *slice = (LoomSlice *) (gpointer) ((char *) event + mark->slice);
    switch ((MarkKind) mark->kind) {
    case MARK_KEY:
      event->copied[mark->copied].member = (LoomMember) match->pattern->copied[mark->copied].member;
      event->copied[mark->copied].key = (LoomSlice) { at, match->pattern->copied[mark->copied].key_length };
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

/* Reads the value that stands in place of the hole's. */
static gboolean
fill_hole (Match *match, const Hole *hole)
{
  set_marks (match, hole->begin);
  while (match->mark->at < hole->end)
    match->mark++; /* line ends of the old value */
  const char *value = match->text + hole->begin + match->shift;
  const char *end = hole->scalar ? loom_strict_skip_scalar (value, NULL) : loom_strict_skip_value (value, &match->scan);
  if (end == NULL)
    return FALSE;
  match->shift = end - match->text - hole->end;
  return TRUE;
}

static gboolean
fits (const Pattern *pattern, const char *text, LoomStrictEvent *event)
{
  Match match = { .pattern = pattern, .text = text, .mark = pattern->marks, .scan = { event, 0, FALSE } };
  const Hole *hole = pattern->holes;
  event->name = event->category = event->phase = (LoomSlice) { NULL, 0 };
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
  set_marks (&match, pattern->length);
  event->length = (gsize) ((gssize) pattern->length + match.shift);
  event->n_copied = pattern->n_copied;
  event->copied[event->n_copied].first_break = match.scan.n_breaks;
  event->one_line = !pattern->broken && match.scan.n_breaks == 0;
  return match.scan.n_breaks <= LOOM_STRICT_EVENT_MAX_BREAKS;
}

/* --- the whole ----------------------------------------------------------------------------------------------------- */

static void
move_to_front (Pattern **ways, guint way)
{
  Pattern *pattern = ways[way];
  memmove (ways + 1, ways, way * sizeof *ways);
  ways[0] = pattern;
}

static void
remember (LoomEventPatterns *patterns, Pattern **ways, const char *text, const LoomStrictEvent *event)
{
  if (patterns->n_strange++ >= PATIENCE && patterns->n_strange % LEARN_ONE_OF != 0)
    return;
  Pattern *pattern = learn (text, event);
  if (pattern == NULL)
    return;
  g_free (ways[N_WAYS - 1]);
  ways[N_WAYS - 1] = pattern;
  move_to_front (ways, N_WAYS - 1);
}

gboolean
loom_event_patterns_scan (LoomEventPatterns *patterns, guint family, const char *text, LoomStrictEvent *event)
{
  Pattern **ways = patterns->ways[family % N_FAMILIES];
  for (guint way = 0; way < N_WAYS && ways[way] != NULL; way++) {
    if (!fits (ways[way], text, event))
      continue;
    if (way > 0)
      move_to_front (ways, way);
    patterns->n_strange = 0;
    return TRUE;
  }
  if (!loom_strict_event_scan (text, event))
    return FALSE;
  remember (patterns, ways, text, event);
  return TRUE;
}
