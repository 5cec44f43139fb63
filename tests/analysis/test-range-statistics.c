/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-range-statistics.h"

#include <string.h>

#include "loom-progress-cancellable.h"
#include "loom-trace-builder.h"

#define BEGIN LOOM_TIME_PLAUSIBLE_MIN

static void
add_source (LoomTraceBuilder *builder, const char *path)
{
  guint clock = loom_trace_builder_add_clock (builder);
  LoomSource *source = loom_source_new (path);
  source->format = "chrome";
  loom_trace_builder_get_clock (builder, clock)->state = LOOM_CLOCK_EXACT;
  loom_trace_builder_add_source (builder, source, clock);
}

static guint32
add_thread (LoomTraceBuilder *builder, const char *key, guint flags)
{
  guint32 process = loom_trace_builder_process (builder, 0, "1", 1),
          thread = loom_trace_builder_thread (builder, process, key, strlen (key));
  loom_trace_builder_thread_add_flags (builder, thread, flags);
  return thread;
}

static void
add (LoomTraceBuilder *builder, guint32 thread, const char *name, const char *category, gint64 start, gint64 dur)
{
  guint32 id = loom_trace_builder_name (builder, name, strlen (name), category, strlen (category), "", 0);
  loom_trace_builder_span (builder, thread, BEGIN + start, dur, id,
                           loom_source_ref_make (0, 0, loom_trace_builder_get_n_events (builder)));
}

static LoomTimeline *
timeline_of (LoomTrace *first, LoomTrace *second)
{
  LoomTrace *traces[] = { first, second };
  LoomRun *run = loom_run_new (traces, second != NULL ? 2 : 1);
  LoomAlignment *alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  LoomTimeline *timeline = loom_timeline_new (run, alignment);
  loom_alignment_unref (alignment);
  loom_run_unref (run);
  loom_trace_unref (first);
  g_clear_pointer (&second, loom_trace_unref);
  return timeline;
}

static char *
draw (const LoomRangeStatistics *stats)
{
  const LoomNameStats *names = stats->names;
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < stats->n_names; i++)
    g_string_append_printf (text, "%s%s/%s n%u t%d in%d s%d m%d %d-%d", i > 0 ? ", " : "", names[i].name,
                            names[i].category, (guint) names[i].count, (int) names[i].total_ns,
                            (int) names[i].in_range_ns, (int) names[i].self_ns, (int) names[i].mean_ns,
                            (int) names[i].min_ns, (int) names[i].max_ns);
  return g_string_free (text, FALSE);
}

static void
assert_stats (LoomTimeline *timeline, gint64 begin, gint64 end, const LoomTrackId *tracks, gsize n,
              const char *expected)
{
  g_autoptr (LoomRangeStatistics) stats =
    loom_range_statistics_new (timeline, (LoomRange) { BEGIN + begin, BEGIN + end }, tracks, n, NULL);
  g_autofree char *drawn = draw (stats);
  g_assert_cmpstr (drawn, ==, expected);
}

/* The span "outer" [0, 100) ns contains two spans named "inner", [10, 30) ns and [40, 60) ns; the second of them
 * contains "leaf" [45, 50) ns. */
static LoomTrace *
nested (const char *path)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  add_source (builder, path);
  guint32 thread = add_thread (builder, "1", 0), steps = add_thread (builder, "2", LOOM_TRACK_DERIVED);
  add (builder, thread, "outer", "a", 0, 100);
  add (builder, thread, "inner", "a", 10, 20);
  add (builder, thread, "inner", "a", 40, 20);
  add (builder, thread, "leaf", "b", 45, 5);
  add (builder, steps, "step", "", 0, 100);
  return loom_trace_builder_freeze (builder, 1, NULL);
}

static void
test_nested (void)
{
  g_autoptr (LoomTimeline) timeline = timeline_of (nested ("a.json"), NULL);
  assert_stats (
    timeline, -10, 200, NULL, 0,
    "outer/a n1 t100 in100 s60 m100 100-100, inner/a n2 t40 in40 s35 m20 20-20, leaf/b n1 t5 in5 s5 m5 5-5");
  /* Durations and self times are those of whole spans; only in_range is clipped. */
  assert_stats (timeline, 25, 42, NULL, 0, "outer/a n1 t100 in17 s60 m100 100-100, inner/a n2 t40 in7 s35 m20 20-20");
  assert_stats (timeline, 30, 40, NULL, 0, "outer/a n1 t100 in10 s60 m100 100-100");
  assert_stats (timeline, 100, 200, NULL, 0, "");
  assert_stats (timeline, 50, 50, NULL, 0, "outer/a n1 t100 in0 s60 m100 100-100, inner/a n1 t20 in0 s15 m20 20-20");
}

