/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/merge: the loops of the short way. Each stands on the first byte of something and returns the place
 * behind it, or NULL when it is not strict JSON. No `end` anywhere: the zero byte behind the text is in no token, so that
 * each of them stops at it.
 */
#pragma once

#include "loom-strict-event.h"

#include "loom-event-walk.h"

G_BEGIN_DECLS

/* Deeper values go the long way; as many as a word has bits. */
#define LOOM_STRICT_MAX_DEPTH 64

/* --- tokens ------------------------------------------------------------------------------------------------------- */

static inline const char *
loom_strict_skip_escape (const char *p)
{
  if (*p == '\0' || strchr ("\"\\/bfnrtu", *p) == NULL)
    return NULL;
  if (*p++ != 'u')
    return p;
  for (int i = 0; i < 4; i++, p++)
    if (!g_ascii_isxdigit (*p))
      return NULL;
  return p;
}

/* From the first byte that needs a look. */
static inline const char *
loom_strict_skip_odd_string (const char *start, const char *p)
{
  gboolean ascii = TRUE;
  while (p != NULL && *p != '"') {
    if ((guchar) *p < 0x20)
      return NULL;
    ascii &= (guchar) *p < 0x80;
    p = *p == '\\' ? loom_strict_skip_escape (p + 1) : p + 1;
  }
  if (p == NULL || (!ascii && !g_utf8_validate (start, p - start, NULL)))
    return NULL;
  return p + 1;
}

/* `p` stands behind the quote. */
static inline const char *
loom_strict_skip_string (const char *p)
{
  const char *start = p;
#ifdef __SSE2__
  /* As signed numbers control characters and what is not ASCII are all below the blank. */
  const __m128i quote = _mm_set1_epi8 ('"'), backslash = _mm_set1_epi8 ('\\'), blank = _mm_set1_epi8 (' ');
  for (;; p += 16) {
    __m128i bytes = _mm_loadu_si128 ((const __m128i *) p);
    __m128i hit = _mm_or_si128 (_mm_or_si128 (_mm_cmpeq_epi8 (bytes, quote), _mm_cmpeq_epi8 (bytes, backslash)),
                                _mm_cmplt_epi8 (bytes, blank));
    guint mask = (guint) _mm_movemask_epi8 (hit);
    if (mask == 0)
      continue;
    p += __builtin_ctz (mask);
    break;
  }
#endif
  return G_LIKELY (*p == '"') ? p + 1 : loom_strict_skip_odd_string (start, p);
}

static inline gboolean
loom_strict_is_digit (char c)
{
  return (guchar) (c - '0') < 10;
}

/* One by one: lengths repeat so much from event to event that guessing them beats looking at sixteen at once, whose
 * answer everything behind would have to wait for. The same goes for blanks. */
static inline const char *
loom_strict_skip_digits (const char *p)
{
  if (!loom_strict_is_digit (*p))
    return NULL;
  while (loom_strict_is_digit (*p))
    p++;
  return p;
}

static inline const char *
loom_strict_skip_number (const char *p)
{
  p += *p == '-';
  if (*p == '0')
    p++;
  else if ((p = loom_strict_skip_digits (p)) == NULL)
    return NULL;
  if (*p == '.' && (p = loom_strict_skip_digits (p + 1)) == NULL)
    return NULL;
  if ((*p | 0x20) != 'e')
    return p;
  p++;
  return loom_strict_skip_digits (p + (*p == '+' || *p == '-'));
}

static inline const char *
loom_strict_skip_word (const char *p)
{
  if (strncmp (p, "true", 4) == 0 || strncmp (p, "null", 4) == 0)
    return p + 4;
  return strncmp (p, "false", 5) == 0 ? p + 5 : NULL;
}

static inline const char *
loom_strict_skip_scalar (const char *p)
{
  if (*p == '"')
    return loom_strict_skip_string (p + 1);
  if (G_LIKELY (loom_strict_is_digit (*p) || *p == '-'))
    return loom_strict_skip_number (p);
  return loom_strict_skip_word (p);
}

/* --- blanks, which are where lines end ---------------------------------------------------------------------------- */

typedef struct {
  LoomStrictEvent *event;
  guint n_breaks;  /* beyond the array too: then there are too many */
  gboolean broken;
} LoomStrictScan;

static inline const char *
loom_strict_skip_blanks (const char *p, LoomStrictScan *scan)
{
  if (G_LIKELY ((guchar) *p > ' '))
    return p;
  for (; loom_walk_is_blank (*p); p++)
    scan->broken |= *p == '\n' || *p == '\r';
  return p;
}

/* The same inside a value that is copied. */
static inline const char *
loom_strict_skip_kept_blanks (const char *p, LoomStrictScan *scan)
{
  if (G_LIKELY ((guchar) *p > ' '))
    return p;
  for (; loom_walk_is_blank (*p); p++) {
    if (*p == ' ' || *p == '\t')
      continue;
    scan->event->breaks[MIN (scan->n_breaks, LOOM_STRICT_EVENT_MAX_BREAKS - 1)] = p;
    scan->n_breaks++;
  }
  return p;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static inline const char *
loom_strict_skip_key (const char *p, LoomStrictScan *scan)
{
  if (*p != '"' || (p = loom_strict_skip_string (p + 1)) == NULL)
    return NULL;
  p = loom_strict_skip_kept_blanks (p, scan);
  return *p == ':' ? loom_strict_skip_kept_blanks (p + 1, scan) : NULL;
}

/* An object or array. The kinds of what is open are bits, 1 for objects, the innermost lowest. */
static inline const char *
loom_strict_skip_nested (const char *p, LoomStrictScan *scan)
{
  guint64 objects = 0;
  guint depth = 0;
  for (;;) {
    while (*p == '{' || *p == '[') {
      gboolean object = *p == '{';
      p = loom_strict_skip_kept_blanks (p + 1, scan);
      objects = objects << 1 | (guint) object;
      if (++depth > LOOM_STRICT_MAX_DEPTH)
        return NULL;
      if (*p == (object ? '}' : ']'))
        goto ended;
      if (object && (p = loom_strict_skip_key (p, scan)) == NULL)
        return NULL;
    }
    if ((p = loom_strict_skip_scalar (p)) == NULL)
      return NULL;
    p = loom_strict_skip_kept_blanks (p, scan);
    while (*p != ',') {
    ended:
      if (*p++ != (objects & 1 ? '}' : ']'))
        return NULL;
      objects >>= 1;
      if (--depth == 0)
        return p;
      p = loom_strict_skip_kept_blanks (p, scan);
    }
    p = loom_strict_skip_kept_blanks (p + 1, scan);
    if ((objects & 1) != 0 && (p = loom_strict_skip_key (p, scan)) == NULL)
      return NULL;
  }
}

/* A value inside one that is copied. */
static inline const char *
loom_strict_skip_value (const char *p, LoomStrictScan *scan)
{
  return *p == '{' || *p == '[' ? loom_strict_skip_nested (p, scan) : loom_strict_skip_scalar (p);
}

G_END_DECLS
