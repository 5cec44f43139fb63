/* SPDX-License-Identifier: Apache-2.0
 *
 * What drawing asks of many samples and of many spans agrees with looking at every one, or is off by no more than said.
 */
#include "loom-builder.h"
#include "loom-samples.h"
#include "loom-summary.h"

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
  return (LoomSeries) { .time_ns = time_ns, .value = value, .n = n };
}

static void
test_seek (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (11);
  gint64 time_ns[700];
  double value[700];
  for (guint32 n = 1; n < G_N_ELEMENTS (time_ns); n += 1 + n / 3) {
    LoomSeries series = random_series (dice, n, time_ns, value);
    for (guint i = 0; i < 400; i++) {
      gint64 at_ns = g_rand_int_range (dice, -1200, (gint) time_ns[n - 1] + 300);
      guint32 expected = 0, from = 0;
      while (expected < n && time_ns[expected] < at_ns)
        expected++;
      if (expected > 0)
        from = (guint32) g_rand_int_range (dice, 0, (gint) expected + 1);
      guint32 guess = (guint32) g_rand_int_range (dice, 0, (gint) n + 9);
      g_assert_cmpuint (loom_samples_seek (&series, from, guess, at_ns), ==, expected);
      g_assert_cmpuint (loom_samples_seek (&series, from, G_MAXUINT32, at_ns), ==, expected);
      g_assert_cmpuint (loom_samples_seek (&series, from, expected - from, at_ns), ==, expected);
    }
  }
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
    g_autoptr (LoomExtremes) extremes = loom_extremes_new (&series);
    for (guint i = 0; i < 300; i++) {
      guint32 first = (guint32) g_rand_int_range (dice, 0, (gint) series.n);
      guint32 end = (guint32) g_rand_int_range (dice, (gint) first + 1, (gint) series.n + 1);
      double low, high, least = value[first], most = value[first];
      for (guint32 s = first; s < end; s++) {
        least = MIN (least, value[s]);
        most = MAX (most, value[s]);
      }
      loom_extremes_find (i % 5 == 0 ? NULL : extremes, &series, first, end, &low, &high);
      g_assert_cmpfloat (low, ==, least);
      g_assert_cmpfloat (high, ==, most);
    }
  }
}

/* --- spans ------------------------------------------------------------------------------------------------------ */

/* Bursts of short spans, gaps, and now and then a long one. */
static LoomTrace *
random_row (GRand *dice, guint n)
{
  LoomBuilder *builder = loom_builder_new ();
  loom_builder_add_clock (builder);
  guint source = loom_builder_add_source (builder, loom_source_new ("a.json"), 0);
  guint32 process = loom_builder_process (builder, source, "1", 1),
          thread = loom_builder_thread (builder, process, "1", 1);
  guint32 name = loom_builder_name (builder, "a", 1, "", 0, "", 0);
  gint64 time_ns = g_rand_int_range (dice, -5000, 5000);
  for (guint i = 0; i < n; i++) {
    gboolean is_long = g_rand_int_range (dice, 0, 5000) == 0;
    gint64 dur_ns = g_rand_int_range (dice, 1, is_long ? 200000 : 60);
    loom_builder_span (builder, thread, time_ns, dur_ns, name, loom_ref_make (source, 0, i));
    time_ns += dur_ns + g_rand_int_range (dice, 0, g_rand_int_range (dice, 0, 300) == 0 ? 20000 : 10);
  }
  return loom_builder_freeze (builder, 1, NULL);
}

/* The longest span that begins in a stretch of time. */
static gint64
longest_in (const LoomTrace *trace, const LoomRow *row, gint64 begin_ns, gint64 end_ns)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 end = loom_row_lower_bound (trace, row, end_ns);
  gint64 most_ns = 0;
  for (guint32 i = loom_row_lower_bound (trace, row, begin_ns); i < end; i++)
    most_ns = MAX (most_ns, spans->dur_ns[row->first + i]);
  return most_ns;
}

static void
check_sketch (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n)
{
  g_autofree LoomSummary *sketch = g_new (LoomSummary, n), *exact = g_new (LoomSummary, n);
  gint64 slack_ns = (edges_ns[n] - edges_ns[0]) / n / LOOM_SKETCH_SHARE, busy_ns = 0, exact_ns = 0;
  const LoomSpans *spans = loom_trace_get_spans (trace);
  loom_row_sketch_many (trace, row, edges_ns, n, sketch);
  loom_row_summarise_many (trace, row, edges_ns, n, exact);
  for (guint i = 0; i < n; i++) {
    busy_ns += sketch[i].busy_ns;
    exact_ns += exact[i].busy_ns;
    g_assert_cmpint (ABS (sketch[i].busy_ns - exact[i].busy_ns), <=, 2 * slack_ns + 2);
    /* What is drawn as itself is never lost, nor moved. */
    if (MAX (exact[i].longest_ns, sketch[i].longest_ns) > slack_ns)
      g_assert_cmpuint (sketch[i].longest, ==, exact[i].longest);
    g_assert_cmpint (sketch[i].longest_ns, >=, longest_in (trace, row, edges_ns[i] + slack_ns, edges_ns[i + 1] - slack_ns));
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/samples/seek", test_seek);
  g_test_add_func ("/draw/samples/extremes", test_extremes);
  g_test_add_func ("/draw/samples/sketch", test_sketch);
  return g_test_run ();
}