/* In an index, the spans of the host are sums. Only spans of devices are counted, even if the caller asks for a track
 * of the host. */
static void
test_index (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  add_source (builder, "a.loomidx");
  loom_trace_builder_get_source (builder, 0)->is_index = TRUE;
  guint32 host = add_thread (builder, "1", 0), stream = add_thread (builder, "2", LOOM_TRACK_DEVICE);
  add (builder, host, "sum", "a", 0, 100);
  add (builder, stream, "gemm", "kernel", 10, 20);
  g_autoptr (LoomTimeline) timeline = timeline_of (loom_trace_builder_freeze (builder, 1, NULL), NULL);
  const LoomTrackId all[] = { { 0, 0 }, { 0, 1 } };
  assert_stats (timeline, -10, 200, NULL, 0, "gemm/kernel n1 t20 in20 s20 m20 20-20");
  assert_stats (timeline, -10, 200, all, 2, "gemm/kernel n1 t20 in20 s20 m20 20-20");
}

/* Spans of a derived track are counted only if that track is requested explicitly. */
static void
test_tracks (void)
{
  g_autoptr (LoomTimeline) timeline = timeline_of (nested ("a.json"), NULL);
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), 0);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    LoomTrackId id = { 0, i };
    if (track->kind == LOOM_TRACK_SPANS && (track->flags & LOOM_TRACK_DERIVED) != 0)
      assert_stats (timeline, 0, 100, &id, 1, "step/ n1 t100 in100 s100 m100 100-100");
  }
}

/* Equal names of different files are joined; equal texts with different categories are not. */
static void
test_joined (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  add_source (builder, "b.json");
  guint32 thread = add_thread (builder, "1", 0);
  add (builder, thread, "unheard of", "z", 0, 1); /* shifts the name ids relative to the first file */
  add (builder, thread, "inner", "a", 10, 7);
  add (builder, thread, "inner", "x", 30, 3);
  g_autoptr (LoomTimeline) timeline = timeline_of (nested ("a.json"), loom_trace_builder_freeze (builder, 1, NULL));
  assert_stats (timeline, 0, 100, NULL, 0,
                "outer/a n1 t100 in100 s60 m100 100-100, inner/a n3 t47 in47 s42 m16 7-20, leaf/b n1 t5 in5 s5 m5 5-5, "
                "inner/x n1 t3 in3 s3 m3 3-3, unheard of/z n1 t1 in1 s1 m1 1-1");
}

/* --- comparison with a direct implementation of the definition --- */

#define N_NAMES 5

typedef struct {
  gint64 count, total, self, in_range, self_in_range;
} Defined;

static LoomTimeline *
random_lane (int n_spans)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  add_source (builder, "random.json");
  guint32 thread = add_thread (builder, "1", 0);
  for (int i = 0; i < n_spans; i++) {
    const char name[] = { (char) ('a' + g_test_rand_int_range (0, N_NAMES)), '\0' };
    add (builder, thread, name, "", g_test_rand_int_range (0, 8 * n_spans), g_test_rand_int_range (1, 200));
  }
  return timeline_of (loom_trace_builder_freeze (builder, 1, NULL), NULL);
}

static void
define (const LoomTrace *trace, LoomRange range, Defined *defined)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = 0; i < spans->n; i++) {
    Defined *own = &defined[loom_trace_get_name (trace, spans->name_id[i])->text[0] - 'a'];
    gint64 start = spans->start_ns[i], stop = start + spans->dur_ns[i];
    gint64 inside = MAX (MIN (stop, range.end_ns) - MAX (start, range.begin_ns), 0);
    own->in_range += inside;
    own->self_in_range += inside;
    if (start < range.end_ns && stop > range.begin_ns) {
      own->count++;
      own->total += spans->dur_ns[i];
      own->self += spans->dur_ns[i];
    }
    guint32 parent = loom_trace_get_parent (trace, i);
    if (parent == G_MAXUINT32)
      continue;
    Defined *above = &defined[loom_trace_get_name (trace, spans->name_id[parent])->text[0] - 'a'];
    above->self_in_range -= inside;
    if (spans->start_ns[parent] < range.end_ns && spans->start_ns[parent] + spans->dur_ns[parent] > range.begin_ns)
      above->self -= spans->dur_ns[i];
  }
}

