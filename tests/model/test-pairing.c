/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests pairing of begin and end events to spans: every row of the documented table, equal times, wrong order, and
 * threads whose events continue in the next file.
 */
#include "fixture.h"

typedef struct {
  const char *name;
  const char *script;
  const char *expected;
  guint64 n_orphans, n_open, n_negative;
} Case;

static const Case cases[] = {
  { "end-without-name", "B a 0; B b 2; E - 5; E - 9", "0.0: a[0+9] | 0.1: b[2+3]", 0, 0, 0 },
  { "end-of-topmost", "B a 0; B b 2; E b 5; E a 9", "0.0: a[0+9] | 0.1: b[2+3]", 0, 0, 0 },
  { "end-of-deeper", "B a 0; B b 2; E a 5; E b 9", "0.0: a[0+5] | 1.0: b[2+7]", 0, 0, 0 },
  { "end-of-deeper-then-nameless", "B a 0; B b 2; E a 5; E - 9", "0.0: a[0+5] | 1.0: b[2+7]", 0, 0, 0 },
  { "end-of-nothing", "B a 0; E z 3; E a 9", "0.0: a[0+9]", 1, 0, 0 },
  { "end-on-empty-stack", "E - 1; E a 2; X x 3 1", "0.0: x[3+1]", 2, 0, 0 },
  { "category-differs", "B c:a 0; E d:a 4", "0.0: a[0+4]", 0, 0, 0 },
  { "category-preferred", "B c:a 0; B d:a 1; E c:a 5; E d:a 9", "0.0: a[0+5] | 1.0: a[1+8]", 0, 0, 0 },
  { "no-category-takes-topmost", "B c:a 0; B d:a 1; E a 5; E a 9", "0.0: a[0+9] | 0.1: a[1+4]", 0, 0, 0 },
  { "recursion", "B a 0; B a 1; B a 2; E a 3; E a 4; E a 5", "0.0: a[0+5] | 0.1: a[1+3] | 0.2: a[2+1]", 0, 0, 0 },
  { "zero-length-pair", "B a 5; E a 5; B b 5; E b 8", "0.0: b[5+3] | 0.1: a[5+0]", 0, 0, 0 },
  { "back-to-back", "B a 0; E a 5; B b 5; E b 9", "0.0: a[0+5] b[5+4]", 0, 0, 0 },
  { "equal-time-file-order", "B a 0; B b 0; E b 4; E a 4", "0.0: a[0+4] | 0.1: b[0+4]", 0, 0, 0 },
  { "begin-never-closed", "B a 0; X x 2 7", "0.0: a[0+9]! | 0.1: x[2+7]", 0, 1, 0 },
  { "closed-at-orphan-end", "B a 0; E z 12", "0.0: a[0+12]!", 1, 1, 0 },
  { "x-without-dur", "X a 0 open; X b 3 4", "0.0: a[0+7]! | 0.1: b[3+4]", 0, 1, 0 },
  { "out-of-order", "E a 9; B a 1", "0.0: a[1+8]", 0, 0, 0 },
  { "mixed-with-x", "B a 0; X x 1 3; E a 5", "0.0: a[0+5] | 0.1: x[1+3]", 0, 0, 0 },
  { "end-before-begin", "B a 5; E a 3; X x 0 9", "0.0: x[0+9]", 0, 0, 1 },
  { "nameless-end-before-begin", "B a 5; E - 3; X x 0 9", "0.0: x[0+9]", 0, 0, 1 },
  { "two-reversed-pairs", "B a 10; B a 20; E a 5; E a 3; X x 0 1", "0.0: x[0+1]", 0, 0, 2 },
  { "reversed-pair-then-good-one", "B a 5; E a 3; B a 6; E a 8", "0.0: a[6+2]", 0, 0, 1 },
  { "negative-dur", "X a 0 -5; X b 1 1", "0.0: b[1+1]", 0, 0, 1 },
};

