/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests summaries of rows (how busy each part of a row is, and its longest span) and searches in them: the results are
 * the same as those of a scan over all spans.
 */
#include "fixture.h"
#include "loom-row-summary.h"

#include <string.h>

/* Adds `n` spans to one row: groups of random length with or without gaps, and some spans of length zero. */
static void
feed_row (Fixture *fixture, guint n)
{
  guint32 name = fixture_name (fixture, "a");
  gint64 time_ns = g_test_rand_int_range (-5000, 5000);
  for (guint i = 0; i < n; i++) {
    gint64 dur_ns = g_test_rand_int_range (0, 3) == 0 ? g_test_rand_int_range (1, 1000) : g_test_rand_int_range (1, 5);
    loom_trace_builder_span (fixture->builder, 0, time_ns, dur_ns, name, fixture_ref (fixture));
    time_ns += dur_ns + MAX (g_test_rand_int_range (-10, 10), 0);
    if (g_test_rand_int_range (0, 20) == 0)
      loom_trace_builder_span (fixture->builder, 0, time_ns += 2, 0, name, fixture_ref (fixture)), time_ns++;
  }
}

static gboolean
touches (gint64 start_ns, gint64 end_ns, gint64 from_ns, gint64 to_ns)
{
  return start_ns < to_ns && (end_ns > from_ns || start_ns >= from_ns);
}

static LoomSpanSummary
summarise_slowly (const LoomTrace *trace, const LoomRow *row, gint64 from_ns, gint64 to_ns)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  LoomSpanSummary summary = { 0, G_MAXUINT32, 0 };
  for (guint32 i = row->first; i < row->first + row->n && from_ns < to_ns; i++) {
    gint64 dur_ns = loom_trace_span_is_instant (trace, i) ? 0 : spans->dur_ns[i];
    gint64 start_ns = spans->start_ns[i], end_ns = start_ns + dur_ns;
    if (!touches (start_ns, end_ns, from_ns, to_ns))
      continue;
    summary.n++;
    summary.busy_ns += MIN (end_ns, to_ns) - MAX (start_ns, from_ns);
    if (summary.longest == G_MAXUINT32 ||
        (!loom_trace_span_is_instant (trace, i) && dur_ns > spans->dur_ns[summary.longest]))
      summary.longest = i;
  }
  return summary;
}

static void
assert_equal (const LoomSpanSummary *summary, const LoomSpanSummary *expected)
{
  g_assert_cmpuint (summary->n, ==, expected->n);
  g_assert_cmpuint (summary->longest, ==, expected->longest);
  g_assert_cmpint (summary->busy_ns, ==, expected->busy_ns);
}

static void
compare_ranges (const LoomTrace *trace, const LoomRow *row)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  gint64 first_ns = spans->start_ns[row->first], last_ns = spans->start_ns[row->first + row->n - 1];
  for (guint i = 0; i < 100; i++) {
    gint64 from_ns = g_test_rand_int_range ((gint) first_ns - 50, (gint) last_ns + 2000);
    gint64 to_ns = from_ns + g_test_rand_int_range (-2, i % 2 == 0 ? 50 : (gint) (last_ns - first_ns) + 100);
    LoomSpanSummary summary, expected = summarise_slowly (trace, row, from_ns, to_ns);
    loom_row_summary_add (trace, row, from_ns, to_ns, &summary);
    assert_equal (&summary, &expected);
  }
}

static void
compare_many (const LoomTrace *trace, const LoomRow *row)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  gint64 edges_ns[65], time_ns = spans->start_ns[row->first] - 100;
  gint64 step_ns = (spans->start_ns[row->first + row->n - 1] - time_ns) / 60 + 2;
  for (guint i = 0; i < G_N_ELEMENTS (edges_ns); i++)
    edges_ns[i] = time_ns += g_test_rand_int_range (0, (gint) step_ns * 2);
  LoomSpanSummary summaries[64];
  loom_row_summary_add_many (trace, row, edges_ns, G_N_ELEMENTS (summaries), summaries);
  for (guint i = 0; i < G_N_ELEMENTS (summaries); i++) {
    LoomSpanSummary expected = summarise_slowly (trace, row, edges_ns[i], edges_ns[i + 1]);
    assert_equal (&summaries[i], &expected);
  }
}

