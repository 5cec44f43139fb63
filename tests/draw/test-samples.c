/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests summaries of many samples and spans, which are used for drawing: they agree with reading all samples and spans,
 * within the stated error.
 */
#include "fake-run.h"
#include "loom-counter-values.h"
#include "loom-draw-list.h"
#include "loom-min-max-index.h"
#include "loom-minimap-data.h"
#include "loom-row-summary.h"
#include "loom-trace-builder.h"

#include <math.h>
#include <string.h>

/* --- samples ---------------------------------------------------------------------------------------------------- */

static LoomSeries
random_series (GRand *dice, guint32 n, gint64 *time_ns, double *value)
{
  gint64 now_ns = g_rand_int_range (dice, -1000, 1000);
  for (guint32 i = 0; i < n; i++) {
    time_ns[i] = now_ns += g_rand_int_range (dice, 0, 3) == 0 ? g_rand_int_range (dice, 0, 400) : 7;
    value[i] = g_rand_double_range (dice, -10, 10);
  }
  return (LoomSeries) { .time_ns = time_ns, .value = value, .n = n, .hold_ns = 300 };
}

static void
test_extremes (void)
{
  static const guint32 lengths[] = { 1, 15, 16, 17, 255, 256, 257, 4096, 5000, 70000 };
  g_autoptr (GRand) dice = g_rand_new_with_seed (12);
  g_autofree gint64 *time_ns = g_new (gint64, 70000);
  g_autofree double *value = g_new (double, 70000);
  for (guint k = 0; k < G_N_ELEMENTS (lengths); k++) {
    LoomSeries series = random_series (dice, lengths[k], time_ns, value);
    LoomMinMaxIndex *extremes[LOOM_N_QUANTITIES];
    for (LoomQuantity q = 0; q < LOOM_N_QUANTITIES; q++)
      extremes[q] = loom_min_max_index_new (&series, q);
    for (guint i = 0; i < 300; i++) {
      guint32 first = (guint32) g_rand_int_range (dice, 0, (gint) series.n);
      guint32 end = (guint32) g_rand_int_range (dice, (gint) first + 1, (gint) series.n + 1);
      LoomQuantity quantity = i % LOOM_N_QUANTITIES;
      double low, high, least = INFINITY, most = -INFINITY;
      for (guint32 s = first; s < end; s++) {
        double read = loom_counter_quantity_read (&series, quantity, s);
        least = !isnan (read) ? MIN (least, read) : least;
        most = !isnan (read) ? MAX (most, read) : most;
      }
      series.extremes[quantity] = i % 5 == 0 ? NULL : extremes[quantity];
      g_assert_cmpint (loom_min_max_index_find (&series, quantity, first, end, &low, &high), ==, least <= most);
      g_assert_cmpfloat (low, ==, least);
      g_assert_cmpfloat (high, ==, most);
    }
    for (LoomQuantity q = 0; q < LOOM_N_QUANTITIES; q++)
      loom_min_max_index_free (extremes[q]);
  }
}

static gboolean
holds_at (const char *format, gint64 after_ns)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint clock = loom_trace_builder_add_clock (builder);
  LoomSource *info = loom_source_new ("a.json");
  info->format = format;
  guint source = loom_trace_builder_add_source (builder, info, clock);
  guint32 process = loom_trace_builder_process (builder, source, "1", 1);
  guint32 counter = loom_trace_builder_counter (builder, process, "", 0, "cpu", 3, "", 0),
          series = loom_trace_builder_series (builder, counter, "", 0);
  for (gint64 i = 0; i < 40; i++) /* samples every half second, with a minute between two cycles */
    loom_trace_builder_sample (builder, series,
                               FAKE_BEGIN_NS + i * LOOM_NS_PER_S / 2 + (i >= 20 ? 60 * LOOM_NS_PER_S : 0), (double) i,
                               LOOM_REF_NONE);
  g_autoptr (LoomTimeline) timeline = fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  g_autoptr (LoomDrawList) list = loom_draw_list_new ();
  LoomViewport view = { FAKE_BEGIN_NS, FAKE_BEGIN_NS + 80 * LOOM_NS_PER_S, 800, 400, 0 };
  LoomCounterSeries plotted = { 0 };
  double value = NAN;
  loom_row_list_set_timeline (outline, timeline);
  loom_draw_list_build (list, outline, &view, NULL);
  return loom_counter_values_at (timeline, &plotted, FAKE_BEGIN_NS + after_ns, &value) && value == 19;
}

