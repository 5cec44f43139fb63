/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the search: the spans that are found, the order in which steps visit them, and the navigation to them.
 */
#include "loom-timeline-description.h"
#include "run-fixture.h"

#include "loom-progress-cancellable.h"
#include "loom-search-sort.h"
#include "loom-search-summary.h"
#include "loom-search.h"
#include "loom-timeline-description.h"
#include "loom-trace-builder.h"

#include <string.h>

static LoomRunState *run_state;

static LoomTimeline *
timeline (void)
{
  return loom_document_get_timeline (loom_run_state_get_document (run_state));
}

static LoomSearchResult *
find (LoomTimeline *in, LoomSearchIndex *index, const char *text, gboolean regex)
{
  g_autoptr (LoomSearchQuery) query = loom_search_query_new (text, regex, NULL);
  return loom_search (in, index, NULL, query, NULL);
}

/* Searches names, and compares the found spans with a linear scan over all spans. */
static void
test_finds (void)
{
  LoomSearchResult *result = find (timeline (), NULL, "FORWARD", FALSE);
  LoomRun *run = loom_timeline_get_run (timeline ());
  guint64 expected = 0;
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    LoomTrace *trace = loom_run_get_trace (run, t);
    const LoomSpans *spans = loom_trace_get_spans (trace);
    for (guint32 i = 0; i < spans->n; i++) {
      g_autofree char *name = g_ascii_strdown (loom_trace_get_name (trace, spans->name_id[i])->text, -1);
      expected += strstr (name, "forward") != NULL;
    }
  }
  g_assert_cmpuint (expected, >, 0);
  g_assert_cmpuint (result->n_found, ==, expected);
  g_assert_cmpuint (result->hits->len, ==, expected);
  loom_search_result_unref (result);
}

#define SHORT_NS 10000000
#define LONG_NS 100000000

/* Tests filters by category and duration, with and without an index, by comparison with a linear scan. */
static void
test_category_and_duration (void)
{
  LoomRun *run = loom_timeline_get_run (timeline ());
  LoomSearchIndex *index = loom_search_index_new (run, NULL, NULL);
  guint64 expected = 0, of_category = 0;
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    LoomTrace *trace = loom_run_get_trace (run, t);
    const LoomSpans *spans = loom_trace_get_spans (trace);
    for (guint32 i = 0; i < spans->n; i++) {
      g_autofree char *category = g_ascii_strdown (loom_trace_get_name (trace, spans->name_id[i])->category, -1);
      expected += strstr (category, "kernel") != NULL && spans->dur_ns[i] > SHORT_NS && spans->dur_ns[i] <= LONG_NS;
      of_category += strstr (category, "kernel") != NULL;
    }
  }
  g_assert_cmpuint (expected, >, 0);
  g_assert_cmpuint (expected, <, of_category);
  for (guint indexed = 0; indexed < 2; indexed++) {
    LoomSearchResult *result = find (timeline (), indexed ? index : NULL, "cat:KERNEL dur>10ms dur<=0.1s", FALSE);
    g_assert_cmpuint (result->n_found, ==, expected);
    g_assert_cmpuint (result->hits->len, ==, expected);
    g_assert_null (result->names); /* NULL, because a filter excludes some spans of each name */
    loom_search_result_unref (result);
  }
  loom_search_index_unref (index);
}

/* Regular expressions are case-insensitive like texts; invalid ones are reported. */
static void
test_regex (void)
{
  g_autoptr (GRegex) regex = g_regex_new ("FORWARD|^step", G_REGEX_CASELESS, 0, NULL);
  LoomSearchResult *forward = find (timeline (), NULL, "forward", FALSE), *every = find (timeline (), NULL, ".", TRUE);
  LoomSearchResult *both = find (timeline (), NULL, "FORWARD|^step", TRUE);
  g_assert_cmpuint (both->n_found, >, forward->n_found);
  g_assert_cmpuint (both->n_found, <, every->n_found);
  for (guint i = 0; i < both->hits->len; i++) {
    LoomSpanId hit = g_array_index (both->hits, LoomSpanId, i);
    const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline ()), hit.trace);
    g_assert_true (g_regex_match (
      regex, loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[hit.span])->text, 0, NULL));
  }
  loom_search_result_unref (forward);
  loom_search_result_unref (every);
  loom_search_result_unref (both);
  g_assert_null (loom_search_query_new ("(", TRUE, NULL));
}

