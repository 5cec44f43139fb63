/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the details of a span. The ranks of the test run are at steps with different numbers at the same time.
 */
#include "loom-event-args.h"
#include "loom-load.h"
#include "loom-ruler.h"
#include "loom-source-viewer.h"
#include "loom-span-children.h"
#include "loom-span-peers.h"
#include "loom-span-properties.h"
#include "loom-span-relations.h"

#include <glib/gstdio.h>
#include <string.h>

#define BASE_US G_GINT64_CONSTANT (1700000000000000)

/* Writes the trace of a rank with two steps of one second; the steps of rank 1 are numbered from 100. */
static void
write_rank (const char *folder, guint rank)
{
  GString *text = g_string_new (NULL);
  g_string_append_printf (
    text, "{\"distributedInfo\":{\"rank\":%u,\"world_size\":2},\"schemaVersion\":1,\"traceEvents\":[", rank);
  for (guint i = 0; i < 2; i++)
    g_string_append_printf (
      text,
      "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%u\",\"pid\":%u,\"tid\":1,"
      "\"ts\":%" G_GINT64_FORMAT ",\"dur\":1000000},",
      i + 100 * rank, 10 + rank, BASE_US + i * 1000000);
  for (guint i = 0; i < 3; i++)
    g_string_append_printf (
      text,
      "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"all\",\"pid\":%u,\"tid\":1,\"ts\":%" G_GINT64_FORMAT ",\"dur\":%u},",
      10 + rank, BASE_US + 1100000 + 100 * i, rank == 0 ? (3 - i) * 10 : 15);
  g_string_append_printf (
    text,
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op of %u\",\"pid\":%u,\"tid\":1,\"ts\":%" G_GINT64_FORMAT
    ",\"dur\":5}]}",
    rank, 10 + rank, BASE_US + 1250000);
  g_autofree char *path = g_strdup_printf ("%s/rank%u.pt.trace.json", folder, rank);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  g_string_free (text, TRUE);
}

static LoomTimeline *
load_ranks (void)
{
  g_autofree char *folder = g_dir_make_tmp ("loom-facts-XXXXXX", NULL);
  write_rank (folder, 0);
  write_rank (folder, 1);
  LoomLoadOptions options = { 0 };
  const char *paths[] = { folder, NULL };
  g_autoptr (LoomProgress) progress = loom_progress_new (NULL);
  g_autoptr (LoomRun) run = loom_load_paths (paths, &options, progress, NULL, NULL, NULL);
  g_assert_nonnull (run);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  for (guint rank = 0; rank < 2; rank++) {
    g_autofree char *path = g_strdup_printf ("%s/rank%u.pt.trace.json", folder, rank);
    g_unlink (path);
  }
  g_rmdir (folder);
  return loom_timeline_new (run, alignment);
}

static LoomSpanId
find_span (LoomTimeline *timeline, const char *name)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    const LoomSpans *spans = loom_trace_get_spans (trace);
    for (guint32 i = 0; i < spans->n; i++)
      if (g_str_equal (loom_trace_get_name (trace, spans->name_id[i])->text, name))
        return (LoomSpanId) { t, i };
  }
  g_assert_not_reached ();
}

static void
assert_start (LoomTimeline *timeline, LoomSteps *steps, const char *name, const char *line)
{
  g_autoptr (GPtrArray) facts = loom_span_properties (timeline, steps, NULL, find_span (timeline, name));
  for (guint i = 0; i < facts->len; i++) {
    const LoomProperty *fact = facts->pdata[i];
    if (!g_str_equal (fact->word, "Start"))
      continue;
    g_auto (GStrv) parts = g_strsplit (fact->value, " · ", -1);
    g_assert_cmpuint (g_strv_length (parts), ==, 2);
    g_assert_cmpstr (parts[1], ==, line);
    g_assert_null (strchr (fact->value, '\n'));
    g_assert_nonnull (strstr (fact->more, "UTC")); /* the other units are in the tooltip */
    g_assert_null (strstr (fact->more, parts[0]));
    return;
  }
  g_assert_not_reached ();
}

/* Compares the three spans of a name on rank 0 (30, 20 and 10 µs) with the spans of the same name on rank 1 (15 µs
 * each). */