static void
assert_defined (LoomTimeline *timeline, LoomRunNames *names, LoomRange range)
{
  Defined defined[N_NAMES] = { 0 };
  gint64 count = 0, total = 0;
  guint n_defined = 0;
  define (loom_run_get_trace (loom_timeline_get_run (timeline), 0), range, defined);
  g_autoptr (LoomRangeStatistics) stats = loom_range_statistics_new_with_names (timeline, names, range, NULL, 0, NULL);
  const LoomNameStats *found = stats->names;
  for (guint i = 0; i < stats->n_names; i++) {
    const Defined *own = &defined[found[i].name[0] - 'a'];
    g_assert_cmpint ((gint64) found[i].count, ==, own->count);
    g_assert_cmpint (found[i].total_ns, ==, own->total);
    total += found[i].total_ns;
    g_assert_cmpint (found[i].self_ns, ==, own->self);
    g_assert_cmpint (found[i].in_range_ns, ==, own->in_range);
    g_assert_cmpint (found[i].self_in_range_ns, ==, own->self_in_range);
  }
  for (guint i = 0; i < N_NAMES; i++) {
    n_defined += defined[i].count > 0;
    count += defined[i].count;
    total -= defined[i].total;
  }
  g_assert_cmpuint (stats->n_names, ==, n_defined);
  g_assert_cmpint ((gint64) stats->count, ==, count);
  g_assert_cmpint (total, ==, 0); /* equal totals: neither side has names that the other lacks */
}

static LoomRange
random_range (int most_ns)
{
  gint64 begin = BEGIN + g_test_rand_int_range (0, most_ns);
  return (LoomRange) { begin, begin + g_test_rand_int_range (1, most_ns) };
}

static void
test_against_definition (void)
{
  for (guint round = 0; round < 30; round++) {
    g_autoptr (LoomTimeline) timeline = random_lane (400);
    g_autoptr (LoomRunNames) names = loom_run_names_new (loom_timeline_get_run (timeline));
    assert_defined (timeline, names, random_range (1600));
  }
}

/* The sums that are cached for one range must not affect the next range. Sums are cached for whole
 * blocks of a row, and the next range may contain other blocks. */
static void
test_range_after_range (void)
{
  const int n_spans = 20000;
  g_autoptr (LoomTimeline) timeline = random_lane (n_spans);
  g_autoptr (LoomRunNames) names = loom_run_names_new (loom_timeline_get_run (timeline));
  for (guint round = 0; round < 20; round++) {
    assert_defined (timeline, names, random_range (4 * n_spans));
    if (round % 5 == 0)
      assert_defined (timeline, names, (LoomRange) { BEGIN, BEGIN + 9 * n_spans });
  }
}

/* --- percentiles --------------------------------------------------------------------------------------------------- */

static int
compare_ns (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return x < y ? -1 : x > y;
}

/* Returns the q-th percentile: position q·(n−1)/100 of the sorted values, linear between neighbours, rounded half up.
 * Uses integers only. */
static gint64
quantile (const GArray *sorted, gint64 q)
{
  gint64 place = q * ((gint64) sorted->len - 1), at = place / 100, rest = place % 100;
  gint64 low = g_array_index (sorted, gint64, at), high = g_array_index (sorted, gint64, MIN (at + 1, sorted->len - 1));
  return low + (rest * (high - low) + 50) / 100;
}

#define N_KINDS 8

/* Distributions of durations for which an estimate from samples could be wrong. */
static gint64
duration_of_kind (int kind, int i)
{
  switch (kind) {
  case 0: return 5000;                                                        /* constant */
  case 1: return g_test_rand_int_range (0, 1000000);                          /* uniform */
  case 2: return g_test_rand_int_range (0, 20) * 1000;                        /* few different values */
  case 3: return (gint64) 1 << g_test_rand_int_range (0, 30);                 /* very skewed */
  case 4: return i % 17 == 0 ? 1 : 1000000 + g_test_rand_int_range (0, 1000); /* every 17th is an outlier */
  case 5: return g_test_rand_int_range (0, 100) == 0 ? 100000 : 10;           /* p99 is next to a jump */
  case 6: return i;                                                           /* increasing */
  default: return 0;
  }
}

