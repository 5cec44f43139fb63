/* SPDX-License-Identifier: Apache-2.0
 *
 * The time between the return of one poll and the call of the next is the time the main loop could not react.
 */
#include "loom-stalls.h"

#include <stdlib.h>
#include <time.h>

#define DEFAULT_LIMIT_MS 50

static GPollFunc real_poll;
static gint64 limit_us, woke_us, woke_cpu_us, longest_us, longest_cpu_us;
static guint n_stalls;
static const char *note;

/* What this thread itself has computed so far; the rest of a turn the processor was with others. */
static gint64
cpu_time_us (void)
{
  struct timespec now;
  if (clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now) != 0)
    return 0;
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static void
look_at_turn (void)
{
  gint64 busy_us = g_get_monotonic_time () - woke_us, cpu_us = cpu_time_us () - woke_cpu_us;
  longest_us = MAX (longest_us, busy_us);
  longest_cpu_us = MAX (longest_cpu_us, cpu_us);
  if (busy_us <= limit_us)
    return;
  n_stalls++;
  g_printerr ("stall: %.1f ms in one turn of the main loop, %.1f ms of them computing%s%s\n", busy_us / 1000.0,
              cpu_us / 1000.0, note != NULL ? ", last: " : "", note != NULL ? note : "");
}

static int
watching_poll (GPollFD *fds, guint n_fds, int timeout_ms)
{
  if (woke_us != 0)
    look_at_turn ();
  note = NULL;
  int result = real_poll (fds, n_fds, timeout_ms);
  woke_us = g_get_monotonic_time ();
  woke_cpu_us = cpu_time_us ();
  return result;
}

void
loom_stalls_watch (void)
{
  const char *wish = g_getenv ("LOOM_WATCH_STALLS");
  if (wish == NULL || real_poll != NULL)
    return;
  int ms = (int) CLAMP (g_ascii_strtoll (wish, NULL, 10), 0, 60000);
  limit_us = (ms > 0 ? ms : DEFAULT_LIMIT_MS) * G_GINT64_CONSTANT (1000);
  real_poll = g_main_context_get_poll_func (NULL);
  g_main_context_set_poll_func (NULL, watching_poll);
}

gboolean
loom_stalls_are_watched (void)
{
  return real_poll != NULL;
}

void
loom_stalls_reset (void)
{
  n_stalls = 0;
  longest_us = longest_cpu_us = 0;
  woke_us = g_get_monotonic_time ();
  woke_cpu_us = cpu_time_us ();
}

void
loom_stalls_note (const char *what)
{
  note = what;
}

guint
loom_stalls_get_count (void)
{
  return n_stalls;
}

gint64
loom_stalls_get_longest_us (void)
{
  return longest_us;
}

gint64
loom_stalls_get_longest_cpu_us (void)
{
  return longest_cpu_us;
}
