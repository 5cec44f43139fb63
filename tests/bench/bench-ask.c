/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures interactive queries on a loaded run, with the functions that the window uses:
 *
 * - reading the details of a span with its args;
 * - searching a text in all names, without an index, and with the index that the window builds when the search opens;
 * - the work that a search causes in the main thread for each typed letter;
 * - the work that it causes there when results arrive (drawing their marks, hiding rows without a match).
 *
 * Prints one line of JSON, in ms.
 *
 * Usage: bench-ask TEXT PATH…, or bench-ask TEXT --made THOUSANDS_OF_SPANS_PER_RANK RANKS for a generated run, which
 * has no details.
 */
#include "fake-run.h"
#include "loom-draw-list.h"
#include "loom-event-args.h"
#include "loom-load.h"
#include "loom-search.h"
#include "loom-span-properties.h"
#include "loom-timeline-state.h"

#include <stdio.h>
#include <stdlib.h>

#define N_DETAILS 400
#define N_SEARCHES 7

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

static LoomSpanId
any_span (LoomRun *run, GRand *dice)
{
  for (;;) {
    guint trace = g_rand_int (dice) % loom_run_get_n_traces (run);
    guint32 n = loom_trace_get_spans (loom_run_get_trace (run, trace))->n;
    if (n > 0)
      return (LoomSpanId) { trace, g_rand_int (dice) % n };
  }
}

static void
ask_details (LoomTimeline *timeline)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (7);
  double ms[N_DETAILS];
  gsize n_bytes = 0;
  for (guint i = 0; i < N_DETAILS; i++) {
    LoomSpanId span = any_span (loom_timeline_get_run (timeline), dice);
    gint64 begin_us = g_get_monotonic_time ();
    g_autoptr (GPtrArray) facts = loom_span_properties (timeline, NULL, NULL, span);
    LoomEventArgs *args = loom_event_args_read (timeline, span, NULL);
    ms[i] = ms_since (begin_us);
    if (args == NULL)
      g_error ("The args of a span cannot be read");
    n_bytes += strlen (args->event);
    loom_event_args_free (args);
  }
  qsort (ms, N_DETAILS, sizeof *ms, compare_doubles);
  printf ("\"details\": %.4f, \"details_p99\": %.4f, \"event_bytes\": %.0f, ", ms[N_DETAILS / 2],
          ms[N_DETAILS * 99 / 100], (double) n_bytes / N_DETAILS);
}

/* Reads every name id once: the lower bound for a search without an index. */
static double
pass_over_names (LoomRun *run)
{
  gint64 begin_us = g_get_monotonic_time ();
  guint64 n_equal = 0;
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomSpans *spans = loom_trace_get_spans (loom_run_get_trace (run, i));
    for (guint32 s = 0; s < spans->n; s++)
      n_equal += spans->name_id[s] == 1;
  }
  double ms = ms_since (begin_us);
  if (n_equal == G_MAXUINT64) /* never true, but keeps the compiler from removing the loop */
    puts ("");
  return ms;
}

static double
search_once (LoomTimeline *timeline, LoomSearchIndex *index, const char *text, guint64 *n_found)
{
  gint64 begin_us = g_get_monotonic_time ();
  g_autoptr (LoomSearchQuery) query = loom_search_query_new (text, FALSE, NULL);
  LoomSearchResult *result = loom_search (timeline, index, NULL, query, NULL);
  double ms = ms_since (begin_us);
  *n_found = result->n_found;
  loom_search_result_unref (result);
  return ms;
}

static double
median (double *ms)
{
  qsort (ms, N_SEARCHES, sizeof *ms, compare_doubles);
  return ms[N_SEARCHES / 2];
}

/* Alternates the searches and the plain pass over the names, so that changes in the speed of the machine affect both
 * equally. */
static void
ask_search (LoomTimeline *timeline, const char *text)
{
  double search_ms[N_SEARCHES], plain_ms[N_SEARCHES], pass_ms[N_SEARCHES], index_ms[N_SEARCHES];
  guint64 n_found = 0, n_plainly = 0;
  gsize n_bytes = 0;
  for (guint i = 0; i < N_SEARCHES; i++) {
    pass_ms[i] = pass_over_names (loom_timeline_get_run (timeline));
    gint64 begin_us = g_get_monotonic_time ();
    g_autoptr (LoomSearchIndex) index = loom_search_index_new (loom_timeline_get_run (timeline), NULL, NULL);
    index_ms[i] = ms_since (begin_us);
    n_bytes = loom_search_index_get_memory (index);
    search_ms[i] = search_once (timeline, index, text, &n_found);
    plain_ms[i] = search_once (timeline, NULL, text, &n_plainly);
    if (n_found != n_plainly)
      g_error ("With the index %" G_GUINT64_FORMAT " were found, without %" G_GUINT64_FORMAT, n_found, n_plainly);
  }
  printf ("\"search\": %.4f, \"search_plain\": %.4f, \"index\": %.4f, \"index_bytes\": %" G_GSIZE_FORMAT
          ", \"pass\": %.4f, \"found\": %" G_GUINT64_FORMAT ", ",
          median (search_ms), median (plain_ms), median (index_ms), n_bytes, median (pass_ms), n_found);
}

