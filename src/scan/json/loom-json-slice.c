/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads JSON text without building a tree. loom_json_skip_string() and loom_json_slice_skip_value() implement the rules
 * for malformed JSON. All code that reads events uses these two functions, so that it always finds the same end for the
 * same value.
 */
#include "loom-json-slice.h"

#include "loom-json-skip.h"

#include <string.h>

gboolean
loom_json_slice_skip_value (const char **p, const char *end)
{
  LoomJsonSkip walk = loom_json_skip_value (p, end);
  return walk == LOOM_JSON_SKIP_OK;
}

gboolean
loom_json_slice_iter_init (LoomJsonIter *iter, LoomJsonSlice value)
{
  if (value.text == NULL || value.length < 2 || (value.text[0] != '{' && value.text[0] != '['))
    return FALSE;
  iter->object = value.text[0] == '{';
  iter->p = value.text + 1;
  iter->end = value.text + value.length;
  return TRUE;
}

gboolean
loom_json_slice_iter_next (LoomJsonIter *iter, LoomJsonSlice *key, LoomJsonSlice *value)
{
  const char *p = loom_json_skip_blanks_and_commas (iter->p, iter->end);
  *key = (LoomJsonSlice) { NULL, 0 };
  if (p >= iter->end || *p == '}' || *p == ']')
    return FALSE;
  if (iter->object) {
    const char *start = p;
    if (*p != '"' || loom_json_skip_string (&p, iter->end) != LOOM_JSON_SKIP_OK)
      return FALSE;
    *key = (LoomJsonSlice) { start, (gsize) (p - start) };
    p = loom_json_skip_blanks (p, iter->end);
    if (p >= iter->end || *p != ':')
      return FALSE;
    p = loom_json_skip_blanks (p + 1, iter->end);
  }
  const char *start = p;
  if (loom_json_skip_value (&p, iter->end) != LOOM_JSON_SKIP_OK)
    return FALSE;
  *value = (LoomJsonSlice) { start, (gsize) (p - start) };
  iter->p = p;
  return TRUE;
}

/* Compares the first letter before it compares the length and the other letters, because the first letters of most keys
 * differ. */
static inline gboolean
is_key (LoomJsonSlice name, const char *key)
{
  gsize length = name.length - 2;
  return name.text[1] == key[0] && strlen (key) == length && memcmp (name.text + 1, key, length) == 0;
}

void
loom_json_slice_members (LoomJsonSlice object, const char *const *keys, guint n, LoomJsonSlice *values)
{
  LoomJsonSlice name, value;
  LoomJsonIter iter;
  for (guint i = 0; i < n; i++)
    values[i] = (LoomJsonSlice) { NULL, 0 };
  if (!loom_json_slice_is_object (object) || !loom_json_slice_iter_init (&iter, object))
    return;
  while (loom_json_slice_iter_next (&iter, &name, &value))
    for (guint i = 0; i < n; i++)
      if (is_key (name, keys[i]))
        values[i] = value;
}

void
loom_json_slice_first_members (LoomJsonSlice object, const char *const *keys, guint n, LoomJsonSlice *values)
{
  LoomJsonSlice name, value;
  LoomJsonIter iter;
  guint n_found = 0;
  for (guint i = 0; i < n; i++)
    values[i] = (LoomJsonSlice) { NULL, 0 };
  if (!loom_json_slice_is_object (object) || !loom_json_slice_iter_init (&iter, object))
    return;
  while (n_found < n && loom_json_slice_iter_next (&iter, &name, &value))
    for (guint i = 0; i < n; i++)
      if (values[i].text == NULL && is_key (name, keys[i])) {
        values[i] = value;
        n_found++;
        break;
      }
}

LoomJsonSlice
loom_json_slice_member (LoomJsonSlice object, const char *key)
{
  LoomJsonSlice value;
  loom_json_slice_members (object, &key, 1, &value);
  return value;
}

/* --- decoding ------------------------------------------------------------------------------------------------- */

static gboolean
read_hex4 (const char *p, const char *end, guint *code)
{
  if (end - p < 4)
    return FALSE;
  *code = 0;
  for (int i = 0; i < 4; i++) {
    int digit = g_ascii_xdigit_value (p[i]);
    if (digit < 0)
      return FALSE;
    *code = *code << 4 | (guint) digit;
  }
  return TRUE;
}

