/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the document of the command “info” for an empty run and for a run made by hand; the tests of the command line
 * use real files.
 */
#include "loom-alignment-section.h"
#include "loom-run-info.h"
#include "loom-trace-builder.h"

#include <string.h>

static LoomTimeline *
timeline_of (LoomTrace *trace)
{
  g_autoptr (LoomRun) run = loom_run_new (&trace, trace != NULL ? 1 : 0);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  return loom_timeline_new (run, alignment);
}

static LoomTrace *
make_trace (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint clock = loom_trace_builder_add_clock (builder);
  LoomDeclaredClock *decl = loom_trace_builder_get_clock (builder, clock);
  decl->state = LOOM_CLOCK_EXACT;
  decl->basis = g_strdup ("by hand");
  LoomSource *source = loom_source_new ("bad \xff name.json");
  source->n_events = 2;
  loom_import_log_add (source->log, LOOM_SEVERITY_WARNING, "thing", 12, "A thing");
  loom_import_log_add (source->log, LOOM_SEVERITY_WARNING, "thing", 40, "A thing");
  guint number = loom_trace_builder_add_source (builder, source, clock);
  guint32 process = loom_trace_builder_process (builder, number, "1", 1),
          thread = loom_trace_builder_thread (builder, process, "2", 1);
  guint32 name = loom_trace_builder_name (builder, "a", 1, "", 0, "", 0);
  gint64 base_ns = G_GINT64_CONSTANT (1700000000) * LOOM_NS_PER_S;
  loom_trace_builder_span (builder, thread, base_ns, 100, name, loom_source_ref_make (number, 0, 0));
  loom_trace_builder_span (builder, thread, base_ns + 10, 5, name, loom_source_ref_make (number, 0, 10));
  return loom_trace_builder_freeze (builder, 1, NULL);
}

static void
test_document (void)
{
  g_autoptr (LoomTrace) trace = make_trace ();
  g_autoptr (LoomTimeline) timeline = timeline_of (trace);
  g_autoptr (JsonNode) root = loom_run_info_to_json (timeline, NULL, NULL);
  g_autofree char *text = loom_run_info_print_json (root);
  JsonObject *source =
    json_array_get_object_element (json_object_get_array_member (json_node_get_object (root), "sources"), 0);
  JsonObject *track =
    json_array_get_object_element (json_object_get_array_member (json_node_get_object (root), "tracks"), 0);
  JsonObject *problem = json_array_get_object_element (json_object_get_array_member (source, "problems"), 0);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_true (json_object_get_null_member (source, "rank"));
  g_assert_cmpint (json_object_get_int_member (track, "depth"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (problem, "count"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (problem, "offset"), ==, 12);
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (root), "end_ns"), ==,
                   G_GINT64_CONSTANT (1700000000000000100));
}

static void
test_text (void)
{
  g_autoptr (LoomTrace) trace = make_trace ();
  g_autoptr (LoomTimeline) timeline = timeline_of (trace);
  g_autofree char *text = loom_run_info_to_text (timeline, NULL, NULL);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_nonnull (strstr (text, "1 source, 2 events, 2 spans, 100 ns"));
  g_assert_nonnull (strstr (text, "exact (by hand)"));
  g_assert_nonnull (strstr (text, "A thing (2 times), byte 12"));
  g_assert_nonnull (strstr (text, "2 deep"));
}

