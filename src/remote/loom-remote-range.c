/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-remote-range.h"

#include "loom-error.h"
#include "loom-remote-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* Minimum and maximum number of bytes per request. Each request to S3 starts a program, which takes about half a second. */
#define LEAST_BYTES (64u * 1024)
#define LEAST_S3_BYTES (1024u * 1024)
#define MOST_BYTES (16u * 1024 * 1024)

typedef struct {
  LoomByteSource base;
  LoomRemotePart *part;      /* the remote file; owned */
  GCancellable *cancellable; /* cancels reads of the file; owned, or NULL */
  GMutex lock;               /* protects the members below */
  guint64 offset;
  GByteArray *bytes; /* the bytes of the file that were read last; the first one is at `offset` */
  gsize ask_bytes;
} RemoteFile;

/* Reads bytes of the file, from `offset` on. If `offset` is where the previous request ended, requests twice as many
 * bytes as that request. */
static gboolean
fetch (RemoteFile *file, guint64 offset, gsize n_bytes, GError **error)
{
  gsize least = file->part->is_s3 ? LEAST_S3_BYTES : LEAST_BYTES;
  gboolean goes_on = file->bytes->len > 0 && offset == file->offset + file->bytes->len;
  file->ask_bytes = goes_on ? MIN (2 * file->ask_bytes, MOST_BYTES) : least;
  n_bytes = (gsize) MIN (CLAMP (n_bytes, file->ask_bytes, MOST_BYTES), file->part->n_bytes - offset);
  g_byte_array_set_size (file->bytes, 0);
  file->offset = offset;
  gboolean good = file->part->is_s3
                    ? loom_remote_s3_read_part (file->part, offset, n_bytes, file->bytes, file->cancellable, error)
                    : loom_remote_gio_read_part (file->part, offset, n_bytes, file->bytes, file->cancellable, error);
  if (good && file->bytes->len < n_bytes) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("“%s” ended early while it was read"), file->part->uri);
    good = FALSE;
  }
  if (!good)
    g_byte_array_set_size (file->bytes, 0);
  return good;
}

static gssize
remote_file_read (LoomByteSource *base, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  RemoteFile *file = (RemoteFile *) base;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&file->lock);
  if (offset >= file->part->n_bytes || n_bytes == 0)
    return 0;
  gboolean is_held = offset >= file->offset && offset - file->offset < file->bytes->len;
  if (!is_held && !fetch (file, offset, n_bytes, error))
    return -1;
  gsize at = (gsize) (offset - file->offset);
  n_bytes = MIN (n_bytes, file->bytes->len - at);
  memcpy (buffer, file->bytes->data + at, n_bytes);
  return (gssize) n_bytes;
}

static void
remote_file_finalize (LoomByteSource *base)
{
  RemoteFile *file = (RemoteFile *) base;
  loom_remote_part_free (file->part);
  g_clear_object (&file->cancellable);
  g_byte_array_unref (file->bytes);
  g_mutex_clear (&file->lock);
}

static LoomByteSource *
new_file (LoomRemotePart *part, GCancellable *cancellable)
{
  static const LoomByteSourceClass klass = { remote_file_read, remote_file_finalize };
  RemoteFile *file = (RemoteFile *) loom_byte_source_alloc (&klass, sizeof (RemoteFile));
  file->part = part;
  g_set_object (&file->cancellable, cancellable);
  file->bytes = g_byte_array_new ();
  g_mutex_init (&file->lock);
  return &file->base;
}

void
loom_remote_part_free (LoomRemotePart *part)
{
  if (part == NULL)
    return;
  g_free (part->uri);
  g_free (part->bucket);
  g_free (part->key);
  g_free (part->tag);
  g_clear_object (&part->file);
  g_clear_object (&part->stream);
  g_free (part);
}

/* --- searching ---------------------------------------------------------------------------------------------------- */

static LoomRemotePart *
find (const LoomRemoteLocation *location, const char *name, gboolean *is_missing, GCancellable *cancellable,
      GError **error)
{
  return location->is_s3 ? loom_remote_s3_find_part (location, name, is_missing, cancellable, error)
                         : loom_remote_gio_find_part (location, name, is_missing, cancellable, error);
}

/* Returns the names of the folders and of the file in a path; empty names between two slashes are omitted. Owned by the
 * caller. */
static GPtrArray *
split_path (const char *path)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) all = g_strsplit (path, "/", -1);
  for (guint i = 0; all[i] != NULL; i++)
    if (all[i][0] != '\0')
      g_ptr_array_add (names, g_strdup (all[i]));
  g_ptr_array_add (names, NULL);
  return names;
}

gboolean
loom_remote_range_open (const LoomRemoteLocation *location, const char *path, guint *n_dropped,
                        GCancellable *cancellable, LoomRawFile *file, GError **error)
{
  g_autoptr (GPtrArray) names = split_path (path);
  guint n = names->len - 1;
  LoomRemotePart *part = NULL;
  guint first = MIN (*n_dropped, MAX (n, 1) - 1);
  /* try the next name only if the file is missing, because any other error would occur with all names */
  gboolean is_missing = TRUE;
  for (guint i = 0; i <= n && part == NULL && is_missing; i++) {
    guint dropped = i == 0 ? first : i - 1;
    if (i > 0 && dropped == first)
      continue;
    g_autofree char *name = g_strjoinv ("/", (char **) names->pdata + dropped);
    g_clear_error (error);
    is_missing = name[0] == '\0';
    part = name[0] != '\0' ? find (location, name, &is_missing, cancellable, error) : NULL;
    *n_dropped = part != NULL ? dropped : *n_dropped;
  }
  if (part == NULL && n == 0)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("Cannot read “%s”: %s"), path, _ ("not a regular file"));
  if (part == NULL)
    return FALSE;
  *file = (LoomRawFile) { .bytes = new_file (part, cancellable),
                          .n_bytes = part->n_bytes,
                          .modified_s = part->modified_s,
                          .modified_us = G_MAXUINT32 };
  return TRUE;
}
