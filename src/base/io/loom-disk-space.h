/* SPDX-License-Identifier: Apache-2.0
 *
 * Room on a disk, and writing all of something to it. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether so many bytes more find room beside the folder's files, with some to spare. `n_free`: what is free, 0 when nobody
 * knows. */
gboolean loom_disk_space_has_room (const char *folder, guint64 n_bytes, guint64 *n_free);

/* All of it, in as many calls as it takes. FALSE with errno. */
gboolean loom_disk_space_write (int fd, const void *bytes, gsize n_bytes);

/* First these, then those, in one call where that can be. */
gboolean loom_disk_space_write_both (int fd, const void *first, gsize n_first, const void *second, gsize n_second);

/* Whether writing is quicker where room was reserved before: on ext4, which otherwise reserves it page by page. */
gboolean loom_disk_space_wants_room (int fd);

/* Reserves room for so many bytes of a file, whose length stays; ftruncate() to that length gives the rest back. FALSE when
 * there is not so much, or the file system does not do it; some may be reserved all the same. */
gboolean loom_disk_space_allocate (int fd, guint64 offset, guint64 n_bytes);

G_END_DECLS
