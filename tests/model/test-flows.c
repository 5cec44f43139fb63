/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests flows, which connect spans by arrows: to which span each flow event belongs, chains of flow events, ids that
 * are used again, keys for events without an id, and the members flow_in and flow_out.
 */
#include "fixture.h"

#include <string.h>

/* Adds flow events from a text such as "s k 5": phase, key, time. The phase "f+" ends at the span that encloses the
 * time. "k/id": the name is "k" and the key is "id". */
static void
feed (Fixture *fixture, guint32 thread, const char *script)
{
  g_auto (GStrv) lines = g_strsplit (script, ";", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_auto (GStrv) words = g_strsplit (g_strstrip (lines[i]), " ", -1);
    const char *slash = strchr (words[1], '/');
    const char *id = slash != NULL ? slash : words[1], *name = slash != NULL ? words[1] : "flow";
    loom_trace_builder_flow (fixture->builder, thread, words[0][0], words[0][1] == '+',
                             g_ascii_strtoll (words[2], NULL, 10), loom_string_pool_hash (id, strlen (id)),
                             fixture_name (fixture, name), fixture_ref (fixture));
  }
}

static char *
draw_arrows (const LoomTrace *trace)
{
  GString *out = g_string_new (NULL);
  guint32 n;
  const LoomArrow *arrows = loom_trace_get_arrows (trace, &n);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = 0; i < n; i++)
    g_string_append_printf (out, "%s%s>%s", i > 0 ? " " : "",
                            loom_trace_get_name (trace, spans->name_id[arrows[i].from])->text,
                            loom_trace_get_name (trace, spans->name_id[arrows[i].to])->text);
  return g_string_free (out, FALSE);
}

typedef struct {
  const char *name;
  const char *spans1, *flows1; /* spans and flow events on thread 1 */
  const char *spans2, *flows2; /* spans and flow events on thread 2 */
  const char *expected;
  guint64 n_unbound;
} Case;

static const Case cases[] = {
  { "next-slice", "X a 0 10", "s k 5", "X b 20 2; X c 30 2", "f k 12", "a>b", 0 },
  { "next-slice-at-its-start", "X a 0 10", "s k 5", "X o 20 9; X b 20 2", "f k 20", "a>b", 0 },
  { "next-slice-in-overflow-lane", "X a 0 10", "s k 5", "X p 10 15; X o 20 9; X b 20 7", "f k 20", "a>b", 0 },
  { "next-slice-is-outermost", "X a 0 10", "s k 5", "X o 20 9; X b 20 2", "f k 19", "a>o", 0 },
  { "next-slice-inside", "X a 0 10", "s k 5", "X o 0 90; X b 20 2", "f k 12", "a>b", 0 },
  { "enclosing", "X a 0 10", "s k 5", "X o 10 9; X b 12 3", "f+ k 13", "a>b", 0 },
  { "enclosing-inclusive-end", "X a 0 10", "s k 10", "X b 20 2", "f+ k 22", "a>b", 0 },
  { "starting-preferred", "X a 0 10; X z 10 5", "s k 10", "X b 20 2", "f+ k 20", "z>b", 0 },
  { "innermost", "X o 0 20; X m 1 18; X i 2 3", "s k 3", "X b 30 1", "f+ k 30", "i>b", 0 },
  { "in-overflow-lane", "X a 0 10; X v 5 20", "s k 12", "X b 30 1", "f+ k 30", "v>b", 0 },
  { "chain", "X a 0 2; X c 20 2", "s k 1; f+ k 21", "X b 10 2", "t k 11", "a>b b>c", 0 },
  { "several-ends", "X a 0 2", "s k 1", "X b 10 2; X c 20 2", "f+ k 11; f+ k 21", "a>b a>c", 0 },
  { "id-reused", "X a 0 2; X c 20 2", "s k 1; s k 21", "X b 10 2; X d 30 2", "f+ k 11; f+ k 31", "a>b c>d", 0 },
  { "end-earlier-than-start", "X a 10 2", "s k 11", "X b 0 2", "f+ k 1", "a>b", 0 },
  { "orphan-end-then-good-pair", "X a 10 2", "s k 11", "X z 0 2; X b 20 2", "f+ k 1; f+ k 21", "a>b", 1 },
  { "same-time-end-first-in-file", "X b 5 2", "f+ k 5", "X a 5 2", "s k 5", "a>b", 0 },
  { "end-without-start", "X a 0 2", NULL, "X b 10 2", "f+ k 11", "", 1 },
  { "start-without-end", "X a 0 2", "s k 1", "X b 10 2", NULL, "", 1 },
  { "nothing-to-bind", "X a 0 2", "s k 1", "X b 10 2", "f k 13", "", 2 },
  { "thread-without-spans", "X a 0 2", "s k 1", NULL, "f k 13", "", 2 },
  { "unbound-step-keeps-chain", "X a 0 2; X c 20 2", "s k 1; f+ k 21", "X b 10 2", "t k 15", "a>c", 1 },
  { "keys-differ", "X a 0 2", "s k 1", "X b 10 2", "f+ l 11", "", 2 },
  { "fallback", "X a 0 2", "s k/1 1", "X b 10 2", "f+ l/1 11", "a>b", 0 },
  { "fallback-only-when-needed", "X a 0 2; X c 4 1", "s k/1 1; s l/1 4", "X b 10 2", "f+ k/1 11", "a>b", 1 },
};

