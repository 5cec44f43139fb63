/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-perfetto-annotations.h"

#include <string.h>

enum {
  ARG_NAME_ID = 1,
  ARG_BOOL = 2,
  ARG_UNSIGNED = 3,
  ARG_SIGNED = 4,
  ARG_REAL = 5,
  ARG_TEXT = 6,
  ARG_JSON = 9,
  ARG_DICTIONARY = 11,
  ARG_ARRAY = 12,
  ARG_TEXT_ID = 17,
};

/* Maximum depth of nested values. Values at a greater depth are written as JSON text, to limit the recursion. */
#define MOST_DEPTH 16
/* A text of LEAST_INTERNED to MOST_INTERNED bytes is written only once; after that, a number refers to it. For shorter
 * texts, this would save nothing; for longer ones, it would need too much memory. */
#define LEAST_INTERNED 6
#define MOST_INTERNED 4096
/* A decimal number with at most this many digits can be read back exactly from a double. */
#define MOST_EXACT_DIGITS 15

static void append_value (const LoomPerfettoAnnotations *self, GString *out, LoomJsonSlice value, guint depth);

static void
append_decoded (const LoomPerfettoAnnotations *self, GString *out, const char *text, gsize length)
{
  if (length >= LEAST_INTERNED && length <= MOST_INTERNED)
    loom_perfetto_message_put_number (out, ARG_TEXT_ID,
                                      loom_perfetto_stream_intern (self->stream, LOOM_PERFETTO_STREAM_ARG_TEXT, text));
  else
    loom_perfetto_message_put_bytes (out, ARG_TEXT, text, length);
}

static void
append_name (const LoomPerfettoAnnotations *self, GString *out, const char *name)
{
  loom_perfetto_message_put_number (out, ARG_NAME_ID,
                                    loom_perfetto_stream_intern (self->stream, LOOM_PERFETTO_STREAM_ARG_NAME, name));
}

static void
append_key (const LoomPerfettoAnnotations *self, GString *out, LoomJsonSlice key)
{
  g_string_truncate (self->text, 0);
  loom_json_slice_decode_exact (key, self->text);
  append_name (self, out, self->text->str);
}

/* --- numbers in args ---------------------------------------------------------------------------------------------- */

/* Parses an integer of at most 19 digits. Returns FALSE for all other numbers; -0 is also not an integer here, because
 * only a double can represent it. */
static gboolean
parse_integer (LoomJsonSlice value, guint64 *magnitude, gboolean *is_negative)
{
  gsize at = *is_negative = value.text[0] == '-';
  *magnitude = 0;
  if (value.length - at > 19 || (*is_negative && value.text[at] == '0'))
    return FALSE;
  for (; at < value.length; at++) {
    if (!g_ascii_isdigit (value.text[at]))
      return FALSE;
    *magnitude = *magnitude * 10 + (guint64) (value.text[at] - '0');
  }
  return !*is_negative || *magnitude <= G_MAXINT64;
}

static guint
count_digits (LoomJsonSlice value)
{
  guint n = 0;
  for (gsize i = 0; i < value.length && g_ascii_tolower (value.text[i]) != 'e'; i++)
    n += g_ascii_isdigit (value.text[i]) && (n > 0 || value.text[i] != '0');
  return n;
}

static void
append_number (GString *out, LoomJsonSlice value)
{
  char digits[64] = "";
  guint64 magnitude;
  gboolean is_negative;
  if (parse_integer (value, &magnitude, &is_negative)) {
    gboolean is_signed = magnitude <= G_MAXINT64;
    loom_perfetto_message_put_number (out, is_signed ? ARG_SIGNED : ARG_UNSIGNED, is_negative ? -magnitude : magnitude);
    return;
  }
  gboolean is_short = value.length < sizeof digits && count_digits (value) <= MOST_EXACT_DIGITS;
  if (is_short) { /* memcpy(), because g_strlcpy() would read all of the text after the number to find its length */
    memcpy (digits, value.text, value.length);
    digits[value.length] = '\0';
  }
  double real = g_ascii_strtod (digits, NULL);
  if (is_short && real - real == 0)
    loom_perfetto_message_put_double (out, ARG_REAL, real);
  else
    loom_perfetto_message_put_bytes (out, ARG_JSON, value.text, value.length);
}

/* --- values of args ----------------------------------------------------------------------------------------------- */

static void
append_members (const LoomPerfettoAnnotations *self, GString *out, guint number, LoomJsonSlice list, guint depth)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  if (!loom_json_slice_iter_init (&iter, list))
    return;
  while (loom_json_slice_iter_next (&iter, &key, &value)) {
    gsize place = loom_perfetto_message_begin (out, number);
    if (key.text != NULL)
      append_key (self, out, key);
    append_value (self, out, value, depth);
    loom_perfetto_message_end (out, place);
  }
}

static gboolean
is_empty (LoomJsonSlice list)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  return !loom_json_slice_iter_init (&iter, list) || !loom_json_slice_iter_next (&iter, &key, &value);
}

/* Appends a field that contains the value. Appends nothing for null. An empty list is written as JSON text, because a
 * list field without elements would look like null to readers. */
static void
append_value (const LoomPerfettoAnnotations *self, GString *out, LoomJsonSlice value, guint depth)
{
  gboolean is_list = *value.text == '{' || *value.text == '[';
  if (loom_json_slice_is_string (value)) {
    g_string_truncate (self->text, 0);
    loom_json_slice_decode_exact (value, self->text);
    append_decoded (self, out, self->text->str, self->text->len);
  } else if (is_list && (depth >= MOST_DEPTH || is_empty (value))) {
    loom_perfetto_message_put_bytes (out, ARG_JSON, value.text, value.length);
  } else if (is_list) {
    append_members (self, out, *value.text == '{' ? ARG_DICTIONARY : ARG_ARRAY, value, depth + 1);
  } else if (*value.text == 't' || *value.text == 'f') {
    loom_perfetto_message_put_number (out, ARG_BOOL, *value.text == 't');
  } else if (*value.text != 'n') {
    append_number (out, value);
  }
}

void
loom_perfetto_annotations_append (const LoomPerfettoAnnotations *self, GString *out, guint number, LoomJsonSlice object)
{
  append_members (self, out, number, object, 0);
}

void
loom_perfetto_annotations_append_text (const LoomPerfettoAnnotations *self, GString *out, guint number,
                                       const char *name, const char *text)
{
  gsize place = loom_perfetto_message_begin (out, number);
  append_name (self, out, name);
  append_decoded (self, out, text, strlen (text));
  loom_perfetto_message_end (out, place);
}
