/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-mapped.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* What this thread reads now; the fault comes in the thread that reads. */
static __thread LoomMapped *current;
static struct sigaction before;

/* Zeros from the page of the fault to the end, then the reading goes on. */
static void
on_bus_error (int number, siginfo_t *info, void *context)
{
  LoomMapped *mapped = current;
  char *at = info->si_addr;
  if (mapped != NULL && at >= mapped->base && at < mapped->base + mapped->n_bytes) {
    gsize page = (gsize) getpagesize (), from = (gsize) (at - mapped->base) / page * page;
    mapped->is_broken = TRUE;
    if (mmap (mapped->base + from, mapped->n_bytes - from, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
      return;
  }
  sigaction (SIGBUS, &before, NULL); /* not ours: it comes again, and finds who was there before */
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
loom_mapped_open (LoomMapped *mapped, int fd, guint64 offset, gsize length)
{
  gsize page = (gsize) getpagesize (), lead = offset % page;
  watch_bus_errors ();
  char *base = mmap (NULL, lead + length, PROT_READ, MAP_PRIVATE, fd, (off_t) (offset - lead));
  if (base == MAP_FAILED)
    return FALSE;
  *mapped = (LoomMapped) { base + lead, length, base, (lead + length + page - 1) / page * page, FALSE };
  current = mapped;
  return TRUE;
}

gboolean
loom_mapped_open_whole (LoomMapped *mapped, int fd, gsize length)
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
  *mapped = (LoomMapped) { base, length, base, n_bytes, FALSE };
  return TRUE;
}

void
loom_mapped_look_at (LoomMapped *mapped)
{
  current = mapped;
}

gboolean
loom_mapped_close (LoomMapped *mapped)
{
  current = NULL;
  munmap (mapped->base, mapped->n_bytes);
  mapped->n_bytes = 0; /* no fault is its own any more */
  return !mapped->is_broken;
}