static void
test_case (gconstpointer data)
{
  const Case *flows = data;
  Fixture fixture;
  fixture_init (&fixture);
  guint32 second = loom_trace_builder_thread (fixture.builder, 0, "2", 1);
  if (flows->spans1 != NULL)
    fixture_feed (&fixture, 0, flows->spans1);
  if (flows->flows1 != NULL)
    feed (&fixture, 0, flows->flows1);
  if (flows->spans2 != NULL)
    fixture_feed (&fixture, second, flows->spans2);
  if (flows->flows2 != NULL)
    feed (&fixture, second, flows->flows2);
  fixture_freeze (&fixture);
  g_autofree char *drawn = draw_arrows (fixture.trace);
  g_assert_cmpstr (drawn, ==, flows->expected);
  g_assert_cmpuint (fixture_count (fixture.trace, "unbound-flow"), ==, flows->n_unbound);
  fixture_clear (&fixture);
}

typedef struct {
  guint32 thread;
  const char *name;
  gint64 start_ns;
  gboolean out, in;
} Slice;

/* Adds a span of version 2 of flows, in which spans have the members flow_out and flow_in instead of flow events. */
static void
feed_slice (Fixture *fixture, Slice slice)
{
  LoomRef ref = fixture_ref (fixture);
  guint64 key = loom_string_pool_hash ("bind:1", 6);
  guint32 name = fixture_name (fixture, slice.name);
  loom_trace_builder_span (fixture->builder, slice.thread, slice.start_ns, 2, name, ref);
  if (slice.out)
    loom_trace_builder_flow (fixture->builder, slice.thread, 'o', FALSE, slice.start_ns, key, name, ref);
  if (slice.in)
    loom_trace_builder_flow (fixture->builder, slice.thread, 'i', FALSE, slice.start_ns, key, name, ref);
}

static void
test_version_2 (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  guint32 second = loom_trace_builder_thread (fixture.builder, 0, "2", 1);
  feed_slice (&fixture, (Slice) { 0, "a", 0, TRUE, FALSE });
  feed_slice (&fixture, (Slice) { second, "b", 10, TRUE, TRUE });
  feed_slice (&fixture, (Slice) { 0, "c", 20, FALSE, TRUE });
  feed_slice (&fixture, (Slice) { second, "d", 30, FALSE, TRUE });
  fixture_freeze (&fixture);
  g_autofree char *drawn = draw_arrows (fixture.trace);
  g_assert_cmpstr (drawn, ==, "a>b b>c b>d");
  guint32 n;
  loom_trace_get_flow_points (fixture.trace, &n);
  g_assert_cmpuint (n, ==, 0);
  fixture_clear (&fixture);
}

