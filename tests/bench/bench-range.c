/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures reading the events of a range of one trace through a command that serves the file (traceloom-cli serve). The
 * window does so for an unfolded rank of which only the index (a small summary file) is open. Prints one line of JSON:
 * wall seconds until the events can be drawn (“first” includes the start of the command), bytes that were read of the
 * file, bytes of the text of the events, and number of events.
 *
 * Usage: bench-range INDEX COMMAND EVENTS
 */
#include "loom-load.h"
#include "loom-rank-range.h"

#include <stdio.h>
#include <stdlib.h>

#define N_ROUNDS 5

static LoomTimeline *
load (char *path)
{
  g_autoptr (GError) error = NULL;
  const char *paths[] = { path, NULL };
  g_autoptr (LoomRun) run = loom_load_paths (paths, NULL, NULL, NULL, NULL, &error);
  if (run == NULL)
    g_error ("%s", error->message);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  return loom_timeline_new (run, alignment);
}

/* Returns a range with about `n` events, at most a tenth of the trace. Each round uses the range after the previous
 * one, because text that was just read may be cached. */
static LoomRange
find_range (LoomTimeline *timeline, double n, guint round)
{
  LoomRange all;
  if (!loom_timeline_get_extent (timeline, &all))
    g_error ("The run is empty");
  const LoomSource *source = loom_run_get_source (loom_timeline_get_run (timeline), 0);
  double all_ns = (double) (all.end_ns - all.begin_ns), share = n / (double) MAX (source->n_events, 1);
  gint64 length_ns = (gint64) (all_ns * MIN (share, 0.1)), begin_ns = all.begin_ns + length_ns * (round + 4);
  return (LoomRange) { begin_ns, begin_ns + length_ns };
}

/* Reads the range and returns the wall seconds that this took. */
static double
read_range (LoomTimeline *timeline, LoomServeClient *through, LoomRange range, LoomRawRangeCost *cost,
            guint64 *n_events)
{
  g_autoptr (GError) error = NULL;
  const LoomRankRangeRequest request = { .timeline = timeline, .range = range, .through = through };
  gint64 begin_us = g_get_monotonic_time ();
  g_autoptr (LoomTrace) trace = loom_rank_range_read (&request, cost, &error);
  gint64 end_us = g_get_monotonic_time ();
  if (trace == NULL)
    g_error ("%s", error->message);
  *n_events = loom_trace_get_source (trace, 0)->n_events;
  return (double) (end_us - begin_us) / G_USEC_PER_SEC;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  LoomRawRangeCost cost = { 0, 0 };
  guint64 n_events = 0;
  double first = 0, best = G_MAXDOUBLE;
  if (argc != 4)
    g_error ("Usage: bench-range INDEX COMMAND EVENTS");
  g_autoptr (LoomTimeline) timeline = load (argv[1]);
  g_autoptr (LoomServeClient) through = loom_serve_client_new (argv[2], &error);
  if (through == NULL)
    g_error ("%s", error->message);
  for (guint i = 0; i < N_ROUNDS; i++) {
    double took = read_range (timeline, through, find_range (timeline, atof (argv[3]), i), &cost, &n_events);
    first = i == 0 ? took : first;
    best = MIN (best, took);
  }
  printf ("{\"first\": %.4f, \"wall\": %.4f, \"read\": %" G_GUINT64_FORMAT ", \"text\": %" G_GUINT64_FORMAT
          ", \"events\": %" G_GUINT64_FORMAT "}\n",
          first, best, cost.n_read, cost.n_bytes, n_events);
  return 0;
}
