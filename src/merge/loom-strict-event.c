/* SPDX-License-Identifier: Apache-2.0
 *
 * No `end` anywhere in the loops: the zero byte behind the text is in no token, so that each of them stops at it.
 */
#include "loom-strict-event.h"

#include "loom-event-walk.h"

/* Deeper values go the long way; as many as a word has bits. */
#define MAX_DEPTH 64

/* --- tokens: each returns the place behind it, or NULL ------------------------------------------------------------ */

static const char *
skip_escape (const char *p)
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
static const char *
skip_odd_string (const char *start, const char *p)
{
  gboolean ascii = TRUE;
  while (p != NULL && *p != '"') {
    if ((guchar) *p < 0x20)
      return NULL;
    ascii &= (guchar) *p < 0x80;
    p = *p == '\\' ? skip_escape (p + 1) : p + 1;
  }
  if (p == NULL || (!ascii && !g_utf8_validate (start, p - start, NULL)))
    return NULL;
  return p + 1;
}

/* `p` stands behind the quote. */
static inline const char *
skip_string (const char *p)
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
  return G_LIKELY (*p == '"') ? p + 1 : skip_odd_string (start, p);
}

static inline gboolean
is_digit (char c)
{
  return (guchar) (c - '0') < 10;
}

/* One by one: lengths repeat so much from event to event that guessing them beats looking at sixteen at once, whose
 * answer everything behind would have to wait for. The same goes for blanks. */
static inline const char *
skip_digits (const char *p)
{
  if (!is_digit (*p))
    return NULL;
  while (is_digit (*p))
    p++;
  return p;
}

static inline const char *
skip_number (const char *p)
{
  p += *p == '-';
  if (*p == '0')
    p++;
  else if ((p = skip_digits (p)) == NULL)
    return NULL;
  if (*p == '.' && (p = skip_digits (p + 1)) == NULL)
    return NULL;
  if ((*p | 0x20) != 'e')
    return p;
  p++;
  return skip_digits (p + (*p == '+' || *p == '-'));
}

static const char *
skip_word (const char *p)
{
  if (strncmp (p, "true", 4) == 0 || strncmp (p, "null", 4) == 0)
    return p + 4;
  return strncmp (p, "false", 5) == 0 ? p + 5 : NULL;
}

static inline const char *
skip_scalar (const char *p)
{
  if (*p == '"')
    return skip_string (p + 1);
  if (G_LIKELY (is_digit (*p) || *p == '-'))
    return skip_number (p);
  return skip_word (p);
}

/* --- blanks, which are where lines end ---------------------------------------------------------------------------- */

typedef struct {
  LoomStrictEvent *event;
  guint n_breaks;  /* beyond the array too: then there are too many */
  gboolean broken;
} Scan;

static inline const char *
skip_blanks (const char *p, Scan *scan)
{
  if (G_LIKELY ((guchar) *p > ' '))
    return p;
  for (; loom_walk_is_blank (*p); p++)
    scan->broken |= *p == '\n' || *p == '\r';
  return p;
}

/* The same inside a value that is copied. */
static inline const char *
skip_kept_blanks (const char *p, Scan *scan)
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
skip_key (const char *p, Scan *scan)
{
  if (*p != '"' || (p = skip_string (p + 1)) == NULL)
    return NULL;
  p = skip_kept_blanks (p, scan);
  return *p == ':' ? skip_kept_blanks (p + 1, scan) : NULL;
}

/* An object or array. The kinds of what is open are bits, 1 for objects, the innermost lowest. */
static const char *
skip_nested (const char *p, Scan *scan)
{
  guint64 objects = 0;
  guint depth = 0;
  for (;;) {
    while (*p == '{' || *p == '[') {
      gboolean object = *p == '{';
      p = skip_kept_blanks (p + 1, scan);
      objects = objects << 1 | (guint) object;
      if (++depth > MAX_DEPTH)
        return NULL;
      if (*p == (object ? '}' : ']'))
        goto ended;
      if (object && (p = skip_key (p, scan)) == NULL)
        return NULL;
    }
    if ((p = skip_scalar (p)) == NULL)
      return NULL;
    p = skip_kept_blanks (p, scan);
    while (*p != ',') {
    ended:
      if (*p++ != (objects & 1 ? '}' : ']'))
        return NULL;
      objects >>= 1;
      if (--depth == 0)
        return p;
      p = skip_kept_blanks (p, scan);
    }
    p = skip_kept_blanks (p + 1, scan);
    if ((objects & 1) != 0 && (p = skip_key (p, scan)) == NULL)
      return NULL;
  }
}