/* Composer records nothing between two cycles, so its values hold for a limited time; values of other formats hold
 * until the next sample.
 * Covers documented rows: composer.md §7 gaps between cycles */
static void
test_gap (void)
{
  const gint64 last_ns = 19 * LOOM_NS_PER_S / 2;
  g_assert_true (holds_at ("composer", last_ns + 4 * LOOM_NS_PER_S));
  g_assert_false (holds_at ("composer", last_ns + 30 * LOOM_NS_PER_S));
  g_assert_true (holds_at ("chrome", last_ns + 30 * LOOM_NS_PER_S));
}

/* A view of almost the whole range of int64 does not overflow. */
static void
test_widest_view (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint clock = loom_trace_builder_add_clock (builder);
  guint source = loom_trace_builder_add_source (builder, loom_source_new ("a.json"), clock);
  guint32 process = loom_trace_builder_process (builder, source, "1", 1);
  guint32 counter = loom_trace_builder_counter (builder, process, "", 0, "cpu", 3, "", 0);
  for (guint k = 0; k < 40; k++) {
    g_autofree char *name = g_strdup_printf ("core %u", k);
    guint32 series = loom_trace_builder_series (builder, counter, name, strlen (name));
    for (gint64 i = -40; i <= 40; i++)
      loom_trace_builder_sample (builder, series, i * (G_MAXINT64 / 41), (double) i, LOOM_REF_NONE);
  }
  g_autoptr (LoomTimeline) timeline = fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  g_autoptr (LoomDrawList) list = loom_draw_list_new ();
  LoomViewport view = { G_MININT64 + 2, G_MAXINT64 - 2, 900, 400, 0 };
  guint n;
  loom_row_list_set_timeline (outline, timeline);
  loom_draw_list_build (list, outline, &view, NULL);
  loom_draw_list_get_plots (list, &n);
  g_assert_cmpuint (n, ==, 1);
}

/* --- spans ------------------------------------------------------------------------------------------------------ */

/* Returns a trace with one row: bursts of short spans, gaps, and a few long spans. */
static LoomTrace *
random_row (GRand *dice, guint n)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  loom_trace_builder_add_clock (builder);
  guint source = loom_trace_builder_add_source (builder, loom_source_new ("a.json"), 0);
  guint32 process = loom_trace_builder_process (builder, source, "1", 1),
          thread = loom_trace_builder_thread (builder, process, "1", 1);
  guint32 name = loom_trace_builder_name (builder, "a", 1, "", 0, "", 0);
  gint64 time_ns = g_rand_int_range (dice, -5000, 5000);
  for (guint i = 0; i < n; i++) {
    gboolean is_long = g_rand_int_range (dice, 0, 5000) == 0;
    gint64 dur_ns = g_rand_int_range (dice, 1, is_long ? 200000 : 60);
    loom_trace_builder_span (builder, thread, time_ns, dur_ns, name, loom_source_ref_make (source, 0, i));
    time_ns += dur_ns + g_rand_int_range (dice, 0, g_rand_int_range (dice, 0, 300) == 0 ? 20000 : 10);
  }
  return loom_trace_builder_freeze (builder, 1, NULL);
}

