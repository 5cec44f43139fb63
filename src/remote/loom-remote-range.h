/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads parts of the files of a remote location ("s3://bucket/prefix", "sftp://host/"), so that no file need be fetched
 * as a whole: through the command aws or rclone, or with GIO. Blocking; any thread.
 */
#pragma once

#include "loom-raw-file.h"
#include "loom-remote-location.h"

/* Opens a file of an index at the location. `path` is the absolute path that the file had when it was indexed. It is
 * searched below the location with fewer and fewer folders in front: of "/data/run/a.json" the whole path,
 * "run/a.json", "a.json". `n_dropped`: number of folders that were skipped when the last file was found; this number is
 * tried first, and updated. The time of the file is unknown on S3, and known to the second elsewhere. Returns FALSE
 * with LOOM_ERROR_READ, or G_IO_ERROR_CANCELLED. */
gboolean loom_remote_range_open (const LoomRemoteLocation *location, const char *path, guint *n_dropped,
                                 GCancellable *cancellable, LoomRawFile *file, GError **error);
