/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the text of a source from its beginning to its end. A file that is compressed with gzip is recognised by its
 * first bytes, not by its name. The interface is described in loom-stream-reader.h.
 */
#include "loom-stream-reader-private.h"

#include "loom-archive-path.h"
#include "loom-error.h"
#include "loom-file-source.h"
#include "loom-gzip-index.h"
#include "loom-inflate.h"
#include "loom-limits.h"
#include "loom-range-source.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define INPUT_BYTES (256u * 1024)

static gboolean
is_bare (const LoomStreamReader *reader)
{
  return reader->origin != NULL && reader->origin->is_deflated && reader->packed == NULL;
}

/* Records damage of this kind at the current position of the reader. */
static void
set_damage (LoomStreamReader *reader, LoomStreamErrorKind kind)
{
  guint64 size = loom_stream_reader_get_size (reader), packed = reader->position - reader->n_next;
  reader->is_damaged = TRUE;
  reader->damage = (LoomStreamError) { kind, packed, reader->n_unpacked, size - MIN (size, packed) };
}

static gssize
read_once (LoomStreamReader *reader, void *buffer, gsize n_bytes, GError **error)
{
  n_bytes = (gsize) MIN (n_bytes, reader->length - MIN (reader->length, reader->position));
  if (reader->fd < 0)
    return loom_byte_source_read (reader->packed, reader->base + reader->position, buffer, n_bytes, error);
  gssize n;
  do {
    n = pread (reader->fd, buffer, n_bytes, (off_t) (reader->base + reader->position));
  } while (n < 0 && errno == EINTR);
  if (n < 0)
    loom_error_set_from_errno (error, LOOM_ERROR_READ, errno, "Cannot read “%s”", reader->path);
  return n;
}

gssize
loom_stream_reader_read_packed (LoomStreamReader *reader, void *buffer, gsize n_bytes, GError **error)
{
  if (loom_progress_is_cancelled (reader->progress)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
    return -1;
  }
  gssize n = read_once (reader, buffer, n_bytes, error);
  if (n > 0) {
    reader->position += (guint64) n;
    loom_progress_add_done (reader->progress, (guint64) n);
  }
  return n;
}

/* Refills the input. Moves the bytes that were not processed yet (fewer than a gzip header has) to the beginning,
 * before the new bytes. */
static gboolean
fill_input (LoomStreamReader *reader, GError **error)
{
  memmove (reader->input, reader->next, reader->n_next);
  gssize n =
    loom_stream_reader_read_packed (reader, reader->input + reader->n_next, INPUT_BYTES - reader->n_next, error);
  if (n < 0)
    return FALSE;
  reader->next = reader->input;
  reader->n_next += (gsize) n;
  reader->input_ended = n == 0;
  return TRUE;
}

/* Returns the stored bytes at the location of the reader, as a new reference. */
static LoomByteSource *
dup_packed (const LoomStreamReader *reader)
{
  if (reader->packed != NULL)
    return loom_range_source_new (loom_byte_source_ref (reader->packed), reader->base, reader->length);
  return reader->origin != NULL ? loom_source_location_dup_text (reader->origin)
                                : loom_file_source_new (reader->path, &reader->status);
}

static void
start_inflating (LoomStreamReader *reader)
{
  reader->n_free = loom_limit (LOOM_LIMIT_GZIP_FREE_BYTES);
  reader->inflate = loom_inflate_new (is_bare (reader));
  reader->next = reader->input = g_malloc (INPUT_BYTES);
  reader->text = loom_gzip_index_new (dup_packed (reader), is_bare (reader));
}

static gboolean
sniff_gzip (LoomStreamReader *reader, GError **error)
{
  guint8 head[10];
  gssize n = read_once (reader, head, sizeof head, error);
  if (n < 0)
    return FALSE;
  if (n < 2 || head[0] != 0x1F || head[1] != 0x8B)
    return TRUE;
  if (n >= 8)
    reader->gzip_time = (guint32) head[4] | (guint32) head[5] << 8 | (guint32) head[6] << 16 | (guint32) head[7] << 24;
  start_inflating (reader);
  return TRUE;
}

/* Opens a deflate stream without gzip header, as in zip archives. If the unpacked content is a gzip stream, the reader
 * returns the content of this gzip stream. */
static gboolean
sniff_bare (LoomStreamReader *reader, GError **error)
{
  guint8 head[2];
  g_autoptr (LoomByteSource) outer = loom_gzip_index_new (loom_source_location_dup_text (reader->origin), TRUE);
  gssize n = loom_byte_source_read (outer, 0, head, sizeof head, error);
  if (n < 0)
    return FALSE;
  if (n < 2 || head[0] != 0x1F || head[1] != 0x8B) {
    start_inflating (reader);
    return TRUE;
  }
  reader->packed = g_steal_pointer (&outer);
  close (reader->fd);
  reader->fd = -1;
  reader->base = 0;
  reader->length = reader->origin->n_unpacked;
  return sniff_gzip (reader, error);
}