static void
test_case (gconstpointer data)
{
  const Case *pairing = data;
  Fixture fixture;
  fixture_init (&fixture);
  fixture_feed (&fixture, 0, pairing->script);
  fixture_freeze (&fixture);
  fixture_assert_spans (&fixture, pairing->expected);
  g_assert_cmpuint (fixture_count (fixture.trace, "orphan-end"), ==, pairing->n_orphans);
  g_assert_cmpuint (fixture_count (fixture.trace, "open-span"), ==, pairing->n_open);
  g_assert_cmpuint (fixture_count (fixture.trace, "negative-duration"), ==, pairing->n_negative);
  fixture_clear (&fixture);
}

static void
test_open_ends_at_instant (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  fixture_feed (&fixture, 0, "B a 0; X x 1 1");
  loom_trace_builder_instant (fixture.builder, 0, 0, 0, 40, fixture_name (&fixture, "mark"), 'i', 't',
                              fixture_ref (&fixture));
  fixture_freeze (&fixture);
  fixture_assert_spans (&fixture, "0.0: a[0+40]! | 0.1: x[1+1]");
  fixture_clear (&fixture);
}

/* A span without an end lasts until the latest credible event of its source, if the source says so. */
static void
test_open_ends_with_source (void)
{
  for (guint kind = 0; kind < 6; kind++) {
    Fixture fixture;
    fixture_init (&fixture);
    guint32 other = loom_trace_builder_thread (fixture.builder, fixture.process, "2", 1),
            counter = loom_trace_builder_counter (fixture.builder, fixture.process, "", 0, "c", 1, "", 0);
    fixture_feed (&fixture, 0, kind == 0 ? "X x 1 2; X a 5 open" : "X x 1 2; B a 5");
    fixture_feed (&fixture, other, "X y 10 20");
    if (kind == 2) /* an instant of the other thread */
      loom_trace_builder_instant (fixture.builder, 0, fixture.process, other, 50, fixture_name (&fixture, "mark"), 'i',
                                  't', fixture_ref (&fixture));
    if (kind == 3)
      loom_trace_builder_sample (fixture.builder, loom_trace_builder_series (fixture.builder, counter, "v", 1), 50, 1,
                                 fixture_ref (&fixture));
    if (kind == 4)
      loom_trace_builder_instant (fixture.builder, 0, fixture.process, other, 900, fixture_name (&fixture, "mark"), 'i',
                                  't', fixture_ref (&fixture) | loom_source_ref_make (0, LOOM_REF_SUSPECT, 0));
    loom_trace_builder_source_extend_open (fixture.builder, 0, kind == 5 ? 50 : kind == 1 ? 29 : LOOM_TIME_NONE);
    fixture_freeze (&fixture);
    g_autofree char *drawn = fixture_draw (fixture.trace, fixture_find (fixture.trace, LOOM_TRACK_SPANS, "1", NULL));
    g_assert_cmpstr (drawn, ==, kind == 2 || kind == 3 || kind == 5 ? "0.0: x[1+2] a[5+45]!" : "0.0: x[1+2] a[5+25]!");
    fixture_clear (&fixture);
  }
}

static void
test_end_args (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  fixture_feed (&fixture, 0, "B a 0; B b 1; E+ b 2; E a 3; B c 4; E+ c 5");
  fixture_freeze (&fixture);
  fixture_assert_spans (&fixture, "0.0: a[0+3] c[4+1] | 0.1: b[1+1]");
  g_assert_cmpuint (loom_trace_get_end_ref (fixture.trace, 0), ==, LOOM_REF_NONE);
  g_assert_cmpuint (loom_source_ref_offset (loom_trace_get_end_ref (fixture.trace, 1)), ==, 5);
  g_assert_cmpuint (loom_source_ref_offset (loom_trace_get_end_ref (fixture.trace, 2)), ==, 2);
  fixture_clear (&fixture);
}

/* Tests three files of one writer: a span begins in the first file and ends in the third one;
 * another span begins in the first and ends in the second one. */
