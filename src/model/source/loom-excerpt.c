/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-excerpt.h"

#include <string.h>

#define ELLIPSIS "…"

/* Reads until the buffer is full or the text ends. Returns the number of bytes read; −1 with `error`. */
static gssize
read_all (LoomByteSource *text, guint64 offset, char *buffer, gsize n_bytes, GError **error)
{
  gsize done = 0;
  while (done < n_bytes) {
    gssize n = loom_byte_source_read (text, offset + done, buffer + done, n_bytes - done, error);
    if (n < 0)
      return -1;
    if (n == 0)
      break;
    done += (gsize) n;
  }
  return (gssize) done;
}

static gboolean
is_continuation (char byte)
{
  return ((guchar) byte & 0xC0) == 0x80;
}

/* Returns the index in `bytes` of the beginning of the line that contains the index `place`. `cut`: the line begins
 * before the excerpt; in this case, returns the index of the first complete character. */
static gsize
find_begin (const char *bytes, gsize place, gboolean cut)
{
  for (gsize i = place; i > 0; i--)
    if (bytes[i - 1] == '\n')
      return i;
  gsize begin = 0;
  while (cut && begin < MIN (place, 3) && is_continuation (bytes[begin]))
    begin++;
  return begin;
}

/* Returns `length`; if the excerpt ends inside a character, returns the length without this character. */
static gsize
find_end (const char *bytes, gsize length)
{
  for (gsize back = 1; back <= MIN (length, 4); back++) {
    if (is_continuation (bytes[length - back]))
      continue;
    return g_utf8_get_char_validated (bytes + length - back, (gssize) back) == (gunichar) -2 ? length - back : length;
  }
  return length;
}

static void
append_byte (GString *out, guchar byte)
{
  static const char plain[] = "\n\t\r\\", letters[] = "ntr\\";
  const char *known = byte != '\0' ? strchr (plain, byte) : NULL;
  if (known != NULL)
    g_string_append_printf (out, "\\%c", letters[known - plain]);
  else if (byte >= 0x20 && byte < 0x7F)
    g_string_append_c (out, (char) byte);
  else
    g_string_append_printf (out, "\\x%02x", byte);
}

static gboolean
is_visible (gunichar letter)
{
  GUnicodeType type = g_unichar_type (letter);
  return g_unichar_isprint (letter) && type != G_UNICODE_FORMAT && type != G_UNICODE_LINE_SEPARATOR &&
         type != G_UNICODE_PARAGRAPH_SEPARATOR && type != G_UNICODE_PRIVATE_USE;
}

/* Appends one character in readable form. Returns the number of bytes that the character has in the source. */
static gsize
append_letter (GString *out, const char *bytes, gsize length)
{
  gunichar letter = (guchar) *bytes >= 0x80 ? g_utf8_get_char_validated (bytes, (gssize) length) : 0;
  if (letter == 0 || letter >= (gunichar) -2) {
    append_byte (out, (guchar) *bytes);
    return 1;
  }
  if (is_visible (letter))
    g_string_append_unichar (out, letter);
  else
    g_string_append_printf (out, "\\u%04x", letter);
  return (gsize) g_utf8_skip[(guchar) *bytes];
}

char *
loom_excerpt_read (LoomByteSource *text, guint64 offset, gsize *at, GError **error)
{
  g_return_val_if_fail (text != NULL, NULL);
  /* one byte more than is shown, to find out whether the text continues after the excerpt */
  char bytes[LOOM_EXCERPT_BEFORE + LOOM_EXCERPT_AFTER + 1];
  guint64 from = offset - MIN (offset, LOOM_EXCERPT_BEFORE);
  gsize wanted = (gsize) (offset - from) + LOOM_EXCERPT_AFTER;
  gssize n = read_all (text, from, bytes, wanted + 1, error);
  if (n < 0)
    return NULL;
  gsize length = MIN ((gsize) n, wanted), place = MIN ((gsize) (offset - from), length);
  gboolean more = (gsize) n > wanted;
  gsize begin = find_begin (bytes, place, from > 0), end = more ? MAX (find_end (bytes, length), place) : length;
  gboolean cut = length > 0 && from > 0 && !(begin > 0 && bytes[begin - 1] == '\n');
  GString *out = g_string_new (cut ? ELLIPSIS : "");
  gsize found = G_MAXSIZE;
  for (gsize i = begin; i < end;) {
    if (i >= place && found == G_MAXSIZE)
      found = out->len;
    i += append_letter (out, bytes + i, end - i);
  }
  if (at != NULL)
    *at = MIN (found, out->len);
  if (more)
    g_string_append (out, ELLIPSIS);
  return g_string_free (out, FALSE);
}
