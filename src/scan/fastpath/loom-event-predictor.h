/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses events faster by predicting their text from earlier events. The text between two values is called a gap, for
 * example `, "tid": `. The parser guesses where a value ends, and compares the text after this position with the gaps
 * of earlier events. Nearly always, one of these gaps is equal to the text. Then the guess was right, and the blanks,
 * the comma, the key and the colon in the gap need not be parsed. Otherwise, the functions of loom-event-parser.h
 * parse the value and the gap. The results are the same in both cases. Private to src/scan.
 */
#pragma once

#include "loom-event-parser.h"

#define LOOM_EVENT_GAP_BYTES 32
#define LOOM_EVENT_SHAPE_GAPS 20 /* maximum number of gaps in a shape; a shape is the list of all gaps of an event */
/* number of shapes that are stored; this is enough, because programs that write traces usually write only a few kinds
 * of events: X, s, f, M, C … */
#define LOOM_N_EVENT_SHAPES 8
/* after this number of wrong predictions, only one in sixteen new shapes is stored */
#define LOOM_EVENT_SHAPE_PATIENCE 256

typedef struct {
  guint8 text[LOOM_EVENT_GAP_BYTES];
  guint32 need;   /* mask of the bytes that are compared: if bit i is set, byte i of `text` must be equal in the new
                   * event */
  guint16 length; /* length of the gap in bytes; 0: the gap was not stored yet */
  /* member whose value follows the gap; LOOM_N_MEMBERS: an unknown member; LOOM_EVENT_ENDS: no value follows,
   * because the event ends */
  guint16 next;
} LoomEventGap;

typedef struct {
  LoomEventGap gaps[LOOM_EVENT_SHAPE_GAPS + 1];
} LoomEventShape;

/* The stored shapes of earlier events (LoomEventShape: the texts between the values). Must be initialised with
 * zeros. */
typedef struct {
  LoomEventShape shapes[LOOM_N_EVENT_SHAPES];
  guint last;   /* index, in `shapes`, of the shape that the previous event had */
  guint victim; /* index of the shape that the next new shape replaces */
  guint n_misses;
} LoomEventShapes;

G_STATIC_ASSERT (LOOM_EVENT_SHAPE_GAPS == LOOM_EVENT_MOST_MEMBERS + 1);

/* Returns TRUE if the text begins with the gap. At least LOOM_EVENT_GAP_BYTES bytes must be readable at `text`. */
static inline gboolean
loom_event_predictor_gap_matches (const LoomEventGap *gap, const char *text)
{
#ifdef __SSE2__
  __m128i low = _mm_loadu_si128 ((const __m128i *) text), high = _mm_loadu_si128 ((const __m128i *) (text + 16));
  low = _mm_cmpeq_epi8 (low, _mm_loadu_si128 ((const __m128i *) gap->text));
  high = _mm_cmpeq_epi8 (high, _mm_loadu_si128 ((const __m128i *) (gap->text + 16)));
  guint32 equal = (guint32) _mm_movemask_epi8 (low) | (guint32) _mm_movemask_epi8 (high) << 16;
  return (gap->need & ~equal) == 0 && gap->length > 0;
#else
  return gap->length > 0 && memcmp (text, gap->text, gap->length) == 0;
#endif
}

/* Returns the first stored shape whose gap number `k` is equal to the text; NULL if no stored shape has this gap. */
static inline LoomEventShape *
loom_event_predictor_find (LoomEventShapes *shapes, guint k, const char *text)
{
  for (guint i = 0; i < LOOM_N_EVENT_SHAPES; i++)
    if (loom_event_predictor_gap_matches (&shapes->shapes[i].gaps[k], text))
      return &shapes->shapes[i];
  return NULL;
}

/* Returns TRUE if the gap at `text` may be stored in a shape. After a value (`k` > 0), the gap must begin with a comma
 * or the closing brace, because only these show where the value ends. */