/* Returns the duration of the longest span that begins in a range. */
static gint64
longest_in (const LoomTrace *trace, const LoomRow *row, gint64 begin_ns, gint64 end_ns)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 end = loom_trace_row_lower_bound (trace, row, end_ns);
  gint64 most_ns = 0;
  for (guint32 i = loom_trace_row_lower_bound (trace, row, begin_ns); i < end; i++)
    most_ns = MAX (most_ns, spans->dur_ns[row->first + i]);
  return most_ns;
}

static void
check_sketch (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n)
{
  g_autofree LoomSpanSummary *sketch = g_new (LoomSpanSummary, n), *exact = g_new (LoomSpanSummary, n);
  gint64 slack_ns = (edges_ns[n] - edges_ns[0]) / n / LOOM_SKETCH_SHARE, busy_ns = 0, exact_ns = 0;
  const LoomSpans *spans = loom_trace_get_spans (trace);
  loom_row_summary_sketch_many (trace, row, edges_ns, n, sketch);
  loom_row_summary_add_many (trace, row, edges_ns, n, exact);
  for (guint i = 0; i < n; i++) {
    busy_ns += sketch[i].busy_ns;
    exact_ns += exact[i].busy_ns;
    g_assert_cmpint (ABS (sketch[i].busy_ns - exact[i].busy_ns), <=, 2 * slack_ns + 2);
    /* a span that is long enough to be drawn separately is exactly the same in the summary */
    if (MAX (exact[i].longest_ns, sketch[i].longest_ns) > slack_ns)
      g_assert_cmpuint (sketch[i].longest, ==, exact[i].longest);
    g_assert_cmpint (sketch[i].longest_ns, >=,
                     longest_in (trace, row, edges_ns[i] + slack_ns, edges_ns[i + 1] - slack_ns));
    g_assert_true (sketch[i].n == 0 || sketch[i].name_id == spans->name_id[sketch[i].longest]);
    if (sketch[i].n == 0)
      continue;
    g_assert_cmpint (spans->dur_ns[sketch[i].longest], ==, sketch[i].longest_ns);
    g_assert_cmpint (spans->start_ns[sketch[i].longest], <, edges_ns[i + 1] + slack_ns);
    g_assert_cmpint (spans->start_ns[sketch[i].longest] + sketch[i].longest_ns, >=, edges_ns[i]);
  }
  g_assert_cmpint (ABS (busy_ns - exact_ns), <=, 2 * slack_ns + 2);
}

static void
test_sketch (void)
{
  static const guint lengths[] = { 1, 100, 1000, 20000, 300000 };
  g_autoptr (GRand) dice = g_rand_new_with_seed (13);
  gint64 edges_ns[1001];
  for (guint k = 0; k < G_N_ELEMENTS (lengths); k++) {
    g_autoptr (LoomTrace) trace = random_row (dice, lengths[k]);
    const LoomRow *row = loom_trace_get_row (trace, 0);
    const LoomTrack *track = loom_trace_get_track (trace, 0);
    for (guint round = 0; round < 60; round++) {
      guint n = (guint) g_rand_int_range (dice, 1, 1001);
      gint64 length_ns = (track->end_ns - track->start_ns + 100) >> round % 12;
      gint64 begin_ns = track->start_ns - 50 + (gint64) (g_rand_double (dice) * (double) length_ns * (round % 12));
      for (guint i = 0; i <= n; i++)
        edges_ns[i] = begin_ns + length_ns * i / n;
      check_sketch (trace, row, edges_ns, n);
    }
  }
}

/* --- extreme times --- */

#define FAR_NS G_GINT64_CONSTANT (9200000000000000000)

