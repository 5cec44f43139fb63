/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "fake-run.h"
#include "loom-flow-lines.h"
#include "loom-span-color-mode.h"
#include "loom-trace-builder.h"

/* Builds a timeline with the flows a → b → c and a → d; the spans begin at 0, 100, 200 and 300 ns. */
static LoomTimeline *
chain (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  loom_trace_builder_add_source (builder, loom_source_new ("flows.json"), loom_trace_builder_add_clock (builder));
  guint32 process = loom_trace_builder_process (builder, 0, "1", 1),
          thread = loom_trace_builder_thread (builder, process, "1", 1);
  guint32 name = loom_trace_builder_name (builder, "span", 4, "", 0, "", 0);
  static const struct {
    char phase;
    gint64 time_ns;
    const char *key;
  } flows[] = { { 's', 10, "x" }, { 't', 110, "x" }, { 'f', 210, "x" }, { 's', 20, "y" }, { 'f', 310, "y" } };
  for (guint i = 0; i < 4; i++)
    loom_trace_builder_span (builder, thread, 100 * i, 50, name, loom_source_ref_make (0, 0, i));
  for (guint i = 0; i < G_N_ELEMENTS (flows); i++)
    loom_trace_builder_flow (builder, thread, flows[i].phase, TRUE, flows[i].time_ns,
                             loom_string_pool_hash (flows[i].key, 1), name, loom_source_ref_make (0, 0, 10 + i));
  return fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
}

static void
test_next (void)
{
  g_autoptr (LoomTimeline) timeline = chain ();
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  loom_flow_lines_next (timeline, (LoomSpanId) { 0, 0 }, TRUE, spans);
  g_assert_cmpuint (spans->len, ==, 2);
  g_assert_cmpuint (g_array_index (spans, LoomSpanId, 0).span, ==, 1);
  g_assert_cmpuint (g_array_index (spans, LoomSpanId, 1).span, ==, 3);
  g_array_set_size (spans, 0);
  loom_flow_lines_next (timeline, (LoomSpanId) { 0, 2 }, FALSE, spans);
  g_assert_cmpuint (spans->len, ==, 1);
  g_assert_cmpuint (g_array_index (spans, LoomSpanId, 0).span, ==, 1);
  g_array_set_size (spans, 0);
  loom_flow_lines_next (timeline, (LoomSpanId) { 0, 2 }, TRUE, spans);
  g_assert_cmpuint (spans->len, ==, 0);
}

static void
test_chain (void)
{
  g_autoptr (LoomTimeline) timeline = chain ();
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (LoomFlowLine));
  loom_flow_lines_of_span (timeline, (LoomSpanId) { 0, 2 }, 10, lines);
  g_assert_cmpuint (lines->len, ==, 2); /* the flows into and out of b: a → b and b → c */
  g_assert_cmpuint (g_array_index (lines, LoomFlowLine, 0).from.span, ==, 1);
  g_assert_cmpuint (g_array_index (lines, LoomFlowLine, 1).from.span, ==, 0);
  g_array_set_size (lines, 0);
  loom_flow_lines_of_span (timeline, (LoomSpanId) { 0, 0 }, 10, lines);
  g_assert_cmpuint (lines->len, ==, 3);
  g_array_set_size (lines, 0);
  loom_flow_lines_of_span (timeline, (LoomSpanId) { 0, 0 }, 2, lines);
  g_assert_cmpuint (lines->len, ==, 2);
  g_array_set_size (lines, 0);
  loom_flow_lines_of_span (timeline, LOOM_SPAN_ID_NONE, 2, lines);
  g_assert_cmpuint (lines->len, ==, 0);
}

/* Draws `n` spans with a flow from each to the next, in a view from span `from` to span `to`. Returns the number of
 * arrows; G_MAXUINT if there are too many to be drawn. */
static guint
count_in_view (guint n, guint from, guint to, double width_px)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  loom_trace_builder_add_source (builder, loom_source_new ("flows.json"), loom_trace_builder_add_clock (builder));
  guint32 process = loom_trace_builder_process (builder, 0, "1", 1),
          thread = loom_trace_builder_thread (builder, process, "1", 1);
  guint32 name = loom_trace_builder_name (builder, "span", 4, "", 0, "", 0);
  for (guint i = 0; i < n; i++) {
    loom_trace_builder_span (builder, thread, 100 * i, 50, name, loom_source_ref_make (0, 0, 2 * i));
    loom_trace_builder_flow (builder, thread,
                             i == 0      ? 's'
                             : i + 1 < n ? 't'
                                         : 'f',
                             TRUE, 100 * i + 10, 7, name, loom_source_ref_make (0, 0, 2 * i + 1));
  }
  g_autoptr (LoomTimeline) timeline = fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL));
  g_autoptr (LoomRowList) outline = loom_row_list_new ();
  g_autoptr (LoomDrawList) list = loom_draw_list_new ();
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (LoomFlowLine));
  LoomViewport view = { 100 * from, 100 * to, width_px, 100, 0 };
  loom_row_list_set_timeline (outline, timeline);
  loom_draw_list_build (list, outline, &view, NULL);
  gboolean drawn = loom_span_color_mode_collect_flows (list, lines);
  g_assert_true (drawn || lines->len == 0);
  return drawn ? lines->len : G_MAXUINT;
}

/* Each flow in view has one arrow, including flows that enter or leave the view. No arrows are drawn if the spans are
 * too narrow or if there are too many arrows. */
static void
test_all_in_view (void)
{
  g_assert_cmpuint (count_in_view (10, 0, 10, 1000), ==, 9);
  g_assert_cmpuint (count_in_view (10, 3, 6, 1000), ==, 4);
  g_assert_cmpuint (count_in_view (10, 0, 10, 2), ==, 0); /* the spans are too narrow to have marks of their own */
  g_assert_cmpuint (count_in_view (601, 0, 601, 3000), ==, 600);
  g_assert_cmpuint (count_in_view (602, 0, 602, 3000), ==, G_MAXUINT);
}

static void
test_color_words (void)
{
  for (LoomColorBy i = LOOM_COLOR_BY_NAME; i <= LOOM_COLOR_BY_DURATION; i++)
    g_assert_cmpuint (loom_span_color_mode_color_from_word (loom_span_color_mode_color_word (i)), ==, i);
  g_assert_cmpuint (loom_span_color_mode_color_from_word ("taste"), ==, LOOM_COLOR_BY_NAME);
  g_assert_cmpuint (loom_span_color_mode_color_from_word (NULL), ==, LOOM_COLOR_BY_NAME);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/flow-lines/next", test_next);
  g_test_add_func ("/draw/flow-lines/chain", test_chain);
  g_test_add_func ("/draw/flow-lines/all-in-view", test_all_in_view);
  g_test_add_func ("/draw/flow-lines/color-words", test_color_words);
  return g_test_run ();
}