static void
test_points_and_targets (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  guint32 second = loom_trace_builder_thread (fixture.builder, 0, "2", 1),
          empty = loom_trace_builder_thread (fixture.builder, 0, "3", 1);
  fixture_feed (&fixture, 0, "X a 0 2; X b 10 2; X c 20 2");
  fixture_feed (&fixture, second, "X x 30 2; X y 40 2");
  feed (&fixture, second, "f+ 1 41; f+ 2 31; f+ 3 41");
  feed (&fixture, 0, "s 3 21; s 1 1; s 2 11");
  feed (&fixture, empty, "s 9 0");
  fixture_freeze (&fixture);
  g_autofree char *drawn = draw_arrows (fixture.trace);
  g_assert_cmpstr (drawn, ==, "a>y b>x c>y");
  const guint32 *by_target = loom_trace_get_arrows_by_target (fixture.trace);
  g_assert_cmpuint (by_target[0], ==, 1);
  g_assert_cmpuint (by_target[1], ==, 0);
  g_assert_cmpuint (by_target[2], ==, 2);
  guint32 n;
  const LoomFlowPoint *points = loom_trace_get_flow_points (fixture.trace, &n);
  g_assert_cmpuint (n, ==, 7);
  for (guint32 i = 1; i < n; i++)
    g_assert_cmpint (points[i].time_ns, >=, points[i - 1].time_ns);
  g_assert_cmpuint (points[0].track, ==, G_MAXUINT32);
  g_assert_cmpuint (points[1].track, ==, 0);
  g_assert_cmpuint (points[n - 1].track, ==, 1);
  fixture_clear (&fixture);
}

enum { SPANS = 20000, FLOWS = 60000 };

/* Order in which the flow events of a run are added; each event has a different time. */
typedef enum {
  IN_ORDER, /* nearly in order, like the output of most writers */
  BACKWARDS,
  SCATTERED,
  RUNS, /* three times through all times, like the tables of a database */
} Feed;

static guint
position (Feed feed, guint i)
{
  if (feed == RUNS)
    return i % (FLOWS / 3) * 3 + i / (FLOWS / 3);
  return feed == IN_ORDER ? i ^ 5 : feed == BACKWARDS ? FLOWS - 1 - i : (guint) ((guint64) i * 7919 % FLOWS);
}

static LoomTrace *
freeze_many (guint n_threads, Feed feed, gboolean arrows)
{
  LoomTraceBuilder *builder = fixture_new_builder ();
  guint32 threads[3] = { 0, loom_trace_builder_thread (builder, 0, "2", 1),
                         loom_trace_builder_thread (builder, 0, "3", 1) };
  guint32 names[2] = { loom_trace_builder_name (builder, "f", 1, "", 0, "", 0),
                       loom_trace_builder_name (builder, "g", 1, "", 0, "", 0) };
  for (guint i = 0; i < 3 * SPANS; i++)
    loom_trace_builder_span (builder, threads[i % 3], i / 3 * 10, 8, names[i % 2], loom_source_ref_make (0, 0, i));
  for (guint i = 0; i < FLOWS; i++) {
    guint at = position (feed, i);
    /* the key depends only on the position of the event, not on the order in which events are added */
    g_autoptr (GRand) dice = g_rand_new_with_seed (at);
    guint64 key = loom_string_pool_hash_join (1, (guint64) g_rand_int_range (dice, 0, FLOWS / 6));
    loom_trace_builder_flow (builder, threads[g_rand_int_range (dice, 0, 3)], "sft"[g_rand_int_range (dice, 0, 3)],
                             g_rand_boolean (dice), at * 3, key, names[g_rand_int_range (dice, 0, 2)],
                             loom_source_ref_make (0, 0, 3 * SPANS + at));
  }
  if (!arrows)
    loom_trace_builder_leave_out_arrows (builder);
  return loom_trace_builder_freeze (builder, n_threads, NULL);
}

