/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures the critical path of a run, and loading the run for comparison. The path needs the collectives, the steps,
 * the graph of dependencies, the path through it and the possible savings, as on the page of the critical path. Prints
 * one line of JSON: ms, and the numbers of spans, of nodes of the graph and of segments of the path.
 *
 * Usage: bench-path PATH…
 */
#include "loom-critical-path.h"
#include "loom-load.h"

#include <stdio.h>

#define N_ROUNDS 3

static double
ms_since (gint64 *begin_us)
{
  gint64 now_us = g_get_monotonic_time (), passed_us = now_us - *begin_us;
  *begin_us = now_us;
  return (double) passed_us / 1e3;
}

static LoomTimeline *
load (char **paths)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomRun) run = loom_load_paths ((const char *const *) paths, NULL, NULL, NULL, NULL, &error);
  if (run == NULL)
    g_error ("%s", error->message);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  return loom_timeline_new (run, alignment);
}

static guint64
count_spans (LoomRun *run)
{
  guint64 n = 0;
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    n += loom_trace_get_spans (loom_run_get_trace (run, i))->n;
  return n;
}

static LoomCriticalPath *
compute (LoomTimeline *timeline)
{
  LoomRange range;
  if (!loom_timeline_get_extent (timeline, &range))
    g_error ("The run is empty");
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, NULL);
  return loom_critical_path_new (timeline, range, collectives, steps, NULL);
}

int
main (int argc, char **argv)
{
  double best = G_MAXDOUBLE;
  guint64 n_works = 0, n_stretches = 0;
  if (argc < 2)
    g_error ("Usage: bench-path PATH…");
  gint64 at_us = g_get_monotonic_time ();
  g_autoptr (LoomTimeline) timeline = load (argv + 1);
  double loaded = ms_since (&at_us);
  for (guint i = 0; i < N_ROUNDS; i++) {
    at_us = g_get_monotonic_time ();
    g_autoptr (LoomCriticalPath) path = compute (timeline);
    double passed = ms_since (&at_us);
    best = MIN (best, passed);
    n_works = path->n_works;
    n_stretches = path->stretches->len;
  }
  printf ("{\"load\": %.3f, \"path\": %.3f, \"spans\": %" G_GUINT64_FORMAT ", \"works\": %" G_GUINT64_FORMAT
          ", \"stretches\": %" G_GUINT64_FORMAT "}\n",
          loaded, best, count_spans (loom_timeline_get_run (timeline)), n_works, n_stretches);
  return 0;
}