static gboolean
open_file (LoomStreamReader *reader, const char *path, GError **error)
{
  /* O_NONBLOCK, because opening a FIFO would otherwise wait for a writer */
  reader->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (reader->fd < 0) {
    loom_error_set_from_errno (error, LOOM_ERROR_READ, errno, "Cannot open “%s”", reader->path);
    return FALSE;
  }
  if (fstat (reader->fd, &reader->status) != 0 || !S_ISREG (reader->status.st_mode)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("“%s” is not a regular file"), reader->path);
    return FALSE;
  }
  posix_fadvise (reader->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return TRUE;
}

/* Opens the location `origin`. Fails if the file that contains it has changed after the location was found, because the
 * location may then be wrong. */
static gboolean
open_origin (LoomStreamReader *reader, GError **error)
{
  const LoomSourceLocation *origin = reader->origin;
  reader->base = origin->offset;
  reader->length = origin->n_bytes;
  if (origin->text != NULL) {
    reader->packed = loom_byte_source_ref (origin->text);
    return TRUE;
  }
  if (!open_file (reader, origin->path, error))
    return FALSE;
  if (reader->status.st_ino == origin->status.st_ino && reader->status.st_size == origin->status.st_size &&
      reader->status.st_mtim.tv_sec == origin->status.st_mtim.tv_sec &&
      reader->status.st_mtim.tv_nsec == origin->status.st_mtim.tv_nsec)
    return TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("“%s” changed while it was read; open it again"), origin->path);
  return FALSE;
}

LoomStreamReader *
loom_stream_reader_new_from (const char *path, LoomSourceLocation *origin, LoomProgress *progress, GError **error)
{
  g_autoptr (LoomStreamReader) reader = g_new0 (LoomStreamReader, 1);
  reader->path = origin != NULL ? loom_archive_path_dup_shown (path) : g_strdup (path);
  reader->origin = origin != NULL ? loom_source_location_ref (origin) : NULL;
  reader->fd = -1;
  reader->length = G_MAXUINT64;
  reader->progress = progress != NULL ? loom_progress_ref (progress) : NULL;
  if (origin != NULL && origin->is_cut)
    set_damage (reader, LOOM_STREAM_ERROR_MEMBER);
  if (!(origin != NULL ? open_origin (reader, error) : open_file (reader, path, error)))
    return NULL;
  if (!(is_bare (reader) ? sniff_bare (reader, error) : sniff_gzip (reader, error)))
    return NULL;
  return g_steal_pointer (&reader);
}

LoomStreamReader *
loom_stream_reader_new (const char *path, LoomProgress *progress, GError **error)
{
  return loom_stream_reader_new_from (path, NULL, progress, error);
}

void
loom_stream_reader_free (LoomStreamReader *reader)
{
  if (reader == NULL)
    return;
  if (reader->fd >= 0)
    close (reader->fd);
  loom_progress_unref (reader->progress);
  loom_inflate_free (reader->inflate);
  loom_byte_source_unref (reader->text);
  loom_byte_source_unref (reader->packed);
  loom_source_location_unref (reader->origin);
  g_free (reader->input);
  g_free (reader->rest);
  g_free (reader->path);
  g_free (reader);
}

gboolean
loom_stream_reader_is_compressed (const LoomStreamReader *reader)
{
  return reader->inflate != NULL || reader->packed != NULL;
}

gboolean
loom_stream_reader_is_gzip (const LoomStreamReader *reader)
{
  return reader->inflate != NULL && !is_bare (reader);
}

const LoomStreamError *
loom_stream_reader_get_damage (const LoomStreamReader *reader)
{
  return reader->is_damaged ? &reader->damage : NULL;
}

/* Computes the CRC-32 of all stored bytes. Returns FALSE if they cannot be read, or if reading was cancelled. */
static gboolean
compute_checksum (LoomStreamReader *reader, guint32 *checksum)
{
  g_autoptr (LoomByteSource) bytes = loom_source_location_dup_text (reader->origin);
  g_autofree char *buffer = g_malloc (INPUT_BYTES);
  uLong sum = crc32_z (0, NULL, 0);
  gssize n = 1;
  for (guint64 at = 0; n > 0 && at < reader->origin->n_bytes; at += (guint64) n) {
    gsize n_wanted = (gsize) MIN (INPUT_BYTES, reader->origin->n_bytes - at);
    n = loom_progress_is_cancelled (reader->progress) ? -1 : loom_byte_source_read (bytes, at, buffer, n_wanted, NULL);
    if (n > 0)
      sum = crc32_z (sum, (const Bytef *) buffer, (z_size_t) n);
  }
  *checksum = (guint32) sum;
  return n > 0;
}

