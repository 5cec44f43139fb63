/* SPDX-License-Identifier: Apache-2.0
 *
 * Disk space and complete writes. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns TRUE if `n_bytes` fit on the disk of `folder` with some space to spare. Sets `n_free` to the bytes that are
 * free, 0 if unknown. */
gboolean loom_disk_space_has_room (const char *folder, guint64 n_bytes, guint64 *n_free);

/* Writes all bytes, in as many calls of write() as needed. Returns FALSE with errno set. */
gboolean loom_disk_space_write (int fd, const void *bytes, gsize n_bytes);

/* Writes `first`, then `second`, if possible in one call. Returns FALSE with errno set. */
gboolean loom_disk_space_write_both (int fd, const void *first, gsize n_first, const void *second, gsize n_second);

/* Returns TRUE if reserving space first makes writing faster. This holds for ext4, which otherwise allocates page by
 * page. */
gboolean loom_disk_space_wants_room (int fd);

/* Reserves space for a range of the file without changing the length of the file; ftruncate() to that length returns
 * the space. Returns FALSE if there is not enough space or the file system does not support it; a part may be reserved
 * even then. */
gboolean loom_disk_space_allocate (int fd, guint64 offset, guint64 n_bytes);
