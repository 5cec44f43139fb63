/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that skip the tokens and values of strict JSON (RFC 8259). Each function starts at the first byte of a
 * token or value, and returns its end; it returns NULL if the text is not strict JSON. Bytes at or after `end` are not
 * read. If `end` is NULL, the text must end with a zero byte; every function stops there, because no token contains a
 * zero byte. Private to src/scan.
 */
#pragma once

#include "loom-strict-event-parser.h"

#include "loom-event-parser.h"

/* Maximum nesting of values in events; the full parser handles events with deeper values. */
#define LOOM_STRICT_MAX_DEPTH 64

/* --- tokens ------------------------------------------------------------------------------------------------------- */

static inline gboolean
loom_strict_json_skip_is_end (const char *p, const char *end)
{
  return end != NULL && p >= end;
}

/* Returns the value (a UTF-16 unit) of the escape \uXXXX at `p`; −1 if there is no valid escape at `p`. */
static inline gint
loom_strict_json_skip_unit_at (const char *p, const char *end)
{
  gint unit = 0;
  for (guint i = 0; i < 6; i++) {
    if (loom_strict_json_skip_is_end (p + i, end) || (i < 2 ? p[i] != "\\u"[i] : !g_ascii_isxdigit (p[i])))
      return -1;
    unit = i < 2 ? 0 : unit << 4 | g_ascii_xdigit_value (p[i]);
  }
  return unit;
}

/* Skips an escape; `p` is at its backslash. Rejects a surrogate without its partner. RFC 8259 allows it, but warns that
 * readers treat it in unpredictable ways (section 8.2): json-glib, JsonCpp and serde_json reject the text, or find a
 * wrong end of the string. */
static inline const char *
loom_strict_json_skip_escape (const char *p, const char *end)
{
  if (loom_strict_json_skip_is_end (p + 1, end) || p[1] == '\0' || strchr ("\"\\/bfnrtu", p[1]) == NULL)
    return NULL;
  if (p[1] != 'u')
    return p + 2;
  gint unit = loom_strict_json_skip_unit_at (p, end);
  if (unit >> 11 != 0xD800 >> 11) /* `unit` is not a surrogate, or is −1, because no valid escape follows */
    return unit < 0 ? NULL : p + 6;
  gboolean is_pair = unit < 0xDC00 && loom_strict_json_skip_unit_at (p + 6, end) >> 10 == 0xDC00 >> 10;
  return is_pair ? p + 12 : NULL;
}

/* Skips the rest of a string, from `p` on. `start` is just after the opening quote; the bytes from `start` to `p` are
 * already known to be valid. */
static inline const char *
loom_strict_json_skip_string_from (const char *start, const char *p, const char *end)
{
  gboolean ascii = TRUE;
  while (p != NULL && !loom_strict_json_skip_is_end (p, end) && *p != '"') {
    if ((guchar) *p < 0x20)
      return NULL;
    ascii &= (guchar) *p < 0x80;
    p = *p == '\\' ? loom_strict_json_skip_escape (p, end) : p + 1;
  }
  if (p == NULL || loom_strict_json_skip_is_end (p, end) || (!ascii && !g_utf8_validate (start, p - start, NULL)))
    return NULL;
  return p + 1;
}

/* Skips a string from `p`, just after its opening quote, in text that ends with a zero byte. */
static inline const char *
loom_strict_json_skip_string (const char *p)
{
  const char *start = p;
#ifdef __SSE2__
  /* as signed bytes, both control characters and non-ASCII bytes are less than a blank, so one comparison finds all of
   * them */
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
  return G_LIKELY (*p == '"') ? p + 1 : loom_strict_json_skip_string_from (start, p, NULL);
}

static inline gboolean
loom_strict_json_skip_is_digit (char c)
{
  return (guchar) (c - '0') < 10;
}

/* Skips digits one by one. The number of digits is often the same in consecutive events, so the processor predicts the
 * branch correctly. Comparing 16 bytes at once with a vector instruction takes longer, because all following code waits
 * for its result. The same applies to blanks. */
static inline const char *
loom_strict_json_skip_digits (const char *p, const char *end)
{
  if (loom_strict_json_skip_is_end (p, end) || !loom_strict_json_skip_is_digit (*p))
    return NULL;
  while (!loom_strict_json_skip_is_end (p, end) && loom_strict_json_skip_is_digit (*p))
    p++;
  return p;
}

static inline const char *
loom_strict_json_skip_number (const char *p, const char *end)
{
  p += !loom_strict_json_skip_is_end (p, end) && *p == '-';
  if (!loom_strict_json_skip_is_end (p, end) && *p == '0')
    p++;
  else if ((p = loom_strict_json_skip_digits (p, end)) == NULL)
    return NULL;
  if (!loom_strict_json_skip_is_end (p, end) && *p == '.' && (p = loom_strict_json_skip_digits (p + 1, end)) == NULL)
    return NULL;
  if (loom_strict_json_skip_is_end (p, end) || (*p | 0x20) != 'e')
    return p;
  p++;
  return loom_strict_json_skip_digits (p + (!loom_strict_json_skip_is_end (p, end) && (*p == '+' || *p == '-')), end);
}