static void
test_random (void)
{
  static const guint lengths[] = { 1, 2, 15, 16, 17, 63, 64, 65, 66, 255, 256, 257, 300, 1000, 4096, 4097, 9000 };
  for (guint round = 0; round < 3 * G_N_ELEMENTS (lengths); round++) {
    Fixture fixture;
    fixture_init (&fixture);
    feed_row (&fixture, lengths[round % G_N_ELEMENTS (lengths)]);
    fixture_freeze (&fixture);
    const LoomTrack *track = loom_trace_get_track (fixture.trace, 0);
    for (guint row = track->first_row; row < track->first_row + track->n_rows; row++) {
      compare_ranges (fixture.trace, loom_trace_get_row (fixture.trace, row));
      compare_many (fixture.trace, loom_trace_get_row (fixture.trace, row));
    }
    fixture_clear (&fixture);
  }
}

/* Tests rows with lengths around the sizes of blocks and levels of the summary, which begin anywhere in a block. */
static void
test_lengths (void)
{
  static const guint lengths[] = { 120,  127,  128,  129,  130,  143,  144,  145,  1000,
                                   1023, 1024, 1025, 1041, 8191, 8192, 8300, 70000 };
  Fixture fixture;
  fixture_init (&fixture);
  guint32 name = fixture_name (&fixture, "a");
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
    g_autofree char *key = g_strdup_printf ("%u", i);
    guint32 thread = loom_trace_builder_thread (fixture.builder, 0, key, strlen (key));
    for (guint k = 0; k < lengths[i] + i % 3; k++)
      loom_trace_builder_span (fixture.builder, thread, k * 7, k % 6 == 0 ? 0 : k % 8, name, fixture_ref (&fixture));
  }
  fixture_freeze (&fixture);
  for (guint i = 0; i < loom_trace_get_n_tracks (fixture.trace); i++) {
    const LoomTrack *track = loom_trace_get_track (fixture.trace, i);
    for (guint row = track->first_row; row < track->first_row + track->n_rows; row++)
      compare_many (fixture.trace, loom_trace_get_row (fixture.trace, row));
  }
  fixture_clear (&fixture);
}

/* Tests summaries for any edges, which are times that divide a row into parts: any number and
 * distance of edges, several edges at the same time, edges outside of the row. */
static void
test_edges (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  feed_row (&fixture, 20000);
  fixture_freeze (&fixture);
  const LoomRow *row = loom_trace_get_row (fixture.trace, 0);
  gint64 edges_ns[301];
  LoomSpanSummary summaries[300];
  for (guint round = 0; round < 40; round++) {
    guint n = (guint) g_test_rand_int_range (0, 301), step = 1U << round % 14;
    edges_ns[0] = g_test_rand_int_range (-10000, 100000);
    for (guint i = 1; i <= n; i++)
      edges_ns[i] = edges_ns[i - 1] + (i % 5 == 0 ? 0 : g_test_rand_int_range (0, (gint) step + 1));
    if (n > 10) {
      edges_ns[0] = G_MININT64 / 2;
      edges_ns[n] = G_MAXINT64 / 2;
    }
    loom_row_summary_add_many (fixture.trace, row, edges_ns, n, summaries);
    for (guint i = 0; i < n; i += 1 + round % 4) {
      LoomSpanSummary expected = summarise_slowly (fixture.trace, row, edges_ns[i], edges_ns[i + 1]);
      assert_equal (&summaries[i], &expected);
    }
  }
  fixture_clear (&fixture);
}

