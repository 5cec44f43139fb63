/* SPDX-License-Identifier: Apache-2.0
 *
 * What is computed from spans, as JSON or text, for test-computed.py and for looking at.
 * Usage: print-computed [--text] PATH…
 */
#include "loom-computed.h"
#include "loom-json-members.h"
#include "loom-load.h"

#include <stdio.h>
#include <string.h>

int
main (int argc, char **argv)
{
  gboolean text = argc > 1 && strcmp (argv[1], "--text") == 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomRun) run = loom_load_paths ((const char *const *) argv + 1 + text, NULL, NULL, NULL, NULL, &error);
  if (run == NULL) {
    fprintf (stderr, "%s\n", error->message);
    return 1;
  }
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  LoomTimeline *timeline = loom_timeline_new (run, alignment);
  g_autoptr (LoomComputed) computed = loom_computed_new (timeline, NULL, NULL);
  g_autoptr (JsonNode) root = loom_computed_to_json (computed);
  g_autofree char *printed = loom_json_print (root);
  g_autoptr (GString) lines = g_string_new (NULL);
  loom_computed_write (computed, lines);
  fputs (text ? lines->str : printed, stdout);
  loom_timeline_unref (timeline);
  return 0;
}