void
loom_stream_reader_check_stored (LoomStreamReader *reader)
{
  const LoomSourceLocation *origin = reader->origin;
  guint32 checksum;
  if (reader->is_checked || reader->is_damaged || reader->inflate != NULL || origin == NULL || !origin->is_member ||
      origin->is_deflated || !origin->has_checksum || origin->n_bytes == G_MAXUINT64)
    return;
  reader->is_checked = TRUE;
  if (!compute_checksum (reader, &checksum) || checksum == origin->checksum)
    return;
  reader->is_damaged = TRUE;
  reader->damage = (LoomStreamError) { LOOM_STREAM_ERROR_CHECKSUM, origin->n_bytes, origin->n_bytes, 0 };
}

LoomStreamEnd
loom_stream_reader_get_end (LoomStreamReader *reader)
{
  loom_stream_reader_check_stored (reader);
  return (LoomStreamEnd) { .damage = reader->damage,
                           .is_damaged = reader->is_damaged,
                           .is_too_dense = reader->is_too_dense,
                           .n_unpacked = reader->n_unpacked };
}

gboolean
loom_stream_reader_has_trailing_garbage (const LoomStreamReader *reader)
{
  return reader->trailing_garbage;
}

guint64
loom_stream_reader_get_garbage_offset (const LoomStreamReader *reader)
{
  return reader->garbage_offset;
}

guint32
loom_stream_reader_get_gzip_time (const LoomStreamReader *reader)
{
  return reader->gzip_time;
}

/* Ends a deflate stream without gzip header (a member of a zip file): records damage if the length or the checksum of
 * the unpacked text differs from the one in the zip directory. */
static void
check_bare (LoomStreamReader *reader)
{
  const LoomSourceLocation *origin = reader->origin;
  reader->ended = TRUE;
  if ((origin->n_unpacked != G_MAXUINT64 && origin->n_unpacked != reader->n_unpacked) ||
      (origin->has_checksum && origin->checksum != loom_inflate_get_checksum (reader->inflate)))
    set_damage (reader, LOOM_STREAM_ERROR_CHECKSUM);
}

/* Called after the end of a gzip member: starts the next member, or ends the stream. Zero bytes after the last member
 * are padding, so they are not reported as garbage. */
static gboolean
start_member (LoomStreamReader *reader, GError **error)
{
  while (reader->n_next < 2 && !reader->input_ended)
    if (!fill_input (reader, error))
      return FALSE;
  if (reader->n_next >= 2 && reader->next[0] == 0x1F && reader->next[1] == 0x8B) {
    loom_inflate_next_member (reader->inflate);
    reader->between_members = FALSE;
    return TRUE;
  }
  gsize n_zeros = 0;
  while (n_zeros < reader->n_next && reader->next[n_zeros] == 0)
    n_zeros++;
  reader->trailing_garbage |= n_zeros < reader->n_next;
  reader->garbage_offset = reader->position - reader->n_next + n_zeros;
  reader->ended = TRUE;
  return TRUE;
}

/* Adds `n_bytes` to the number of unpacked bytes, and reports the current position to `text`, the object for random
 * access to the unpacked text. This object may then save a checkpoint at this position. */
static void
note_place (LoomStreamReader *reader, gsize n_bytes)
{
  reader->n_unpacked += n_bytes;
  loom_gzip_index_pass (reader->text, reader->position - reader->n_next, reader->n_unpacked,
                        reader->between_members ? NULL : reader->inflate);
}

/* Returns TRUE if the text is longer, in relation to the compressed bytes, than in any real trace. Returns FALSE until
 * LOOM_LIMIT_GZIP_FREE_BYTES were unpacked. */
static gboolean
is_too_dense (const LoomStreamReader *reader)
{
  return reader->n_unpacked > reader->n_free &&
         reader->n_unpacked / LOOM_LIMIT_GZIP_RATIO > reader->position - reader->n_next;
}

/* Unpacks input into `out` with one call of loom_inflate_run(). Ends the stream if the data is damaged or cut off, or
 * if is_too_dense() returns TRUE. */
