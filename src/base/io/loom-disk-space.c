/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks whether a disk has enough free space for an output file. Also writes buffers completely: a single call of
 * write() may write only a part. The interface is described in loom-disk-space.h.
 */
#include "loom-disk-space.h"

#include <errno.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

/* number of bytes of disk space that must remain free for other programs */
#define KEEP_FREE_BYTES (G_GUINT64_CONSTANT (256) * 1024 * 1024)

gboolean
loom_disk_space_has_room (const char *folder, guint64 n_bytes, guint64 *n_free)
{
  struct statvfs room;
  *n_free = statvfs (folder, &room) == 0 ? (guint64) room.f_bavail * room.f_frsize : 0;
  return *n_free >= KEEP_FREE_BYTES && n_bytes <= *n_free - KEEP_FREE_BYTES;
}

gboolean
loom_disk_space_write (int fd, const void *bytes, gsize n_bytes)
{
  for (const char *next = bytes; n_bytes > 0;) {
    gssize n = write (fd, next, n_bytes);
    /* write() has written nothing, but reported no error; return a failure, because further calls could do the same
     * forever */
    if (n == 0)
      errno = EIO;
    if (n == 0 || (n < 0 && errno != EINTR))
      return FALSE;
    next += MAX (n, 0);
    n_bytes -= (gsize) MAX (n, 0);
  }
  return TRUE;
}

gboolean
loom_disk_space_write_both (int fd, const void *first, gsize n_first, const void *second, gsize n_second)
{
  const struct iovec both[] = { { (void *) first, n_first }, { (void *) second, n_second } };
  gssize n = writev (fd, both, G_N_ELEMENTS (both));
  gsize done = (gsize) MAX (n, 0), of_first = MIN (done, n_first);
  if (n < 0 && errno != EINTR)
    return FALSE;
  return loom_disk_space_write (fd, (const char *) first + of_first, n_first - of_first) &&
         loom_disk_space_write (fd, (const char *) second + (done - of_first), n_second - (done - of_first));
}
