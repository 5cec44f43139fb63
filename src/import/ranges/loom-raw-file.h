/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens the trace file from which an index was made, so that parts of it can be read. The trace file may be on this
 * machine or on another machine. Blocks; may be called on any thread.
 */
#pragma once

#include <gio/gio.h>
#include <sys/stat.h>

#include "loom-byte-source.h"

typedef struct {
  LoomByteSource *bytes; /* owned; the bytes of the file as it is stored, which may be compressed */
  guint64 n_bytes;
  gint64 modified_s;   /* time of modification in s since 1970; LOOM_TIME_NONE: unknown */
  guint32 modified_us; /* microseconds of the time of modification; 1,000,000 or more: unknown */
} LoomRawFile;

void loom_raw_file_clear (LoomRawFile *file);

/* Sets `file` to the regular file at an absolute path, without opening the file. Reading fails later if the status of
 * the file at this path is no longer `status`. */
void loom_raw_file_take (const char *path, const struct stat *status, LoomRawFile *file);

/* Opens the file at `path` on the machine `host`. `host` "": every machine has the file at this path. `cancellable` may
 * be NULL; reading LoomRawFile.bytes may use it, too. Returns FALSE with `error` on failure: LOOM_ERROR_READ (the
 * message names the file), LOOM_ERROR_FORMAT if the answer of the other machine is invalid, or G_IO_ERROR_CANCELLED. */
typedef gboolean (*LoomRawFileOpen) (gpointer reach, const char *host, const char *path, GCancellable *cancellable,
                                     LoomRawFile *file, GError **error);

/* A LoomRawFileOpen for files on this machine; it does not use `reach`. Refuses relative paths and files of other
 * machines. */
gboolean loom_raw_file_open_here (gpointer reach, const char *host, const char *path, GCancellable *cancellable,
                                  LoomRawFile *file, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LoomRawFile, loom_raw_file_clear)

/* Sets the error LOOM_ERROR_READ for the path of a member of an archive, which cannot be opened as a file. */
void loom_raw_file_set_archive_error (const char *path, GError **error);