static inline const char *
loom_strict_json_skip_word (const char *p, const char *end)
{
  static const char *const words[] = { "true", "false", "null" };
  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    gsize n = strlen (words[i]);
    if ((end == NULL || (gsize) (end - p) >= n) && strncmp (p, words[i], n) == 0)
      return p + n;
  }
  return NULL;
}

static inline const char *
loom_strict_json_skip_scalar (const char *p, const char *end)
{
  if (loom_strict_json_skip_is_end (p, end))
    return NULL;
  if (*p == '"')
    return end == NULL ? loom_strict_json_skip_string (p + 1) : loom_strict_json_skip_string_from (p + 1, p + 1, end);
  if (G_LIKELY (loom_strict_json_skip_is_digit (*p) || *p == '-'))
    return loom_strict_json_skip_number (p, end);
  return loom_strict_json_skip_word (p, end);
}

/* --- skipping of white space, in which line ends are recorded ----------------------------------------------------- */

typedef struct {
  LoomStrictEvent *event;
  guint n_breaks; /* number of line ends found; if it exceeds the length of event->breaks, the event is rejected */
  gboolean broken;
} LoomStrictScan;

/* Skips blanks between members, in text that ends with a zero byte. */
static inline const char *
loom_strict_json_skip_blanks (const char *p, LoomStrictScan *scan)
{
  if (G_LIKELY ((guchar) *p > ' '))
    return p;
  for (; loom_json_slice_is_blank (*p); p++)
    scan->broken |= *p == '\n' || *p == '\r';
  return p;
}

/* Skips blanks inside a value that is copied to the output. Stores the positions of line ends in `scan`, unless `scan`
 * is NULL. */
static inline const char *
loom_strict_json_skip_kept_blanks (const char *p, const char *end, LoomStrictScan *scan)
{
  for (; !loom_strict_json_skip_is_end (p, end) && G_UNLIKELY ((guchar) *p <= ' '); p++) {
    if (!loom_json_slice_is_blank (*p))
      return p;
    if (scan == NULL || *p == ' ' || *p == '\t')
      continue;
    scan->event->breaks[MIN (scan->n_breaks, LOOM_STRICT_EVENT_MAX_BREAKS - 1)] = p;
    scan->n_breaks++;
  }
  return p;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* Skips a key and the colon after it. If this fails, returns NULL and sets `fault` to the first unexpected token. */
static inline const char *
loom_strict_json_skip_key (const char *p, const char *end, LoomStrictScan *scan, const char **fault)
{
  *fault = p;
  if (loom_strict_json_skip_is_end (p, end) || *p != '"' || (p = loom_strict_json_skip_scalar (p, end)) == NULL)
    return NULL;
  *fault = p = loom_strict_json_skip_kept_blanks (p, end, scan);
  return !loom_strict_json_skip_is_end (p, end) && *p == ':' ? loom_strict_json_skip_kept_blanks (p + 1, end, scan)
                                                             : NULL;
}

/* Skips a value of any kind that is nested at most `most_depth` levels deep. If the value is not strict JSON, returns
 * NULL and sets `fault` to the first token that is not allowed at its position, or to the end of the text if a token is
 * missing. */
static inline __attribute__ ((always_inline)) const char *
loom_strict_json_skip_checked (const char *p, const char *end, guint most_depth, LoomStrictScan *scan,
                               const char **fault)
{
  char closers[LOOM_LIMIT_DEPTH];
  guint depth = 0;
  for (;;) {
    *fault = p; /* the position of the error, if no value begins at `p` */
    if (!loom_strict_json_skip_is_end (p, end) && (*p == '{' || *p == '[')) {
      if (depth == most_depth)
        return NULL;
      char closer = closers[depth++] = *p == '{' ? '}' : ']';
      p = loom_strict_json_skip_kept_blanks (p + 1, end, scan);
      if (loom_strict_json_skip_is_end (p, end) || *p != closer) {
        if (closer == '}' && (p = loom_strict_json_skip_key (p, end, scan, fault)) == NULL)
          return NULL;
        continue;
      }
    } else if ((p = loom_strict_json_skip_scalar (p, end)) == NULL) {
      return NULL;
    }
    for (;;) { /* after a value, a comma or a closing bracket must follow; the loop closes brackets until a comma
                * follows */
      if (depth == 0)
        return p;
      *fault = p = loom_strict_json_skip_kept_blanks (p, end, scan);
      if (loom_strict_json_skip_is_end (p, end) || *p != closers[depth - 1])
        break;
      depth--, p++;
    }
    if (loom_strict_json_skip_is_end (p, end) || *p != ',')
      return NULL;
    p = loom_strict_json_skip_kept_blanks (p + 1, end, scan);
    if (closers[depth - 1] == '}' && (p = loom_strict_json_skip_key (p, end, scan, fault)) == NULL)
      return NULL;
  }
}

/* Skips the value of a member of an event. The text must end with a zero byte. Stores in `scan` the positions of line
 * ends in the value, because the caller may copy the value to its output with a space in place of each line end. */
static inline const char *
loom_strict_json_skip_value (const char *p, LoomStrictScan *scan)
{
  const char *fault;
  return loom_strict_json_skip_checked (p, NULL, LOOM_STRICT_MAX_DEPTH, scan, &fault);
}