static void
test_continuation (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  guint32 second = loom_trace_builder_thread (fixture.builder, 0, "2", 1),
          third = loom_trace_builder_thread (fixture.builder, 0, "3", 1);
  loom_trace_builder_thread_continue (fixture.builder, 0, second);
  loom_trace_builder_thread_continue (fixture.builder, second, third);
  fixture_feed (&fixture, 0, "B epoch 0; B save 90; X x 91 1");
  fixture_feed (&fixture, second, "E save 100; B batch 110; E batch 120; B save 190");
  fixture_feed (&fixture, third, "E save 200; E epoch 250; E lost 251; B open 252; X x 253 1");
  fixture_freeze (&fixture);
  g_autofree char *first_drawn = fixture_draw (fixture.trace, 0);
  g_autofree char *second_drawn = fixture_draw (fixture.trace, 1);
  g_autofree char *third_drawn = fixture_draw (fixture.trace, 2);
  g_assert_cmpstr (first_drawn, ==, "0.0: epoch[0+250] | 0.1: save[90+10] | 0.2: x[91+1]");
  g_assert_cmpstr (second_drawn, ==, "0.0: batch[110+10] save[190+10]");
  g_assert_cmpstr (third_drawn, ==, "0.0: open[252+2]! | 0.1: x[253+1]");
  g_assert_cmpuint (fixture_count (fixture.trace, "orphan-end"), ==, 1);
  g_assert_cmpuint (fixture_count (fixture.trace, "open-span"), ==, 1);
  fixture_clear (&fixture);
}

static void
test_continuation_unclosed (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  guint32 second = loom_trace_builder_thread (fixture.builder, 0, "2", 1);
  loom_trace_builder_thread_continue (fixture.builder, 0, second);
  loom_trace_builder_thread_continue (fixture.builder, second, 0); /* a thread that would continue itself is refused */
  fixture_feed (&fixture, 0, "B a 0; X x 5 5");
  fixture_feed (&fixture, second, "X y 100 1");
  fixture_freeze (&fixture);
  fixture_assert_spans (&fixture, "0.0: a[0+10]! | 0.1: x[5+5]");
  fixture_clear (&fixture);
}

/* Tests input that would make a naive implementation slow: many end events that match none of equally many open begin
 * events, and then end events that close every second one of the nested spans. */
static void
test_hostile (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  guint32 a = fixture_name (&fixture, "a"), b = fixture_name (&fixture, "b"), z = fixture_name (&fixture, "c:z");
  const gint64 n = 200000;
  for (gint64 i = 0; i < n; i++)
    loom_trace_builder_begin (fixture.builder, 0, i, i % 2 == 0 ? a : b, fixture_ref (&fixture));
  for (gint64 i = 0; i < n; i++)
    loom_trace_builder_end (fixture.builder, 0, n + i, z, fixture_ref (&fixture), FALSE);
  for (gint64 i = 0; i < n / 2; i++)
    loom_trace_builder_end (fixture.builder, 0, 2 * n + i, a, fixture_ref (&fixture), FALSE);
  fixture_freeze (&fixture);
  g_assert_cmpuint (fixture_count (fixture.trace, "orphan-end"), ==, n);
  g_assert_cmpuint (fixture_count (fixture.trace, "open-span"), ==, n / 2);
  g_assert_cmpuint (loom_trace_get_spans (fixture.trace)->n, ==, n);
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strconcat ("/model/pairing/", cases[i].name, NULL);
    g_test_add_data_func (path, &cases[i], test_case);
  }
  g_test_add_func ("/model/pairing/open-ends-at-instant", test_open_ends_at_instant);
  g_test_add_func ("/model/pairing/open-ends-with-source", test_open_ends_with_source);
  g_test_add_func ("/model/pairing/end-args", test_end_args);
  g_test_add_func ("/model/pairing/continuation", test_continuation);
  g_test_add_func ("/model/pairing/continuation-unclosed", test_continuation_unclosed);
  g_test_add_func ("/model/pairing/hostile", test_hostile);
  return g_test_run ();
}
