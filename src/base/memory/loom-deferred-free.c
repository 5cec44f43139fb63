/* SPDX-License-Identifier: Apache-2.0
 *
 * Frees large structures on a background thread, because returning gigabytes to the kernel takes time. The interface is
 * described in loom-deferred-free.h.
 */
#include "loom-deferred-free.h"

#include <stdlib.h>

#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature (name) /* clang has __has_feature(); other compilers may lack it */
#else
#define HAS_FEATURE(name) 0
#endif

typedef struct {
  GDestroyNotify func;
  gpointer data;
} Release;

static GMutex lock;
static GCond is_done;
static guint n_running;

static void
count (gint change)
{
  g_mutex_lock (&lock);
  n_running = (guint) ((gint) n_running + change);
  g_cond_broadcast (&is_done);
  g_mutex_unlock (&lock);
}

static gpointer
run (gpointer data)
{
  const Release release = *(Release *) data;
  g_free (data);
  release.func (release.data);
  count (-1);
  return NULL;
}

/* Makes the program wait at exit until all deferred calls have ended. Otherwise, LeakSanitizer would report memory
 * that is still being freed. */
static void
wait_at_exit (void)
{
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
  static gsize is_set = 0;
  if (g_once_init_enter (&is_set)) {
    atexit (loom_deferred_free_wait);
    g_once_init_leave (&is_set, 1);
  }
#endif
}

void
loom_deferred_free (GDestroyNotify func, gpointer data)
{
  wait_at_exit ();
  Release *release = g_new (Release, 1);
  *release = (Release) { func, data };
  count (1);
  GThread *thread = g_thread_try_new ("loom-release", run, release, NULL);
  if (thread != NULL)
    g_thread_unref (thread);
  else
    run (release);
}

void
loom_deferred_free_wait (void)
{
  g_mutex_lock (&lock);
  while (n_running > 0)
    g_cond_wait (&is_done, &lock);
  g_mutex_unlock (&lock);
}
