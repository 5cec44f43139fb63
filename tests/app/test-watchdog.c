/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the watchdog of the main loop, on which the tests of stalls depend: it measures how long the program's own code
 * runs in an iteration of the main loop, and names the function that takes longest.
 */
#include "stalls.h"

#include <string.h>
#include <time.h>

#define WORK_US 60000

/* Not inlined: addr2line names only the innermost of inlined functions, and the test looks for dawdle(). */
G_NO_INLINE static gint64
thread_cpu_us (void)
{
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

/* Computes for WORK_US of CPU time, because the watchdog measures CPU time: other processes on a busy machine can leave
 * a thread less than LIMIT_US of CPU time in WORK_US of wall-clock time. */
static gboolean
dawdle (gpointer done)
{
  gint64 until_us = thread_cpu_us () + WORK_US;
  while (thread_cpu_us () < until_us)
    ;
  *(gboolean *) done = TRUE;
  return G_SOURCE_REMOVE;
}

/* Returns TRUE after the watchdog has measured the slow handler. It measures an iteration at the beginning of the next
 * one. */
static gboolean
is_judged (gpointer done)
{
  return *(gboolean *) done && loom_main_loop_watchdog_get_longest_handler_us () > LIMIT_US;
}

static void
test_named (void)
{
  gboolean done = FALSE, found = FALSE;
  loom_main_loop_watchdog_reset ();
  g_idle_add (dawdle, &done);
  g_assert_true (fixture_wait (is_judged, &done));
  g_autofree char *worst = loom_main_loop_watchdog_dup_worst ();
  g_auto (GStrv) lines = g_strsplit (worst, "\n", -1);
  for (guint i = 0; lines[i] != NULL && !found; i++) {
    g_autofree char *named = stalls_dup_named (lines[i]);
    found = strstr (named, "dawdle") != NULL;
  }
  g_assert_true (found);
}

int
main (int argc, char **argv)
{
  g_setenv ("LOOM_WATCH_STALLS", G_STRINGIFY (LIMIT_MS), TRUE);
  run_fixture_init (&argc, &argv);
  loom_main_loop_watchdog_watch ();
  g_test_add_func ("/app/watchdog/named", test_named);
  return run_fixture_run ();
}