/* The user's name of a source is written if there is one, and otherwise omitted. */
static void
test_given_name (void)
{
  g_autoptr (LoomTrace) trace = make_trace ();
  g_autoptr (LoomTimeline) timeline = timeline_of (trace);
  g_autoptr (LoomSourceOverrides) names = loom_source_overrides_new ();
  loom_source_overrides_change (names, "other.json")->name = g_strdup ("other");
  g_autoptr (JsonNode) without = loom_run_info_to_json (timeline, names, NULL);
  g_autofree char *plain = loom_run_info_print_json (without);
  g_assert_null (strstr (plain, "\"other\""));
  loom_source_overrides_change (names, "bad \xff name.json")->name = g_strdup ("the slow\none");
  g_autoptr (JsonNode) root = loom_run_info_to_json (timeline, names, NULL),
                       aligned = loom_alignment_section_to_json (timeline, names);
  JsonNode *const both[] = { root, aligned };
  for (guint i = 0; i < G_N_ELEMENTS (both); i++) {
    JsonArray *sources = json_object_get_array_member (json_node_get_object (both[i]), "sources");
    g_assert_cmpstr (json_object_get_string_member (json_array_get_object_element (sources, 0), "name"), ==,
                     "the slow\none");
  }
  g_autofree char *text = loom_run_info_to_text (timeline, names, NULL),
                  *align = loom_alignment_section_to_text (timeline, names);
  g_assert_nonnull (strstr (text, "“the slow")); /* line breaks in the name are replaced by blanks */
  g_assert_null (strstr (text, "slow\none"));
  g_assert_nonnull (strstr (align, "    name     the slow"));
  g_assert_null (strstr (align, "slow\none"));
}

/* The shift of a clock is shown as a duration in the text, and in nanoseconds in JSON. */
static void
test_moved (void)
{
  static const struct {
    gint64 offset_ns;
    const char *words;
  } cases[] = { { -3151000, "moved 3.15 ms earlier" }, { 185, "moved 185 ns later" } };
  g_autoptr (LoomTrace) trace = make_trace ();
  g_autoptr (LoomRun) run = loom_run_new (&trace, 1);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const LoomUserOffset offset = { 0, cases[i].offset_ns };
    g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, &offset, 1);
    g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
    g_autoptr (JsonNode) root = loom_run_info_to_json (timeline, NULL, NULL);
    g_autofree char *text = loom_run_info_to_text (timeline, NULL, NULL);
    JsonObject *source =
      json_array_get_object_element (json_object_get_array_member (json_node_get_object (root), "sources"), 0);
    g_assert_nonnull (strstr (text, cases[i].words));
    g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (source, "clock"), "offset_ns"), ==,
                     offset.offset_ns);
  }
}

static void
test_range (void)
{
  g_autoptr (LoomTrace) trace = make_trace ();
  g_autoptr (LoomTimeline) timeline = timeline_of (trace);
  LoomRunInfoRange within = { { 5, 2005 }, 1, 2, 3, 4 };
  g_autoptr (JsonNode) root = loom_run_info_to_json (timeline, NULL, &within);
  g_autofree char *text = loom_run_info_to_text (timeline, NULL, &within);
  JsonObject *range = json_object_get_object_member (json_node_get_object (root), "range");
  g_assert_cmpint (json_object_get_int_member (range, "start_ns"), ==, 5);
  g_assert_cmpint (json_object_get_int_member (range, "end_ns"), ==, 2005);
  g_assert_cmpint (json_object_get_int_member (range, "flows"), ==, 4);
  g_assert_nonnull (strstr (text, "In the range of 2.00 µs: 1 span, 2 instants, 3 counter events, 4 flow points"));
}

static void
test_empty (void)
{
  g_autoptr (LoomTimeline) timeline = timeline_of (NULL);
  g_autoptr (JsonNode) root = loom_run_info_to_json (timeline, NULL, NULL);
  g_autofree char *text = loom_run_info_to_text (timeline, NULL, NULL);
  g_assert_true (json_object_get_null_member (json_node_get_object (root), "start_ns"));
  g_assert_true (g_str_has_prefix (text, "0 sources, 0 events"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/info/document", test_document);
  g_test_add_func ("/report/info/text", test_text);
  g_test_add_func ("/report/info/given-name", test_given_name);
  g_test_add_func ("/report/info/moved", test_moved);
  g_test_add_func ("/report/info/range", test_range);
  g_test_add_func ("/report/info/empty", test_empty);
  return g_test_run ();
}
