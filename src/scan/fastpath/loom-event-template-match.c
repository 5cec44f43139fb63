/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares a text with a template: by its live holes, or else from difference to difference.
 */
#include "loom-event-template-private.h"

/* --- comparing ----------------------------------------------------------------------------------------------------- */

/* Returns the number of equal leading bytes, at most `n`; 16 more bytes must be readable in both. */
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
  LoomEventTemplate *pattern;
  const char *text;
  gssize shift;                   /* offset in the text minus offset in the template */
  const LoomTemplateOffset *mark; /* next mark */
  LoomStrictScan scan;
} Match;

/* Sets the slices for the marks up to and including `limit` to places in the new text. */
static inline void
set_marks (Match *match, guint limit)
{
  LoomStrictEvent *event = match->scan.event;
  const LoomTemplateOffset *mark = match->mark;
  for (const char *origin = match->text + match->shift; mark->at <= limit; mark++) {
    const char *at = origin + mark->at;
    LoomJsonSlice *slice = (LoomJsonSlice *) (gpointer) ((char *) event + mark->slice);
    switch ((LoomTemplateOffsetKind) mark->kind) {
    case LOOM_TEMPLATE_OFFSET_KEY:
      event->copied[mark->copied].member = (LoomMember) match->pattern->copied[mark->copied].member;
      event->copied[mark->copied].key = (LoomJsonSlice) { at, match->pattern->copied[mark->copied].key_length };
      event->copied[mark->copied].first_break = match->scan.n_breaks;
      break;
    case LOOM_TEMPLATE_OFFSET_BEGIN: slice->text = at; break;
    case LOOM_TEMPLATE_OFFSET_END: slice->length = (gsize) (at - slice->text); break;
    case LOOM_TEMPLATE_OFFSET_BREAK:
      event->breaks[MIN (match->scan.n_breaks, LOOM_STRICT_EVENT_MAX_BREAKS - 1)] = at;
      match->scan.n_breaks++;
      break;
    }
  }
  match->mark = mark;
}

/* Parses the value that the new text has in place of the hole. */
static gboolean
fill_hole (Match *match, const LoomTemplateSlot *hole)
{
  set_marks (match, hole->begin);
  while (match->mark->at < hole->end)
    match->mark++; /* skips line ends of the old value */
  const char *value = match->text + hole->begin + match->shift;
  const char *end =
    hole->scalar ? loom_strict_json_skip_scalar (value, NULL) : loom_strict_json_skip_value (value, &match->scan);
  if (end == NULL)
    return FALSE;
  match->shift = end - match->text - hole->end;
  return TRUE;
}

/* Completes `event` once the whole text was compared. */
static gboolean
finish (Match *match)
{
  const LoomEventTemplate *pattern = match->pattern;
  LoomStrictEvent *event = match->scan.event;
  set_marks (match, pattern->length);
  event->length = (gsize) ((gssize) pattern->length + match->shift);
  event->n_copied = pattern->n_copied;
  event->copied[event->n_copied].first_break = match->scan.n_breaks;
  event->one_line = !pattern->broken && match->scan.n_breaks == 0;
  return match->scan.n_breaks <= LOOM_STRICT_EVENT_MAX_BREAKS;
}

/* Clears the slices one by one: reading memory right after it was written in pieces of another size would stall the
 * processor. */
static inline void
forget (LoomStrictEvent *event)
{
  static const LoomJsonSlice nothing = { NULL, 0 };
  event->name = nothing;
  event->category = nothing;
  event->phase = nothing;
}

G_STATIC_ASSERT (LOOM_PATTERN_MAX_HOLES <= 64);

/* Counts a change for each hole whose bit is set in `changed`; a hole becomes live after LOOM_TEMPLATE_LIVE_CHANGES
 * changes. */