typedef struct {
  GArray *durations[N_KINDS];
} Shapes;

/* Adds `n` names that do not occur in the range: the implementation counts in another way if there are many names. */
static void
add_strangers (LoomTraceBuilder *builder, int n)
{
  guint32 thread = add_thread (builder, "2", 0);
  for (int i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("stranger %d", i);
    add (builder, thread, name, "", -2 * (i + 1), 1);
  }
}

/* Builds a lane of consecutive spans whose names repeat with the period `period`. */
static LoomTrace *
shaped (Shapes *shapes, const char *path, int n, int period, int n_strangers)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  add_source (builder, path);
  guint32 thread = add_thread (builder, "1", 0);
  gint64 at = 0;
  add_strangers (builder, n_strangers);
  for (int i = 0; i < n; i++) {
    int kind = i % period % N_KINDS;
    g_autofree char *name = g_strdup_printf ("kind %d", kind);
    gint64 dur = duration_of_kind (kind, i);
    add (builder, thread, name, "", at, dur);
    g_array_append_val (shapes->durations[kind], dur);
    at += dur + 1;
  }
  return loom_trace_builder_freeze (builder, 1, NULL);
}

static void
check_percentiles (int n, int period, int n_strangers)
{
  Shapes shapes;
  for (int kind = 0; kind < N_KINDS; kind++)
    shapes.durations[kind] = g_array_new (FALSE, FALSE, sizeof (gint64));
  LoomTrace *first = shaped (&shapes, "a.json", n, period, n_strangers),
            *second = shaped (&shapes, "b.json", n / 3, N_KINDS, 0);
  g_autoptr (LoomTimeline) timeline = timeline_of (first, second);
  g_autoptr (LoomRangeStatistics) stats =
    loom_range_statistics_new (timeline, (LoomRange) { BEGIN, G_MAXINT64 }, NULL, 0, NULL);
  double share = 0;
  const LoomNameStats *names = stats->names;
  for (guint i = 0; i < stats->n_names; i++) {
    GArray *durations = shapes.durations[names[i].name[5] - '0'];
    g_array_sort (durations, compare_ns);
    g_assert_cmpuint (names[i].count, ==, durations->len);
    g_assert_cmpint (names[i].min_ns, ==, g_array_index (durations, gint64, 0));
    g_assert_cmpint (names[i].max_ns, ==, g_array_index (durations, gint64, durations->len - 1));
    g_assert_cmpint (names[i].p50_ns, ==, quantile (durations, 50));
    g_assert_cmpint (names[i].p95_ns, ==, quantile (durations, 95));
    g_assert_cmpint (names[i].p99_ns, ==, quantile (durations, 99));
    share += names[i].share;
  }
  g_assert_cmpfloat_with_epsilon (share, 1, 1e-9);
  for (int kind = 0; kind < N_KINDS; kind++)
    g_array_unref (shapes.durations[kind]);
}

static void
test_percentiles (void)
{
  static const int sizes[] = { 1, 2, 3, 7, 24, 25, 100, 1000, 20000, 200000 };
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    check_percentiles (sizes[i], N_KINDS, 0);
    /* A period equal to the stride of the sampling: samples of the first trace would contain only one name. */
    check_percentiles (sizes[i], 17, 0);
    check_percentiles (sizes[i], N_KINDS, 2000);
  }
}

