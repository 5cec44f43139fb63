/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures how long it takes to make the table of the span names of a selected range. For comparison, measures a plain
 * pass over the start, duration and name columns of the same spans in one thread, which is the lower bound for reading
 * them. The range differs in each round and omits up to a thousandth of the spans at each end. The index of names is
 * kept between rounds, as in the window.
 *
 * Also measures, once: the list of all events sorted by start and by name; the call tree of the CPU threads top-down
 * and bottom-up; the table of operators; and, if the run consists of files, the time of loading. Prints one line of
 * JSON, in ms.
 *
 * Usage: bench-selection THOUSANDS_OF_SPANS RANKS [PATH…]: a generated run, or the files at the paths.
 */
#include "fake-run.h"
#include "loom-event-list.h"
#include "loom-load.h"
#include "loom-operators.h"
#include "loom-range-statistics.h"
#include "loom-span-tree.h"

#include <stdio.h>
#include <stdlib.h>

#define N_ROUNDS 9

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

static double
ms_since (gint64 begin_us)
{
  return (double) (g_get_monotonic_time () - begin_us) / 1e3;
}

static double
median (double *ms)
{
  qsort (ms, N_ROUNDS, sizeof *ms, compare_doubles);
  return ms[N_ROUNDS / 2];
}

/* Sums the columns of all spans that begin inside the range. The range is compared with the times as each trace's clock
 * recorded them. Any other aggregate would take the same time. */
static double
plain_pass (LoomRun *run, LoomRange range, guint64 *n_inside)
{
  gint64 begin_us = g_get_monotonic_time ();
  guint64 n = 0, total = 0, names = 0;
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomSpans *spans = loom_trace_get_spans (loom_run_get_trace (run, i));
    for (guint32 s = 0; s < spans->n; s++) {
      gboolean inside = spans->start_ns[s] < range.end_ns && spans->start_ns[s] >= range.begin_ns;
      n += inside;
      total += inside ? (guint64) spans->dur_ns[s] : 0;
      names += inside ? spans->name_id[s] : 0;
    }
  }
  double ms = ms_since (begin_us);
  if (total == 1 && names == 1) /* never true, but keeps the compiler from removing the loop */
    puts ("");
  *n_inside = n;
  return ms;
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

static LoomTimeline *
make (const char *thousands, const char *n_ranks)
{
  guint ranks = (guint) MAX (atoi (n_ranks), 1),
        n_steps = (guint) MAX (atoi (thousands) * 1000 / (int) ranks / 2900, 1);
  FakeShape shape = { MAX (ranks / 8, 1), MIN (ranks, 8), n_steps, 24, 20, FALSE };
  return fake_run_new (&shape);
}

/* Returns the ms to build the list of all events sorted by `order`. */
static double
time_list (LoomTimeline *timeline, LoomEventOrder order)
{
  const LoomEventQuery query = { .order = order };
  gint64 begin_us = g_get_monotonic_time ();
  g_autoptr (LoomEventList) list = loom_event_list_new (timeline, &query, NULL);
  return ms_since (begin_us);
}

static double
time_tree (LoomTimeline *timeline, LoomRange range, LoomSpanTreeDirection direction)
{
  const LoomSpanTreeQuery query = { .timeline = timeline, .range = range, .direction = direction };
  gint64 begin_us = g_get_monotonic_time ();
  loom_call_tree_unref (loom_span_tree_new (&query, NULL));
  return ms_since (begin_us);
}

static double
time_operators (LoomTimeline *timeline, LoomRange range)
{
  gint64 begin_us = g_get_monotonic_time ();
  g_autoptr (LoomOperators) operators = loom_operators_new (timeline, NULL, range, NULL);
  return ms_since (begin_us);
}

int
main (int argc, char **argv)
{
  if (argc < 3) {
    fprintf (stderr, "Usage: bench-selection THOUSANDS_OF_SPANS RANKS [PATH…]\n");
    return 1;
  }
  gint64 load_us = g_get_monotonic_time ();
  LoomTimeline *timeline = argc > 3 ? load (argv + 3) : make (argv[1], argv[2]);
  double load_ms = ms_since (load_us);
  LoomRun *run = loom_timeline_get_run (timeline);
  double pass_ms[N_ROUNDS], table_ms[N_ROUNDS];
  guint64 n_inside = 0, n_counted = 0;
  guint n_names = 0;
  LoomRange whole;
  if (!loom_timeline_get_extent (timeline, &whole))
    return 1;
  gint64 join_us = g_get_monotonic_time ();
  g_autoptr (LoomRunNames) names = loom_run_names_new (run);
  double join_ms = ms_since (join_us);
  for (guint i = 0; i < N_ROUNDS; i++) {
    gint64 margin_ns = (whole.end_ns - whole.begin_ns) / 1000 * i / N_ROUNDS;
    LoomRange range = { whole.begin_ns + margin_ns, whole.end_ns - margin_ns };
    pass_ms[i] = plain_pass (run, range, &n_inside);
    gint64 begin_us = g_get_monotonic_time ();
    g_autoptr (LoomRangeStatistics) stats =
      loom_range_statistics_new_with_names (timeline, names, range, NULL, 0, NULL);
    table_ms[i] = ms_since (begin_us);
    n_counted = stats->count;
    n_names = stats->n_names;
  }
  printf ("{\"list\": %.4f, \"by_name\": %.4f, ", time_list (timeline, LOOM_EVENT_BY_START),
          time_list (timeline, LOOM_EVENT_BY_NAME));
  printf ("\"load\": %.4f, \"tree\": %.4f, \"tree_up\": %.4f, \"operators\": %.4f, ", load_ms,
          time_tree (timeline, whole, LOOM_SPAN_TREE_TOP_DOWN), time_tree (timeline, whole, LOOM_SPAN_TREE_BOTTOM_UP),
          time_operators (timeline, whole));
  printf ("\"pass\": %.4f, \"table\": %.4f, \"join\": %.4f, \"spans\": %" G_GUINT64_FORMAT
          ", \"inside\": %" G_GUINT64_FORMAT ", \"names\": %u}\n",
          median (pass_ms), median (table_ms), join_ms, n_counted, n_inside, n_names);
  loom_timeline_unref (timeline);
  return 0;
}