/* Measures the work of the main thread for each letter that is typed into the search bar, before the search starts. */
static double
type_letter (LoomTimelineState *state, const char *text, guint *n_rows)
{
  gint64 begin_us = g_get_monotonic_time ();
  g_autoptr (LoomSearchQuery) query = loom_search_query_new (text, FALSE, NULL);
  loom_timeline_state_take_hits (state, NULL, NULL);
  *n_rows = loom_row_list_count_like (loom_timeline_state_get_row_list (state), text);
  return ms_since (begin_us);
}

/* Measures the work of the main thread when the results of a search arrive. */
static double
take_answer (LoomTimelineState *state, LoomDrawList *list, LoomSearchResult *result)
{
  LoomDrawOptions options = { LOOM_COLOR_BY_NAME };
  gint64 begin_us = g_get_monotonic_time ();
  loom_timeline_state_take_hits (state, g_array_ref (result->hits), g_array_ref (result->ticks_ns));
  options.hits = loom_timeline_state_get_hits (state, &options.n_hits);
  loom_draw_list_build (list, loom_timeline_state_get_row_list (state), loom_timeline_state_get_viewport (state),
                        &options);
  return ms_since (begin_us);
}

static void
ask_main_thread (LoomTimeline *timeline, const char *text)
{
  double letter_ms[N_SEARCHES], rows_ms[N_SEARCHES], answer_ms[N_SEARCHES];
  guint n_rows = 0;
  g_autoptr (LoomTimelineState) state = loom_timeline_state_new ();
  g_autoptr (LoomDrawList) list = loom_draw_list_new ();
  g_autoptr (LoomSearchQuery) query = loom_search_query_new (text, FALSE, NULL);
  LoomSearchResult *result = loom_search (timeline, NULL, NULL, query, NULL);
  loom_timeline_state_set_timeline (state, timeline);
  loom_timeline_state_set_size (state, 1700, 1000);
  loom_timeline_state_set_only_hits (state, TRUE);
  for (guint i = 0; i < N_SEARCHES; i++) {
    letter_ms[i] = type_letter (state, text, &n_rows);
    gint64 begin_us = g_get_monotonic_time ();
    n_rows = loom_row_list_count_like (loom_timeline_state_get_row_list (state), "a");
    rows_ms[i] = ms_since (begin_us);
    answer_ms[i] = take_answer (state, list, result);
  }
  double first_ms = letter_ms[0]; /* typing the first letter takes longer, because the case-folded paths of the rows are
                                   * not cached yet */
  printf ("\"letter\": %.4f, \"letter_first\": %.4f, \"rows\": %.4f, \"rows_like\": %u, \"answer\": %.4f, ",
          median (letter_ms), first_ms, median (rows_ms), n_rows, median (answer_ms));
  loom_search_result_unref (result);
}

static LoomTimeline *
load (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomRun) run =
    argc > 2 ? loom_load_paths ((const char *const *) argv + 2, NULL, NULL, NULL, NULL, &error) : NULL;
  if (run == NULL || loom_run_get_n_traces (run) == 0) {
    fprintf (stderr, "%s\n", error != NULL ? error->message : "Usage: bench-ask TEXT PATH…");
    return NULL;
  }
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  return loom_timeline_new (run, alignment);
}

int
main (int argc, char **argv)
{
  gboolean made = argc == 5 && strcmp (argv[2], "--made") == 0;
  LoomTimeline *timeline;
  if (made) {
    guint ranks = (guint) MAX (atoi (argv[4]), 1), n_steps = (guint) MAX (atoi (argv[3]) * 1000 / 2900, 1);
    FakeShape shape = { MAX (ranks / 8, 1), MIN (ranks, 8), n_steps, 24, 20, FALSE };
    timeline = fake_run_new (&shape);
  } else {
    timeline = load (argc, argv);
  }
  if (timeline == NULL)
    return 1;
  LoomRun *run = loom_timeline_get_run (timeline);
  guint64 n_spans = 0;
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    n_spans += loom_trace_get_spans (loom_run_get_trace (run, i))->n;
  printf ("{");
  if (!made)
    ask_details (timeline);
  ask_search (timeline, argv[1]);
  ask_main_thread (timeline, argv[1]);
  printf ("\"spans\": %" G_GUINT64_FORMAT "}\n", n_spans);
  loom_timeline_unref (timeline);
  return 0;
}
