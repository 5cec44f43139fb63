/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks whether a disk has enough free space for an output file. Also writes buffers completely: a single call of
 * write() may write only a part. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns TRUE if the disk of `folder` has space for `n_bytes` bytes and 256 MiB more, which remain free for other
 * programs. Sets `n_free` to the number of free bytes; 0 if unknown. */
gboolean loom_disk_space_has_room (const char *folder, guint64 n_bytes, guint64 *n_free);

/* Writes all bytes, with as many calls of write() as needed. Returns FALSE and sets errno on failure. */
gboolean loom_disk_space_write (int fd, const void *bytes, gsize n_bytes);

/* Writes `first`, then `second`, in one call if possible. Returns FALSE and sets errno on failure. */
gboolean loom_disk_space_write_both (int fd, const void *first, gsize n_first, const void *second, gsize n_second);
