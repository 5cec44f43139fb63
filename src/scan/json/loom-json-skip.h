/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline functions that find the ends of JSON strings and values, for the event scanner, which spends most of its time
 * in them. `end` is the end of the available bytes. LOOM_JSON_SKIP_INCOMPLETE means that the value is not complete
 * before `end`, but may be with more bytes. Private to src/scan.
 */
#pragma once

#include "loom-json-slice.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef enum {
  LOOM_JSON_SKIP_OK,
  LOOM_JSON_SKIP_INCOMPLETE,
  LOOM_JSON_SKIP_BAD,
} LoomJsonSkip;

/* Profilers may write quotes inside a string without escaping them. After the first such quote, the quote that closes
 * the string is searched in at most this number of bytes. */
#define LOOM_JSON_SKIP_MAX_STRAY (64 * 1024)

static inline const char *
loom_json_skip_blanks (const char *p, const char *end)
{
  while (p < end && loom_json_slice_is_blank (*p))
    p++;
  return p;
}

static inline const char *
loom_json_skip_blanks_and_commas (const char *p, const char *end)
{
  while (p < end && (*p == ',' || loom_json_slice_is_blank (*p)))
    p++;
  return p;
}

/* Returns the position of the first quote or backslash; `end` if there is none. */
static inline const char *
loom_json_skip_to_quote (const char *p, const char *end)
{
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8 ('"'), backslash = _mm_set1_epi8 ('\\');
  for (; end - p >= 16; p += 16) {
    __m128i bytes = _mm_loadu_si128 ((const __m128i *) p);
    guint mask =
      (guint) _mm_movemask_epi8 (_mm_or_si128 (_mm_cmpeq_epi8 (bytes, quote), _mm_cmpeq_epi8 (bytes, backslash)));
    if (mask != 0)
      return p + __builtin_ctz (mask);
  }
#endif
  while (p < end && *p != '"' && *p != '\\')
    p++;
  return p;
}

/* Examines the first byte after `p` that is not blank. Returns LOOM_JSON_SKIP_OK if this is one of the bytes , : } ],
 * so that the quote before `p` closes its string; LOOM_JSON_SKIP_BAD if it is any other byte; LOOM_JSON_SKIP_INCOMPLETE
 * if only blanks follow up to `end`. */
static inline LoomJsonSkip
loom_json_skip_closes (const char *p, const char *end)
{
  p = loom_json_skip_blanks (p, end);
  if (p == end)
    return LOOM_JSON_SKIP_INCOMPLETE;
  return *p == ',' || *p == ':' || *p == '}' || *p == ']' ? LOOM_JSON_SKIP_OK : LOOM_JSON_SKIP_BAD;
}

/* Skips a string. On entry, `*p` must point to the opening quote of the string; on success, it points to the byte after
 * the closing quote. */
static inline LoomJsonSkip
loom_json_skip_string (const char **p, const char *end)
{
  const char *at = *p + 1, *stray = NULL;
  for (;;) {
    at = loom_json_skip_to_quote (at, end);
    if (at >= end)
      return LOOM_JSON_SKIP_INCOMPLETE;
    if (*at == '\\') {
      if (end - at < 2)
        return LOOM_JSON_SKIP_INCOMPLETE;
      at += 2;
      continue;
    }
    at++;
    LoomJsonSkip closes = loom_json_skip_closes (at, end);
    if (closes == LOOM_JSON_SKIP_OK) {
      *p = at;
      return LOOM_JSON_SKIP_OK;
    }
    if (closes == LOOM_JSON_SKIP_INCOMPLETE) {
      *p = at; /* if the caller knows that no text follows, it may accept this quote as the end of the string */
      return LOOM_JSON_SKIP_INCOMPLETE;
    }
    if (stray == NULL)
      stray = at;
    else if (at - stray > LOOM_JSON_SKIP_MAX_STRAY)
      return LOOM_JSON_SKIP_BAD;
  }
}

