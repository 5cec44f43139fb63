/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "fake-run.h"
#include "loom-builder.h"
#include "loom-flows.h"

/* a → b → c, a → d; times 0, 100, 200, 300. */
static LoomTimeline *
chain (void)
{
  LoomBuilder *builder = loom_builder_new ();
  loom_builder_add_source (builder, loom_source_new ("flows.json"), loom_builder_add_clock (builder));
  guint32 process = loom_builder_process (builder, 0, "1", 1), thread = loom_builder_thread (builder, process, "1", 1);
  guint32 name = loom_builder_name (builder, "span", 4, "", 0, "", 0);
  static const struct {
    char phase;
    gint64 time_ns;
    const char *key;
  } flows[] = { { 's', 10, "x" }, { 't', 110, "x" }, { 'f', 210, "x" }, { 's', 20, "y" }, { 'f', 310, "y" } };
  for (guint i = 0; i < 4; i++)
    loom_builder_span (builder, thread, 100 * i, 50, name, loom_ref_make (0, 0, i));
  for (guint i = 0; i < G_N_ELEMENTS (flows); i++)
    loom_builder_flow (builder, thread, flows[i].phase, TRUE, flows[i].time_ns,
                       loom_strings_hash (flows[i].key, 1), name, loom_ref_make (0, 0, 10 + i));
  return fake_timeline_of (loom_builder_freeze (builder, 1, NULL));
}

static void
test_next (void)
{
  g_autoptr (LoomTimeline) timeline = chain ();
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  loom_flows_next (timeline, (LoomSpanId) { 0, 0 }, TRUE, spans);
  g_assert_cmpuint (spans->len, ==, 2);
  g_assert_cmpuint (g_array_index (spans, LoomSpanId, 0).span, ==, 1);
  g_assert_cmpuint (g_array_index (spans, LoomSpanId, 1).span, ==, 3);
  g_array_set_size (spans, 0);
  loom_flows_next (timeline, (LoomSpanId) { 0, 2 }, FALSE, spans);
  g_assert_cmpuint (spans->len, ==, 1);
  g_assert_cmpuint (g_array_index (spans, LoomSpanId, 0).span, ==, 1);
  g_array_set_size (spans, 0);
  loom_flows_next (timeline, (LoomSpanId) { 0, 2 }, TRUE, spans);
  g_assert_cmpuint (spans->len, ==, 0);
}

static void
test_chain (void)
{
  g_autoptr (LoomTimeline) timeline = chain ();
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (LoomFlowLine));
  loom_flows_of_span (timeline, (LoomSpanId) { 0, 2 }, 10, lines);
  g_assert_cmpuint (lines->len, ==, 2); /* b → c, a → b */
  g_assert_cmpuint (g_array_index (lines, LoomFlowLine, 0).from.span, ==, 1);
  g_assert_cmpuint (g_array_index (lines, LoomFlowLine, 1).from.span, ==, 0);
  g_array_set_size (lines, 0);
  loom_flows_of_span (timeline, (LoomSpanId) { 0, 0 }, 10, lines);
  g_assert_cmpuint (lines->len, ==, 3);
  g_array_set_size (lines, 0);
  loom_flows_of_span (timeline, (LoomSpanId) { 0, 0 }, 2, lines);
  g_assert_cmpuint (lines->len, ==, 2);
  g_array_set_size (lines, 0);
  loom_flows_of_span (timeline, LOOM_SPAN_ID_NONE, 2, lines);
  g_assert_cmpuint (lines->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/flows/next", test_next);
  g_test_add_func ("/draw/flows/chain", test_chain);
  return g_test_run ();
}
