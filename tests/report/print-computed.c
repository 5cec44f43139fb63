/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints figures computed from spans as JSON or text, for test-computed.py, test-oracle.py and for reading. Usage:
 * print-computed [--text | --collectives | --aligned] PATH…; --collectives prints all collectives instead of those with the
 * longest waits; --aligned also corrects clocks whose declared times contradict the collectives.
 */
#include "loom-collectives.h"
#include "loom-json-util.h"
#include "loom-load.h"
#include "loom-span-analysis.h"

#include <stdio.h>
#include <string.h>

static void
build_collective (JsonBuilder *builder, const LoomCollectives *collectives, const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
  json_builder_begin_object (builder);
  loom_json_util_add_text (builder, "name", collective->name);
  loom_json_util_add_text (builder, "group", collective->group);
  loom_json_util_add_int (builder, "transfer_ns", collective->transfer_ns);
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

static char *
print_computed (LoomTimeline *timeline, gboolean text)
{
  g_autoptr (LoomSpanAnalysis) computed = loom_span_analysis_new (timeline, NULL, NULL);
  g_autoptr (GString) lines = g_string_new (NULL);
  loom_span_analysis_write (computed, lines);
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
           aligned = strcmp (option, "--aligned") == 0;
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
  g_autofree char *printed = all ? print_collectives (timeline) : print_computed (timeline, text);
  fputs (printed, stdout);
  loom_timeline_unref (timeline);
  return 0;
}