static void
unpack (LoomStreamReader *reader, guint8 *out, gsize n_bytes)
{
  gsize n_in = reader->n_next, n_room = n_bytes;
  LoomInflateStatus status = loom_inflate_run (reader->inflate, &reader->next, &reader->n_next, &out, &n_room);
  if (status == LOOM_INFLATE_MEMBER_END)
    reader->between_members = TRUE;
  gboolean is_cut = status == LOOM_INFLATE_OK && reader->input_ended && n_in == reader->n_next && n_room == n_bytes;
  reader->ended = status == LOOM_INFLATE_DAMAGED || is_cut;
  note_place (reader, n_bytes - n_room);
  if (reader->ended)
    set_damage (reader, is_cut                                             ? LOOM_STREAM_ERROR_CUT
                        : loom_inflate_is_checksum_wrong (reader->inflate) ? LOOM_STREAM_ERROR_CHECKSUM
                                                                           : LOOM_STREAM_ERROR_DATA);
  if (is_too_dense (reader))
    reader->ended = reader->is_too_dense = TRUE;
  if (status == LOOM_INFLATE_MEMBER_END && is_bare (reader))
    check_bare (reader);
}

static gssize
read_unpacked (LoomStreamReader *reader, char *buffer, gsize n_bytes, GError **error)
{
  guint64 before = reader->n_unpacked;
  while (reader->n_unpacked == before && n_bytes > 0 && !reader->ended) {
    if (reader->between_members) {
      if (!start_member (reader, error))
        return -1;
      continue;
    }
    if (reader->n_next == 0 && !reader->input_ended && !fill_input (reader, error))
      return -1;
    unpack (reader, (guint8 *) buffer, n_bytes);
  }
  if (reader->ended)
    loom_gzip_index_set_end (reader->text, reader->n_unpacked, reader->is_damaged,
                             reader->is_damaged && reader->damage.kind == LOOM_STREAM_ERROR_CHECKSUM);
  return (gssize) (reader->n_unpacked - before);
}

static gssize
read_rest (LoomStreamReader *reader, char *buffer, gsize n_bytes)
{
  gsize n = MIN (n_bytes, reader->n_rest - reader->n_rest_done);
  memcpy (buffer, reader->rest + reader->n_rest_done, n);
  reader->n_rest_done += n;
  if (reader->n_rest_done == reader->n_rest) {
    g_clear_pointer (&reader->rest, g_free);
    reader->n_rest = reader->n_rest_done = 0;
  }
  return (gssize) n;
}

gssize
loom_stream_reader_read (LoomStreamReader *reader, char *buffer, gsize n_bytes, GError **error)
{
  if (reader->rest != NULL)
    return read_rest (reader, buffer, n_bytes);
  return reader->inflate != NULL ? read_unpacked (reader, buffer, n_bytes, error)
                                 : loom_stream_reader_read_packed (reader, buffer, n_bytes, error);
}

guint64
loom_stream_reader_get_position (const LoomStreamReader *reader)
{
  return (reader->inflate != NULL ? reader->n_unpacked : reader->position) - (reader->n_rest - reader->n_rest_done);
}

gssize
loom_stream_reader_read_at (LoomStreamReader *reader, guint64 offset, char *buffer, gsize n_bytes, GError **error)
{
  g_assert (loom_stream_reader_is_compressed (reader));
  if (offset == loom_stream_reader_get_position (reader))
    return loom_stream_reader_read (reader, buffer, n_bytes, error);
  if (!loom_progress_is_cancelled (reader->progress)) {
    g_autoptr (LoomByteSource) text = loom_stream_reader_dup_text (reader);
    return loom_byte_source_read (text, offset, buffer, n_bytes, error);
  }
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
  return -1;
}

void
loom_stream_reader_give_back (LoomStreamReader *reader, char *bytes, gsize n_bytes)
{
  gsize n_left = reader->n_rest - reader->n_rest_done;
  char *rest = g_realloc (bytes, n_bytes + n_left);
  if (n_left > 0)
    memcpy (rest + n_bytes, reader->rest + reader->n_rest_done, n_left);
  g_free (reader->rest);
  reader->rest = rest;
  reader->n_rest = n_bytes + n_left;
  reader->n_rest_done = 0;
}

LoomByteSource *
loom_stream_reader_dup_text (LoomStreamReader *reader)
{
  return reader->text != NULL ? loom_byte_source_ref (reader->text) : dup_packed (reader);
}

guint64
loom_stream_reader_get_size (const LoomStreamReader *reader)
{
  guint64 there = (guint64) reader->status.st_size;
  return reader->fd < 0 ? (reader->length != G_MAXUINT64 ? reader->length : 0)
                        : MIN (reader->length, there - MIN (there, reader->base));
}

gboolean
loom_stream_reader_is_same_file (const LoomStreamReader *reader, const LoomStreamReader *other)
{
  return reader->status.st_dev == other->status.st_dev && reader->status.st_ino == other->status.st_ino;
}

void
loom_stream_reader_set_budget (LoomStreamReader *reader, const LoomMemoryBudget *budget)
{
  reader->budget = budget;
}
