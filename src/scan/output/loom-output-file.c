/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes output files so that a file at the target path is always complete. The interface is described in
 * loom-output-file.h.
 */
#define _GNU_SOURCE /* makes <fcntl.h> declare sync_file_range() */
#include "loom-output-file.h"

#include "loom-direct-io.h"
#include "loom-disk-space.h"
#include "loom-error.h"
#include "loom-input-files.h"
#include "loom-link-target.h"
#include "loom-memory-info.h"
#include "loom-parallel-deflate.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES (256u * 1024)
/* Data of at least this length is written directly, not copied to the buffer. */
#define LONG_BYTES (32u * 1024)
/* Writes end at multiples of this length. The kernel then uses larger units in the page cache, which takes a fifth less
 * time. */
#define WHOLE_BYTES (64u * 1024)
/* Whenever this number of bytes was written, writeback to the disk is started, instead of only at the end. */
#define WRITEBACK_BYTES (8u * 1024 * 1024)
/* The part of a file after the first CACHED_BYTES is written directly to the disk, past the page cache. Smaller files
 * are completely in the cache, because they may soon be read again. For a file that can be made again
 * (loom_output_file_set_remakable()), the limit is only REMAKABLE_CACHED_BYTES: writing to the cache takes more
 * processor time, and it requires free pages, which may be slow to obtain. The low limit does not make the producer of
 * such a file wait for a slow disk, because the file then uses the cache again (LoomOutputFile.is_cached_if_slow). */
#define CACHED_BYTES (64u * 1024 * 1024)
#define REMAKABLE_CACHED_BYTES (8u * 1024 * 1024)
/* If the disk is slower than the producer, a file may use more of the page cache than CACHED_BYTES, but at most
 * 1/CACHED_SHARE of the memory. Beyond this size, the kernel would make the producer wait for the disk anyway. */
#define CACHED_SHARE 10

struct _LoomOutputFile {
  char *target;
  LoomInputFilesKind writer;
  /* path of the temporary file that is written; NULL: the data is written directly to a device, a pipe or standard
   * output */
  char *temporary;
  int fd;
  gboolean own_fd;
  gboolean replaces;    /* TRUE if a file with the final name exists; the commit replaces it */
  gboolean is_complete; /* TRUE if all data was written and the file was closed */
  gboolean is_awaited;  /* TRUE if commit waits until the data is on disk */
  guint64 cached_bytes; /* length in bytes after which the rest of the file bypasses the page cache */
  /* TRUE: if the disk is slower than the caller, the file uses the page cache up to the length `most_cached_bytes`, so
   * that the caller need not wait for the disk. FALSE: the caller waits */
  gboolean is_cached_if_slow;
  guint64 most_cached_bytes; /* 0: not computed yet, see get_most_cached_bytes() */
  guint64 n_bytes;
  char *buffer;
  gsize filled;
  GError *error;
  LoomParallelDeflate *deflate; /* compresses the data; NULL: the file is not compressed */
  GByteArray *packed;
  guint32 checksum;
  /* number of bytes written, and number of bytes for which writeback to the disk was started */
  guint64 n_written, n_started;
  LoomDirectWriter *direct; /* writes to the disk without the page cache; NULL: not in use */
};

static void
fail (LoomOutputFile *output, int saved_errno)
{
  if (output->error == NULL)
    loom_error_set_from_errno (&output->error, LOOM_ERROR_WRITE, saved_errno, "Cannot write “%s”", output->target);
}

static void
write_whole (LoomOutputFile *output, const char *bytes, gsize n_bytes)
{
  if (output->error == NULL && !loom_disk_space_write (output->fd, bytes, n_bytes))
    fail (output, errno);
}

static void
start_writeback (LoomOutputFile *output)
{
#ifdef SYNC_FILE_RANGE_WRITE
  if (output->temporary == NULL || !output->is_awaited || output->n_written - output->n_started < WRITEBACK_BYTES)
    return;
  /* the result is ignored, because fsync() at the end reports errors of writing, too */
  (void) sync_file_range (output->fd, (off_t) output->n_started, (off_t) (output->n_written - output->n_started),
                          SYNC_FILE_RANGE_WRITE);
  output->n_started = output->n_written;
#endif
}

