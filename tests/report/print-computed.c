/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints figures computed from spans as JSON or text, for the tests test-computed.py and test-oracle.py, and for
 * developers.
 *
 * --collectives prints all collectives instead of only those with the longest waits. --aligned also corrects clocks
 * whose declared times contradict the collectives. --hta-path prints the critical path of the first trace, computed as
 * by Holistic Trace Analysis (HTA). --modules prints for each rank the modules with the time of their kernels forward,
 * backward and recomputed.
 *
 * Usage: print-computed [--text | --collectives | --aligned | --modules | --hta-path=ANNOTATION:FIRST:LAST] PATH…
 */
#include "loom-collectives.h"
#include "loom-hta-path.h"
#include "loom-json-util.h"
#include "loom-load.h"
#include "loom-module-tree.h"
#include "loom-span-analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
build_collective (JsonBuilder *builder, const LoomCollectives *collectives, const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
  json_builder_begin_object (builder);
  loom_json_util_add_text (builder, "name", collective->name);
  loom_json_util_add_text (builder, "group", collective->group);
  loom_json_util_add_int (builder, "transfer_ns", collective->transfer_ns);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (collectives->timeline), members[0].trace);
  guint32 n;
  loom_json_util_add_int (builder, "bytes", loom_trace_get_meetings (trace, &n)[members[0].meeting].bytes);
  loom_json_util_begin_array (builder, "members");
  for (guint i = 0; i < collective->n; i++) {
    json_builder_begin_object (builder);
    loom_json_util_add_int (builder, "rank", members[i].rank);
    loom_json_util_add_int (builder, "end_ns", members[i].end_ns);
    loom_json_util_add_int (builder, "wait_ns", members[i].wait_ns);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

/* Returns all collectives as a JSON array, in the order in which their last ranks arrived. Owned by the caller. */
static char *
print_collectives (LoomTimeline *timeline)
{
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, NULL);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_array (builder);
  for (guint i = 0; i < collectives->n; i++)
    build_collective (builder, collectives, &collectives->all[i]);
  json_builder_end_array (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  return loom_json_util_print (root);
}

static const char *
get_name (const LoomTrace *trace, guint32 span)
{
  return span != G_MAXUINT32 ? loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[span])->text : "";
}

static void
build_hta_edges (JsonBuilder *builder, const char *member, const LoomHtaEdges *edges)
{
  static const char *const kinds[] = { "operator", "dependency", "kernel_launch_delay", "kernel_kernel_delay",
                                       "sync_dependency" };
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, member);
  for (guint i = 0; i < LOOM_N_HTA_EDGES; i++) {
    g_auto (LoomJsonScope) kind = loom_json_util_open_object (builder, kinds[i]);
    loom_json_util_add_int (builder, "count", (gint64) edges[i].n);
    loom_json_util_add_int (builder, "zero", (gint64) edges[i].n_zero);
    loom_json_util_add_int (builder, "weight_ns", edges[i].weight_ns);
  }
}

static void
build_hta_node (JsonBuilder *builder, const LoomTrace *trace, const LoomHtaNode *node)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_int (builder, "span", node->span);
  loom_json_util_add_text (builder, "name", get_name (trace, node->span));
  loom_json_util_add_text (builder, "side", node->is_end ? "e" : "b");
  loom_json_util_add_int (builder, "time_ns", node->time_ns);
  loom_json_util_add_int (builder, "kind", node->kind);
  loom_json_util_add_int (builder, "weight_ns", node->weight_ns);
  loom_json_util_add_text (builder, "attributed", get_name (trace, node->attributed));
}