/* Compares the count and the total time of each found name with sums over all hits. */
static void
test_names (void)
{
  LoomSearchResult *result = find (timeline (), NULL, ".", TRUE);
  LoomSearchSummary *found = loom_search_summary_new (timeline (), result, NULL);
  gint64 total_ns = 0, names_ns = 0, count = 0;
  for (guint i = 0; i < result->hits->len; i++) {
    LoomSpanId hit = g_array_index (result->hits, LoomSpanId, i);
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline (), hit, &start_ns, &end_ns);
    total_ns += end_ns - start_ns;
  }
  for (guint i = 0; i < found->longest->len; i++) {
    count += (gint64) loom_result_table_get_number (found->table, i, 2);
    names_ns += (gint64) loom_result_table_get_number (found->table, i, 3);
    g_assert_cmpfloat (loom_result_table_get_number (found->table, i, 5), <=,
                       loom_result_table_get_number (found->table, i, 7));
  }
  g_assert_cmpuint (found->count, ==, result->n_found);
  g_assert_cmpint (count, ==, (gint64) result->n_found);
  g_assert_cmpint (found->total_ns, ==, names_ns);
  g_assert_cmpint (ABS (found->total_ns - total_ns), <=,
                   total_ns / 1000); /* compared approximately, because a clock with drift stretches durations on the
                                      * timeline */
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_search_summary_new (timeline (), result, cancellable));
  loom_search_summary_free (found);
  loom_search_result_unref (result);
}

static void
test_order (void)
{
  LoomSearchResult *result = find (timeline (), NULL, "e", FALSE);
  gint64 before = G_MININT64;
  for (guint i = 0; i < result->by_time->len; i++) {
    LoomSpanId hit = g_array_index (result->hits, LoomSpanId, g_array_index (result->by_time, guint32, i));
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline (), hit, &start_ns, &end_ns);
    g_assert_cmpint (start_ns, >=, before);
    before = start_ns;
  }
  guint middle = loom_search_result_after (timeline (), result, before, TRUE);
  g_assert_cmpuint (middle, <, result->by_time->len);
  g_assert_cmpuint (loom_search_result_after (timeline (), result, before, FALSE), ==, result->by_time->len);
  loom_search_result_unref (result);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_autoptr (LoomSearchQuery) names = loom_search_query_new ("e", FALSE, NULL),
                              args = loom_search_query_new ("e args:e", FALSE, NULL);
  g_assert_null (loom_search (timeline (), NULL, NULL, names, cancellable));
  g_assert_null (loom_search (timeline (), NULL, NULL, args, cancellable));
}

/* --- comparison with a linear scan on large runs --- */

/* Builds a trace of `n` spans. Most have one of a few frequent names; some names occur in one place only. */
static LoomTrace *
make_trace (guint n, guint seed)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  loom_trace_builder_add_clock (builder);
  guint source = loom_trace_builder_add_source (builder, loom_source_new ("a.json"), 0);
  guint32 process = loom_trace_builder_process (builder, source, "1", 1),
          thread = loom_trace_builder_thread (builder, process, "1", 1);
  for (guint i = 0; i < n; i++) {
    char text[32];
    g_snprintf (text, sizeof text,
                i % 50000 == seed ? "Rare %u"
                : i % 3 == 0      ? "often"
                                  : "Über %u",
                i % 50000 == seed ? i : i % 7);
    guint32 name = loom_trace_builder_name (builder, text, strlen (text), "", 0, "", 0);
    loom_trace_builder_span (builder, thread, (gint64) i * 5 + seed, 3, name, loom_source_ref_make (source, 0, i));
  }
  return loom_trace_builder_freeze (builder, 0, NULL);
}

static LoomTimeline *
make_timeline (guint n)
{
  LoomTrace *traces[3] = { make_trace (n, 1), make_trace (100, 2), make_trace (n, 3) };
  g_autoptr (LoomRun) run = loom_run_new (traces, G_N_ELEMENTS (traces));
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  for (guint i = 0; i < G_N_ELEMENTS (traces); i++)
    loom_trace_unref (traces[i]);
  return loom_timeline_new (run, alignment);
}