/* Returns the position of the first byte that is not a digit, '-', '.' or '/'; `end` if there is none. */
static inline const char *
loom_json_skip_digits (const char *p, const char *end)
{
#ifdef __SSE2__
  const __m128i lowest = _mm_set1_epi8 ('-'), most = _mm_set1_epi8 ('9' - '-');
  for (; end - p >= 16; p += 16) {
    __m128i bytes = _mm_sub_epi8 (_mm_loadu_si128 ((const __m128i *) p), lowest);
    guint mask = (guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (_mm_min_epu8 (bytes, most), bytes)) ^ 0xFFFF;
    if (mask != 0)
      return p + __builtin_ctz (mask);
  }
#endif
  while (p < end && *p >= '-' && *p <= '9')
    p++;
  return p;
}

/* Skips a value without quotes and brackets: a number, true, false, null, NaN … Skips digits first, because most of
 * these values are numbers. */
static inline LoomJsonSkip
loom_json_skip_bare (const char **p, const char *end)
{
  const char *at = loom_json_skip_digits (*p, end);
  while (at < end && *at != ',' && *at != '}' && *at != ']' && *at != '{' && *at != '[' && *at != '"' && *at != ':' &&
         !loom_json_slice_is_blank (*at))
    at++;
  if (at == end)
    return LOOM_JSON_SKIP_INCOMPLETE;
  if (at == *p)
    return LOOM_JSON_SKIP_BAD;
  *p = at;
  return LOOM_JSON_SKIP_OK;
}

/* Returns the position of the first byte that is a quote, a brace or a bracket; `end` if there is none. */
static inline const char *
loom_json_skip_to_structure (const char *p, const char *end)
{
#ifdef __SSE2__
  /* The codes of the brackets [ ] differ from those of the braces { } only in the bit 0x20. If this bit is set in all
   * bytes, a search for the two bytes { and } therefore finds all four characters. */
  const __m128i quote = _mm_set1_epi8 ('"'), open = _mm_set1_epi8 ('{'), close = _mm_set1_epi8 ('}'),
                fold = _mm_set1_epi8 (0x20);
  for (; end - p >= 16; p += 16) {
    __m128i bytes = _mm_loadu_si128 ((const __m128i *) p);
    __m128i folded = _mm_or_si128 (bytes, fold);
    __m128i hit = _mm_or_si128 (_mm_cmpeq_epi8 (bytes, quote),
                                _mm_or_si128 (_mm_cmpeq_epi8 (folded, open), _mm_cmpeq_epi8 (folded, close)));
    guint mask = (guint) _mm_movemask_epi8 (hit);
    if (mask != 0)
      return p + __builtin_ctz (mask);
  }
#endif
  while (p < end && *p != '"' && (*p | 0x20) != '{' && (*p | 0x20) != '}')
    p++;
  return p;
}

/* Set to TRUE when this thread skips a value that is nested deeper than LOOM_LIMIT_DEPTH. The caller sets it to FALSE
 * before. */
extern _Thread_local gboolean loom_json_skip_was_deep;

/* Skips an object or array: moves `*p` from { or [ past the matching bracket. A { must be closed by }, and a [ by ];
 * otherwise, an event whose end is missing could extend over the next events. This is not checked for brackets that are
 * nested deeper than LOOM_LIMIT_DEPTH. */
typedef LoomJsonSkip (*LoomJsonSkipNested) (const char **p, const char *end);

/* The fastest variant that the processor supports. The environment variable LOOM_VECTOR selects another one. */
extern LoomJsonSkipNested loom_json_skip_nested;

/* The variants of loom_json_skip_nested. All give the same result; the plain variant defines the result. */
LoomJsonSkip loom_json_skip_nested_plain (const char **p, const char *end);
#if defined(__x86_64__) && defined(__GNUC__)
LoomJsonSkip loom_json_skip_nested_sse2 (const char **p, const char *end);
LoomJsonSkip loom_json_skip_nested_avx2 (const char **p, const char *end);
#endif

static inline LoomJsonSkip
loom_json_skip_value (const char **p, const char *end)
{
  if (*p >= end)
    return LOOM_JSON_SKIP_INCOMPLETE;
  if (**p == '"')
    return loom_json_skip_string (p, end);
  if (**p == '{' || **p == '[')
    return loom_json_skip_nested (p, end);
  return loom_json_skip_bare (p, end);
}