static void
build_hta_path (JsonBuilder *builder, const LoomTrace *trace, const LoomHtaPath *path)
{
  static const char *const bounds[] = { "cpu_bound", "gpu_compute_bound", "gpu_communication_bound",
                                        "gpu_kernel_kernel_overhead", "gpu_kernel_launch_overhead" };
  json_builder_begin_object (builder);
  loom_json_util_add_int (builder, "events", (gint64) path->n_spans);
  loom_json_util_add_int (builder, "graph_nodes", (gint64) path->n_nodes);
  loom_json_util_add_int (builder, "length_ns", path->length_ns);
  build_hta_edges (builder, "edges_by_kind", path->edges);
  build_hta_edges (builder, "path_edges_by_kind", path->path_edges);
  loom_json_util_begin_object (builder, "bound_ns");
  for (guint i = 0; i < LOOM_N_HTA_BOUNDS; i++)
    loom_json_util_add_int (builder, bounds[i], path->bound_ns[i]);
  json_builder_end_object (builder);
  loom_json_util_begin_array (builder, "path");
  for (guint i = 0; i < path->path->len; i++)
    build_hta_node (builder, trace, &g_array_index (path->path, LoomHtaNode, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

/* Returns the critical path as JSON, "null" if there is none. `words` is ANNOTATION:FIRST:LAST. Owned by the caller. */
static char *
print_hta_path (LoomTimeline *timeline, const char *words)
{
  g_auto (GStrv) parts = g_strsplit (words, ":", 3); /* names of annotations contain no colon */
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), 0);
  g_autoptr (LoomHtaPath) path = loom_hta_path_new (trace, parts[0], (guint) atoi (parts[1]), (guint) atoi (parts[2]));
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  if (path == NULL)
    return g_strdup ("null");
  build_hta_path (builder, trace, path);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  return loom_json_util_print (root);
}

/* Adds the modules of a trace, each with the time of its kernels in each phase. The time of a module does not include
 * the time of the modules inside it, nor transfers. */
static void
build_modules (JsonBuilder *builder, LoomTrace *trace)
{
  g_autoptr (LoomRun) run = loom_run_new (&trace, 1);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  const LoomModuleTreeQuery query = { .timeline = timeline, .range = LOOM_STEP_BREAKDOWN_ALL };
  g_autoptr (LoomModuleTree) tree = loom_module_tree_new (&query, LOOM_MODULE_LEVEL_MODULES, NULL);
  json_builder_begin_object (builder);
  for (guint32 i = 1; i < tree->n; i++) {
    const LoomModuleNode *node = &tree->nodes[i];
    loom_json_util_begin_array (builder, node->name);
    for (guint phase = 0; phase < LOOM_MODULE_N_PHASES; phase++)
      json_builder_add_int_value (builder, node->self_ns[phase] - node->transfer_ns[phase]);
    json_builder_end_array (builder);
  }
  json_builder_end_object (builder);
}

static char *
print_modules (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    g_autofree char *rank = g_strdup_printf ("%d", loom_trace_get_track (trace, 0)->rank);
    json_builder_set_member_name (builder, rank);
    build_modules (builder, trace);
  }
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  return loom_json_util_print (root);
}

static char *
print_computed (LoomTimeline *timeline, gboolean text)
{
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  g_autoptr (LoomSpanAnalysis) computed = loom_span_analysis_new (frame, NULL, NULL, NULL);
  g_autoptr (GString) lines = g_string_new (NULL);
  loom_span_analysis_write (computed, frame, lines);
  if (text)
    return g_string_free (g_steal_pointer (&lines), FALSE);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  loom_span_analysis_build (computed, builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  return loom_json_util_print (root);
}

int
main (int argc, char **argv)
{
  const char *option = argc > 1 && g_str_has_prefix (argv[1], "--") ? argv[1] : "";
  gboolean text = strcmp (option, "--text") == 0, all = strcmp (option, "--collectives") == 0,
           aligned = strcmp (option, "--aligned") == 0, modules = strcmp (option, "--modules") == 0;
  const char *hta = g_str_has_prefix (option, "--hta-path=") ? option + strlen ("--hta-path=") : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomRun) run =
    loom_load_paths ((const char *const *) argv + 1 + (option[0] != '\0'), NULL, NULL, NULL, NULL, &error);
  if (run == NULL) {
    fprintf (stderr, "%s\n", error->message);
    return 1;
  }
  g_autoptr (LoomAlignment) alignment =
    loom_alignment_new (run, aligned ? LOOM_ALIGN_AUTO : LOOM_ALIGN_DECLARED, NULL, 0);
  LoomTimeline *timeline = loom_timeline_new (run, alignment);
  g_autofree char *printed = all           ? print_collectives (timeline)
                             : modules     ? print_modules (timeline)
                             : hta != NULL ? print_hta_path (timeline, hta)
                                           : print_computed (timeline, text);
  fputs (printed, stdout);
  loom_timeline_unref (timeline);
  return 0;
}