static void
check_against_all (LoomTimeline *many, const LoomSearchResult *result, const char *part)
{
  LoomRun *run = loom_timeline_get_run (many);
  guint64 n_found = 0;
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    LoomTrace *trace = loom_run_get_trace (run, t);
    const LoomSpans *spans = loom_trace_get_spans (trace);
    for (guint32 i = 0; i < spans->n; i++) {
      if (strstr (loom_trace_get_name (trace, spans->name_id[i])->text, part) == NULL)
        continue;
      LoomSpanId expected = { t, i };
      if (n_found < LOOM_SEARCH_MAX_HITS)
        g_assert_true (loom_timeline_span_id_equal (g_array_index (result->hits, LoomSpanId, n_found), expected));
      n_found++;
    }
  }
  g_assert_cmpuint (result->n_found, ==, n_found);
  g_assert_cmpuint (result->hits->len, ==, MIN (n_found, LOOM_SEARCH_MAX_HITS));
  g_assert_cmpuint (result->by_time->len, ==, result->hits->len);
}

static void
test_index (void)
{
  static const char *const texts[][2] = {
    { "rare", "Rare" },       { "OFTEN", "often" }, { "rare 50001", "Rare 50001" },
    { "nothing", "nothing" }, { "über", "Über" },
  };
  LoomTimeline *many = make_timeline (1600000);
  LoomRun *run = loom_timeline_get_run (many);
  g_autoptr (LoomSearchIndex) index = loom_search_index_new (run, NULL, NULL);
  g_autoptr (LoomSearchIndex) again = loom_search_index_new (run, index, NULL);
  LoomTrace *first = loom_run_get_trace (run, 0);
  g_assert_true (loom_search_index_get_counts (again, first) == loom_search_index_get_counts (index, first));
  g_assert_null (loom_search_index_get_counts (index, loom_run_get_trace (loom_timeline_get_run (timeline ()), 0)));
  g_assert_cmpuint (loom_search_index_get_memory (index), <, 3200000 / 2);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (texts); i++) {
    LoomSearchResult *result = find (many, i % 2 == 0 ? index : NULL, texts[i / 2][0], FALSE);
    check_against_all (many, result, texts[i / 2][1]);
    loom_search_result_unref (result);
  }
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_search_index_new (run, NULL, cancellable));
  loom_timeline_unref (many);
}

/* Compares the order in which hits are visited with a simple sort of their start times. */
static void
check_order (const LoomSpanId *hits, const GArray *runs, guint n, guint step)
{
  g_autofree guint32 *order = g_new (guint32, MAX (n, 1));
  g_autofree gint64 *ticks_ns = g_new (gint64, n / step + 1), *start_ns = g_new (gint64, MAX (n, 1));
  g_autofree guint8 *seen = g_malloc0 (MAX (n, 1));
  for (guint i = 0; i < runs->len; i++) {
    const LoomSearchRun *run = &g_array_index (runs, LoomSearchRun, i);
    for (guint hit = run->first; hit < run->end; hit++)
      start_ns[hit] = loom_clock_map_to_timeline (&run->map, run->start_ns[hits[hit].span]);
  }
  loom_search_sort (hits, (const LoomSearchRun *) (gpointer) runs->data, runs->len, step, order, ticks_ns);
  for (guint i = 0; i < n; i++) {
    g_assert_cmpuint (order[i], <, n);
    g_assert_cmpuint (seen[order[i]]++, ==, 0);
    if (i % step == 0)
      g_assert_cmpint (ticks_ns[i / step], ==, start_ns[order[i]]);
    if (i == 0)
      continue;
    g_assert_cmpint (start_ns[order[i - 1]], <=, start_ns[order[i]]);
    if (start_ns[order[i - 1]] == start_ns[order[i]])
      g_assert_cmpuint (order[i - 1], <, order[i]);
  }
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return x < y ? -1 : x > y;
}

/* Checks the order of hits in `n` spans on `n_rows` rows; the start times are random numbers of `bits` bits, and every
 * third span is a hit. */
