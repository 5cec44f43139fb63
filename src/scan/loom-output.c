/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-output.h"

#include "loom-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define BUFFER_BYTES (256u * 1024)
#define COMPRESSION_LEVEL 4

struct _LoomOutput {
  char *target;
  char *temporary; /* NULL when writing straight to a device, a pipe or standard output */
  int fd;
  gboolean own_fd;
  guint64 n_bytes;
  char *buffer;
  gsize filled;
  GError *error;
  z_stream *deflate; /* NULL when not compressing */
  char *packed;
};

static void
fail (LoomOutput *output, int saved_errno)
{
  if (output->error == NULL)
    loom_error_set_from_errno (&output->error, LOOM_ERROR_WRITE, saved_errno, "Cannot write", output->target);
}

static void
write_whole (LoomOutput *output, const char *bytes, gsize n_bytes)
{
  while (n_bytes > 0 && output->error == NULL) {
    gssize n = write (output->fd, bytes, n_bytes);
    if (n < 0 && errno != EINTR)
      fail (output, errno);
    if (n > 0)
      bytes += n, n_bytes -= (gsize) n;
  }
}

static void
flush_buffer (LoomOutput *output, gboolean finish)
{
  if (output->deflate == NULL) {
    write_whole (output, output->buffer, output->filled);
    output->filled = 0;
    return;
  }
  z_stream *stream = output->deflate;
  stream->next_in = (Bytef *) output->buffer;
  stream->avail_in = (guint) output->filled;
  int result;
  do {
    stream->next_out = (Bytef *) output->packed;
    stream->avail_out = BUFFER_BYTES;
    result = deflate (stream, finish ? Z_FINISH : Z_NO_FLUSH);
    write_whole (output, output->packed, BUFFER_BYTES - stream->avail_out);
  } while (output->error == NULL && (stream->avail_in > 0 || (finish && result == Z_OK)));
  output->filled = 0;
}

/* Devices, pipes and the like cannot be replaced by renaming: they are written to as they are. */
static gboolean
is_special (const char *path)
{
  struct stat status;
  return stat (path, &status) == 0 && !S_ISREG (status.st_mode) && !S_ISDIR (status.st_mode);
}

static gboolean
open_beside (LoomOutput *output, GError **error)
{
  struct stat status;
  /* A link is followed, so that the file it names is replaced and not the link. */
  g_autofree char *real = realpath (output->target, NULL);
  const char *target = real != NULL ? real : output->target;
  g_autofree char *folder = g_path_get_dirname (target);
  g_autofree char *base = g_path_get_basename (target);
  g_autofree char *name = g_strdup_printf (".%.200s.XXXXXX", base);
  gboolean exists = stat (target, &status) == 0;
  if (exists && S_ISDIR (status.st_mode)) {
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, EISDIR, "Cannot write", output->target);
    return FALSE;
  }
  if (exists && access (target, W_OK) != 0) {
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot write", output->target);
    return FALSE;
  }
  output->temporary = g_build_filename (folder, name, NULL);
  output->fd = g_mkstemp_full (output->temporary, O_WRONLY | O_CLOEXEC, exists ? status.st_mode & 0777 : 0666);
  if (output->fd < 0) {
    int saved_errno = errno;
    g_clear_pointer (&output->temporary, g_free);
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, saved_errno, "Cannot write", output->target);
    return FALSE;
  }
  if (real != NULL) {
    g_free (output->target);
    output->target = g_strdup (real);
  }
  return TRUE;
}

static gboolean
open_target (LoomOutput *output, GError **error)
{
  output->own_fd = TRUE;
  if (strcmp (output->target, "-") == 0) {
    output->fd = STDOUT_FILENO;
    output->own_fd = FALSE;
    return TRUE;
  }
  if (!is_special (output->target))
    return open_beside (output, error);
  output->fd = open (output->target, O_WRONLY | O_CLOEXEC);
  if (output->fd < 0)
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot write", output->target);
  return output->fd >= 0;
}

static void
loom_output_free (LoomOutput *output)
{
  if (output->fd >= 0 && output->own_fd)
    close (output->fd);
  if (output->temporary != NULL)
    g_unlink (output->temporary);
  if (output->deflate != NULL)
    deflateEnd (output->deflate);
  g_free (output->deflate);
  g_free (output->packed);
  g_free (output->buffer);
  g_free (output->temporary);
  g_free (output->target);
  g_clear_error (&output->error);
  g_free (output);
}

LoomOutput *
loom_output_new (const char *path, GError **error)
{
  LoomOutput *output = g_new0 (LoomOutput, 1);
  output->target = g_strdup (path);
  output->fd = -1;
  if (!open_target (output, error)) {
    loom_output_free (output);
    return NULL;
  }
  output->buffer = g_malloc (BUFFER_BYTES);
  if (g_str_has_suffix (path, ".gz")) {
    output->packed = g_malloc (BUFFER_BYTES);
    output->deflate = g_new0 (z_stream, 1);
    deflateInit2 (output->deflate, COMPRESSION_LEVEL, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  }
  return output;
}

void
loom_output_append (LoomOutput *output, const char *bytes, gsize length)
{
  output->n_bytes += length;
  while (length > 0 && output->error == NULL) {
    gsize n = MIN (length, BUFFER_BYTES - output->filled);
    memcpy (output->buffer + output->filled, bytes, n);
    output->filled += n;
    bytes += n, length -= n;
    if (output->filled == BUFFER_BYTES)
      flush_buffer (output, FALSE);
  }
}

gboolean
loom_output_is_good (LoomOutput *output)
{
  return output->error == NULL;
}

guint64
loom_output_get_n_bytes (LoomOutput *output)
{
  return output->n_bytes;
}

gboolean
loom_output_commit (LoomOutput *output, GError **error)
{
  if (output->error == NULL)
    flush_buffer (output, TRUE);
  if (output->error == NULL && output->temporary != NULL && fsync (output->fd) != 0)
    fail (output, errno);
  if (output->error == NULL && output->own_fd) {
    if (close (output->fd) != 0)
      fail (output, errno);
    output->fd = -1;
  }
  if (output->error == NULL && output->temporary != NULL) {
    if (g_rename (output->temporary, output->target) == 0)
      g_clear_pointer (&output->temporary, g_free);
    else
      fail (output, errno);
  }
  gboolean good = output->error == NULL;
  if (!good)
    g_propagate_error (error, g_steal_pointer (&output->error));
  loom_output_free (output);
  return good;
}

void
loom_output_abort (LoomOutput *output)
{
  if (output != NULL)
    loom_output_free (output);
}
