/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the nesting of spans into rows by depth, overflow lanes for spans that overlap without being nested, and
 * properties that rows must have for any input.
 */
#include "fixture.h"

typedef struct {
  const char *name;
  const char *script;
  const char *expected;
} Case;

static const Case cases[] = {
  { "one", "X a 0 10", "0.0: a[0+10]" },
  { "child", "X a 0 10; X b 2 3", "0.0: a[0+10] | 0.1: b[2+3]" },
  { "siblings", "X a 0 4; X b 4 4; X c 8 1", "0.0: a[0+4] b[4+4] c[8+1]" },
  { "same-start-longer-first", "X b 0 3; X a 0 10", "0.0: a[0+10] | 0.1: b[0+3]" },
  { "same-end", "X a 0 10; X b 7 3", "0.0: a[0+10] | 0.1: b[7+3]" },
  { "equal-first-is-parent", "X a 0 5; X b 0 5", "0.0: a[0+5] | 0.1: b[0+5]" },
  { "unsorted", "X c 8 1; X a 0 10; X b 2 3", "0.0: a[0+10] | 0.1: b[2+3] c[8+1]" },
  { "end-order-as-profilers-write", "X c 2 1; X b 1 4; X a 0 9; X d 10 1",
    "0.0: a[0+9] d[10+1] | 0.1: b[1+4] | 0.2: c[2+1]" },
  { "zero-length-inside", "X a 0 10; X z 5 0", "0.0: a[0+10] | 0.1: z[5+0]" },
  { "zero-length-at-start", "X z 0 0; X a 0 10", "0.0: a[0+10] | 0.1: z[0+0]" },
  { "zero-length-at-end", "X a 0 10; X z 10 0", "0.0: a[0+10] | 0.1: z[10+0]" },
  { "zero-length-between", "X a 0 10; X z 10 0; X b 10 5", "0.0: a[0+10] b[10+5] | 0.1: z[10+0]" },
  { "zero-length-alone", "X y 3 0; X z 3 0", "0.0: y[3+0] | 0.1: z[3+0]" },
  { "zero-length-at-end-of-child", "X a 0 20; X b 5 5; X z 10 0; X c 12 1",
    "0.0: a[0+20] | 0.1: b[5+5] c[12+1] | 0.2: z[10+0]" },
  { "partial-overlap", "X a 0 10; X b 5 10", "0.0: a[0+10] | 1.0: b[5+10]" },
  { "overlap-in-child", "X a 0 20; X b 2 8; X c 5 8", "0.0: a[0+20] | 0.1: b[2+8] | 1.0: c[5+8]" },
  { "overlap-lane-nests", "X a 0 10; X b 5 10; X c 11 3; X d 12 4",
    "0.0: a[0+10] c[11+3] | 1.0: b[5+10] | 2.0: d[12+4]" },
  { "first-fit", "X a 0 10; X b 1 20; X c 2 30; X d 11 40", "0.0: a[0+10] d[11+40] | 1.0: b[1+20] | 2.0: c[2+30]" },
  { "by-one-ns", "X a 0 10; X b 9 2", "0.0: a[0+10] | 1.0: b[9+2]" },
  { "negative-times", "X a -10 10; X b -5 2", "0.0: a[-10+10] | 0.1: b[-5+2]" },
};

static void
test_case (gconstpointer data)
{
  const Case *nesting = data;
  Fixture fixture;
  fixture_init (&fixture);
  fixture_feed (&fixture, 0, nesting->script);
  fixture_freeze (&fixture);
  fixture_assert_spans (&fixture, nesting->expected);
  fixture_clear (&fixture);
}

static void
assert_row (const LoomTrace *trace, const LoomRow *row)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = row->first + 1; i < row->first + row->n; i++)
    g_assert_cmpint (spans->start_ns[i], >=, spans->start_ns[i - 1] + spans->dur_ns[i - 1]);
}

static void
assert_parents (const LoomTrace *trace, const LoomRow *row)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = row->first; i < row->first + row->n; i++) {
    guint32 parent = loom_trace_get_parent (trace, i), track, at;
    if (row->depth == 0 || row->lane == 512) {
      g_assert_cmpuint (parent, ==, G_MAXUINT32);
      continue;
    }
    g_assert_cmpuint (parent, !=, G_MAXUINT32);
    loom_trace_locate_span (trace, parent, &track, &at);
    g_assert_cmpuint (loom_trace_get_row (trace, at)->depth + 1, ==, row->depth);
    g_assert_cmpint (spans->start_ns[parent], <=, spans->start_ns[i]);
    g_assert_cmpint (spans->start_ns[parent] + spans->dur_ns[parent], >=, spans->start_ns[i] + spans->dur_ns[i]);
  }
}

/* For random input, no span is lost, spans of a row do not overlap, and every span at a depth > 0 lies inside a span at
 * the depth above. */
static void
test_random (void)
{
  for (guint round = 0; round < 200; round++) {
    Fixture fixture;
    fixture_init (&fixture);
    guint32 name = fixture_name (&fixture, "a");
    gint n = g_test_rand_int_range (1, 400), width = g_test_rand_int_range (2, 1000);
    for (gint i = 0; i < n; i++)
      loom_trace_builder_span (fixture.builder, 0, g_test_rand_int_range (0, 1000), g_test_rand_int_range (0, width),
                               name, fixture_ref (&fixture));
    fixture_freeze (&fixture);
    const LoomTrack *track = loom_trace_get_track (fixture.trace, 0);
    guint64 n_found = 0;
    for (guint row = track->first_row; row < track->first_row + track->n_rows; row++) {
      assert_row (fixture.trace, loom_trace_get_row (fixture.trace, row));
      assert_parents (fixture.trace, loom_trace_get_row (fixture.trace, row));
      n_found += loom_trace_get_row (fixture.trace, row)->n;
    }
    g_assert_cmpuint (n_found, ==, n);
    fixture_clear (&fixture);
  }
}