/* Percentiles of 4, 8, 15, 16, 23, 42: 15.5 (p50), 37.25 (p95) and 41.05 (p99), rounded to whole ns. */
static void
test_percentiles_on_paper (void)
{
  static const gint64 durations[] = { 42, 8, 15, 4, 23, 16 };
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  add_source (builder, "a.json");
  guint32 thread = add_thread (builder, "1", 0);
  for (guint i = 0; i < G_N_ELEMENTS (durations); i++)
    add (builder, thread, "x", "", 100 * i, durations[i]);
  g_autoptr (LoomTimeline) timeline = timeline_of (loom_trace_builder_freeze (builder, 1, NULL), NULL);
  g_autoptr (LoomRangeStatistics) stats =
    loom_range_statistics_new (timeline, (LoomRange) { BEGIN, BEGIN + 1000 }, NULL, 0, NULL);
  const LoomNameStats *names = stats->names;
  g_assert_cmpint (names[0].p50_ns, ==, 16);
  g_assert_cmpint (names[0].p95_ns, ==, 37);
  g_assert_cmpint (names[0].p99_ns, ==, 41);
  g_assert_cmpuint (stats->sources[0], ==, 0);
  g_assert_cmpuint (stats->n_sources, ==, 1);
}

/* For many ranges, statistics computed with a LoomRunNames (the names of all traces, joined once)
 * equal statistics for which the names are joined anew. Of several equally long spans, the first
 * counts as the longest. */
static void
test_ranges (void)
{
  g_autoptr (LoomTimeline) timeline = timeline_of (nested ("a.json"), nested ("b.json"));
  g_autoptr (LoomRunNames) names = loom_run_names_new (loom_timeline_get_run (timeline));
  for (gint64 end = 1; end < 110; end++) {
    LoomRange range = { BEGIN, BEGIN + end };
    g_autoptr (LoomRangeStatistics) again =
      loom_range_statistics_new_with_names (timeline, names, range, NULL, 0, NULL);
    g_autoptr (LoomRangeStatistics) stats = loom_range_statistics_new (timeline, range, NULL, 0, NULL);
    g_autofree char *drawn = draw (stats), *drawn_again = draw (again);
    const LoomNameStats *rows = stats->names;
    g_assert_cmpstr (drawn, ==, drawn_again);
    g_assert_cmpuint (rows[0].longest.trace, ==, 0);
    gint64 in_range_ns = 0;
    for (guint i = 0; i < stats->n_names; i++)
      in_range_ns += rows[i].in_range_ns;
    g_assert_cmpint (in_range_ns, >=, 2 * MIN (end, 100));
  }
}

static void
test_cancelled (void)
{
  g_autoptr (LoomTimeline) timeline = timeline_of (nested ("a.json"), NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_range_statistics_new (timeline, (LoomRange) { BEGIN, BEGIN + 100 }, NULL, 0, cancellable));
}

/* The total of the progress is known before counting begins, and all of it is reported at the end. */
static void
test_progress (void)
{
  g_autoptr (LoomTimeline) timeline = timeline_of (nested ("a.json"), NULL);
  g_autoptr (LoomProgressCancellable) meter = loom_progress_cancellable_new (),
                                      stopped = loom_progress_cancellable_new ();
  const LoomRange range = { BEGIN, BEGIN + 100 };
  g_cancellable_cancel (G_CANCELLABLE (stopped));
  g_assert_null (loom_range_statistics_new (timeline, range, NULL, 0, G_CANCELLABLE (stopped)));
  g_assert_cmpfloat (loom_progress_cancellable_get_fraction (G_CANCELLABLE (stopped)), ==, 0);
  g_autoptr (LoomRangeStatistics) stats = loom_range_statistics_new (timeline, range, NULL, 0, G_CANCELLABLE (meter));
  g_assert_nonnull (stats);
  g_assert_cmpfloat (loom_progress_cancellable_get_fraction (G_CANCELLABLE (meter)), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/range-statistics/nested", test_nested);
  g_test_add_func ("/analysis/range-statistics/index", test_index);
  g_test_add_func ("/analysis/range-statistics/tracks", test_tracks);
  g_test_add_func ("/analysis/range-statistics/joined", test_joined);
  g_test_add_func ("/analysis/range-statistics/against-definition", test_against_definition);
  g_test_add_func ("/analysis/range-statistics/range-after-range", test_range_after_range);
  g_test_add_func ("/analysis/range-statistics/percentiles", test_percentiles);
  g_test_add_func ("/analysis/range-statistics/percentiles-on-paper", test_percentiles_on_paper);
  g_test_add_func ("/analysis/range-statistics/ranges", test_ranges);
  g_test_add_func ("/analysis/range-statistics/cancelled", test_cancelled);
  g_test_add_func ("/analysis/range-statistics/progress", test_progress);
  return g_test_run ();
}