static void
check_rows (GRand *dice, guint bits, guint n, guint n_rows)
{
  g_autofree gint64 *start_ns = g_new (gint64, 3 * (n + 1));
  g_autofree LoomSpanId *hits = g_new (LoomSpanId, n + 1);
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (LoomSearchRun));
  for (guint i = 0; i < 3 * n; i++) {
    guint64 any = (guint64) g_rand_int (dice) << 32 | g_rand_int (dice);
    start_ns[i] = (gint64) ((any & ((G_GUINT64_CONSTANT (2) << bits) - 1)) - (G_GUINT64_CONSTANT (1) << bits));
  }
  for (guint i = 0; i < n; i++)
    hits[i] = (LoomSpanId) { 0, 3 * i + 1 };
  for (guint row = 0, first = 0; row < n_rows && first < n; row++) {
    guint end = row + 1 == n_rows ? n : (guint) g_rand_int_range (dice, (gint) first + 1, (gint) n + 1);
    qsort (start_ns + 3 * first, 3 * (end - first), sizeof *start_ns, compare_times);
    LoomSearchRun run = {
      first, end, start_ns, { .offset_ns = bits < 60 ? row * 1000 : 0, .drift_ppt = row % 2 * 500000 }
    };
    g_array_append_val (runs, run);
    first = end;
  }
  check_order (hits, runs, runs->len > 0 ? g_array_index (runs, LoomSearchRun, runs->len - 1).end : 0, 1 + bits % 7);
}

/* If the range of the start times is small enough, the search sorts integers of 64 bits that contain both the start
 * time and the index of a hit. Tests start times of 0 to 63 random bits. */
static void
test_order_of_starts (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (5);
  for (guint bits = 0; bits < 64; bits++) {
    guint n = bits % 5 == 0 ? 50000 : (guint) g_rand_int_range (dice, 0, 3000);
    check_rows (dice, bits, n, 1 + bits % 17);
  }
  check_rows (dice, 40, 30000, 30000); /* rows with hardly more than one hit */
}

/* --- steps ------------------------------------------------------------------------------------------------------- */

static gboolean
has_some_hits (gpointer state)
{
  gsize n;
  loom_timeline_state_get_hits (state, &n);
  return n > 0;
}

static void
wait_for_hits (LoomRunState *run, gsize n)
{
  g_assert_true (run_fixture_wait_hits (run, n));
}

static void
test_steps (void)
{
  LoomTimelineState *state = loom_run_state_get_view (run_state);
  LoomSearchState *search = loom_run_state_get_search (run_state);
  loom_search_state_set_open (search, TRUE);
  loom_search_state_ask (search, "backward", FALSE);
  g_assert_true (fixture_wait (has_some_hits, state));
  g_assert_true (loom_search_state_step (search, TRUE));
  LoomSpanId first = loom_timeline_state_get_lead (state);
  g_assert_false (loom_timeline_span_id_is_none (first));
  g_autofree char *name = g_ascii_strdown (loom_timeline_description_name (state, first), -1);
  g_assert_nonnull (strstr (name, "backward"));
  loom_search_state_step (search, TRUE);
  g_assert_false (loom_timeline_span_id_equal (first, loom_timeline_state_get_lead (state)));
  loom_search_state_step (search, FALSE);
  g_assert_true (loom_timeline_span_id_equal (first, loom_timeline_state_get_lead (state)));
  loom_search_state_set_open (search, FALSE);
}

static LoomRunState *
open_trace (void)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "trace.json", RUN_FIXTURE_TRACE);
  LoomRunState *run = run_fixture_open (path);
  loom_search_state_set_open (loom_run_state_get_search (run), TRUE);
  return run;
}

static void
test_ticks (void)
{
  LoomRunState *run = open_trace ();
  LoomPaintOptions options = { 0 };
  loom_search_state_ask (loom_run_state_get_search (run), "send", FALSE);
  wait_for_hits (run, 1);
  loom_timeline_state_fill_options (loom_run_state_get_view (run), &options);
  g_assert_cmpuint (options.n_ticks, ==, 1);
  g_assert_cmpint (options.ticks_ns[0], ==,
                   run_fixture_range_of (run, run_fixture_find_span (run, "send", 0)).begin_ns);
  run_fixture_close (run);
}

