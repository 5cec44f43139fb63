/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads parts of the files of a remote location ("s3://bucket/prefix", "sftp://host/"), so that not the whole file is
 * fetched. The parts are read with the command aws or rclone, or with GIO. The functions block, and may be called on
 * any thread.
 */
#pragma once

#include "loom-raw-file.h"
#include "loom-remote-location.h"

/* Opens a file of an index at the location. `path`: the absolute path that the file had when it was indexed. Several
 * names below the location are tried: the whole path, the path without its first folder, and so on. For
 * "/data/run/a.json", they are "data/run/a.json", "run/a.json" and "a.json". `n_dropped`: before the call, the number
 * of leading folders that the name of the previous file omitted; the name that omits the same number is tried first. If
 * the file is found, `n_dropped` is set to the number that its name omits. The modification time of the file is unknown
 * on S3; in other locations, it is a whole number of seconds. Returns FALSE with LOOM_ERROR_READ or
 * G_IO_ERROR_CANCELLED. */
gboolean loom_remote_range_open (const LoomRemoteLocation *location, const char *path, guint *n_dropped,
                                 GCancellable *cancellable, LoomRawFile *file, GError **error);
