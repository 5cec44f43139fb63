/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparison for the load time of bench-load: parses a trace file with json-glib, and counts its events without
 * metadata. Prints one line of JSON.
 *
 * Usage: ref-json-glib PATH
 */
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

static void
count (JsonArray *array, guint index, JsonNode *node, gpointer n_events)
{
  const char *phase = json_object_get_string_member_with_default (json_node_get_object (node), "ph", "M");
  *(guint64 *) n_events += strcmp (phase, "M") != 0;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  gint64 begin_us = g_get_monotonic_time ();
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  if (argc != 2 || !json_parser_load_from_mapped_file (parser, argv[1], &error)) {
    fprintf (stderr, "%s\n", error != NULL ? error->message : "Usage: ref-json-glib PATH");
    return 1;
  }
  JsonNode *root = json_parser_get_root (parser);
  JsonArray *events = JSON_NODE_HOLDS_ARRAY (root)
                        ? json_node_get_array (root)
                        : json_object_get_array_member (json_node_get_object (root), "traceEvents");
  guint64 n_events = 0;
  json_array_foreach_element (events, count, &n_events);
  printf ("{\"wall\": %.6f, \"events\": %" G_GUINT64_FORMAT "}\n", (double) (g_get_monotonic_time () - begin_us) / 1e6,
          n_events);
  return 0;
}
