/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a file with O_DIRECT through a few buffers that are used in turn: the caller fills a buffer, and a thread
 * writes full buffers in order.
 */
#define _GNU_SOURCE /* makes <fcntl.h> declare O_DIRECT */
#include "loom-direct-io.h"

#include "loom-disk-space.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

/* Size of a buffer. Between two buffers, the disk is idle while the writing thread waits for a processor; with buffers
 * of 1 MB, these pauses take a tenth of the time. With larger buffers, there are fewer pauses. 2 MB is also the size of
 * a huge page, which requires one address translation instead of 512. */
#define BUFFER_BYTES (2048u * 1024)
#define N_BUFFERS 3
/* The disk counts as slower than the producer of the data if the producer has waited for it for more than MUCH_US, and
 * for more than 1/MUCH_SHARE of the time since direct writing began. This is checked after each buffer. For example,
 * a disk that writes one buffer per second counts as slower after three seconds. */
#define MUCH_US 30000
#define MUCH_SHARE 4

struct _LoomDirectWriter {
  int fd, flags; /* `flags`: status flags of the file descriptor before direct writing began */
  GThread *thread;
  char *buffers[N_BUFFERS];
  gsize filled; /* number of bytes in the buffer that is being filled; the thread writes this buffer next */
  gint64 begin_us, waited_us;

  GMutex lock;
  GCond given, written;
  /* `n_given`: number of buffers passed to the thread so far; `n_written`: number of these that the thread has written.
   * Buffer number i is buffers[i % N_BUFFERS] */
  guint n_given, n_written;
  gboolean closed;
  int saved_errno;
};

#ifdef O_DIRECT

/* Writes a buffer. The file system may reject direct writing with EINVAL: at the end of a file that ends within a
 * block, or if the blocks of the file system are larger than usual. The buffer is then written without O_DIRECT. */
static int
write_buffer (LoomDirectWriter *direct, const char *buffer)
{
  off_t begin = lseek (direct->fd, 0, SEEK_CUR);
  if (loom_disk_space_write (direct->fd, buffer, BUFFER_BYTES))
    return 0;
  if (errno != EINVAL)
    return errno;
  off_t done = lseek (direct->fd, 0, SEEK_CUR) - begin;
  fcntl (direct->fd, F_SETFL, direct->flags);
  return loom_disk_space_write (direct->fd, buffer + done, BUFFER_BYTES - (gsize) done) ? 0 : errno;
}

static gpointer
write_on (gpointer data)
{
  LoomDirectWriter *direct = data;
  g_mutex_lock (&direct->lock);
  for (;;) {
    while (direct->n_written == direct->n_given && !direct->closed)
      g_cond_wait (&direct->given, &direct->lock);
    if (direct->n_written == direct->n_given)
      break;
    const char *buffer = direct->buffers[direct->n_written % N_BUFFERS];
    int saved_errno = direct->saved_errno;
    g_mutex_unlock (&direct->lock);
    if (saved_errno == 0)
      saved_errno = write_buffer (direct, buffer);
    g_mutex_lock (&direct->lock);
    direct->saved_errno = saved_errno;
    direct->n_written++;
    g_cond_signal (&direct->written);
  }
  g_mutex_unlock (&direct->lock);
  return NULL;
}

static void
loom_direct_io_free (LoomDirectWriter *direct)
{
  for (guint i = 0; i < N_BUFFERS; i++)
    g_aligned_free (direct->buffers[i]);
  g_mutex_clear (&direct->lock);
  g_cond_clear (&direct->given);
  g_cond_clear (&direct->written);
  g_free (direct);
}

static char *
new_buffer (void)
{
  char *buffer = g_aligned_alloc (1, BUFFER_BYTES, BUFFER_BYTES);
#ifdef MADV_HUGEPAGE
  (void) madvise (buffer, BUFFER_BYTES, MADV_HUGEPAGE); /* if this fails, the buffer has pages of the usual size */
#endif
  return buffer;
}

LoomDirectWriter *
loom_direct_io_new (int fd)
{
  int flags = fcntl (fd, F_GETFL);
  if (flags < 0 || fcntl (fd, F_SETFL, flags | O_DIRECT) != 0)
    return NULL;
  LoomDirectWriter *direct = g_new0 (LoomDirectWriter, 1);
  direct->fd = fd;
  direct->flags = flags;
  for (guint i = 0; i < N_BUFFERS; i++)
    direct->buffers[i] = new_buffer ();
  direct->begin_us = g_get_monotonic_time ();
  direct->thread = g_thread_try_new ("traceloom-disk", write_on, direct, NULL);
  if (direct->thread != NULL)
    return direct;
  fcntl (fd, F_SETFL, flags);
  loom_direct_io_free (direct);
  return NULL;
}

#else

static void
loom_direct_io_free (LoomDirectWriter *direct)
{
  g_free (direct);
}

LoomDirectWriter *
loom_direct_io_new (int fd)
{
  return NULL;
}

#endif

/* Passes the full buffer to the writing thread, and waits for an empty buffer. */
static void
give (LoomDirectWriter *direct)
{
  gint64 given_us = g_get_monotonic_time ();
  g_mutex_lock (&direct->lock);
  direct->n_given++;
  g_cond_signal (&direct->given);
  while (direct->n_given - direct->n_written == N_BUFFERS)
    g_cond_wait (&direct->written, &direct->lock);
  g_mutex_unlock (&direct->lock);
  direct->waited_us += g_get_monotonic_time () - given_us;
  direct->filled = 0;
}

void
loom_direct_io_append (LoomDirectWriter *direct, const char *bytes, gsize length)
{
  while (length > 0) {
    gsize n = MIN (length, BUFFER_BYTES - direct->filled);
    memcpy (direct->buffers[direct->n_given % N_BUFFERS] + direct->filled, bytes, n);
    direct->filled += n;
    bytes += n, length -= n;
    if (direct->filled == BUFFER_BYTES)
      give (direct);
  }
}

gboolean
loom_direct_io_is_behind (const LoomDirectWriter *direct)
{
  return direct->waited_us > MUCH_US && direct->waited_us > (g_get_monotonic_time () - direct->begin_us) / MUCH_SHARE;
}

int
loom_direct_io_get_errno (LoomDirectWriter *direct)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&direct->lock);
  return direct->saved_errno;
}

static void
join (LoomDirectWriter *direct)
{
  g_mutex_lock (&direct->lock);
  direct->closed = TRUE;
  g_cond_signal (&direct->given);
  g_mutex_unlock (&direct->lock);
  g_thread_join (direct->thread);
}

int
loom_direct_io_finish (LoomDirectWriter *direct)
{
  join (direct);
  int saved_errno = direct->saved_errno;
  fcntl (direct->fd, F_SETFL, direct->flags);
  if (saved_errno == 0 &&
      !loom_disk_space_write (direct->fd, direct->buffers[direct->n_given % N_BUFFERS], direct->filled))
    saved_errno = errno;
  loom_direct_io_free (direct);
  return saved_errno;
}

void
loom_direct_io_abort (LoomDirectWriter *direct)
{
  g_mutex_lock (&direct->lock);
  if (direct->saved_errno == 0)
    direct->saved_errno = ECANCELED;
  g_mutex_unlock (&direct->lock);
  join (direct);
  loom_direct_io_free (direct);
}
