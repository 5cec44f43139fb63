/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the requests to the file server “serve --stdio”. The input is a stream of frames; each frame is a request. The
 * stream must give the same frames however it is cut into pieces. Every request must be answered by one frame with the
 * id of the request. No answer may contain a byte of a file that is not served, and the answers must be within the
 * limits. If the input begins with “open ” or “read ”, each of its lines is first replaced by a well-formed request,
 * because random bytes would hardly contain one.
 */
#include "fuzz.h"

#include "loom-serve-files.h"

#include <string.h>

#define SECRET "secret"
#define MOST_FRAMES 64

/* If the input begins with "open " or "read ", replaces each of its lines by a frame with the
 * request that the words of the line state. Otherwise returns the bytes unchanged. */
static GByteArray *
expand (const guint8 *data, gsize size)
{
  GByteArray *out = g_byte_array_new ();
  g_autofree char *text = g_strndup ((const char *) data, size);
  if (size >= 5 && strlen (text) == size && (g_str_has_prefix (text, "open ") || g_str_has_prefix (text, "read "))) {
    g_auto (GStrv) lines = g_strsplit (text, "\n", MOST_FRAMES);
    for (guint i = 0; lines[i] != NULL; i++) {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", 4);
      guint n = g_strv_length (words);
      g_autofree char *path = g_strconcat (fuzz_folder (), "/", n > 1 ? words[1] : "", NULL);
      g_autofree char *head = g_strdup_printf ("{\"id\":%u,\"request\":\"%s\",\"file\":%s,\"offset\":%s,\"bytes\":%s}",
                                               i, n > 0 ? words[0] : "", n > 1 ? words[1] : "0", n > 2 ? words[2] : "0",
                                               n > 3 ? words[3] : "10");
      gboolean opens = n > 0 && strcmp (words[0], "open") == 0;
      g_autofree char *open_head = g_strdup_printf ("{\"id\":%u,\"request\":\"open\"}", i);
      if (strlen (head) <= LOOM_SERVE_FRAME_HEAD_BYTES && (!opens || strlen (path) <= LOOM_SERVE_FRAME_PATH_BYTES))
        loom_serve_frame_append (out, opens ? open_head : head, path, opens ? strlen (path) : 0);
    }
  } else if (size > 0)
    g_byte_array_append (out, data, (guint) size);
  return out;
}

static gboolean
has_secret (const GByteArray *bytes)
{
  gsize n = strlen (SECRET);
  for (gsize at = 0; at + n <= bytes->len; at++)
    if (memcmp (bytes->data + at, SECRET, n) == 0)
      return TRUE;
  return FALSE;
}

static void
check_answer (const LoomServeFrame *request, GByteArray *bytes)
{
  g_autoptr (LoomServeParser) parser = loom_serve_frame_parser_new (LOOM_SERVE_FRAME_BODY_BYTES);
  g_auto (LoomServeFrame) answer = { 0 }, more = { 0 };
  g_autoptr (GError) error = NULL;
  gint64 id = MAX (loom_serve_frame_get_number (request, "id"), 0);
  fuzz_check (!has_secret (bytes), "a file was read that is not served");
  loom_serve_frame_parser_add (parser, bytes->data, bytes->len);
  fuzz_check (loom_serve_frame_parser_next (parser, &answer, &error), "%s",
              error != NULL ? error->message : "no frame");
  fuzz_check (loom_serve_frame_get_number (&answer, "id") == id, "the answer is that of another request");
  fuzz_check (fuzz_is_json (answer.head, answer.n_head, 10), "the head is no JSON");
  fuzz_check (!loom_serve_frame_parser_next (parser, &more, &error) && error == NULL, "several answers");
}

/* Parses the stream in pieces of `step` bytes. Returns the number of frames. If `files` is not NULL, the requests are
 * answered. */
static guint
parse (const GByteArray *stream, gsize step, LoomServeFiles *files, gboolean *is_odd)
{
  guint n_frames = 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomServeParser) parser = loom_serve_frame_parser_new (LOOM_SERVE_FRAME_PATH_BYTES);
  for (gsize at = 0; at < stream->len && error == NULL; at += step) {
    g_auto (LoomServeFrame) frame = { 0 };
    loom_serve_frame_parser_add (parser, stream->data + at, MIN (step, stream->len - at));
    while (loom_serve_frame_parser_next (parser, &frame, &error)) {
      g_autoptr (GByteArray) out = g_byte_array_new ();
      if (files != NULL)
        loom_serve_files_answer (files, &frame, out);
      if (files != NULL)
        check_answer (&frame, out);
      n_frames++;
      loom_serve_frame_clear (&frame);
    }
  }
  *is_odd = error != NULL;
  return n_frames;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  gboolean is_odd, is_odd_cut;
  FuzzDice dice = fuzz_dice (data, size);
  fuzz_clear_folder ();
  g_autofree char *a = fuzz_put ("served/a.json", "[1,2,3]", 7), *b = fuzz_put ("served/b/c.json", "{}", 2),
                  *secret = fuzz_put ("not-served/d.json", SECRET, strlen (SECRET));
  g_autofree char *root = g_build_filename (fuzz_folder (), "served", NULL);
  const char *roots[] = { root, NULL };
  g_autoptr (GByteArray) stream = expand (data, size);
  g_autoptr (LoomServeFiles) files = loom_serve_files_new (roots, NULL);
  fuzz_check (files != NULL, "the folder is not there");
  guint n = parse (stream, MAX (stream->len, 1), files, &is_odd),
        n_cut = parse (stream, 1 + fuzz_below (&dice, 40), NULL, &is_odd_cut);
  fuzz_check (n == n_cut && is_odd == is_odd_cut, "%u frames, %u when cut", n, n_cut);
  return 0;
}