static inline gboolean
loom_event_predictor_gap_is_plain (guint k, const char *text, const char *end)
{
  text = loom_json_skip_blanks (text, end);
  return k == 0 || (text < end && (*text == ',' || *text == '}'));
}

static inline void
loom_event_predictor_gap_set (LoomEventGap *gap, guint k, guint next, const char *text, const char *end)
{
  gsize length = (gsize) (end - text);
  gap->length = 0;
  if (length == 0 || length > LOOM_EVENT_GAP_BYTES || !loom_event_predictor_gap_is_plain (k, text, end))
    return;
  memcpy (gap->text, text, length);
  gap->need = length == 32 ? G_MAXUINT32 : (1u << length) - 1;
  gap->length = (guint16) length;
  gap->next = (guint16) next;
}

/* Returns a shape whose gaps from number `k` on are to be filled; the earlier gaps are copied from `like`. Returns NULL
 * if the new shape should not be stored, because too many predictions were wrong. */
static inline LoomEventShape *
loom_event_predictor_start (LoomEventShapes *shapes, LoomEventShape *like, guint k)
{
  if (shapes->n_misses++ > LOOM_EVENT_SHAPE_PATIENCE && shapes->n_misses % 16 != 0)
    return NULL;
  LoomEventShape *fresh = &shapes->shapes[shapes->victim];
  shapes->victim = (shapes->victim + 1) % LOOM_N_EVENT_SHAPES;
  if (fresh != like)
    memcpy (fresh->gaps, like->gaps, k * sizeof (LoomEventGap));
  for (guint i = k; i <= LOOM_EVENT_SHAPE_GAPS; i++)
    fresh->gaps[i].length = 0;
  return fresh;
}

/* Guesses the end of the value that begins at `*p`, as if it were a string without escapes or a number without
 * exponent. The guess is right if one of the stored gaps follows. */
static inline gboolean
loom_event_predictor_guess_value (const char **p, const char *end)
{
  const char *at = *p;
  if (*at == '"') {
    at = loom_json_skip_to_quote (at + 1, end);
    *p = at + 1;
    return at < end && *at == '"';
  }
  if (*at != '-' && !g_ascii_isdigit (*at))
    return FALSE;
  *p = loom_json_skip_digits (at + 1, end);
  return TRUE;
}

typedef struct {
  LoomEventShapes *shapes;
  LoomEventShape *shape; /* stored shape whose gaps are equal to the gaps that the event has so far */
  gboolean is_learning;  /* TRUE while `shape` is being filled from the event */
  guint k;               /* number of gaps of the event that were parsed so far */
  guint before;          /* member of the last value; LOOM_N_MEMBERS before the first value */
  const char *value;     /* beginning of the last value if its end was guessed; NULL: its end is known */
} LoomEventPrediction;

static inline void
loom_event_predictor_set (LoomEvent *event, guint member, const char *value, const char *end)
{
  if (member < LOOM_N_MEMBERS)
    event->member[member] = (LoomJsonSlice) { value, (gsize) (end - value) };
}

static inline void
loom_event_predictor_guide_learn (LoomEventPrediction *guide, guint next, const char *text, const char *end)
{
  if (guide->k >= LOOM_EVENT_SHAPE_GAPS)
    return;
  if (!guide->is_learning) {
    LoomEventShape *fresh = loom_event_predictor_start (guide->shapes, guide->shape, guide->k);
    if (fresh == NULL)
      return;
    guide->is_learning = TRUE;
    guide->shape = fresh;
  }
  loom_event_predictor_gap_set (&guide->shape->gaps[guide->k], guide->k, next, text, end);
}

/* Parses the gap at `*p`, the text between two values, without prediction. If the end of the value before the gap was
 * only guessed (guide->value is not NULL), first parses this value, because the guess may be wrong. */