/* --- members ------------------------------------------------------------------------------------------------------ */

/* From the quote of a key to the value; sets what comes between. */
static inline const char *
read_key (const char *p, Scan *scan, LoomSlice *key, LoomMember *member)
{
  const char *value;
  *member = loom_event_common_key (p + 1, &value);
  if (*member == LOOM_N_MEMBERS) {
    value = skip_string (p + 1);
    if (value == NULL || memchr (p, '\\', (gsize) (value - p)) != NULL)
      return NULL;
    *key = (LoomSlice) { p, (gsize) (value - p) };
    *member = loom_event_member_for (p + 1, key->length - 2);
    value = skip_blanks (value, scan);
    if (*value++ != ':')
      return NULL;
  } else {
    *key = (LoomSlice) { p, (gsize) (value - 1 - p) };
  }
  return skip_blanks (value, scan);
}

static inline gboolean
is_written_anew (LoomMember member)
{
  return member <= LOOM_MEMBER_DUR; /* ph, name, cat, pid, tid, ts, dur */
}

static void
note (LoomStrictEvent *event, LoomMember member, LoomSlice value)
{
  if (member == LOOM_MEMBER_NAME)
    event->name = value;
  else if (member == LOOM_MEMBER_CAT)
    event->category = value;
  else if (member == LOOM_MEMBER_PH)
    event->phase = value;
}

/* From the quote of a key to behind the value. */
static inline const char *
take_member (const char *p, Scan *scan, guint *seen)
{
  LoomStrictEvent *event = scan->event;
  LoomSlice key = { NULL, 0 };
  LoomMember member;
  guint first_break = scan->n_breaks;
  const char *value = read_key (p, scan, &key, &member);
  if (value == NULL || ((*seen & 1u << member) != 0 && member != LOOM_N_MEMBERS))
    return NULL;
  *seen |= 1u << member;
  gboolean nested = *value == '{' || *value == '[';
  const char *end = nested ? skip_nested (value, scan) : skip_scalar (value);
  if (end == NULL)
    return NULL;
  LoomSlice slice = { value, (gsize) (end - value) };
  if (is_written_anew (member)) {
    scan->broken |= scan->n_breaks > first_break;
    scan->n_breaks = first_break;
    note (event, member, slice);
    return end;
  }
  if (event->n_copied == LOOM_STRICT_EVENT_MAX_COPIED || loom_slice_equal (key, "\"traceloom\""))
    return NULL;
  event->copied[event->n_copied++] = (LoomStrictMember) { member, key, slice, first_break };
  return end;
}

G_STATIC_ASSERT (LOOM_N_MEMBERS < 32);
G_STATIC_ASSERT (LOOM_MEMBER_PH == 0 && LOOM_MEMBER_DUR == 6 && LOOM_MEMBER_ARGS == 7);

gboolean
loom_strict_event_scan (const char *text, LoomStrictEvent *event)
{
  Scan scan = { event, 0, FALSE };
  guint seen = 0;
  event->name = event->category = event->phase = (LoomSlice) { NULL, 0 };
  event->n_copied = 0;
  if (*text != '{')
    return FALSE;
  const char *p = skip_blanks (text + 1, &scan);
  while (*p == '"') {
    p = take_member (p, &scan, &seen);
    if (p == NULL)
      return FALSE;
    p = skip_blanks (p, &scan);
    if (*p == '}') {
      event->length = (gsize) (p + 1 - text);
      event->one_line = !scan.broken && scan.n_breaks == 0;
      event->copied[event->n_copied].first_break = scan.n_breaks;
      return scan.n_breaks <= LOOM_STRICT_EVENT_MAX_BREAKS;
    }
    if (*p != ',')
      return FALSE;
    p = skip_blanks (p + 1, &scan);
  }
  return FALSE;
}