static void
assert_same_flows (const LoomTrace *one, const LoomTrace *other)
{
  guint32 n_one, n_other;
  const LoomArrow *arrows = loom_trace_get_arrows (one, &n_one);
  g_assert_cmpuint (n_one, >, 10000);
  g_assert_cmpmem (loom_trace_get_arrows (other, &n_other), n_other * sizeof *arrows, arrows, n_one * sizeof *arrows);
  g_assert_cmpmem (loom_trace_get_arrows_by_target (other), n_other * sizeof (guint32),
                   loom_trace_get_arrows_by_target (one), n_one * sizeof (guint32));
  const LoomFlowPoint *points = loom_trace_get_flow_points (one, &n_one);
  g_assert_cmpmem (loom_trace_get_flow_points (other, &n_other), n_other * sizeof *points, points,
                   n_one * sizeof *points);
  g_assert_cmpuint (fixture_count (one, "unbound-flow"), >, 1000);
  g_assert_cmpuint (fixture_count (one, "unbound-flow"), ==, fixture_count (other, "unbound-flow"));
}

/* The result is the same for events in many chunks, in a few runs and in one array, with one thread and with several. */
static void
test_feeds_and_threads_agree (void)
{
  g_autoptr (LoomTrace) first = freeze_many (1, BACKWARDS, TRUE);
  for (Feed feed = IN_ORDER; feed <= RUNS; feed++)
    for (guint n_threads = 1; n_threads <= 4; n_threads += 3) {
      g_autoptr (LoomTrace) other = freeze_many (n_threads, feed, TRUE);
      assert_same_flows (first, other);
    }
}

/* If the option to build arrows is off, the flow events are the same, and no problems of arrows are reported. */
static void
test_without_arrows (void)
{
  g_autoptr (LoomTrace) with = freeze_many (2, IN_ORDER, TRUE), without = freeze_many (2, IN_ORDER, FALSE);
  guint32 n_with, n_without;
  loom_trace_get_arrows (without, &n_without);
  g_assert_cmpuint (n_without, ==, 0);
  const LoomFlowPoint *points = loom_trace_get_flow_points (with, &n_with);
  g_assert_cmpuint (n_with, >, 10000);
  g_assert_cmpmem (loom_trace_get_flow_points (without, &n_without), n_without * sizeof *points, points,
                   n_with * sizeof *points);
  g_assert_cmpuint (fixture_count (with, "unbound-flow"), >, 0);
  g_assert_cmpuint (fixture_count (without, "unbound-flow"), ==, 0);
}

/* Several spans of a thread start at the time of a flow event, which is between them in the text of the source.
 * Normally the flow event belongs to the innermost of these spans. If the text was made from records, or is a merged
 * file, the flow event belongs to the last of these spans that precedes it in the text. */
static void
test_follows_span (void)
{
  static const char *const wanted[] = { "inner>b point>b", "outer>a inner>b", "outer>a inner>b" };
  for (guint kind = 0; kind < G_N_ELEMENTS (wanted); kind++) {
    Fixture fixture;
    fixture_init (&fixture);
    loom_trace_builder_get_source (fixture.builder, 0)->flows_follow_spans = kind == 1;
    loom_trace_builder_get_source (fixture.builder, 0)->is_merged = kind == 2;
    guint32 second = loom_trace_builder_thread (fixture.builder, 0, "2", 1);
    fixture_feed (&fixture, 0, "X outer 5 10");
    feed (&fixture, 0, "s k 5; s l 7");
    fixture_feed (&fixture, 0, "X inner 5 5; X point 5 0");
    fixture_feed (&fixture, second, "X a 20 9");
    feed (&fixture, second, "f+ k 20");
    fixture_feed (&fixture, second, "X b 20 8");
    feed (&fixture, second, "f+ l 20");
    fixture_freeze (&fixture);
    g_autofree char *drawn = draw_arrows (fixture.trace);
    g_assert_cmpstr (drawn, ==, wanted[kind]);
    fixture_clear (&fixture);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strconcat ("/model/flows/", cases[i].name, NULL);
    g_test_add_data_func (path, &cases[i], test_case);
  }
  g_test_add_func ("/model/flows/version-2", test_version_2);
  g_test_add_func ("/model/flows/follows-span", test_follows_span);
  g_test_add_func ("/model/flows/points-and-targets", test_points_and_targets);
  g_test_add_func ("/model/flows/feeds-and-threads-agree", test_feeds_and_threads_agree);
  g_test_add_func ("/model/flows/without-arrows", test_without_arrows);
  return g_test_run ();
}
