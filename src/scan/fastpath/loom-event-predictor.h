/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: the walk over one event, guided by the events before it. What stands between two values, such as
 * `, "tid": `, is nearly always what stood there in an event before; one comparison then does for the blanks, the comma, the
 * key and the colon, and it proves the guessed end of the value before it. Whatever differs is left to the steps of
 * loom-event-parser.h, which say what is right; both always agree.
 */
#pragma once

#include "loom-event-parser.h"

G_BEGIN_DECLS

#define LOOM_EVENT_GAP_BYTES 32
#define LOOM_EVENT_SHAPE_GAPS 20      /* of an event that is remembered */
#define LOOM_N_EVENT_SHAPES 8         /* X, s, f, M, C … of one writer */
#define LOOM_EVENT_SHAPE_PATIENCE 256 /* misses; beyond, only every sixteenth new shape is learnt */

typedef struct {
  guint8 text[LOOM_EVENT_GAP_BYTES];
  guint32 need;   /* a bit per byte of text that counts */
  guint16 length; /* 0: nothing is known here */
  guint16 next;   /* the member whose value follows, LOOM_N_MEMBERS for any other, LOOM_EVENT_ENDS */
} LoomEventGap;

typedef struct {
  LoomEventGap gaps[LOOM_EVENT_SHAPE_GAPS + 1];
} LoomEventShape;

/* Zeroed to begin with. */
typedef struct {
  LoomEventShape shapes[LOOM_N_EVENT_SHAPES];
  guint last;   /* the shape of the event before */
  guint victim; /* is overwritten next */
  guint n_misses;
} LoomEventShapes;

G_STATIC_ASSERT (LOOM_EVENT_SHAPE_GAPS == LOOM_EVENT_MOST_MEMBERS + 1);

/* LOOM_EVENT_GAP_BYTES are there. */
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

/* Another shape that goes on like this at the k-th gap. */
static inline LoomEventShape *
loom_event_predictor_find (LoomEventShapes *shapes, guint k, const char *text)
{
  for (guint i = 0; i < LOOM_N_EVENT_SHAPES; i++)
    if (loom_event_predictor_gap_matches (&shapes->shapes[i].gaps[k], text))
      return &shapes->shapes[i];
  return NULL;
}

/* Behind a value only gaps that begin with a comma or the end: those prove where the value ended. */
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

/* A shape to be filled from the k-th gap on, which begins as `like` does; NULL when nothing is to be learnt. */
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

/* The end of a string without escapes, or of a number without exponent, if *p begins one: a guess, right when a known gap
 * follows. */
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
  LoomEventShape *shape; /* that the event follows so far */
  gboolean is_learning;  /* `shape` is being filled */
  guint k;               /* gaps met */
  guint before;          /* member of the last value, LOOM_N_MEMBERS before the first */
  const char *value;     /* the last value, if its end is a guess */
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

/* A step by the plain walk: the rest of a guessed value, then the gap. */
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

/* Without giving away the address of `at`, which has to stay in a register. */
static inline LoomJsonSkip
loom_event_predictor_walk_unguessed (const char **at, const char *end)
{
  const char *p = *at;
  LoomJsonSkip walk = loom_event_parser_member (&p, end);
  *at = p;
  return walk;
}

/* As loom_event_parser (). */
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
  event->n_members = k - 1; /* the last gap is the end */
  *p = at;
  event->text.length = (gsize) (at - event->text.text);
  return LOOM_JSON_SKIP_OK;
}

G_END_DECLS
