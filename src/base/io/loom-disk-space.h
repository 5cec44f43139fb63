/* SPDX-License-Identifier: Apache-2.0
 *
 * Disk space and complete writes. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns TRUE if `n_bytes` fit on the disk of `folder` and some space remains. Sets `n_free` to the number of free
 * bytes; 0: unknown. */
gboolean loom_disk_space_has_room (const char *folder, guint64 n_bytes, guint64 *n_free);

/* Writes all bytes, in as many calls of write() as needed. Returns FALSE with errno set. */
gboolean loom_disk_space_write (int fd, const void *bytes, gsize n_bytes);

/* Writes `first`, then `second`, if possible in one call. Returns FALSE with errno set. */
gboolean loom_disk_space_write_both (int fd, const void *first, gsize n_first, const void *second, gsize n_second);
