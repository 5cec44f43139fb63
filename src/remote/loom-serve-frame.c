/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-serve-frame.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-archive-path.h"
#include "loom-error.h"
#include "loom-parse-time.h"

static const char magic[] = "LOOMSRV\n";
#define MAGIC_BYTES (sizeof magic - 1)
/* length of the beginning of a frame: the magic bytes, then the lengths of head and body, 4 bytes each, lowest byte
 * first */
#define PREFIX_BYTES (MAGIC_BYTES + 8)
#define SHOWN_BYTES 60

struct _LoomServeParser {
  GByteArray *bytes;
  gsize most_body;
};

void
loom_serve_frame_clear (LoomServeFrame *frame)
{
  g_clear_pointer (&frame->head, g_free);
  g_clear_pointer (&frame->body, g_free);
}

static LoomJsonSlice
get_member (const LoomServeFrame *frame, const char *member)
{
  return loom_json_slice_member ((LoomJsonSlice) { frame->head, frame->n_head }, member);
}

gint64
loom_serve_frame_get_number (const LoomServeFrame *frame, const char *member)
{
  gint64 number;
  LoomJsonSlice value = get_member (frame, member);
  gboolean good = value.text != NULL && g_ascii_isdigit (value.text[0]) &&
                  loom_parse_time_parse_int (value.text, value.length, &number) && number >= 0;
  return good ? number : -1;
}

char *
loom_serve_frame_dup_text (const LoomServeFrame *frame, const char *member)
{
  LoomJsonSlice value = get_member (frame, member);
  return loom_json_slice_is_string (value) ? loom_json_slice_dup_decoded (value) : NULL;
}

static void
append_length (GByteArray *out, gsize n_bytes)
{
  guint32 little = GUINT32_TO_LE ((guint32) n_bytes);
  g_byte_array_append (out, (const guint8 *) &little, sizeof little);
}

void
loom_serve_frame_append (GByteArray *out, const char *head, const void *body, gsize n_body)
{
  g_byte_array_append (out, (const guint8 *) magic, MAGIC_BYTES);
  append_length (out, strlen (head));
  append_length (out, n_body);
  g_byte_array_append (out, (const guint8 *) head, (guint) strlen (head));
  if (n_body > 0)
    g_byte_array_append (out, body, (guint) n_body);
}

/* --- parsing ------------------------------------------------------------------------------------------------------ */

LoomServeParser *
loom_serve_frame_parser_new (gsize most_body)
{
  LoomServeParser *parser = g_new0 (LoomServeParser, 1);
  parser->bytes = g_byte_array_new ();
  parser->most_body = most_body;
  return parser;
}

void
loom_serve_frame_parser_free (LoomServeParser *parser)
{
  g_byte_array_unref (parser->bytes);
  g_free (parser);
}

void
loom_serve_frame_parser_add (LoomServeParser *parser, const void *bytes, gsize n_bytes)
{
  g_byte_array_append (parser->bytes, bytes, (guint) n_bytes);
}

GError *
loom_serve_frame_new_error (const void *bytes, gsize n_bytes)
{
  g_autoptr (GString) text = g_string_new_len (bytes, (gssize) MIN (n_bytes, SHOWN_BYTES));
  for (gsize at = strlen (text->str); at < text->len; at += strlen (text->str + at))
    text->str[at] = ' '; /* A zero byte is replaced by a blank, because it would end the text. */
  g_autofree char *shown = loom_archive_path_dup_printable (text->str);
  return g_error_new (LOOM_ERROR, LOOM_ERROR_FORMAT,
                      _ ("the answer does not follow the protocol of traceloom-cli serve: “%s”"), shown);
}

static gboolean
fail (const LoomServeParser *parser, GError **error)
{
  g_propagate_error (error, loom_serve_frame_new_error (parser->bytes->data, parser->bytes->len));
  return FALSE;
}

static gsize
get_length (const LoomServeParser *parser, gsize at)
{
  guint32 little;
  memcpy (&little, parser->bytes->data + at, sizeof little);
  return GUINT32_FROM_LE (little);
}

static gboolean
take_frame (LoomServeParser *parser, LoomServeFrame *frame, gsize n_head, gsize n_body)
{
  const guint8 *at = parser->bytes->data + PREFIX_BYTES;
  if (at[0] != '{' || !loom_json_slice_is_strict ((const char *) at, n_head))
    return FALSE;
  *frame = (LoomServeFrame) {
    .head = g_strndup ((const char *) at, n_head), .n_head = n_head, .body = g_malloc (n_body + 1), .n_body = n_body
  };
  memcpy (frame->body, at + n_head, n_body);
  frame->body[n_body] = '\0';
  g_byte_array_remove_range (parser->bytes, 0, (guint) (PREFIX_BYTES + n_head + n_body));
  return TRUE;
}

gboolean
loom_serve_frame_parser_next (LoomServeParser *parser, LoomServeFrame *frame, GError **error)
{
  gsize n = parser->bytes->len;
  if (memcmp (parser->bytes->data != NULL ? parser->bytes->data : (const guint8 *) magic, magic,
              MIN (n, MAGIC_BYTES)) != 0)
    return fail (parser, error);
  if (n < PREFIX_BYTES)
    return FALSE;
  gsize n_head = get_length (parser, MAGIC_BYTES), n_body = get_length (parser, MAGIC_BYTES + 4);
  if (n_head < 2 || n_head > LOOM_SERVE_FRAME_HEAD_BYTES || n_body > parser->most_body)
    return fail (parser, error);
  if (n < PREFIX_BYTES + n_head + n_body)
    return FALSE;
  return take_frame (parser, frame, n_head, n_body) || fail (parser, error);
}
