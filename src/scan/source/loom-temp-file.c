/* SPDX-License-Identifier: Apache-2.0
 *
 * A temporary file without a name, for data that does not fit into memory. The interface is described in
 * loom-temp-file.h.
 */
#include "loom-temp-file.h"

#include "loom-disk-space.h"
#include "loom-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <unistd.h>

typedef struct {
  LoomByteSource text;
  int fd;
  const char *folder; /* folder that contains the file; static */
} SpillText;

struct _LoomTempFile {
  SpillText *text;
  guint64 n_bytes;
};

static gssize
spill_text_read (LoomByteSource *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  gssize n;
  do {
    n = pread (((SpillText *) text)->fd, buffer, n_bytes, (off_t) MIN (offset, G_MAXINT64));
  } while (n < 0 && errno == EINTR);
  if (n < 0)
    loom_error_set_from_errno (error, LOOM_ERROR_READ, errno, "Cannot read a temporary file in “%s”",
                               ((SpillText *) text)->folder);
  return n;
}

static void
spill_text_finalize (LoomByteSource *text)
{
  close (((SpillText *) text)->fd);
}

gboolean
loom_temp_file_reserve (LoomTempFile *spill, guint64 n_bytes, GError **error)
{
  guint64 n_free;
  if (loom_disk_space_has_room (spill->text->folder, n_bytes, &n_free))
    return TRUE;
  g_autofree char *needed = g_format_size (n_bytes), *there = g_format_size (n_free);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT,
               _ ("decompressing the file needs %s in “%s”, where only %s are free"), needed, spill->text->folder,
               there);
  return FALSE;
}

static LoomTempFile *
new_in (const char *folder, guint64 n_bytes, GError **error)
{
  static const LoomByteSourceClass klass = { spill_text_read, spill_text_finalize };
  g_autofree char *path = g_build_filename (folder, "traceloom-XXXXXX", NULL);
  g_mkdir_with_parents (folder, 0700);
  int fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_WRITE, _ ("no temporary file can be created in “%s”"), folder);
    return NULL;
  }
  g_unlink (path);
  g_autoptr (LoomTempFile) spill = g_new0 (LoomTempFile, 1);
  spill->text = (SpillText *) loom_byte_source_alloc (&klass, sizeof (SpillText));
  spill->text->fd = fd;
  spill->text->folder = folder;
  return loom_temp_file_reserve (spill, n_bytes, error) ? g_steal_pointer (&spill) : NULL;
}

/* Makes the file in the cache folder, which is on a disk; if this fails, in the folder for temporary files, which may
 * be in memory. */
LoomTempFile *
loom_temp_file_new (guint64 n_bytes, GError **error)
{
  LoomTempFile *spill = new_in (g_get_user_cache_dir (), n_bytes, NULL);
  return spill != NULL ? spill : new_in (g_get_tmp_dir (), n_bytes, error);
}

void
loom_temp_file_free (LoomTempFile *spill)
{
  if (spill == NULL)
    return;
  loom_byte_source_unref (&spill->text->text);
  g_free (spill);
}

gboolean
loom_temp_file_append (LoomTempFile *spill, const void *bytes, gsize n_bytes, GError **error)
{
  const char *next = bytes;
  while (n_bytes > 0) {
    gssize n = pwrite (spill->text->fd, next, n_bytes, (off_t) spill->n_bytes);
    if (n < 0 && errno != EINTR) {
      loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot write a temporary file in “%s”",
                                 spill->text->folder);
      return FALSE;
    }
    next += MAX (n, 0);
    n_bytes -= (gsize) MAX (n, 0);
    spill->n_bytes += (guint64) MAX (n, 0);
  }
  return TRUE;
}

gboolean
loom_temp_file_extend (LoomTempFile *spill, guint64 n_bytes, GError **error)
{
  if (n_bytes <= spill->n_bytes)
    return TRUE;
  if (n_bytes > G_MAXINT64 || ftruncate (spill->text->fd, (off_t) n_bytes) != 0) {
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, n_bytes > G_MAXINT64 ? EFBIG : errno,
                               "Cannot write a temporary file in “%s”", spill->text->folder);
    return FALSE;
  }
  spill->n_bytes = n_bytes;
  return TRUE;
}

guint64
loom_temp_file_get_length (const LoomTempFile *spill)
{
  return spill->n_bytes;
}

LoomByteSource *
loom_temp_file_dup_text (LoomTempFile *spill)
{
  return loom_byte_source_ref (&spill->text->text);
}