/* If every span overlaps every other span, the maximum number of lanes is reached. */
static void
test_hostile_overlap (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  guint32 name = fixture_name (&fixture, "a");
  const gint n = 100000;
  for (gint i = 0; i < n; i++)
    loom_trace_builder_span (fixture.builder, 0, i, n, name, fixture_ref (&fixture));
  fixture_freeze (&fixture);
  g_assert_cmpuint (loom_trace_get_spans (fixture.trace)->n, ==, n);
  g_assert_cmpuint (fixture_count (fixture.trace, "deep-nesting"), ==, n - 512);
  for (guint row = 0; row < loom_trace_get_track (fixture.trace, 0)->n_rows; row++)
    assert_row (fixture.trace, loom_trace_get_row (fixture.trace, row));
  fixture_clear (&fixture);
}

/* If equal spans are nested in each other, the maximum depth is reached. */
static void
test_hostile_depth (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  guint32 name = fixture_name (&fixture, "a");
  for (gint i = 0; i < 10000; i++)
    loom_trace_builder_span (fixture.builder, 0, 5, 0, name, fixture_ref (&fixture));
  fixture_freeze (&fixture);
  const LoomTrack *track = loom_trace_get_track (fixture.trace, 0);
  g_assert_cmpuint (track->n_rows, ==, 10000);
  const LoomRow *last = loom_trace_get_row (fixture.trace, track->n_rows - 1);
  g_assert_cmpuint (last->lane, ==, 2);
  g_assert_cmpuint (last->depth, ==, 10000 - 2 * 4096 - 1);
  fixture_clear (&fixture);
}

static void
test_extreme_times (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  guint32 name = fixture_name (&fixture, "a");
  loom_trace_builder_span (fixture.builder, 0, G_MAXINT64 - 5, G_MAXINT64, name, fixture_ref (&fixture));
  loom_trace_builder_span (fixture.builder, 0, G_MININT64 + 1, 10, name, fixture_ref (&fixture));
  loom_trace_builder_begin (fixture.builder, 0, G_MININT64 + 20, name, fixture_ref (&fixture));
  loom_trace_builder_end (fixture.builder, 0, G_MAXINT64 - 8, name, fixture_ref (&fixture), FALSE);
  fixture_freeze (&fixture);
  const LoomSpans *spans = loom_trace_get_spans (fixture.trace);
  g_assert_cmpuint (spans->n, ==, 3);
  g_assert_cmpint (spans->dur_ns[1], ==, G_MAXINT64);
  g_assert_cmpint (spans->start_ns[2] + spans->dur_ns[2], ==, G_MAXINT64);
  fixture_clear (&fixture);
}

/* Returns a trace of spans of two depths that are added out of order, by up to `reach` positions. */
static LoomTrace *
freeze_disordered (guint n, guint reach, guint32 seed)
{
  LoomTraceBuilder *builder = fixture_new_builder ();
  g_autoptr (GRand) dice = g_rand_new_with_seed (seed);
  g_autofree guint *order = g_new (guint, n);
  for (guint i = 0; i < n; i++)
    order[i] = i;
  for (guint i = 0; i < n && reach > 0; i++) {
    guint leap = (guint) g_rand_int_range (dice, 0, (gint) reach), other = MIN (n - 1, i + leap), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
  guint32 name = loom_trace_builder_name (builder, "a", 1, "", 0, "", 0);
  for (guint i = 0; i < n; i++) {
    guint span = order[i], parent = span / 4 * 4;
    loom_trace_builder_span (builder, 0, span == parent ? parent * 10 : span * 10 + 1, span == parent ? 40 : 5, name,
                             loom_source_ref_make (0, 0, span));
  }
  return loom_trace_builder_freeze (builder, 1, NULL);
}

/* For many chunks of events, nearly sorted or not sorted at all, the columns of the trace are the same as for sorted
 * events. */
static void
test_disorder (void)
{
  enum { N = 30000 };
  static const guint reaches[] = { 2, 100, 3000, 9000, N };
  g_autoptr (LoomTrace) straight = freeze_disordered (N, 0, 1);
  const LoomSpans *expected = loom_trace_get_spans (straight);
  for (guint i = 0; i < G_N_ELEMENTS (reaches); i++) {
    g_autoptr (LoomTrace) trace = freeze_disordered (N, reaches[i], i);
    const LoomSpans *spans = loom_trace_get_spans (trace);
    g_assert_cmpuint (spans->n, ==, N);
    g_assert_cmpmem (spans->start_ns, N * sizeof (gint64), expected->start_ns, N * sizeof (gint64));
    g_assert_cmpmem (spans->ref, N * sizeof (LoomRef), expected->ref, N * sizeof (LoomRef));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strconcat ("/model/nesting/", cases[i].name, NULL);
    g_test_add_data_func (path, &cases[i], test_case);
  }
  g_test_add_func ("/model/nesting/random", test_random);
  g_test_add_func ("/model/nesting/hostile-overlap", test_hostile_overlap);
  g_test_add_func ("/model/nesting/hostile-depth", test_hostile_depth);
  g_test_add_func ("/model/nesting/extreme-times", test_extreme_times);
  g_test_add_func ("/model/nesting/disorder", test_disorder);
  return g_test_run ();
}