static void
test_peers (void)
{
  g_autoptr (LoomTimeline) timeline = load_ranks ();
  LoomSpanPeers peers;
  g_assert_true (loom_span_peers_measure (timeline, NULL, NULL, find_span (timeline, "op of 0"), NULL, &peers));
  g_assert_null (loom_span_peers_describe (&peers));
  g_assert_true (loom_span_peers_measure (timeline, NULL, NULL, find_span (timeline, "all"), NULL, &peers));
  g_assert_cmpuint (peers.n_own, ==, 3);
  g_assert_cmpuint (peers.n_others, ==, 3);
  g_assert_cmpfloat_with_epsilon (peers.own_median_ns, 20000, 10);
  g_assert_cmpfloat_with_epsilon (peers.others_median_ns, 15000, 8);
  g_autofree char *text = loom_span_peers_describe (&peers);
  g_assert_cmpstr (text, ==, "1.50 × the median of 20.0 µs; median of other ranks: 15.0 µs");
  peers.n_own = 1;
  g_autofree char *only = loom_span_peers_describe (&peers);
  g_assert_cmpstr (only, ==, "the only one on this rank; median of other ranks: 15.0 µs");
  g_autoptr (GPtrArray) facts = loom_span_properties (timeline, NULL, NULL, find_span (timeline, "all"));
  guint n = facts->len;
  g_assert_cmpint (loom_span_properties_add_peers (facts, NULL), ==, -1);
  g_assert_cmpint (loom_span_properties_add_peers (facts, &peers), ==, 1);
  g_assert_cmpuint (facts->len, ==, n + 1);
  g_assert_cmpstr (((LoomProperty *) facts->pdata[0])->word, ==, "Duration");
  g_autofree char *place = loom_span_properties_dup_place (timeline, NULL, find_span (timeline, "op of 1"));
  g_assert_true (g_str_has_prefix (place, "rank 1 › "));
}

static void
test_step_of_own_rank (void)
{
  g_autoptr (LoomTimeline) timeline = load_ranks ();
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, NULL);
  assert_start (timeline, steps, "op of 0", "step 1 + 250 ms");
  assert_start (timeline, steps, "op of 1", "step 101 + 250 ms");
  assert_start (timeline, steps, "ProfilerStep#101", "step 101");
}

/* A time that belongs to no span is described by the step of the reference rank, as on the ruler.
 * The description and the corner of the ruler both name this rank. */
static void
test_step_of_reference (void)
{
  g_autoptr (LoomTimeline) timeline = load_ranks ();
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, NULL);
  g_autoptr (LoomRuler) ruler = loom_ruler_new ();
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  LoomViewport view = { BASE_US * 1000, (BASE_US + 2000000) * 1000, 1000, 500, 0 };
  g_autofree char *words = loom_ruler_format (timeline, steps, LOOM_RULER_UNIT_STEP, (BASE_US + 1250000) * 1000);
  loom_ruler_update (ruler, timeline, steps, &view, LOOM_RULER_UNIT_STEP, text);
  g_assert_cmpstr (words, ==, "step 1 + 250 ms (rank 0)");
  g_assert_cmpstr (ruler->corner, ==, "step of rank 0");
}

/* Checks the stack facts of a span: one line for each frame. */
static void
assert_stacks (const char *event, const char *stack, const char *end_stack)
{
  static const char frames[] =
    "{\"1\":{\"name\":\"main\"},\"2\":{\"name\":\"leaf\",\"parent\":\"1\"},\"3\":{\"name\":\"\"}}";
  g_autofree char *folder = g_dir_make_tmp ("loom-facts-XXXXXX", NULL),
                  *path = g_build_filename (folder, "t.json", NULL);
  g_autofree char *text =
    g_strdup_printf ("{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"op\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1%s}],"
                     "\"stackFrames\":%s}",
                     event, frames);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  const char *paths[] = { path, NULL };
  g_autoptr (LoomRun) run = loom_load_paths (paths, NULL, NULL, NULL, NULL, NULL);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  LoomEventArgs *args = loom_event_args_read (timeline, find_span (timeline, "op"), NULL);
  g_autoptr (GPtrArray) facts = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_span_properties_free_property);
  loom_span_properties_add_stack (facts, "Stack", args->stack);
  loom_span_properties_add_stack (facts, "End", args->end_stack);
  const char *const wanted[] = { stack, end_stack };
  guint n = 0;
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (wanted[i] != NULL) {
      g_assert_cmpuint (n, <, facts->len);
      g_assert_cmpstr (((LoomProperty *) facts->pdata[n++])->value, ==, wanted[i]);
    }
  g_assert_cmpuint (facts->len, ==, n);
  loom_event_args_free (args);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_stacks (void)
{
  assert_stacks ("", NULL, NULL);
  assert_stacks (",\"sf\":2", "leaf\nmain", NULL);
  assert_stacks (",\"sf\":\"3\",\"esf\":1", "(no name)", "main");
  assert_stacks (",\"sf\":9", NULL, NULL);
  assert_stacks (",\"stack\":[\"a\",\"b\"],\"estack\":[\"c\"]", "a\nb", "c");
}

static void
test_long_stack (void)
{
  g_autoptr (GPtrArray) facts = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_span_properties_free_property);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < 1024; i++)
    g_ptr_array_add (names, (gpointer) "f");
  loom_span_properties_add_stack (facts, "Stack", names);
  const LoomProperty *fact = facts->pdata[0];
  g_auto (GStrv) lines = g_strsplit (fact->value, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 65);
  g_assert_cmpstr (lines[64], ==, "and 960 more");
}