static void
note_written (LoomOutputFile *output, gsize n_bytes)
{
  output->n_written += n_bytes;
  start_writeback (output);
}

static void
write_on (LoomOutputFile *output, const void *bytes, gsize n_bytes)
{
  write_whole (output, bytes, n_bytes);
  note_written (output, n_bytes);
}

/* Starts direct writing if the file has at least cached_bytes bytes. First, writes some of `bytes` through the page
 * cache, so that the length of the file becomes a multiple of the block size. Returns the number of bytes written in
 * this way. */
static gsize
begin_direct (LoomOutputFile *output, const char *bytes, gsize n_bytes)
{
  gsize n = (gsize) (-output->n_written % LOOM_DIRECT_WRITER_BLOCK_BYTES);
  if (output->temporary == NULL || output->n_written < output->cached_bytes || n > n_bytes)
    return 0;
  write_on (output, bytes, n);
  output->direct = output->error == NULL ? loom_direct_io_new (output->fd) : NULL;
  if (output->direct == NULL) /* `direct` is NULL if the file system does not support O_DIRECT */
    output->cached_bytes = G_MAXUINT64;
  return n;
}

static void
finish_direct (LoomOutputFile *output)
{
  int saved_errno = output->direct != NULL ? loom_direct_io_finish (g_steal_pointer (&output->direct)) : 0;
  if (saved_errno != 0)
    fail (output, saved_errno);
}

/* Returns most_cached_bytes, and computes it on the first call. It is not computed for short files, because the
 * available memory is read from several files of the system. */
static guint64
get_most_cached_bytes (LoomOutputFile *output)
{
  if (output->is_cached_if_slow && output->most_cached_bytes == 0)
    output->most_cached_bytes = MAX (loom_memory_info_get_available () / CACHED_SHARE, CACHED_BYTES);
  return output->most_cached_bytes;
}

/* Ends direct writing; data that is appended later is written through the page cache. */
static void
end_direct (LoomOutputFile *output)
{
  finish_direct (output);
  output->cached_bytes = get_most_cached_bytes (output);
}

static void
write_text (LoomOutputFile *output, const char *bytes, gsize n_bytes)
{
  gsize n = output->direct == NULL ? begin_direct (output, bytes, n_bytes) : 0;
  if (output->direct == NULL) {
    write_on (output, bytes + n, n_bytes - n);
    return;
  }
  loom_direct_io_append (output->direct, bytes + n, n_bytes - n);
  output->n_written += n_bytes - n;
  int saved_errno = loom_direct_io_get_errno (output->direct);
  if (saved_errno != 0)
    fail (output, saved_errno);
  else if (output->n_written < get_most_cached_bytes (output) && loom_direct_io_is_behind (output->direct))
    end_direct (output);
}

static void
write_packed (LoomOutputFile *output, const GByteArray *packed, guint32 checksum, gsize length)
{
  output->checksum = loom_parallel_deflate_join_checksums (output->checksum, checksum, length);
  write_on (output, packed->data, packed->len);
}

static void
write_plain (LoomOutputFile *output, const char *bytes, gsize length)
{
  if (length == 0)
    return;
  if (output->deflate == NULL) {
    write_text (output, bytes, length);
    return;
  }
  g_byte_array_set_size (output->packed, 0);
  loom_parallel_deflate_append (output->deflate, bytes, length, output->packed);
  write_packed (output, output->packed, loom_parallel_deflate_checksum (bytes, length), length);
}

static void
flush_buffer (LoomOutputFile *output)
{
  write_plain (output, output->buffer, output->filled);
  output->filled = 0;
}

/* Returns TRUE for devices, pipes and similar files. They cannot be replaced by renaming, so they are written
 * directly. */
static gboolean
is_special (const char *path)
{
  struct stat status;
  return stat (path, &status) == 0 && !S_ISREG (status.st_mode) && !S_ISDIR (status.st_mode);
}

