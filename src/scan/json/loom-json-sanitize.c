/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies JSON text and makes it strict JSON (RFC 8259). Text that is already strict is copied byte for byte; other text
 * is repaired token by token.
 */
#include "loom-strict-json-skip.h"

#include <string.h>

/* --- checking -------------------------------------------------------------------------------------------------- */

/* Returns the position of the first token that is not allowed at its position, or `end` if a token is missing at the
 * end; NULL if the text is strict JSON. */
static const char *
find_fault (const char *text, const char *end)
{
  const char *fault, *p = loom_strict_json_skip_checked (text, end, LOOM_LIMIT_DEPTH, NULL, &fault);
  if (p == NULL)
    return fault;
  return p == end ? NULL : loom_json_skip_blanks (p, end);
}

gboolean
loom_json_slice_is_strict (const char *text, gsize length)
{
  return find_fault (text, text + length) == NULL;
}

static void
strip_blanks (const char **text, gsize *length)
{
  while (*length > 0 && loom_json_slice_is_blank ((*text)[*length - 1]))
    (*length)--;
  while (*length > 0 && loom_json_slice_is_blank (**text))
    (*text)++, (*length)--;
}

gsize
loom_json_slice_find_fault (const char *text, gsize length)
{
  const char *begin = text;
  gsize n = length;
  strip_blanks (&begin, &n);
  const char *fault = find_fault (begin, begin + n);
  return fault != NULL ? (gsize) (fault - text) : G_MAXSIZE;
}

gboolean
loom_json_slice_is_strict_document (const char *text, gsize length)
{
  return loom_json_slice_find_fault (text, length) == G_MAXSIZE;
}

/* --- writing --------------------------------------------------------------------------------------------------- */

void
loom_json_slice_append_string (GString *out, const char *text, gsize length)
{
  static const char hex[] = "0123456789abcdef";
  const char *p = text, *end = text + length;
  g_string_append_c (out, '"');
  while (p < end) {
    guchar byte = (guchar) *p;
    const char *run = p;
    while (p < end && (guchar) *p >= 0x20 && (guchar) *p < 0x80 && *p != '"' && *p != '\\')
      p++;
    if (p > run) {
      g_string_append_len (out, run, p - run);
      continue;
    }
    if (byte == '"' || byte == '\\') {
      g_string_append_c (out, '\\');
      g_string_append_c (out, *p++);
    } else if (byte < 0x20) {
      char escape[6] = { '\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15] };
      g_string_append_len (out, escape, sizeof escape);
      p++;
    } else if (g_utf8_get_char_validated (p, end - p) < (gunichar) -2) {
      const char *next = g_utf8_next_char (p);
      g_string_append_len (out, p, next - p);
      p = next;
    } else {
      g_string_append (out, "\xEF\xBF\xBD");
      p++;
    }
  }
  g_string_append_c (out, '"');
}

/* Appends a string, or a word without quotes. Copies it unchanged if it is strict JSON; otherwise converts it to a
 * strict string. */
static void
append_scalar (GString *out, LoomJsonSlice value)
{
  const char *end = value.text + value.length;
  if (loom_strict_json_skip_scalar (value.text, end) == end) {
    g_string_append_len (out, value.text, (gssize) value.length);
  } else if (*value.text == '"') {
    g_autofree char *decoded = loom_json_slice_dup_decoded (value);
    loom_json_slice_append_string (out, decoded, strlen (decoded));
  } else {
    loom_json_slice_append_string (out, value.text, value.length);
  }
}

/* Appends the key of the next member of an object, and a colon. Returns the beginning of the member's value, or NULL if
 * no readable key follows. */
static const char *
append_key (GString *out, const char *p, const char *end)
{
  const char *start = p;
  if (*p != '"' || loom_json_skip_string (&p, end) != LOOM_JSON_SKIP_OK)
    return NULL;
  LoomJsonSlice key = { start, (gsize) (p - start) };
  p = loom_json_skip_blanks (p, end);
  if (p >= end || *p != ':')
    return NULL;
  append_scalar (out, key);
  g_string_append_c (out, ':');
  return loom_json_skip_blanks (p + 1, end);
}

static void
append_repaired (GString *out, const char *p, const char *end)
{
  char kinds[LOOM_LIMIT_DEPTH];
  gboolean filled[LOOM_LIMIT_DEPTH];
  gsize depth = 0;
  do {
    if (depth > 0) {
      p = loom_json_skip_blanks_and_commas (p, end);
      if (p >= end || *p == '}' || *p == ']') {
        g_string_append_c (out, kinds[--depth]);
        p += p < end;
        continue;
      }
      if (filled[depth - 1])
        g_string_append_c (out, ',');
      gsize before = out->len;
      const char *value = kinds[depth - 1] == '}' ? append_key (out, p, end) : p;
      /* The rest of the text cannot be parsed, so it is written as one string. Inside an object, this string is the
       * value of an empty key. */
      if (value == NULL || value >= end) {
        g_string_truncate (out, before);
        if (kinds[depth - 1] == '}')
          g_string_append (out, "\"\":");
        loom_json_slice_append_string (out, p, (gsize) (end - p));
        filled[depth - 1] = TRUE;
        p = end;
        continue;
      }
      filled[depth - 1] = TRUE;
      p = value;
    }
    const char *start = p;
    if ((*p == '{' || *p == '[') && depth < LOOM_LIMIT_DEPTH) {
      g_string_append_c (out, *p);
      kinds[depth] = *p == '{' ? '}' : ']';
      filled[depth++] = FALSE;
      p++;
      continue;
    }
    if (loom_json_skip_value (&p, end) != LOOM_JSON_SKIP_OK)
      p = end;
    if (p == start)
      p++;
    if (*start == '{' || *start == '[')
      loom_json_slice_append_string (out, start, (gsize) (p - start));
    else
      append_scalar (out, (LoomJsonSlice) { start, (gsize) (p - start) });
  } while (depth > 0);
}

void
loom_json_slice_append_strict (GString *out, const char *text, gsize length)
{
  strip_blanks (&text, &length);
  if (length == 0) {
    g_string_append (out, "null");
    return;
  }
  if (!loom_json_slice_is_strict (text, length)) {
    append_repaired (out, text, text + length);
    return;
  }
  if (memchr (text, '\n', length) == NULL && memchr (text, '\r', length) == NULL) {
    g_string_append_len (out, text, (gssize) length);
    return;
  }
  for (gsize i = 0; i < length; i++) /* a strict string contains no line end, so all line ends are between tokens */
    g_string_append_c (out, text[i] == '\n' || text[i] == '\r' ? ' ' : text[i]);
}