/* Returns a trace with spans at both ends of the range of gint64, and a long span from the first time to the middle. */
static LoomTrace *
utmost_row (guint n)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  loom_trace_builder_add_clock (builder);
  guint source = loom_trace_builder_add_source (builder, loom_source_new ("a.json"), 0);
  guint32 process = loom_trace_builder_process (builder, source, "1", 1),
          thread = loom_trace_builder_thread (builder, process, "1", 1);
  guint32 name = loom_trace_builder_name (builder, "a", 1, "", 0, "", 0);
  for (guint i = 0; i < n; i++) {
    loom_trace_builder_span (builder, thread, -FAR_NS + i * 10, 5, name, loom_source_ref_make (source, 0, 2 * i));
    loom_trace_builder_span (builder, thread, FAR_NS + i * 10, 5, name, loom_source_ref_make (source, 0, 2 * i + 1));
  }
  loom_trace_builder_span (builder, thread, -FAR_NS + n * 10, FAR_NS, name, loom_source_ref_make (source, 0, 2 * n));
  return loom_trace_builder_freeze (builder, 1, NULL);
}

static void
test_ends_of_time (void)
{
  static const guint lengths[] = { 20, 600, 20000 };
  gint64 edges_ns[65];
  LoomSpanSummary sketch[64], exact[64];
  for (guint k = 0; k < G_N_ELEMENTS (lengths); k++) {
    LoomTrace *trace = utmost_row (lengths[k]);
    g_autoptr (LoomTimeline) timeline = fake_timeline_of (trace);
    const LoomRow *row = loom_trace_get_row (trace, 0);
    guint64 n = 0;
    for (guint i = 0; i <= 64; i++)
      edges_ns[i] = (gint64) ((guint64) -FAR_NS + i * (guint64) (FAR_NS / 32));
    edges_ns[64] += FAR_NS / 1000;
    loom_row_summary_add_many (trace, row, edges_ns, 64, exact);
    loom_row_summary_sketch_many (trace, row, edges_ns, 64, sketch);
    for (guint i = 0; i < 64; i++) {
      n += exact[i].n;
      g_assert_cmpint (exact[i].busy_ns, <=, loom_time_sub (edges_ns[i + 1], edges_ns[i]));
      g_assert_cmpint (sketch[i].longest_ns, ==, exact[i].longest_ns);
    }
    /* the long span overlaps 33 of the 64 ranges and counts once in each of them, besides the short spans */
    g_assert_cmpuint (n, >=, 2 * lengths[k] + 32);
    g_autoptr (LoomMinimapData) overview = loom_minimap_data_new (timeline, NULL, NULL);
    const float *busy = overview->busy;
    for (guint i = 0; i < LOOM_MINIMAP_DATA_BUCKETS; i++)
      g_assert_true (busy[i] >= 0 && busy[i] <= 1);
  }
}

/* Pictures of the extreme times contain the extreme spans. */
static void
test_ends_of_time_drawn (void)
{
  LoomTrace *trace = utmost_row (20000);
  g_autoptr (LoomTimeline) timeline = fake_timeline_of (trace);
  LoomRowList *outline = loom_row_list_new ();
  LoomDrawList *list = loom_draw_list_new ();
  loom_row_list_set_timeline (outline, timeline);
  loom_row_list_fold_all (outline, FALSE);
  const LoomRange ranges[] = { { -FAR_NS, FAR_NS },
                               { -FAR_NS, -FAR_NS + 400000 },
                               { FAR_NS, FAR_NS + 400000 },
                               { FAR_NS, G_MAXINT64 },
                               { G_MININT64 + 2, -FAR_NS } };
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++) {
    LoomViewport view;
    guint n;
    loom_viewport_init (&view, ranges[i], 1000, 600);
    loom_draw_list_build (list, outline, &view, NULL);
    loom_draw_list_get_marks (list, &n);
    g_assert_cmpuint (n, >, 0);
  }
  loom_draw_list_free (list);
  loom_row_list_free (outline);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/samples/gap", test_gap);
  g_test_add_func ("/draw/samples/widest-view", test_widest_view);
  g_test_add_func ("/draw/samples/extremes", test_extremes);
  g_test_add_func ("/draw/samples/sketch", test_sketch);
  g_test_add_func ("/draw/samples/ends-of-time", test_ends_of_time);
  g_test_add_func ("/draw/samples/ends-of-time-drawn", test_ends_of_time_drawn);
  return g_test_run ();
}
