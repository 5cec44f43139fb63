/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures loading: loads paths as the window does until it could draw the first frame, with the spans sorted into
 * columns, the clocks aligned and the rows laid out. Prints one line of JSON: seconds of wall, user and system time,
 * and the numbers of events and spans. With --memory also the anonymous memory in bytes that the process uses after it
 * has returned freed memory to the kernel.
 *
 * Usage: bench-load [--memory] PATH…
 */
#include "loom-deferred-free.h"
#include "loom-load.h"
#include "loom-row-list.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static double
seconds (struct timeval time)
{
  return (double) time.tv_sec + (double) time.tv_usec / 1e6;
}

/* Returns the anonymous memory of the process in bytes; 0 if the kernel does not report it. */
static gulong
anonymous_memory (void)
{
  char line[256];
  gulong kib = 0;
  FILE *file = fopen ("/proc/self/status", "r");
  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    if (sscanf (line, "RssAnon: %lu", &kib) == 1)
      break;
  if (file != NULL)
    fclose (file);
  return kib * 1024;
}

static guint64
count_spans (LoomRun *run)
{
  guint64 n = 0;
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    n += loom_trace_get_spans (loom_run_get_trace (run, i))->n;
  return n;
}

static int
complain (LoomRun *run, const GError *error)
{
  if (error != NULL)
    fprintf (stderr, "%s\n", error->message);
  for (guint i = 0; run != NULL && i < loom_run_get_n_ignored (run); i++)
    fprintf (stderr, "%s: %s\n", loom_run_get_ignored (run, i)->path, loom_run_get_ignored (run, i)->reason);
  return 1;
}

int
main (int argc, char **argv)
{
  gboolean memory = argc > 1 && strcmp (argv[1], "--memory") == 0;
  const char *const *paths = (const char *const *) argv + 1 + memory;
  struct rusage before, after;
  g_autoptr (GError) error = NULL;
  getrusage (RUSAGE_SELF, &before);
  gint64 begin_us = g_get_monotonic_time ();

  g_autoptr (LoomRun) run = loom_load_paths (paths, NULL, NULL, NULL, NULL, &error);
  if (run == NULL || loom_run_get_n_ignored (run) > 0 || loom_run_get_n_traces (run) == 0)
    return complain (run, error);
  double loaded = (double) (g_get_monotonic_time () - begin_us) / 1e6;
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  LoomTimeline *timeline = loom_timeline_new (run, alignment);
  LoomRowList *outline = loom_row_list_new ();
  loom_row_list_set_timeline (outline, timeline);

  double wall = (double) (g_get_monotonic_time () - begin_us) / 1e6;
  getrusage (RUSAGE_SELF, &after);
  printf ("{\"wall\": %.6f, \"loaded\": %.6f, \"user\": %.6f, \"sys\": %.6f, ", wall, loaded,
          seconds (after.ru_utime) - seconds (before.ru_utime), seconds (after.ru_stime) - seconds (before.ru_stime));
  printf ("\"events\": %" G_GUINT64_FORMAT ", \"spans\": %" G_GUINT64_FORMAT, loom_run_get_n_events (run),
          count_spans (run));
  if (memory) {
    loom_deferred_free_wait ();
    malloc_trim (0);
    printf (", \"rest\": %lu", anonymous_memory ());
  }
  puts ("}");
  loom_row_list_free (outline);
  loom_timeline_unref (timeline);
  return 0;
}