static void
note_changes (LoomEventTemplate *pattern, guint64 changed)
{
  gboolean new_life = FALSE;
  for (guint i = 0; i < pattern->n_holes; i++)
    if ((changed >> i & 1) != 0 && pattern->holes[i].n_changes < LOOM_TEMPLATE_LIVE_CHANGES)
      new_life |= ++pattern->holes[i].n_changes == LOOM_TEMPLATE_LIVE_CHANGES;
  if (new_life)
    loom_event_template_find_parts (pattern);
}

/* Compares from difference to difference. */
static gboolean __attribute__ ((noinline)) fits (LoomEventTemplate *pattern, const char *text, LoomStrictEvent *event)
{
  Match match = { .pattern = pattern, .text = text, .mark = pattern->marks, .scan = { event, 0, FALSE } };
  const LoomTemplateSlot *hole = pattern->holes;
  guint64 changed = 0;
  forget (event);
  for (guint at = 0;;) {
    at += count_equal (pattern->text + at, text + at + match.shift, pattern->length - at);
    if (at == pattern->length)
      break;
    while (hole->end < at)
      hole++;
    if (hole->begin > at || !fill_hole (&match, hole))
      return FALSE;
    changed |= G_GUINT64_CONSTANT (1) << (hole - pattern->holes);
    at = hole++->end;
  }
  note_changes (pattern, changed);
  return finish (&match);
}

/* --- live holes ---------------------------------------------------------------------------------------------------- */

#ifdef __SSE2__

/* Returns TRUE if `n` bytes are equal; 16 more bytes must be readable in both. */
static inline gboolean
is_equal (const char *a, const char *b, guint n)
{
  guint i = 0;
  for (; i + 16 <= n; i += 16) {
    __m128i same =
      _mm_cmpeq_epi8 (_mm_loadu_si128 ((const __m128i *) (a + i)), _mm_loadu_si128 ((const __m128i *) (b + i)));
    if (_mm_movemask_epi8 (same) != 0xFFFF)
      return FALSE;
  }
  __m128i same =
    _mm_cmpeq_epi8 (_mm_loadu_si128 ((const __m128i *) (a + i)), _mm_loadu_si128 ((const __m128i *) (b + i)));
  return (~(guint) _mm_movemask_epi8 (same) & ((1u << (n - i)) - 1)) == 0;
}

/* Skips a number of at most 14 characters, digits with an optional point; returns NULL for anything else. An exponent
 * needs no check here: the "e" would fail the comparison that follows. The length is computed first, because everything
 * after depends on it alone. */
static inline const char *
skip_plain_number (const char *p)
{
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) p);
  __m128i digit = _mm_cmplt_epi8 (_mm_add_epi8 (bytes, _mm_set1_epi8 ((char) (128 - '0'))), _mm_set1_epi8 (-128 + 10));
  __m128i point = _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('.'));
  guint others = (guint) _mm_movemask_epi8 (_mm_or_si128 (digit, point)) ^ 0xFFFF;
  guint length = (guint) __builtin_ctz (others | 1u << 15);
  guint points = (guint) _mm_movemask_epi8 (point) & ((1u << length) - 1);
  /* a point may be neither first nor last; a leading zero must be alone or before the point */
  guint at_end = 1u | (1u << length) >> 1;
  gboolean good = (length - 1 < 14) & ((points & (points - 1)) == 0) & ((points & at_end) == 0) &
                  ((*p != '0') | (length == 1) | (points == 2));
  return G_LIKELY (good) ? p + length : NULL;
}

static inline LoomTemplateSeenValue *
seen_value (const LoomTemplateSlot *hole, const char *value)
{
  guint64 mixed;
  memcpy (&mixed, value + 1, sizeof mixed);
  return &hole->seen[(mixed * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15)) >> 60];
}

G_STATIC_ASSERT (LOOM_PATTERN_N_SEEN_VALUES == 1 << 4);

/* Skips an array or object. Such values have few different texts, and parsing one takes as long as the rest of the
 * event, so those seen before are only compared. */