/* Tests spans of an hour at current dates. Some have equal durations: the first of the longest spans is returned. */
static void
test_huge (void)
{
  const gint64 base_ns = G_GINT64_CONSTANT (1700000000000000000), hour_ns = G_GINT64_CONSTANT (3600000000000);
  Fixture fixture;
  fixture_init (&fixture);
  guint32 name = fixture_name (&fixture, "a");
  for (guint i = 0; i < 3000; i++)
    loom_trace_builder_span (fixture.builder, 0, base_ns + i * hour_ns, i % 5 == 4 ? 0 : hour_ns - i % 2, name,
                             fixture_ref (&fixture));
  fixture_freeze (&fixture);
  const LoomRow *row = loom_trace_get_row (fixture.trace, 0);
  for (guint i = 0; i < 300; i++) {
    gint64 edges_ns[] = { base_ns + g_test_rand_int_range (-10, 3000) * hour_ns, 0, 0 };
    edges_ns[1] = edges_ns[0] + g_test_rand_int_range (-1, 2) + g_test_rand_int_range (1, 1000) * hour_ns;
    edges_ns[2] = edges_ns[1] + hour_ns / 2;
    LoomSpanSummary summaries[2];
    loom_row_summary_add_many (fixture.trace, row, edges_ns, 2, summaries);
    for (guint k = 0; k < 2; k++) {
      LoomSpanSummary expected = summarise_slowly (fixture.trace, row, edges_ns[k], edges_ns[k + 1]);
      assert_equal (&summaries[k], &expected);
    }
  }
  fixture_clear (&fixture);
}

static void
test_instants (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  for (guint i = 0; i < 500; i++)
    loom_trace_builder_instant (fixture.builder, 0, 0, 0, g_test_rand_int_range (0, 800), 0, 'i', 't',
                                fixture_ref (&fixture));
  fixture_freeze (&fixture);
  compare_ranges (fixture.trace, loom_trace_get_row (fixture.trace, 0));
  compare_many (fixture.trace, loom_trace_get_row (fixture.trace, 0));
  fixture_clear (&fixture);
}

static void
test_bounds (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  fixture_feed (&fixture, 0, "X a 0 10; X b 10 5; X c 20 0; X d 30 5");
  fixture_freeze (&fixture);
  const LoomRow *row = loom_trace_get_row (fixture.trace, 0);
  static const struct {
    gint64 time_ns;
    guint32 lower, ending;
  } cases[] = { { -1, 0, 0 }, { 0, 0, 0 },  { 1, 1, 0 },  { 9, 1, 0 },  { 10, 1, 1 }, { 15, 2, 2 },
                { 20, 2, 2 }, { 21, 3, 3 }, { 30, 3, 3 }, { 34, 4, 3 }, { 35, 4, 4 }, { 99, 4, 4 } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_cmpuint (loom_trace_row_lower_bound (fixture.trace, row, cases[i].time_ns), ==, cases[i].lower);
    g_assert_cmpuint (loom_trace_row_first_ending_after (fixture.trace, row, cases[i].time_ns), ==, cases[i].ending);
  }
  fixture_clear (&fixture);
}

/* Asserts memory per span: the columns take 28 bytes, the tree of summaries 2.5, and its grid less than 1. */
static void
test_memory (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  feed_row (&fixture, 100000);
  fixture_freeze (&fixture);
  gsize n = loom_trace_get_spans (fixture.trace)->n;
  g_assert_cmpuint (loom_trace_get_memory (fixture.trace), <, n * 125 / 4);
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/row-summary/random", test_random);
  g_test_add_func ("/model/row-summary/lengths", test_lengths);
  g_test_add_func ("/model/row-summary/edges", test_edges);
  g_test_add_func ("/model/row-summary/huge", test_huge);
  g_test_add_func ("/model/row-summary/instants", test_instants);
  g_test_add_func ("/model/row-summary/bounds", test_bounds);
  g_test_add_func ("/model/row-summary/memory", test_memory);
  return g_test_run ();
}