static void
assert_step (LoomRunState *run, gboolean forward, const char *name, guint nth)
{
  g_assert_true (loom_search_state_step (loom_run_state_get_search (run), forward));
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (loom_run_state_get_view (run)),
                                              run_fixture_find_span (run, name, nth)));
}

/* A step forward first goes to the first hit after the left edge of the view, and a step backward to the last hit
 * before the edge. Further steps visit the hits in the order of time over all threads; the last hit is followed by the
 * first one. */
static void
test_directions (void)
{
  static const guint in_time[] = { 0, 4, 1, 2, 3 }; /* numbers of the ticks in the order of their times; the last one in
                                                     * trace order is on another thread */
  LoomRunState *run = open_trace ();
  LoomSearchState *search = loom_run_state_get_search (run);
  loom_search_state_ask (search, "tick", FALSE);
  wait_for_hits (run, 5);
  for (guint i = 0; i <= G_N_ELEMENTS (in_time); i++)
    assert_step (run, TRUE, "tick", in_time[i % G_N_ELEMENTS (in_time)]);
  assert_step (run, FALSE, "tick", 3);
  assert_step (run, FALSE, "tick", 2);
  loom_search_state_ask (search, "send", FALSE);
  wait_for_hits (run, 1);
  loom_timeline_state_select_nothing (loom_run_state_get_view (run));
  loom_search_state_ask (search, "tick", FALSE);
  wait_for_hits (run, 5);
  LoomViewport all = loom_timeline_state_fitted (loom_run_state_get_view (run));
  loom_timeline_state_set_viewport (loom_run_state_get_view (run), &all);
  assert_step (run, FALSE, "tick", 3);
  run_fixture_close (run);
}

static gint64
get_view_ns (LoomRunState *run)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (loom_run_state_get_view (run));
  return view->end_ns - view->begin_ns;
}

/* While a range is selected, steps visit only the hits that overlap the range, even after a step has selected a hit.
 * After the user has selected something else, steps visit all hits. A step zooms in only if the hit would be too narrow
 * to be seen, and only until it can be seen. */
static void
test_steps_in_range (void)
{
  LoomRunState *run = open_trace ();
  LoomTimelineState *state = loom_run_state_get_view (run);
  LoomSearchState *search = loom_run_state_get_search (run);
  LoomRange first = run_fixture_range_of (run, run_fixture_find_span (run, "tick", 1)),
            last = run_fixture_range_of (run, run_fixture_find_span (run, "tick", 2));
  guint at;
  loom_search_state_ask (search, "tick", FALSE);
  wait_for_hits (run, 5);
  loom_timeline_state_set_size (state, (int) (4 * get_view_ns (run) / (last.end_ns - last.begin_ns)), 300);
  gint64 view_ns = get_view_ns (run);
  loom_timeline_state_select_range (state, (LoomRange) { first.begin_ns, last.end_ns });
  assert_step (run, TRUE, "tick", 1);
  g_assert_cmpuint (loom_search_state_get_scope (search, &at), ==, 2);
  g_assert_cmpuint (at, ==, 0);
  assert_step (run, TRUE, "tick", 2);
  assert_step (run, TRUE, "tick", 1);
  assert_step (run, FALSE, "tick", 2);
  g_assert_cmpint (get_view_ns (run), ==, view_ns);
  loom_timeline_state_select_nothing (state);
  assert_step (run, TRUE, "tick", 3);
  g_assert_cmpuint (loom_search_state_get_scope (search, &at), ==, 5);
  loom_timeline_state_set_size (state, 10, 300);
  assert_step (run, FALSE, "tick", 2);
  double px = (double) (last.end_ns - last.begin_ns) * 10 / (double) get_view_ns (run);
  g_assert_cmpfloat (px, >, 2.9);
  g_assert_cmpfloat (px, <, 3.1);
  run_fixture_close (run);
}

/* A hit that begins before the selected range and ends in it or after it is among those that steps visit, also if no hit
 * begins in the range. */
