/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens the trace file from which an index was made, if the file is on this machine, so that parts of it can be read.
 * The interface is described in loom-raw-file.h.
 */
#include "loom-raw-file.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#include "loom-error.h"
#include "loom-file-source.h"

void
loom_raw_file_clear (LoomRawFile *file)
{
  g_clear_pointer (&file->bytes, loom_byte_source_unref);
}

void
loom_raw_file_set_archive_error (const char *path, GError **error)
{
  g_set_error (
    error, LOOM_ERROR, LOOM_ERROR_READ,
    _ ("“%s” is in an archive, from which single events cannot be read; unpack it and create the index again"), path);
}

/* Sets an error that says that a file cannot be opened, and returns FALSE. `is_member`: `path` is the path of a member
 * of an archive. */
static gboolean
fail (const char *path, gboolean is_member, GError **error)
{
  if (is_member)
    loom_raw_file_set_archive_error (path, error);
  else
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("“%s” is not on this machine"), path);
  return FALSE;
}

void
loom_raw_file_take (const char *path, const struct stat *status, LoomRawFile *file)
{
  *file = (LoomRawFile) { .bytes = loom_file_source_new (path, status),
                          .n_bytes = (guint64) status->st_size,
                          .modified_s = status->st_mtim.tv_sec,
                          .modified_us = (guint32) (status->st_mtim.tv_nsec / 1000) };
}

gboolean
loom_raw_file_open_here (gpointer reach, const char *host, const char *path, GCancellable *cancellable,
                         LoomRawFile *file, GError **error)
{
  struct stat status;
  gboolean is_here = host[0] == '\0' || strcmp (host, g_get_host_name ()) == 0;
  if (!is_here || !g_path_is_absolute (path))
    return fail (path, FALSE, error);
  if (stat (path, &status) != 0)
    return fail (path, errno == ENOTDIR, error);
  if (!S_ISREG (status.st_mode))
    return fail (path, FALSE, error);
  loom_raw_file_take (path, &status, file);
  return TRUE;
}