/* The details of a span list the spans inside it by duration, and both ends of a flow, each with a link. */
static void
test_kin (void)
{
  static const char text[] =
    "[{\"ph\":\"X\",\"name\":\"step\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":100},"
    "{\"ph\":\"X\",\"name\":\"a<b\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":10},"
    "{\"ph\":\"X\",\"name\":\"gemm\",\"pid\":1,\"tid\":1,\"ts\":30,\"dur\":5},"
    "{\"ph\":\"X\",\"name\":\"gemm\",\"pid\":1,\"tid\":1,\"ts\":40,\"dur\":15},"
    "{\"ph\":\"X\",\"name\":\"deeper\",\"pid\":1,\"tid\":1,\"ts\":41,\"dur\":1},"
    "{\"ph\":\"s\",\"name\":\"f\",\"cat\":\"c\",\"id\":1,\"pid\":1,\"tid\":1,\"ts\":12},"
    "{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"f\",\"cat\":\"c\",\"id\":1,\"pid\":1,\"tid\":2,\"ts\":62},"
    "{\"ph\":\"X\",\"name\":\"kernel\",\"pid\":1,\"tid\":2,\"ts\":60,\"dur\":10}]";
  g_autofree char *folder = g_dir_make_tmp ("loom-facts-XXXXXX", NULL),
                  *path = g_build_filename (folder, "kin.json", NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  const char *paths[] = { path, NULL };
  g_autoptr (LoomRun) run = loom_load_paths (paths, NULL, NULL, NULL, NULL, NULL);
  g_unlink (path);
  g_rmdir (folder);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  LoomSpanId step = find_span (timeline, "step"), op = find_span (timeline, "a<b"),
             kernel = find_span (timeline, "kernel");
  g_autofree char *inner = loom_span_relations_dup_inner (timeline, step),
                  *none = loom_span_relations_dup_inner (timeline, kernel);
  g_assert_nonnull (strstr (inner, ">gemm</a>  20.0 µs  20 %  2 ×\n"));
  g_assert_nonnull (strstr (inner, ">a&lt;b</a>  10.0 µs  10 %"));
  g_assert_null (strstr (inner, "deeper"));
  g_assert_null (none);
  g_assert_cmpint (loom_span_children_self_ns (loom_run_get_trace (run, 0), step.span), ==, 70000);
  g_autofree char *to = loom_span_relations_dup_arrows (timeline, op, TRUE),
                  *from = loom_span_relations_dup_arrows (timeline, kernel, FALSE);
  g_autofree char *link =
    g_strdup_printf ("<a href=\"span:%u:%u\">kernel</a> (start to start: 50.0 µs)", kernel.trace, kernel.span);
  g_assert_cmpstr (to, ==, link);
  g_assert_nonnull (strstr (from, ">a&lt;b</a> (start to start: 50.0 µs)"));
  g_assert_null (loom_span_relations_dup_arrows (timeline, op, FALSE));
}

/* The details contain the event's own text from the file, without the text around it. */
static void
test_source_text (void)
{
  static const char
    first[] = "{\"ph\":\"X\",\"name\":\"one\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":9}",
    second[] = "{\"ph\":\"X\",\"name\":\"two \xff\",\"pid\":1,\"tid\":1,\"ts\":20,\"dur\":9,\"args\":{\"a\":[1,2]}}";
  g_autofree char *folder = g_dir_make_tmp ("loom-facts-XXXXXX", NULL),
                  *path = g_build_filename (folder, "text.json", NULL);
  g_autofree char *whole = g_strdup_printf ("[%s,\n%s]", first, second);
  g_assert_true (g_file_set_contents (path, whole, -1, NULL));
  const char *paths[] = { path, NULL };
  g_autoptr (LoomRun) run = loom_load_paths (paths, NULL, NULL, NULL, NULL, NULL);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  g_autoptr (LoomSourceViewer) one = loom_source_viewer_read (timeline, (LoomSpanId) { 0, 0 }, NULL);
  g_autoptr (LoomSourceViewer) two = loom_source_viewer_read (timeline, (LoomSpanId) { 0, 1 }, NULL);
  g_autofree char *valid = g_utf8_make_valid (second, -1);
  g_assert_cmpstr (one->before, ==, "[");
  g_assert_cmpstr (one->event, ==, first);
  g_assert_cmpstr (two->event, ==, valid);
  g_assert_cmpstr (two->after, ==, "]");
  g_assert_true (g_str_has_suffix (two->before, ",\n"));
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/span-facts/step-of-own-rank", test_step_of_own_rank);
  g_test_add_func ("/app/span-facts/peers", test_peers);
  g_test_add_func ("/app/span-facts/step-of-reference", test_step_of_reference);
  g_test_add_func ("/app/span-facts/stacks", test_stacks);
  g_test_add_func ("/app/span-facts/long-stack", test_long_stack);
  g_test_add_func ("/app/span-facts/kin", test_kin);
  g_test_add_func ("/app/span-facts/source-text", test_source_text);
  return g_test_run ();
}