static void
append_code (GString *out, gunichar code, gboolean is_exact)
{
  if (code < (is_exact ? 1 : 0x20))
    code += 0x2400; /* U+2400 … U+241F: visible symbols for control characters */
  else if (code >= 0xD800 && code <= 0xDFFF)
    code = 0xFFFD;
  g_string_append_unichar (out, code);
}

/* Decodes the escape whose "\u" ends at `p`, together with the escape of a low surrogate if one follows. Returns the
 * position after the decoded text. */
static const char *
decode_unicode (const char *p, const char *end, gboolean is_exact, GString *out)
{
  guint high, low;
  if (!read_hex4 (p, end, &high)) {
    g_string_append (out, "\\u");
    return p;
  }
  p += 4;
  if (high >= 0xD800 && high <= 0xDBFF && end - p >= 6 && p[0] == '\\' && p[1] == 'u' && read_hex4 (p + 2, end, &low) &&
      low >= 0xDC00 && low <= 0xDFFF) {
    append_code (out, 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00), is_exact);
    return p + 6;
  }
  append_code (out, high, is_exact);
  return p;
}

static const char *
decode_escape (const char *p, const char *end, gboolean is_exact, GString *out)
{
  static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  if (p >= end) {
    g_string_append_c (out, '\\');
    return p;
  }
  if (*p == 'u')
    return decode_unicode (p + 1, end, is_exact, out);
  const char *known = strchr (letters, *p);
  if (known == NULL || *p == '\0') { /* the backslash begins no known escape: keep it and the character after it */
    g_string_append_c (out, '\\');
    return p;
  }
  char value = values[known - letters];
  if ((guchar) value < 0x20)
    append_code (out, (guchar) value, is_exact);
  else
    g_string_append_c (out, value);
  return p + 1;
}

static const char *
decode_utf8 (const char *p, const char *end, GString *out)
{
  gunichar code = g_utf8_get_char_validated (p, end - p);
  if (code >= (gunichar) -2) {
    append_code (out, 0xFFFD, FALSE);
    return p + 1;
  }
  g_string_append_unichar (out, code);
  return g_utf8_next_char (p);
}

/* Appends decoded text until `out` has at least `most` bytes or the literal ends; stops only after a whole character.
 * `is_exact`: TRUE if control characters, except U+0000, are not replaced. */
static void
decode_until (LoomJsonSlice literal, gsize most, gboolean is_exact, GString *out)
{
  if (literal.text == NULL)
    return;
  const char *p = literal.text, *end = p + literal.length;
  gboolean string = loom_json_slice_is_string (literal);
  if (string)
    p++, end--;
  while (p < end && out->len < most) {
    guchar byte = (guchar) *p;
    if (byte == '\\' && string)
      p = decode_escape (p + 1, end, is_exact, out);
    else if (byte < 0x20)
      append_code (out, byte, is_exact), p++;
    else if (byte < 0x80)
      g_string_append_c (out, *p++);
    else
      p = decode_utf8 (p, end, out);
  }
}

void
loom_json_slice_decode (LoomJsonSlice literal, GString *out)
{
  decode_until (literal, G_MAXSIZE, FALSE, out);
}

void
loom_json_slice_decode_exact (LoomJsonSlice literal, GString *out)
{
  decode_until (literal, G_MAXSIZE, TRUE, out);
}

gboolean
loom_json_slice_decode_cut (LoomJsonSlice literal, gsize n_bytes, GString *out)
{
  gsize most = out->len + n_bytes;
  decode_until (literal, most + 1, FALSE, out);
  if (out->len <= most)
    return FALSE;
  const char *end = out->str + most;
  while ((*end & 0xC0) == 0x80) /* move back to the first byte of the UTF-8 character */
    end--;
  g_string_truncate (out, (gsize) (end - out->str));
  g_string_append (out, "…");
  return TRUE;
}

char *
loom_json_slice_dup_decoded (LoomJsonSlice literal)
{
  GString *out = g_string_new (NULL);
  loom_json_slice_decode (literal, out);
  return g_string_free (out, FALSE);
}

char *
loom_json_slice_dup_plain (LoomJsonSlice value)
{
  GString *text = g_string_new (NULL);
  if (value.length > 0 && *value.text != '{' && *value.text != '[' && !loom_json_slice_equal (value, "null"))
    loom_json_slice_decode_cut (value, LOOM_LIMIT_NAME_BYTES, text);
  return g_string_free (text, FALSE);
}
