/* SPDX-License-Identifier: Apache-2.0
 *
 * A file of which an index was made, opened so that parts of it can be read, wherever it is. Blocking; any thread.
 */
#pragma once

#include <gio/gio.h>
#include <sys/stat.h>

#include "loom-byte-source.h"

typedef struct {
  LoomByteSource *bytes; /* owned; the file as it is stored */
  guint64 n_bytes;
  gint64 modified_s; /* Unix seconds */
  guint32 modified_us;
} LoomRawFile;

void loom_raw_file_clear (LoomRawFile *file);

/* Takes the regular file of this status, at an absolute path. Reading it fails if another file is there by then. */
void loom_raw_file_take (const char *path, const struct stat *status, LoomRawFile *file);

/* Opens the file at `path` of the machine `host`; "": any machine has it at this path. `cancellable` may be NULL; reading
 * `bytes` may use it, too. Returns FALSE with LOOM_ERROR_READ, whose message names the file, LOOM_ERROR_FORMAT if the other
 * side does not answer as it should, or G_IO_ERROR_CANCELLED. */
typedef gboolean (*LoomRawFileOpen) (gpointer reach, const char *host, const char *path, GCancellable *cancellable,
                                     LoomRawFile *file, GError **error);

/* A LoomRawFileOpen for files on this machine. Relative paths and locations elsewhere are never opened. `reach` is not used. */
gboolean loom_raw_file_open_here (gpointer reach, const char *host, const char *path, GCancellable *cancellable,
                                  LoomRawFile *file, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LoomRawFile, loom_raw_file_clear)

/* Sets LOOM_ERROR_READ for a path that leads into an archive. */
void loom_raw_file_set_archive_error (const char *path, GError **error);