static const char *
skip_nested (LoomTemplateSlot *hole, const char *value, LoomStrictScan *scan)
{
  if (hole->seen == NULL)
    hole->seen = g_new0 (LoomTemplateSeenValue, LOOM_PATTERN_N_SEEN_VALUES);
  LoomTemplateSeenValue *seen = seen_value (hole, value);
  if (seen->length > 0 && memcmp (seen->text, value, seen->length) == 0)
    return value + seen->length;
  guint n_breaks = scan->n_breaks;
  const char *end = loom_strict_json_skip_nested (value, scan);
  if (end != NULL && end - value <= LOOM_PATTERN_MAX_SEEN_VALUE && scan->n_breaks == n_breaks) {
    seen->length = (guint) (end - value);
    memcpy (seen->text, value, seen->length);
  }
  return end;
}

static inline const char *
skip_live (LoomTemplateSlot *hole, const char *value, LoomStrictScan *scan)
{
  if (*value == '"')
    return loom_strict_json_skip_string (value + 1);
  const char *end = skip_plain_number (value);
  if (G_LIKELY (end != NULL))
    return end;
  if ((*value == '[' || *value == '{') && !hole->scalar)
    return skip_nested (hole, value, scan);
  return loom_strict_json_skip_scalar (value, NULL);
}

/* Fills `event`; `shifts[i]` is the shift of the text after `i` live holes. */
static inline void
put_parts (const LoomEventTemplate *pattern, const char *text, const gssize *shifts, LoomStrictEvent *event)
{
  forget (event);
  for (guint i = 0; i < pattern->n_parts; i++) {
    const LoomTemplatePart *part = &pattern->parts[i];
    LoomJsonSlice *slice = (LoomJsonSlice *) (gpointer) ((char *) event + part->slice);
    gssize begin = part->begin + shifts[part->live_before_begin];
    slice->text = text + begin;
    slice->length = (gsize) (part->end + shifts[part->live_before_end] - begin);
  }
  for (guint i = 0; i < pattern->n_breaks; i++)
    event->breaks[i] = text + pattern->breaks[i].at + shifts[pattern->breaks[i].live_before];
  for (guint i = 0; i < pattern->n_copied; i++) {
    event->copied[i].member = (LoomMember) pattern->copied[i].member;
    event->copied[i].first_break = pattern->first_break[i];
  }
  event->n_copied = pattern->n_copied;
  event->copied[pattern->n_copied].first_break = pattern->n_breaks;
  event->one_line = !pattern->broken && pattern->n_breaks == 0;
}

/* Returns TRUE with the same result as fits(), or FALSE if the live holes do not suffice. */
static gboolean
fits_live (LoomEventTemplate *pattern, const char *text, LoomStrictEvent *event)
{
  LoomStrictScan scan = { event, 0, FALSE };
  gssize shifts[LOOM_PATTERN_MAX_HOLES + 1], shift = 0;
  guint at = 0;
  shifts[0] = 0;
  for (guint i = 0; i < pattern->n_live; i++) {
    const LoomTemplateLive *live = &pattern->live[i];
    const char *stretch = text + live->from + shift;
    if (!is_equal (pattern->text + live->from, stretch, live->n))
      return FALSE;
    const char *end = skip_live (&pattern->holes[live->hole], stretch + live->n, &scan);
    if (end == NULL)
      return FALSE;
    at = live->end;
    shifts[i + 1] = shift = end - text - at;
  }
  if (!is_equal (pattern->text + at, text + at + shift, pattern->length - at) || scan.n_breaks > 0)
    return FALSE;
  event->length = (gsize) ((gssize) pattern->length + shift);
  put_parts (pattern, text, shifts, event);
  return TRUE;
}

#else

static gboolean
fits_live (LoomEventTemplate *pattern, const char *text, LoomStrictEvent *event)
{
  return FALSE;
}

#endif

gboolean
loom_event_template_fits (LoomEventTemplate *pattern, const char *text, LoomStrictEvent *event)
{
  return fits_live (pattern, text, event) || fits (pattern, text, event);
}
