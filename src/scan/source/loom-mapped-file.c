/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps a range of a file into memory, so that it can be read without copying. The interface is described in
 * loom-mapped-file.h.
 */
#include "loom-mapped-file.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* The mapped range that this thread reads now. The signal SIGBUS is sent to the thread that reads a missing page, so
 * each thread has its own variable. */
static __thread LoomMappedFile *current;
static struct sigaction before;

/* Replaces the pages from the one with the error up to the end of the range by zeros. The interrupted read continues
 * when the handler returns. */
static void
on_bus_error (int number, siginfo_t *info, void *context)
{
  LoomMappedFile *mapped = current;
  char *at = info->si_addr;
  if (mapped != NULL && at >= mapped->base && at < mapped->base + mapped->n_bytes) {
    gsize page = (gsize) getpagesize (), from = (gsize) (at - mapped->base) / page * page;
    mapped->is_broken = TRUE;
    if (mmap (mapped->base + from, mapped->n_bytes - from, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
        MAP_FAILED)
      return;
  }
  /* The address is not in the range, so the previous handler is restored. When this handler returns, the instruction is
   * repeated, and the previous handler receives the same error. */
  sigaction (SIGBUS, &before, NULL);
}

static void
watch_bus_errors (void)
{
  static gsize is_watched;
  if (!g_once_init_enter (&is_watched))
    return;
  struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO };
  sigemptyset (&action.sa_mask);
  sigaction (SIGBUS, &action, &before);
  g_once_init_leave (&is_watched, 1);
}

gboolean
loom_mapped_file_open (LoomMappedFile *mapped, int fd, guint64 offset, gsize length)
{
  gsize page = (gsize) getpagesize (), lead = offset % page;
  watch_bus_errors ();
  char *base = mmap (NULL, lead + length, PROT_READ, MAP_PRIVATE, fd, (off_t) (offset - lead));
  if (base == MAP_FAILED)
    return FALSE;
  *mapped = (LoomMappedFile) { base + lead, length, base, (lead + length + page - 1) / page * page, FALSE };
  current = mapped;
  return TRUE;
}

gboolean
loom_mapped_file_open_whole (LoomMappedFile *mapped, int fd, gsize length)
{
  gsize page = (gsize) getpagesize (), n_bytes = (length + page - 1) / page * page + page;
  watch_bus_errors ();
  char *base = mmap (NULL, n_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return FALSE;
  if (mmap (base, length, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED) {
    munmap (base, n_bytes);
    return FALSE;
  }
  *mapped = (LoomMappedFile) { base, length, base, n_bytes, FALSE };
  return TRUE;
}

void
loom_mapped_file_look_at (LoomMappedFile *mapped)
{
  current = mapped;
}

gboolean
loom_mapped_file_close (LoomMappedFile *mapped)
{
  current = NULL;
  munmap (mapped->base, mapped->n_bytes);
  mapped->n_bytes = 0; /* the range is now empty, so that on_bus_error() finds no address in it */
  return !mapped->is_broken;
}

/* --- measuring whether mapping or copying is faster --------------------------------------------------------------- */

#define PROBE_BYTES (256u * 1024)
/* number of measurements of each kind; only the shortest is used, because longer ones were probably interrupted */
#define PROBES 3

static GMutex probe_lock;
enum { UNKNOWN, QUICK, SLOW };
static gint verdict;

static gint64
time_copying (int fd, char *buffer)
{
  gint64 begin_us = g_get_monotonic_time ();
  if (pread (fd, buffer, PROBE_BYTES, 0) != PROBE_BYTES)
    return -1;
  return g_get_monotonic_time () - begin_us;
}

static gint64
time_mapping (int fd)
{
  LoomMappedFile mapped;
  gint64 begin_us = g_get_monotonic_time ();
  if (!loom_mapped_file_open (&mapped, fd, 0, PROBE_BYTES))
    return -1;
  for (gsize i = 0; i < PROBE_BYTES; i += (gsize) getpagesize ())
    *(volatile const char *) (mapped.text + i);
  gboolean good = loom_mapped_file_close (&mapped);
  return good ? g_get_monotonic_time () - begin_us : -1;
}

static gint
probe (int fd)
{
  g_autofree char *buffer = g_malloc (PROBE_BYTES);
  /* copies once before the measurements, because the first copy may have to wait for the disk */
  gint64 copying_us = time_copying (fd, buffer), mapping_us = G_MAXINT64;
  if (copying_us < 0)
    return UNKNOWN;
  for (guint i = 0; i < PROBES; i++) {
    gint64 one_us = time_copying (fd, buffer), other_us = time_mapping (fd);
    if (one_us < 0 || other_us < 0)
      return UNKNOWN;
    copying_us = MIN (copying_us, one_us);
    mapping_us = MIN (mapping_us, other_us);
  }
  return mapping_us > copying_us ? SLOW : QUICK;
}

gboolean
loom_mapped_file_is_slow (int fd)
{
  const char *wish = g_getenv ("LOOM_MAP_BYTES");
  if (wish != NULL)
    return g_ascii_strtoull (wish, NULL, 10) == 0;
  if (g_atomic_int_get (&verdict) == UNKNOWN) {
    g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&probe_lock);
    if (verdict == UNKNOWN)
      g_atomic_int_set (&verdict, probe (fd));
  }
  return g_atomic_int_get (&verdict) == SLOW;
}
