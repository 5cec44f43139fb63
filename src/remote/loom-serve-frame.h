/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames: the messages between the client and the server of “traceloom-cli serve --stdio” (README.md). A frame has a
 * head, which is a JSON object, and a body of bytes. The other side may be any program, so the lengths that it sends
 * are checked before memory is allocated. The functions may be called on any thread; only one thread at a time may use
 * a parser.
 */
#pragma once

#include <gio/gio.h>

#include "loom-json-slice.h"

#define LOOM_SERVE_FRAME_PROTOCOL 1

/* Maximum number of bytes of a head, of the body of a request (a path), and of the body of an answer. */
#define LOOM_SERVE_FRAME_HEAD_BYTES 4096u
#define LOOM_SERVE_FRAME_PATH_BYTES 4096u
#define LOOM_SERVE_FRAME_BODY_BYTES (1024u * 1024)

typedef struct {
  char *head; /* owned; a JSON object as text, checked to be strict JSON */
  gsize n_head;
  guint8 *body; /* owned; the bytes of the body, followed by a zero byte */
  gsize n_body;
} LoomServeFrame;

void loom_serve_frame_clear (LoomServeFrame *frame);

/* Returns the value of a member of the head if it is a number from 0 to G_MAXINT64. Returns −1 if the value is anything
 * else, or if there is no such member. */
gint64 loom_serve_frame_get_number (const LoomServeFrame *frame, const char *member);
/* Returns the value of a member of the head if it is a text; decoded and owned by the caller. Returns NULL if the value
 * is anything else, or if there is no such member. */
char *loom_serve_frame_dup_text (const LoomServeFrame *frame, const char *member);

/* Appends a frame; `head` is a JSON object. The lengths must be within the limits. */
void loom_serve_frame_append (GByteArray *out, const char *head, const void *body, gsize n_body);

/* Returns an error LOOM_ERROR_FORMAT for bytes that are not a frame; its message quotes the first of them. */
GError *loom_serve_frame_new_error (const void *bytes, gsize n_bytes);

typedef struct _LoomServeParser LoomServeParser;

/* Makes a parser. `most_body`: maximum length of a body in bytes; a frame with a longer body is an error. */
LoomServeParser *loom_serve_frame_parser_new (gsize most_body);
void loom_serve_frame_parser_free (LoomServeParser *parser);
void loom_serve_frame_parser_add (LoomServeParser *parser, const void *bytes, gsize n_bytes);

/* Sets `frame` to the next frame and returns TRUE. Returns FALSE without `error` if more bytes are needed. Returns
 * FALSE with LOOM_ERROR_FORMAT if the bytes are not a frame; then nothing after them can be read either, and the
 * message quotes the first bytes. The parser stores at most one frame and the bytes that were added after it. */
gboolean loom_serve_frame_parser_next (LoomServeParser *parser, LoomServeFrame *frame, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LoomServeFrame, loom_serve_frame_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomServeParser, loom_serve_frame_parser_free)