static gboolean
open_beside (LoomOutputFile *output, GError **error)
{
  struct stat status;
  /* If the target is a symbolic link, the file that it refers to is replaced, not the link. */
  g_autofree char *target = loom_link_target_resolve (output->target);
  g_autofree char *folder = g_path_get_dirname (target);
  g_autofree char *base = g_path_get_basename (target);
  g_autofree char *name = g_strdup_printf (".%.200s.XXXXXX", base);
  gboolean exists = output->replaces = stat (target, &status) == 0;
  if (exists && S_ISDIR (status.st_mode)) {
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, EISDIR, "Cannot write “%s”", output->target);
    return FALSE;
  }
  if (exists && access (target, W_OK) != 0) {
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot write “%s”", output->target);
    return FALSE;
  }
  output->temporary = g_build_filename (folder, name, NULL);
  output->fd = g_mkstemp_full (output->temporary, O_WRONLY | O_CLOEXEC, exists ? status.st_mode & 0777 : 0666);
  if (output->fd < 0) {
    int saved_errno = errno;
    g_clear_pointer (&output->temporary, g_free);
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, saved_errno, "Cannot write “%s”", output->target);
    return FALSE;
  }
  g_free (output->target);
  output->target = g_steal_pointer (&target);
  return TRUE;
}

static gboolean
open_target (LoomOutputFile *output, GError **error)
{
  output->own_fd = TRUE;
  if (strcmp (output->target, "-") == 0) {
    output->fd = STDOUT_FILENO;
    output->own_fd = FALSE;
    return loom_input_files_check_fd (output->fd, _ ("Standard output"), error);
  }
  if (!loom_input_files_check_target_of_kind (output->target, output->writer, error))
    return FALSE;
  if (!is_special (output->target))
    return open_beside (output, error);
  output->fd = open (output->target, O_WRONLY | O_CLOEXEC);
  if (output->fd < 0)
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot write “%s”", output->target);
  return output->fd >= 0;
}

static void
loom_output_file_free (LoomOutputFile *output)
{
  if (output->direct != NULL)
    loom_direct_io_abort (output->direct);
  if (output->fd >= 0 && output->own_fd)
    close (output->fd);
  if (output->temporary != NULL)
    g_unlink (output->temporary);
  loom_parallel_deflate_free (output->deflate);
  g_clear_pointer (&output->packed, g_byte_array_unref);
  g_free (output->buffer);
  g_free (output->temporary);
  g_free (output->target);
  g_clear_error (&output->error);
  g_free (output);
}

static LoomOutputFile *
new_output (const char *path, LoomInputFilesKind writer, GError **error)
{
  LoomOutputFile *output = g_new0 (LoomOutputFile, 1);
  output->target = g_strdup (path);
  output->writer = writer;
  output->fd = -1;
  output->is_awaited = TRUE;
  output->cached_bytes = CACHED_BYTES;
  if (!open_target (output, error)) {
    loom_output_file_free (output);
    return NULL;
  }
  output->buffer = g_malloc (BUFFER_BYTES);
  if (g_str_has_suffix (path, ".gz")) {
    output->packed = g_byte_array_new ();
    output->deflate = loom_parallel_deflate_new ();
    write_on (output, loom_parallel_deflate_header, sizeof loom_parallel_deflate_header);
  }
  return output;
}

LoomOutputFile *
loom_output_file_new (const char *path, GError **error)
{
  return new_output (path, LOOM_INPUT_FILES_FIXED, error);
}

void
loom_output_file_set_remakable (LoomOutputFile *output)
{
  if (output->replaces)
    return;
  output->is_awaited = FALSE;
  output->cached_bytes = REMAKABLE_CACHED_BYTES;
  output->is_cached_if_slow = TRUE;
}

/* Writes the buffered bytes, and as many of `bytes` as are needed to make the length of the file a multiple of
 * WHOLE_BYTES. Moves `*bytes` to the remaining bytes, which the caller must buffer, and sets `*length` to their number.
 * Returns FALSE without writing if the file is not written through the page cache; the caller then writes in another
 * way. */