static LoomJsonSkip __attribute__ ((noinline))
loom_event_predictor_walk_unguided (LoomEventPrediction *guide, const char **p, const char *end, LoomEvent *event)
{
  if (guide->value != NULL) {
    *p = guide->value;
    LoomJsonSkip walk = loom_event_parser_member (p, end);
    if (walk != LOOM_JSON_SKIP_OK)
      return walk;
    loom_event_predictor_set (event, guide->before, guide->value, *p);
  }
  const char *text = *p;
  LoomMember member = LOOM_N_MEMBERS;
  LoomJsonSkip walk = loom_event_parser_to_value (p, end, &member);
  if (walk != LOOM_JSON_SKIP_OK)
    return walk;
  if (end - text > LOOM_EVENT_GAP_BYTES)
    loom_event_predictor_guide_learn (guide, member, text, *p);
  guide->k = MIN (guide->k + 1, LOOM_EVENT_SHAPE_GAPS);
  guide->before = member;
  return LOOM_JSON_SKIP_OK;
}

/* Parses a value whose end was not guessed. Uses a copy of `*at`: the address of the caller's pointer is then not used,
 * and the compiler can keep this pointer in a register. */
static inline LoomJsonSkip
loom_event_predictor_walk_unguessed (const char **at, const char *end)
{
  const char *p = *at;
  LoomJsonSkip walk = loom_event_parser_member (&p, end);
  *at = p;
  return walk;
}

/* Gives the same result as loom_event_parser(), but takes less time: usually, the texts between the values of the event
 * are not parsed, but only compared with those of earlier events (LoomEventShapes). */
static inline LoomJsonSkip
loom_event_predictor_walk_guided (LoomEventShapes *shapes, const char **p, const char *end, LoomEvent *event)
{
  const char *at = *p, *value = NULL;
  if (at >= end || *at != '{')
    return LOOM_JSON_SKIP_BAD;
  loom_event_parser_clear (event);
  event->text.text = at++;
  LoomEventShape *shape = &shapes->shapes[shapes->last];
  gboolean is_learning = FALSE;
  guint before = LOOM_N_MEMBERS, k = 0;
  for (;;) {
    gboolean known = end - at > LOOM_EVENT_GAP_BYTES && !is_learning;
    if (known && G_UNLIKELY (!loom_event_predictor_gap_matches (&shape->gaps[k], at))) {
      LoomEventShape *other = loom_event_predictor_find (shapes, k, at);
      known = other != NULL;
      shape = known ? other : shape;
    }
    const LoomEventGap *gap = &shape->gaps[k];
    if (known && G_LIKELY (!loom_json_slice_is_blank (at[gap->length]))) {
      if (value != NULL)
        loom_event_predictor_set (event, before, value, at);
      at += gap->length;
      before = gap->next;
      k++;
    } else {
      LoomEventPrediction guide = { shapes, shape, is_learning, k, before, value };
      const char *rest = at;
      LoomJsonSkip walk = loom_event_predictor_walk_unguided (&guide, &rest, end, event);
      if (walk != LOOM_JSON_SKIP_OK)
        return walk;
      at = rest, shape = guide.shape, is_learning = guide.is_learning, k = guide.k, before = guide.before;
    }
    if (before == LOOM_EVENT_ENDS)
      break;
    value = at;
    if (end - at > LOOM_EVENT_GAP_BYTES && loom_event_predictor_guess_value (&at, end))
      continue;
    at = value;
    LoomJsonSkip walk = loom_event_predictor_walk_unguessed (&at, end);
    if (walk != LOOM_JSON_SKIP_OK)
      return walk;
    loom_event_predictor_set (event, before, value, at);
    value = NULL;
  }
  shapes->last = (guint) (shape - shapes->shapes);
  /* each member has a gap before it, and the event ends with one more gap */
  event->n_members = k - 1;
  *p = at;
  event->text.length = (gsize) (at - event->text.text);
  return LOOM_JSON_SKIP_OK;
}