static void
test_steps_into_range (void)
{
  LoomRunState *run = open_trace ();
  LoomTimelineState *state = loom_run_state_get_view (run);
  LoomSearchState *search = loom_run_state_get_search (run);
  LoomRange first = run_fixture_range_of (run, run_fixture_find_span (run, "tick", 1)),
            last = run_fixture_range_of (run, run_fixture_find_span (run, "tick", 2));
  guint at;
  loom_search_state_ask (search, "tick", FALSE);
  wait_for_hits (run, 5);
  loom_timeline_state_select_range (state, (LoomRange) { first.begin_ns + 1, last.end_ns });
  assert_step (run, TRUE, "tick", 1);
  g_assert_cmpuint (loom_search_state_get_scope (search, &at), ==, 2);
  g_assert_cmpuint (at, ==, 0);
  loom_timeline_state_select_range (state, (LoomRange) { last.begin_ns + 1, last.end_ns - 1 });
  assert_step (run, TRUE, "tick", 2);
  g_assert_cmpuint (loom_search_state_get_scope (search, &at), ==, 1);
  loom_search_state_ask (search, "tick", TRUE);
  wait_for_hits (run, 5);
  g_assert_cmpuint (loom_search_state_get_scope (search, &at), ==, 5); /* a new search does not keep the range */
  run_fixture_close (run);
}

/* Searches args: one of the five spans named "tick" has an arg "at" that contains 200; one of all spans has an arg that
 * contains 520. */
static void
test_args (void)
{
  LoomRunState *run = open_trace ();
  LoomSearchState *search = loom_run_state_get_search (run);
  loom_search_state_ask (search, "tick args.at=200", FALSE);
  wait_for_hits (run, 1);
  assert_step (run, TRUE, "tick", 2);
  loom_search_state_ask (search, "args.at=520", FALSE);
  wait_for_hits (run, 1);
  assert_step (run, TRUE, "first", 0);
  loom_search_state_ask (search, "args.at=5200", FALSE);
  wait_for_hits (run, 0);
  loom_search_state_set_open (search, FALSE);
  run_fixture_close (run);
}

/* Rows without a hit are hidden only if the user requested this, and only while the search is open. */
static void
test_only_matching (void)
{
  LoomRunState *run = open_trace ();
  LoomTimelineState *state = loom_run_state_get_view (run);
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  guint all = loom_row_list_get_n_rows (rows), row, strip;
  loom_search_state_ask (loom_run_state_get_search (run), "second", FALSE);
  wait_for_hits (run, 1);
  loom_timeline_state_set_only_hits (state, TRUE);
  g_assert_cmpuint (loom_row_list_get_n_rows (rows), <, all);
  g_assert_true (loom_row_list_find_span (rows, run_fixture_find_span (run, "second", 0), &row, &strip));
  g_assert_false (loom_row_list_find_span (rows, run_fixture_find_span (run, "send", 0), &row, &strip));
  loom_timeline_state_set_only_hits (state, FALSE);
  g_assert_cmpuint (loom_row_list_get_n_rows (rows), ==, all);
  loom_timeline_state_set_only_hits (state, TRUE);
  g_assert_cmpuint (loom_row_list_get_n_rows (rows), <, all);
  loom_search_state_set_open (loom_run_state_get_search (run), FALSE);
  g_assert_cmpuint (loom_row_list_get_n_rows (rows), ==, all);
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/search/finds", test_finds);
  g_test_add_func ("/core/search/regex", test_regex);
  g_test_add_func ("/core/search/category-and-duration", test_category_and_duration);
  g_test_add_func ("/core/search/names", test_names);
  g_test_add_func ("/core/search/order", test_order);
  g_test_add_func ("/core/search/cancelled", test_cancelled);
  g_test_add_func ("/core/search/index", test_index);
  g_test_add_func ("/core/search/order-of-starts", test_order_of_starts);
  g_test_add_func ("/core/search/steps", test_steps);
  g_test_add_func ("/core/search/directions", test_directions);
  g_test_add_func ("/core/search/steps-in-range", test_steps_in_range);
  g_test_add_func ("/core/search/steps-into-range", test_steps_into_range);
  g_test_add_func ("/core/search/ticks", test_ticks);
  g_test_add_func ("/core/search/args", test_args);
  g_test_add_func ("/core/search/only-matching", test_only_matching);
  run_state = run_fixture_open (fixture_sample ());
  int status = g_test_run ();
  run_fixture_close (run_state);
  run_fixture_remove_folders ();
  return status;
}