static gboolean
write_whole_stretches (LoomOutputFile *output, const char **bytes, gsize *length)
{
  gsize n_all = output->filled + *length, n_rest = (gsize) ((output->n_written + n_all) % WHOLE_BYTES);
  if (output->temporary == NULL || output->direct != NULL || output->n_written >= output->cached_bytes)
    return FALSE;
  if (n_rest >= *length)
    return TRUE;
  gsize n_written = n_all - n_rest, n = *length - n_rest;
  if (!loom_disk_space_write_both (output->fd, output->buffer, output->filled, *bytes, n))
    fail (output, errno);
  note_written (output, n_written);
  output->filled = 0;
  *bytes += n, *length = n_rest;
  return TRUE;
}

void
loom_output_file_append (LoomOutputFile *output, const char *bytes, gsize length)
{
  output->n_bytes += length;
  if (length >= LONG_BYTES && output->deflate == NULL && output->error == NULL &&
      !write_whole_stretches (output, &bytes, &length)) {
    flush_buffer (output);
    write_text (output, bytes, length);
    return;
  }
  while (length > 0 && output->error == NULL) {
    gsize n = MIN (length, BUFFER_BYTES - output->filled);
    memcpy (output->buffer + output->filled, bytes, n);
    output->filled += n;
    bytes += n, length -= n;
    if (output->filled == BUFFER_BYTES)
      flush_buffer (output);
  }
}

gboolean
loom_output_file_is_compressed (const LoomOutputFile *output)
{
  return output->deflate != NULL;
}

void
loom_output_file_append_packed (LoomOutputFile *output, const GByteArray *packed, guint32 checksum, gsize length)
{
  g_return_if_fail (output->deflate != NULL);
  output->n_bytes += length;
  flush_buffer (output);
  if (output->error == NULL)
    write_packed (output, packed, checksum, length);
}

static void
finish (LoomOutputFile *output)
{
  guint8 trailer[LOOM_PARALLEL_DEFLATE_TRAILER_BYTES];
  flush_buffer (output);
  finish_direct (output);
  if (output->deflate != NULL) {
    loom_parallel_deflate_make_trailer (output->checksum, output->n_bytes, trailer);
    write_on (output, trailer, sizeof trailer);
  }
}

gboolean
loom_output_file_is_good (LoomOutputFile *output)
{
  return output->error == NULL;
}

guint64
loom_output_file_get_n_bytes (LoomOutputFile *output)
{
  return output->n_bytes;
}

gboolean
loom_output_file_complete (LoomOutputFile *output)
{
  if (output->error != NULL || output->is_complete)
    return output->error == NULL;
  output->is_complete = TRUE;
  finish (output);
  if (output->error == NULL && output->temporary != NULL && output->is_awaited && fsync (output->fd) != 0)
    fail (output, errno);
  if (output->error == NULL && output->own_fd) {
    if (close (output->fd) != 0)
      fail (output, errno);
    output->fd = -1;
  }
  return output->error == NULL;
}

gboolean
loom_output_file_commit (LoomOutputFile *output, GError **error)
{
  loom_output_file_complete (output);
  if (output->error == NULL && output->temporary != NULL) {
    if (g_rename (output->temporary, output->target) == 0)
      g_clear_pointer (&output->temporary, g_free);
    else
      fail (output, errno);
  }
  gboolean good = output->error == NULL;
  if (!good)
    g_propagate_error (error, g_steal_pointer (&output->error));
  loom_output_file_free (output);
  return good;
}

void
loom_output_file_abort (LoomOutputFile *output)
{
  if (output != NULL)
    loom_output_file_free (output);
}

gboolean
loom_output_file_write_of_kind (const char *path, GBytes *bytes, LoomInputFilesKind writer, GError **error)
{
  LoomOutputFile *output = new_output (path, writer, error);
  if (output == NULL)
    return FALSE;
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  loom_output_file_append (output, data, length);
  return loom_output_file_commit (output, error);
}

gboolean
loom_output_file_write (const char *path, GBytes *bytes, GError **error)
{
  return loom_output_file_write_of_kind (path, bytes, LOOM_INPUT_FILES_FIXED, error);
}
